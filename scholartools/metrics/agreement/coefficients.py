"""How far raters agree, beyond what chance would give.

Ratings come as units: one sequence per item, one place per rater, None where that rater gave none. Every coefficient
is an :class:`Agreement`, whose value is None with a reason where it is not defined.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

from scholartools.metrics.agreement.scales import (
    LEVELS,
    Level,
    Order,
    Rating,
    Units,
    check_scale,
    identity,
    place,
    places,
)
from scholartools.metrics.agreement.sets import jaccard_distance, masi_distance, spread_distance

__all__ = ["LEVELS", "WEIGHTINGS", "Agreement", "Level", "Order", "Rating", "Units", "Weighting", "alpha"]
__all__ += ["check_scale", "cohen_kappa", "fleiss_kappa", "percent_agreement", "perfect_agreement", "place"]

Weighting = Literal["linear", "quadratic"]
WEIGHTINGS: tuple[Weighting, ...] = get_args(Weighting)

# The krippendorff package makes several tables of items x values x values; beyond so many cells (32 MB each) the same
# sums are taken pair by pair.
_TABLE_CELLS = 4_000_000


@dataclass(frozen=True)
class Agreement:
    """A coefficient and what it rests on.

    Attributes:
        value: the coefficient, or None where it is not defined.
        n_items: items with at least two ratings, which alone count.
        n_raters: raters with at least one rating of such an item.
        n_ratings: their ratings of such items.
        n_pairs: pairs of ratings of one item.
        n_unpaired: ratings left out, each the only one of its item.
        reason: why the value is None, else None.
    """

    value: float | None
    n_items: int
    n_raters: int
    n_ratings: int
    n_pairs: int
    n_unpaired: int
    reason: str | None = None


def alpha(units: Units, level: Level = "nominal", order: Order = None) -> Agreement:
    """Krippendorff's alpha: 1 - observed / expected disagreement, at most 1, below 0 for systematic disagreement.

    As in Krippendorff, "Computing Krippendorff's Alpha-Reliability" (2011), sections C to E; the number is the
    krippendorff package's. Items with fewer than two ratings are left out. Undefined where only one value occurs.

    Args:
        units: items x raters.
        level: of measurement. Nominal takes any values and tells "3", 3 and true apart; interval and ratio take
            numbers, or strings that are numbers; ordinal takes the same, or the values of ``order``; masi and jaccard
            take sets, as tuples, and count how much two of them share.
        order: the values of an ordinal scale from low to high; "3" and 3 are one value there.

    Raises:
        InputFault: a value that is not of the level.
        UsageFault: ordinal values that are no numbers, with no order; an order that is no ordinal scale.
    """
    check_scale(level, order)
    paired, blank = paired_units(units)
    if not paired:
        return blank
    points = places(paired, level, order)
    if len(set(points.values())) < 2:
        return replace(blank, reason="only one value occurs")
    placed = [[points[identity(value)] for value in unit] for unit in paired]
    return replace(blank, value=_alpha_of(placed, level), reason=None)


def cohen_kappa(
    first: Sequence[Rating],
    second: Sequence[Rating],
    weighting: Weighting | None = None,
    order: Order = None,
) -> Agreement:
    """Cohen's kappa of two raters (Cohen 1960), over the items both rated: ``(p_o - p_e) / (1 - p_e)``.

    p_o is the share of equal ratings, p_e the share that the raters' own margins give by chance. Values are nominal:
    "3", 3 and true are three. Undefined where both gave one and the same value throughout.

    Weighted (Cohen 1968), it is ``1 - observed / expected`` disagreement, where two ratings disagree by their distance
    (linear) or its square. The distance is that of the numbers, not of their places among those that occur: on a scale
    of 1 to 5, 3 and 5 are two apart even where nobody gave a 4. (scikit-learn does so only when given ``labels``.)

    Args:
        first: one rater's ratings, item by item; None is a missing one.
        second: the other's, of the same items in the same order.
        weighting: of disagreements, linear or quadratic; None counts all alike.
        order: the values of a weighted scale of words, from low to high.

    Raises:
        ValueError: the two are not of one length.
        InputFault: a value that is not in the order.
        UsageFault: a weighted scale of words without an order.
    """
    paired, blank = paired_units(list(zip(first, second, strict=True)))
    if not paired:
        return replace(blank, reason="no item rated by both")
    if weighting is not None:
        return _weighted_kappa(paired, blank, weighting, order)
    n = len(paired)
    pairs = [(identity(one), identity(other)) for one, other in paired]
    equal = sum(one == other for one, other in pairs)
    margins = Counter(one for one, _ in pairs), Counter(other for _, other in pairs)
    chance = sum(count * margins[1][value] for value, count in margins[0].items())
    if chance == n * n:
        return replace(blank, reason="only one value occurs")
    return replace(blank, value=(equal * n - chance) / (n * n - chance), reason=None)


def percent_agreement(units: Units) -> Agreement:
    """The share, in 0..1, of equal ratings among all pairs of ratings of one item.

    An item that m raters rated gives m(m - 1)/2 pairs; pairs are pooled over items, so an item with more ratings weighs
    more. Values are nominal: "3", 3 and true are three.
    """
    paired, blank = paired_units(units)
    if not paired:
        return blank
    equal = sum(math.comb(count, 2) for unit in paired for count in Counter(map(identity, unit)).values())
    return replace(blank, value=equal / blank.n_pairs, reason=None)


def perfect_agreement(units: Units) -> Agreement:
    """The share, in 0..1, of the items with two or more ratings whose ratings are all equal. Values are nominal."""
    paired, blank = paired_units(units)
    if not paired:
        return blank
    unanimous = sum(len(set(map(identity, unit))) == 1 for unit in paired)
    return replace(blank, value=unanimous / len(paired), reason=None)


def fleiss_kappa(units: Units) -> Agreement:
    """Kappa of many raters (Fleiss 1971), who may be others for each item: ``(P - P_e) / (1 - P_e)``.

    P is the mean over items of the share of equal pairs of ratings; P_e the sum of the squared shares of the values.
    It is defined for one number of ratings per item; items with one rating are left out first. Values are nominal.
    """
    paired, blank = paired_units(units)
    if not paired:
        return blank
    sizes = {len(unit) for unit in paired}
    if len(sizes) > 1:
        span = f"{min(sizes)} to {max(sizes)}"
        return replace(blank, reason=f"items have {span} ratings; Fleiss' kappa needs one number (alpha does not)")
    counts = [Counter(map(identity, unit)) for unit in paired]
    totals = sum(counts, Counter())
    n, m = len(paired), sizes.pop()
    if len(totals) == 1:
        return replace(blank, reason="only one value occurs")
    equal = sum(count * (count - 1) for unit in counts for count in unit.values())
    chance = sum(count**2 for count in totals.values())
    pairs = n * m * (m - 1)
    # In whole numbers, so that chance alone is 0 and not what rounding leaves.
    value = (equal * (n * m) ** 2 - chance * pairs) / (pairs * ((n * m) ** 2 - chance))
    return replace(blank, value=value, reason=None)


def paired_units(units: Units) -> tuple[list[list[Rating]], Agreement]:
    """The ratings of the items that have two or more, and an Agreement of their counts with no value."""
    given = [[rater for rater, value in enumerate(unit) if value is not None] for unit in units]
    paired = [[unit[rater] for rater in raters] for unit, raters in zip(units, given, strict=True) if len(raters) > 1]
    everyone = {rater for raters in given for rater in raters}
    return paired, Agreement(
        value=None,
        n_items=len(paired),
        n_raters=len({rater for raters in given if len(raters) > 1 for rater in raters}),
        n_ratings=sum(map(len, paired)),
        n_pairs=sum(math.comb(len(unit), 2) for unit in paired),
        n_unpaired=sum(len(raters) == 1 for raters in given),
        reason="no item with two ratings" if len(everyone) > 1 else "fewer than two raters",
    )


def _weighted_kappa(units: Units, blank: Agreement, weighting: Weighting, order: Order) -> Agreement:
    """Weighted kappa of items that both rated."""
    import numpy as np

    for value in (value for unit in units for value in unit):
        place(value, "ordinal", order)  # words need an order; the distance of numbers is theirs, not that of ranks
    numbers = places(units, "ordinal" if order is not None else "interval", order)
    points = np.array(sorted(set(numbers.values())))
    if len(points) < 2:
        return replace(blank, reason="only one value occurs")
    codes = {number: code for code, number in enumerate(points.tolist())}
    pairs = np.array([[codes[numbers[identity(value)]] for value in unit] for unit in units]).T
    margins = [np.bincount(rated, minlength=len(points)) for rated in pairs]
    if any(np.count_nonzero(margin) == 1 for margin in margins):  # all disagreement is by chance, rounding aside
        return replace(blank, value=0.0, reason=None)
    points = scale_down(points)
    observed = POINT_DISTANCES[weighting](*points[pairs]).sum() * len(units)
    return replace(blank, value=float(1 - observed / BY_CHANCE[weighting](points, *margins)), reason=None)


def scale_down(points: Any) -> Any:
    """Numbers divided by a power of two, which changes no ratio of distances and no digit, so that no square overflows
    or vanishes."""
    import numpy as np

    return np.ldexp(points, -math.frexp(float(np.abs(points).max()))[1])


def _alpha_of(units: Sequence[Sequence[float]], level: Level) -> float:
    """Alpha of items with two or more ratings each, in which two or more values occur."""
    import krippendorff
    import numpy as np

    if level == "masi" or level == "jaccard":
        rows = [[*unit, *[math.nan] * (max(map(len, units)) - len(unit))] for unit in units]
        return _alpha_by_pairs(np.array(rows), level)
    # Scaled by a power of two, which changes no alpha and no digit, so that no square overflows or vanishes.
    exponent = math.frexp(max(abs(value) for unit in units for value in unit))[1]
    table = np.full((len(units), max(map(len, units))), math.nan)
    for row, unit in zip(table, units, strict=True):
        row[: len(unit)] = [math.ldexp(value, -exponent) for value in unit]
    n_values = len(np.unique(table[~np.isnan(table)]))
    if len(units) * n_values**2 > _TABLE_CELLS:
        return _alpha_by_pairs(table, level)
    return float(krippendorff.alpha(reliability_data=table.T, level_of_measurement=level))


def _alpha_by_pairs(table: Any, level: Level) -> float:
    """Alpha from pairs of ratings, in memory that grows with their number alone.

    With m_u ratings of item u and n in all, the disagreement d of the c-th and k-th rating is summed within items,
    D_o = 1/n sum_u 1/(m_u - 1) sum_ck d, and over all, D_e = 1/(n(n - 1)) sum_ck d.

    Args:
        table: array of items x ratings, NaN where there are no more.
    """
    import numpy as np

    values, where, counts = np.unique(table[~np.isnan(table)], return_inverse=True, return_counts=True)
    points, distance = values, DISTANCES[level]
    if level == "ordinal":  # the 2011 paper's sum of n_g from c to k is the distance between mean ranks
        points = np.cumsum(counts) - counts / 2
        table = table.copy()
        table[~np.isnan(table)] = points[where]
    weights = 1 / (np.sum(~np.isnan(table), axis=1) - 1)
    columns = range(table.shape[1])
    within = sum(np.nansum(weights * distance(table[:, c], table[:, k])) for c in columns for k in columns if c < k)
    return float(1 - (counts.sum() - 1) * within / OVERALL[level](points, counts))


def _is_unequal(one: Any, other: Any) -> Any:
    import numpy as np

    return np.where(np.isnan(one + other), math.nan, one != other)


def _squared_difference(one: Any, other: Any) -> Any:
    return (one - other) ** 2


def _relative_difference(one: Any, other: Any) -> Any:
    """((c - k) / (c + k)) squared, 0 between two zeros."""
    import numpy as np

    whole = one + other
    return np.divide(one - other, whole, out=np.zeros_like(whole), where=whole != 0) ** 2


def _overall_unequal(points: Any, counts: Any) -> Any:
    return (counts.sum(axis=-1) ** 2 - (counts**2).sum(axis=-1)) / 2


def _overall_squared(points: Any, counts: Any) -> Any:
    mean = (counts * points).sum(axis=-1, keepdims=True) / counts.sum(axis=-1, keepdims=True)
    return counts.sum(axis=-1) * (counts * (points - mean) ** 2).sum(axis=-1)


def _overall_by_values(distance: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """Some values at once with all: such a distance has no shorter sum, time grows with the square of their number."""

    def overall(points: Any, counts: Any) -> Any:
        total, rows = 0.0, max(1, _TABLE_CELLS // len(points) + 1)
        for start in range(0, len(points), rows):
            block = slice(start, start + rows)
            distances = distance(points[block, None], points[None, :])
            total = total + (counts[..., block] * (counts @ distances.T)).sum(axis=-1)
        return total / 2

    return overall


def _items_apart(one: Any, other: Any) -> Any:
    return abs(one - other)


def _chance_unequal(points: Any, one: Any, other: Any) -> Any:
    return one.sum(axis=-1) * other.sum(axis=-1) - (one * other).sum(axis=-1)


def _chance_apart(points: Any, one: Any, other: Any) -> Any:
    """Gap by gap between neighbouring values: it parts two ratings that lie on its two sides."""
    below, also_below = one.cumsum(axis=-1)[..., :-1], other.cumsum(axis=-1)[..., :-1]
    above, also_above = one.sum(axis=-1, keepdims=True) - below, other.sum(axis=-1, keepdims=True) - also_below
    return (below * also_above + above * also_below) @ (points[1:] - points[:-1])


def _chance_squared(points: Any, one: Any, other: Any) -> Any:
    """By means and variances, whose sum loses no digits."""
    n, m = one.sum(axis=-1, keepdims=True), other.sum(axis=-1, keepdims=True)
    mean = (one * points).sum(axis=-1, keepdims=True) / n
    also_mean = (other * points).sum(axis=-1, keepdims=True) / m
    spread = (m * one * (points - mean) ** 2 + n * other * (points - also_mean) ** 2).sum(axis=-1)
    return spread + (n * m * (mean - also_mean) ** 2)[..., 0]


# The disagreement of two ratings; ordinal ones are mean ranks by then. NaN where one is NaN.
DISTANCES: dict[Level, Callable[[Any, Any], Any]] = {
    "nominal": _is_unequal,
    "ordinal": _squared_difference,
    "interval": _squared_difference,
    "ratio": _relative_difference,
    "masi": spread_distance(masi_distance),
    "jaccard": spread_distance(jaccard_distance),
}
# The same, summed over all pairs of ratings, from the values and how often each occurs (one row of counts, or many).
OVERALL: dict[Level, Callable[[Any, Any], Any]] = {
    "nominal": _overall_unequal,
    "ordinal": _overall_squared,
    "interval": _overall_squared,
    "ratio": _overall_by_values(_relative_difference),
    "masi": _overall_by_values(DISTANCES["masi"]),
    "jaccard": _overall_by_values(DISTANCES["jaccard"]),
}
# The disagreement of two raters in kappa, and summed over all pairs of a rating of one and a rating of the other.
POINT_DISTANCES: dict[Weighting | None, Callable[[Any, Any], Any]] = {
    None: _is_unequal,
    "linear": _items_apart,
    "quadratic": _squared_difference,
}
BY_CHANCE: dict[Weighting | None, Callable[[Any, Any, Any], Any]] = {
    None: _chance_unequal,
    "linear": _chance_apart,
    "quadratic": _chance_squared,
}
