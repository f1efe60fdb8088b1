"""Two systems on the same items: t-tests, the size of a difference, and how often a test would find it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from scholartools.errors import UsageFault
from scholartools.metrics import resampling
from scholartools.metrics.differences import ROUNDING, Numbers, paired_differences, too_large, vary
from scholartools.metrics.resampling import Resampling
from scholartools.metrics.values import TOO_LARGE, mean

_PUBLISHED = Resampling(samples=1000)


@dataclass(frozen=True)
class TTest:
    """A t-test: its statistic, degrees of freedom and two-sided p; None with a reason where it is not defined."""

    t: float | None
    df: int | None
    p: float | None
    n: int
    reason: str | None = None


@dataclass(frozen=True)
class Effect:
    """A standardised difference of means, None with a reason where it is not defined."""

    value: float | None
    n: tuple[int, int]
    means: tuple[float | None, float | None]
    reason: str | None = None


@dataclass(frozen=True)
class Power:
    """How often a test finds a difference.

    Attributes:
        unpaired: share, in 0..1, of the samples in which the unpaired equal-variance t-test has p < alpha; None where
            a system has fewer than two numbers.
        paired: the same of the paired t-test on samples of the shared items; None with fewer than two of those.
        n: numbers of the first and of the second system.
        n_shared: items with a number of both.
        n_undefined: samples in which the test is not defined, all numbers being equal (or all differences 0): unpaired,
            paired. They count as samples in which nothing was found.
        reason: why a share is None, else None.
    """

    unpaired: float | None
    paired: float | None
    n: tuple[int, int]
    n_shared: int
    n_undefined: tuple[int, int]
    reason: str | None = None


def paired_t(first: Numbers, second: Numbers) -> TTest:
    """Student's t-test of paired numbers, two-sided; not defined where all differences are equal."""
    differences, _ = paired_differences(first, second, None)
    n = len(differences)
    if n < 2:
        return TTest(None, None, None, n, "fewer than two items of both")
    if too_large(first, second):
        return TTest(None, n - 1, None, n, TOO_LARGE)
    if not vary(differences, first, second):
        return TTest(None, n - 1, None, n, "all differences are equal")
    from scipy.special import stdtr

    differences = _scaled(differences, [differences]).tolist()
    t = _mean(differences) / math.sqrt(_variance(differences, 1) / n)
    return TTest(t, n - 1, float(2 * stdtr(n - 1, -abs(t))), n)


def cohen_d(first: Numbers, second: Numbers, ddof: int = 0) -> Effect:
    """Cohen's d: the difference of the means over the pooled standard deviation of the two systems.

    ``sqrt(((n_a - ddof) * var_a + (n_b - ddof) * var_b) / (n_a + n_b - 2 * ddof))``: for as many numbers of both the
    root of the mean variance. Missing numbers are left out of each system by itself.

    Args:
        ddof: 0 for variances over n, as published; 1 for variances over n - 1.
    """
    if ddof not in (0, 1):
        raise UsageFault(f"ddof is 0 or 1, not {ddof}")
    sides = [[value for value in side if value is not None] for side in (first, second)]
    n, means = (len(sides[0]), len(sides[1])), (mean(sides[0]).value, mean(sides[1]).value)
    blank = Effect(None, n, means)
    if min(n) < 1 + ddof:
        return replace(blank, reason=f"a system has fewer than {1 + ddof} number{'s' * ddof}")
    if too_large(*sides):
        return replace(blank, reason=TOO_LARGE)
    if not any(_varies(side) for side in sides):
        return replace(blank, reason="the numbers of both systems are constant")
    sides = [_scaled(side, sides).tolist() for side in sides]
    weights = [size - ddof for size in n]
    pooled = sum(w * _variance(side, ddof) for w, side in zip(weights, sides, strict=True)) / sum(weights)
    if not pooled:
        return replace(blank, reason="the numbers vary too little for their variance to be told from 0")
    return replace(blank, value=(_mean(sides[0]) - _mean(sides[1])) / math.sqrt(pooled))


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """P values corrected for how many they are (Holm 1979): ``max over j <= i of min(1, (m - j + 1) * p_(j))``.

    A None stays None and is not counted among the m.
    """
    known = sorted((p, i) for i, p in enumerate(p_values) if p is not None)
    corrected: list[float | None] = [None] * len(p_values)
    highest = 0.0
    for rank, (p, i) in enumerate(known):
        highest = max(highest, min(1.0, (len(known) - rank) * p))
        corrected[i] = highest
    return corrected


