"""Which lines of a first page are addresses of authors: their numbers are marks, not those of sections."""

from __future__ import annotations

import re

from scholartools.readers.common import person_names
from scholartools.readers.common.page import Line, Span
from scholartools.readers.common.roles import ABSTRACT_LABEL, number_of, role_of

_MARK = re.compile(r"\(?[\da-zA-Z*†‡§¶∗]{1,2}\)?[.,]?|\d(?:,\s?\d)+")
_NUMBERED = re.compile(r"\(?\d{1,2}[.)]?\s")
_OWN = 0.8  # times the size of its words, of a number that is not raised
_BELOW = 6.0  # times its size, from names or an address to the address under them
_NEXT = 1.6  # times its size, from one line of an address to the next
_ALIKE = 0.6  # points by which sizes of one look differ
_OF_PLACES = frozenset("of the and for in at de la du des del di da do dos das e y et und der für".split())


def find_addresses(lines: list[Line]) -> set[int]:
    """The ids of the first page's lines that are addresses below names, up to the abstract or the first usual heading.

    An address opens with a small or raised mark, or names a place of work in the words of a name: "School effects in
    towns" is none. What goes on below it in its look belongs to it.
    """
    found: set[int] = set()
    above: Line | None = None
    for line in lines:
        if line.page > 1 or _opens_text(line):
            break
        is_under = above is not None and 0 < line.y0 - above.y0 < _BELOW * line.size
        if is_under and above is not None and (_is_address(line) or (id(above) in found and _goes_on(above, line))):
            found.add(id(line))
        above = line if id(line) in found or "@" in line.text or person_names.names_in(line.text) else None
    return found


def _opens_text(line: Line) -> bool:
    """Whether a line is the abstract's label or a usual heading: no address comes after it."""
    return bool(ABSTRACT_LABEL.match(line.text)) or role_of(line.text) != "other"


def _is_address(line: Line) -> bool:
    if opens_with_mark(line):
        return True
    words = number_of(line.text)[1]
    return person_names.is_affiliation(words) and not any(
        word.islower() and word not in _OF_PLACES for word in re.findall(r"[^\W\d_]+", words)
    )


def opens_with_mark(line: Line) -> bool:
    """Whether a line opens with a number or sign that is raised or far smaller than its words."""
    spans = [span for span in line.spans if span.text.strip()]
    return len(spans) > 1 and _is_mark(spans[0], line.largest)


def opens_with_number(line: Line) -> bool:
    """Whether a line opens with a mark, or with a number set like its words: "(1) Amsterdam UMC"."""
    return opens_with_mark(line) or _NUMBERED.match(line.text) is not None


def _is_mark(span: Span, largest: float) -> bool:
    """Whether a span is the sign of a footnote or address, not the number of a section in the size of its words."""
    small = span.style.raised or span.style.size < _OWN * largest
    return small and _MARK.fullmatch(span.text.strip()) is not None


def _goes_on(above: Line, line: Line) -> bool:
    """Whether a line is the next one of an address: near below it, in its look."""
    alike = abs(above.size - line.size) < _ALIKE and (above.bold, above.italic) == (line.bold, line.italic)
    return alike and 0 < line.y0 - above.y0 < _NEXT * line.size and number_of(line.text)[0] is None
