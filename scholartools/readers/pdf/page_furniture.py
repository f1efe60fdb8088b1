"""Removal of page furniture: running heads and feet, page numbers, line numbers."""

from __future__ import annotations

import itertools
import re
import statistics
from collections import Counter, defaultdict
from collections.abc import Iterator
from operator import attrgetter
from typing import NamedTuple

from scholartools.readers.common.page import Body, Line, Page, letters_of
from scholartools.readers.common.roles import CHAPTER
from scholartools.readers.pdf.floats.captions import opens_caption
from scholartools.readers.pdf.footnotes import opens_note

_WORD = re.compile(r"[^\W\d_]{2}")
_CHAPTER = re.compile(r"\W*(?:\d+\W+)?(?:chapter|section|kapitel|chapitre|cap[íi]tulo)\b", re.IGNORECASE)
_DEEP = re.compile(r"(?:§+\s?)?\d{1,2}(?:\.\d{1,2}){1,3}\.?\s+[^\W\d_]{2}")
_DIGITS = re.compile(r"\d+")
_PAGE_NUMBER = re.compile(
    r"\W{0,2}(?:p(?:age|\.)?\s*)?(?:\d{1,5}|[ivxl]{1,6})(?!\)?[.,])\W{0,2}(?:(?:of|/)\s*\d{1,4}\W{0,2})?", re.IGNORECASE
)
_EDGE = 0.13  # share of the page's height at the top and bottom with running heads and feet
_NUMBER_EDGE = 0.18  # the same for page numbers, which some styles put far from the edge
_OFTEN = 3  # minimum pages with a repeated text further in than :data:`_EDGE` for a running head
_MOST_OF_HEAD = 2  # maximum lines in the style of the text in a head; more are text where other pages begin with floats
_EDGE_LINES = 4  # half of the number of rows at each edge that are examined
_LEVEL = 1.0  # maximum difference in y of the pieces of a row, in points
_ENTRY = 1.6  # minimum distance of the numbers of entries, in distances of the lines beside them
_NUMBERS = 5  # minimum line numbers on a page
_SLACK = 3.0  # tolerance of positions, in points
_UNDER_HEADING = 2.2  # maximum distance from a heading to the text below it, in leadings
_LARGE = 1.15  # headings are larger than this multiple of the text's size, running heads are smaller
_BOLD = 1.05  # the same for bold lines
_TITLE = 6  # minimum letters of a heading that is recognised in a running head
_HEAD_ROOM = 1.4  # minimum distance from a running head to the lines below it, in leadings
_LIST = 3  # minimum numbers aligned at one right edge in a table of contents
_STOPS = (".", "!", "?")
_TO_HEADING = 3.0  # maximum distance from the number of a heading to its words, in multiples of their size
_SENTENCE = 5  # minimum words of a repeated line that is returned as a sentence
_TEXT = 20  # a line of text beside which a page number can be has more letters
_NOTE = 12  # the first line of a note at the foot has more letters


class _KeyedEdge(NamedTuple):
    """A page and the lines near its top and bottom edge, each with its :func:`_repetition_key`."""

    page: Page
    lines: list[tuple[Line, tuple[str, int]]]


def strip_furniture(pages: list[Page], body: Body) -> list[Line]:
    """Remove page furniture from the pages, in place; hidden lines stay.

    Returns:
        Removed lines that may belong to the text: those removed only for being outside the frame of the text, and
        repeated sentences.
    """
    _drop_line_numbers(pages)
    _drop_numbers_beside(pages)
    # Computed once for all later steps, which otherwise take 1.2 times as long.
    edges = [_KeyedEdge(page, [(line, _repetition_key(line, body)) for line in _edge_lines(page, _NUMBER_EDGE)])
             for page in pages]  # fmt: skip
    repeated = _repeated_texts(edges, _EDGE, 2) | _repeated_texts(edges, _NUMBER_EDGE, _OFTEN)
    titles = {words for page in pages for line in page.lines if (words := _title_words(line, body))}
    sentences: list[Line] = []
    for page, keyed in edges:
        found = [line for line, key in keyed if key in repeated and not opens_caption(line.text)]
        found = _without_numbers(page, _without_text(page, found, body))
        alike = [line for line in found if _is_set_as_text(line, body) and line.text.endswith(_STOPS)]
        sentences += [line for line in alike if len(_WORD.findall(line.text)) >= _SENTENCE]
        heads = set(map(id, found))
        heads |= {id(line) for line in page.lines if _repeats_title(line, page, titles, body)}
        rest = [line for line in page.lines if id(line) not in heads]
        numbers = {id(line) for line, _ in keyed if _is_page_number(line, rest)}
        _drop_lines(page, heads | numbers)
    return [*sentences, *_outside_frame(pages, body)]


