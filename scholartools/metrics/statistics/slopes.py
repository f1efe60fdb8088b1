"""What a score goes up with while people's score stays the same: the bias of a judge."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from scholartools.metrics.statistics import resampling
from scholartools.metrics.statistics.resampling import Clusters, Percentiles, Resampling, Statistic

Numbers = Sequence[float | None]


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
    """The slope of least squares of scores on something else, with an intercept for each of people's levels.

    That is sum (x - mean_l x)(z - mean_l z) / sum (z - mean_l z)^2 with the means of a thing's level l: what the score
    has of z beside what people's score accounts for, in whatever way. Undefined where z is constant inside each level.

    Args:
        scores: x, of the judge; None is a missing one.
        of: z, of the same things: a length, or 1 and 0 for a property.
        truth: people's scores of the same things.
    """
    kept = resampling.keep_complete([scores, of, truth])
    blank = Slope(None, len(kept[0]), len(set(kept[2])), len(scores) - len(kept[0]))
    if not kept[0]:
        return replace(blank, reason="nothing with all three numbers")
    import numpy as np

    value = float(_sample_slopes(*kept)(np.ones((1, len(kept[0]))))[0])
    if math.isnan(value):
        return replace(blank, reason="constant inside each of people's levels")
    return replace(blank, value=value)


def slope_interval(
    scores: Numbers, of: Numbers, truth: Numbers, how: Resampling, clusters: Clusters = None
) -> Percentiles:
    """The interval of :func:`slope_given_levels` over things, or over clusters of them.

    Where few units have nearly all of the property, a jackknife's error is as that of those few. With s_g the squares
    of a unit's property, less the means of its levels, Satterthwaite's degrees of freedom are k = (sum s)^2 / sum s^2;
    t has 2 k - 1 of them, or one less than there are units where that is fewer: k alone is too few, since leaving out
    such a unit overstates the error (benchmarks/inference.py: with n - 1 a rare property had p < .05 in .09).
    """
    columns = [scores, of, truth]
    kept, groups = resampling.keep_complete(columns), resampling.clusters_of_complete(columns, clusters)
    return resampling.interval(_sample_slopes(*kept), len(kept[0]), how, groups, df=_degrees(kept[1], kept[2], groups))


def _degrees(of: Sequence[float], truth: Sequence[float], groups: Clusters) -> int | None:
    """Degrees of freedom of :func:`slope_interval`; None where the property does not vary."""
    import numpy as np

    if not of:
        return None
    z = np.asarray(of, dtype=float)
    z = np.ldexp(z, -math.frexp(float(np.abs(z).max()))[1])
    _, levels = np.unique(np.asarray(truth, dtype=float), return_inverse=True)
    z = z - (np.bincount(levels, z) / np.bincount(levels))[levels]
    places: dict[Hashable, int] = {}
    units = [places.setdefault(unit, len(places)) for unit in (range(len(z)) if groups is None else groups)]
    squares = np.bincount(units, z**2)
    if not (total := float((squares**2).sum())):
        return None
    return max(1, min(len(squares) - 1, int(2 * float(squares.sum()) ** 2 / total - 1 + 1e-9)))


def _sample_slopes(scores: Sequence[float], of: Sequence[float], truth: Sequence[float]) -> Statistic:
    import numpy as np

    x, z = np.asarray(scores, dtype=float), np.asarray(of, dtype=float)
    levels, codes = np.unique(np.asarray(truth, dtype=float), return_inverse=True)

    def of_levels(counts: Any, side: Any) -> Any:
        """A side less the means of its levels, in each sample."""
        sizes = np.maximum(resampling.sums_by(counts, codes, len(levels)), 1)
        return side - (resampling.sums_by(counts * side, codes, len(levels)) / sizes)[:, codes]

    def statistic(counts: Any) -> Any:
        one, other = of_levels(counts, x), of_levels(counts, z)
        below = (counts * other**2).sum(axis=1)
        least = 1e-18 * max(1.0, float(np.abs(z).max(initial=0.0)) ** 2)
        return np.where(below > least, (counts * one * other).sum(axis=1) / np.where(below > least, below, 1), math.nan)

    return statistic
