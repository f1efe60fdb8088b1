"""Rows, columns and reading order of pages."""

from __future__ import annotations

import re
import statistics
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from scholartools.readers.common.page import Body, Line, Page
from scholartools.readers.common.roles import CONTENTS_LABEL, heads_references
from scholartools.readers.pdf import many_columns
from scholartools.readers.pdf.floats.captions import opens_caption

CELL = "   "  # separator of two cells of a row in the text of a line
MARGIN = -1  # column number of lines in the margin
_CELL_GAP = 1.3  # minimum gap between two cells of a row, in multiples of the font size
_NARROW = 0.53  # maximum width of a line in one of two columns, as a share of the text's width
_MOST = 100  # upper bound on the lines of a page that are tested as captions, panels, or as too long for their column
_INFO = re.compile(r"a\s?r\s?t\s?i\s?c\s?l\s?e\s+i\s?n\s?f\s?o(\s?r\s?m\s?a\s?t\s?i\s?o\s?n)?", re.IGNORECASE)
_ABSTRACT = re.compile(r"a\s?b\s?s\s?t\s?r\s?a\s?c\s?t|s\s?u\s?m\s?m\s?a\s?r\s?y", re.IGNORECASE)
_WORDY = 12  # a line of text has more letters
_LEVEL = 1.5  # maximum sum of the differences of tops and of bottoms of the pieces of one row, in points
_LEAST_ALLEY = 3.0  # minimum gap between items side by side, in points
_LEAST_SHARED = 0.2  # minimum vertical overlap of items side by side, as a share of the smaller height
_LEAST_GAP = 0.8  # minimum gap between a caption or margin note and the text beside it, in multiples of the font size
_LEAST_TEXT = 8  # minimum lines of text on a page for finding its margin
_NOTE = 6  # a line of words in a margin has more letters
_LEAST_NOTES = 2  # minimum lines of words in a margin
_LEAST_BLOCK = 4  # minimum full lines of each of two blocks of small print side by side
_PANEL = 0.2  # minimum space to the left of text beside a panel, as a share of the page's width
_EDGES = 6  # number of the most frequent left edges of lines on a first page that are tested for panels
_SMALLER = 0.4  # minimum difference in size between the print of a panel and the text beside it, in points
_FAR_LARGER = 1.6  # minimum size of a title, in multiples of the size of other text on its row
_ENTRY = re.compile(r"\[\w{1,12}\]\s|\d{1,3}\.\s+[^\W\d_]")  # the label of a reference
_SIGN = 8  # maximum characters of a symbol in a formula
_MARK = 3  # maximum characters of a raised mark after a name
_DISPLAY = 13.0  # larger than any running text, in points
_WIDE_GAP = 1.5  # minimum gap between two parts of a column, in leadings
_LEAST_ROWS = 3  # minimum lines of text of a column
_APART = 4.0  # maximum distance of labels of one drawing that are as large as text, in leadings
_OFF_CENTRE = 0.08  # maximum deviation of a closing rule's x0 + x1 from twice the gutter, share of the page's width
_LONG = 20  # a line that fills its column has more letters
_SHORT_RULE = 0.6  # maximum width of a rule between two parts of a page, as a share of the page's width
_UNEVEN = 0.25  # minimum width of the narrower of two unequal columns, as a share of the text's width
_LEAST_UNEVEN = 6  # minimum full lines of each of them
_FEW = 2  # of two gaps, one is better if it is crossed by fewer lines, and the difference is larger than this
_FILLED = 0.75  # minimum width of a full line, as a share of its column's width
_LEAN = 6.0  # maximum distance by which a line of a column may extend over the gutter, in points


def arrange_pages(pages: list[Page], body: Body) -> None:
    """Join the pieces of each row, give every line its column, and sort each page into reading order, in place."""
    found = many_columns.gutters_of_pages(pages)
    for page, gutters in zip(pages, found):
        if gutters:
            _arrange_in_many(page, gutters, body)
    _arrange_in_two([page for page, gutters in zip(pages, found) if not gutters], body)


