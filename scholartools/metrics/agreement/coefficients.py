"""Coefficients of agreement between raters, most of them corrected for chance.

Ratings are given as units: one sequence per item with one entry per rater, None if missing. Every coefficient is an
:class:`Agreement`, whose value is None with a reason if undefined.
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

# The krippendorff package builds several tables of items x values x values; above this number of cells (32 MB each),
# the same sums are computed pair by pair.
_TABLE_CELLS = 4_000_000


@dataclass(frozen=True)
class Agreement:
    """A coefficient with the counts of its data.

    Attributes:
        value: the coefficient, or None if undefined.
        n_items: number of items with at least two ratings; only these count.
        n_raters: number of raters with at least one rating of such an item.
        n_ratings: number of their ratings of such items.
        n_pairs: number of pairs of ratings of one item.
        n_unpaired: number of ratings left out, each the only one of its item.
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
    """Krippendorff's alpha: 1 - observed / expected disagreement; at most 1, negative for systematic disagreement.

    As in Krippendorff, "Computing Krippendorff's Alpha-Reliability" (2011), sections C to E, computed by the
    krippendorff package. Items with fewer than two ratings are left out. Undefined if only one value occurs.

    Args:
        units: items x raters.
        level: level of measurement. Nominal accepts any values and distinguishes "3", 3 and true; interval and ratio
            accept numbers, or strings that are numbers; ordinal accepts the same, or the values of ``order``; masi and
            jaccard accept sets, as tuples, and compare their members.
        order: values of an ordinal scale from low to high; "3" and 3 are the same value there.

    Raises:
        InputFault: a value is invalid for the level.
        UsageFault: ordinal values are not numbers and there is no order, or an order is given for another level.
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

    p_o is the share of equal ratings, p_e the share expected from the raters' own margins. Values are nominal: "3", 3
    and true are different. Undefined if both raters gave the same single value throughout.

    Weighted kappa (Cohen 1968) is ``1 - observed / expected`` disagreement, where the disagreement of two ratings is
    their distance (linear) or its square. It is the distance of the numbers, not of their ranks among the values that
    occur: on a scale of 1 to 5, 3 and 5 have distance 2 even if nobody gave a 4. (scikit-learn does so only if
    ``labels`` is given.)

    Args:
        first: ratings of one rater by item; None if missing.
        second: ratings of the other rater of the same items in the same order.
        weighting: weights of disagreements, linear or quadratic; None for unweighted kappa.
        order: values of a verbal scale for weighted kappa, from low to high.

    Raises:
        ValueError: the sequences differ in length.
        InputFault: a value is not in the order.
        UsageFault: weighted kappa of words without an order.
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
    """Share, in 0..1, of equal ratings among all pairs of ratings of the same item.

    An item with m ratings has m(m - 1)/2 pairs; pairs are pooled over items, so items with more ratings weigh more.
    Values are nominal: "3", 3 and true are different.
    """
    paired, blank = paired_units(units)
    if not paired:
        return blank
    equal = sum(math.comb(count, 2) for unit in paired for count in Counter(map(identity, unit)).values())
    return replace(blank, value=equal / blank.n_pairs, reason=None)


def perfect_agreement(units: Units) -> Agreement:
    """Share, in 0..1, of the items with two or more ratings whose ratings are all equal. Values are nominal."""
    paired, blank = paired_units(units)
    if not paired:
        return blank
    unanimous = sum(len(set(map(identity, unit))) == 1 for unit in paired)
    return replace(blank, value=unanimous / len(paired), reason=None)


def fleiss_kappa(units: Units) -> Agreement:
    """Fleiss' kappa of many raters (Fleiss 1971), who may differ between items: ``(P - P_e) / (1 - P_e)``.

    P is the mean over items of the share of equal pairs of ratings, P_e the sum of the squared shares of the values. It
    requires the same number of ratings for all items; items with one rating are left out first. Values are nominal.
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
    # Integers, so that agreement at chance level gives exactly 0.
    value = (equal * (n * m) ** 2 - chance * pairs) / (pairs * ((n * m) ** 2 - chance))
    return replace(blank, value=value, reason=None)


def paired_units(units: Units) -> tuple[list[list[Rating]], Agreement]:
    """Ratings of the items with two or more, and an Agreement with their counts but without value."""
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
    """Weighted kappa of items that both raters rated."""
    import numpy as np

    for value in (value for unit in units for value in unit):
        place(value, "ordinal", order)  # words need an order; numbers keep their distances, not ranks
    numbers = places(units, "ordinal" if order is not None else "interval", order)
    points = np.array(sorted(set(numbers.values())))
    if len(points) < 2:
        return replace(blank, reason="only one value occurs")
    codes = {number: code for code, number in enumerate(points.tolist())}
    pairs = np.array([[codes[numbers[identity(value)]] for value in unit] for unit in units]).T
    margins = [np.bincount(rated, minlength=len(points)) for rated in pairs]
    if any(np.count_nonzero(margin) == 1 for margin in margins):  # expected = observed, aside from rounding
        return replace(blank, value=0.0, reason=None)
    points = scale_down(points)
    observed = POINT_DISTANCES[weighting](*points[pairs]).sum() * len(units)
    return replace(blank, value=float(1 - observed / BY_CHANCE[weighting](points, *margins)), reason=None)