def power(first: Numbers, second: Numbers, how: Resampling = _PUBLISHED, alpha: float = 0.05) -> Power:
    """Power of two t-tests by resampling (Wang et al., "A Facet-aware Metric", section 5.4).

    For the unpaired test each system's numbers are drawn by themselves, as many as there are; for the paired one the
    shared items are drawn, with both numbers.

    Args:
        first: one system's numbers, item by item; None is a missing one.
        second: the other's, of the same items in the same order.
        how: samples (1,000 in the paper) and seed.
        alpha: significance level.

    Raises:
        ValueError: the two are not of one length.
    """
    shared = [pair for pair in zip(first, second, strict=True) if None not in pair]
    sides = [[value for value in side if value is not None] for side in (first, second)]
    n = (len(sides[0]), len(sides[1]))
    lacking = [what for what, size in (("numbers of a system", min(n)), ("shared items", len(shared))) if size < 2]
    unpaired = None if min(n) < 2 else _unpaired_power(sides, how, alpha)
    paired = None if len(shared) < 2 else _paired_power(shared, how, alpha)
    undefined = (unpaired or (0, 0))[1], (paired or (0, 0))[1]
    reason = f"fewer than two {' and '.join(lacking)}" if lacking else None
    return Power(unpaired and unpaired[0], paired and paired[0], n, len(shared), undefined, reason)


def _unpaired_power(sides: Sequence[Sequence[float]], how: Resampling, alpha: float) -> tuple[float, int]:
    """The share of samples with p < alpha, and how many have no p."""
    import numpy as np

    data = [_scaled(side, sides) for side in sides]
    width = max(map(len, sides))
    blocks = (resampling.draws(len(side), how, width, stream) for stream, side in enumerate(data))
    sizes = [len(side) for side in data]
    df = sum(sizes) - 2
    found = undefined = 0
    for draws in zip(*blocks, strict=True):
        drawn = [side[rows] for side, rows in zip(data, draws, strict=True)]
        pooled = sum(_deviations(rows) for rows in drawn) / df
        error = np.sqrt(pooled * (1 / sizes[0] + 1 / sizes[1]))
        counts = _count_found(drawn[0].mean(axis=1) - drawn[1].mean(axis=1), error, df, alpha)
        found, undefined = found + counts[0], undefined + counts[1]
    return found / how.samples, undefined


def _paired_power(shared: Sequence[Any], how: Resampling, alpha: float) -> tuple[float, int]:
    import numpy as np

    differences = [one - other for one, other in shared]
    if not vary(differences, *zip(*shared, strict=True)):
        differences = [differences[0]] * len(shared)
    data = _scaled(differences, shared)
    n = len(data)
    found = undefined = 0
    for draws in resampling.draws(n, how):
        drawn = data[draws]
        error = np.sqrt(_deviations(drawn) / (n - 1) / n)
        counts = _count_found(drawn.mean(axis=1), error, n - 1, alpha)
        found, undefined = found + counts[0], undefined + counts[1]
    return found / how.samples, undefined


def _count_found(differences: Any, errors: Any, df: int, alpha: float) -> tuple[int, int]:
    """How many p are below alpha, and how many there are not: no spread and no difference either."""
    import numpy as np
    from scipy.special import stdtr

    tiny = ROUNDING  # the numbers are scaled to below 1
    with np.errstate(all="ignore"):
        p = 2 * stdtr(df, -np.abs(differences / errors))
    p = np.where(errors <= tiny, np.where(np.abs(differences) <= tiny, math.nan, 0.0), p)
    return int((p < alpha).sum()), int(np.isnan(p).sum())


def _deviations(drawn: Any) -> Any:
    """Sums of squared deviations of rows from their own means; exactly 0 for a row of one value."""
    import numpy as np

    sums = ((drawn - drawn.mean(axis=1, keepdims=True)) ** 2).sum(axis=1)
    return np.where(drawn.max(axis=1) == drawn.min(axis=1), 0.0, sums)


def _scaled(side: Sequence[float], all_sides: Any) -> Any:
    """As an array, divided by a power of two that brings everything below 1; no t-test sees it."""
    import numpy as np

    largest = max(abs(value) for part in all_sides for value in part)
    return np.ldexp(np.array(side, dtype=float), -math.frexp(largest)[1])


def _varies(values: Sequence[float]) -> bool:
    return max(values) - min(values) > ROUNDING * max(map(abs, values))


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)


def _variance(values: Sequence[float], ddof: int) -> float:
    mean = _mean(values)
    return math.fsum((value - mean) ** 2 for value in values) / (len(values) - ddof)
