"""Find the author addresses on a first page; numbers in front of them are footnote marks, not section numbers."""

from __future__ import annotations

import re

from scholartools.readers.common import person_names
from scholartools.readers.common.page import Line, Span
from scholartools.readers.common.roles import ABSTRACT_LABEL, number_of, role_of

_MARK = re.compile(r"\(?[\da-zA-Z*†‡§¶∗]{1,2}\)?[.,]?|\d(?:,\s?\d)+")
_NUMBERED = re.compile(r"\(?\d{1,2}[.)]?\s")
_OWN = 0.8  # a number below this fraction of the line's largest font size is a mark, even if it is not raised
_BELOW = 6.0  # maximum distance of an address from the names or address above it, in font sizes
_NEXT = 1.6  # maximum distance between two lines of one address, in font sizes
_ALIKE = 0.6  # font sizes that differ by less (points) count as equal
_OF_PLACES = frozenset("of the and for in at de la du des del di da do dos das e y et und der für".split())


def find_addresses(lines: list[Line]) -> set[int]:
    """The ``id()`` of the lines on page 1 that are addresses below names, before the abstract or first known heading.

    An address opens with a small or raised mark, or names an institution in capitalised words: "School effects in
    towns" is not an address. The following lines in the same style belong to it.
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
    """Whether a line is the abstract's label or a known heading: no address comes after it."""
    return bool(ABSTRACT_LABEL.match(line.text)) or role_of(line.text) != "other"


def _is_address(line: Line) -> bool:
    if opens_with_mark(line):
        return True
    words = number_of(line.text)[1]
    return person_names.is_affiliation(words) and not any(
        word.islower() and word not in _OF_PLACES for word in re.findall(r"[^\W\d_]+", words)
    )


def opens_with_mark(line: Line) -> bool:
    """Whether a line opens with a number or sign that is raised or much smaller than its words."""
    spans = [span for span in line.spans if span.text.strip()]
    return len(spans) > 1 and _is_mark(spans[0], line.largest)


def opens_with_number(line: Line) -> bool:
    """Whether a line opens with a mark, or with a number of any size: "(1) Amsterdam UMC"."""
    return opens_with_mark(line) or _NUMBERED.match(line.text) is not None


def _is_mark(span: Span, largest: float) -> bool:
    """Whether a span is the mark of a footnote or address, rather than a section number, which has full size."""
    small = span.style.raised or span.style.size < _OWN * largest
    return small and _MARK.fullmatch(span.text.strip()) is not None


def _goes_on(above: Line, line: Line) -> bool:
    """Whether a line continues an address: just below it, in the same style, without a number."""
    alike = abs(above.size - line.size) < _ALIKE and (above.bold, above.italic) == (line.bold, line.italic)
    return alike and 0 < line.y0 - above.y0 < _NEXT * line.size and number_of(line.text)[0] is None