def scale_down(points: Any) -> Any:
    """Scale numbers by a power of two, which is exact and keeps ratios of distances, so that no square overflows or
    underflows.
    """
    import numpy as np

    return np.ldexp(points, -math.frexp(float(np.abs(points).max()))[1])


def _alpha_of(units: Sequence[Sequence[float]], level: Level) -> float:
    """Alpha of items with two or more ratings each, with two or more different values."""
    import krippendorff
    import numpy as np

    if level == "masi" or level == "jaccard":
        rows = [[*unit, *[math.nan] * (max(map(len, units)) - len(unit))] for unit in units]
        return _alpha_by_pairs(np.array(rows), level)
    # Scaled by a power of two, which is exact and does not change alpha, so that no square overflows or underflows.
    exponent = math.frexp(max(abs(value) for unit in units for value in unit))[1]
    table = np.full((len(units), max(map(len, units))), math.nan)
    for row, unit in zip(table, units, strict=True):
        row[: len(unit)] = [math.ldexp(value, -exponent) for value in unit]
    n_values = len(np.unique(table[~np.isnan(table)]))
    if len(units) * n_values**2 > _TABLE_CELLS:
        return _alpha_by_pairs(table, level)
    return float(krippendorff.alpha(reliability_data=table.T, level_of_measurement=level))


def _alpha_by_pairs(table: Any, level: Level) -> float:
    """Alpha from pairs of ratings, with memory proportional to their number.

    With m_u ratings of item u and n in total, the disagreement d of the c-th and k-th rating is summed within items,
    D_o = 1/n sum_u 1/(m_u - 1) sum_ck d, and over all, D_e = 1/(n(n - 1)) sum_ck d.

    Args:
        table: array of items x ratings, padded with NaN.
    """
    import numpy as np

    values, where, counts = np.unique(table[~np.isnan(table)], return_inverse=True, return_counts=True)
    points, distance = values, DISTANCES[level]
    if level == "ordinal":  # the sum of n_g from c to k in the 2011 paper is the distance between mean ranks
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
    """((c - k) / (c + k)) squared; 0 for two zeros."""
    import numpy as np

    whole = one + other
    return np.divide(one - other, whole, out=np.zeros_like(whole), where=whole != 0) ** 2


def _overall_unequal(points: Any, counts: Any) -> Any:
    return (counts.sum(axis=-1) ** 2 - (counts**2).sum(axis=-1)) / 2


def _overall_squared(points: Any, counts: Any) -> Any:
    mean = (counts * points).sum(axis=-1, keepdims=True) / counts.sum(axis=-1, keepdims=True)
    return counts.sum(axis=-1) * (counts * (points - mean) ** 2).sum(axis=-1)


def _overall_by_values(distance: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """Sum over all pairs of values, in blocks of rows: such a distance has no closed form, so time is quadratic."""

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
    """Sum over the gaps between neighbouring values: each gap separates the ratings on its two sides."""
    below, also_below = one.cumsum(axis=-1)[..., :-1], other.cumsum(axis=-1)[..., :-1]
    above, also_above = one.sum(axis=-1, keepdims=True) - below, other.sum(axis=-1, keepdims=True) - also_below
    return (below * also_above + above * also_below) @ (points[1:] - points[:-1])


def _chance_squared(points: Any, one: Any, other: Any) -> Any:
    """From means and variances, which loses no digits."""
    n, m = one.sum(axis=-1, keepdims=True), other.sum(axis=-1, keepdims=True)
    mean = (one * points).sum(axis=-1, keepdims=True) / n
    also_mean = (other * points).sum(axis=-1, keepdims=True) / m
    spread = (m * one * (points - mean) ** 2 + n * other * (points - also_mean) ** 2).sum(axis=-1)
    return spread + (n * m * (mean - also_mean) ** 2)[..., 0]


# Disagreement of two ratings; ordinal ratings are mean ranks. NaN if one is NaN.
DISTANCES: dict[Level, Callable[[Any, Any], Any]] = {
    "nominal": _is_unequal,
    "ordinal": _squared_difference,
    "interval": _squared_difference,
    "ratio": _relative_difference,
    "masi": spread_distance(masi_distance),
    "jaccard": spread_distance(jaccard_distance),
}
# Its sum over all pairs of ratings, from the values and their counts (one or more rows of counts).
OVERALL: dict[Level, Callable[[Any, Any], Any]] = {
    "nominal": _overall_unequal,
    "ordinal": _overall_squared,
    "interval": _overall_squared,
    "ratio": _overall_by_values(_relative_difference),
    "masi": _overall_by_values(DISTANCES["masi"]),
    "jaccard": _overall_by_values(DISTANCES["jaccard"]),
}
# Disagreement of two raters in kappa, and its sum over all pairs of a rating of one with a rating of the other.
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
