"""Find the first lines of a bibliography's entries, and bibliographies without a heading."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from scholartools.readers.common.hyphenation import compose_accents
from scholartools.readers.common.page import Line
from scholartools.readers.references.identifiers import find_year
from scholartools.readers.references.names import Names, leading_names

_BRACKETED = (
    re.compile(r"\[\s?[A-Z]?\d{1,4}\s?\]"),  # [12], [S3]
    re.compile(r"\[[^\W\d_][^\[\]]{0,80}\d\d[a-z]?\]|\[[^\W\d_][^\[\]]{2,80}$"),  # [Knu84], [Knuth and Plass, 1981]
    re.compile(r"\[(?!Online|CrossRef|PubMed|Internet|Accessed)[A-Za-z+&-]{2,12}\]"),  # [Knu]
)
_NUMBERED = re.compile(r"(\(?)(\d{1,3})\s?([.)]?)(?=\s*[^\W\d_]|\s*[“\"]|(?<=[.)])\s)")
_OPENS_LIST = re.compile(r"(?:\[1\]|\(1\)|1\.)\s*\S")
_OPENS = re.compile(r"(?=(\[|\(|\d))[\[(]?(\d{1,3})[\]).]\s*\S")
_YEAR = re.compile(r"(?<!\d)(?:1[89]|20)\d\d(?!\d)|arXiv:\s?\d{4}\.\d{4,5}|\b[a-z-]{2,10}/\d{7}\b")  # or a dated id
_LEAST = 5  # minimum number of entries in a bibliography without a heading
_DATED = 0.7  # minimum share of its entries with a year
_LINES = 12  # maximum number of lines of such an entry
_OPENS_WITH_NAME = re.compile(r"[^\W\d_][\w.’'‘-]*(?:\s[\w.’'‘-]+){0,4},|[—–_-]{3,}|(?:[A-Z]\.[\s-]?){1,3}[A-Z]")
_CLOSED = re.compile(r"[.\])”\"]$|https?://\S+$|\d$")
_SHOWN = 4  # lines of an entry in which its names and date are searched for
_BETTER = 0.3  # a split replaces an earlier one if its score is higher by more than this share of its entries
_SORTED = 0.8  # minimum share of neighbouring entries in alphabetical order
_SHARED = 0.04  # minimum share of all lines that begin at the edge of a column
_OWN_SHARE, _FEW = 0.1, 3  # the same share of the column's own lines, and the minimum of these
_INDENT = (0.5, 5.0)  # range of indents of entries, in font sizes


def find_unheaded(lines: list[Line]) -> tuple[int, int] | None:
    """Find a bibliography without a heading.

    Its entries are numbered [1], [2] ... or 1., 2. ... and have years, or open with names and years in alphabetical
    order. The last such lines are taken.

    Returns:
        Index of its first line, and one past its last; None if there are fewer than :data:`_LEAST` such entries.
    """
    return _find_counted(lines) or _find_alphabetical(lines)


def _find_counted(lines: list[Line]) -> tuple[int, int] | None:
    for first in (index for index in range(len(lines) - 1, -1, -1) if _OPENS_LIST.match(lines[index].text)):
        starts = [first + start for start in _counted_labels(lines[first:])]
        if len(starts) < _LEAST:
            continue
        entries = [lines[a:b] for a, b in pairwise(starts)]
        dated = sum(any(_YEAR.search(line.text) for line in entry) for entry in entries)
        if dated >= _DATED * len(entries) and all(len(entry) <= _LINES for entry in entries):
            return first, _end_of_entry(lines, starts)
    return None


def _find_alphabetical(lines: list[Line]) -> tuple[int, int] | None:
    """The last run of entries that open with names in alphabetical order and a date, a few lines apart."""
    chain: list[int] = []
    for start in reversed(_named_starts(lines)):
        if chain and chain[0] - start > _LINES:
            if len(chain) >= _LEAST:
                break
            chain = []
        chain.insert(0, start)
    names = [lines[start].text.casefold() for start in chain]
    in_order = sum(one[:3] <= other[:3] for one, other in pairwise(names))
    if len(chain) < _LEAST or in_order < _SORTED * (len(chain) - 1):
        return None
    return chain[0], _end_of_entry(lines, chain)


def _counted_labels(lines: list[Line]) -> list[int]:
    """Indices of lines with labels 1, 2, 3 ... without gaps, in the same kind of bracket as the first line."""
    starts: list[int] = []
    bracket = _opening_bracket(_OPENS.match(lines[0].text))
    for index, line in enumerate(lines):
        label = _OPENS.match(line.text)
        if label and int(label[2]) == len(starts) + 1 and _opening_bracket(label) == bracket:
            starts.append(index)
    return starts


def _opening_bracket(label: re.Match[str] | None) -> str:
    """The opening bracket of a label; empty for "1."."""
    return label[1].strip("0123456789") if label else ""


def _end_of_entry(lines: list[Line], starts: list[int]) -> int:
    """Index one past the last line of the last entry, whose lines are indented like those of the other entries."""
    indents = Counter(
        round(lines[start + 1].x0 - lines[start].x0) for start, end in pairwise(starts) if end - start > 1
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


def entry_starts(lines: list[Line]) -> list[int]:
    """Indices of the first lines of entries: by labels, else by indents, ends of entries, or names with dates."""
    for label in _BRACKETED:
        bracketed = [index for index, line in enumerate(lines) if label.match(line.text)]
        if len(bracketed) > 1 and bracketed[0] < 2:
            return bracketed
    numbered = _counted_starts(lines)
    if len(numbered) > 1 and numbered[0] < 2:
        return numbered
    return _best_split(lines)


def _best_split(lines: list[Line]) -> list[int]:
    """First lines of entries without labels, by several methods; a later method wins only if it is much better."""
    hanging, named = _hanging_starts(lines), _named_starts(lines)
    turned = {at for at in named if at and _column_of(lines[at]) != _column_of(lines[at - 1])}
    best = hanging if len(hanging) > 2 else sorted({*_starts_after_end(lines), *turned})
    if set(named) <= set(best):
        return best
    good = _count_good(lines, best, named)
    for other in (_indented_starts(lines), named):
        found = _count_good(lines, other, named)
        if len(other) > 2 and found > good + _BETTER * len(other):
            best, good = other, found
    return best


def _count_good(lines: list[Line], starts: list[int], named: list[int]) -> int:
    """Score of a split: number of good entries minus bad ones; a good one has names, a year, and no second entry."""
    good = 0
    for start, end in pairwise([*starts, len(lines)]):
        merged = bisect_right(named, start) < bisect_left(named, end)
        good += not merged and _is_named_and_dated(lines[start:end])
    return 2 * good - len(starts)


def _is_named_and_dated(entry: list[Line]) -> bool:
    names = _names_of(entry)
    return names is not None and (names.certain or names.dated) and find_year(_plain_text(entry)) is not None


def _names_of(entry: Sequence[Line]) -> Names | None:
    return leading_names(_plain_text(entry[:_SHOWN]))


def _plain_text(entry: Sequence[Line]) -> str:
    return compose_accents(" ".join(line.text for line in entry)).replace("- ", "")


def _indented_starts(lines: list[Line]) -> list[int]:
    """Lines indented from the left edge of their column, and the first line, which often is not indented."""
    edges = _column_edges(lines)
    low, high = _INDENT
    return [
        index
        for index, line in enumerate(lines)
        if not index or low * line.size < line.x0 - edges[_column_of(line)] < high * line.size
    ]


def _named_starts(lines: list[Line]) -> list[int]:
    """Lines that open with names and a date, after a line that may end an entry."""
    return [index for index, line in enumerate(lines)
            if _OPENS_WITH_NAME.match(line.text) and (not index or _CLOSED.search(lines[index - 1].text))
            and (names := _names_of(lines[index : index + _SHOWN])) and names.certain and names.dated]  # fmt: skip


def _counted_starts(lines: list[Line]) -> list[int]:
    """Lines that begin with 1, 2, 3 ... in order; up to two missing numbers are skipped."""
    starts: list[int] = []
    expected = 1
    mark: tuple[str, str] | None = None
    for index, line in enumerate(lines):
        found = _NUMBERED.match(line.text)
        if not found or not expected <= int(found[2]) <= expected + (2 if starts else 0):
            continue
        if mark in (None, (found[1], found[3])):  # "16 October" starts no entry if labels have the form "16."
            starts.append(index)
            expected, mark = int(found[2]) + 1, (found[1], found[3])
    return starts


def _hanging_starts(lines: list[Line]) -> list[int]:
    """Lines at the left edge of their column, if at least a quarter of all lines are indented."""
    starts: list[int] = []
    edges = _column_edges(lines)
    indented = sum(line.x0 > edges[_column_of(line)] + 3 for line in lines)
    if indented < 0.25 * len(lines):
        return []
    for index, line in enumerate(lines):
        if line.x0 <= edges[_column_of(line)] + 3 or _hangs_over(lines, index):
            starts.append(index)
    return starts


def _hangs_over(lines: list[Line], index: int) -> bool:
    """Whether a line is left of the lines below and above, the latter ending an entry; finds shifted column edges."""
    line, above = lines[index], lines[index - 1] if index else None
    below = lines[index + 1] if index + 1 < len(lines) else None
    if below is None or _column_of(below) != _column_of(line) or (above and not _CLOSED.search(above.text)):
        return False
    low, high = _INDENT
    hangs = low * line.size < below.x0 - line.x0 < high * line.size
    apart = above is None or _column_of(above) != _column_of(line) or above.x0 - line.x0 > low * line.size
    return hangs and apart


def _column_of(line: Line) -> tuple[int, int]:
    return line.page, line.column


def _column_edges(lines: list[Line]) -> dict[tuple[int, int], float]:
    """The left edge of each column: its leftmost line start, preferably one that enough lines share.

    These are lines in all columns, or in one: the columns of a single page may be elsewhere than those of all others.
    """
    starts: dict[tuple[int, int], Counter[int]] = {}
    for line in lines:
        starts.setdefault(_column_of(line), Counter())[round(line.x0)] += 1
    count = Counter(round(line.x0) for line in lines)
    least = max(2, _SHARED * len(lines))
    shared = {x for x in count if count[x] + count[x - 1] + count[x + 1] >= least}
    return {place: float(min(shared.intersection(found) | _often(found) or found)) for place, found in starts.items()}


def _often(found: Counter[int]) -> set[int]:
    """The starts that a share of a column's own lines have."""
    least = max(_FEW, _OWN_SHARE * found.total())
    return {x for x in found if found[x] + found[x - 1] + found[x + 1] >= least}


def _starts_after_end(lines: list[Line]) -> list[int]:
    """Lines after a vertical gap, or after a line that ends an entry: a short line with a full stop or bracket."""
    starts = [0] if lines else []
    for index in range(1, len(lines)):
        above, line = lines[index - 1], lines[index]
        gap = line.y0 - above.y0 > 1.45 * line.size and above.column == line.column
        short = above.x1 < max(above.x1, line.x1) - 2 * line.size
        if gap or (above.text.endswith((".", "]")) and short and line.text[0].isupper()):
            starts.append(index)
    return starts
