"""What a page carries besides its text: running heads and feet, page numbers, line numbers, margin notes."""

from __future__ import annotations

import itertools
import re
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
_DIGITS = re.compile(r"\d+")
_PAGE_NUMBER = re.compile(
    r"\W{0,2}(?:p(?:age|\.)?\s*)?(?:\d{1,5}|[ivxl]{1,6})(?!\)?[.,])\W{0,2}(?:(?:of|/)\s*\d{1,4}\W{0,2})?", re.IGNORECASE
)
_EDGE = 0.13  # share of the page's height, above and below, in which running heads and feet are
_NUMBER_EDGE = 0.18  # the same for page numbers, which some styles set far from the edge
_OFTEN = 3  # pages on which what is further in than :data:`_EDGE` is a running head
_MOST_OF_HEAD = (
    2  # lines set like the text that a head can have; more are text above floats that other pages begin with
)
_EDGE_LINES = 4
_LEVEL = 1.0  # points by which the pieces of a row differ in height, at most
_NUMBERS = 5  # line numbers on a page from which they are taken as such
_SLACK = 3.0  # points
_UNDER_HEADING = 2.2  # leadings from a heading to the text below it, at most
_LARGE = 1.15  # times the text's size, of headings; running heads are smaller
_BOLD = 1.05  # the same of bold lines
_TITLE = 6  # letters of a heading that is known again in a running head, at least
_HEAD_ROOM = 1.4  # leadings from a running head to what is below it, at least
_LIST = 3  # numbers below each other at one right edge that are those of a list of contents, at least
_STOPS = (".", "!", "?")
_SENTENCE = 5  # words of a line that repeats and is told of as a sentence, at least
_NOTE = 12  # letters of a line that opens a note at the foot, at least


class _KeyedEdge(NamedTuple):
    """A page and the lines near its edge, each with its text and height as :func:`_repetition_key` gives them."""

    page: Page
    lines: list[tuple[Line, tuple[str, int]]]


def strip_furniture(pages: list[Page], body: Body) -> list[Line]:
    """Take the furniture out of the pages, in place. The largest text of the first page stays.

    Returns:
        The lines that may be no furniture: those taken out only because they are outside the frame of the text, and
        sentences that repeat.
    """
    _drop_line_numbers(pages)
    # Found once for all that follows, where finding them for each took 1.2 times as long.
    edges = [_KeyedEdge(page, [(line, _repetition_key(line, body)) for line in _edge_lines(page, _NUMBER_EDGE)])
             for page in pages]  # fmt: skip
    repeated = _repeated_texts(edges, _EDGE, 2) | _repeated_texts(edges, _NUMBER_EDGE, _OFTEN)
    titles = {words for page in pages for line in page.lines if (words := _title_words(line, body))}
    sentences: list[Line] = []
    for page, keyed in edges:
        found = [line for line, key in keyed if key in repeated and not opens_caption(line.text)]
        found = _without_text(page, found, body)
        alike = [line for line in found if _is_set_as_text(line, body) and line.text.endswith(_STOPS)]
        sentences += [line for line in alike if len(_WORD.findall(line.text)) >= _SENTENCE]
        heads = set(map(id, found))
        heads |= {id(line) for line in page.lines if _repeats_title(line, page, titles, body)}
        rest = [line for line in page.lines if id(line) not in heads]
        numbers = {id(line) for line, _ in keyed if _is_page_number(line, rest)}
        _drop_lines(page, heads | numbers)
    return [*sentences, *_outside_frame(pages, body)]


def _without_text(page: Page, found: list[Line], body: Body) -> list[Line]:
    """Of lines at the edge that repeat, those that are furniture: not set as text and going on with the page's text.

    Some pages begin or end with the same sentences, or with sentences that differ in numbers alone.
    """
    alike = {id(line) for line in found if _is_set_as_text(line, body)}
    if not alike:
        return found
    apart = {id(line) for line in _lines_apart(page, found, body)} if len(alike) <= _MOST_OF_HEAD else set()
    return [line for line in found if id(line) in apart or id(line) not in alike]


def _is_set_as_text(line: Line, body: Body) -> bool:
    return _is_of_text(line, body) and line.style.font == body.font and not line.caps


def _drop_line_numbers(pages: list[Page]) -> None:
    """Take out the numbers of lines, also the few of a short page that are set like those of the others."""
    found = [line_numbers(page) for page in pages]
    if not any(found):
        return
    looks = Counter(line.style for page, ids in zip(pages, found) for line in page.lines if id(line) in ids)
    text = {line.style for page in pages for line in page.lines if line.letters > 3}
    own = {look for look, count in looks.items() if count >= 4 * _NUMBERS and look not in text}
    for page, ids in zip(pages, found):
        _drop_lines(page, ids | {id(line) for line in page.lines if line.style in own and line.text.isdecimal()})


def line_numbers(page: Page) -> set[int]:
    """The ids of the lines that number the page's lines: growing numbers, one above the other, beside all text."""
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
            if _counts_up(stack) and sum(line.overlaps(stack[0]) for line in text) < 0.1 * len(stack) + 1:
                found |= set(map(id, stack))
    return found


def _counts_up(stack: list[Line]) -> bool:
    if len(stack) < _NUMBERS:
        return False
    values = [int(line.text) for line in sorted(stack, key=lambda line: line.y0)]
    steps = Counter(b - a for a, b in itertools.pairwise(values))
    return sum(n for step, n in steps.items() if 0 < step <= 5) >= 0.8 * (len(values) - 1)


