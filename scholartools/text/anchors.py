"""References in a text that show its reader where to look: a line, table, figure, section, citation or quotation.

The patterns are for English. Anchors are normalised to keys: "Tab. 2", "Table 2" and "Table II" have the same key.
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterator
from typing import NamedTuple

from scholartools.text.quotes import fold_text

#: Kinds of anchors that identify an object by its number, then the other kinds.
NUMBERED = ("table", "figure", "algorithm", "equation", "section")
KINDS = ("line", *NUMBERED, "citation", "quote", "number")

_N = r"\s?\(?(?P<number>[A-Z]?\.?\d{1,3}(?:\.\d{1,2}){0,3})\)?(?![\w%])"
# Roman numerals only after a capitalised word: "in the table I see" refers to no table.
_ROMAN = r"(?-i:\s(?P<roman>[IVX]{1,6})(?!\w))"
_ROMAN_DIGITS = re.compile(r"(X{0,3})(IX|IV|V?I{0,3})")
_ROMAN_ONES = ("", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX")
#: Longest range of citations that is expanded. A longer range counts as its first number: "[0-100]" is an interval.
MOST_CITED = 20
_LONGEST_QUOTE = 600  # characters between the quotation marks
# A straight single quotation mark may be an apostrophe, so the closing one is searched for in code.
_QUOTE = re.compile(
    r"\u201c(?P<a>[^\u201c\u201d\n]{1,600})\u201d|(?<!\w)\"(?P<b>[^\"\n]{1,600})\"(?!\w)"
    r"|\u2018(?P<d>(?:[^\u2018\u2019\n]|\u2019(?=\w)){1,600}?)\u2019(?!\w)|(?<![\w'\u2019])(?P<single>')"
)
_SINGLE_STOP = re.compile(r"'(?!\w)|\n")
_RANGE = re.compile(r"(\d+)(?:\s?[\u2013-]\s?(\d+))?")
_PATTERNS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(pattern))
    for kind, pattern in (
        (
            "line",
            r"(?i)\b(?:lines?|ll?\.|l)\s?(?P<first>\d{1,4})(?:\s?(?:-|\u2013|to|and)\s?(?P<last>\d{1,4}))?(?![\w.%]*\d)",
        ),
        ("table", rf"(?i)\b(?:(?:tables?|tabs?\.){_N}|(?-i:Tables?|TABLES?|Tabs?\.){_ROMAN})"),
        ("figure", r"(?i)\b(?:figures?|figs?\.?)\s?(?P<number>[A-Z]?\.?\d{1,3})[a-z]?(?![\w%])"),
        ("algorithm", rf"(?i)\b(?:algorithms?|algs?\.){_N}"),
        ("equation", rf"(?i)\b(?:equations?|eqs?\.|eqns?\.){_N}"),
        (
            "section",
            r"(?i:\b(?:sections?|secs?\.)|\u00a7)\s?(?P<number>[A-Z]?\.?\d{1,2}(?:\.\d{1,2}){0,3})(?![\w%])"
            rf"|\b(?:Sections?|SECTIONS?|Secs?\.){_ROMAN}"
            r"|\b[Aa]ppendix\s(?P<letter>[A-Z](?:\.\d{1,2}){0,3})(?!\w)",
        ),
        ("citation", r"\[(?P<numbers>\d{1,3}(?:[,;\u2013-]\s?\d{1,3}){0,9})\]"),
        (
            "citation",
            r"\b(?P<name>[A-Z][\w\u2019'-]+)(?:\s+(?:and|&)\s+[A-Z][\w\u2019'-]+|\s+et\s+al\.?)?,?\s*(\()?"
            r"(?P<year>(?:19|20)\d{2})[a-z]?(?(2)\)?)(?!\w)",
        ),
        (
            "number",
            r"(?<![\w.\[])(?P<value>\d+(?:[.,]\d+){0,6})\s?(?P<unit>%|percent\b|per\s+cent\b|(?:percentage\s+)?points?\b"
            r"|(?:ms|s|h|kB|MB|GB|TB|Hz|kHz|mm|cm|m|km|mg|g|kg|years?|days?|hours?|minutes?|seconds?|times|x)\b)"
            r"|(?<![\w.\[])(?P<decimal>\d+\.\d+)(?![\w.])",
        ),
    )
)
_UNITS = {
    "percent": "%",
    "per cent": "%",
    "percentage points": "points",
    "percentage point": "points",
    "point": "points",
}


class Anchor(NamedTuple):
    """A reference within a text.

    Attributes:
        kind: one of KINDS.
        key: equal for anchors that refer to the same object: ``table 2``, ``line 78-80``, ``citation ito 2020``.
        start: offset in the text.
        end: offset in the text, exclusive.
        parts: the components of the key, by name: number, first and last line, name and year, quote.
    """

    kind: str
    key: str
    start: int
    end: int
    parts: dict[str, str]


def anchors(text: str, start: int = 0, end: int | None = None) -> list[Anchor]:
    """Find the anchors in a text or in a slice of it, in order.

    Anchors do not overlap, except those inside a quotation.
    """
    end = len(text) if end is None else end
    found = [_quote_of(text[a:b], a - 1, b + 1) for a, b in _quotations(text, start, end)]
    taken = bytearray(len(text))
    for kind, pattern in _PATTERNS:
        own: list[Anchor] = []
        for hit in pattern.finditer(text, start, end):
            if not any(taken[hit.start() : hit.end()]):
                own += [_anchor_of(kind, hit)] if "numbers" not in hit.groupdict() else _citations_of(hit)
        for one in own:
            taken[one.start : one.end] = b"\1" * (one.end - one.start)
        found += own
    return sorted(found, key=lambda one: (one.start, -one.end))


def _quotations(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Offsets of the text between quotation marks, in order, without nesting."""
    stops = [hit.start() for hit in _SINGLE_STOP.finditer(text, start, end)]
    while hit := _QUOTE.search(text, start, end):
        start = hit.end()
        if hit.lastgroup != "single":
            yield hit.span(hit.lastgroup or 0)
            continue
        n_before = bisect.bisect_left(stops, start)
        stop = stops[n_before] if n_before < len(stops) else end
        if text[stop : stop + 1] == "'" and 0 < stop - start <= _LONGEST_QUOTE and stop < end:
            yield start, stop
            start = stop + 1


