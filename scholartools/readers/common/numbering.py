"""The numbers of headings: their order and depth."""

from __future__ import annotations

import re

_NUMBER_PARTS = re.compile(r"[A-Za-z]+|\d+")
_ROMAN = re.compile(r"[IVX]+")


def is_sound(number: str) -> bool:
    """Whether a number is plausible for a section: it does not begin with 0 and no part has three digits."""
    return number[0] != "0" and all(len(part) < 3 or part.isalpha() for part in _NUMBER_PARTS.findall(number))


def path_of(number: str) -> tuple[str, ...]:
    """The parts of a number, upper case: ("3", "1") for 3.1, (")", "2") for 2), ("3",) for 3.0."""
    parts = tuple(
        part.upper()
        for part in _NUMBER_PARTS.findall(
            re.sub(r"(?i)appendix|section|chapter|kapitel|chapitre|cap[íi]tulo|capitolo", "", number)
        )
    )
    if len(parts) > 1 and parts[-1] == "0":
        parts = parts[:-1]
    return (")", *parts) if number.endswith(")") else parts


def restarts_count(path: tuple[str, ...]) -> bool:
    """Whether numbers of this kind restart under each higher heading: A, B, C under I; 1), 2) under A."""
    return path[:1] == (")",) or (len(path) == 1 and path[0].isalpha())


def path_before(path: tuple[str, ...]) -> tuple[str, ...]:
    """The path of the preceding number: 3.1 for 3.2, A for B, III for IV."""
    last = path[-1]
    if last.isdigit():
        return (*path[:-1], str(int(last) - 1))
    if _ROMAN.fullmatch(last) and len(last) + (last in "VX") > 1:
        return (*path[:-1], _int_to_roman(_roman_to_int(last) - 1))
    return (*path[:-1], chr(ord(last[0]) - 1))


def is_roman(number: str | None) -> bool:
    """Whether a number is Roman (I, V and X only: no paper has fifty sections)."""
    return number is not None and _ROMAN.fullmatch(number) is not None


def number_depth(number: str, roman: bool) -> int:
    """The level of a heading by its number, 1 = top; ``roman``: the paper counts I, A, 1) in the style of IEEE."""
    path = path_of(number)
    if path[:1] == (")",):
        return 3
    if roman and len(path) == 1 and not is_roman(number):
        return 2 if number.isalpha() else 3
    return max(1, len(path))


def _roman_to_int(roman: str) -> int:
    values = [{"I": 1, "V": 5, "X": 10}[char] for char in roman]
    return sum(-a if a < b else a for a, b in zip(values, [*values[1:], 0]))


def _int_to_roman(value: int) -> str:
    units = ("", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX")
    return "X" * (value // 10) + units[value % 10]
