"""Paired comparison of two systems on the same items: difference, interval and p value."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from scholartools.metrics.statistics import resampling
from scholartools.metrics.statistics.resampling import (
    Clusters,
    Percentiles,
    Resampling,
    Statistic,
    noticed_errors,
)
from scholartools.metrics.values import TOO_LARGE, ratio

Numbers = Sequence[float | None]
# Numerators and denominators by item.
Sums = tuple[Sequence[float], Sequence[float]]

# Differences whose relative variation is below this vary only by rounding: .3 - .2 and .5 - .4.
ROUNDING = 1e-12

# Sums and differences of many larger numbers may overflow.
_LARGEST = 1e300

# Above this number of degrees of freedom, t is treated as normal: the relative error is about 0.001.
_ALIKE = 1000


@dataclass(frozen=True)
class Difference:
    """Mean difference of two systems over the items with both numbers.

    Attributes:
        value: mean of first - second, None if there are no such items.
        n: number of such items.
        interval: interval of the mean difference.
        p: two-sided p, see :func:`paired_bootstrap`; None if undefined.
        reason: why value or p is None, else None.
    """

    value: float | None
    n: int
    interval: Percentiles
    p: float | None
    reason: str | None = None


def needed_draws(found: Difference, confidence: float, power: float = 0.8) -> int | None:
    """Number of units (e.g. papers, if papers were resampled) needed to detect a difference of this size.

    With that many, a two-sided test at .05 has the given power, if the difference is true and the interval shrinks with
    the square root of the number of units: the smallest n' >= ``n * (e * se / d) ** 2``, with the standard error
    derived from the width of the interval, and e from
    :func:`~scholartools.metrics.statistics.resampling.noticed_errors`, for a jackknife with the degrees of freedom of
    n'. None without an interval or a difference.

    Args:
        found: a difference with its interval.
        confidence: confidence level of the interval.
        power: power in 0..1.
    """
    error = found.interval.standard_error(confidence)
    if not found.value or error is None:
        return None
    one_error = found.interval.n_drawn * (error / found.value) ** 2
    if (needed := one_error * noticed_errors(None, power) ** 2) >= _LARGEST:
        return None
    n = max(2, math.ceil(needed))
    if found.interval.df is None or n > _ALIKE:
        return n
    share = found.interval.df / (found.interval.n_drawn - 1)
    while n < one_error * noticed_errors((n - 1) * share, power) ** 2:
        n += 1
    return n


def paired_bootstrap(first: Numbers, second: Numbers, how: Resampling, clusters: Clusters = None) -> Difference:
    """Mean difference over items, or over clusters of them, with interval and p.

    p tests the null hypothesis of no difference (Efron & Tibshirani 1993, section 16.4): with d the mean difference and
    d* that of a sample, ``(1 + number of |d* - d| >= |d|) / (1 + samples)``. It is 1 if d is 0, and never below ``2 **
    (1 - n)`` for n items (or clusters), the smallest p of an exact sign-flip test: otherwise two items with equal
    differences would count as proof. With the jackknife, p is from its t.

    Args:
        first: numbers of one system by item; None if missing.
        second: numbers of the other system for the same items in the same order.

    Raises:
        ValueError: the sequences differ in length.
    """
    import numpy as np

    differences, groups = paired_differences(first, second, clusters)
    n = len(differences)
    if too_large(first, second):
        return _no_difference(n, TOO_LARGE)
    mean = math.fsum(differences) / n if n else None
    data = np.array(differences, dtype=float)
    interval = resampling.interval(lambda counts: counts @ data / counts.sum(axis=1), n, how, groups, is_mean=True)
    if mean is None or (interval.low is None and interval.reason != resampling.SAME_IN_SAMPLES):
        return Difference(mean, n, interval, None, "no item of both" if mean is None else interval.reason)
    if not differences_vary(differences, first, second):  # constant differences: the interval has no width
        if how.method == "jackknife":
            reason = resampling.SAME.format("item" if groups is None else "cluster")
            return Difference(mean, n, Percentiles(None, None, interval.n_drawn, 0, reason), None, reason)
        interval = replace(interval, low=None, high=None, reason=resampling.SAME_IN_SAMPLES)
    if how.method == "jackknife":
        return Difference(mean, n, interval, interval.p)
    away = _distances_from(lambda counts: counts @ data / counts.sum(axis=1), mean, n, how, groups)
    slack = ROUNDING * float(np.abs(data).max(initial=0.0))
    return Difference(mean, n, interval, _shifted_p(away, mean, slack, interval.n_drawn), interval.reason)


def paired_ratios(first: Sums, second: Sums, how: Resampling, clusters: Clusters = None) -> Difference:
    """Difference of two ratios of sums, such as pooled precisions, over the items of both, with interval and p.

    The samples contain the items of both systems together; p is as in :func:`paired_bootstrap`, over the samples in
    which both ratios are defined.

    Args:
        first: numerators and denominators of one system by item.
        second: those of the other system for the same items in the same order.
    """
    import numpy as np

    n = len(first[0])
    ratios = [ratio(*side) for side in (first, second)]
    if not n:
        return _no_difference(n, "no item of both")
    if reason := ratios[0].reason or ratios[1].reason or (TOO_LARGE if too_large(*first, *second) else None):
        return _no_difference(n, reason)
    sums = np.array([*first, *second], dtype=float)

    def difference(counts: Any) -> Any:
        return (counts @ sums[0]) / (counts @ sums[1]) - (counts @ sums[2]) / (counts @ sums[3])

    values = [one.value for one in ratios]
    return statistic_difference(values, [None, None], difference, n, how, clusters, is_mean=True)


def statistic_difference(
    values: Sequence[float | None],
    reasons: Sequence[str | None],
    difference: Statistic,
    n: int,
    how: Resampling,
    clusters: Clusters = None,
    *,
    width: int = 0,
    is_mean: bool = False,
) -> Difference:
    """Difference of any two statistics of the same n items, with interval and p as in :func:`paired_bootstrap`.

    Args:
        values: the two statistics; the difference is first - second.
        reasons: why one of them is None.
        difference: difference in each sample, NaN if one of the two is undefined.
        n: number of items to resample.
        clusters: cluster of each item.
        width, is_mean: as for :func:`scholartools.metrics.statistics.resampling.interval`.
    """
    first, second = values
    if first is None or second is None:
        return _no_difference(n, reasons[0] or reasons[1] or "not defined")
    value = first - second
    interval = resampling.interval(difference, n, how, clusters, width=width, is_mean=is_mean)
    if interval.low is None and interval.reason != resampling.SAME_IN_SAMPLES:
        return Difference(value, n, interval, None, interval.reason)
    if how.method == "jackknife":
        return Difference(value, n, interval, interval.p)
    away = _distances_from(difference, value, n, how, clusters)
    return Difference(value, n, interval, _shifted_p(away, value, ROUNDING, interval.n_drawn), interval.reason)


def paired_differences(first: Numbers, second: Numbers, clusters: Clusters) -> tuple[list[float], Clusters]:
    """Differences of the items with both numbers, and the clusters of these items."""
    pairs = list(zip(first, second, strict=True))
    kept = [i for i, (one, other) in enumerate(pairs) if one is not None and other is not None]
    differences = [pairs[i][0] - pairs[i][1] for i in kept]  # type: ignore[operator]
    return differences, None if clusters is None else [clusters[i] for i in kept]


def differences_vary(differences: Sequence[float], first: Numbers, second: Numbers) -> bool:
    """Whether the differences vary by more than rounding errors."""
    largest = max((abs(value) for side in (first, second) for value in side if value is not None), default=0.0)
    return max(differences) - min(differences) > ROUNDING * largest


def too_large(*sides: Numbers) -> bool:
    """Whether sums and differences of the numbers may overflow."""
    return any(value is not None and abs(value) > _LARGEST for side in sides for value in side)


def _no_difference(n: int, reason: str) -> Difference:
    return Difference(None, n, Percentiles(None, None, 0, 0, reason), None, reason)


def _distances_from(statistic: Statistic, value: float, n: int, how: Resampling, groups: Clusters) -> Any:
    """Absolute deviations of the samples' values from the value, where defined."""
    import numpy as np

    with np.errstate(all="ignore"):
        away = np.concatenate([np.abs(statistic(counts) - value) for counts in resampling.weights(n, how, groups)])
    return away[np.isfinite(away)]


def _shifted_p(away: Any, value: float, slack: float, n_drawn: int) -> float:
    """p of the shifted bootstrap; ``slack`` is the tolerance for rounding errors."""
    extreme = int((away >= abs(value) - slack).sum())
    return max((1 + extreme) / (1 + len(away)), 2.0 ** (1 - n_drawn))
