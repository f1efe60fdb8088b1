"""Pages of three columns or more, as magazines and posters have them: where the columns are, and their order."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence

from scholartools.readers.common.page import Line, Page
from scholartools.readers.pdf.floats.captions import opens_caption

_WORDY = 12  # letters of a line of text, at least
_NARROW = 0.36  # share of the text's width that a line of one of three columns has at most
_LEAST = 3  # columns; two are found otherwise
_LEAST_LINES = 6  # of text in each column
_EVEN = 0.1  # share of a column's width by which the widths of columns differ, at most
_MOST = 0.5  # share of a page's lines of text, or of a paper's pages, from which they are most of them
_FULL = 12  # lines of a page that tells of its paper, more than
_LEAN = 6.0  # points a line may reach over a gutter and still belong to its column

Gutters = tuple[float, ...]  # the x of each gap between two columns, from left to right


def gutters_of_pages(pages: Sequence[Page]) -> list[Gutters]:
    """The gaps between the columns of each page; empty for a page that is none of three columns or more.

    Where most full pages of a paper have such columns, they tell of those with too little text to show theirs. On a
    page among others, a caption shows that the columns may be those of a table, as a rule across them does anywhere.
    """
    found = [_find_gutters(page.lines) for page in pages]
    found = [() if own and _is_crossed(page, own) else own for page, own in zip(pages, found)]
    usual = _usual_gutters(found, sum(len(page.lines) > _FULL for page in pages))
    if not usual:
        return [() if own and _has_label(page) else own for page, own in zip(pages, found)]
    return [usual if len(own) != len(usual) and _fit(page.lines, usual) else own for page, own in zip(pages, found)]


def _find_gutters(lines: Iterable[Line]) -> Gutters:
    """The gaps between three columns or more of one width that hold most of a page's text, else none."""
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
    """Whether a rule crosses the gaps between the first and the last line of the columns, as those of a table do."""
    heights = [line.y0 for line in page.lines if line.letters > _WORDY and column_of(line, gutters)]
    inside = (rule for rule in page.rules if heights and min(heights) < rule[1] < max(heights))
    return any(rule[0] < x < rule[2] for rule in inside for x in gutters)


def _usual_gutters(found: list[Gutters], full: int) -> Gutters:
    """The gaps of most of the full pages, if these have three columns or more."""
    some = [gutters for gutters in found if gutters]
    if not some or len(some) < _MOST * full:
        return ()
    count = statistics.mode(map(len, some))
    return tuple(map(statistics.median, zip(*(gutters for gutters in some if len(gutters) == count))))


def _fit(lines: Iterable[Line], gutters: Gutters) -> bool:
    """Whether most lines of text are in one of the columns."""
    placed = [column_of(line, gutters) > 0 for line in lines if line.letters > _WORDY]
    return sum(placed) >= _MOST * len(placed)


def column_of(line: Line, gutters: Gutters) -> int:
    """The column of a line, from 1; 0 where it spans several."""
    first, last = _reach(line, gutters)
    return first + 1 if first == last else 0


def read_down(lines: Iterable[Line], gutters: Gutters) -> list[Line]:
    """Reading order: down each column in turn; a line that spans some of them ends these and no others."""
    columns: list[list[Line]] = [[] for _ in range(len(gutters) + 1)]
    for line in sorted(lines, key=lambda one: (one.y0 + one.y1, one.x0)):
        first, last = _reach(line, gutters)
        for ended in columns[first + 1 : last + 1]:
            columns[first] += ended
            ended.clear()
        columns[first].append(line)
    return [line for column in columns for line in column]


def _reach(line: Line, gutters: Gutters) -> tuple[int, int]:
    """The first and the last column, from 0, that a line is in."""
    first = sum(line.x0 >= x - _LEAN for x in gutters)
    return first, max(first, sum(line.x1 > x + _LEAN for x in gutters))


def _side_by_side(lines: list[Line], width: float) -> list[list[Line]]:
    """Lines by the column they are in; a column begins a column's width or more to the right of the one before."""
    columns: list[list[Line]] = []
    for line in sorted(lines, key=lambda one: one.x0):
        if columns and line.x0 < columns[-1][0].x0 + width:
            columns[-1].append(line)
        else:
            columns.append([line])
    return columns


def _gap_between(column: list[Line], after: list[Line]) -> float:
    """The middle of the gap that nearly all lines of two columns leave."""
    end = statistics.quantiles([line.x1 for line in column], n=10)[-1]
    return (end + statistics.quantiles([line.x0 for line in after], n=10)[0]) / 2


def _are_even(columns: list[list[Line]]) -> bool:
    """Whether columns hold enough lines each, and lines that are about as wide as the others'."""
    widths = [statistics.median(line.width for line in column) for column in columns]
    enough = all(len(column) >= _LEAST_LINES for column in columns)
    return enough and max(widths) - min(widths) < _EVEN * max(widths)
