"""Intervals by resampling: seeded, vectorised, in bounded memory."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from scholartools.errors import UsageFault

Interval = tuple[float, float]
Statistic = Callable[[Any], Any]
Clusters = Sequence[Hashable] | None

# Draws made at once. An index and the value it draws take 16 bytes: 64 MB a block, however many values and samples.
_BLOCK = 4_000_000


@dataclass(frozen=True)
class Resampling:
    """How a bootstrap is done.

    Attributes:
        samples: how many are drawn, at least 1.
        confidence: of the interval, between 0 and 1, neither included.
        seed: of numpy's PCG64 generator.

    Raises:
        UsageFault: samples or confidence out of range.
    """

    samples: int = 1000
    confidence: float = 0.95
    seed: int = 0

    def __post_init__(self) -> None:
        """Refuse what is no bootstrap."""
        if self.samples < 1:
            raise UsageFault(f"a bootstrap needs at least 1 sample, not {self.samples}")
        if not 0 < self.confidence < 1:
            raise UsageFault(f"the confidence must be between 0 and 1, not {self.confidence}")


@dataclass(frozen=True)
class Percentiles:
    """A percentile interval and what it stands on.

    Attributes:
        low: its lower end, or None where there is no interval.
        high: its upper end.
        n_drawn: how many things a sample draws with replacement: items, or clusters of them.
        n_undefined: samples in which the statistic is not defined; the percentiles are those of the others.
        reason: why there is no interval, else None.
    """

    low: float | None
    high: float | None
    n_drawn: int
    n_undefined: int
    reason: str | None = None


def mean_interval(
    values: Sequence[float], *, samples: int = 1000, confidence: float = 0.95, seed: int = 0
) -> tuple[Interval | None, str | None]:
    """Percentile bootstrap interval of a mean (Efron & Tibshirani 1993, chapter 13).

    Args:
        values: independent observations, none missing.
        samples: bootstrap samples, at least 1.
        confidence: of the interval, between 0 and 1, neither included.
        seed: of numpy's PCG64 generator; the same values, options and numpy give the same interval to the last bit.

    Returns:
        The interval (low, high) and None, or None and the reason why there is none: fewer than two values, or one that
        is not a finite number.

    Raises:
        UsageFault: samples or confidence out of range.
    """
    how = Resampling(samples, confidence, seed)
    if len(values) < 2:
        return None, "fewer than two values"
    import numpy as np

    data = np.asarray(values, dtype=float)
    if not math.isfinite(float(np.abs(data).max()) * len(data)):
        return None, "a value is missing, infinite or too large to be averaged"
    means = np.concatenate([data[block].mean(axis=1) for block in draws(len(data), how)])
    # A mean rounded past the values it is the mean of is brought back: constant data has an interval of no width.
    low, high = _percentile_ends(means, confidence).clip(data.min(), data.max())
    return (float(low), float(high)), None


def interval(
    statistic: Statistic, n: int, how: Resampling, clusters: Clusters = None, *, width: int = 0
) -> Percentiles:
    """Percentile bootstrap interval of any statistic of n items.

    Args:
        statistic: takes an array of samples x items, how often each sample holds each item, and gives the value of each
            sample, NaN where it is not defined.
        n: of items.
        how: samples, confidence and seed.
        clusters: the cluster of each item. Clusters are drawn then, each with all its items.
        width: numbers that the statistic holds of one sample, where those are more than n.
    """
    n_drawn = n if clusters is None else len(set(clusters))
    if n_drawn < 2:
        what = "item" if clusters is None else "cluster"
        return Percentiles(None, None, n_drawn, 0, f"fewer than two {what}s to draw from")
    import numpy as np

    with np.errstate(all="ignore"):  # where it is not defined a statistic divides by zero
        values = np.concatenate([statistic(block) for block in weights(n, how, clusters, width)])
    defined = values[np.isfinite(values)]
    n_undefined = len(values) - len(defined)
    if len(defined) == 0:
        return Percentiles(None, None, n_drawn, n_undefined, "not defined in any of the samples")
    low, high = _percentile_ends(defined, how.confidence)
    return Percentiles(float(low), float(high), n_drawn, n_undefined)


def ratio_interval(
    numerators: Sequence[float], denominators: Sequence[float], how: Resampling, clusters: Clusters = None
) -> Percentiles:
    """The interval of the ratio of two sums over items; not defined in a sample whose denominators sum to 0."""
    return interval(ratio_statistic(numerators, denominators), len(numerators), how, clusters)


def ratio_statistic(numerators: Sequence[float], denominators: Sequence[float]) -> Statistic:
    """The ratio of two sums over the items of a sample."""
    import numpy as np

    above, below = np.asarray(numerators, dtype=float), np.asarray(denominators, dtype=float)
    return lambda counts: (counts @ above) / (counts @ below)


def keep_complete(columns: Sequence[Sequence[float | None]]) -> list[list[float]]:
    """Columns of the same things, with only the things that have every number."""
    rows = [row for row in zip(*columns, strict=True) if None not in row]
    return [[row[i] for row in rows] for i in range(len(columns))]  # type: ignore[misc]


def clusters_of_complete(columns: Sequence[Sequence[float | None]], clusters: Clusters) -> Clusters:
    """The clusters of the things that :func:`keep_complete` keeps."""
    if clusters is None:
        return None
    rows = zip(*columns, strict=True)
    return [cluster for cluster, row in zip(clusters, rows, strict=True) if None not in row]


def draws(n: int, how: Resampling, width: int = 0, stream: int = 0) -> Iterator[Any]:
    """Indices of bootstrap samples of n things: arrays of some rows x n, ``how.samples`` rows in all.

    ``width`` is how many numbers are made of a row, where those are more than n; blocks are the smaller for it.
    Two streams of one seed are independent.
    """
    import numpy as np

    generator = np.random.Generator(np.random.PCG64([how.seed, stream] if stream else how.seed))
    rows = max(1, _BLOCK // max(n, width))
    for done in range(0, how.samples, rows):
        yield generator.integers(0, n, size=(min(rows, how.samples - done), n))


def weights(n: int, how: Resampling, clusters: Clusters = None, width: int = 0) -> Iterator[Any]:
    """How often each sample holds each of n items: arrays of some rows x n, ``how.samples`` rows in all."""
    import numpy as np

    places = {cluster: place for place, cluster in enumerate(dict.fromkeys(clusters or ()))}
    of_item = None if clusters is None else np.array([places[cluster] for cluster in clusters])
    n_drawn = n if of_item is None else len(places)
    for block in draws(n_drawn, how, max(n, width)):
        cells = block + np.arange(len(block))[:, None] * n_drawn
        counts = np.bincount(cells.ravel(), minlength=block.size).reshape(block.shape).astype(float)
        yield counts if of_item is None else counts[:, of_item]


def sums_by(counts: Any, codes: Any, n_codes: int) -> Any:
    """The sums of columns that have one code.

    Args:
        counts: array of rows x columns.
        codes: array of one integer per column, in 0..n_codes - 1.

    Returns:
        An array of rows x n_codes, 0 for a code that no column has.
    """
    import numpy as np

    order = np.argsort(codes, kind="stable")
    present, starts = np.unique(codes[order], return_index=True)
    sums = np.zeros((len(counts), n_codes))
    if len(present):
        sums[:, present] = np.add.reduceat(counts[:, order], starts, axis=1)
    return sums


def _percentile_ends(values: Any, confidence: float) -> Any:
    import numpy as np

    tail = (1 - confidence) / 2
    return np.quantile(values, [tail, 1 - tail])
