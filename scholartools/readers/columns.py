"""Rows, columns and the order in which a page is read."""

from __future__ import annotations

import statistics
from collections.abc import Iterable
from dataclasses import dataclass

from scholartools.readers.floats import opens_caption
from scholartools.readers.page import Body, Line, Page

CELL = "   "  # white space between two cells of a row
_CELL_GAP = 1.3  # widths of an em from which a gap within a row is more than a word space
_NARROW = 0.53  # share of the text's width that a line of one of two columns has at most
_LEAST_ALLEY = 3.0  # points between two things that are set side by side
_LEAN = 6.0  # points a line may reach over the gutter and still belong to its column


def arrange(pages: list[Page], body: Body) -> None:
    """Join the pieces of each row, give every line its column, and sort each page into reading order, in place."""
    gutters = [_gutter(page, body) for page in pages]
    usual = _usual(gutters, pages)
    for page, own in zip(pages, gutters):
        gutter = own or usual
        page.lines = _rows(page.lines, gutter, _alleys(page.lines, body))
        for line in page.lines:
            line.column = _column(line, gutter)
        page.lines = in_order(page.lines)


def in_order(lines: Iterable[Line]) -> list[Line]:
    """Reading order: down the left column, then the right, between two lines that span both."""
    ordered: list[Line] = []
    left: list[Line] = []
    right: list[Line] = []
    for line in sorted(lines, key=lambda one: (one.y0 + one.y1, one.x0)):
        if line.column == 0:
            ordered += [*left, *right, line]
            left, right = [], []
        else:
            (left if line.column == 1 else right).append(line)
    return [*ordered, *left, *right]


def _gutter(page: Page, body: Body) -> float | None:
    """The x of the gap between two columns, or None for a page of one column or of too little text to tell."""
    lines = [line for line in page.lines if line.letters > 12 and abs(line.size - body.size) < 1.5]
    if len(lines) < 8:
        return None
    x0 = statistics.quantiles([line.x0 for line in lines], n=20)[0]
    x1 = statistics.quantiles([line.x1 for line in lines], n=20)[-1]
    middle = (x0 + x1) / 2
    narrow = [line for line in lines if line.width < _NARROW * (x1 - x0) and line.width > 0.2 * (x1 - x0)]
    lefts = [line for line in narrow if line.x1 < middle + _LEAN]
    rights = [line for line in narrow if line.x0 > middle - _LEAN]
    across = [line for line in lines if line.x0 < middle - 2 * _LEAN and line.x1 > middle + 2 * _LEAN]
    if min(len(lefts), len(rights)) < 4 or len(lefts) + len(rights) < len(across):
        return None
    edge = statistics.quantiles([line.x0 for line in rights], n=10)[0]
    return (min(edge, middle + 3 * _LEAN) + max(line.x1 for line in lefts if line.x1 < edge)) / 2


def _usual(gutters: list[float | None], pages: list[Page]) -> float | None:
    found = [gutter for gutter in gutters if gutter is not None]
    full = sum(len(page.lines) > 12 for page in pages)
    return statistics.median(found) if found and len(found) >= 0.4 * full else None


def _column(line: Line, gutter: float | None) -> int:
    if gutter is None:
        return 0
    if line.x1 <= gutter + _LEAN:
        return 1
    if line.x0 >= gutter - _LEAN:
        return 2
    return 0


@dataclass(frozen=True)
class _Alley:
    """A gap between a caption and what is set beside it, in points from the top left of the page."""

    x: float
    top: float
    bottom: float

    def parts(self, one: Line, other: Line) -> bool:
        """Whether two lines of one row stand on its two sides."""
        within = self.top <= (one.y0 + one.y1) / 2 <= self.bottom
        return within and min(one.x1, other.x1) <= self.x <= max(one.x0, other.x0)


