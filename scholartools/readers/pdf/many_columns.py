"""Pages of three columns or more, as magazines and posters have them: where the columns are, and their order."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence
from itertools import pairwise

from scholartools.readers.common.page import Body, Line, Page

_WORDY = 12  # letters of a line of text, at least
_ALIKE = 1.5  # points by which the sizes of text of one page differ, at most
_NARROW = 0.36  # share of the text's width that a line of one of three columns has at most
_LEAST = 3  # columns; two are found otherwise
_LEAST_LINES = 6  # of text in each column
_EVEN = 0.1  # share of a column's width by which the widths of columns differ, at most
_MOST = 0.5  # share of a page's lines of text, or of a paper's pages, from which they are most of them
_FULL = 12  # lines of a page that tells of its paper, more than
_LEAN = 6.0  # points a line may reach over a gutter and still belong to its column

Gutters = tuple[float, ...]  # the x of each gap between two columns, from left to right


def usual_gutters(pages: Sequence[Page], body: Body) -> Gutters:
    """The gaps between the columns that most full pages of a paper have; empty where these are fewer than three."""
    found = [gutters for page in pages if (gutters := find_gutters(page.lines, body))]
    full = sum(len(page.lines) > _FULL for page in pages)
    if not found or len(found) < _MOST * full:
        return ()
    count = statistics.mode(map(len, found))
    return tuple(map(statistics.median, zip(*(gutters for gutters in found if len(gutters) == count))))


def find_gutters(lines: Iterable[Line], body: Body) -> Gutters:
    """The gaps between three columns or more of one width that most of a page's text stands in, else none."""
    text = [line for line in lines if line.letters > _WORDY and abs(line.size - body.size) < _ALIKE]
    if len(text) < _LEAST * _LEAST_LINES:
        return ()
    width = max(line.x1 for line in text) - min(line.x0 for line in text)
    narrow = [line for line in text if line.width < _NARROW * width]
    columns = _side_by_side(narrow, statistics.median(line.width for line in narrow)) if narrow else []
    if len(columns) < _LEAST or len(narrow) < _MOST * len(text) or not _are_even(columns):
        return ()
    return tuple((_right_edge(one) + min(line.x0 for line in other)) / 2 for one, other in pairwise(columns))


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
    """The first and the last column, from 0, that a line stands in."""
    first = sum(line.x0 >= x - _LEAN for x in gutters)
    return first, max(first, sum(line.x1 > x + _LEAN for x in gutters))


def _side_by_side(lines: list[Line], width: float) -> list[list[Line]]:
    """Lines by the column they stand in; a column begins a column's width or more to the right of the one before."""
    columns: list[list[Line]] = []
    for line in sorted(lines, key=lambda one: one.x0):
        if columns and line.x0 < columns[-1][0].x0 + width:
            columns[-1].append(line)
        else:
            columns.append([line])
    return columns


def _right_edge(column: list[Line]) -> float:
    return statistics.median(line.x1 for line in column)


def _are_even(columns: list[list[Line]]) -> bool:
    """Whether columns hold enough lines each, and lines that are about as wide as the others'."""
    widths = [statistics.median(line.width for line in column) for column in columns]
    enough = all(len(column) >= _LEAST_LINES for column in columns)
    return enough and max(widths) - min(widths) < _EVEN * max(widths)