def _without_text(page: Page, found: list[Line], body: Body) -> list[Line]:
    """The page furniture among repeated lines at the edge: without those in the style of, and adjacent to, the text.

    Some pages begin or end with the same sentences, or with sentences that differ in numbers only.
    """
    alike = {id(line) for line in found if _is_set_as_text(line, body)}
    if not alike:
        return found
    apart = {id(line) for line in _lines_apart(page, found, body)} if len(alike) <= _MOST_OF_HEAD else set()
    return [line for line in found if id(line) in apart or id(line) not in alike]


def _without_numbers(page: Page, found: list[Line]) -> list[Line]:
    """Repeated lines without the numbers of headings, each with its heading right after it on its row: "A 1.2"."""
    ids = set(map(id, found))
    rest = [line for line in page.lines if id(line) not in ids] if found else []

    def is_number_of(line: Line, other: Line) -> bool:
        level = other.style == line.style and abs(other.y0 - line.y0) < _LEVEL
        return level and 0 < other.x0 - line.x1 < _TO_HEADING * line.size

    return [line for line in found if not any(is_number_of(line, other) for other in rest)]


def _is_set_as_text(line: Line, body: Body) -> bool:
    return _is_of_text(line, body) and line.style.font == body.font and not line.caps


def _drop_line_numbers(pages: list[Page]) -> None:
    """Remove line numbers, on short pages with few of them by the style of those on the other pages."""
    found = [line_numbers(page) for page in pages]
    if not any(found):
        return
    looks = Counter(line.style for page, ids in zip(pages, found) for line in page.lines if id(line) in ids)
    text = {line.style for page in pages for line in page.lines if line.letters > 3}
    own = {look for look, count in looks.items() if count >= 4 * _NUMBERS and look not in text}
    for page, ids in zip(pages, found):
        _drop_lines(page, ids | {id(line) for line in page.lines if line.style in own and line.text.isdecimal()})


def _drop_numbers_beside(pages: list[Page]) -> None:
    """Remove page numbers in the outer margin, at any height, that count up with the pages."""
    beside = [[line for line in page.lines if line.text.isdecimal() and _is_beside(line, page)] for page in pages]
    counts = Counter(int(line.text) - page.number for page, found in zip(pages, beside) for line in found)
    offset, count = counts.most_common(1)[0] if counts else (0, 0)
    if count >= _OFTEN:
        for page, found in zip(pages, beside):
            _drop_lines(page, {id(line) for line in found if int(line.text) - page.number == offset})


def _is_beside(line: Line, page: Page) -> bool:
    """Whether a line is left or right of all lines of text of its page."""
    text = [other for other in page.lines if other.letters > _TEXT]
    return bool(text) and (line.x1 < min(one.x0 for one in text) or line.x0 > max(one.x1 for one in text))


def line_numbers(page: Page) -> set[int]:
    """The ids of line numbers: increasing numbers in a vertical stack beside all text, one for each of its lines."""
    numbers = [line for line in page.lines if line.text.isdecimal() and len(line.text) <= 4]
    if len(numbers) < _NUMBERS:
        return set()
    text = [line for line in page.lines if line.letters > 3]
    found: set[int] = set()
    for edge in ("x0", "x1"):
        stacks: dict[int, list[Line]] = defaultdict(list)
        for line in numbers:
            stacks[round(getattr(line, edge) / _SLACK)].append(line)
        for stack in stacks.values():
            beside = sum(line.overlaps(stack[0]) for line in text) < 0.1 * len(stack) + 1
            if beside and _counts_up(stack) and not _labels_entries(stack, text):
                found |= set(map(id, stack))
    return found


def _counts_up(stack: list[Line]) -> bool:
    if len(stack) < _NUMBERS:
        return False
    values = [int(line.text) for line in sorted(stack, key=lambda line: line.y0)]
    steps = Counter(b - a for a, b in itertools.pairwise(values))
    return sum(n for step, n in steps.items() if 0 < step <= 5) >= 0.8 * (len(values) - 1)


