"""Numbers and units of siunitx: ``\\qty{10}{\\metre}``, ranges, lists and products."""

from __future__ import annotations

import functools
from itertools import pairwise

from scholartools.readers.latex.document.state import Command, Document
from scholartools.readers.latex.document.symbols import UNITS
from scholartools.readers.latex.tex.tokens import INLINE

# The separator of numbers in an argument, and the texts printed between numbers and between the last two.
_LIST = (";", ", ", " and ")
_PRODUCT = ("x", " × ", " × ")
_RANGE = " to "


def _read_number(document: Document) -> None:
    document.drop("o")
    document.stream.push(document.stream.argument())


def _read_unit(document: Document) -> None:
    document.drop("o")
    document.write(_print_unit(document.stream.argument()))


def _read_quantity(document: Document) -> None:
    """``\\SI{10}{\\milli\\metre}``."""
    document.drop("o")
    number = document.stream.argument()
    document.drop("o")
    document.stream.push(_join_numbers([number], "", "", _print_unit(document.stream.argument())))


def _read_range(document: Document, *, has_unit: bool) -> None:
    """``\\qtyrange{10}{20}{\\metre}``: 10 m to 20 m."""
    document.drop("o")
    ends = [document.stream.argument(), document.stream.argument()]
    unit = _print_unit(document.stream.argument()) if has_unit else ""
    document.stream.push(_join_numbers(ends, _RANGE, _RANGE, unit))


def _read_several(document: Document, signs: tuple[str, str, str], *, has_unit: bool) -> None:
    """``\\qtylist{1;2;3}{\\metre}``: 1 m, 2 m and 3 m."""
    document.drop("o")
    given = document.stream.argument()
    unit = _print_unit(document.stream.argument()) if has_unit else ""
    sign, between, last = signs
    cuts = [-1, *(index for index, token in enumerate(given) if token == sign), len(given)]
    document.stream.push(_join_numbers([given[a + 1 : b] for a, b in pairwise(cuts)], between, last, unit))


def _join_numbers(numbers: list[list[str]], between: str, last: str, unit: str) -> list[str]:
    """The tokens of numbers with their unit; the numbers may have macros of the paper."""
    found: list[str] = []
    for index, number in enumerate(numbers):
        sign = "" if not index else last if index == len(numbers) - 1 else between
        found += [INLINE + sign, *_trim_spaces(number), INLINE + (f" {unit}" if unit else "")]
    return found


def _trim_spaces(tokens: list[str]) -> list[str]:
    return tokens[tokens[:1] == [" "] : len(tokens) - (tokens[-1:] == [" "])]


def _print_unit(unit: list[str]) -> str:
    """Print a unit; commands that are not in the table are abbreviations, which print their name: ``\\kHz``."""
    return "".join(UNITS.get(token, token.lstrip("\\")) for token in unit if token not in (" ", "{", "}"))


def _read_angle(document: Document) -> None:
    document.drop("o")
    document.stream.push([*document.stream.argument(), INLINE + "°"])


COMMANDS: dict[str, Command] = {
    "\\num": _read_number,
    "\\ang": _read_angle,
    **dict.fromkeys(("\\si", "\\unit"), _read_unit),
    **dict.fromkeys(("\\SI", "\\qty"), _read_quantity),
    **dict.fromkeys(("\\SIrange", "\\qtyrange"), functools.partial(_read_range, has_unit=True)),
    "\\numrange": functools.partial(_read_range, has_unit=False),
    **dict.fromkeys(("\\SIlist", "\\qtylist"), functools.partial(_read_several, signs=_LIST, has_unit=True)),
    "\\numlist": functools.partial(_read_several, signs=_LIST, has_unit=False),
    "\\qtyproduct": functools.partial(_read_several, signs=_PRODUCT, has_unit=True),
    "\\numproduct": functools.partial(_read_several, signs=_PRODUCT, has_unit=False),
}
