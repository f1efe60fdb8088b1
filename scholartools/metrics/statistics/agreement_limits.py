"""Limits of agreement of two measures on one scale (Bland and Altman 1986, 1999)."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

from scholartools.metrics.statistics import resampling
from scholartools.metrics.statistics.resampling import Clusters, Interval, Percentiles, Resampling
from scholartools.metrics.values import TOO_LARGE

Numbers = Sequence[float | None]


@dataclass(frozen=True)
class Limits:
    """Differences of two measures of the same items.

    Attributes:
        value: mean of first - second; None if no item has both numbers.
        sd: standard deviation of the differences, with n - 1; None for fewer than two.
        low: mean minus z sd, with z = 1.96 for limits that contain 95% of normal differences; None without sd.
        high: mean plus z sd.
        n: number of items with both numbers.
        n_missing: number of other items.
        reason: why the value, or else the limits, are None.
    """

    value: float | None
    sd: float | None
    low: float | None
    high: float | None
    n: int
    n_missing: int
    reason: str | None = None


def agreement_limits(first: Numbers, second: Numbers, share: float = 0.95) -> Limits:
    """Mean difference, and the limits that contain a share of normal differences.

    Args:
        first: numbers of one measure; None if missing.
        second: numbers of the other measure for the same items, on the same scale.
        share: share of the differences, between 0 and 1.
    """
    differences = _differences(first, second)
    n, n_missing = len(differences), len(first) - len(differences)
    if not differences:
        return Limits(None, None, None, None, 0, n_missing, "no item has both numbers")
    if not math.isfinite(sum(one * one for one in differences)):
        return Limits(None, None, None, None, n, n_missing, TOO_LARGE)
    mean = statistics.fmean(differences)
    if n < 2:
        return Limits(mean, None, None, None, n, n_missing, "fewer than two differences")
    sd = statistics.stdev(differences)
    away = NormalDist().inv_cdf((1 + share) / 2) * sd
    return Limits(mean, sd, mean - away, mean + away, n, n_missing)


def mean_difference_interval(
    first: Numbers, second: Numbers, how: Resampling, clusters: Clusters = None
) -> Percentiles:
    """Interval of the mean difference, over items or over clusters of them."""
    differences = _differences(first, second)
    groups = resampling.clusters_of_complete([first, second], clusters)
    return resampling.ratio_interval(differences, [1.0] * len(differences), how, groups)


def limit_intervals(found: Limits, share: float, confidence: float) -> tuple[Interval, Interval] | None:
    """Exact intervals of both limits for independent normal differences (Carkeet 2015); None if they do not vary.

    With k(p) the p quantile of the noncentral t distribution with n - 1 degrees of freedom and noncentrality z sqrt(n),
    divided by sqrt(n), the interval of the upper limit is the mean plus k(p) sd for p = (1 -+ confidence) / 2.
    """
    if not found.sd or found.value is None:
        return None
    from scipy.stats import nct

    df, shift = found.n - 1, NormalDist().inv_cdf((1 + share) / 2) * math.sqrt(found.n)
    near, far = (
        float(nct.ppf(p, df, shift)) / math.sqrt(found.n) * found.sd
        for p in ((1 - confidence) / 2, (1 + confidence) / 2)
    )
    if not (math.isfinite(near) and math.isfinite(far)):
        return None
    return (found.value - far, found.value - near), (found.value + near, found.value + far)


def _differences(first: Numbers, second: Numbers) -> list[float]:
    one, other = resampling.keep_complete([first, second])
    return [a - b for a, b in zip(one, other, strict=True)]