def _arrange_in_many(page: Page, gutters: many_columns.Gutters, body: Body) -> None:
    alleys = [_Alley(x, 0.0, page.height) for x in gutters]
    rows = _join_rows(page.lines, None, [*_find_alleys(page.lines, body), *alleys])
    for line in rows:
        line.column = many_columns.column_of(line, gutters)
    page.lines = many_columns.read_down(rows, gutters)


def _arrange_in_two(pages: list[Page], body: Body) -> None:
    """Arrange pages with one or two columns, in place."""
    gutters = [_find_gutter(page.lines, body) for page in pages]
    gutters = [_less_crossed(page, own, gutters) for page, own in zip(pages, gutters)]
    usual = _usual_gutter(gutters, pages)
    before: float | None = None
    for page, own, after in zip(pages, gutters, [*gutters[1:], None]):
        gutter = own or usual
        if own is None and any(CONTENTS_LABEL.fullmatch(line.text) for line in page.lines):
            gutter = None  # the page numbers of a table of contents are not a column
        boxes = _info_alley(page.lines, body) if page.number == 1 else []
        if gutter is None:
            boxes += _goes_on_in_columns(page, before) + _columns_of_references(page, after, body)
        margin = _find_margin(page, body) if not any(gutters) else None
        boxes += [_Alley(margin, 0.0, page.height)] if margin is not None else []
        side = _side_panel(page, body) or ([] if any(gutters) else _left_margin(page, body))
        boxes += side
        blocks = _paired_blocks(page, body) or ([] if side else _panel_beside_block(page))
        boxes += blocks
        before = own or next((box.x for box in boxes if box.bottom >= page.height), None)
        page.lines = _join_rows(page.lines, gutter, [*_find_alleys(page.lines, body), *boxes])
        for line in page.lines:
            line.column = _column_of(
                line, next((box.x for box in boxes if box.holds(line) and box.x != margin and box not in side), gutter)
            )
            beside = any(panel.holds(line) and line.x1 <= panel.x for panel in side)
            line.column = MARGIN if beside or (margin is not None and line.x0 > margin) else line.column
        _pull_overfull(page.lines, gutter)
        page.lines = in_order(
            page.lines,
            [*_closing_rules(page, gutter), *_bibliography_top(page, body), *(block.bottom for block in blocks)],
        )


def in_order(lines: Iterable[Line], closing: Iterable[float] = ()) -> list[Line]:
    """Reading order: left column, then right column, between two lines that span both; the margin comes last.

    ``closing`` has further y positions at which both columns end.
    """
    ordered: list[Line] = []
    left: list[Line] = []
    right: list[Line] = []
    lines = list(lines)
    ends = sorted(closing)
    for line in sorted((line for line in lines if line.column != MARGIN), key=lambda one: (one.y0 + one.y1, one.x0)):
        while ends and line.y0 + line.y1 > 2 * ends[0]:
            ordered += [*left, *right]
            left, right = [], []
            del ends[0]
        if line.column == 0:
            ordered += [*left, *right, line]
            left, right = [], []
        else:
            (left if line.column == 1 else right).append(line)
    beside = sorted((line for line in lines if line.column == MARGIN), key=lambda one: one.y0)
    return [*ordered, *left, *right, *beside]


def _closing_rules(page: Page, gutter: float | None) -> list[float]:
    """The y of the single short rule in the middle of the page that separates both columns into two parts, if any."""
    if gutter is None:
        return []
    centred = [one for one in page.rules if one[0] < gutter - _LEAN and one[2] > gutter + _LEAN]
    heights = {round(one[1] / _LEAN) for one in centred}
    short = all(
        one[2] - one[0] < _SHORT_RULE * page.width and abs(one[0] + one[2] - 2 * gutter) < _OFF_CENTRE * page.width
        for one in centred
    )
    if not centred or not short or max(heights) - min(heights) > 1:
        return []
    y = centred[0][1]
    texts = [line for line in page.lines if line.column in (1, 2)]
    parts = {(line.column, line.y0 + line.y1 > 2 * y) for line in texts}
    crossed = any(line.y0 + 1 < y < line.y1 - 1 for line in texts)
    return [y] if len(parts) == 4 and not crossed else []