def _labels_entries(stack: list[Line], text: list[Line]) -> bool:
    """Whether numbers label the entries of a list: they are further apart than the lines of the text beside them."""
    usual = Counter(round(line.x0) for line in text).most_common(1)
    tops = sorted(line.y0 for line in text if usual and abs(line.x0 - usual[0][0]) < _SLACK)
    steps = [below - above for above, below in itertools.pairwise(tops) if below - above > 1]
    rows = sorted((line.y0, int(line.text)) for line in stack)
    own = [(y - above) / (number - last) for (above, last), (y, number) in itertools.pairwise(rows) if number > last]
    return bool(steps and own) and statistics.median(own) > _ENTRY * statistics.median(steps)


def _edge_lines(page: Page, edge: float = _EDGE) -> list[Line]:
    """The lines of a page's outermost rows within ``edge``; banners of preprint servers have many pieces in a row."""
    ordered = sorted(page.lines, key=attrgetter("y0"))
    top = [line for line in _outer_rows(ordered) if line.y1 < edge * page.height]
    bottom = [line for line in _outer_rows(ordered[::-1]) if line.y0 > (1 - edge) * page.height]
    return top + bottom


def _outer_rows(ordered: list[Line]) -> Iterator[Line]:
    """The lines of the first rows, from lines sorted by y."""
    rows = 0
    last: float | None = None
    for line in ordered:
        rows += last is None or abs(line.y0 - last) > _LEVEL
        if rows > 2 * _EDGE_LINES:
            return
        yield line
        last = line.y0


def _repetition_key(line: Line, body: Body) -> tuple[str, int]:
    """The text with digits masked, and its rounded y; digits of headings such as "Chapter 2" are kept."""
    text = line.text.casefold()
    is_heading = _is_set_large(line, body) or CHAPTER.fullmatch(text) is not None
    return text if is_heading else _DIGITS.sub("#", text), round(line.y0 / _SLACK)


def _repeated_texts(edges: list[_KeyedEdge], edge: float, least: int) -> set[tuple[str, int]]:
    """Keys of texts that occur at about the same y near the edge of at least ``least`` pages."""
    seen: Counter[tuple[str, int]] = Counter()
    for page, lines in edges:
        top, bottom = edge * page.height, (1 - edge) * page.height
        seen.update({key for line, key in lines if line.y1 < top or line.y0 > bottom})
    return {
        (text, y)
        for text, y in seen
        if sum(seen.get((text, y + step), 0) for step in (-1, 0, 1)) >= least and _WORD.search(text)
    }


def _title_words(line: Line, body: Body) -> str:
    """The letters of a line in the style of a heading; empty for other lines and for short headings."""
    words = letters_of(line.text).casefold() if _is_set_large(line, body) else ""
    return words if len(words) >= _TITLE else ""


def _repeats_title(line: Line, page: Page, titles: set[str], body: Body) -> bool:
    """Whether a line is a running head: small, isolated at the top of a page, with the words of a heading."""
    if page.number == 1 or _is_set_large(line, body) or line.y1 > _EDGE * page.height:
        return False
    words = letters_of(_CHAPTER.sub("", line.text, count=1)).casefold()
    if words not in titles:
        return False
    return all(other.y0 - line.y0 > _HEAD_ROOM * body.leading for other in page.lines if other.y0 - line.y0 > _SLACK)


def _is_page_number(line: Line, lines: list[Line]) -> bool:
    """Whether a number is isolated on a page, with at most two lines of text further out."""
    if not _PAGE_NUMBER.fullmatch(line.text):
        return False
    if any(abs(other.y0 - line.y0) < _SLACK and 0 < other.x0 - line.x1 < 4 * line.size for other in lines):
        return False  # a number that belongs to the text after it on its row
    if _is_listed(line, lines):
        return False
    above = sum(other.y1 < line.y0 and other.letters > 2 for other in lines)
    below = sum(other.y0 > line.y1 and other.letters > 2 for other in lines)
    return min(above, below) <= 2


