"""Content of figures, tables and algorithms: separated from running text and removed from the pages."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from scholartools.readers.common.page import (
    Body,
    Line,
    Page,
)
from scholartools.readers.pdf.floats.captions import Caption
from scholartools.readers.pdf.floats.table_rules import table_span
from scholartools.readers.pdf.sections.headings import looks_like_heading

_SANS = re.compile(r"helv|arial|sans|verdana|calibri|cmss", re.IGNORECASE)
_NUMBERED_STEP = re.compile(r"\d{1,3}:\s")  # "7: end if"
_ALIGNED = 1.0  # maximum difference of the left edges of a heading and the text below it, in points
_STEP = 1.5  # maximum line distance within a paragraph, in multiples of the font size
_TEXT = 25  # minimum letters of a line of small print
_WORDY = 0.7  # minimum share of letters among its characters
_BESIDE = 4  # number of preceding lines that are searched, since lines of a drawing may be between lines of text


def take_float_content(
    page: Page, captions: Iterable[Caption], prose: set[int], body: Body, entries: set[int]
) -> list[tuple[Caption, list[Line]]]:
    """Remove the content of floats from the page: the lines above or below each caption up to running text.

    Stray labels of drawings are removed, too. ``prose`` has the ids of the lines of running text (see
    :func:`running_text`), ``entries`` those of the lines of a bibliography, which are not labels even if small.

    Returns:
        The captions, each with the lines of its float from top to bottom.
    """
    inside: set[int] = set()
    held: list[tuple[Caption, list[Line]]] = []
    others = [line for caption in captions for line in caption.lines]
    for caption in captions:
        up = _reach_from(page, caption, prose, body, others, upward=True)
        down = _reach_from(page, caption, prose, body, others, upward=False)
        chosen = [line for line in _choose_side(caption, up, down) if not line.hidden and id(line) not in inside]
        inside |= set(map(id, chosen))
        held.append((caption, sorted(chosen, key=lambda line: line.y0)))
    outside = [line for line in page.lines if id(line) not in inside]
    page.lines = list(_without_labels(outside, prose | entries, body))
    return held


def _without_labels(lines: list[Line], text: set[int], body: Body) -> Iterator[Line]:
    """The lines without stray labels of drawings; a short line right below small print in its style is kept."""
    above: Line | None = None
    for line in lines:
        under = above is not None and above.style == line.style and 0 < line.y0 - above.y0 < _STEP * line.size
        if under or not _is_label(line, text, body):
            yield line
            above = line


def _choose_side(caption: Caption, up: list[Line], down: list[Line]) -> list[Line]:
    if caption.kind == "figure":
        return up
    if caption.kind == "algorithm":
        return down or up
    if not up or not down:
        return up or down
    above, below = caption.lines[0].y0 - up[0].y1, down[0].y0 - caption.lines[-1].y1
    cells = sum(line.cells > 1 for line in up), sum(line.cells > 1 for line in down)
    if (cells[0] > 0) != (cells[1] > 0):
        return up if cells[0] else down
    return up if above < below else down


def _reach_from(
    page: Page, caption: Caption, prose: set[int], body: Body, others: list[Line], *, upward: bool
) -> list[Line]:
    first, last = caption.lines[0], caption.lines[-1]
    span = Line(first.page, [], min(i.x0 for i in caption.lines), 0, max(i.x1 for i in caption.lines), 0)
    near = [line for line in page.lines if _same_column(line, first, span)]
    blocks = [line for line in others if line not in caption.lines and _same_column(line, first, span)]
    if upward:
        ordered = sorted((i for i in near + blocks if i.y1 <= first.y0 + 2), key=lambda i: -i.y1)
    else:
        ordered = sorted((i for i in near + blocks if i.y0 >= last.y1 - 2), key=lambda i: i.y0)
    ruled = _ruled_span(page, caption, prose, body, blocks, near, upward=upward)
    found: list[Line] = []
    has_text_beside = False
    for line in ordered:
        inside = ruled is not None and ruled[0] < (line.y0 + line.y1) / 2 < ruled[1]
        is_text = not inside and (id(line) in prose or looks_like_heading(line, body))
        if line in blocks or (is_text and line.overlaps(span)) or (ruled and _is_past(line, ruled, caption)):
            break
        has_text_beside = has_text_beside or is_text
        if not is_text:
            found.append(line)
    return [line for line in found if line.overlaps(span)] if has_text_beside else found


def _is_past(line: Line, ruled: tuple[float, float], caption: Caption) -> bool:
    """Whether a line is below the last rule of an algorithm; below that of a table there may be notes."""
    return caption.kind == "algorithm" and line.y0 > ruled[1] > caption.lines[-1].y1


def _ruled_span(
    page: Page, caption: Caption, prose: set[int], body: Body, others: list[Line], near: list[Line], *, upward: bool
) -> tuple[float, float] | None:
    """Top and bottom of a table or algorithm between rules, whose lines can read like running text."""
    if caption.kind == "figure":
        return None
    text = [line for line in page.lines if id(line) in prose and caption.kind == "table"]
    span = table_span(caption.lines, page, text, others, body, upward=upward)
    held = [line for line in near if span is not None and span[0] < (line.y0 + line.y1) / 2 < span[1]]
    heads = (line for line in held if looks_like_heading(line, body) and not _NUMBERED_STEP.match(line.text))
    return None if caption.kind == "algorithm" and any(heads) else span


def _same_column(line: Line, first: Line, span: Line) -> bool:
    return line.column == first.column or first.column == 0 or line.column == 0


def running_text(page: Page, body: Body) -> set[int]:
    """The ids of lines of running text: wide lines in the body's style, ends of sentences, and adjacent lines."""
    alike = {id(line) for line in page.lines if _looks_like_body(line, body)}
    widths: dict[int, list[float]] = {}
    for line in page.lines:
        if id(line) in alike:
            widths.setdefault(line.column, []).append(line.width)
    full = {column: sorted(values)[int(0.8 * (len(values) - 1))] for column, values in widths.items()}
    found: set[int] = set()
    for index, line in enumerate(page.lines):
        if id(line) not in alike:
            continue
        wide = line.width > 0.8 * full[line.column] and line.letters > 20
        if wide or _ends_sentence(line) or _continues_text(page.lines, index, found, body):
            found.add(id(line))
    rest = [index for index, line in enumerate(page.lines) if id(line) not in found]
    found |= {id(page.lines[index]) for index in rest if _opens_text(page.lines, index, found, body)}
    for line, after in zip(page.lines[-2::-1], page.lines[:0:-1]):
        near = 0 < after.y0 - line.y0 < 1.3 * body.leading and after.overlaps(line)
        if near and id(after) in found and id(line) in alike:
            found.add(id(line))
    return found


