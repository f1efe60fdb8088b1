"""Intervals by resampling: seeded, vectorised, in bounded memory."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

from scholartools.errors import UsageFault

Interval = tuple[float, float]

# Draws made at once. An index and the value it draws take 16 bytes: 64 MB a block, however many values and samples.
_BLOCK = 4_000_000


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
    if samples < 1:
        raise UsageFault(f"a bootstrap needs at least 1 sample, not {samples}")
    if not 0 < confidence < 1:
        raise UsageFault(f"a confidence lies between 0 and 1, unlike {confidence}")
    if len(values) < 2:
        return None, "fewer than two values"
    import numpy as np

    data = np.asarray(values, dtype=float)
    if not math.isfinite(float(np.abs(data).max()) * len(data)):
        return None, "a value is missing, infinite or too large to be averaged"
    means = np.concatenate([data[block].mean(axis=1) for block in _draws(len(data), samples, seed)])
    tail = (1 - confidence) / 2
    # A mean rounded past the values it is the mean of is brought back: constant data has an interval of no width.
    low, high = np.quantile(means, [tail, 1 - tail]).clip(data.min(), data.max())
    return (float(low), float(high)), None


def _draws(n: int, samples: int, seed: int) -> Iterator[Any]:
    """Indices of bootstrap samples of n things: arrays of some rows x n, ``samples`` rows in all."""
    import numpy as np

    generator = np.random.Generator(np.random.PCG64(seed))
    rows = max(1, _BLOCK // n)
    for done in range(0, samples, rows):
        yield generator.integers(0, n, size=(min(rows, samples - done), n))
