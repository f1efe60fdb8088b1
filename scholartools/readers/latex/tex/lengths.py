r"""Parse literal lengths, in points, and compare them for ``\ifdim``."""

from __future__ import annotations

import re
from collections.abc import Callable

from scholartools.readers.latex.tex.numbers import Counting, read_sides, read_signed

_UNITS = {
    "pt": 1.0, "pc": 12.0, "in": 72.27, "bp": 72.27 / 72, "cm": 72.27 / 2.54, "mm": 7.227 / 2.54, "dd": 1238 / 1157,
    "cc": 12 * 1238 / 1157, "sp": 1 / 65536,
}  # fmt: skip
_KNOWN = {"\\z@": 0.0, "\\p@": 1.0, "\\maxdimen": 16383.99999}
_DIGITS = re.compile(r"[\d.,]+")
_UNIT = re.compile(rf"(?:true ?)?({'|'.join(_UNITS)})")
_ALIKE = 1 / 65536  # TeX's resolution of lengths, in points


def read_length(stream: Counting) -> float | None:
    """Read a length; None if it depends on a font or on the page, such as ``2em`` and ``\\textwidth``."""

    def length_at(token: str) -> Callable[[], float | None] | None:
        if _DIGITS.match(token):
            return lambda: _read_digits(stream, token)
        return (lambda: _KNOWN[token]) if token in _KNOWN else None

    return read_signed(stream, length_at)


def _read_digits(stream: Counting, token: str) -> float | None:
    """Read a length whose first digits are in ``token``; its other parts may be in separate tokens."""
    written = ""
    while (found := _DIGITS.match(token)) is not None:
        written += found[0].replace(",", ".")
        if found.end() < len(token):
            stream.push([token[found.end() :]])
            break
        if not _DIGITS.match(stream.peek() or ""):
            break
        token = stream.next() or ""
    stream.skip_spaces()
    unit = _UNIT.match(stream.peek() or "")
    if unit is None or written.count(".") > 1 or written == ".":
        return None
    rest = (stream.next() or "")[unit.end() :]
    if rest:
        stream.push([rest])
    else:
        stream.take(" ")
    return float(written) * _UNITS[unit[1]]


def compare_lengths(stream: Counting) -> bool | None:
    r"""Evaluate a comparison such as ``1pt < 2mm``; None if it is unknown."""
    if (sides := read_sides(stream, read_length)) is None:
        return None
    first, sign, second = sides
    same = abs(first - second) < _ALIKE
    return {"<": first < second and not same, ">": first > second and not same, "=": same}[sign]
