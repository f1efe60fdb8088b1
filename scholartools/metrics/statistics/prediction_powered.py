"""Mean human score of many items, estimated from human scores of a few and a judge's scores of all.

Prediction-powered inference: Angelopoulos et al. 2023 (arXiv 2301.09633), with the weight of Angelopoulos, Duchi and
Zrnic 2023 (arXiv 2311.01453).
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from scholartools.metrics.statistics import resampling
from scholartools.metrics.statistics.resampling import Clusters, Percentiles, Resampling, Statistic

Numbers = Sequence[float | None]


@dataclass(frozen=True)
class MeanEstimate:
    """Estimate of the mean human score.

    Attributes:
        value: the estimate; None if undefined.
        weight: weight of the judge's scores, 0 if they are uninformative.
        mean: mean of the human scores alone, None without any.
        n: number of items with a human score and the judge's score.
        n_judged: number of items with the judge's score only.
        n_missing: number of items without the judge's score.
        reason: why the value is None, else None.
    """

    value: float | None
    weight: float | None
    mean: float | None
    n: int
    n_judged: int
    n_missing: int
    reason: str | None = None


def estimate_mean(scores: Numbers, truth: Numbers) -> MeanEstimate:
    """Mean human score over all items: ``mean(y) + w * (mean of the others' x - mean of the labelled x)``.

    With n labelled items and N others, w is ``cov(x, y) / ((1 + n / N) * var(x))``, with the covariance over the
    labelled items and the variance over all (n - 1): the weight with the smallest variance. If the labelled items are a
    random sample, the estimate is valid for any judge.

    Args:
        scores: x, scores of the judge; None if missing, and the item then does not count.
        truth: y, human scores of the same items; None if missing.
    """
    pairs, others = _split(scores, truth)
    mean = math.fsum(y for _, y in pairs) / len(pairs) if pairs else None
    blank = MeanEstimate(None, None, mean, len(pairs), len(others), sum(score is None for score in scores))
    if len(pairs) < 2:
        return replace(blank, reason="fewer than two texts with a score by people and by the judge")
    if not others:
        return replace(blank, reason="no text without a score by people")
    weight = _weigh(pairs, others)
    shift = math.fsum(others) / len(others) - math.fsum(x for x, _ in pairs) / len(pairs)
    return replace(blank, value=mean + weight * shift, weight=weight)  # type: ignore[operator]


def mean_intervals(
    scores: Numbers, truth: Numbers, weight: float, how: Resampling, clusters: Clusters = None
) -> tuple[Percentiles, Percentiles]:
    """Intervals of :func:`estimate_mean` with its weight, and of the mean of the human scores alone.

    Undefined in a sample without labelled or without other items. The degrees of freedom of the jackknife's t are those
    of the labelled items (or clusters), minus one more for the weight, since the others contribute little to the error.
    The jackknife treats labelled and other items as two independent samples (strata); a cluster with a labelled item
    belongs to the first. For the human scores alone, only labelled items are left out: without clusters that is
    Student's interval.
    """
    kept = [place for place, score in enumerate(scores) if score is not None]
    units: Sequence[Hashable] = range(len(scores)) if clusters is None else clusters
    rated = {units[place] for place in kept if truth[place] is not None}

    def make(places: Sequence[int], weight: float, df: int) -> Percentiles:
        x, y = [scores[place] for place in places], [truth[place] for place in places]
        groups = None if clusters is None else [clusters[place] for place in places]
        strata = [units[place] in rated for place in places]
        return resampling.interval(
            _sample_means(x, y, weight), len(places), how, groups, is_mean=True, df=df, strata=strata
        )

    own = [place for place in kept if truth[place] is not None] if how.method == "jackknife" else kept
    return make(kept, weight, len(rated) - 2), make(own, 0.0, len(rated) - 1)


def _split(scores: Numbers, truth: Numbers) -> tuple[list[tuple[float, float]], list[float]]:
    rows = [(x, y) for x, y in zip(scores, truth, strict=True) if x is not None]
    return [(x, y) for x, y in rows if y is not None], [x for x, y in rows if y is None]


def _weigh(pairs: Sequence[tuple[float, float]], others: Sequence[float]) -> float:
    import numpy as np

    x, y = (np.asarray(side, dtype=float) for side in zip(*pairs, strict=True))
    variance = float(np.var([*x, *others], ddof=1))
    covariance = float(np.cov(x, y, ddof=1)[0, 1])
    return covariance / ((1 + len(x) / len(others)) * variance) if variance > 0 else 0.0


def _sample_means(scores: Numbers, truth: Numbers, weight: float) -> Statistic:
    import numpy as np

    x = np.asarray(scores, dtype=float)
    labelled = np.asarray([one is not None for one in truth])
    y = np.asarray([one or 0.0 for one in truth], dtype=float)

    def mean(counts: Any, side: Any, chosen: Any) -> Any:
        n = (counts * chosen).sum(axis=1)
        return np.where(n > 0, (counts * (side * chosen)).sum(axis=1) / np.maximum(n, 1), math.nan)

    def statistic(counts: Any) -> Any:
        own = mean(counts, y, labelled)
        return own + weight * (mean(counts, x, ~labelled) - mean(counts, x, labelled)) if weight else own

    return statistic
