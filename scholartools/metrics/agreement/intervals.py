"""Confidence intervals of the coefficients in :mod:`~scholartools.metrics.agreement.coefficients`.

The contribution of each item is computed once; a sample weights it by the count of the item. Only items that count for
the coefficient, or their clusters, are resampled: ``clusters`` has the cluster of each unit.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Literal

from scholartools.metrics.agreement import coefficients as agreement
from scholartools.metrics.agreement.coefficients import Weighting
from scholartools.metrics.agreement.scales import (
    SET_LEVELS,
    Level,
    Order,
    Rating,
    Units,
    identity,
    places,
)
from scholartools.metrics.statistics import resampling
from scholartools.metrics.statistics.paired_bootstrap import (
    Difference,
    statistic_difference,
)
from scholartools.metrics.statistics.resampling import (
    Clusters,
    Percentiles,
    Resampling,
    Statistic,
)

# With fewer rated items, a chance-corrected coefficient depends on whether raters agreed on one rare value: coverage of
# its jackknife intervals is .85 to .93; with quadratic weights it depends on one large disagreement
# (benchmarks/inference.py).
_FEWEST = 14
_FEWEST_SQUARED = 20
# Minimum number of items with a rating other than the most frequent one; with fewer, the jackknife depends on one or
# two items.
_FEWEST_OTHERS = 5


def _interval_beyond_chance(
    statistics: Sequence[Statistic],
    units: Units,
    how: Resampling,
    clusters: Clusters,
    *,
    width: int = 0,
    fewest_units: int = 0,
    n_others: int | None = None,
) -> Percentiles:
    """Interval of a chance-corrected coefficient; no jackknife interval for few items.

    Args:
        statistics: the coefficient of samples; then the same with half an item added, on which all raters agree. The
            coefficient depends on the few items in which raters agree on a rare value, and the upper end of a sample
            without such items is too low. The result has the highest of the upper ends; adding a half is the usual
            correction for counts that may be 0.
        units: the items that two raters rated.
        how, clusters, width: see :func:`~scholartools.metrics.statistics.resampling.interval`.
        fewest_units: minimum number of items or clusters.
        n_others: number of items with a rating other than the most frequent one, if not that of ``units``.
    """
    n = len(units)
    n_units = resampling.count_units(n, clusters)
    if how.method == "jackknife" and n > 1:
        n_others = _count_others(units) if n_others is None else n_others
        what = "items" if clusters is None else "clusters"
        reason = None
        if n < _FEWEST:
            reason = f"{n} items with two or more ratings; an interval needs {_FEWEST}"
        elif n_others < _FEWEST_OTHERS:
            reason = f"{n_others} items with a rating other than the most frequent one; "
            reason += f"an interval needs {_FEWEST_OTHERS}"
        elif n_units < fewest_units:
            reason = f"{n_units} {what}; an interval with quadratic weights needs {fewest_units}"
        if reason is not None:
            return Percentiles(None, None, n_units, 0, reason)
    found, *others = (
        resampling.interval(one, n, how, clusters, width=width, is_coefficient=True)
        for one in (statistics if how.method == "jackknife" else statistics[:1])
    )
    if found.high is None:
        return found
    return replace(found, high=max([found.high, *(other.high for other in others if other.high is not None)]))


def _count_others(units: Units) -> int:
    """Number of items with a rating other than the most frequent one of all."""
    rated = [[identity(value) for value in unit if value is not None] for unit in units]
    counts = Counter(value for unit in rated for value in unit)
    most = max(counts, key=lambda value: counts[value], default=None)
    return sum(any(value != most for value in unit) for unit in rated)


def _with_half(units: Units, level: Level, order: Order, make: Callable[[Units], Statistic]) -> list[Statistic]:
    """A statistic of units, then of the units plus half an item on which all raters agree.

    They agree on the rarest value, or, for ordered values, on each extreme.
    """
    import numpy as np

    values = {identity(value): value for unit in units for value in unit}
    if level == "nominal" or level in SET_LEVELS:
        counts = Counter(identity(value) for unit in units for value in unit)
        chosen = [min(counts, key=lambda value: (counts[value], repr(value)))] if counts else []
    else:
        numbers = places(units, level, order)
        chosen = [end(numbers, key=numbers.__getitem__) for end in (min, max)] if numbers else []
    size = max(map(len, units), default=0)

    def with_one(statistic: Statistic) -> Statistic:
        return lambda drawn: statistic(np.hstack([drawn, np.full((len(drawn), 1), 0.5)]))

    return [make(units), *(with_one(make([*units, [values[one]] * size])) for one in chosen)]


def alpha_interval(
    units: Units, level: Level, how: Resampling, clusters: Clusters = None, order: Order = None
) -> Percentiles:
    """Interval of :func:`~scholartools.metrics.agreement.coefficients.alpha`; undefined if only one value occurs."""
    units, clusters = paired_only(units, clusters)
    statistics = _with_half(units, level, order, lambda some: _alpha_statistic(some, level, order))
    return _interval_beyond_chance(statistics, units, how, clusters, width=sum(map(len, units)))


def kappa_interval(
    first: Sequence[Rating],
    second: Sequence[Rating],
    how: Resampling,
    clusters: Clusters = None,
    weighting: Weighting | None = None,
    order: Order = None,
) -> Percentiles:
    """Interval of :func:`~scholartools.metrics.agreement.coefficients.cohen_kappa`."""
    units, clusters = paired_only(list(zip(first, second, strict=True)), clusters)
    statistics = _kappas_of(units, weighting, order)
    return _interval_beyond_chance(statistics, units, how, clusters, fewest_units=_fewest_units(weighting))


def mean_kappa_interval(
    units: Units,
    pairs: Sequence[tuple[int, int]],
    how: Resampling,
    clusters: Clusters = None,
    weighting: Weighting | None = None,
    order: Order = None,
) -> Percentiles:
    """Interval of the mean kappa of pairs of raters; undefined in a sample in which one of the kappas is undefined.

    Args:
        pairs: pairs of columns of ``units`` whose kappas are averaged: those for which kappa is defined.
    """
    import numpy as np

    units, clusters = paired_only(units, clusters, whole=True)
    parts, n_others = [], []
    for pair in pairs:
        shared = [i for i, unit in enumerate(units) if all(unit[rater] is not None for rater in pair)]
        both = [[units[i][rater] for rater in pair] for i in shared]
        parts.append((np.array(shared), _kappas_of(both, weighting, order)))
        n_others.append(_count_others(both))

    def statistic_of(place: int) -> Statistic:
        return lambda counts: sum(kappa[place](counts[:, shared]) for shared, kappa in parts) / len(parts)

    return _interval_beyond_chance(
        [*map(statistic_of, range(len(parts[0][1])))], units, how, clusters,
        fewest_units=_fewest_units(weighting), n_others=min(n_others, default=None),
    )  # fmt: skip


def fleiss_interval(units: Units, how: Resampling, clusters: Clusters = None) -> Percentiles:
    """Interval of :func:`~scholartools.metrics.agreement.coefficients.fleiss_kappa`, if that is defined."""
    units, clusters = paired_only(units, clusters)
    statistics = _with_half(units, "nominal", None, _fleiss_statistic)
    return _interval_beyond_chance(statistics, units, how, clusters, width=sum(map(len, units)))


def percent_interval(units: Units, how: Resampling, clusters: Clusters = None) -> Percentiles:
    """Interval of :func:`~scholartools.metrics.agreement.coefficients.percent_agreement`."""
    units, clusters = paired_only(units, clusters)
    found = resampling.interval(_percent_statistic(units), len(units), how, clusters, is_mean=True)
    return found.limit(resampling.SHARE)


def perfect_interval(units: Units, how: Resampling, clusters: Clusters = None) -> Percentiles:
    """Interval of :func:`~scholartools.metrics.agreement.coefficients.perfect_agreement`."""
    units, clusters = paired_only(units, clusters)
    found = resampling.interval(_perfect_statistic(units), len(units), how, clusters, is_mean=True)
    return found.limit(resampling.SHARE)


def coefficient_difference(
    coefficient: Coefficient,
    first: Units,
    second: Units,
    how: Resampling,
    clusters: Clusters = None,
    *,
    level: Level = "nominal",
    order: Order = None,
) -> Difference:
    """Difference, first - second, of a coefficient for two sets of raters of the same items, e.g. with and without a
    model.

    A sample contains an item with all its ratings, so both coefficients refer to the same items; two separate intervals
    say nothing about the difference. Items with fewer than two raters of one set count in the other set only.

    Args:
        coefficient: the coefficient.
        first: items x raters.
        second: the same items with other raters, or with some of them.
        clusters: cluster of each item.
        level: level of measurement, for alpha.
        order: order of an ordinal scale, for alpha.
    """
    value = _VALUES[coefficient]
    found = [value(side, level, order) for side in (first, second)]
    statistics = [statistic_of_all(coefficient, side, level, order) for side in (first, second)]
    counted = [i for i, pair in enumerate(zip(first, second, strict=True)) if any(map(_is_paired, pair))]
    kept = None if clusters is None else [clusters[i] for i in counted]

    def difference(drawn: Any) -> Any:
        whole = _spread_columns(drawn, counted, len(first))
        return statistics[0](whole) - statistics[1](whole)

    width = sum(len(unit) for unit in first)
    return statistic_difference(
        [one.value for one in found], [one.reason for one in found], difference, len(counted), how, kept, width=width,
        is_mean=True,
    )  # fmt: skip


def statistic_of_all(coefficient: Coefficient, units: Units, level: Level, order: Order) -> Statistic:
    """Coefficient of samples of units; those with fewer than two ratings are ignored."""
    return _over_all(units, lambda paired: _STATISTICS[coefficient](paired, level, order))


def coefficient_value(coefficient: Coefficient, units: Units, level: Level, order: Order) -> float:
    """Coefficient of units, NaN if undefined."""
    value = _VALUES[coefficient](units, level, order).value
    return math.nan if value is None else value


def _over_all(units: Units, make: Callable[[Units], Statistic]) -> Statistic:
    """Statistic of the units with two or more ratings as a function of the counts of all units."""
    kept = [i for i, unit in enumerate(units) if _is_paired(unit)]
    paired, _ = paired_only(units, None)
    statistic = make(paired)
    return lambda drawn: statistic(drawn[:, kept])


def _is_paired(unit: Sequence[Rating]) -> bool:
    return sum(value is not None for value in unit) > 1


def _spread_columns(drawn: Any, places: Sequence[int], n: int) -> Any:
    """Expand columns for some of n items to all items, with 0 elsewhere."""
    import numpy as np

    whole = np.zeros((len(drawn), n))
    whole[:, places] = drawn
    return whole


def paired_only(units: Units, clusters: Clusters, *, whole: bool = False) -> tuple[list[list[Rating]], Clusters]:
    """Units with two or more ratings and their clusters; missing ratings are removed unless ``whole``."""
    kept = [i for i, unit in enumerate(units) if _is_paired(unit)]
    rows = [[value for value in units[i] if whole or value is not None] for i in kept]
    return rows, None if clusters is None else [clusters[i] for i in kept]


def _alpha_statistic(units: Units, level: Level, order: Order) -> Statistic:
    """Alpha of each sample of units with two or more ratings."""
    import numpy as np

    numbers = places([*units], level, order)
    points = np.array(sorted(set(numbers.values())))
    codes = {number: code for code, number in enumerate(points.tolist())}
    rows = [[codes[numbers[identity(value)]] for value in unit] for unit in units]
    is_scaled = len(points) and level not in SET_LEVELS  # bit sets have no scale
    return _alpha_of(rows, agreement.scale_down(points) if is_scaled else points, level)


def _fleiss_statistic(units: Units) -> Statistic:
    import numpy as np

    counts = [Counter(map(identity, unit)) for unit in units]
    codes = {value: code for code, value in enumerate(dict.fromkeys(value for unit in counts for value in unit))}
    m = len(units[0]) if units else 0
    equal = np.array([_equal_pairs(unit) for unit in counts]) / max(1, math.comb(m, 2))
    items, values = _flat_codes([[codes[identity(value)] for value in unit] for unit in units])

    def statistic(drawn: Any) -> Any:
        shares = resampling.sums_by(drawn[:, items], values, len(codes)) / (drawn.sum(axis=1, keepdims=True) * m)
        chance = (shares**2).sum(axis=1)
        kappa = (drawn @ equal / drawn.sum(axis=1) - chance) / (1 - chance)
        return np.where((shares > 0).sum(axis=1) < 2, math.nan, kappa)

    return statistic


def _percent_statistic(units: Units) -> Statistic:
    equal = [_equal_pairs(Counter(map(identity, unit))) for unit in units]
    return resampling.ratio_statistic(equal, [math.comb(len(unit), 2) for unit in units])


def _perfect_statistic(units: Units) -> Statistic:
    unanimous = [float(len(set(map(identity, unit))) == 1) for unit in units]
    return resampling.ratio_statistic(unanimous, [1.0] * len(units))


def _alpha_of(rows: Sequence[Sequence[int]], points: Any, level: Level) -> Statistic:
    """Alpha of each sample, from the codes of the values of each item and the points of the codes."""
    import numpy as np

    items, values = _flat_codes(rows)
    sizes = np.array([len(row) for row in rows], dtype=float)
    starts = np.cumsum([0, *map(len, rows)])[:-1]
    fixed = None if level == "ordinal" else _within_disagreement(rows, points, level)

    def statistic(drawn: Any) -> Any:
        counts = resampling.sums_by(drawn[:, items], values, len(points))
        at, within = points, fixed
        if level == "ordinal":  # ranks depend on the ratings in the sample
            at = np.cumsum(counts, axis=1) - counts / 2
            ranks = at[:, values]
            squares = np.add.reduceat(ranks**2, starts, axis=1) * sizes
            within = (squares - np.add.reduceat(ranks, starts, axis=1) ** 2) / (sizes - 1)
        observed = (drawn * within).sum(axis=1) * (counts.sum(axis=1) - 1)
        alpha = 1 - observed / agreement.OVERALL[level](at, counts)
        return np.where((counts > 0).sum(axis=1) < 2, math.nan, alpha)

    return statistic


def _within_disagreement(rows: Sequence[Sequence[int]], points: Any, level: Level) -> Any:
    """Contribution of each item to the observed disagreement: that of its pairs, divided by its ratings minus one."""
    import numpy as np

    table = np.full((len(rows), max(map(len, rows), default=0)), math.nan)
    for place, row in zip(table, rows, strict=True):
        place[: len(row)] = points[list(row)]
    columns, distance = range(table.shape[1]), agreement.DISTANCES[level]
    pairs = (np.nan_to_num(distance(table[:, c], table[:, k])) for c in columns for k in columns if c < k)
    return sum(pairs, np.zeros(len(rows))) / (np.array([len(row) for row in rows]) - 1)


def _fewest_units(weighting: Weighting | None) -> int:
    return _FEWEST_SQUARED if weighting == "quadratic" else 0


def _kappas_of(units: Units, weighting: Weighting | None, order: Order) -> list[Statistic]:
    """Cohen's kappa of samples of items that two raters rated, also with half an item added, see :func:`_with_half`."""
    level: Level = "nominal" if weighting is None else "ordinal" if order is not None else "interval"
    return _with_half(units, level, order, lambda some: _kappa_of(some, weighting, level, order))


