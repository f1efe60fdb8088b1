"""People's mean score of many things from their scores of a few and a judge's scores of all.

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
    """An estimate of people's mean score.

    Attributes:
        value: the estimate; None where it is not defined.
        weight: of the judge's scores, 0 where they tell nothing of people's.
        mean: of people's scores alone, None without any.
        n: things with people's score and the judge's.
        n_judged: things with the judge's score alone.
        n_missing: things without the judge's score.
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
    """People's mean score over all things: ``mean(y) + w * (mean of the others' x - mean of the labelled x)``.

    With n labelled things and N others, w is ``cov(x, y) / ((1 + n / N) * var(x))``, the covariance over the labelled
    and the variance over all (n - 1): the weight with the least variance. It is right however wrong the judge is, where
    the labelled things were drawn by chance from all.

    Args:
        scores: x, of the judge; None is a missing one, and the thing then does not count.
        truth: y, people's scores of the same things; None where they gave none.
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
    """Intervals of :func:`estimate_mean` with its weight, and of people's scores alone.

    Not defined in a sample that holds nothing labelled, or nothing else. The degrees of freedom of a jackknife's t are
    those of the things (or clusters) that people rated, less one more for the weight: what they did not rate says
    little of the error. A jackknife takes what people rated, and what they did not, for two samples independent of each
    other; a cluster is of the first where they rated something of it. Of people's scores alone it leaves out what they
    rated: without clusters that is Student's interval.
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
