"""What a score goes up with while people's score stays the same: the bias of a judge."""

from __future__ import annotations

import math
from collections.abc import Sequence
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
    """Percentile bootstrap of :func:`slope_given_levels` over things, or over clusters of them."""
    columns = [scores, of, truth]
    kept, groups = resampling.keep_complete(columns), resampling.clusters_of_complete(columns, clusters)
    return resampling.interval(_sample_slopes(*kept), len(kept[0]), how, groups)


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
