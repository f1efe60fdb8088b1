"""Joining of lines of running text into paragraphs."""

from __future__ import annotations

import re
from collections import Counter

from scholartools.readers.common.hyphenation import Vocabulary, join_lines
from scholartools.readers.common.page import Body, Line

_CLOSED = re.compile(r"[.:!?…][\"”’')\]⁰¹²³⁴⁵⁶⁷⁸⁹*†‡]*$")
_ITEM = re.compile(r"(?:[•●▪◦‣∙·–]\s?|\(?(?:\d{1,2}|[a-z]|[ivx]{1,4})[.)]\s)\S")
_BULLET = re.compile(r"[•●▪◦‣∙]\s?\S")
_OPENER = re.compile(r"[\"“(\[]?[^\W_]")

Edges = dict[tuple[int, int], tuple[float, float]]


def edges_of(lines: list[Line]) -> Edges:
    """Left and right edge of each column of each page: the most common start, and the 90th percentile of the ends."""
    columns: dict[tuple[int, int], list[Line]] = {}
    for line in lines:
        columns.setdefault((line.page, line.column), []).append(line)
    return {place: _edges_of_column(found) for place, found in columns.items()}


def join_paragraphs(lines: list[Line], body: Body, edges: Edges, vocabulary: Vocabulary) -> str:
    """Join lines into paragraphs of one line each, separated by empty lines."""
    groups: list[list[Line]] = []
    for line in lines:
        if groups and not _begins_paragraph(groups[-1][-1], line, body, edges):
            groups[-1].append(line)
        else:
            groups.append([line])
    return "\n\n".join(text for text in (join_lines(group, vocabulary) for group in groups) if text)


def _edges_of_column(lines: list[Line]) -> tuple[float, float]:
    starts = Counter(round(line.x0) for line in lines)
    ends = sorted(line.x1 for line in lines)
    return float(min(starts, key=lambda x: (-starts[x], x))), ends[int(0.9 * (len(ends) - 1))]


def _begins_paragraph(above: Line, line: Line, body: Body, edges: Edges) -> bool:
    if (not _OPENER.match(line.text) and not _ITEM.match(line.text)) or (
        line.text[0].islower() and not _ITEM.match(line.text)
    ):
        return False
    left = edges[line.page, line.column][0]
    indented = left + 0.6 * line.size < line.x0 < left + 6 * line.size
    closed = _CLOSED.search(above.text[-20:]) is not None
    if _BULLET.match(line.text) or (_ITEM.match(line.text) and closed):
        return True
    if (above.page, above.column) != (line.page, line.column):
        return closed and indented
    if _opens_bold(line) and not above.spans[-1].style.bold and closed:
        return True
    if line.y0 - above.y0 > 1.4 * max(body.leading, line.size):
        return closed or above.letters < 3 or abs(line.x0 - above.x0) > line.size
    short = above.x1 < edges[above.page, above.column][1] - 2 * above.size
    return closed and (short or (indented and above.x0 < line.x0 - 0.6 * line.size))


def _opens_bold(line: Line) -> bool:
    """Whether the line begins with bold words, like a run-in heading."""
    first = next((span for span in line.spans if span.text.strip()), line.spans[0])
    return first.style.bold and sum(map(str.isalpha, first.text)) > 3