def _bibliography_top(page: Page, body: Body) -> list[float]:
    """The y at which a bibliography begins in both columns below text in both: above its heading in the left column.

    In the right column the print size changes, or a wide gap occurs, at that height.
    """
    heading = next((one for one in page.lines if one.column == 1 and heads_references(one.text)), None)
    if heading is None:
        return []
    y = heading.y0 - _LEVEL
    left = [one for one in page.lines if one.column == 1 and one.y0 > heading.y1 - _LEVEL]
    right = sorted((one for one in page.lines if one.column == 2), key=lambda one: one.y0)
    above, below = ([one for one in right if (one.y0 >= y) == is_below] for is_below in (False, True))
    if not above or min(len(left), len(below)) < _LEAST_ROWS or above[-1].y1 > y + body.size / 2:
        return []
    if sum(_ENTRY.match(one.text) is not None for one in above) >= _LEAST_ROWS:
        return []  # the list in the left column continues at the top of the right one
    sizes = [statistics.median(one.size for one in lines[:_LEAST_TEXT]) for lines in (left, below, above[::-1])]
    parted = abs(sizes[2] - sizes[1]) > _SMALLER or below[0].y0 - above[-1].y1 > _WIDE_GAP * body.leading
    return [y] if abs(sizes[0] - sizes[1]) < _SMALLER and parted else []


def _find_gutter(lines: list[Line], body: Body) -> float | None:
    """The x of the gap between two columns; None for a page with one column or with too little text."""
    lines = [line for line in lines if line.letters > 12 and abs(line.size - body.size) < 1.5]
    if len(lines) < 8:
        return None
    x0 = statistics.quantiles([line.x0 for line in lines], n=20)[0]
    x1 = statistics.quantiles([line.x1 for line in lines], n=20)[-1]
    even, uneven = _even_gutter(lines, x0, x1), _uneven_gutter(lines, x0, x1)
    if even is None or uneven is None:
        return even or uneven
    return uneven if _count_across(lines, uneven) + _FEW < _count_across(lines, even) else even


def _count_across(lines: list[Line], x: float) -> int:
    """Number of lines that cross a gap at ``x``."""
    return sum(line.x0 < x - _LEAN and line.x1 > x + _LEAN for line in lines)


def _even_gutter(lines: list[Line], x0: float, x1: float) -> float | None:
    """The x of the gap near the middle between two columns of about the same width; None if there is none."""
    middle = (x0 + x1) / 2
    narrow = [line for line in lines if line.width < _NARROW * (x1 - x0) and line.width > 0.2 * (x1 - x0)]
    lefts = [line for line in narrow if line.x1 < middle + _LEAN]
    rights = [line for line in narrow if line.x0 > middle - _LEAN]
    across = [line for line in lines if line.x0 < middle - 2 * _LEAN and line.x1 > middle + 2 * _LEAN]
    if min(len(lefts), len(rights)) < 4 or len(lefts) + len(rights) < len(across):
        return None
    edge = statistics.quantiles([line.x0 for line in rights], n=10)[0]
    return (min(edge, middle + 3 * _LEAN) + max(line.x1 for line in lefts if line.x1 < edge)) / 2


def _uneven_gutter(lines: list[Line], left: float, right: float) -> float | None:
    """The x of the gap between two columns of unequal width; None if there is none, or half of the lines cross it.

    Lines of the right column share a left edge, and both columns have full lines side by side.
    """
    width = right - left
    starts = Counter(round(line.x0) for line in lines if line.x0 > left + _UNEVEN * width)
    edge, count = max(starts.items(), key=lambda start: (start[1], -start[0]), default=(0, 0))
    if count < _LEAST_UNEVEN or right - edge < _UNEVEN * width:
        return None
    rights = [line for line in lines if line.x0 > edge - 2]
    lefts = [line for line in lines if line.x1 < edge - _LEAST_ALLEY]
    end = max((line.x1 for line in lefts), default=left)
    full = [line for line in lefts if line.x1 > left + _FILLED * (end - left)]
    wide = [line for line in rights if line.x1 > edge + _FILLED * (right - edge)]
    if min(len(full), len(wide)) < max(_LEAST_UNEVEN, 0.5 * min(len(lefts), len(rights))):
        return None
    beside = min(_count_beside(full, wide), _count_beside(wide, full)) >= _LEAST_UNEVEN
    return (end + edge) / 2 if beside and _count_across(lines, edge) < 0.5 * len(lines) else None


