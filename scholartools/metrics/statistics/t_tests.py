"""Two systems on the same items: t-tests, effect size, and power.

A t-test assumes independent numbers. Items of one cluster (a paper) are dependent: if clusters are given, each test
uses one number per cluster, the mean of its items, and counts clusters.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from scholartools.errors import UsageFault
from scholartools.metrics.statistics import resampling
from scholartools.metrics.statistics.paired_bootstrap import (
    ROUNDING,
    Difference,
    Numbers,
    differences_vary,
    paired_differences,
    too_large,
)
from scholartools.metrics.statistics.resampling import Clusters, Resampling
from scholartools.metrics.values import TOO_LARGE, mean

_PUBLISHED = Resampling(samples=1000, method="bootstrap")


@dataclass(frozen=True)
class TTest:
    """Result of a t-test: t, degrees of freedom and two-sided p; None with a reason if undefined.

    ``n`` is the number of independent units: items of both systems, or clusters of them.
    """

    t: float | None
    df: int | None
    p: float | None
    n: int
    reason: str | None = None


@dataclass(frozen=True)
class Effect:
    """Standardised mean difference, None with a reason if undefined."""

    value: float | None
    n: tuple[int, int]
    means: tuple[float | None, float | None]
    reason: str | None = None


@dataclass(frozen=True)
class Power:
    """Power of t-tests to detect a difference.

    Attributes:
        unpaired: share, in 0..1, of the samples in which the unpaired equal-variance t-test has p < alpha; None if a
            system has fewer than two numbers, or the test is undefined in all samples.
        paired: likewise for the paired t-test on samples of the shared items; None for fewer than two of those.
        n: number of numbers of the first and of the second system, or of clusters with one.
        n_shared: number of items with both numbers, or of clusters with such an item.
        n_undefined: number of samples without a test because all numbers of each system (or all differences) are equal:
            unpaired, paired. They count as not significant, which makes the share a lower bound.
        reason: why a share is None, else None.
    """

    unpaired: float | None
    paired: float | None
    n: tuple[int, int]
    n_shared: int
    n_undefined: tuple[int, int]
    reason: str | None = None


@dataclass(frozen=True)
class _Share:
    """Share of samples with a significant test, number of samples without test, and why there is no share."""

    value: float | None
    n_undefined: int = 0
    reason: str | None = None


def paired_t(first: Numbers, second: Numbers, clusters: Clusters = None) -> TTest:
    """Student's paired t-test, two-sided; undefined if all differences are equal.

    With clusters, it is applied to their mean differences, one observation per cluster of any size.
    """
    differences, groups = paired_differences(first, second, clusters)
    n = len(differences if groups is None else set(groups))
    if n < 2:
        what = "items" if groups is None else "clusters of items"
        return TTest(None, None, None, n, f"fewer than two {what} of both")
    if too_large(first, second):
        return TTest(None, n - 1, None, n, TOO_LARGE)
    units = _independent_numbers(differences, groups)
    if not differences_vary(units, first, second):
        of = "differences are" if groups is None else "clusters' mean differences are"
        return TTest(None, n - 1, None, n, f"all {of} equal")
    from scipy.special import stdtr

    mean_difference = _scale_down([zero_if_rounding(_mean_of(units), first, second)], [units])[0]
    t = float(mean_difference / math.sqrt(_variance_of(_scale_down(units, [units]).tolist(), 1) / n))
    return TTest(t, n - 1, float(2 * stdtr(n - 1, -abs(t))), n)


def zero_if_rounding(value: float, *sides: Numbers) -> float:
    """A difference of means of these numbers, set to 0 if it is within rounding errors."""
    largest = max((abs(number) for side in sides for number in side if number is not None), default=0.0)
    return 0.0 if abs(value) <= ROUNDING * largest else value


def settle_difference(found: Difference, *sides: Numbers) -> Difference:
    """Apply :func:`zero_if_rounding` to the value and the ends of the interval of a difference."""
    value, low, high = (
        None if number is None else zero_if_rounding(number, *sides)
        for number in (found.value, found.interval.low, found.interval.high)
    )
    return replace(found, value=value, interval=replace(found.interval, low=low, high=high))


def cohen_d(first: Numbers, second: Numbers, ddof: int = 0) -> Effect:
    """Cohen's d: difference of the means divided by the pooled standard deviation of the two systems.

    ``sqrt(((n_a - ddof) * var_a + (n_b - ddof) * var_b) / (n_a + n_b - 2 * ddof))``: for equal sizes, the root of the
    mean variance. Missing numbers are left out of each system separately. It is a descriptive measure relative to the
    spread of items, without assumption of independence, so clusters do not matter.

    Args:
        ddof: 0 for variances over n, as published; 1 for variances over n - 1.
    """
    if ddof not in (0, 1):
        raise UsageFault(f"ddof must be 0 or 1, not {ddof}")
    sides = [[value for value in side if value is not None] for side in (first, second)]
    n, means = (len(sides[0]), len(sides[1])), (mean(sides[0]).value, mean(sides[1]).value)
    blank = Effect(None, n, means)
    if min(n) < 1 + ddof:
        return replace(blank, reason="a system has fewer than two numbers" if ddof else "a system has no number")
    if too_large(*sides):
        return replace(blank, reason=TOO_LARGE)
    if not any(max(side) - min(side) > ROUNDING * max(map(abs, side)) for side in sides):
        return replace(blank, reason="the numbers of both systems are constant")
    sides = [_scale_down(side, sides).tolist() for side in sides]
    weights = [size - ddof for size in n]
    pooled = sum(w * _variance_of(side, ddof) for w, side in zip(weights, sides, strict=True)) / sum(weights)
    if not pooled:
        return replace(blank, reason="the numbers vary too little for their variance to be distinguished from 0")
    return replace(blank, value=zero_if_rounding(_mean_of(sides[0]) - _mean_of(sides[1]), *sides) / math.sqrt(pooled))


def power(
    first: Numbers, second: Numbers, how: Resampling = _PUBLISHED, alpha: float = 0.05, clusters: Clusters = None
) -> Power:
    """Power of two t-tests by resampling (Wang et al., "A Facet-aware Metric", section 5.4).

    For the unpaired test the numbers of each system are resampled separately; for the paired test the shared items are
    resampled with both numbers. With clusters, clusters are resampled, and their means tested.

    Args:
        first: numbers of one system by item; None if missing.
        second: numbers of the other system for the same items in the same order.
        how: number of samples (1,000 in the paper) and seed.
        alpha: significance level.
        clusters: cluster of each item; None for independent items.

    Raises:
        ValueError: the sequences differ in length.
    """
    differences, groups = paired_differences(first, second, clusters)
    shared = _independent_numbers(differences, groups)
    sides = [_independent_numbers(side, clusters) for side in (first, second)]
    n, what = (len(sides[0]), len(sides[1])), ("numbers", "items") if clusters is None else ("clusters", "clusters")
    if min(n) < 2:
        unpaired = _Share(None, reason=f"fewer than two {what[0]} of a system")
    else:
        unpaired = _power_unpaired(sides, how, alpha)
    if len(shared) < 2:
        paired = _Share(None, reason=f"fewer than two shared {what[1]}")
    else:
        pairs = [pair for pair in zip(first, second, strict=True) if None not in pair]
        paired = _power_paired(shared, pairs, how, alpha)
    reasons = [share.reason for share in (unpaired, paired) if share.reason]
    undefined = (unpaired.n_undefined, paired.n_undefined)
    return Power(unpaired.value, paired.value, n, len(shared), undefined, "; ".join(reasons) or None)


def _independent_numbers(values: Numbers, clusters: Clusters) -> list[float]:
    """Independent observations: the numbers that are not missing, or their mean in each cluster."""
    if clusters is None:
        return [value for value in values if value is not None]
    groups: dict[Hashable, list[float]] = {}
    for value, cluster in zip(values, clusters, strict=True):
        if value is not None:
            groups.setdefault(cluster, []).append(value)
    return [_mean_of(group) for group in groups.values()]


def _power_unpaired(sides: Sequence[Sequence[float]], how: Resampling, alpha: float) -> _Share:
    data = [_scale_down(side, sides) for side in sides]
    width = max(map(len, sides))
    blocks = (resampling.draws(len(side), how, width, stream) for stream, side in enumerate(data))
    found = _p_unpaired(data, zip(*blocks, strict=True))
    return _share_below(found, alpha, "an unpaired t-test: the numbers of either system")


def _p_unpaired(data: Sequence[Any], blocks: Iterable[Sequence[Any]]) -> Iterator[Any]:
    """p values of the samples, by block; NaN if undefined."""
    import numpy as np

    sizes = [len(side) for side in data]
    df = sum(sizes) - 2
    for draws in blocks:
        drawn = [side[rows] for side, rows in zip(data, draws, strict=True)]
        pooled = sum(_squared_deviations(rows) for rows in drawn) / df
        error = np.sqrt(pooled * (1 / sizes[0] + 1 / sizes[1]))
        yield _two_sided(drawn[0].mean(axis=1) - drawn[1].mean(axis=1), error, df)


def _power_paired(differences: Sequence[float], pairs: Sequence[Any], how: Resampling, alpha: float) -> _Share:
    data = _scale_down(differences, pairs)
    return _share_below(_p_paired(data, resampling.draws(len(data), how)), alpha, "a paired t-test: all differences")


def _p_paired(data: Any, blocks: Iterable[Any]) -> Iterator[Any]:
    import numpy as np

    n = len(data)
    for draws in blocks:
        drawn = data[draws]
        yield _two_sided(drawn.mean(axis=1), np.sqrt(_squared_deviations(drawn) / (n - 1) / n), n - 1)


def _two_sided(differences: Any, errors: Any, df: int) -> Any:
    """p values; NaN if there is no spread beyond rounding. The numbers are scaled to below 1."""
    import numpy as np
    from scipy.special import stdtr

    with np.errstate(all="ignore"):
        return np.where(errors <= ROUNDING, math.nan, 2 * stdtr(df, -np.abs(differences / errors)))


def _share_below(blocks: Iterable[Any], alpha: float, what: str) -> _Share:
    """Share of all samples with p below alpha; ``what`` names the test and the constant numbers, for the reason."""
    import numpy as np

    p = np.concatenate(list(blocks))
    n_undefined = int(np.isnan(p).sum())
    if n_undefined == len(p):
        return _Share(None, n_undefined, f"no sample has {what} are equal in each")
    return _Share(float((p < alpha).sum() / len(p)), n_undefined)


def _squared_deviations(drawn: Any) -> Any:
    """Sums of squared deviations of rows from their means; exactly 0 for a constant row."""
    import numpy as np

    sums = ((drawn - drawn.mean(axis=1, keepdims=True)) ** 2).sum(axis=1)
    return np.where(drawn.max(axis=1) == drawn.min(axis=1), 0.0, sums)


def _scale_down(side: Sequence[float], all_sides: Any) -> Any:
    """Array divided by a power of two such that all values are below 1, which does not affect t-tests."""
    import numpy as np

    largest = max(abs(value) for part in all_sides for value in part)
    return np.ldexp(np.array(side, dtype=float), -math.frexp(largest)[1])


def _mean_of(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)


def _variance_of(values: Sequence[float], ddof: int) -> float:
    mean = _mean_of(values)
    return math.fsum((value - mean) ** 2 for value in values) / (len(values) - ddof)
