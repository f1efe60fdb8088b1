"""Correlation of two measures of the same items, with intervals that resample pairs."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

from scholartools.metrics.statistics import resampling
from scholartools.metrics.statistics.resampling import Clusters, Percentiles, Resampling
from scholartools.metrics.values import tie_means

Redraw = Literal["items", "systems", "both"]
Measure = Literal["pearson", "spearman", "kendall"]
MEASURES: tuple[Measure, ...] = get_args(Measure)

Numbers = Sequence[float | None]

# Tolerance for a tau of 1: with n pairs of items, the next possible value is 2 / n away.
_LAST_BITS = 1e-15

# Maximum number of signs computed at once for Kendall's tau: rows of items x all items, 4 bytes each.
_SIGNS = 4_000_000


@dataclass(frozen=True)
class Correlation:
    """A coefficient with the counts of its data.

    Attributes:
        value: the coefficient, or None if undefined.
        n: number of pairs with both numbers; only these count.
        n_missing: number of other pairs.
        reason: why the value is None, else None.
    """

    value: float | None
    n: int
    n_missing: int
    reason: str | None = None


def correlation(x: Numbers, y: Numbers, measure: Measure) -> Correlation:
    """Pearson's r, Spearman's rho (r of mid-ranks) or Kendall's tau-b (Kendall 1945, ties taken into account).

    Undefined for fewer than two pairs, or if one side is constant. Exactly 1 or -1 if it differs from that only by
    rounding, as in the samples of an interval. Kendall's tau-b is scipy's; r is computed as in the samples.

    Args:
        x: finite numbers, None if missing.
        y: numbers of the same items in the same order.

    Raises:
        ValueError: the sequences differ in length.
    """
    pairs, blank = _complete_rows(x, y)
    if blank.reason is not None:
        return blank
    import numpy as np

    one, other = (_prepare_columns(np.array(side, dtype=float), measure) for side in zip(*pairs, strict=True))
    with np.errstate(all="ignore"):
        if measure == "kendall":
            value = _kendall_tau_b(one, other)
        else:
            value = float(_OF_SAMPLES[measure](one, other)(np.ones((1, len(pairs))))[0])
    if not math.isfinite(value):
        return replace(blank, reason="the numbers of a side differ too little to be distinguished from rounding")
    return replace(blank, value=value)


def correlation_interval(
    x: Numbers, y: Numbers, measure: Measure, how: Resampling, clusters: Clusters = None
) -> Percentiles:
    """Interval of :func:`correlation` over pairs, or over clusters of them.

    Undefined in a sample in which a side is constant, and for two pairs, whose coefficient is always 1 or -1. Pairs
    with a missing number are never drawn.
    """
    kept = [i for i, pair in enumerate(zip(x, y, strict=True)) if None not in pair]
    one, other = ([side[i] for i in kept] for side in (x, y))
    groups = None if clusters is None else [clusters[i] for i in kept]
    if len(kept) == 2:
        n_drawn = len(kept) if groups is None else len(set(groups))
        return Percentiles(None, None, n_drawn, 0, "any two pairs of numbers have a coefficient of 1 or -1")
    return resampling.interval(sample_coefficients(one, other, measure), len(kept), how, groups, is_coefficient=True)


def sample_coefficients(x: Numbers, y: Numbers, measure: Measure) -> resampling.Statistic:
    """:func:`correlation` as a statistic of samples: NaN in one where a side is constant.

    Args:
        x: finite numbers, none missing.
        y: numbers of the same items in the same order.
    """
    import numpy as np

    one, other = (_prepare_columns(np.array(side, dtype=float), measure) for side in (x, y))
    statistic, varies = _OF_SAMPLES[measure](one, other), _all_vary(one, other)
    return lambda counts: np.where(varies(counts), statistic(counts), math.nan)


def correlation_of_means(x: Numbers, y: Numbers, systems: Sequence[Hashable], measure: Measure) -> Correlation:
    """Correlation over systems of their mean x and mean y, each over the pairs with both numbers.

    ``n`` is the number of systems with such a pair; ``n_missing`` counts pairs, as in :func:`correlation`.
    """
    mean_x, mean_y, n_pairs = _means_by_system(x, y, systems)
    result = correlation(mean_x, mean_y, measure)
    reason = "fewer than two systems" if len(mean_x) < 2 else result.reason
    return replace(result, n_missing=len(systems) - n_pairs, reason=reason)


def _means_by_system(x: Numbers, y: Numbers, systems: Sequence[Hashable]) -> tuple[list[Any], list[Any], int]:
    """Mean x and mean y of each system over the pairs with both numbers, and the number of these pairs."""
    groups: dict[Hashable, list[tuple[float, float]]] = {}
    for one, other, system in zip(x, y, systems, strict=True):
        if one is not None and other is not None:
            groups.setdefault(system, []).append((one, other))
    means = [[math.fsum(side) / len(group) for side in zip(*group, strict=True)] for group in groups.values()]
    mean_x, mean_y = (tie_means([mean[side] for mean in means]) for side in (0, 1))
    return mean_x, mean_y, sum(map(len, groups.values()))


def correlation_of_means_interval(
    x: Numbers,
    y: Numbers,
    systems: Sequence[Hashable],
    measure: Measure,
    how: Resampling,
    clusters: Clusters = None,
) -> Percentiles:
    """Interval of :func:`correlation_of_means` over pairs or clusters, for fixed systems.

    Undefined in a sample without pairs of one of the systems, or in which a side is constant.
    """
    kept = [i for i, pair in enumerate(zip(x, y, strict=True)) if None not in pair]
    one, other = ([side[i] for i in kept] for side in (x, y))
    of = [systems[i] for i in kept]
    groups = None if clusters is None else [clusters[i] for i in kept]
    return resampling.interval(
        sample_coefficients_of_means(one, other, of, measure), len(kept), how, groups, is_coefficient=True
    )


def redrawn_means_interval(
    x: Numbers,
    y: Numbers,
    systems: Sequence[Hashable],
    measure: Measure,
    how: Resampling,
    redraw: Redraw,
    clusters: Clusters = None,
) -> Percentiles:
    """Interval of :func:`correlation_of_means`, by what is considered random.

    "items" (or clusters): the systems are fixed, and other items could have been drawn. "systems": a jackknife over
    systems with their means, for other systems on these items. "both": for other systems on other items; on Fisher's
    scale its variance is the sum of the two, which counts the noise of single texts twice and is therefore
    conservative, with the smaller degrees of freedom; there is no bootstrap for it.
    """
    of_items = correlation_of_means_interval(x, y, systems, measure, how, clusters)
    if redraw == "items":
        return of_items
    mean_x, mean_y, _ = _means_by_system(x, y, systems)
    of_systems = correlation_interval(mean_x, mean_y, measure, how)
    value = correlation(mean_x, mean_y, measure).value
    if redraw == "systems":
        return of_systems
    blank = Percentiles(None, None, len(mean_x), 0)
    if how.method == "bootstrap":
        return replace(blank, reason="only a jackknife has an interval of systems and items together")
    for found in (of_items, of_systems):
        if found.error is None or found.df is None or value is None:
            return replace(blank, reason=found.reason or "not defined")
    from scipy.special import stdtr, stdtrit

    error = math.hypot(of_items.error or 0.0, of_systems.error or 0.0)
    df = min(of_items.df or 1, of_systems.df or 1)
    middle, on_scale = math.atanh(value or 0.0), error / (1 - (value or 0.0) ** 2)
    away = on_scale * float(stdtrit(df, (1 + how.confidence) / 2))
    t = middle / on_scale
    low, high = math.tanh(middle - away), math.tanh(middle + away)
    return Percentiles(low, high, len(mean_x), 0, None, float(2 * stdtr(df, -abs(t))), df, t, error)


def sample_coefficients_of_means(
    x: Numbers, y: Numbers, systems: Sequence[Hashable], measure: Measure
) -> resampling.Statistic:
    """:func:`correlation_of_means` as a statistic of samples: NaN in one without pairs of one of the systems.

    Args:
        x: finite numbers, none missing.
        y: numbers of the same items in the same order.
        systems: system of each item.
        measure: the coefficient.
    """
    import numpy as np

    places = {system: place for place, system in enumerate(dict.fromkeys(systems))}
    codes = np.array([places[system] for system in systems], dtype=int)
    sides = [np.array(side, dtype=float) for side in (x, y)]

    def statistic(counts: Any) -> Any:
        sizes = resampling.sums_by(counts, codes, len(places))
        means = [resampling.sums_by(counts * side, codes, len(places)) / sizes for side in sides]
        return np.array([_of_means(one, other, measure) for one, other in zip(*means, strict=True)])

    return statistic


def _complete_rows(x: Numbers, y: Numbers) -> tuple[list[tuple[float, float]], Correlation]:
    """Pairs with both numbers, and a Correlation with their counts and, if it is undefined, the reason."""
    pairs = [(one, other) for one, other in zip(x, y, strict=True) if one is not None and other is not None]
    blank = Correlation(None, len(pairs), len(x) - len(pairs))
    if len(pairs) < 2:
        return pairs, replace(blank, reason="fewer than two pairs of numbers")
    constant = [name for name, side in zip("xy", zip(*pairs, strict=True), strict=True) if not _has_spread(side)]
    if constant:
        return pairs, replace(blank, reason=f"{' and '.join(constant)} {'are' if constant[1:] else 'is'} constant")
    return pairs, blank


def _has_spread(side: Sequence[float]) -> bool:
    """Whether the numbers differ by more than rounding errors: the mean of .1, .2 and .3 is not exactly .2.

    Whole numbers have no rounding errors and are compared exactly, up to the largest that floats count to.
    """
    largest = max(map(abs, side))
    if largest <= 2**53 and all(float(number).is_integer() for number in side):
        return min(side) != max(side)
    exponent = math.frexp(largest)[1]
    low, high, size = (math.ldexp(value, -exponent) for value in (min(side), max(side), largest))
    return high - low > 1e-12 * size


def _prepare_columns(side: Any, measure: Measure) -> Any:
    """For Pearson, scale by a power of two, which does not change r, so that no square overflows or underflows. For
    ranks the numbers are unchanged, since scaling could make the smallest equal.
    """
    import numpy as np

    if measure != "pearson":
        return side
    largest = float(np.abs(side).max(initial=0.0))
    return np.ldexp(side, -math.frexp(largest)[1])


def _kendall_tau_b(one: Any, other: Any) -> float:
    from scipy import stats

    tau = float(stats.kendalltau(one, other).statistic)
    return math.copysign(1.0, tau) if 1 - abs(tau) < _LAST_BITS else tau


def _of_means(one: Any, other: Any, measure: Measure) -> float:
    import numpy as np

    if not (np.isfinite(one).all() and np.isfinite(other).all()):
        return math.nan
    value = correlation(tie_means(one.tolist()), tie_means(other.tolist()), measure).value
    return math.nan if value is None else value


def _all_vary(*sides: Any) -> Callable[[Any], Any]:
    """Whether all sides have two or more values in each sample, determined exactly, without a variance."""
    import numpy as np

    coded = [np.unique(side, return_inverse=True) for side in sides]

    def statistic(counts: Any) -> Any:
        present = [(resampling.sums_by(counts, codes, len(values)) > 0).sum(axis=1) for values, codes in coded]
        return np.min(present, axis=0) > 1

    return statistic


def _pearson_of(one: Any, other: Any) -> Callable[[Any], Any]:
    return lambda counts: _weighted_pearson(one, other, counts)


def _spearman_of(one: Any, other: Any) -> Callable[[Any], Any]:
    """Pearson's r of the ranks within each sample."""
    rank_one, rank_other = _rank_values(one), _rank_values(other)
    return lambda counts: _weighted_pearson(rank_one(counts), rank_other(counts), counts)