def _count_beside(lines: list[Line], others: list[Line]) -> int:
    """Number of lines within the vertical extent of the others."""
    top, bottom = min(line.y0 for line in others), max(line.y1 for line in others)
    return sum(line.y1 > top and line.y0 < bottom for line in lines)


def _columns_of_references(page: Page, after: float | None, body: Body) -> list[_Alley]:
    """The gap between the two columns of a bibliography below text in one column.

    If the page has too few lines of the bibliography, the gutter of the next page (``after``) is tried.
    """
    heading = next((line for line in page.lines if heads_references(line.text)), None)
    if heading is None:
        return []
    below = [line for line in page.lines if line.y0 > heading.y1 - 1]
    sizes = [line.size for line in below if line.letters > _WORDY]
    if not sizes:
        return []
    top = heading.y1 - 1
    x = _find_gutter(below, Body(statistics.median(sizes), body.font, body.leading))
    return [_band_at(x, top, below, page)] if x is not None else _both_sides(after, top, below, page)


def _goes_on_in_columns(page: Page, x: float | None) -> list[_Alley]:
    """The gap of the columns at the end of the preceding page, down to the first line that crosses it."""
    return _both_sides(x, 0.0, page.lines, page)


def _find_margin(page: Page, body: Body) -> float | None:
    """The x at which the right margin begins if it has small notes or captions; None otherwise.

    The margin has no text of the body's size, and no line of small print crosses its edge.
    """
    edges = [line.x1 for line in page.lines if _is_full(line, body)]
    if len(edges) < _LEAST_TEXT:
        return None
    x = max(edges) + _LEAST_GAP * body.size
    return x if _holds_notes([line for line in page.lines if line.x0 > x], x, page, body) else None


def _left_margin(page: Page, body: Body) -> list[_Alley]:
    """The gap between small notes in the left margin and the text; compare :func:`_find_margin`."""
    edges = [line.x0 for line in page.lines if _is_full(line, body)]
    if len(edges) < _LEAST_TEXT:
        return []
    x = min(edges) - _LEAST_GAP * body.size
    notes = [line for line in page.lines if line.x1 < x]
    return [_Alley(x, 0.0, page.height)] if _holds_notes(notes, x, page, body) else []


def _is_full(line: Line, body: Body) -> bool:
    """Whether a line has the size of the text and enough letters for a line of text."""
    return abs(line.size - body.size) < 0.6 and line.letters > 2 * _WORDY


def _holds_notes(beyond: list[Line], x: float, page: Page, body: Body) -> bool:
    """Whether the lines beyond an edge are small notes, and no line of small print crosses the edge."""
    large = any(line.size > body.size - 0.7 for line in beyond if line.letters > 3)
    words = [line for line in beyond if line.letters > _NOTE]
    across = any(
        line.x0 <= x <= line.x1 and line.size < body.size - 0.7 and line.letters > _WORDY for line in page.lines
    )
    return len(words) >= _LEAST_NOTES and not large and not across


