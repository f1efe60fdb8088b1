"""Bias of a judge: the slope of its scores on a property, given the human scores."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from scholartools.metrics.statistics import resampling
from scholartools.metrics.statistics.resampling import Clusters, Percentiles, Resampling, Statistic

Numbers = Sequence[float | None]

# Tolerance for quantities that are 0 except for rounding.
_ALONE = 1e-9
# Degrees of freedom are not computed for more units, or more numbers.
_MOST_UNITS, _MOST_CELLS = 1000, 10_000_000


@dataclass(frozen=True)
class Slope:
    """How much a score changes with one more of something.

    Attributes:
        value: the slope in units of the score for one of the other's; None where it is not defined.
        n: things with all three numbers, which alone count.
        n_levels: different scores by people.
        n_missing: things without one of the numbers.
        reason: why the value is None, else None.
    """

    value: float | None
    n: int
    n_levels: int
    n_missing: int
    reason: str | None = None


def slope_given_levels(scores: Numbers, of: Numbers, truth: Numbers) -> Slope:
    """Least squares slope of scores on a property, with an intercept for each human score.

    That is sum (x - mean_l x)(z - mean_l z) / sum (z - mean_l z)^2 with the means of an item's level l: the effect of z
    on the score beyond any function of the human score. Undefined if z is constant within each level.

    Args:
        scores: x, scores of the judge; None if missing.
        of: z, the property of the same items: a length, or 1 and 0.
        truth: human scores of the same items.
    """
    kept = resampling.keep_complete([scores, of, truth])
    blank = Slope(None, len(kept[0]), len(set(kept[2])), len(scores) - len(kept[0]))
    if not kept[0]:
        return replace(blank, reason="no text has all three numbers")
    import numpy as np

    value = float(_sample_slopes(*kept)(np.ones((1, len(kept[0]))))[0])
    if math.isnan(value):
        return replace(blank, reason="the property is constant within each level of people's scores")
    return replace(blank, value=value)


def slope_interval(
    scores: Numbers, of: Numbers, truth: Numbers, how: Resampling, clusters: Clusters = None
) -> Percentiles:
    """Interval of :func:`slope_given_levels` over items, or over clusters of them.

    If few units have nearly all of the property, the jackknife's squared error is biased upwards and imprecise. Both
    are known for independent homoscedastic errors: the bias is removed, as in CR2, and t has the degrees of freedom of
    CR2 by Satterthwaite (Bell and McCaffrey 2002; Imbens and Kolesar 2016).
    """
    columns = [scores, of, truth]
    kept, groups = resampling.keep_complete(columns), resampling.clusters_of_complete(columns, clusters)
    df, excess = _satterthwaite(kept[1], kept[2], groups)
    return resampling.interval(_sample_slopes(*kept), len(kept[0]), how, groups, df=df, excess=excess)


def _satterthwaite(of: Sequence[float], truth: Sequence[float], groups: Clusters) -> tuple[float | None, float]:
    """Degrees of freedom of :func:`slope_interval`, and the factor by which its squared error is too large.

    With U the orthonormal base of what is fitted, U_g a unit's rows and z_g its property less the means of its levels,
    over the root of all squares, an estimate weighs the errors by a_g = (I - U_g U_g')^e z_g, e being -1/2 in CR2 and
    -1 in a jackknife. The weighted sums of residuals have the covariances Q = D - B B', D_g = a_g' a_g, B_g = U_g' a_g:
    their squares are tr Q on average, with (tr Q)^2 / tr Q^2 degrees of freedom. (None, 1) where the property does not
    vary, and of more than 1,000 units, whose own kurtosis tells how rough the error is.
    """
    import numpy as np

    if not of:
        return None, 1.0
    z = np.asarray(of, dtype=float)
    z = np.ldexp(z, -math.frexp(float(np.abs(z).max()))[1])
    _, levels = np.unique(np.asarray(truth, dtype=float), return_inverse=True)
    sizes = np.bincount(levels)
    z = z - (np.bincount(levels, z) / sizes)[levels]
    if not (total := float((z**2).sum())):
        return None, 1.0
    z = z / math.sqrt(total)
    units = np.unique(np.arange(len(z)) if groups is None else resampling.codes_of(groups), return_inverse=True)[1]
    g, q = int(units.max()) + 1, len(sizes) + 1
    if g > _MOST_UNITS or g * q**2 > _MOST_CELLS:
        return None, 1.0
    # U_g' U_g of each unit: the columns of the levels are orthogonal, only z has cross terms.
    inner = np.zeros((g, q, q))
    cells, n_cells = units * (q - 1) + levels, g * (q - 1)
    inner[:, range(q - 1), range(q - 1)] = np.bincount(cells, 1 / sizes[levels], n_cells).reshape(g, -1)
    inner[:, :-1, -1] = np.bincount(cells, z / np.sqrt(sizes[levels]), n_cells).reshape(g, -1)
    inner[:, -1, :-1] = inner[:, :-1, -1]
    inner[:, -1, -1] = np.bincount(units, z**2)
    shares, base = np.linalg.eigh(inner)
    z_along = (base * inner[:, :, -1:]).sum(axis=1)  # U_g' z_g
    squares, left = inner[:, -1, -1], 1 - shares
    traces, norms = [], []
    for exponent in (-0.5, -1.0):
        # A level of one unit only has no residuals, and does not contribute to the error.
        grown = np.where(left > _ALONE, np.maximum(left, _ALONE) ** exponent, 0.0)
        beyond = np.where(shares > _ALONE, (grown - 1) / np.maximum(shares, _ALONE), -exponent)
        own = squares + ((2 + shares * beyond) * beyond * z_along**2).sum(axis=1)
        along = (base * (grown * z_along)[:, None, :]).sum(axis=2)
        traces.append(float((own - (along**2).sum(axis=1)).sum()))
        norms.append(float((own**2 - 2 * own * (along**2).sum(axis=1)).sum() + ((along.T @ along) ** 2).sum()))
    if min(*traces, norms[0]) <= _ALONE:
        return None, 1.0
    return max(1.0, min(g - 1, traces[0] ** 2 / norms[0])), traces[1] * (g - 1) / g


def _sample_slopes(scores: Sequence[float], of: Sequence[float], truth: Sequence[float]) -> Statistic:
    import numpy as np

    x, z = np.asarray(scores, dtype=float), np.asarray(of, dtype=float)
    levels, codes = np.unique(np.asarray(truth, dtype=float), return_inverse=True)

    def of_levels(counts: Any, side: Any) -> Any:
        """Values minus the means of their levels, in each sample."""
        sizes = np.maximum(resampling.sums_by(counts, codes, len(levels)), 1)
        return side - (resampling.sums_by(counts * side, codes, len(levels)) / sizes)[:, codes]

    def statistic(counts: Any) -> Any:
        one, other = of_levels(counts, x), of_levels(counts, z)
        below = (counts * other**2).sum(axis=1)
        least = 1e-18 * max(1.0, float(np.abs(z).max(initial=0.0)) ** 2)
        return np.where(below > least, (counts * one * other).sum(axis=1) / np.where(below > least, below, 1), math.nan)

    return statistic
