"""Data types for layout analysis: pages of lines, and lines of spans, each in one style.

Coordinates are points from the page's top left, x to the right, y down. Independent of PDF.
"""

from __future__ import annotations

import re
import statistics
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import pairwise
from string import ascii_letters, ascii_lowercase
from typing import Any, Generic, NamedTuple, TypeVar

_NOT_LETTERS = re.compile(r"[\W\d_]+")
_SMALL_CAPITAL = (0.65, 0.92)  # size range of small capitals, as shares of the size of the capitals beside them
_ASCII_SIGNS = bytes(set(range(128)) - set(ascii_letters.encode()))
_SMALL = ascii_lowercase.encode()

_WORDS = 0.9  # minimum share of a line's letters that are bold (italic) in a bold (italic) line
_SIGNS = 0.75  # the same if only symbols are not
_SIGN = 2  # maximum number of letters in a symbol: "[O ii]", "Ca"

_WIDEST = 2.5  # maximum line spacing of text, in font sizes; double spacing of word processors is 2.3

THIN = 2.0  # points; drawings up to this height are rules

Worth = TypeVar("Worth")
Box = tuple[float, float, float, float]  # x0, y0, x1, y1


class _once(Generic[Worth]):
    """A cached property without the lock of ``functools.cached_property``."""

    def __init__(self, work_out: Callable[[Any], Worth]) -> None:
        self._work_out, self.__doc__ = work_out, work_out.__doc__
        self._name = work_out.__name__

    def __get__(self, line: Any, _: type) -> Worth:
        value = line.__dict__[self._name] = self._work_out(line)
        return value


class Style(NamedTuple):
    """The style of a run of characters; ``size`` in points, to one decimal."""

    font: str
    size: float
    bold: bool = False
    italic: bool = False
    raised: bool = False


@dataclass(eq=False, slots=True)
class Span:
    """A run of characters of one style."""

    text: str
    style: Style


@dataclass(eq=False)
class Line:
    """One line of one column: its spans from left to right.

    Attributes:
        page: from 1.
        cells: number of pieces separated by gaps wider than a word space.
        column: 0 for a line that spans columns (or on a page of one column), 1 and so on from the left, -1 in a margin.
        hidden: whether the line is invisible on the page and kept at the caller's request; never dropped.
    """

    page: int
    spans: list[Span]
    x0: float
    y0: float
    x1: float
    y1: float
    cells: int = 1
    column: int = 0
    hidden: bool = False

    @_once
    def text(self) -> str:
        """The text of the line, white space collapsed."""
        if len(self.spans) == 1:
            return " ".join(self.spans[0].text.split())
        return " ".join("".join(span.text for span in self.spans).split())

    @_once
    def style(self) -> Style:
        """The style of most of the line's letters."""
        if len(self.spans) == 1:
            return self.spans[0].style
        weights: Counter[Style] = Counter()
        for span in self.spans:
            weights[span.style] += 1 + 10 * len(letters_of(span.text))
        return max(weights, key=lambda style: (weights[style], style.size))

    @_once
    def largest(self) -> float:
        """The font size of the line's largest words, in points."""
        if len(self.spans) == 1:
            return self.spans[0].style.size
        return max((span.style.size for span in self.spans if span.text.strip()), default=self.size)

    @_once
    def size(self) -> float:
        """The font size of most of the line, in points."""
        return self.style.size

    @property
    def width(self) -> float:
        return self.x1 - self.x0

    @_once
    def letters(self) -> int:
        """The number of letters in the line."""
        return len(letters_of(self.text))

    @_once
    def bold(self) -> bool:
        """Whether the words of the line are bold (numbers, signs and single symbols may be plain)."""
        return self._all_spans("bold")

    @_once
    def italic(self) -> bool:
        """Whether the words of the line are italic, as for ``bold``."""
        return self._all_spans("italic")

    @_once
    def caps(self) -> bool:
        """Whether the line is in capitals, apart from a few letters."""
        return is_caps(self.text)

    def _all_spans(self, trait: str) -> bool:
        if not self.letters:
            return False
        if len(self.spans) == 1:
            return bool(getattr(self.spans[0].style, trait))
        if len(having := {getattr(span.style, trait) for span in self.spans}) == 1:
            return bool(having.pop())
        without = [n for span in self.spans if not getattr(span.style, trait) and (n := len(letters_of(span.text)))]
        share = _SIGNS if max(without, default=0) <= _SIGN and self._ends_with(trait) else _WORDS
        return self.letters - sum(without) >= share * self.letters

    def _ends_with(self, trait: str) -> bool:
        """Whether the last letters of the line have a trait; letters without it are then in mid-line, like symbols."""
        last = next((span for span in reversed(self.spans) if letters_of(span.text)), None)
        return last is not None and getattr(last.style, trait)

    def forget(self) -> None:
        """Clear the cached properties after a change of the spans."""
        for name in ("text", "style", "size", "largest", "letters", "bold", "italic", "caps"):
            self.__dict__.pop(name, None)

    def overlaps(self, other: Line) -> bool:
        """Whether the two lines share some horizontal extent."""
        return self.x0 < other.x1 and other.x0 < self.x1