def _side_panel(page: Page, body: Body) -> list[_Alley]:
    """The gap between small print at the left of a first page (citation, dates) and the text beside it, if any.

    The text of the page is one column to the right of the panel; lines above may cross the gap.
    """
    if page.number > 1:
        return []
    text = [line.x0 for line in page.lines if abs(line.size - body.size) < 0.6 and line.letters > 2 * _WORDY]
    if len(text) < _LEAST_TEXT:
        return []
    x = statistics.quantiles(text, n=10)[0] - _LEAST_ALLEY
    panel = [line for line in page.lines if line.x1 <= x and line.letters > 3]
    small = [line for line in panel if line.size < body.size - 0.7 and line.letters > _WORDY]
    if x < _PANEL * page.width or len(small) < _LEAST_NOTES:
        return []
    middle = statistics.median(line.y0 for line in small)
    edge = max(line.x1 for line in small)
    hanging = [line.x0 for line in page.lines if edge < line.x0 < x < line.x1 and line.size > body.size]
    x = min([x, *(start - 1 for start in hanging)])  # numbers of headings are to the left of the text
    across = [line for line in page.lines if line.x0 < x - _LEAN and line.x1 > x + _LEAN]
    top = max((line.y1 for line in across if line.y1 <= middle), default=0.0)
    bottom = min((line.y0 for line in across if line.y0 >= middle), default=page.height)
    held = [line for line in panel if top <= (line.y0 + line.y1) / 2 <= bottom]
    fits = all(line.size < body.size - 0.7 or line.letters <= _NOTE for line in held)  # "OPEN" is large
    return [_Alley(x, top, bottom)] if fits else []


def _paired_blocks(page: Page, body: Body) -> list[_Alley]:
    """The gap between two blocks of small print above the text of a first page: abstracts in two languages, key points.

    Lines of the right block share a left edge, and no line at the height of the blocks crosses the gap.
    """
    if page.number > 1:
        return []
    text = (line.y0 for line in page.lines if abs(line.size - body.size) < 0.6 and line.letters > 2 * _WORDY)
    top = min(text, default=0.0)
    small = [line for line in page.lines if line.y1 < top and line.size < body.size - 0.7]
    full = [line for line in small if line.letters > _LONG]
    edges = Counter(round(line.x0) for line in full if line.x0 > _PANEL * page.width)
    x = next((float(edge) for edge, _ in edges.most_common(1)), page.width) - _LEAST_ALLEY
    right = [line for line in full if 0 < line.x0 - x < 2 * _LEAST_ALLEY]
    left = [line for line in full if line.x1 < x and any(_is_beside(line, other) for other in right)]
    if min(len(left), len(right)) < _LEAST_BLOCK:
        return []
    first, last = min(line.y0 for line in [*left, *right]), max(line.y1 for line in [*left, *right])
    across = [line for line in page.lines if line.x0 < x - _LEAN and line.x1 > x + _LEAN]
    above = max((line.y1 for line in across if line.y0 < first), default=0.0)
    below = min((line.y0 for line in across if line.y1 > first), default=top)
    return [_Alley(x, above, min(below, top))] if below > last else []


def _panel_beside_block(page: Page) -> list[_Alley]:
    """The gap between an abstract or title on a first page and a narrow panel of smaller print beside it, if any.

    Publishers set dates, addresses and key words in this way, above text in columns narrower than the block.
    """
    if page.number > 1:
        return []
    lines = [line for line in page.lines if line.letters > 3]
    x0, x1 = min((line.x0 for line in lines), default=0.0), max((line.x1 for line in lines), default=0.0)
    middle = (x0 + x1) / 2
    wide = [line for line in lines if line.x0 < middle - _LEAN and line.x1 > middle + _LEAN and line.letters > _WORDY]
    for edge, count in Counter(round(line.x0) for line in lines).most_common(_EDGES):
        x = edge - _LEAST_ALLEY
        if count < _LEAST_BLOCK or x < x0 + _PANEL * (x1 - x0):
            continue
        if x > middle:
            panel = [line for line in lines if 0 < line.x0 - x < 2 * _LEAST_ALLEY]
            block = [line for line in wide if line.x1 < x]
        else:
            panel = [line for line in lines if line.x1 < x]
            block = [line for line in wide if 0 < line.x0 - x < 2 * _LEAST_ALLEY]
        if found := _alley_of_panel(x, block[:_MOST], panel[:_MOST], page):
            return found
    return []


