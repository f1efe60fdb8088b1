"""The context of captions on a page: drawings, text, and labels of drawings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from scholartools.readers.common.page import (
    THIN,
    Body,
    Box,
    Line,
    Page,
    box_of_lines,
)
from scholartools.readers.pdf.floats.captions import Caption
from scholartools.readers.pdf.sections.headings import looks_like_heading

SLACK = 2.5  # tolerance of positions of boxes, in points
_PAGE = 0.85  # a drawing that covers at least this share of the page is its background
_MANY = 0.3  # a drawing at the same place on at least this share of the pages is page furniture
_LARGE = 1.07  # bold words above this multiple of the body's size are a heading
_FRAME = 40.0  # minimum width of a frame around text, in points
_WORDY = 25  # lines with more letters are not labels


@dataclass(frozen=True)
class FigureContext:
    """Boxes on a page around its captions.

    Attributes:
        graphics: drawings and images, without backgrounds.
        frames: those graphics that can contain lines of text.
        inner: lines that are not running text.
        text: running text, headings and footnotes, which are in no float unless it draws a frame around them.
        wordy: lines of either kind with too many letters for labels.
        captions: captions of the page.
        body: the look of the document's text.
        width: width of the page in points; ``height`` likewise.
    """

    graphics: list[Box]
    frames: list[Box]
    inner: list[Box]
    text: list[Box]
    wordy: list[Box]
    captions: list[Box]
    body: Body
    width: float
    height: float


def context_of(
    page: Page, captions: Iterable[Caption], prose: set[int], notes: Iterable[list[Line]], body: Body
) -> FigureContext:
    """Build the context of a page's captions; ``prose`` has the ids of the lines of running text."""
    captions = list(captions)
    edges = {round(one.lines[0].x0) for one in captions} | {round(one.x0) for one in page.lines if id(one) in prose}
    drawn = _page_graphics(page)
    frames = [one for one in drawn if one[3] - one[1] > body.size and one[2] - one[0] > _FRAME]
    text = [box_of_lines(note) for note in notes]
    inner: list[Box] = []
    for line in page.lines:
        outside = id(line) in prose or _is_heading(line, edges, body) or _is_sentence(line, frames, body)
        (text if outside else inner).append(box_of_lines([line]))
    wordy = [box_of_lines([line]) for line in page.lines if line.letters > _WORDY]
    boxes = [box_of_lines(one.lines) for one in captions]
    return FigureContext(drawn, frames, inner, text, wordy, boxes, body, page.width, page.height)


def _is_sentence(line: Line, frames: list[Box], body: Body) -> bool:
    """Whether a line has the look and length of the document's text and is not in a drawing."""
    alike = abs(line.size - body.size) < 0.3 and line.style.font == body.font
    return (
        alike
        and line.letters > _WORDY
        and line.cells == 1
        and not any(is_framed(box_of_lines([line]), one) for one in frames)
    )


def _is_heading(line: Line, edges: set[int], body: Body) -> bool:
    """Whether a line looks like a heading and is aligned with captions or text, unlike titles within drawings."""
    large = line.bold and line.size > _LARGE * body.size and line.letters > 3
    return (large or looks_like_heading(line, body)) and round(line.x0) in edges


def _page_graphics(page: Page) -> list[Box]:
    """Drawings clipped to the page, without its background."""
    found: list[Box] = []
    for x0, y0, x1, y1 in page.graphics or ():
        inside = max(0.0, x0), max(0.0, y0), min(page.width, x1), min(page.height, y1)
        shows = inside[2] >= inside[0] and inside[3] >= inside[1]
        if shows and _area_of(inside) < _PAGE * page.width * page.height:
            found.append(inside)
    return found


def strip_repeated(pages: list[Page]) -> None:
    """Remove graphics at the same place of many pages, such as rules and logos in heads, in place."""
    drawn = [page for page in pages if page.graphics]
    seen = Counter(place for page in drawn for place in {_rounded_place(one) for one in page.graphics or ()})
    for page in drawn:
        page.graphics = [one for one in page.graphics or () if seen[_rounded_place(one)] < max(3, _MANY * len(pages))]


def _rounded_place(one: Box) -> tuple[int, ...]:
    return tuple(round(edge) for edge in one)


def is_solid(drawn: Box) -> bool:
    """Whether a drawing is more than a thin line."""
    return min(drawn[2] - drawn[0], drawn[3] - drawn[1]) > THIN


def is_in(one: Box, band: Box) -> bool:
    """Whether the centre of a box is within a band."""
    x, y = (one[0] + one[2]) / 2, (one[1] + one[3]) / 2
    return band[0] <= x <= band[2] and band[1] - SLACK <= y <= band[3] + SLACK


def is_framed(one: Box, drawn: Box) -> bool:
    """Whether a line is within a drawing that is higher than the line, like a frame."""
    across = drawn[0] - SLACK <= one[0] and one[2] <= drawn[2] + SLACK
    down = drawn[1] - SLACK <= one[1] and one[3] <= drawn[3] + SLACK
    return across and down and drawn[3] - drawn[1] > 1.5 * (one[3] - one[1])


def share_width(one: Box, other: Box) -> bool:
    """Whether two boxes overlap horizontally."""
    return one[0] < other[2] - SLACK and other[0] < one[2] - SLACK


def overlap_share(one: Box, other: Box) -> float:
    """The area of the overlap of two boxes, as a share of the smaller one."""
    width = min(one[2], other[2]) - max(one[0], other[0])
    height = min(one[3], other[3]) - max(one[1], other[1])
    return width * height / max(1.0, min(_area_of(one), _area_of(other))) if width > 0 and height > 0 else 0.0


def _area_of(one: Box) -> float:
    return (one[2] - one[0]) * (one[3] - one[1])
