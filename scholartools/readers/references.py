"""The bibliography, split entry by entry."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

from scholartools.readers.hyphens import Vocabulary, join_lines
from scholartools.readers.page import Line

_BRACKETED = re.compile(r"\[\s?[\w+&.-]{1,12}\s?\]")
_NUMBERED = re.compile(r"(\d{1,3})\s?([.)]?)(?=\s|[^\W\d_])")
_COLOPHON = re.compile(
    r"©|copyright\b|this (article|work) is (an open access|licensed)|publisher.s note", re.IGNORECASE
)
_DOI = re.compile(r"\b10\.\d{4,9}/\s?[^\s\"<>]+")
_ARXIV = re.compile(r"arxiv[^\w]{0,3}(?:preprint|e-prints?)?[^\w]{0,3}(?:arxiv[^\w]{0,2})?(?:abs/)?\s?"
                    r"(\d{4}\.\d{4,5}|[a-z][a-z.-]{1,12}/\d{7})|(?:abs|pdf)/(\d{4}\.\d{4,5})", re.I)  # fmt: skip
_YEAR = re.compile(r"(?<![\d./:–-])((?:1[89]|20)\d\d)[a-z]?(?![\d/]|[-–]\d)")
_QUOTED = re.compile(r"[“\"„«]([^”\"“«»]{8,300}?)[,.]?\s*[”\"“»]")
_AFTER_YEAR = re.compile(r"\(?(?:1[89]|20)\d\d[a-z]?\)?[.,:]\s+([^.?!]{8,300}[.?!])")
_AFTER_NAMES = re.compile(r"(?:\b[A-Z]\.|et al\.?|[a-z]{2})[.:]\s+([A-Z][^.?!]{12,300}[.?!])")


def split(lines: list[Line], vocabulary: Vocabulary) -> list[dict[str, Any]]:
    """The entries of the lines of a bibliography, in order, without their ids."""
    end = next((index for index, line in enumerate(lines) if _COLOPHON.match(line.text)), len(lines))
    lines = lines[:end]
    starts = _starts(lines)
    entries = [lines[a:b] for a, b in zip(starts, [*starts[1:], len(lines)])]
    texts = (join_lines(entry, vocabulary) for entry in entries)
    return [entry(text) for text in texts if len(text) > 12]


def entry(text: str) -> dict[str, Any]:
    """One reference with what can be found in it: title, year, DOI, arXiv identifier; None for what cannot."""
    doi = _DOI.search(text)
    arxiv = _ARXIV.search(text)
    return {
        "text": text,
        "title": _title(text),
        "year": _year(text),
        "doi": doi[0].replace(" ", "").rstrip(".,;)]}") if doi else None,
        "arxiv": (arxiv[1] or arxiv[2]) if arxiv else None,
    }


def _year(text: str) -> int | None:
    plain = _ARXIV.sub(" ", _DOI.sub(" ", text))
    bracketed = re.search(r"\(((?:1[89]|20)\d\d)[a-z]?\)", plain)
    years = [int(year) for year in _YEAR.findall(plain)]
    return int(bracketed[1]) if bracketed else years[-1] if years else None


def _title(text: str) -> str | None:
    for pattern in (_QUOTED, _AFTER_YEAR, _AFTER_NAMES):
        if found := pattern.search(_ARXIV.sub(". ", _DOI.sub(". ", text))):
            return found[1].strip(" .,")
    return None


def _starts(lines: list[Line]) -> list[int]:
    """Where entries begin: at their labels, else at hanging indents, else after a line that closes an entry."""
    bracketed = [index for index, line in enumerate(lines) if _BRACKETED.match(line.text)]
    if len(bracketed) > 1 and bracketed[0] < 2:
        return bracketed
    numbered = _counted(lines)
    if len(numbered) > 1 and numbered[0] < 2:
        return numbered
    hanging = _hanging(lines)
    return hanging if len(hanging) > 2 else _closed(lines)


def _counted(lines: list[Line]) -> list[int]:
    """Lines that begin with 1, 2, 3 ... in this order; a missing number or two are stepped over."""
    starts: list[int] = []
    expected, mark = 1, None
    for index, line in enumerate(lines):
        found = _NUMBERED.match(line.text)
        if not found or not expected <= int(found[1]) <= expected + (2 if starts else 0):
            continue
        if mark in (None, found[2]):  # "16 October" opens no entry where entries open with "16."
            starts.append(index)
            expected, mark = int(found[1]) + 1, found[2]
    return starts


def _hanging(lines: list[Line]) -> list[int]:
    """Lines at the left edge of their column where most others are indented."""
    starts: list[int] = []
    edges = _edges(lines)
    indented = sum(line.x0 > edges[_place(line)] + 3 for line in lines)
    if indented < 0.25 * len(lines):
        return []
    for index, line in enumerate(lines):
        if line.x0 <= edges[_place(line)] + 3:
            starts.append(index)
    return starts


def _place(line: Line) -> tuple[int, int]:
    return line.page, line.column


def _edges(lines: list[Line]) -> dict[tuple[int, int], float]:
    """The left edge of each column: its leftmost line start that at least two lines share, if any."""
    starts: dict[tuple[int, int], Counter[int]] = {}
    for line in lines:
        starts.setdefault(_place(line), Counter())[round(line.x0)] += 1
    widths = Counter(round(line.x0) for line in lines)
    return {place: float(min(x for x in found if widths[x] + widths[x - 1] + widths[x + 1] > 1 or len(found) == 1)
                         if any(widths[x] + widths[x - 1] + widths[x + 1] > 1 for x in found) else min(found))
            for place, found in starts.items()}  # fmt: skip


def _closed(lines: list[Line]) -> list[int]:
    """Lines after a gap, or after a line that ends an entry: a short one with a full stop."""
    starts = [0] if lines else []
    for index in range(1, len(lines)):
        above, line = lines[index - 1], lines[index]
        gap = line.y0 - above.y0 > 1.45 * line.size and above.column == line.column
        short = above.x1 < max(above.x1, line.x1) - 2 * line.size
        if gap or (above.text.endswith((".", "]")) and short and line.text[0].isupper()):
            starts.append(index)
    return starts