def keys(text: str) -> Iterator[str]:
    """Keys of the anchors in a text, in order."""
    return (one.key for one in anchors(text))


def _citations_of(hit: re.Match[str]) -> Iterator[Anchor]:
    """One anchor per number of "[3, 5-7]", each with the offsets of the whole bracket."""
    for first, last in _RANGE.findall(hit["numbers"]):
        n_more = int(last or first) - int(first)
        for number in range(int(first), int(first) + 1 + (n_more if 0 < n_more < MOST_CITED else 0)):
            yield Anchor("citation", f"citation {number}", hit.start(), hit.end(), {"number": str(number)})


def to_arabic(number: str) -> str:
    """Convert a Roman numeral below 40 to digits ("IV" to "4"); return other text unchanged."""
    hit = _ROMAN_DIGITS.fullmatch(number)
    return str(10 * len(hit[1]) + _ROMAN_ONES.index(hit[2])) if hit and number else number


def _quote_of(words: str, start: int, end: int) -> Anchor:
    words = words.strip()
    return Anchor("quote", f"quote {fold_text(words).strip(' .,;:')}", start, end, {"quote": words})


def _anchor_of(kind: str, hit: re.Match[str]) -> Anchor:
    parts = {name: value for name, value in hit.groupdict().items() if value is not None}
    if kind == "line":
        key = "-".join(parts[name] for name in ("first", "last") if name in parts)
    elif kind == "number":
        unit = " ".join(parts.get("unit", "").lower().split())
        key = f"{parts.get('value') or parts['decimal']} {_UNITS.get(unit, unit)}".strip()
    elif "name" in parts:
        key = f"{parts['name'].lower()} {parts['year']}"
    else:
        number = parts.get("number") or parts.get("letter") or to_arabic(parts["roman"])
        parts = {"number": number.upper().strip(".")}
        key = parts["number"]
    return Anchor(kind, f"{kind} {key}", hit.start(), hit.end(), parts)
