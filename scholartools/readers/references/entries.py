"""The bibliography, split entry by entry."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

from scholartools.readers.common.hyphenation import Vocabulary, join_lines
from scholartools.readers.common.page import Line
from scholartools.readers.references import links as reference_links
from scholartools.readers.references.identifiers import find_arxiv, find_doi, find_url, find_year
from scholartools.readers.references.links import Links
from scholartools.readers.references.names import Names, are_whole, leading_names, people_in
from scholartools.readers.references.titles import find_title

_BRACKETED = (
    re.compile(r"\[\s?[A-Z]?\d{1,4}\s?\]"),  # [12], [S3]
    re.compile(r"\[[^\W\d_][^\[\]]{0,80}\d\d[a-z]?\]|\[[^\W\d_][^\[\]]{2,80}$"),  # [Knu84], [Knuth and Plass, 1981]
    re.compile(r"\[(?!Online|CrossRef|PubMed|Internet|Accessed)[A-Za-z+&-]{2,12}\]"),  # [Knu]
)
_NUMBERED = re.compile(r"(\(?)(\d{1,3})\s?([.)]?)(?=\s*[^\W\d_]|\s*[“\"]|(?<=[.)])\s)")
_OPENS_LIST = re.compile(r"(?:\[1\]|\(1\)|1\.)\s*\S")
_OPENS = re.compile(r"(?=(\[|\(|\d))[\[(]?(\d{1,3})[\]).]\s*\S")
_YEAR = re.compile(r"(?<!\d)(?:1[89]|20)\d\d(?!\d)")
_LEAST = 5  # entries of a bibliography without a heading
_DATED = 0.7  # share of them that show a year
_LINES = 12  # of such an entry, at most
_LONGEST = 20_000  # characters of an entry that are looked at; lists of a collaboration's authors take half of them
_LABEL = re.compile(r"\A\s*(?:\[[^\[\]]{1,60}\]|\(?\d{1,3}[.)]|\d{1,3}(?=\s+[^\W\d_]))\s*")
_COLOPHON = re.compile(
    r"©|copyright\b|this (article|work) is (an open access|licensed)|publisher.s note", re.IGNORECASE
)


def split_entries(lines: list[Line], vocabulary: Vocabulary, links: Links | None = None) -> list[dict[str, Any]]:
    """The entries of the lines of a bibliography, in order, without their ids; ``links`` stand on the pages."""
    end = next((index for index, line in enumerate(lines) if _COLOPHON.match(line.text)), len(lines))
    lines = lines[:end]
    starts = _entry_starts(lines)
    entries = [lines[a:b] for a, b in zip(starts, [*starts[1:], len(lines)])]
    texts = [(join_lines(one, vocabulary), reference_links.links_over(one, links or {})) for one in entries]
    return [reference_links.complete_entry(parse_entry(text), linked) for text, linked in texts if len(text) > 12]


def find_unheaded(lines: list[Line]) -> tuple[int, int] | None:
    """Where a bibliography without a heading stands: the last lines that count [1], [2] ... or 1., 2. ... with years.

    Returns:
        Its first line and one past its last; None where there are no :data:`_LEAST` such entries.
    """
    for first in (index for index in range(len(lines) - 1, -1, -1) if _OPENS_LIST.match(lines[index].text)):
        starts = [first + start for start in _counted_labels(lines[first:])]
        if len(starts) < _LEAST:
            continue
        entries = [lines[a:b] for a, b in zip(starts, starts[1:])]
        dated = sum(any(_YEAR.search(line.text) for line in entry) for entry in entries)
        if dated >= _DATED * len(entries) and all(len(entry) <= _LINES for entry in entries):
            return first, _end_of_entry(lines, starts)
    return None


def _counted_labels(lines: list[Line]) -> list[int]:
    """The lines that count up from 1 as the first one does, each label of one kind, no number left out."""
    starts: list[int] = []
    for index, line in enumerate(lines):
        label = _OPENS.match(line.text)
        if (
            label
            and int(label[2]) == len(starts) + 1
            and _opening_bracket(label) == _opening_bracket(_OPENS.match(lines[0].text))
        ):
            starts.append(index)
    return starts


def _opening_bracket(label: re.Match[str] | None) -> str:
    """The bracket that a label opens with; empty for "1."."""
    return label[1].strip("0123456789") if label else ""


def _end_of_entry(lines: list[Line], starts: list[int]) -> int:
    """One past the last line of the last entry: its lines are indented as those of the others are."""
    indents = Counter(
        round(lines[start + 1].x0 - lines[start].x0) for start, end in zip(starts, starts[1:]) if end - start > 1
    )
    indent = indents.most_common(1)[0][0] if indents else 0
    last = lines[starts[-1]]
    end = starts[-1] + 1
    while end < len(lines) and _is_continued(last, lines[end - 1], lines[end], indent):
        end += 1
    return end


def _is_continued(first: Line, above: Line, line: Line, indent: float) -> bool:
    if (line.page, line.column) != (first.page, first.column) or abs(line.size - first.size) > 0.5:
        return False
    return abs(line.x0 - first.x0 - indent) < 8 and 0 < line.y0 - above.y0 < 3 * line.size


def parse_entry(text: str) -> dict[str, Any]:
    """One reference with what can be found in it: title, year, DOI, arXiv identifier; None for what cannot.

    Args:
        text: the reference on one line, with or without its label ("[3]", "3.", "[Knu84]").

    Returns:
        ``text`` as given, ``authors`` (as printed, where it opens with names that are sure), ``title``, ``year`` (of
        print, not of access), ``doi`` (as printed, without its resolver),
        ``arxiv`` (without "arXiv:" and version), ``url`` (another address than these). A title that
        is not sure is None.
    """
    plain = _LABEL.sub("", text[:_LONGEST], count=1)
    names = leading_names(plain)
    found = find_title(plain, names)
    dated = names.year if names else None
    return {
        "text": text,
        "authors": _opening_names(plain, names, found),
        "title": found,
        "year": dated or find_year(plain.replace(found, " ") if found else plain),
        "doi": find_doi(plain),
        "arxiv": find_arxiv(plain),
        "url": find_url(plain),
    }


def _opening_names(plain: str, names: Names | None, title: str | None) -> list[str] | None:
    """The names that open a reference; None where they are not sure: half a name, or no clear end before the title."""
    if names is not None:
        return list(names.people) if names.certain and names.people and are_whole(names.people) else None
    return people_in(plain.partition(title)[0]) if title else None


def _entry_starts(lines: list[Line]) -> list[int]:
    """Where entries begin: at their labels, else at hanging indents, else after a line that closes an entry."""
    for label in _BRACKETED:
        bracketed = [index for index, line in enumerate(lines) if label.match(line.text)]
        if len(bracketed) > 1 and bracketed[0] < 2:
            return bracketed
    numbered = _counted_starts(lines)
    if len(numbered) > 1 and numbered[0] < 2:
        return numbered
    hanging = _hanging_starts(lines)
    return hanging if len(hanging) > 2 else _starts_after_end(lines)


def _counted_starts(lines: list[Line]) -> list[int]:
    """Lines that begin with 1, 2, 3 ... in this order; a missing number or two are stepped over."""
    starts: list[int] = []
    expected = 1
    mark: tuple[str, str] | None = None
    for index, line in enumerate(lines):
        found = _NUMBERED.match(line.text)
        if not found or not expected <= int(found[2]) <= expected + (2 if starts else 0):
            continue
        if mark in (None, (found[1], found[3])):  # "16 October" opens no entry where entries open with "16."
            starts.append(index)
            expected, mark = int(found[2]) + 1, (found[1], found[3])
    return starts


def _hanging_starts(lines: list[Line]) -> list[int]:
    """Lines at the left edge of their column where most others are indented."""
    starts: list[int] = []
    edges = _column_edges(lines)
    indented = sum(line.x0 > edges[_column_of(line)] + 3 for line in lines)
    if indented < 0.25 * len(lines):
        return []
    for index, line in enumerate(lines):
        if line.x0 <= edges[_column_of(line)] + 3:
            starts.append(index)
    return starts


def _column_of(line: Line) -> tuple[int, int]:
    return line.page, line.column


def _column_edges(lines: list[Line]) -> dict[tuple[int, int], float]:
    """The left edge of each column: its leftmost line start that at least two lines share, if any."""
    starts: dict[tuple[int, int], Counter[int]] = {}
    for line in lines:
        starts.setdefault(_column_of(line), Counter())[round(line.x0)] += 1
    widths = Counter(round(line.x0) for line in lines)
    return {place: float(min(x for x in found if widths[x] + widths[x - 1] + widths[x + 1] > 1 or len(found) == 1)
                         if any(widths[x] + widths[x - 1] + widths[x + 1] > 1 for x in found) else min(found))
            for place, found in starts.items()}  # fmt: skip


def _starts_after_end(lines: list[Line]) -> list[int]:
    """Lines after a gap, or after a line that ends an entry: a short one with a full stop."""
    starts = [0] if lines else []
    for index in range(1, len(lines)):
        above, line = lines[index - 1], lines[index]
        gap = line.y0 - above.y0 > 1.45 * line.size and above.column == line.column
        short = above.x1 < max(above.x1, line.x1) - 2 * line.size
        if gap or (above.text.endswith((".", "]")) and short and line.text[0].isupper()):
            starts.append(index)
    return starts