@dataclass(eq=False)
class Page:
    """One page with its upright lines, in any order.

    Attributes:
        number: from 1.
        turns: clockwise quarter turns from the reading direction of the text to the page as displayed.
        rules: boxes of horizontal rules.
        graphics: boxes of drawings and images, or None if they were not extracted.
        links: boxes of links to addresses, with the addresses.
        sideways: landscape tables and figures, whose captions read in another direction, as separate pages.
        aside: texts of the remaining lines in another direction than the page's.
    """

    number: int
    width: float
    height: float
    lines: list[Line] = field(default_factory=list)
    turns: int = 0
    rules: list[Box] = field(default_factory=list)
    graphics: list[Box] | None = None
    links: list[tuple[Box, str]] = field(default_factory=list)
    sideways: list[Page] = field(default_factory=list)
    aside: list[str] = field(default_factory=list)

    def displayed_box(self, box: Box) -> list[float]:
        """Convert a box to points from the top left of the page as displayed, to one decimal."""
        return [round(edge, 1) for edge in turn_box(box, self.turns, self.width, self.height)]


def is_small_capital(size: float, capital: float) -> bool:
    """Whether capitals of a size are the small capitals beside capitals of another size, in points."""
    return _SMALL_CAPITAL[0] < size / (capital or 1) < _SMALL_CAPITAL[1]


def is_caps(text: str) -> bool:
    """Whether a text has more than three capitals, and more than 90% of its letters are capitals."""
    if text.isascii():
        letters = text.encode().translate(None, _ASCII_SIGNS)
        capitals = len(letters.translate(None, _SMALL))
        return capitals > 3 and capitals > 0.9 * len(letters)
    capitals = sum(map(str.isupper, text))
    return capitals > 3 and capitals > 0.9 * sum(map(str.isalpha, text))


def letters_of(text: str) -> str:
    """The letters of a text, without all other characters."""
    if text.isascii():  # takes a tenth of the time of a regular expression
        return text.encode().translate(None, _ASCII_SIGNS).decode()
    without = text.encode(errors="surrogatepass").translate(None, _ASCII_SIGNS).decode(errors="surrogatepass")
    return without if without.isascii() else _NOT_LETTERS.sub("", without)


def turn_box(box: Box, turns: int, width: float, height: float) -> Box:
    """Rotate a box on a page of ``width`` x ``height`` by ``turns`` clockwise quarter turns of the page."""
    x0, y0, x1, y1 = box
    for _ in range(turns % 4):
        x0, y0, x1, y1 = height - y1, x0, height - y0, x1
        width, height = height, width
    return x0, y0, x1, y1


@dataclass(frozen=True)
class Body:
    """The style of a document's body text.

    Attributes:
        size: font size of most letters, in points.
        font: font of most letters of about this size.
        leading: median line spacing, in points.
    """

    size: float
    font: str
    leading: float


def body_of(pages: Iterable[Page]) -> Body:
    """The style of most of the document's letters; sizes within 0.3 points count as equal."""
    styles: Counter[Style] = Counter()
    steps: list[float] = []
    for page in pages:
        for line in page.lines:
            styles[line.style] += line.letters
        steps += [step for a, b in pairwise(page.lines) if 0.9 < (step := b.y0 - a.y0) / (a.size or 1) < _WIDEST]
    if not styles:
        return Body(10.0, "", 12.0)
    fonts: Counter[tuple[str, float]] = Counter()
    for style, letters in styles.items():
        fonts[style.font, style.size] += letters
    sizes: Counter[float] = Counter()
    for (_, size), letters in fonts.items():
        sizes[size] += letters
    size = max(sizes, key=lambda one: (sum(n for other, n in sizes.items() if abs(other - one) <= 0.3), sizes[one]))
    near = {font: n for (font, other), n in sorted(fonts.items()) if abs(other - size) <= 0.3}
    leading = statistics.median(steps) if steps else 1.2 * size
    return Body(size, max(near, key=lambda font: near[font]), leading)


def is_rule(drawn: Box) -> bool:
    """Whether a drawing is a horizontal line."""
    return drawn[3] - drawn[1] <= THIN and drawn[2] - drawn[0] > 10


def covered_width(one: Box, other: Box) -> float:
    """The share of the width of ``other`` that ``one`` covers."""
    return max(0.0, min(one[2], other[2]) - max(one[0], other[0])) / max(1.0, other[2] - other[0])


def box_of_lines(lines: Iterable[Line]) -> Box:
    """The bounding box of one or more lines."""
    return box_around([(line.x0, line.y0, line.x1, line.y1) for line in lines])


def box_around(boxes: Iterable[Box]) -> Box:
    """The bounding box of one or more boxes."""
    x0, y0, x1, y1 = zip(*boxes)
    return min(x0), min(y0), max(x1), max(y1)
