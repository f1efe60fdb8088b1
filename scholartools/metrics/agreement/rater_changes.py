"""Effect of one rater on a coefficient: all raters minus all but one, with a permutation test."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import replace
from typing import Any

from scholartools.metrics.agreement import intervals
from scholartools.metrics.agreement.intervals import Coefficient
from scholartools.metrics.agreement.scales import Level, Order, Units
from scholartools.metrics.statistics.paired_bootstrap import ROUNDING, Difference
from scholartools.metrics.statistics.resampling import Clusters, Resampling, Statistic

#: Number of permutations; together with the observed assignment, p is a multiple of 1/2000.
N_PERMUTED = 1999

#: Minimum number of items, or clusters, for an interval: with 20 items, coverage is .87 to .90
#: (benchmarks/inference.py).
FEWEST = 40

_TOO_FEW = "{} {}s, fewer than the {} that an interval of what one rater changes needs: see p"

# Upper bound on the numbers computed at once.
_BLOCK = 4_000_000


def rater_difference(
    coefficient: Coefficient,
    units: Units,
    rater: int,
    how: Resampling,
    clusters: Clusters = None,
    *,
    level: Level = "nominal",
    order: Order = None,
) -> Difference:
    """Coefficient of all raters minus that of all but one, over the same items.

    With the jackknife, p is that of :func:`permutation_p`, and there is no interval for fewer than :data:`FEWEST` items
    or clusters: the effect of one rater then depends on a few items, and intervals are too short
    (benchmarks/inference.py).

    Args:
        coefficient: the coefficient.
        units: items x raters.
        rater: column of the rater that is left out.
        how: method of the interval.
        clusters: cluster of each item.
        level: level of measurement, for alpha.
        order: order of an ordinal scale, for alpha.
    """
    kept = [place for place, unit in enumerate(units) if sum(value is not None for value in unit) > 1]
    units = [units[place] for place in kept]
    clusters = None if clusters is None else [clusters[place] for place in kept]
    rest = [[value for place, value in enumerate(unit) if place != rater] for unit in units]
    found = intervals.coefficient_difference(coefficient, units, rest, how, clusters, level=level, order=order)
    if how.method == "bootstrap" or found.value is None:
        return found
    raters = [[place for place, value in enumerate(unit) if value is not None] for unit in units]
    without = [
        [value for place, value in enumerate(unit) if place != left]
        for unit, there in zip(units, raters, strict=True)
        for left in choices_of(there, rater)
    ]
    statistic = intervals.statistic_of_all(coefficient, without, level, order)
    whole = intervals.coefficient_value(coefficient, units, level, order)
    return with_permutation(found, whole, statistic, raters, rater, clusters, how)


def with_permutation(
    found: Difference,
    whole: float,
    statistic: Statistic,
    raters: Sequence[Sequence[int]],
    rater: int,
    clusters: Clusters,
    how: Resampling,
) -> Difference:
    """Difference with the p of :func:`permutation_p`, and without interval for few units."""
    p = permutation_p(found.value or 0.0, whole, statistic, raters, rater, clusters, how.seed)
    between, what = found.interval, "item" if clusters is None else "cluster"
    if between.low is not None and between.n_drawn < FEWEST:
        reason = _TOO_FEW.format(between.n_drawn, what, FEWEST)
        between = replace(between, low=None, high=None, reason=reason)
    return replace(found, p=p, interval=between, reason=between.reason)


def choices_of(raters: Sequence[int], rater: int) -> Sequence[int | None]:
    """Raters who may be left out instead of a rater in an item: those who rated it; None if the rater did not."""
    return raters if rater in raters else [None]


def permutation_p(
    difference: float,
    whole: float,
    statistic: Statistic,
    raters: Sequence[Sequence[int]],
    rater: int,
    clusters: Clusters,
    seed: int,
) -> float:
    """Two-sided p of the null hypothesis that a rater is exchangeable with those who rated the same items.

    In each item, or in all items of a cluster rated by the same raters, a random rater is left out instead: p is the
    share of such draws, including the observed assignment, whose difference is at least as far from 0. It is exact, up
    to the number of draws, for any number of items (Phipson and Smyth 2010).

    Args:
        difference: coefficient of all raters minus that of all but the rater.
        whole: coefficient of all raters.
        statistic: coefficient of samples of the items without one of their raters: for every item in order, one entry
            for each of :func:`choices_of`.
        raters: raters of each item.
        rater: the rater that is left out.
        clusters: cluster of each item.
        seed: random seed.
    """
    import numpy as np

    generator = np.random.Generator(np.random.PCG64(seed))
    sizes = np.array([len(choices_of(there, rater)) for there in raters])
    starts = np.cumsum(sizes) - sizes
    names: list[Hashable] = [
        (place if clusters is None else clusters[place], *there) for place, there in enumerate(raters)
    ]
    places = {name: code for code, name in enumerate(dict.fromkeys(names))}
    codes = np.array([places[name] for name in names], dtype=int)
    n_choices = np.ones(len(places), dtype=int)
    n_choices[codes] = sizes
    rows, width, extreme = max(1, _BLOCK // max(1, int(sizes.sum()))), int(sizes.sum()), 0
    for done in range(0, N_PERMUTED, rows):
        n = min(rows, N_PERMUTED - done)
        chosen = (generator.random((n, len(places))) * n_choices).astype(int)[:, codes] + starts
        counts: Any = np.zeros((n, width))
        np.put_along_axis(counts, chosen, 1.0, axis=1)
        with np.errstate(all="ignore"):
            away = np.abs(whole - statistic(counts))
        extreme += int((~(away < abs(difference) - ROUNDING)).sum())  # an undefined one counts as extreme
    return (1 + extreme) / (1 + N_PERMUTED)