def _alley_of_panel(x: float, block: list[Line], panel: list[Line], page: Page) -> list[_Alley]:
    """The gap at ``x`` between a block and the lines of a panel at its height, unless a line crosses it there.

    It ends above larger print below, which is a heading or the text.
    """
    held = [line for line in panel if any(_is_beside(line, other) for other in block)]
    level = [line for line in block if any(_is_beside(line, other) for other in panel)]
    if len(level) < _LEAST_NOTES or len(held) < _LEAST_NOTES:
        return []
    size, usual = (statistics.median(line.size for line in lines) for lines in (held, level))
    if size > usual - _SMALLER:
        return []
    first, last = min(line.y0 for line in [*held, *level]), max(line.y1 for line in [*held, *level])
    across = [line for line in page.lines if line.x0 < x - _LEAN and line.x1 > x + _LEAN]
    larger = [line for line in panel if line.size > size + _SMALLER]
    larger += [line for line in page.lines if line.size > usual + _SMALLER]
    above = max((line.y1 for line in across if line.y0 < first), default=0.0)
    below = min((line.y0 for line in [*across, *larger] if line.y0 > first), default=page.height)
    return [_Alley(x, above, below)] if below > last - 1 else []


def _both_sides(x: float | None, top: float, lines: list[Line], page: Page) -> list[_Alley]:
    """The gap at ``x`` from ``top`` down to the first line that crosses it, if both sides have text."""
    if x is None:
        return []
    band = _band_at(x, top, lines, page)
    held = [line for line in lines if band.holds(line) and line.letters > _WORDY]
    both = any(line.x1 < x for line in held) and any(line.x0 > x for line in held)
    return [band] if both else []


def _band_at(x: float, top: float, lines: list[Line], page: Page) -> _Alley:
    across = (line.y0 for line in lines if line.x0 < x - _LEAN and line.x1 > x + _LEAN)
    return _Alley(x, top, min(across, default=page.height))


def _less_crossed(page: Page, own: float | None, gutters: list[float | None]) -> float | None:
    """The gutter of the page, or that of another page which far fewer lines of this page cross."""
    if own is None or _count_across(page.lines, own) <= _FEW:
        return own
    others = {round(x / _LEAN): x for x in gutters if x is not None and abs(x - own) > 2 * _LEAN}
    best = min(others.values(), key=lambda x: _count_across(page.lines, x), default=own)
    return best if _count_across(page.lines, best) + _FEW < _count_across(page.lines, own) else own


def _usual_gutter(gutters: list[float | None], pages: list[Page]) -> float | None:
    found = [gutter for gutter in gutters if gutter is not None]
    full = sum(len(page.lines) > 12 for page in pages)
    return statistics.median(found) if found and len(found) >= 0.4 * full else None


def _column_of(line: Line, gutter: float | None) -> int:
    if gutter is None:
        return 0
    if line.x1 <= gutter + _LEAN:
        return 1
    if line.x0 >= gutter - _LEAN:
        return 2
    return 0


@dataclass(frozen=True)
class _Alley:
    """A vertical gap between items side by side: x and range of heights, in points from the top left of the page."""

    x: float
    top: float
    bottom: float

    def parts(self, one: Line, other: Line) -> bool:
        """Whether two lines of one row are on opposite sides of the alley."""
        return self.holds(one) and min(one.x1, other.x1) <= self.x <= max(one.x0, other.x0)

    def holds(self, one: Line) -> bool:
        """Whether the middle of a line is within the alley's range of heights."""
        return self.top <= (one.y0 + one.y1) / 2 <= self.bottom


def _find_alleys(lines: list[Line], body: Body) -> list[_Alley]:
    """The gaps between captions that are side by side, and between a caption and the text beside it."""
    labelled = [line for line in lines if opens_caption(f"{line.text} 1")][:_MOST]
    captions = [line for line in labelled if opens_caption(_with_number(line, lines), sure=True)]
    found: list[_Alley] = []
    for caption in captions:
        row = [line for line in lines if line is not caption and _is_beside(line, caption)]
        both = any(line in captions and line.x1 < caption.x0 for line in row)
        least = _LEAST_ALLEY if both else _LEAST_GAP * body.size
        before = [line for line in row if line.x1 < caption.x0 - least]
        after = sorted((line for line in row if line.x0 > caption.x1 + least), key=lambda line: line.x0)
        if before and (both or any(_is_text(line, lines, body) for line in before)):
            found.append(_alley_between(max(before, key=lambda line: line.x1), caption, lines, body))
        if after and not any(line in captions for line in after) and _is_text(after[0], lines, body):
            found.append(_alley_between(caption, after[0], lines, body))
    return found


