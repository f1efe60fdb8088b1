"""Gutters and reading order of pages with three or more columns, such as magazines and posters."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence

from scholartools.readers.common.page import Line, Page
from scholartools.readers.pdf.floats.captions import opens_caption

_WORDY = 12  # a line of text has more letters
_NARROW = 0.36  # maximum width of a line in one of three columns, as a share of the text's width
_LEAST = 3  # minimum number of columns; two columns are found by module columns
_LEAST_LINES = 6  # minimum lines of text in each column
_EVEN = 0.1  # maximum relative difference of the widths of columns
_MOST = 0.5  # minimum share of a page's lines of text, or of a paper's full pages
_FULL = 12  # a full page has more lines
_LEAN = 6.0  # maximum distance by which a line of a column may extend over a gutter, in points

Gutters = tuple[float, ...]  # the x of each gap between two columns, from left to right


def gutters_of_pages(pages: Sequence[Page]) -> list[Gutters]:
    """The gutters of each page; empty for pages with fewer than three columns.

    If at least half of the full pages have three or more columns, pages with too little text get the usual gutters.
    Gutters that a rule crosses are discarded, since the columns may be those of a table; without usual gutters so are
    those of pages with a caption.
    """
    found = [_find_gutters(page.lines) for page in pages]
    found = [() if own and _is_crossed(page, own) else own for page, own in zip(pages, found)]
    usual = _usual_gutters(found, sum(len(page.lines) > _FULL for page in pages))
    if not usual:
        return [() if own and _has_label(page) else own for page, own in zip(pages, found)]
    return [usual if len(own) != len(usual) and _fit(page.lines, usual) else own for page, own in zip(pages, found)]


def _find_gutters(lines: Iterable[Line]) -> Gutters:
    """The gutters of three or more columns of equal width that have most of a page's text, else none."""
    text = [line for line in lines if line.letters > _WORDY]
    if len(text) < _LEAST * _LEAST_LINES:
        return ()
    width = max(line.x1 for line in text) - min(line.x0 for line in text)
    narrow = [line for line in text if line.width < _NARROW * width]
    if len(narrow) < max(2, _MOST * len(text)):
        return ()
    columns = _side_by_side(narrow, statistics.median(line.width for line in narrow))
    return tuple(map(_gap_between, columns, columns[1:])) if len(columns) >= _LEAST and _are_even(columns) else ()


def _has_label(page: Page) -> bool:
    return any(opens_caption(line.text) for line in page.lines)


def _is_crossed(page: Page, gutters: Gutters) -> bool:
    """Whether a rule crosses a gutter between the first and the last line of the columns, as in a table."""
    heights = [line.y0 for line in page.lines if line.letters > _WORDY and column_of(line, gutters)]
    inside = (rule for rule in page.rules if heights and min(heights) < rule[1] < max(heights))
    return any(rule[0] < x < rule[2] for rule in inside for x in gutters)


def _usual_gutters(found: list[Gutters], full: int) -> Gutters:
    """The median gutters of the pages with the usual number of columns, if enough full pages have three or more."""
    some = [gutters for gutters in found if gutters]
    if not some or len(some) < _MOST * full:
        return ()
    count = statistics.mode(map(len, some))
    return tuple(map(statistics.median, zip(*(gutters for gutters in some if len(gutters) == count))))


def _fit(lines: Iterable[Line], gutters: Gutters) -> bool:
    """Whether at least half of the lines of text are within one column each."""
    placed = [column_of(line, gutters) > 0 for line in lines if line.letters > _WORDY]
    return sum(placed) >= _MOST * len(placed)


def column_of(line: Line, gutters: Gutters) -> int:
    """The column of a line, from 1; 0 if it spans several."""
    first, last = _reach(line, gutters)
    return first + 1 if first == last else 0


def read_down(lines: Iterable[Line], gutters: Gutters) -> list[Line]:
    """Reading order: column by column; a line that spans several comes after the lines above it in each of these."""
    columns: list[list[Line]] = [[] for _ in range(len(gutters) + 1)]
    for line in sorted(lines, key=lambda one: (one.y0 + one.y1, one.x0)):
        first, last = _reach(line, gutters)
        for ended in columns[first + 1 : last + 1]:
            columns[first] += ended
            ended.clear()
        columns[first].append(line)
    return [line for column in columns for line in column]


def _reach(line: Line, gutters: Gutters) -> tuple[int, int]:
    """The first and the last column that a line covers, from 0."""
    first = sum(line.x0 >= x - _LEAN for x in gutters)
    return first, max(first, sum(line.x1 > x + _LEAN for x in gutters))


def _side_by_side(lines: list[Line], width: float) -> list[list[Line]]:
    """Group lines by column; a column begins at least ``width`` to the right of the preceding one."""
    columns: list[list[Line]] = []
    for line in sorted(lines, key=lambda one: one.x0):
        if columns and line.x0 < columns[-1][0].x0 + width:
            columns[-1].append(line)
        else:
            columns.append([line])
    return columns


def _gap_between(column: list[Line], after: list[Line]) -> float:
    """The middle of the gap between nearly all lines of two columns (by deciles of their edges)."""
    end = statistics.quantiles([line.x1 for line in column], n=10)[-1]
    return (end + statistics.quantiles([line.x0 for line in after], n=10)[0]) / 2


def _are_even(columns: list[list[Line]]) -> bool:
    """Whether each column has enough lines, and their median widths are about the same."""
    widths = [statistics.median(line.width for line in column) for column in columns]
    enough = all(len(column) >= _LEAST_LINES for column in columns)
    return enough and max(widths) - min(widths) < _EVEN * max(widths)
