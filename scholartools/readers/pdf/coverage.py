"""Warnings of running text on the pages that is missing in the record."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from typing import Any, NamedTuple

from scholartools.readers.common.hyphenation import compose_accents
from scholartools.readers.common.ids import new_warning
from scholartools.readers.common.page import Line, Page, box_of_lines, letters_of
from scholartools.readers.pdf.columns import CELL

_NOT_SIGN = re.compile(r"[\W_]+")
_LETTERS = re.compile(r"[^\W\d_]+")
_WORD = re.compile(r"[^\W\d_]{2,}")
_PIECE = 12  # minimum letters of a piece that is searched if the whole line is not found
_MOST = 0.7  # minimum share of a line's letters in such pieces
_LEAST_WORDS = 4  # minimum words of a line of running text
_STOPS = (".", "!", "?")
_IN_SENTENCE = 0.6  # minimum share of lowercase words in a table cell that is a sentence
_IN_SMALL = 0.4  # minimum share of words with a lowercase initial in a block; names and addresses have fewer
_LEAST = 24  # minimum letters of a reported block
_LEAST_SIGNS = 6  # minimum letters and digits of a reported line with few words
_LEAST_IN_FLOAT = 40  # the same as _LEAST for a block with lines taken as content of a float; labels have fewer
_NEAR = 2.2  # maximum distance of consecutive lines of a block, in multiples of the font size
_QUOTED = 60  # length of the quotation in a warning, in characters


class Shown(NamedTuple):
    """A visible line with the text that it had before later steps changed the line.

    Attributes:
        letters: the letters of the text, case-folded.
        wordy: whether the line has enough words for running text, or a cell that is a sentence.
    """

    line: Line
    text: str
    letters: str
    wordy: bool


def visible_lines(pages: Iterable[Page], besides: Iterable[Line]) -> list[Shown]:
    """Snapshots of the visible lines of the pages and of further lines (``besides``), in the order of the pages."""
    lines = [line for page in pages for line in page.lines if not line.hidden]
    order = sorted([*lines, *besides], key=lambda line: line.page)
    return [Shown(line, line.text, _only_letters(line.text), _is_wordy(line)) for line in order]


def missing_text_warnings(
    shown: list[Shown], record: dict[str, Any], floats: Mapping[int, str]
) -> list[dict[str, Any]]:
    """Warnings of kind ``text-missing``, at most one per page: running text that is in no key of the record.

    Rows of tables without a sentence, labels of drawings, names and addresses are not running text. A line counts as
    present if its letters occur contiguously in the record, where each occurrence is used for one line only, or if
    most of them occur in pieces of a few words.

    Args:
        shown: all lines of the paper, without page furniture.
        record: the paper record.
        floats: the label of the figure, table or algorithm that contains a line, by the line's ``id()``.

    Returns:
        Notices. ``text`` states the number of lines, their share of all letters, and the first words; ``bbox`` encloses
        the lines.
    """
    held = _RecordLetters(record)
    lost = [one for one in shown if one.wordy and not held.take(one.letters)]
    rest = held.rest() if lost else ""
    lost = [one for one in lost if not _has_pieces(rest, one.text)]
    total = sum(len(one.letters) for one in shown)
    by_page: dict[int, list[Shown]] = {}
    for block in _group_lines(lost):
        least = _LEAST_IN_FLOAT if any(id(one.line) in floats for one in block) else _LEAST
        if _reads_like_text(block, least):
            by_page.setdefault(block[0].line.page, []).extend(block)
    for one in _lost_among_text(shown, set(map(id, lost)), record, floats):
        by_page.setdefault(one.line.page, []).append(one)
    return [_missing_text_warning(number, lines, total, floats) for number, lines in sorted(by_page.items())]


def _lost_among_text(
    shown: list[Shown], lost: set[int], record: dict[str, Any], floats: Mapping[int, str]
) -> Iterator[Shown]:
    """Missing lines with few words (numbers, dates, addresses) right below a line of text that is in the record."""
    texts, held = "\n".join(_iter_texts(record)), ""
    for above, one in pairwise(shown):
        if id(one.line) in floats or one.wordy or not _goes_on_below(above, one) or id(above) in lost:
            continue
        if one.text in texts or len(_only_signs(one.text)) < _LEAST_SIGNS:
            continue
        held = held or "\n".join(map(_only_signs, _iter_texts(record)))
        words = one.text.split()
        # The number of a heading and the mark of a note are in separate keys.
        parts = {_only_signs(" ".join(part)) for part in (words, words[1:], words[:-1])}
        if not any(part and part in held for part in parts):
            yield one


def _goes_on_below(above: Shown, one: Shown) -> bool:
    """Whether a line is right below a line of running text of the same style."""
    alike = above.line.style == one.line.style and above.line.column == one.line.column
    return alike and above.wordy and _follows_closely(above.line, one.line) and one.line.overlaps(above.line)


def _missing_text_warning(number: int, lines: list[Shown], total: int, floats: Mapping[int, str]) -> dict[str, Any]:
    share = sum(len(one.letters) for one in lines) / total
    many = f"{len(lines)} lines" if len(lines) > 1 else "1 line"
    words = lines[0].text[:_QUOTED].strip()
    labels = dict.fromkeys(label for one in lines if (label := floats.get(id(one.line))))
    taken = f", taken for the content of {', '.join(labels)}" if labels else ""
    text = f'{many} of text ({share:.1%} of the paper) in no part of the record{taken}: "{words} ..."'
    return {
        **new_warning("text-missing", text, number),
        "bbox": [round(edge, 1) for edge in box_of_lines(one.line for one in lines)],
    }


def _only_letters(text: str) -> str:
    """The letters of a text, case-folded, so that hyphens, spaces and punctuation do not matter."""
    return letters_of(compose_accents(text)).casefold()


def _only_signs(text: str) -> str:
    """The letters and digits of a text, case-folded."""
    return _NOT_SIGN.sub("", compose_accents(text)).casefold()


def _is_wordy(line: Line) -> bool:
    """Whether a line reads like running text: at most two cells with many words, or a sentence in one of its cells."""
    least = _LEAST_WORDS * line.cells**2
    if line.cells <= 2 and (_has_words(line.text, least) or len(_WORD.findall(line.text)) >= least):
        return True
    return line.cells > 1 and any(map(_is_sentence, "".join(span.text for span in line.spans).split(CELL)))


def _has_words(text: str, least: int) -> bool:
    """Whether splitting at spaces, which is fast, already finds enough words."""
    return sum(len(word) > 1 for word in text.split() if word.isalpha()) >= least


def _is_sentence(cell: str) -> bool:
    """Whether a cell is a whole sentence; heads, labels and values lack a full stop or have few lowercase words."""
    words, plain = _WORD.findall(cell), cell.strip()
    small = sum(map(str.islower, words))
    return plain[:1].isupper() and plain.endswith(_STOPS) and small >= max(_LEAST_WORDS, _IN_SENTENCE * len(words))


def _reads_like_text(block: list[Shown], least: int) -> bool:
    words = [word for one in block for word in _WORD.findall(one.text)]
    small = len(words) if all(map(str.isupper, words)) else sum(word[0].islower() for word in words)
    return small >= _IN_SMALL * len(words) and sum(map(len, words)) >= least


def _group_lines(lost: list[Shown]) -> Iterator[list[Shown]]:
    """Group lines of a page that follow each other at the distance of lines of text."""
    block: list[Shown] = []
    for one in lost:
        if block and not _follows_closely(block[-1].line, one.line):
            yield block
            block = []
        block.append(one)
    if block:
        yield block


def _follows_closely(above: Line, line: Line) -> bool:
    near = -2.0 < line.y0 - above.y0 < _NEAR * max(line.size, above.size) or line.column != above.column
    return line.page == above.page and near


class _RecordLetters:
    """The letters of all texts of a record, each of which can be matched only once."""

    def __init__(self, record: dict[str, Any]) -> None:
        self._text = "\n".join(map(_only_letters, _iter_texts(record)))
        self._taken = bytearray(len(self._text))
        self._places: list[tuple[int, int]] = []
        self._next = 0

    def take(self, letters: str) -> bool:
        """Find a contiguous unused occurrence of the letters, mark it as used, and return whether there is one."""
        for start in (self._next, 0):
            place = self._text.find(letters, start)
            while place >= 0:
                end = place + len(letters)
                if self._taken.find(1, place, end) < 0:
                    self._taken[place:end] = b"\1" * len(letters)
                    self._places.append((place, end))
                    self._next = end
                    return True
                place = self._text.find(letters, place + 1)
        return False

    def rest(self) -> str:
        """The unused letters, with a line break in place of each used piece."""
        places = sorted(self._places)
        starts = [0, *(end for _, end in places)]
        return "\n".join(self._text[a:b] for a, b in zip(starts, [*(start for start, _ in places), len(self._text)]))


def _has_pieces(rest: str, text: str) -> bool:
    """Whether most of a line occurs in the text in pieces of a few words, such as a heading and the text after it."""
    words = [_only_letters(word) for word in _LETTERS.findall(compose_accents(text))]
    found = at = 0
    while at < len(words):
        end = at
        while end < len(words) and "".join(words[at : end + 1]) in rest:
            end += 1
        piece = sum(map(len, words[at:end]))
        found += piece if piece >= _PIECE else 0
        at = max(end, at + 1)
    return found >= _MOST * sum(map(len, words))


def _iter_texts(value: Any) -> Iterator[str]:
    """Every text in a record."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for one in value.values():
            yield from _iter_texts(one)
    elif isinstance(value, list):
        for one in value:
            yield from _iter_texts(one)