def _info_alley(lines: list[Line], body: Body) -> list[_Alley]:
    """The gap between a box "Article info" and the abstract beside it, if there are any."""
    for info in (line for line in lines if _INFO.fullmatch(line.text)):
        beside = (
            line for line in lines if line.x0 > info.x1 and _is_beside(line, info) and _ABSTRACT.fullmatch(line.text)
        )
        label = next(beside, None)
        if label is not None:
            x = label.x0 - 2
            sides = ([one for one in lines if one.x1 <= x], [one for one in lines if one.x0 >= x])
            bottom = max(_chain_end(side, max(info.y1, label.y1), body) for side in sides)
            return [_Alley(x, min(info.y0, label.y0), bottom)]
    return []


def _chain_end(lines: list[Line], start: float, body: Body) -> float:
    """The bottom of the run of lines that begins at a height."""
    end = start
    for line in sorted((line for line in lines if line.y1 > start), key=lambda line: line.y0):
        if line.y0 - end > _LEAST_ROWS * body.leading:
            break
        end = max(end, line.y1)
    return end


def _with_number(line: Line, lines: list[Line]) -> str:
    """The text of a line; for a label that a wide gap separates from its number, with the number."""
    if not line.text.isalpha():
        return line.text
    after = [one for one in lines if 0 < one.x0 - line.x1 < 4 * line.size and _is_beside(one, line)]
    return " ".join([line.text, *(one.text for one in sorted(after, key=lambda one: one.x0)[:1])])


def _is_text(line: Line, lines: list[Line], body: Body) -> bool:
    """Whether a line is among lines of text with the same left edge."""
    alike = [one for one in lines if abs(one.x0 - line.x0) < 1 and abs(one.y0 - line.y0) < _LEAST_ROWS * body.leading]
    return sum(abs(one.size - body.size) < 0.6 and one.letters > 8 for one in alike) >= _LEAST_ROWS


def _alley_between(left: Line, right: Line, lines: list[Line], body: Body) -> _Alley:
    """The gap between two lines of a row, extended up and down to the first lines that cross it or to distant text."""
    top, bottom = min(left.y0, right.y0), max(left.y1, right.y1)
    gap = left.x1, right.x0
    near = [line for line in lines if line.x0 < right.x1 and line.x1 > left.x0]
    above = sorted((line for line in near if line.y0 < top), key=lambda line: -line.y0)
    below = sorted((line for line in near if line.y1 > bottom), key=lambda line: line.y0)
    gap, first = _narrow_gap(gap, above, top, body)
    gap, last = _narrow_gap(gap, below, bottom, body)
    top, bottom = min([top, *(line.y0 for line in first)]), max([bottom, *(line.y1 for line in last)])
    return _Alley(sum(gap) / 2, top, bottom)


def _narrow_gap(
    gap: tuple[float, float], lines: list[Line], start: float, body: Body
) -> tuple[tuple[float, float], list[Line]]:
    """Narrow a gap by the lines, in order from ``start``, until one crosses it; the gap and these lines."""
    left, right = gap
    edge = start
    for index, line in enumerate(lines):
        apart = max(line.y0 - edge, edge - line.y1) > _APART * body.leading
        if apart and line.size > body.size - 0.5:
            return (left, right), lines[:index]
        edge = line.y1 if line.y1 > start else line.y0
        if line.x1 < right - _LEAST_ALLEY:
            left = max(left, line.x1)
        elif line.x0 > left + _LEAST_ALLEY:
            right = min(right, line.x0)
        else:
            return (left, right), lines[:index]
    return (left, right), lines


def _is_beside(one: Line, other: Line) -> bool:
    shared = min(one.y1, other.y1) - max(one.y0, other.y0)
    return shared > _LEAST_SHARED * min(one.y1 - one.y0, other.y1 - other.y0)


