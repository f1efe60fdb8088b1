"""Coefficients of methods, with their intervals, against the tokens of a rating."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from scholartools.records import Record
from scholartools.tasks.agree.figures.axes import COEFFICIENTS, draw_horizontal_axis, draw_vertical_axis
from scholartools.tasks.agree.figures.canvas import (
    GREY,
    INK,
    MARK,
    TINT,
    Canvas,
    Scale,
    scale_around,
    text_width,
)

_WIDTH, _HEIGHT = 380, 260
# From one base line to the next; the radius of a disc; from its middle to where a name begins.
_LINE, _RADIUS, _ASIDE = 13, 5, 9
NOTE = "Bars are intervals; tokens on a logarithmic scale; methods without tokens or a coefficient are not shown."

# Left, top, right and bottom of what is drawn.
_Box = tuple[float, float, float, float]


def draw_scatter(canvas: Canvas, entries: Sequence[Record], left: float, top: float) -> tuple[float, float]:
    """Draw one panel; returns its width and height."""
    shown = [
        entry for entry in entries if entry["method"] is not None and entry["value"] is not None and entry["tokens"]
    ]
    if not shown:
        canvas.text(left, top + 20, "no method with tokens and a coefficient", colour=GREY)
        return _WIDTH, _HEIGHT
    ends = [end for entry in shown for end in _ends(entry)]
    across = scale_around([entry["tokens"] for entry in shown], left + 46, left + _WIDTH, is_log=True)
    up = scale_around(ends, top + _HEIGHT, top)
    draw_vertical_axis(canvas, up, left + 46, left + _WIDTH, COEFFICIENTS[shown[0]["measure"]])
    draw_horizontal_axis(canvas, across, top + _HEIGHT, "tokens of a rating")
    points = [(entry["method"], across.at(entry["tokens"]), up.at(entry["value"])) for entry in shown]
    for entry, (_, x, _) in zip(shown, points, strict=True):
        low, high = _ends(entry)
        canvas.line(x, up.at(low), x, up.at(high), TINT, 3)
    for _, x, y in points:
        canvas.circle(x, y, _RADIUS, MARK)
    _draw_names(canvas, points, across)
    return _WIDTH + 30, _HEIGHT + 46


def _draw_names(canvas: Canvas, points: Sequence[tuple[str, float, float]], across: Scale) -> None:
    """The methods beside their discs, each as near as it can stand without covering a disc or another's name."""
    reach = _RADIUS + 1
    taken: list[_Box] = [(x - reach, y - reach, x + reach, y + reach) for _, x, y in points]
    for name, x, y in sorted(points, key=lambda point: (point[2], point[0])):
        boxes = _boxes_around(x, y, text_width(name), across)
        box = next(box for box in boxes if not any(_overlap(box, other) for other in taken))
        taken.append(box)
        left, top, right, bottom = box
        middle = (top + bottom) / 2
        if abs(middle - y) > _LINE:
            canvas.line(x, y, right + 2 if right < x else left - 2, middle, GREY)
        canvas.text(right if right < x else left, bottom - 3, name, "end" if right < x else "start", INK)


def _boxes_around(x: float, y: float, width: float, across: Scale) -> Iterator[_Box]:
    """Where a name can stand within the panel: right and left of its disc, then further and further up and down."""
    sides = (x + _ASIDE, x - _ASIDE - width)
    lefts = [left for left in sides if across.start <= left <= across.end - width] or [across.start]
    for step in itertools.count():
        for middle in (y - step * _LINE, y + step * _LINE):
            for left in lefts:
                yield left, middle - _LINE / 2, left + width, middle + _LINE / 2


def _overlap(one: _Box, other: _Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _ends(entry: Record) -> tuple[float, float]:
    """The interval of a coefficient; the coefficient itself where there is none."""
    between = entry.get("interval") or {}
    if between.get("low") is None:
        return entry["value"], entry["value"]
    return between["low"], between["high"]
