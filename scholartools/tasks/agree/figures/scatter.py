"""Coefficients of methods, with their intervals, against the tokens of a rating."""

from __future__ import annotations

from collections.abc import Sequence

from scholartools.records import Record
from scholartools.tasks.agree.figures.axes import draw_horizontal_axis, draw_vertical_axis
from scholartools.tasks.agree.figures.canvas import GREY, INK, MARK, Canvas, Scale, scale_around

_WIDTH, _HEIGHT = 330, 240
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
    return _WIDTH + 30, _HEIGHT + 46


def _draw_point(canvas: Canvas, entry: Record, across: Scale, up: Scale) -> None:
    x, y = across.at(entry["tokens"]), up.at(entry["value"])
    low, high = _ends(entry)
    canvas.line(x, up.at(low), x, up.at(high), GREY)
    canvas.circle(x, y, 5, MARK)
    is_right = x > (across.start + across.end) / 2
    canvas.text(x - 9 if is_right else x + 9, y - 6, entry["method"], "end" if is_right else "start", INK)


def _ends(entry: Record) -> tuple[float, float]:
    """The interval of a coefficient; the coefficient itself where there is none."""
    between = entry.get("interval") or {}
    if between.get("low") is None:
        return entry["value"], entry["value"]
    return between["low"], between["high"]