def _rank_values(side: Any) -> Callable[[Any], Any]:
    import numpy as np

    values, codes = np.unique(side, return_inverse=True)

    def ranks(counts: Any) -> Any:
        held = resampling.sums_by(counts, codes, len(values))
        return (np.cumsum(held, axis=1) - held / 2)[:, codes]

    return ranks


def _weighted_pearson(one: Any, other: Any, counts: Any) -> Any:
    """Pearson's r from deviations from the sample's own means: sums of squares would lose digits to an outlier outside
    of it.

    With u and v the standardised sides of length 1, r is u.v, and also 1 - |u - v|^2 / 2. Near 1 (and with -v near -1)
    the latter is more accurate, since for points on a line u and v differ only by rounding.
    """
    import numpy as np

    n = counts.sum(axis=1, keepdims=True)
    deviations = [side - (counts * side).sum(axis=1, keepdims=True) / n for side in (one, other)]
    u, v = (side / np.sqrt((counts * side**2).sum(axis=1, keepdims=True)) for side in deviations)
    product = (counts * u * v).sum(axis=1)
    sign = np.where(product < 0, -1.0, 1.0)
    distance = (counts * (u - sign[:, None] * v) ** 2).sum(axis=1)
    return np.where(np.abs(product) > 0.5, sign * (1 - distance / 2), product)


