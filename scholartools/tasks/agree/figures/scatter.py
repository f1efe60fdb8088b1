"""Coefficients of methods, with their intervals, against the tokens of a rating."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from scholartools.records import Record
from scholartools.tasks.agree.figures.axes import draw_horizontal_axis, draw_vertical_axis
from scholartools.tasks.agree.figures.canvas import (
    GREY,
    INK,
    MARK,
    PALE,
    Canvas,
    Scale,
    scale_around,
    text_width,
)

_WIDTH, _HEIGHT = 330, 240
# From one base line to the next.
_LINE = 13
NOTE = "tokens of a rating on a logarithmic scale; methods without tokens or a coefficient are not shown"


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
    draw_vertical_axis(canvas, up, left + 46, left + _WIDTH, str(shown[0]["measure"]))
    draw_horizontal_axis(canvas, across, top + _HEIGHT, "tokens of a rating")
    for entry in shown:
        _draw_point(canvas, entry, across, up)
    _draw_names(canvas, shown, across, up)
    return _WIDTH + 30, _HEIGHT + 46


def _draw_point(canvas: Canvas, entry: Record, across: Scale, up: Scale) -> None:
    x, y = across.at(entry["tokens"]), up.at(entry["value"])
    low, high = _ends(entry)
    canvas.line(x, up.at(low), x, up.at(high), GREY)
    canvas.circle(x, y, 5, MARK)


def _draw_names(canvas: Canvas, entries: Sequence[Record], across: Scale, up: Scale) -> None:
    """The methods beside their points, each as near as it can stand without covering another's name."""
    taken: list[tuple[float, float, float]] = []
    for entry in sorted(entries, key=lambda entry: (up.at(entry["value"]), entry["method"])):
        x, y = across.at(entry["tokens"]), up.at(entry["value"])
        is_right = x > (across.start + across.end) / 2
        wide = text_width(entry["method"])
        left = x - 9 - wide if is_right else x + 9
        free = (line for line in _lines_around(y - 6) if not any(_covers(left, wide, line, other) for other in taken))
        line = next(free)
        taken.append((left, wide, line))
        if abs(line - (y - 6)) > _LINE:
            canvas.line(x, y, x - 7 if is_right else x + 7, line - 4, PALE)
        canvas.text(x - 9 if is_right else x + 9, line, entry["method"], "end" if is_right else "start", INK)


def _lines_around(y: float) -> Iterator[float]:
    """Base lines at a place, above it, below it, and so on."""
    yield y
    for step in itertools.count(1):
        yield y - step * _LINE
        yield y + step * _LINE


def _covers(left: float, wide: float, line: float, other: tuple[float, float, float]) -> bool:
    """Whether a name would stand on another, which is given as its left end, width and base line."""
    return abs(line - other[2]) < _LINE and left < other[0] + other[1] and other[0] < left + wide


def _ends(entry: Record) -> tuple[float, float]:
    """The interval of a coefficient; the coefficient itself where there is none."""
    between = entry.get("interval") or {}
    if between.get("low") is None:
        return entry["value"], entry["value"]
    return between["low"], between["high"]