def _ends_sentence(line: Line) -> bool:
    """Whether a line reads like the end of a paragraph, which may have begun on another page or column."""
    words = line.text.split()
    return line.cells == 1 and line.text.endswith(".") and (words[0][0].islower() or len(words) > 5)


def _opens_text(lines: list[Line], index: int, prose: set[int], body: Body) -> bool:
    """Whether a line in bold, italics or another font is right before running text, like a heading."""
    line, below = lines[index], lines[index + 1] if index + 1 < len(lines) else None
    other = line.style.font != body.font and abs(line.size - body.size) < 0.3 and below is not None
    aligned = other and below is not None and abs(line.x0 - below.x0) < _ALIGNED and not line.text.endswith(".")
    styled = line.letters > 3 and ((line.cells == 1 and (line.bold or line.italic)) or (line.cells <= 2 and aligned))
    return styled and below is not None and id(below) in prose and below.column == line.column


def _looks_like_body(line: Line, body: Body) -> bool:
    set_alike = abs(line.size - body.size) < 0.6 and line.cells <= 2 and not _is_foreign(line, body)
    return set_alike and line.letters > 2 and _has_more_letters_than_digits(line)


def _has_more_letters_than_digits(line: Line) -> bool:
    mostly_letters = 2 * line.letters > len(line.text)  # true for most lines, which saves counting digits
    return mostly_letters or sum(map(str.isdigit, line.text)) < line.letters


def _is_foreign(line: Line, body: Body) -> bool:
    """Whether a line is in a sans-serif font, like a label, and the body is not."""
    return _is_sans(line.style.font) and not _is_sans(body.font) and not line.bold


@lru_cache(maxsize=4096)
def _is_sans(font: str) -> bool:
    return _SANS.search(font) is not None


def _continues_text(lines: list[Line], index: int, prose: set[int], body: Body) -> bool:
    """Whether running text is right above the line; lines beside the text may come between them."""
    line = lines[index]
    before = next((one for one in lines[max(0, index - _BESIDE) : index][::-1] if one.overlaps(line)), None)
    return before is not None and id(before) in prose and 0 < line.y0 - before.y0 < 1.3 * body.leading


def _is_label(line: Line, prose: set[int], body: Body) -> bool:
    """Whether a line is a stray label of a drawing: far smaller than the body, and not a line of small print."""
    if id(line) in prose or line.hidden or line.size >= 0.72 * body.size:
        return False
    return line.cells > 2 or line.letters < max(_TEXT, _WORDY * len(line.text))
