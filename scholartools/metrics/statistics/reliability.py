"""Whether what is given a probability of p comes true in a share p of cases: bins, calibration error, Brier score."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from statistics import NormalDist, fmean

from scholartools.metrics.statistics import resampling
from scholartools.metrics.statistics.resampling import Clusters, Percentiles, Resampling

Numbers = Sequence[float | None]


@dataclass(frozen=True)
class Bin:
    """The things whose probability is from ``start`` up to ``end``; the last bin holds 1.

    Attributes:
        start: in 0..1.
        end: above it.
        n: things in the bin.
        mean: of their probabilities; None of an empty bin.
        share: of them that came true; None of an empty bin.
        interval: of the share.
    """

    start: float
    end: float
    n: int
    mean: float | None
    share: float | None
    interval: Percentiles


@dataclass(frozen=True)
class Reliability:
    """Probabilities against what came true.

    Attributes:
        value: the expected calibration error: the mean over things of how far the share of their bin is from its mean
            probability, in 0..1; None where there is no thing.
        brier: mean squared difference of probability and outcome, in 0..1.
        bins: from low to high.
        n: things with both numbers.
        n_missing: things without one of them.
        reason: why the value is None, else None.
    """

    value: float | None
    brier: float | None
    bins: list[Bin]
    n: int
    n_missing: int
    reason: str | None = None


def reliability(
    probabilities: Numbers, outcomes: Numbers, n_bins: int, how: Resampling, clusters: Clusters = None
) -> Reliability:
    """Bins of equal width, with the share that came true in each (Guo et al. 2017).

    Of independent things the interval of a share is Wilson's, which holds for few of them, too; of things in clusters
    it is that of ``how`` over clusters.

    Args:
        probabilities: in 0..1; None is a missing one.
        outcomes: 1 of what came true, else 0.
        n_bins: at least 1.
        how: the confidence of the intervals, and how those over clusters are made.
        clusters: the cluster of each thing; None where things are independent.

    Raises:
        ValueError: a probability outside of 0..1, or an outcome that is neither 0 nor 1.
    """
    kept = resampling.keep_complete([probabilities, outcomes])
    groups = resampling.clusters_of_complete([probabilities, outcomes], clusters)
    if wrong := [one for one in kept[0] if not 0 <= one <= 1]:
        raise ValueError(f"{wrong[0]:g} is no probability, which is from 0 to 1")
    if wrong := [one for one in kept[1] if one not in (0, 1)]:
        raise ValueError(f"{wrong[0]:g} is no outcome, which is 0 or 1")
    n, n_missing = len(kept[0]), len(probabilities) - len(kept[0])
    members: list[list[int]] = [[] for _ in range(n_bins)]
    for place, one in enumerate(kept[0]):
        members[_bin_of(one, n_bins)].append(place)
    bins = [_make_bin(number, n_bins, of, kept, groups, how) for number, of in enumerate(members)]
    if not n:
        return Reliability(None, None, bins, 0, n_missing, "nothing with both numbers")
    away = [one.n * abs(one.share - one.mean) for one in bins if one.share is not None and one.mean is not None]
    brier = fmean((p - came) ** 2 for p, came in zip(*kept, strict=True))
    return Reliability(math.fsum(away) / n, brier, bins, n, n_missing)


def wilson_interval(n_true: int, n: int, confidence: float) -> tuple[float, float]:
    """Wilson's (1927) score interval of a share of n independent things, at least one."""
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    share, spread = n_true / n, z**2 / n
    middle = (share + spread / 2) / (1 + spread)
    away = z / (1 + spread) * math.sqrt(share * (1 - share) / n + spread / (4 * n))
    return max(0.0, middle - away), min(1.0, middle + away)


def _bin_of(probability: float, n_bins: int) -> int:
    """The bin of a probability: the last one whose start, as a float, is not above it."""
    place = min(int(probability * n_bins), n_bins - 1)
    if place + 1 < n_bins and probability >= (place + 1) / n_bins:
        return place + 1
    return place - 1 if probability < place / n_bins else place


def _make_bin(
    number: int, n_bins: int, of: Sequence[int], kept: Sequence[Sequence[float]], groups: Clusters, how: Resampling
) -> Bin:
    start, end = number / n_bins, (number + 1) / n_bins
    if not of:
        return Bin(start, end, 0, None, None, Percentiles(None, None, 0, 0, "an empty bin"))
    chances, came = ([side[place] for place in of] for side in kept)
    n_true = int(sum(came))
    if groups is None:
        between = Percentiles(*wilson_interval(n_true, len(of), how.confidence), len(of), 0)
    else:
        inside: list[Hashable] = [groups[place] for place in of]
        between = resampling.ratio_interval(came, [1.0] * len(of), how, inside)
    return Bin(start, end, len(of), fmean(chances), n_true / len(of), between)