def _edge_lines(page: Page, edge: float = _EDGE) -> list[Line]:
    """The lines of the outermost rows of a page; banners of preprint servers have many pieces on a row."""
    ordered = sorted(page.lines, key=attrgetter("y0"))
    top = [line for line in _outer_rows(ordered) if line.y1 < edge * page.height]
    bottom = [line for line in _outer_rows(ordered[::-1]) if line.y0 > (1 - edge) * page.height]
    return top + bottom


def _outer_rows(ordered: list[Line]) -> Iterator[Line]:
    """The lines of the first rows of some that are in order of height."""
    rows = 0
    last: float | None = None
    for line in ordered:
        rows += last is None or abs(line.y0 - last) > _LEVEL
        if rows > 2 * _EDGE_LINES:
            return
        yield line
        last = line.y0


def _repetition_key(line: Line, body: Body) -> tuple[str, int]:
    """The text without its numbers, and its height; "Chapter 2" is another text than "Chapter 1", as headings are."""
    text = line.text.casefold()
    is_heading = _is_set_large(line, body) or CHAPTER.fullmatch(text) is not None
    return text if is_heading else _DIGITS.sub("#", text), round(line.y0 / _SLACK)


def _repeated_texts(edges: list[_KeyedEdge], edge: float, least: int) -> set[tuple[str, int]]:
    """Texts (numbers aside) at one height near the edge of ``least`` pages, give or take one step."""
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
    """The letters of a line that is set as headings are; none of other lines, and of one or two short words."""
    words = letters_of(line.text).casefold() if _is_set_large(line, body) else ""
    return words if len(words) >= _TITLE else ""


def _repeats_title(line: Line, page: Page, titles: set[str], body: Body) -> bool:
    """Whether a small line alone at the head of a page has the words of a heading: a running head."""
    if page.number == 1 or _is_set_large(line, body) or line.y1 > _EDGE * page.height:
        return False
    words = letters_of(_CHAPTER.sub("", line.text, count=1)).casefold()
    if words not in titles:
        return False
    return all(other.y0 - line.y0 > _HEAD_ROOM * body.leading for other in page.lines if other.y0 - line.y0 > _SLACK)


def _is_page_number(line: Line, lines: list[Line]) -> bool:
    """Whether a number is alone among the lines of a page and at most two lines of text are further out."""
    if not _PAGE_NUMBER.fullmatch(line.text):
        return False
    if any(abs(other.y0 - line.y0) < _SLACK and 0 < other.x0 - line.x1 < 4 * line.size for other in lines):
        return False  # the number of what follows it on its row
    if _is_listed(line, lines):
        return False
    above = sum(other.y1 < line.y0 and other.letters > 2 for other in lines)
    below = sum(other.y0 > line.y1 and other.letters > 2 for other in lines)
    return min(above, below) <= 2


def _is_listed(line: Line, lines: list[Line]) -> bool:
    """Whether a number ends a row of a list of contents: numbers are at one right edge, each behind words like it."""

    def ends_row(number: Line) -> bool:
        return any(
            abs(other.y1 - number.y1) < _SLACK and other.x1 < number.x0 and other.style == number.style
            for other in lines if other.letters > 2
        )  # fmt: skip

    below = [other for other in lines if abs(other.x1 - line.x1) < _SLACK and _PAGE_NUMBER.fullmatch(other.text)]
    return len(below) >= _LIST and ends_row(line) and sum(map(ends_row, below)) >= _LIST


def _outside_frame(pages: list[Page], body: Body) -> list[Line]:
    """Drop, and give back, what is outside the frame of the other pages' text: heads that do not repeat."""
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
        apart = [] if sum(_is_of_text(line, body) for line in apart) > _MOST_OF_HEAD else apart
        _drop_lines(page, set(map(id, apart)))
        dropped += apart
    return dropped


def _is_set_large(line: Line, body: Body) -> bool:
    """Whether a line is as large as headings are and running heads are not."""
    return line.size > _LARGE * body.size or (line.size > _BOLD * body.size and line.bold)


def _is_of_text(line: Line, body: Body) -> bool:
    return abs(line.size - body.size) < 0.6 and line.letters > 20


def _is_of_page(line: Line, page: Page, body: Body) -> bool:
    """Whether a line outside the frame goes on with a sentence of the text, or opens a note at the foot."""
    goes_on = _is_of_text(line, body) and line.style.font == body.font and line.text[0].islower()
    return goes_on or (line.y0 > page.height / 2 and opens_note(line) and line.letters > _NOTE)


def _text_extent(page: Page, body: Body) -> tuple[float, float]:
    text = [line for line in page.lines if _is_of_text(line, body)] or page.lines
    return min(line.y0 for line in text), max(line.y1 for line in text)


def _lines_apart(page: Page, outside: list[Line], body: Body) -> list[Line]:
    """Those of some lines that none of the page's others follows at the distance of lines of text, nor goes on to."""
    inside = [line for line in page.lines if line not in outside]
    while inside:
        inside = [line for line in outside if any(_is_near(line, other, body) for other in inside)]
        outside = [line for line in outside if line not in inside]
    return outside


def _is_near(line: Line, other: Line, body: Body) -> bool:
    """Whether a line follows another at the distance of lines of text, or of text under a heading."""
    heads = other.y0 < line.y0 and (other.bold or other.size > 1.05 * body.size)
    return abs(other.y0 - line.y0) <= (_UNDER_HEADING if heads else 1.3) * body.leading and other.overlaps(line)


def _drop_lines(page: Page, ids: set[int]) -> None:
    if ids:
        page.lines = [line for line in page.lines if line.hidden or id(line) not in ids]
