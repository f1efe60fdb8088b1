"""How far raters agree, beyond what chance would give.

Ratings come as units: one sequence per item, one place per rater, None where that rater gave none. Every coefficient
is an :class:`Agreement`, whose value is None with a reason where it is not defined.
"""

from __future__ import annotations

import math
import reprlib
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

from scholartools.errors import InputFault, UsageFault

Level = Literal["nominal", "ordinal", "interval", "ratio"]
LEVELS: tuple[Level, ...] = get_args(Level)

Rating = str | int | float | bool | None
Units = Sequence[Sequence[Rating]]

# The krippendorff package makes several tables of items x values x values; beyond so many cells (32 MB each) the same
# sums are taken pair by pair.
_TABLE_CELLS = 4_000_000


@dataclass(frozen=True)
class Agreement:
    """A coefficient and what it stands on.

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


def alpha(units: Units, level: Level = "nominal", order: Sequence[Rating] | None = None) -> Agreement:
    """Krippendorff's alpha: 1 - observed / expected disagreement, at most 1, below 0 for systematic disagreement.

    As in Krippendorff, "Computing Krippendorff's Alpha-Reliability" (2011), sections C to E; the number is the
    krippendorff package's. Items with fewer than two ratings are left out. Undefined where only one value occurs.

    Args:
        units: items x raters.
        level: of measurement. Nominal takes any values and tells "3", 3 and true apart; interval and ratio take
            numbers, or strings that are numbers; ordinal takes the same, or the values of ``order``.
        order: the values of an ordinal scale from low to high; "3" and 3 are one value there.

    Raises:
        InputFault: a value that is not of the level.
        UsageFault: ordinal values that are no numbers, with no order; an order that is no ordinal scale.
    """
    check_scale(level, order)
    paired, blank = _paired(units)
    if not paired:
        return blank
    places = _places(paired, level, order)
    if len(set(places.values())) < 2:
        return replace(blank, reason="only one value occurs")
    placed = [[places[_identity(value)] for value in unit] for unit in paired]
    return replace(blank, value=_alpha(placed, level), reason=None)


def cohen_kappa(first: Sequence[Rating], second: Sequence[Rating]) -> Agreement:
    """Cohen's kappa of two raters (Cohen 1960), over the items both rated: ``(p_o - p_e) / (1 - p_e)``.

    p_o is the share of equal ratings, p_e the share that the raters' own margins give by chance. Values are nominal:
    "3", 3 and true are three. Undefined where both gave one and the same value throughout.

    Args:
        first: one rater's ratings, item by item; None is a missing one.
        second: the other's, of the same items in the same order.

    Raises:
        ValueError: the two are not of one length.
    """
    paired, blank = _paired(list(zip(first, second, strict=True)))
    if not paired:
        return replace(blank, reason="no item rated by both")
    n = len(paired)
    pairs = [(_identity(one), _identity(other)) for one, other in paired]
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
    paired, blank = _paired(units)
    if not paired:
        return blank
    equal = sum(math.comb(count, 2) for unit in paired for count in Counter(map(_identity, unit)).values())
    return replace(blank, value=equal / blank.n_pairs, reason=None)


def check_scale(level: Level, order: Sequence[Rating] | None) -> None:
    """Refuse a level that is none, and an order that names no ordinal scale.

    Raises:
        UsageFault: says which.
    """
    if level not in LEVELS:
        raise UsageFault(f'"{level}" is no level of measurement: {", ".join(LEVELS)}')
    if order is None:
        return
    if level != "ordinal":
        raise UsageFault(f"an order needs the ordinal level, not {level}")
    names = [_spelled(value) for value in order]
    if len(set(names)) < max(2, len(names)):
        raise UsageFault(f"an order needs two or more different values, not {','.join(names)}")


def place(value: Rating, level: Level, order: Sequence[Rating] | None = None) -> float:
    """Where a value lies on a scale: its number, or its place in the order, from 0.

    Raises:
        InputFault: it lies nowhere on a scale of this level or order.
        UsageFault: it is no number, and an ordinal scale of words needs an order.
    """
    if order is not None:
        names = [_spelled(entry) for entry in order]
        if _spelled(value) not in names:
            raise _not_of_the_scale(value, f"is not in the order {','.join(names)}")
        return float(names.index(_spelled(value)))
    number = _number(value)
    if number is None and level == "ordinal":
        raise UsageFault(f"the rating {reprlib.repr(value)} is no number: name the scale with --order LOW,...,HIGH")
    if number is None:
        raise _not_of_the_scale(value, f"is no number, as the {level} level needs")
    if level == "ratio" and number < 0:
        raise _not_of_the_scale(value, "is below zero, where a ratio scale begins")
    return number


def _paired(units: Units) -> tuple[list[list[Rating]], Agreement]:
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


def _identity(value: Rating) -> tuple[bool, Rating]:
    """A value as itself: true is not 1, though Python says so.

    Raises:
        InputFault: NaN, which is not even equal to itself, or an infinity.
    """
    if isinstance(value, float) and not math.isfinite(value):
        raise _not_of_the_scale(value, "is no number; None is a missing rating")
    return isinstance(value, bool), value


def _places(units: Units, level: Level, order: Sequence[Rating] | None) -> dict[tuple[bool, Rating], float]:
    """A number for each value that occurs, whose identity, order, distance or ratio is the value's."""
    values = {_identity(value): value for unit in units for value in unit}
    if level == "nominal":
        return {identity: float(code) for code, identity in enumerate(values)}
    numbers = {identity: place(value, level, order) for identity, value in values.items()}
    if level == "ordinal":
        ranks = {number: float(rank) for rank, number in enumerate(sorted(set(numbers.values())))}
        return {identity: ranks[number] for identity, number in numbers.items()}
    return numbers