def _is_listed(line: Line, lines: list[Line]) -> bool:
    """Whether a number ends a row of a table of contents: aligned with other numbers, each after words in its style."""

    def ends_row(number: Line) -> bool:
        return any(
            abs(other.y1 - number.y1) < _SLACK and other.x1 < number.x0 and other.style == number.style
            for other in lines if other.letters > 2
        )  # fmt: skip

    below = [other for other in lines if abs(other.x1 - line.x1) < _SLACK and _PAGE_NUMBER.fullmatch(other.text)]
    return len(below) >= _LIST and ends_row(line) and sum(map(ends_row, below)) >= _LIST


def _outside_frame(pages: list[Page], body: Body) -> list[Line]:
    """Remove and return lines outside the frame of the other pages' text, such as heads that do not repeat.

    Headings, and text of the first page that is nearly as large as the largest, stay.
    """
    extents = {
        page.number: _text_extent(page, body) for page in pages if sum(line.letters for line in page.lines) > 600
    }
    largest = max((line.size for line in pages[0].lines), default=0.0)
    dropped: list[Line] = []
    for page in pages:
        others = [extent for number, extent in extents.items() if number not in (1, page.number)]
        if len(others) < 2:
            continue
        top, bottom = min(extent[0] for extent in others), max(extent[1] for extent in others)
        outside = [line for line in _edge_lines(page) if line.y1 < top - _SLACK or line.y0 > bottom + _SLACK]
        apart = _lines_apart(page, [line for line in outside if not _is_of_page(line, page, body)], body)
        apart = [line for line in apart if not line.hidden and (
            line.size <= 0.8 * largest if page.number == 1 else not _is_set_large(line, body))]  # fmt: skip
        apart = [line for line in apart if not _heads_text(line, page, pages, body)]
        apart = [] if sum(_is_of_text(line, body) for line in apart) > _MOST_OF_HEAD else apart
        _drop_lines(page, set(map(id, apart)))
        dropped += apart
    return dropped


def _heads_text(line: Line, page: Page, pages: list[Page], body: Body) -> bool:
    """Whether a bold line, or one with a number such as 4.2, at the top of a page is a heading.

    It is over text, and in a style that pages have further down.
    """
    strong = line.bold or _DEEP.match(line.text) is not None
    if not strong or page.number == 1 or line.y0 > page.height / 2:
        return False
    near = (0 < other.y0 - line.y0 <= _UNDER_HEADING * body.leading for other in page.lines if _is_of_text(other, body))
    edge = _EDGE * page.height
    return any(near) and any(
        other.style == line.style and edge < other.y0 < page.height - edge for one in pages for other in one.lines
    )


def _is_set_large(line: Line, body: Body) -> bool:
    """Whether a line is as large as a heading and larger than running heads."""
    return line.size > _LARGE * body.size or (line.size > _BOLD * body.size and line.bold)


def _is_of_text(line: Line, body: Body) -> bool:
    return abs(line.size - body.size) < 0.6 and line.letters > 20


def _is_of_page(line: Line, page: Page, body: Body) -> bool:
    """Whether a line outside the frame continues a sentence of the text, or begins a note at the foot."""
    goes_on = _is_of_text(line, body) and line.style.font == body.font and line.text[0].islower()
    return goes_on or (line.y0 > page.height / 2 and opens_note(line) and line.letters > _NOTE)


def _text_extent(page: Page, body: Body) -> tuple[float, float]:
    text = [line for line in page.lines if _is_of_text(line, body)] or page.lines
    return min(line.y0 for line in text), max(line.y1 for line in text)


def _lines_apart(page: Page, outside: list[Line], body: Body) -> list[Line]:
    """The lines among ``outside`` that are not connected to the page's other lines by distances of lines of text."""
    inside = [line for line in page.lines if line not in outside]
    while inside:
        inside = [line for line in outside if any(_is_near(line, other, body) for other in inside)]
        outside = [line for line in outside if line not in inside]
    return outside


def _is_near(line: Line, other: Line, body: Body) -> bool:
    """Whether two lines are at the distance of lines of text, or of a heading and its text."""
    heads = other.y0 < line.y0 and (other.bold or other.size > 1.05 * body.size)
    return abs(other.y0 - line.y0) <= (_UNDER_HEADING if heads else 1.3) * body.leading and other.overlaps(line)


def _drop_lines(page: Page, ids: set[int]) -> None:
    if ids:
        page.lines = [line for line in page.lines if line.hidden or id(line) not in ids]
