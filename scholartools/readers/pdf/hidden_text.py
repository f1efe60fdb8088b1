"""Detection of text that is invisible on the page: pale, covered, transparent, tiny or outside the page.

Works on the blocks of a page in drawing order, in the format of ``Page.get_text("dict")`` of pymupdf: type 0 has lines
of text, type 3 is a drawing. The page is rendered only where the blocks do not determine the result.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import groupby
from typing import Any, NamedTuple

from scholartools.readers.common.page import Box, box_around

_TINY = 2.0  # text smaller than this is not readable in print, in points
_PHRASE = 20  # tiny text is hidden only if it has more characters, since labels of drawings can be tiny
_WORDLESS = 2  # hidden text is reported only if it has more letters
_PALE = 0.85  # text may be invisible on white paper above this luminance (0 to 1)
_CONTRAST = 0.12  # minimum luminance difference of visible text
_COVERED = 0.8  # minimum covered share of a line's box
_INK = 0.015  # minimum share of pixels in the text's colour within the box of a visible line; usual is 0.1
_NEAR = 80  # maximum difference per channel (of 255) at which anti-aliased ink has the text's colour
_SMALL = 4.0  # shapes that are narrower or lower do not cover text, in points
_BAND = 24.0  # height of the bands of a page by which shapes are indexed, in points
_FREE = 0.5  # below this share of a line's box in drawings, the background is bare paper
_SCAN = 0.5  # a scanned image covers more than this share of the page
_MOST_PIXELS = 40_000  # boxes with more pixels are sampled
_ZOOM = 2.0  # resolution of the rendered page, in pixels per point
_OPEN = 8  # number of the latest runs of hidden text that a line may continue
_WORD_GAP = 2.0  # maximum gap between words of one row, in multiples of the line height

Canvas = Callable[[], Any]
Log = Callable[[], list[tuple[str, Box]]]


class Fill(NamedTuple):
    """A filled opaque shape: its box, colour as 0xRRGGBB, and index in drawing order."""

    box: Box
    color: int
    order: int


@dataclass
class SplitLines:
    """The visible and the hidden lines of a page, each in the page's order."""

    shown: list[dict] = field(default_factory=list)
    hidden: list[dict] = field(default_factory=list)
    underlay: list[dict] = field(default_factory=list)  # those of the hidden lines that may belong to an OCR layer


@dataclass(frozen=True)
class View:
    """The data of a page that determine whether a line is visible.

    Attributes:
        width: width of the page, in points; ``height`` likewise.
        fills: the fills by band of the page, :data:`_BAND` points high, each in drawing order.
        under_images: ids of the lines that are covered by an image.
        canvas: returns the page rendered in RGB with :data:`_ZOOM` pixels per point.
        log: returns the result of ``Page.get_bboxlog``: what is drawn, in order.
    """

    width: float
    height: float
    fills: dict[int, list[Fill]]
    under_images: set[int]
    canvas: Canvas
    log: Log

    def fills_at(self, box: Box) -> list[Fill]:
        """The fills that overlap a box, in drawing order."""
        return _fills_near(self.fills, box)

    @cached_property
    def drawn(self) -> dict[int, list[Fill]]:
        """Everything drawn except text and small shapes, by band."""
        found: dict[int, list[Fill]] = {}
        for order, (kind, area) in enumerate(self.log()):
            if not kind.endswith("-text") and _is_large(area):
                _put_in_bands(found, Fill(area, 0, order), self.height)
        return found


