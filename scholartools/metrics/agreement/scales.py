"""Scales of measurement: valid values, and their numbers."""

from __future__ import annotations

import math
import re
import reprlib
from collections.abc import Mapping, Sequence
from typing import Literal, get_args

from scholartools.errors import InputFault, UsageFault
from scholartools.parameters import parameter

Level = Literal["nominal", "ordinal", "interval", "ratio", "masi", "jaccard"]
LEVELS: tuple[Level, ...] = get_args(Level)
#: Levels for ratings that are sets, by the distance of two sets.
SET_LEVELS: tuple[Level, ...] = ("masi", "jaccard")
#: Maximum number of different members of all sets together: a set is stored in the 52 bits of a float.
MOST_MEMBERS = 52

Rating = str | int | float | bool | tuple[str, ...] | None
Units = Sequence[Sequence[Rating]]
Order = Sequence[Rating] | None


def check_scale(level: Level, order: Order) -> None:
    """Check that the level exists, and that an order is given for an ordinal scale only.

    Raises:
        UsageFault: the level or the order is invalid.
    """
    if level not in LEVELS:
        raise UsageFault(f'"{level}" is not a level of measurement: {", ".join(LEVELS)}')
    if order is None:
        return
    if level != "ordinal":
        raise UsageFault(f"{parameter('order')} needs {parameter('level', 'ordinal')}, not {level}")
    names = [_spell_value(value) for value in order]
    if len(set(names)) < max(2, len(names)):
        raise UsageFault(f"two or more different values, not {','.join(names)}", parameter="order")


def place(value: Rating, level: Level, order: Order = None) -> float:
    """Position of a value on a scale: its number, or its index in the order, from 0.

    Raises:
        InputFault: the value is invalid for the level or the order.
        UsageFault: the value is not a number, and an ordinal scale of words needs an order.
    """
    if order is not None:
        names = [_spell_value(entry) for entry in order]
        if _spell_value(value) not in names:
            raise _not_of_the_scale(value, f"is not in the order {','.join(names)}")
        return float(names.index(_spell_value(value)))
    number = parse_number(value)
    if number is None and level == "ordinal":
        scale = parameter("order", "LOW,...,HIGH")
        raise UsageFault(f"the rating {reprlib.repr(value)} is not a number: name the scale with {scale}")
    if number is None:
        scales = f"{parameter('level', 'nominal')}, or ordinal with {parameter('order', 'LOW,...,HIGH')}"
        is_comma = re.fullmatch(r"-?\d+,\d+", str(value).strip())
        hint = ": write a point before decimals" if is_comma else f": for words, use the statistic alpha with {scales}"
        reason = f'is not a number, but the level of measurement "{level}" needs numbers'
        raise _not_of_the_scale(value, reason + hint)
    if level == "ratio" and number < 0:
        raise _not_of_the_scale(value, "is below zero, where a ratio scale begins")
    return number


def identity(value: Rating) -> tuple[bool, Rating]:
    """Hashable identity of a value, which distinguishes true from 1.

    Raises:
        InputFault: NaN, which does not equal itself, or an infinity.
    """
    if isinstance(value, float) and not math.isfinite(value):
        raise _not_of_the_scale(value, "is no number; None is a missing rating")
    return isinstance(value, bool), value


def places(units: Units, level: Level, order: Order) -> dict[tuple[bool, Rating], float]:
    """Number for each value that occurs, with the identity, order, distance or ratio that the level requires."""
    values = {identity(value): value for unit in units for value in unit}
    if level == "nominal":
        return {identity: float(code) for code, identity in enumerate(values)}
    if level in SET_LEVELS:
        return _set_places(values)
    numbers = {identity: place(value, level, order) for identity, value in values.items()}
    if level == "ordinal":
        ranks = {number: float(rank) for rank, number in enumerate(sorted(set(numbers.values())))}
        return {identity: ranks[number] for identity, number in numbers.items()}
    return numbers


def _set_places(values: Mapping[tuple[bool, Rating], Rating]) -> dict[tuple[bool, Rating], float]:
    """Number for each set, with one bit per member."""
    for value in values.values():
        if not isinstance(value, tuple):
            raise _not_of_the_scale(value, "is no list, as a level of sets needs")
    members = sorted({member for value in values.values() if isinstance(value, tuple) for member in value})
    if len(members) > MOST_MEMBERS:
        raise InputFault(f"the sets have {len(members)} different members: at most {MOST_MEMBERS}", kind="invalid-key")
    bits = {member: 1 << place for place, member in enumerate(members)}
    return {
        identity: float(sum(bits[member] for member in value))
        for identity, value in values.items()
        if isinstance(value, tuple)
    }


def as_number(value: Rating) -> Rating:
    """Convert a string to a number if it is in canonical form ("4", "2.5", "4.0"); other values are unchanged.

    Other spellings are labels ("01", "1e3", "4.50", " 4"), since two of them may be meant to differ.
    """
    number = parse_number(value) if isinstance(value, str) else None
    if number is None:
        return value
    whole = int(number) if number.is_integer() else number
    return whole if value in (repr(number), str(whole)) else value


def parse_number(value: Rating) -> float | None:
    """Number that a value is or spells, None otherwise: for true, "", "1_000", NaN, or an overflow."""
    if isinstance(value, (bool, tuple)) or (isinstance(value, str) and "_" in value):
        return None
    try:
        number = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def _spell_value(value: Rating) -> str:
    """Spelling of a value in an order: ``true`` for true, ``1`` for 1.0 and "1.0"."""
    value = as_number(value)
    if isinstance(value, bool):
        return str(value).lower()
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _not_of_the_scale(value: Rating, why: str) -> InputFault:
    return InputFault(f"the rating {reprlib.repr(value)} {why}", kind="invalid-key")