def _kendall_of(one: Any, other: Any) -> Callable[[Any], Any]:
    """Concordant minus discordant pairs, divided by the geometric mean of the pairs untied in x and those untied in y.

    All sums are of integers, which are exact in the float32 products up to 16 million items.
    """
    import numpy as np

    n = len(one)
    coded = [np.unique(side, return_inverse=True) for side in (one, other)]

    def count_untied(counts: Any, values: Any, codes: Any) -> Any:
        return counts.sum(axis=1) ** 2 - (resampling.sums_by(counts, codes, len(values)) ** 2).sum(axis=1)

    def statistic(counts: Any) -> Any:
        drawn, balance = counts.astype(np.float32), np.zeros(len(counts))
        rows = max(1, _SIGNS // max(1, n))
        for start in range(0, n, rows):
            block = slice(start, start + rows)
            signs = [np.sign(side[block, None] - side).astype(np.float32) for side in (one, other)]
            balance += (counts[:, block] * (drawn @ (signs[0] * signs[1]).T)).sum(axis=1)
        free = [count_untied(counts, values, codes) for values, codes in coded]
        return balance / np.sqrt(free[0] * free[1])  # a single root, which is exact for squares

    return statistic


_OF_SAMPLES: dict[Measure, Callable[[Any, Any], Callable[[Any], Any]]] = {
    "pearson": _pearson_of,
    "spearman": _spearman_of,
    "kendall": _kendall_of,
}