def _join_rows(lines: list[Line], gutter: float | None, alleys: list[_Alley]) -> list[Line]:
    """Join pieces side by side in one column: a number and its heading, words with wide spaces between them."""
    rows: list[Line] = []
    for line in _from_left(lines):
        for row in reversed(rows[-8:]):
            if _side_by_side(row, line, gutter) and not any(alley.parts(row, line) for alley in alleys):
                _append_piece(row, line)
                break
        else:
            rows.append(line)
    return rows


def _from_left(lines: list[Line]) -> list[Line]:
    """Sort lines from top to bottom, and from left to right within a row, so that pieces are joined in order."""
    ordered: list[Line] = []
    level: list[Line] = []
    for line in sorted(lines, key=lambda one: (one.y0 + one.y1, one.x0)):
        if level and not _is_level(level[0], line):
            ordered += sorted(level, key=lambda one: one.x0)
            level = []
        level.append(line)
    return ordered + sorted(level, key=lambda one: one.x0)


def _is_level(first: Line, line: Line) -> bool:
    """Whether two pieces are at about the same height; a superscript may make one of them taller."""
    top, bottom = line.y0 - first.y0, line.y1 - first.y1
    raised = first.letters > _LONG and abs(bottom) < _LEVEL / 2 and abs(top) < first.size / 2
    mark = len(first.text) <= _MARK and abs(top) < _LEVEL / 2 and first.y1 < line.y1
    return top + bottom <= _LEVEL or raised or mark


def _side_by_side(row: Line, line: Line, gutter: float | None) -> bool:
    if row.y1 < line.y0 or line.y1 < row.y0:
        return False
    shared = min(row.y1, line.y1) - max(row.y0, line.y0)
    gap = max(line.x0 - row.x1, row.x0 - line.x1)
    if shared < 0.5 * min(row.y1 - row.y0, line.y1 - line.y0) or gap < -2:
        return False
    small, large = sorted((row, line), key=lambda one: one.size)
    titled = gap > large.size > _FAR_LARGER * small.size and large.letters > _WORDY
    if titled and line.page == 1 and (len(small.text) > _SIGN or large.size > _DISPLAY):
        return False  # small print beside a title
    if gutter is not None and {_column_of(row, gutter), _column_of(line, gutter)} == {1, 2} and gap > _LEAST_ALLEY:
        return False
    if gutter is not None and _meet_at(gutter, *sorted((row, line), key=lambda one: one.x0)):
        return False
    return gutter is None or gap < 1 or not min(row.x1, line.x1) - 3 <= gutter <= max(row.x0, line.x0) + 3


def _meet_at(gutter: float, left: Line, right: Line) -> bool:
    """Whether lines of the left and the right column touch since one of them is too long for its column."""
    near = abs(left.x1 - gutter) < 2 * _LEAN and abs(right.x0 - gutter) < 2 * _LEAN
    return near and left.letters > _LONG


def _pull_overfull(lines: list[Line], gutter: float | None) -> None:
    """Assign a line that crosses the gutter to the column opposite to other text on its row, in place."""
    if gutter is None:
        return
    across = [one for one in lines if one.column == 0 and one.x0 < gutter < one.x1]
    for line in across[:_MOST]:
        row = [one for one in lines if one.column in (1, 2) and one.letters > 3 and _is_beside(one, line)]
        sides = {one.column for one in row if min(one.y1, line.y1) - max(one.y0, line.y0) > 0.5 * line.size}
        if len(sides) == 1:
            line.column = 3 - sides.pop()


def _append_piece(row: Line, line: Line) -> None:
    first, last = (row, line) if row.x0 <= line.x0 else (line, row)
    gap = last.x0 - first.x1
    if gap > 0.1 * row.size:
        first.spans[-1].text += CELL if gap > _CELL_GAP * row.size else " "
    row.cells = row.cells + line.cells - (gap < _CELL_GAP * row.size)
    row.spans = [*first.spans, *last.spans]
    row.hidden = row.hidden or line.hidden
    row.x0, row.x1 = first.x0, max(first.x1, last.x1)
    row.y0, row.y1 = min(row.y0, line.y0), max(row.y1, line.y1)
    row.forget()
