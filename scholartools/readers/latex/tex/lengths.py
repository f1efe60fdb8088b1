r"""Lengths that a source writes out, in points, and what ``\ifdim`` says of two of them."""

from __future__ import annotations

import re

from scholartools.readers.latex.tex.numbers import Counting, expand_name

_UNITS = {
    "pt": 1.0, "pc": 12.0, "in": 72.27, "bp": 72.27 / 72, "cm": 72.27 / 2.54, "mm": 7.227 / 2.54, "dd": 1238 / 1157,
    "cc": 12 * 1238 / 1157, "sp": 1 / 65536,
}  # fmt: skip
_KNOWN = {"\\z@": 0.0, "\\p@": 1.0, "\\maxdimen": 16383.99999}
_DIGITS = re.compile(r"[\d.,]+")
_UNIT = re.compile(rf"(?:true ?)?({'|'.join(_UNITS)})")
_MOST = 60  # tokens before a length
_ALIKE = 1 / 65536  # points by which TeX tells two lengths apart


def read_length(stream: Counting) -> float | None:
    """The length that comes next; None where it depends on a font or on the page, as ``2em`` and ``\\textwidth`` do."""
    sign = 1.0
    for _ in range(_MOST):
        stream.skip_spaces()
        token = stream.next()
        if token is None:
            return None
        if token in ("-", "+", "--", "---"):
            sign *= -1 if token in ("-", "---") else 1
        elif _DIGITS.match(token):
            length = _read_digits(stream, token)
            return None if length is None else sign * length
        elif token in _KNOWN:
            return sign * _KNOWN[token]
        elif not expand_name(stream, token):
            stream.back(token)
            return None
    return None


def _read_digits(stream: Counting, token: str) -> float | None:
    """A length whose digits begin in a token; its parts may be tokens of their own."""
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
    r"""What ``1pt < 2mm`` says; None where it is not known."""
    first = read_length(stream)
    stream.skip_spaces()
    sign = stream.next() if stream.peek() in ("<", ">", "=") else None
    second = read_length(stream) if sign else None
    if first is None or second is None:
        return None
    same = abs(first - second) < _ALIKE
    return {"<": first < second and not same, ">": first > second and not same, "=": same}[sign or ""]
