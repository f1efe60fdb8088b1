"""Captions: detection by their labels, removal from the pages, and their records."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import Any

from scholartools.readers.common.hyphenation import Vocabulary, compose_accents, join_lines
from scholartools.readers.common.page import (
    Body,
    Box,
    Line,
    Page,
    box_of_lines,
)
from scholartools.readers.pdf.floats.table_rules import is_ruled_off

_CAPTION = re.compile(
    r"((?:supplement(?:ary|al)|extended data|appendix)?\s*"
    r"(fig(?:ure|\.)?|table|tab\.|algorithm|alg\.|listing|scheme|abbildung|abb\.|tabelle|figura|tabla|tabela|tableau|tabella)"
    r"\s*((?:[a-z]\.?)?\d{1,3}(?:\.\d{1,2})?[a-z]?|[ivx]{1,6})(?![\w%]))(?!\.\w)\s*(?:\([^()]{1,40}\)(?=[.:|]))?([.:|–—-]*)\s*(.?)",
    re.IGNORECASE,
)
_LABEL_BEGINS = frozenset("sSſeEaAfFtTlL")  # initials of labels, for a fast test that most lines fail
_KINDS = {"t": "table", "f": "figure", "a": "algorithm", "l": "algorithm", "s": "figure"}
_FIGURES_WITH_A = ("abb",)
_UNDER = 2.5  # maximum distance between a label alone on its line and the caption below, in leadings
_WORDS = 10  # minimum letters of such a caption's first line
_WIDE = 1.95  # maximum line distance of widely spaced captions, in multiples of the font size


@dataclass
class Caption:
    """A caption: kind and label from its first line, its lines in order, and its page."""

    kind: str
    label: str
    lines: list[Line]
    page: Page

    @property
    def name(self) -> tuple[str, str]:
        """Kind and number, independent of the spelling of the label."""
        return self.kind, self.label.split()[-1].casefold()

    @property
    def look(self) -> tuple[str, float]:
        """Font of the label and size of the text."""
        return self.lines[0].spans[0].style.font, round(2 * self.lines[0].size) / 2


def take_captions(pages: list[Page], body: Body) -> list[list[Caption]]:
    """Remove the captions from the pages and return those of each page, in reading order.

    If several lines begin with the same label ("Figure 2. Each scenario ..." at the start of a line of text), those in
    the most frequent look of the document's captions are captions.
    """
    every = [_find_captions(page, body) for page in pages]
    looks = Counter(caption.look for captions in every for caption in captions)
    best: dict[tuple[str, str], int] = {}
    for caption in (one for captions in every for one in captions):
        best[caption.name] = max(best.get(caption.name, 0), looks[caption.look])
    kept = [[one for one in captions if looks[one.look] == best[one.name]] for captions in every]
    for page, captions in zip(pages, kept):
        taken = {id(line) for caption in captions for line in caption.lines}
        page.lines = [line for line in page.lines if id(line) not in taken]
    return kept


def opens_caption(text: str, *, sure: bool = False) -> bool:
    """Whether a line begins with the label of a float and, with ``sure``, punctuation or a capital follows it."""
    found = _match_label(text)
    return found is not None and (not sure or bool(found[4]) or found[5].isupper())


def _match_label(text: str) -> re.Match[str] | None:
    first = text[:1]
    return _CAPTION.match(text) if first in _LABEL_BEGINS or first.isspace() else None


def _find_captions(page: Page, body: Body) -> list[Caption]:
    captions: list[Caption] = []
    taken: set[int] = set()
    for index, line in enumerate(page.lines):
        if id(line) in taken or not (found := _match_label(line.text)) or not _is_caption(page, index, found, body):
            continue
        lines = _caption_lines(page, index, body)
        taken |= set(map(id, lines))
        captions.append(Caption(_caption_kind(found[2]), " ".join(found[1].split()), lines, page))
    return captions


def caption_record(caption: Caption, vocabulary: Vocabulary, area: Box | None = None) -> dict[str, Any]:
    """The record of a caption, without its id.

    Its ``text`` includes the label ("Table 2: Results."). ``area`` is the box of its float.
    Boxes are in points from the top left of the page as displayed.
    """
    text = join_lines(caption.lines, vocabulary)
    page = caption.page
    record = {"kind": caption.kind, "label": caption.label, "text": text, "page": page.number,
              "bbox": page.displayed_box(box_of_lines(caption.lines)), "image": None}  # fmt: skip
    return record | ({"image_bbox": page.displayed_box(area)} if area is not None else {})


def content_record(caption: Caption, lines: list[Line]) -> dict[str, Any]:
    """The key ``content`` of an algorithm: the lines of its float. Empty for other captions."""
    steps = "\n".join(compose_accents(line.text) for line in lines)
    return {"content": steps} if caption.kind == "algorithm" and steps else {}


def _caption_kind(word: str) -> str:
    return "figure" if word.casefold().startswith(_FIGURES_WITH_A) else _KINDS[word[0].casefold()]


def _is_caption(page: Page, index: int, found: re.Match[str], body: Body) -> bool:
    line = page.lines[index]
    before = page.lines[index - 1] if index else None
    label_set_off = line.spans[0].style != line.spans[-1].style and _is_marked(line, found)
    if not (found[4] or label_set_off or not found[5] or (found[5].isupper() and line.size < 0.95 * body.size)):
        return False
    continues = (
        before is not None and before.column == line.column and before.overlaps(line)
        and 0 < line.y0 - before.y0 < 1.35 * body.leading
        and before.style.font == line.style.font and abs(before.size - line.size) < 0.4
        and before.x1 > line.x1 - 2 * line.size and not before.text.endswith((".", ":", "?", "!"))
    )  # fmt: skip
    return not continues or label_set_off


def _is_marked(line: Line, found: re.Match[str]) -> bool:
    """Whether the label is bold, italic or in another font, unlike the text after it."""
    first = next((span for span in line.spans if span.text.strip()), line.spans[0])
    rest = line.spans[-1].style
    return (first.style.bold, first.style.italic) > (rest.bold, rest.italic) or first.style.font != rest.font != ""


def _caption_lines(page: Page, index: int, body: Body) -> list[Line]:
    """The caption's first line and those after it of the same size and distance, up to a rule or a table's head."""
    lines = [page.lines[index]]
    if (under := _under_label(page, index, body)) is not None:
        lines.append(under)
        index = page.lines.index(under)
    first, start = lines[-1], len(lines)
    for line, below in zip(page.lines[index + 1 :], [*page.lines[index + 2 :], None]):
        last = lines[-1]
        if _is_within(line, last) or _is_beside(line, first):
            continue  # superscripts and subscripts within a line of the caption, or text beside the caption
        limit = 1.5 * max(first.size, 0.8 * body.size)
        if len(lines) > start:
            limit = 1.25 * max(lines[start].y0 - first.y0, lines[start].y1 - first.y1)
        limit = max(limit, _WIDE * first.size, 1.1 * body.leading) if _is_amid_sentence(last, line) else limit
        if not _in_same_column(line, last, first) or not 0 < _line_step(last, line) <= limit:
            break
        if not _is_of_size(line, first) or not line.overlaps(first) or (line.bold and not last.bold):
            break
        if _opens_another(line, last, first) or is_ruled_off(line, last, page):
            break
        if _is_row(line, last, first) or _is_over_row(line, below, first):
            break
        lines.append(line)
    return lines


def _under_label(page: Page, index: int, body: Body) -> Line | None:
    """The first line of a caption below a label alone on its line ("TABLE I"), unless it is in the text's style."""
    label = page.lines[index]
    found = _CAPTION.match(label.text)
    if found is None or label.text[found.end() :].strip() or found[5]:
        return None
    below = [line for line in page.lines
             if line.column in (label.column, 0) and line.overlaps(label) and line.y0 > label.y0 + 1]  # fmt: skip
    line = min(below, key=lambda one: one.y0, default=None)
    if line is None or line.y0 - label.y0 > _UNDER * body.leading or line.cells > 1 or line.letters < _WORDS:
        return None
    unlike = line.italic or line.bold or abs(line.size - body.size) > 0.3 or line.style.font != body.font
    return line if unlike and line.text[0].isupper() else None