def _kappa_of(units: Units, weighting: Weighting | None, level: Level, order: Order) -> Statistic:
    import numpy as np

    numbers = places(units, level, order)
    points = np.array(sorted(set(numbers.values())))
    places_of = {number: code for code, number in enumerate(points.tolist())}
    codes = np.array([[places_of[numbers[identity(value)]] for value in unit] for unit in units], dtype=int)
    points = agreement.scale_down(points) if len(points) else points
    apart = np.asarray(agreement.POINT_DISTANCES[weighting](*points[codes].T)) if len(units) else np.zeros(0)

    def statistic(drawn: Any) -> Any:
        if not len(units):
            return np.full(len(drawn), math.nan)
        margins = [resampling.sums_by(drawn, codes[:, rater], len(points)) for rater in (0, 1)]
        kappa = 1 - drawn @ apart * drawn.sum(axis=1) / agreement.BY_CHANCE[weighting](points, *margins)
        return np.where((sum(margins) > 0).sum(axis=1) < 2, math.nan, kappa)

    return statistic


def _flat_codes(rows: Sequence[Sequence[int]]) -> tuple[Any, Any]:
    """Item and code of every rating, by item."""
    import numpy as np

    items = np.repeat(np.arange(len(rows)), [len(row) for row in rows]) if rows else np.zeros(0, dtype=int)
    return items, np.array([code for row in rows for code in row], dtype=int)


def _equal_pairs(counts: Counter) -> int:
    """Number of pairs of equal ratings."""
    return sum(math.comb(count, 2) for count in counts.values())


Coefficient = Literal["alpha", "agreement", "fleiss", "perfect"]

_STATISTICS: dict[Coefficient, Callable[[Units, Level, Order], Statistic]] = {
    "alpha": _alpha_statistic,
    "agreement": lambda units, _, __: _percent_statistic(units),
    "fleiss": lambda units, _, __: _fleiss_statistic(units),
    "perfect": lambda units, _, __: _perfect_statistic(units),
}
_VALUES: dict[Coefficient, Callable[[Units, Level, Order], agreement.Agreement]] = {
    "alpha": agreement.alpha,
    "agreement": lambda units, _, __: agreement.percent_agreement(units),
    "fleiss": lambda units, _, __: agreement.fleiss_kappa(units),
    "perfect": lambda units, _, __: agreement.perfect_agreement(units),
}
