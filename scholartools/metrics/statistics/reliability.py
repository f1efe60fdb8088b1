"""Reliability of probabilities: share of positive outcomes by bin, expected calibration error, Brier score."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from statistics import NormalDist, fmean

from scholartools.metrics.statistics import resampling
from scholartools.metrics.statistics.resampling import Clusters, Percentiles, Resampling

Numbers = Sequence[float | None]

# Number of noise samples for a calibration error.
_NOISES = 2000
# Upper bound of the search, as a multiple of the observed error.
_MOST_TIMES = 1024.0
_ROUNDING = 1e-12


@dataclass(frozen=True)
class Bin:
    """Items with a probability from ``start`` (inclusive) to ``end`` (exclusive); the last bin includes 1.

    Attributes:
        start: lower bound in 0..1.
        end: upper bound.
        n: number of items in the bin.
        mean: mean of their probabilities; None for an empty bin.
        share: share of positive outcomes; None for an empty bin.
        interval: interval of the share.
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
    """Bins of equal width, with the share of positive outcomes in each (Guo et al. 2017).

    For independent items, the interval of a share is Wilson's, which is valid for small numbers, too; for clustered
    items it is that of ``how`` over clusters.

    Args:
        probabilities: probabilities in 0..1; None if missing.
        outcomes: 1 for positive outcomes, else 0.
        n_bins: number of bins, at least 1.
        how: confidence of the intervals, and method of those over clusters.
        clusters: cluster of each item; None for independent items.

    Raises:
        ValueError: a probability is not in 0..1, or an outcome is neither 0 nor 1.
    """
    kept = resampling.keep_complete([probabilities, outcomes])
    groups = resampling.clusters_of_complete([probabilities, outcomes], clusters)
    if wrong := [one for one in kept[0] if not 0 <= one <= 1]:
        raise ValueError(f"{wrong[0]:g} is not a probability (from 0 to 1)")
    if wrong := [one for one in kept[1] if one not in (0, 1)]:
        raise ValueError(f"{wrong[0]:g} is not an outcome (0 or 1)")
    n, n_missing = len(kept[0]), len(probabilities) - len(kept[0])
    members: list[list[int]] = [[] for _ in range(n_bins)]
    for place, one in enumerate(kept[0]):
        members[_bin_of(one, n_bins)].append(place)
    bins = [_make_bin(number, n_bins, of, kept, groups, how) for number, of in enumerate(members)]
    if not n:
        return Reliability(None, None, bins, 0, n_missing, "no item has both numbers")
    away = [one.n * abs(one.share - one.mean) for one in bins if one.share is not None and one.mean is not None]
    brier = fmean((p - came) ** 2 for p, came in zip(*kept, strict=True))
    return Reliability(math.fsum(away) / n, brier, bins, n, n_missing)


@dataclass(frozen=True)
class CalibrationError:
    """What an expected calibration error says of the source of the things.

    Attributes:
        corrected: the error of the source of which this one is the median; lower, for chance alone makes bins differ.
        low, high: the interval of the error, None where there is none.
        if_calibrated: the error that calibrated probabilities would have, in the mean.
        p: how often calibrated ones would have one as large.
        n_units: of independent things, or clusters.
        reason: why there is no interval, else None.
    """

    corrected: float | None
    low: float | None
    high: float | None
    if_calibrated: float | None
    p: float | None
    n_units: int
    reason: str | None = None