def _is_of_size(line: Line, first: Line) -> bool:
    """Whether a line is as large as a caption's first one, or continues its capitals in smaller capitals."""
    capitals = line.text.isupper() and first.text.isupper() and 0.65 * first.size < line.size < first.size
    return abs(line.size - first.size) <= 0.6 or capitals


def _line_step(above: Line, line: Line) -> float:
    """Distance from a line to one below; the smaller of two values, since raised and lowered signs enlarge boxes."""
    return min(line.y0 - above.y0, line.y1 - above.y1)


def _is_amid_sentence(last: Line, line: Line) -> bool:
    """Whether a line in the style of the preceding one continues its sentence, as in a widely spaced caption."""
    alike = line.style.font == last.style.font and abs(line.size - last.size) < 0.3
    return alike and not last.text.endswith((".", ":")) and line.text[:1].islower()


def _is_beside(line: Line, first: Line) -> bool:
    """Whether a line is to the left or right of a caption's first line, and not above it."""
    return line.column == first.column and not line.overlaps(first) and line.y1 > first.y0


def _opens_another(line: Line, last: Line, first: Line) -> bool:
    same = _CAPTION.match(line.text) and line.spans[0].style == first.spans[0].style
    return bool(same) and last.x1 < first.x1 - first.size


def _is_row(line: Line, last: Line, first: Line) -> bool:
    """Whether a line is the head of a table without rules: in cells, after the end of the caption."""
    ended = last.text.endswith(".") or last.x1 < first.x1 - first.size or line.x1 > last.x1 + first.size
    return line.cells > 2 or (line.cells > 1 and ended)


def _is_over_row(line: Line, below: Line | None, first: Line) -> bool:
    """Whether a line is aligned with a row of cells below it, and not with the caption."""
    if below is None or below.cells < 2 or below.column != line.column:
        return False
    return abs(below.x0 - line.x0) < 1 and abs(line.x0 - first.x0) > line.size and below.y0 - line.y0 < 2 * line.size


def _in_same_column(line: Line, last: Line, first: Line) -> bool:
    """Whether a line may continue a caption; the short last line of a spanning caption is in the left column."""
    ends = first.column == 0 and line.column == 1 and abs(line.x0 - last.x0) < 2 and not last.text.endswith(".")
    return line.column == first.column or ends


def _is_within(line: Line, row: Line) -> bool:
    """Whether a line lies within the height and width of another one."""
    middle = (line.y0 + line.y1) / 2
    return row.y0 < middle < row.y1 and row.x0 < line.x0 and line.x1 < row.x1
