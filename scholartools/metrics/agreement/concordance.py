"""Concordance of the numbers of two raters for the same items, and limits of agreement."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import NormalDist
from typing import Any

from scholartools.metrics.statistics import resampling
from scholartools.metrics.statistics.agreement_limits import agreement_limits, limit_intervals, mean_difference_interval
from scholartools.metrics.statistics.resampling import Clusters, Percentiles, Resampling

Numbers = Sequence[float | None]

#: Share of differences between the limits of agreement.
HELD = 0.95


@dataclass(frozen=True)
class Concordance:
    """Comparison of the numbers of two raters.

    Attributes:
        value: Lin's concordance correlation coefficient, in -1..1, or None.
        n: number of items with both numbers.
        bias: mean difference, first - second, or None without items.
        sd: standard deviation of the differences, with n - 1, or None.
        limits: bias minus and plus 1.96 sd, which contain 95% of normally distributed differences.
        reason: why the value is None, else None.
    """

    value: float | None
    n: int
    bias: float | None
    sd: float | None
    limits: tuple[float, float] | None
    reason: str | None = None


@dataclass(frozen=True)
class Intervals:
    """Intervals of a :class:`Concordance`: of its value, its bias, and its lower and upper limit."""

    value: Percentiles
    bias: Percentiles
    lower: Percentiles
    upper: Percentiles


def concordance(first: Numbers, second: Numbers) -> Concordance:
    """Lin's (1989) coefficient, ``2 s_xy / (s_x^2 + s_y^2 + (m_x - m_y)^2)``, and the limits of Bland and Altman
    (1986).

    Variances of the coefficient use n, as in Lin. It is 1 if all pairs are equal; unlike a correlation, it is lowered
    by a shift or a difference in spread.
    """
    one, other = resampling.keep_complete([first, second])
    n = len(one)
    if n < 2:
        return Concordance(None, n, one[0] - other[0] if n else None, None, None, "fewer than two items of both")
    apart = agreement_limits(first, second, HELD)
    limits = None if apart.low is None or apart.high is None else (apart.low, apart.high)
    found = Concordance(None, n, apart.value, apart.sd, limits, apart.reason)
    if len({*one, *other}) == 1:
        return replace(found, reason="only one value occurs")
    import numpy as np

    value = float(_coefficients(one, other)(np.ones((1, n)))[0])
    return replace(found, value=value)


def concordance_intervals(first: Numbers, second: Numbers, how: Resampling, clusters: Clusters = None) -> Intervals:
    """Intervals of a concordance: for the coefficient on Fisher's scale, for the bias as for a mean.

    Those of the limits are exact for independent normal differences, from the noncentral t distribution (Carkeet 2015);
    for clustered items all intervals are from the jackknife.
    """
    columns = [first, second]
    one, other = resampling.keep_complete(columns)
    of = resampling.clusters_of_complete(columns, clusters)
    n = len(one)
    value = resampling.interval(_coefficients(one, other), n, how, of, is_coefficient=True)
    apart = [a - b for a, b in zip(one, other, strict=True)]
    bias = mean_difference_interval(first, second, how, clusters)
    z = NormalDist().inv_cdf((1 + HELD) / 2)
    if of is not None or how.method == "bootstrap":
        lower, upper = (resampling.interval(_limits(apart, side), n, how, of) for side in (-z, z))
    else:
        exact = limit_intervals(agreement_limits(first, second, HELD), HELD, how.confidence)
        if exact is None:
            lower = upper = Percentiles(
                None, None, n, 0, "fewer than two items" if n < 2 else "all differences are equal"
            )
        else:
            lower, upper = (Percentiles(low, high, n, 0, df=n - 1) for low, high in exact)
    return Intervals(value, bias, lower, upper)


def _coefficients(one: Sequence[float], other: Sequence[float]) -> resampling.Statistic:
    import numpy as np

    sides = [np.array(side, dtype=float) for side in (one, other)]
    scale = max(float(np.abs(side).max(initial=0.0)) for side in sides) or 1.0
    x, y = (side / scale for side in sides)

    def statistic(counts: Any) -> Any:
        n = counts.sum(axis=1, keepdims=True)
        mean_x, mean_y = ((counts @ side)[:, None] / n for side in (x, y))
        products = (counts * (x - mean_x) * (y - mean_y)).sum(axis=1)
        squares = (counts * ((x - mean_x) ** 2 + (y - mean_y) ** 2)).sum(axis=1)
        return 2 * products / (squares + (n * (mean_x - mean_y) ** 2)[:, 0])

    return statistic


def _limits(apart: Sequence[float], z: float) -> resampling.Statistic:
    """Mean plus z standard deviations of the differences in a sample."""
    import numpy as np

    d = np.array(apart, dtype=float)

    def statistic(counts: Any) -> Any:
        n = counts.sum(axis=1, keepdims=True)
        mean = (counts @ d)[:, None] / n
        return mean[:, 0] + z * np.sqrt((counts * (d - mean) ** 2).sum(axis=1) / (n[:, 0] - 1))

    return statistic