def calibration_error_interval(
    probabilities: Numbers, outcomes: Numbers, n_bins: int, how: Resampling, clusters: Clusters = None
) -> CalibrationError:
    """Interval of the expected calibration error in the population, for the same bins, by test inversion.

    The error sums absolute values, so chance increases it: calibrated probabilities have a positive expectation. With
    D_b the sum of outcome minus probability over bin b divided by n, and e_b its noise, the errors of samples from a
    population with differences c D_b are sums of |c D_b + e_b|; the ends are c times the error for the c at which the
    observed error is at a tail. The noise is simulated by unit (normal multipliers of each unit's sums, with Student's
    t for few units), and is at least that of binomial shares (k + 1) / (n + 2), since a bin with constant outcomes
    varies, too.

    Args:
        how: confidence and seed; 2,000 noise samples are drawn for any method.
        clusters: as for :func:`reliability`.
    """
    import numpy as np

    kept = resampling.keep_complete([probabilities, outcomes])
    groups = resampling.clusters_of_complete([probabilities, outcomes], clusters)
    chances, came = (np.array(side, dtype=float) for side in kept)
    n = len(chances)
    units = list(groups) if groups is not None else [*range(n)]
    n_units = len(set(units))
    if n_units < 5:
        return CalibrationError(None, None, None, None, None, n_units, "fewer than five independent units")
    places = {unit: place for place, unit in enumerate(dict.fromkeys(units))}
    of, bins = np.array([places[unit] for unit in units]), np.array([_bin_of(one, n_bins) for one in kept[0]])
    counts = np.bincount(bins, minlength=n_bins)
    filled = counts > 0
    off = np.bincount(bins, came - chances, minlength=n_bins) / n
    away = (came - chances - (off * n / np.maximum(counts, 1))[bins]) / n
    sums = np.zeros((n_units, n_bins))
    np.add.at(sums, (of, bins), away)
    in_bin = np.zeros((n_units, n_bins), dtype=bool)
    in_bin[of, bins] = True
    sums *= np.sqrt(in_bin.sum(axis=0) / np.maximum(in_bin.sum(axis=0) - 1, 1))
    share = (np.bincount(bins, came, minlength=n_bins) + 1) / (counts + 2)
    least = np.sqrt(np.maximum(counts * share * (1 - share) / n**2 - (sums**2).sum(axis=0), 0.0))
    rng = np.random.Generator(np.random.PCG64(how.seed))
    noise = rng.normal(size=(_NOISES, n_units)) @ sums + rng.normal(size=(_NOISES, n_bins)) * least
    noise /= np.sqrt(rng.chisquare(n_units - 1, size=(_NOISES, 1)) / (n_units - 1))
    off, noise = off[filled], noise[:, filled]
    value, by_chance = float(np.abs(off).sum()), np.abs(noise).sum(axis=1)
    p = (1 + int((by_chance >= value - _ROUNDING).sum())) / (1 + _NOISES)
    tail = (1 - how.confidence) / 2

    def find(share: float) -> float:
        """Population error for which the given share of samples has an error below the observed one."""
        low, high = 0.0, 1.0
        if np.quantile(by_chance, share) >= value:
            return 0.0
        while np.quantile(np.abs(high * off + noise).sum(axis=1), share) < value and high < _MOST_TIMES:
            high *= 2
        for _ in range(40):
            middle = (low + high) / 2
            below = np.quantile(np.abs(middle * off + noise).sum(axis=1), share) < value
            low, high = (middle, high) if below else (low, middle)
        return min(1.0, high * value)

    ends = CalibrationError(find(0.5), find(1 - tail), find(tail), float(by_chance.mean()), p, n_units)
    if not ends.high:
        reason = "the error is smaller than what chance gives calibrated probabilities"
        return replace(ends, low=None, high=None, reason=reason)
    return ends


def wilson_interval(n_true: int, n: int, confidence: float) -> tuple[float, float]:
    """Wilson's (1927) score interval of a share of n independent items, at least one."""
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    share, spread = n_true / n, z**2 / n
    middle = (share + spread / 2) / (1 + spread)
    away = z / (1 + spread) * math.sqrt(share * (1 - share) / n + spread / (4 * n))
    return max(0.0, middle - away), min(1.0, middle + away)


def _bin_of(probability: float, n_bins: int) -> int:
    """Bin of a probability: the last one whose start, as a float, is not above it."""
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
        between = resampling.ratio_interval(came, [1.0] * len(of), how, inside).limit(resampling.SHARE)
    return Bin(start, end, len(of), fmean(chances), n_true / len(of), between)