def _put_in_bands(found: dict[int, list[Fill]], fill: Fill, height: float) -> None:
    top, bottom = max(0.0, fill.box[1]), min(height, fill.box[3])
    for band in range(int(top // _BAND), int(bottom // _BAND) + 1):
        found.setdefault(band, []).append(fill)


def _fills_near(fills: dict[int, list[Fill]], box: Box) -> list[Fill]:
    """The fills, indexed by band, that overlap a box, in drawing order."""
    if not fills:
        return []
    first, last = int(box[1] // _BAND), int(box[3] // _BAND)
    # Avoids long ranges, since damaged files can have boxes of any height.
    bands = range(first, last + 1) if last - first < len(fills) else sorted(fills)
    near = {fill.order: fill for band in bands for fill in fills.get(band, ()) if _boxes_meet(fill.box, box)}
    return [near[order] for order in sorted(near)]


def split_visible(blocks: Iterable[dict], view: View) -> SplitLines:
    """Separate the visible lines of a page from the hidden ones; blank lines are dropped."""
    found = SplitLines()
    for order, block in enumerate(blocks):
        for line in block.get("lines", ()):
            if _is_plain(line, view):
                found.shown.append(line)
            elif not _is_blank(line):
                _sort_line(line, order, view, found)
    return found


def _sort_line(line: dict, order: int, view: View, found: SplitLines) -> None:
    """Add the line to the visible or the hidden ones; a line with some hidden words is split."""
    causes = [(piece, _why_hidden(piece, order, view)) for piece in _split_by_colour(line)]
    if all(cause is None for _, cause in causes):
        found.shown.append(line)
        return
    seen = [span for piece, cause in causes if cause is None for span in piece["spans"]]
    if seen:
        found.shown.append({**line, "spans": seen, "bbox": box_around(span["bbox"] for span in seen)})
    for piece, cause in causes:
        if cause is not None:
            found.hidden.append(piece)
            if cause == "underlay":
                found.underlay.append(piece)


def _is_plain(line: dict, view: View) -> bool:
    """Whether a line is not blank and certainly visible: a fast test that most lines pass."""
    x0, y0, x1, y1 = line["bbox"]
    if x1 <= 0 or y1 <= 0 or x0 >= view.width or y0 >= view.height or id(line) in view.under_images:
        return False
    for span in line["spans"]:
        if span["color"] or span["alpha"] != 255 or span["size"] < _TINY:
            return False
    return not _is_blank(line) and not (view.fills and view.fills_at(line["bbox"]))


def _is_blank(line: dict) -> bool:
    spans = line["spans"]  # checking the first span decides most lines
    return not spans or (spans[0]["text"].isspace() and all(span["text"].isspace() for span in spans))


def _split_by_colour(line: dict) -> list[dict]:
    """The line, split into runs of one colour and opacity if it has several."""
    runs = [list(run) for _, run in groupby(line["spans"], key=lambda span: (span["color"], span["alpha"]))]
    if len(runs) == 1:
        return [line]
    return [{**line, "spans": run, "bbox": box_around(span["bbox"] for span in run)} for run in runs]


def _why_hidden(line: dict, order: int, view: View) -> str | None:
    """The reason why a line is hidden; None if it is visible or blank."""
    text = text_of(line)
    if not text:
        return None
    span = max(line["spans"], key=lambda one: len(one["text"].strip()))
    x0, y0, x1, y1 = box = line["bbox"]
    if x1 <= 0 or y1 <= 0 or x0 >= view.width or y0 >= view.height:
        return "outside"
    if span["alpha"] < 255 * _CONTRAST:
        return "underlay"
    if span["size"] < _TINY and len(text) > _PHRASE:
        return "tiny"
    fills = view.fills_at(box)
    covered = id(line) in view.under_images or _is_covered(box, [fill.box for fill in fills if fill.order > order])
    pale = _luminance_of(span["color"]) > _PALE or _is_on_its_colour(
        box, span["color"], [fill for fill in fills if fill.order < order]
    )
    if covered:
        return None if _is_seen(view.canvas(), box, span["color"], covered) else "underlay"
    return "pale" if pale and not _stands_out(box, span["color"], view) else None


def _stands_out(box: Box, color: int, view: View) -> bool:
    """Whether pale text differs from its background; the page is rendered only if this is not bare paper."""
    if sum(_share_within(box, area.box) for area in _fills_near(view.drawn, box)) < _FREE:  # on bare paper
        return 1.0 - _luminance_of(color) >= _CONTRAST
    return _is_seen(view.canvas(), box, color, covered=False)


def _is_covered(box: Box, later: list[Box]) -> bool:
    return sum(_share_within(box, one) for one in later) >= _COVERED


def _is_on_its_colour(box: Box, color: int, earlier: list[Fill]) -> bool:
    return any(
        _colour_distance(one.color, color) < 255 * _CONTRAST and _share_within(box, one.box) > _COVERED
        for one in earlier
    )


def fills_of(blocks: Iterable[dict], height: float) -> dict[int, list[Fill]]:
    """The opaque filled shapes of a page that are large enough to cover a word, by band of the page."""
    found: dict[int, list[Fill]] = {}
    for order, block in enumerate(blocks):
        if block["type"] == 3 and not block["stroked"] and block["alpha"] > 230 and _is_large(block["bbox"]):
            _put_in_bands(found, Fill(block["bbox"], block["color"], order), height)
    return found


def _is_large(box: Box) -> bool:
    return box[2] - box[0] > _SMALL and box[3] - box[1] > _SMALL


def under_images(lines: list[dict], images: list[Box], log: Log) -> set[int]:
    """The ids of the lines that are covered by an image.

    Args:
        lines: lines of the page.
        images: boxes of the images.
        log: returns the result of ``Page.get_bboxlog``; called only if an image overlaps a line.
    """
    met = [line for line in lines if any(_share_within(line["bbox"], image) >= _COVERED for image in images)]
    if not met:
        return set()
    drawn = log()
    return {id(line) for line in met if _is_before_image(line["bbox"], drawn)}


def _is_before_image(box: Box, drawn: list[tuple[str, Box]]) -> bool:
    own = [
        order for order, (kind, area) in enumerate(drawn) if kind.endswith("-text") and _share_within(area, box) > 0.5
    ]
    over = [
        order
        for order, (kind, area) in enumerate(drawn)
        if kind == "fill-image" and _share_within(box, area) >= _COVERED
    ]
    return bool(own and over) and own[-1] < over[-1]


def _is_seen(canvas: Any, box: Box, color: int, covered: bool) -> bool:
    """Whether text of this colour differs from its background on the rendered page."""
    pixels = _count_colours(canvas, box)
    total = sum(pixels.values())
    if not total:
        return False
    background = max(pixels, key=lambda pixel: (pixels[pixel], pixel))
    if abs(_luminance_of(background) - _luminance_of(color)) < _CONTRAST:
        return False
    ink = sum(count for pixel, count in pixels.items() if _colour_distance(pixel, color) < _NEAR)
    return not covered or ink > _INK * total


def _count_colours(canvas: Any, box: Box) -> Counter[int]:
    """Histogram of the colours within a box of the rendered page, in steps of 8 of 255 per channel.

    In boxes of more than :data:`_MOST_PIXELS`, such as that of a watermark, rows at even distances are sampled.
    """
    x0, y0, x1, y1 = (round(_ZOOM * edge) for edge in box)
    columns = slice(3 * max(0, x0), 3 * min(canvas.width, x1 + 1))
    samples = canvas.samples_mv
    found: Counter[int] = Counter()
    top, bottom = max(0, y0), min(canvas.height, y1 + 1)
    area = (columns.stop - columns.start) // 3 * (bottom - top)
    for row in range(top, bottom, max(1, area // _MOST_PIXELS)):
        start = row * canvas.stride
        pixels = bytes(samples[start : start + canvas.stride][columns])
        found.update(zip(pixels[0::3], pixels[1::3], pixels[2::3]))  # type: ignore[arg-type]
    return _merge_colours(found)


def _merge_colours(exact: Counter) -> Counter[int]:
    found: Counter[int] = Counter()
    for (red, green, blue), count in exact.items():
        found[(red | 7) << 16 | (green | 7) << 8 | (blue | 7)] += count
    return found


def _boxes_meet(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _share_within(box: Box, other: Box) -> float:
    """The share of the area of a box that lies within another."""
    width = min(box[2], other[2]) - max(box[0], other[0])
    height = min(box[3], other[3]) - max(box[1], other[1])
    area = (box[2] - box[0]) * (box[3] - box[1])
    return width * height / area if width > 0 and height > 0 and area > 0 else 0.0


def _colour_channels(color: int) -> tuple[int, int, int]:
    return color >> 16 & 255, color >> 8 & 255, color & 255


def _luminance_of(color: int) -> float:
    red, green, blue = _colour_channels(color)
    return (0.299 * red + 0.587 * green + 0.114 * blue) / 255


def _colour_distance(one: int, other: int) -> int:
    return max(abs(a - b) for a, b in zip(_colour_channels(one), _colour_channels(other)))


def text_of(line: dict) -> str:
    """The text of a line in the format of pymupdf, stripped."""
    return "".join(span["text"] for span in line["spans"]).strip()


def is_scan(images: Iterable[Box], parted: SplitLines, width: float, height: float) -> bool:
    """Whether images cover most of the page and most of its text is an invisible OCR layer."""
    area = sum((x1 - x0) * (y1 - y0) for x0, y0, x1, y1 in images)
    if area <= _SCAN * width * height:
        return False
    seen, under = (sum(len(text_of(line)) for line in lines) for lines in (parted.shown, parted.underlay))
    return under > seen


def keep_hidden_lines(blocks: Iterable[dict], unseen: list[dict], off: list[dict]) -> list[dict]:
    """All lines of the page; those with hidden words have the key ``hidden``.

    Args:
        blocks: blocks of the page.
        unseen: hidden lines, or hidden pieces of lines.
        off: lines in layers that are off, which are not in ``blocks``.
    """
    words = {id(span) for line in unseen for span in line["spans"]}
    lines = [line for block in blocks for line in block.get("lines", ()) if text_of(line)]
    marked = [{**line, "hidden": True} if words & set(map(id, line["spans"])) else line for line in lines]
    return [*marked, *({**line, "hidden": True} for line in off)]


def hidden_runs(lines: list[dict]) -> Iterator[tuple[str, Box]]:
    """The texts and boxes of hidden lines; adjacent lines of one size are joined.

    Texts without a word, such as ticks and labels of drawings, are left out.
    """
    found: list[list[dict]] = []
    for line in lines:
        near = (run for run in found[: -_OPEN - 1 : -1] if _goes_on(run[-1], line))
        run = next(near, None)
        if run is None:
            found.append([line])
        else:
            run.append(line)
    for run in found:
        text = " ".join(" ".join(map(text_of, run)).split())
        if sum(map(str.isalpha, text)) > _WORDLESS:
            yield text, box_around(line["bbox"] for line in run)


def _goes_on(last: dict, line: dict) -> bool:
    """Whether a line is adjacent to another one, vertically or on its row, and of the same size."""
    if abs(last["spans"][0]["size"] - line["spans"][0]["size"]) >= 0.1:
        return False
    x0, y0, x1, y1 = last["bbox"]
    left, top, right, bottom = line["bbox"]
    height = max(y1 - y0, bottom - top)
    across, down = max(left - x1, x0 - right), max(top - y1, y0 - bottom)
    return (across < 0 and down < height) or (down < -0.5 * height and across < _WORD_GAP * height)


def lazy_canvas(mupdf: Any, source: Any) -> Canvas:
    """A function that renders the page in RGB with :data:`_ZOOM` pixels per point on its first call."""
    matrix = mupdf.Matrix(_ZOOM, _ZOOM)
    return cache(lambda: source.get_pixmap(matrix=matrix, colorspace=mupdf.csRGB, alpha=False))