def _number(value: Rating) -> float | None:
    """The number a value is or spells, None if it is none: true, "", "1_000", NaN, or beyond a float's range."""
    if isinstance(value, bool) or (isinstance(value, str) and "_" in value):
        return None
    try:
        number = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def _spelled(value: Rating) -> str:
    """As it would be written in an order: true as ``true``, 1.0 as ``1``."""
    if isinstance(value, bool):
        return str(value).lower()
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _not_of_the_scale(value: Rating, why: str) -> InputFault:
    return InputFault(f"the rating {reprlib.repr(value)} {why}", kind="invalid-key")


def _alpha(units: Sequence[Sequence[float]], level: Level) -> float:
    """Alpha of items with two or more ratings each, in which two or more values occur."""
    import krippendorff
    import numpy as np

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
    points, distance = values, _DISTANCES[level]
    if level == "ordinal":  # the 2011 paper's sum of n_g from c to k is the distance between mean ranks
        points = np.cumsum(counts) - counts / 2
        table = table.copy()
        table[~np.isnan(table)] = points[where]
    weights = 1 / (np.sum(~np.isnan(table), axis=1) - 1)
    columns = range(table.shape[1])
    within = sum(np.nansum(weights * distance(table[:, c], table[:, k])) for c in columns for k in columns if c < k)
    return float(1 - (counts.sum() - 1) * within / _OVERALL[level](points, counts))


def _unequal(one: Any, other: Any) -> Any:
    import numpy as np

    return np.where(np.isnan(one + other), math.nan, one != other)


def _squared(one: Any, other: Any) -> Any:
    return (one - other) ** 2


def _relative(one: Any, other: Any) -> Any:
    """((c - k) / (c + k)) squared, 0 between two zeros."""
    import numpy as np

    whole = one + other
    return np.divide(one - other, whole, out=np.zeros_like(whole), where=whole != 0) ** 2


def _overall_unequal(points: Any, counts: Any) -> float:
    return (counts.sum() ** 2 - (counts**2).sum()) / 2


def _overall_squared(points: Any, counts: Any) -> float:
    mean = (counts * points).sum() / counts.sum()
    return counts.sum() * (counts * (points - mean) ** 2).sum()


def _overall_relative(points: Any, counts: Any) -> float:
    """Value by value: this distance has no shorter sum, so time grows with the square of the number of values."""
    rest = range(1, len(points))
    return sum(counts[i - 1] * (counts[i:] * _relative(points[i - 1], points[i:])).sum() for i in rest)


# The disagreement of two ratings; ordinal ones are mean ranks by then. NaN where one is NaN.
_DISTANCES: dict[Level, Callable[[Any, Any], Any]] = {
    "nominal": _unequal,
    "ordinal": _squared,
    "interval": _squared,
    "ratio": _relative,
}
# The same, summed over all pairs of ratings, from the values and how often each occurs.
_OVERALL: dict[Level, Callable[[Any, Any], float]] = {
    "nominal": _overall_unequal,
    "ordinal": _overall_squared,
    "interval": _overall_squared,
    "ratio": _overall_relative,
}
