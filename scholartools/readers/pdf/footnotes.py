"""Footnotes and notes under tables, which are removed from the pages and kept separately."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any

from scholartools.readers.common.hyphenation import Vocabulary, join_texts
from scholartools.readers.common.page import (
    Body,
    Box,
    Line,
    Page,
    box_of_lines,
    covered_width,
)
from scholartools.readers.common.roles import ABSTRACT_LABEL, heads_references
from scholartools.readers.pdf.columns import MARGIN

Note = list[Line]

_NOTE_MARK = re.compile(r"[*†‡§¶∗⋆♯]|[⁰¹²³⁴⁵⁶⁷⁸⁹]+|\d{1,2}(?!st |nd |rd |th )(?=[^\W\d_]|\s?https?:)")
_MARK = re.compile(r"([*†‡§¶∗⋆♯]{1,3}|[⁰¹²³⁴⁵⁶⁷⁸⁹]+|\d{1,2})\s*")
_LETTERED = re.compile(r"([a-z]{1,2})\s*(?=[A-Z“\"])")
_TABLE_NOTE = re.compile(
    r"(?:notes?|abbreviations?|legend|sources?|anmerkungen?|quellen?|remarques?|nota)\b", re.IGNORECASE
)
_SMALL = 0.94  # text at a column's foot may be notes below this size, in multiples of the body's size
_APART = 2.0  # maximum distance of lines of notes, in leadings
_FOOT = 0.45  # footnotes lie below this share of the page's height, from the top
_FULL = 0.5  # a rule wider than this share of a table's width belongs to the table
_INDENT = 0.2  # maximum indentation of a note under a table, as a share of the table's width
_WORDS = 3  # a note that opens with a mark has more letters
_SENTENCE = 25  # a note without a mark, under the table's last rule, has more letters
_MOST = 100  # upper bound on the rules of a column that are tested
_RULE = (0.12, 0.6)  # range of the width of a rule above footnotes, as a share of the column's width


def note_record(note: Note, vocabulary: Vocabulary) -> dict[str, Any]:
    """Record of a footnote: its text without the mark at its beginning, the mark or None, and the page."""
    first = note[0]
    found = _LETTERED.match(first.text) if _is_set_off(first) else None
    if not found and (_is_set_off(first) or _NOTE_MARK.match(first.text)):
        found = _MARK.match(first.text)
    rest = first.text[found.end() :] if found else first.text
    text = join_texts([rest, *(line.text for line in note[1:])], vocabulary)
    return {"mark": found[1] if found else None, "text": text, "page": first.page}


def opens_note(line: Line) -> bool:
    """Whether a line begins with the mark of a note."""
    if line.spans[0].style.raised or _NOTE_MARK.match(line.text):
        return True
    return _is_set_off(line) and (_LETTERED.match(line.text) or _MARK.match(line.text)) is not None


def _is_set_off(line: Line) -> bool:
    """Whether a line begins with raised or small characters."""
    lead = next((span for span in line.spans if span.text.strip()), line.spans[0])
    return lead.style.raised or lead.style.size < 0.85 * line.size


def take_footnotes(page: Page, body: Body, entries: Collection[int] = ()) -> list[Note]:
    """Remove the footnotes from the page: small text at the foot of a column that begins with a mark.

    Small text at the foot of the first page (addresses, permissions, dates) and text in the margin need no mark.
    ``entries`` has the ids of the lines of a bibliography, which are not notes.
    """
    notes: list[Note] = []
    for column in sorted({line.column for line in page.lines} - {MARGIN}):
        lines = [line for line in page.lines if line.column == column and not line.hidden and id(line) not in entries]
        notes += _column_notes(page, sorted(lines, key=lambda line: line.y0), body)
    notes += _split_notes([line for line in page.lines if line.column == MARGIN and not line.hidden], whole=True)
    taken = {id(line) for note in notes for line in note}
    page.lines = [line for line in page.lines if id(line) not in taken]
    return notes


def _column_notes(page: Page, lines: list[Line], body: Body) -> list[Note]:
    if ruled := _under_rule(lines, page, body):
        return _split_notes(ruled, whole=True)
    return _split_notes(_small_foot(lines, page, body), whole=page.number == 1)


def _split_notes(lines: list[Line], *, whole: bool) -> list[Note]:
    """Split lines into notes at their marks; with ``whole``, lines before the first mark are a note, too."""
    starts = [index for index, line in enumerate(lines) if opens_note(line)]
    if lines and whole and (not starts or starts[0]):
        starts = [0, *starts]
    return [lines[a:b] for a, b in zip(starts, [*starts[1:], len(lines)])]


def _under_rule(lines: list[Line], page: Page, body: Body) -> list[Line]:
    """The lines of a column under the short rule above footnotes, if there is one.

    They need no mark under the last rule of the column. Under other rules they do, and a table may be below them.
    """
    if not lines:
        return []
    x0, _, x1, y1 = box_of_lines(lines)
    own = (x0, 0.0, x1, 0.0)
    rules = [rule for rule in page.rules if covered_width(rule, own) > 0 and rule[1] > _FOOT * page.height]
    rules.sort(key=lambda rule: -rule[1])
    last = next((rule for rule in rules if rule[1] < y1 + body.leading), None)
    for rule, below in list(zip(rules, [None, *rules]))[:_MOST]:
        if abs(rule[0] - x0) > body.size or not _RULE[0] < covered_width(rule, own) < _RULE[1]:
            continue
        under = _small_below(lines, rule[1], below[1] if below else page.height, body)
        if under and under[0].letters > _WORDS and (rule is last or opens_note(under[0])):
            return under
    return []


def _small_below(lines: list[Line], top: float, stop: float, body: Body) -> list[Line]:
    """The lines between ``top`` and ``stop`` right below ``top``; none if any of them is not smaller than the body."""
    below = [line for line in lines if line.y1 > top and line.y0 > top - body.size and line.y1 < stop]
    if not below or below[0].y0 - top > body.leading:
        return []
    apart = (index for index in range(1, len(below)) if below[index].y0 - below[index - 1].y0 > _APART * body.leading)
    near = below[: next(apart, len(below))]
    return near if all(line.size < body.size for line in near) else []


def _small_foot(lines: list[Line], page: Page, body: Body) -> list[Line]:
    """The small lines at the foot of a column, without a table above them."""
    foot = len(lines)
    while foot and lines[foot - 1].size < _SMALL * body.size:
        apart = foot < len(lines) and lines[foot].y0 - lines[foot - 1].y0 > _APART * body.leading
        if page.number > 1 and (apart or lines[foot - 1].cells > 2):
            break
        foot -= 1
    small = lines[foot:] if page.number > 1 else _below_abstract(lines[foot:])
    if not small or small[0].y0 < _FOOT * page.height or (foot and heads_references(lines[foot - 1].text)):
        return []
    return [] if small[0].column == 0 and small[-1].y1 < 0.7 * page.height else small


def _below_abstract(lines: list[Line]) -> list[Line]:
    """The small lines of the first page after its abstract: from the first wide gap or note mark below the label."""
    label = next((at for at, line in enumerate(lines) if ABSTRACT_LABEL.fullmatch(line.text)), None)
    if label is None:
        return lines
    for at in range(label + 2, len(lines)):
        pitch = lines[at].y0 - lines[at - 1].y0
        if pitch > 1.6 * (lines[at - 1].y0 - lines[at - 2].y0) > 0 or opens_note(lines[at]):
            return lines[at:]
    return []


def under_table(rows: list[Line], rules: list[Box], body: Body) -> list[Note]:
    """The notes under a table: single-cell lines below its last rule or row that form sentences or begin with a mark.

    Args:
        rows: the lines of the table and below it, from top to bottom.
        rules: the horizontal lines of the page.
    """
    if not rows:
        return []
    cells = [index for index, line in enumerate(rows) if line.cells > 1]
    x0, y0, x1, y1 = box_of_lines(rows)
    wide = (rule for rule in rules if covered_width(rule, (x0, y0, x1, y1)) > _FULL)
    ends = [rule[1] for rule in wide if y0 - body.leading < rule[1] < y1 + body.leading]
    below = [line for line in rows[cells[-1] + 1 if cells else 0 :] if not ends or line.y0 + line.y1 > 2 * max(ends)]
    if not below or below[0].x0 - x0 > _INDENT * (x1 - x0):
        return []
    apart = (index for index in range(1, len(below)) if below[index].y0 - below[index - 1].y0 > _APART * body.leading)
    note = below[: next(apart, len(below))]
    marked = opens_note(note[0]) or _TABLE_NOTE.match(note[0].text)
    letters = sum(line.letters for line in note)
    return _split_notes(note, whole=True) if letters > (_WORDS if marked else _SENTENCE if ends else letters) else []