def _alleys(lines: list[Line], body: Body) -> list[_Alley]:
    """The gaps left of captions that stand beside another caption or beside text, and right of captions beside text."""
    ordered = sorted(lines, key=lambda line: line.y0)
    captions = [line for line in ordered if opens_caption(line.text, with_words=True)]
    found: list[_Alley] = []
    for caption in captions:
        row = [line for line in ordered if line is not caption and _shares_row(line, caption)]
        before = [line for line in row if line.x1 < caption.x0 - body.size]
        after = [line for line in row if line.x0 > caption.x1 + body.size]
        if before:
            found += _alley(max(before, key=lambda line: line.x1), caption, ordered, body)
        if after:
            found += _alley(caption, min(after, key=lambda line: line.x0), ordered, body)
    return found


def _alley(first: Line, last: Line, lines: list[Line], body: Body) -> list[_Alley]:
    """The gap between two lines of a row, down to the first line that crosses it.

    Captions set side by side are apart whatever stands above them; for a caption and text, the line above the text must
    not cross the gap either, or it is but a wide space between two words.
    """
    left, right, bottom = first.x1, last.x0, max(first.y1, last.y1)
    top = min(first.y0, last.y0)
    both = opens_caption(first.text) and opens_caption(last.text)
    above = [line for line in lines if 0 < top - line.y0 < 1.5 * body.leading and line.x0 < right and line.x1 > left - 1]
    if not both and (not above or any(line.x0 < left and line.x1 > right for line in above)):
        return []
    for line in lines:
        if line.y0 <= max(first.y0, last.y0):
            continue
        if line.y0 > bottom + 0.5 * body.leading:
            break
        if line.x1 < right - _LEAST_ALLEY:
            left = max(left, line.x1)
        elif line.x0 > left + _LEAST_ALLEY:
            right = min(right, line.x0)
        else:
            break
        bottom = max(bottom, line.y1)
    return [_Alley((left + right) / 2, top, bottom)]


def _shares_row(one: Line, other: Line) -> bool:
    shared = min(one.y1, other.y1) - max(one.y0, other.y0)
    return shared >= 0.5 * min(one.y1 - one.y0, other.y1 - other.y0)


def _rows(lines: list[Line], gutter: float | None, alleys: list[_Alley]) -> list[Line]:
    """Join what stands side by side in one column: a number and its heading, words with wide spaces between them."""
    rows: list[Line] = []
    for line in sorted(lines, key=lambda one: (round(one.y0 + one.y1), one.x0)):
        for row in reversed(rows[-8:]):
            if _side_by_side(row, line, gutter) and not any(alley.parts(row, line) for alley in alleys):
                _join(row, line)
                break
        else:
            rows.append(line)
    return rows


def _side_by_side(row: Line, line: Line, gutter: float | None) -> bool:
    shared = min(row.y1, line.y1) - max(row.y0, line.y0)
    gap = max(line.x0 - row.x1, row.x0 - line.x1)
    if shared < 0.5 * min(row.y1 - row.y0, line.y1 - line.y0) or gap < -2:
        return False
    return gutter is None or gap < 1 or not min(row.x1, line.x1) - 3 <= gutter <= max(row.x0, line.x0) + 3


def _join(row: Line, line: Line) -> None:
    first, last = (row, line) if row.x0 <= line.x0 else (line, row)
    gap = last.x0 - first.x1
    if gap > 0.1 * row.size:
        first.spans[-1].text += CELL if gap > _CELL_GAP * row.size else " "
    row.cells = row.cells + line.cells - (gap < _CELL_GAP * row.size)
    row.spans = [*first.spans, *last.spans]
    row.hidden = row.hidden or line.hidden
    row.x0, row.x1 = first.x0, max(first.x1, last.x1)
    row.y0, row.y1 = min(row.y0, line.y0), max(row.y1, line.y1)
    for name in ("text", "style", "letters", "bold", "italic"):
        row.__dict__.pop(name, None)
