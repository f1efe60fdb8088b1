"""Spans in the record of lines with printed line numbers, by which reviews cite them.

The numbers themselves are removed from the text (``page_furniture``), and the lines are located by their text. A line
that is not found, for example since it is in a float or was joined differently, is left out rather than guessed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from scholartools.readers.common.page import Page
from scholartools.readers.pdf.page_furniture import line_numbers

# Minimum characters of a line that may be located anywhere; shorter ones must closely follow the preceding line.
_TELLING = 20
_NEAR = 400  # maximum distance from the end of the preceding line, in characters


class NumberedLine(NamedTuple):
    """A printed number and the line beside it."""

    number: int
    text: str


def numbered_lines(pages: Sequence[Page]) -> list[NumberedLine]:
    """The lines beside printed numbers, sorted by number; to be called before the numbers are removed."""
    return sorted(line for page in pages for line in _of_page(page))


def _of_page(page: Page) -> Iterator[NumberedLine]:
    ids = line_numbers(page)
    if not ids:
        return
    text = [line for line in page.lines if id(line) not in ids and line.letters > 3]
    for number in (line for line in page.lines if id(line) in ids):
        middle = (number.y0 + number.y1) / 2
        beside = [line for line in text if line.y0 <= middle <= line.y1]
        if beside:
            nearest = min(beside, key=lambda line: max(line.x0 - number.x1, number.x0 - line.x1, 0.0))
            yield NumberedLine(int(number.text), nearest.text)


def locate_lines(lines: Sequence[NumberedLine], texts: Mapping[str, str]) -> list[dict[str, Any]]:
    """Locate lines in the texts of a record: close after the preceding line, else at a line's only occurrence.

    Returns:
        Records with the number ``n``, the key of the text ``in``, and the offsets ``start`` and ``end``.
    """
    found: list[dict[str, Any]] = []
    name, position = next(iter(texts), ""), 0
    for line in lines:
        wanted = line.text.strip().rstrip("-\u00ad\u2010")
        place = _place_in_text(wanted, texts, name, position) if wanted else None
        if place is not None:
            name, start = place
            position = start + len(wanted)
            found.append({"n": line.number, "in": name, "start": start, "end": position})
    return found


def _place_in_text(wanted: str, texts: Mapping[str, str], name: str, position: int) -> tuple[str, int] | None:
    start = texts.get(name, "").find(wanted, position)
    if 0 <= start <= position + _NEAR:
        return name, start
    if len(wanted) < _TELLING:
        return None
    places = [(other, text.find(wanted)) for other, text in texts.items() if wanted in text]
    is_alone = len(places) == 1 and texts[places[0][0]].count(wanted) == 1
    return places[0] if is_alone else None
