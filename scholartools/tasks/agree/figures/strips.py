"""The coefficients of repeated runs: a column for each method, a disc for each run, a bar at the median.

The published figure is of violins; with three runs a density would show what nobody measured.
"""

from __future__ import annotations

from collections.abc import Sequence

from scholartools.records import Record
from scholartools.tasks.agree.figures.axes import draw_vertical_axis
from scholartools.tasks.agree.figures.canvas import GREY, INK, Canvas, scale_around, text_width

_COLUMN, _HEIGHT = 70, 220
NOTE = "each disc is a run, the bar their median"


def draw_strips(canvas: Canvas, entries: Sequence[Record], left: float, top: float) -> tuple[float, float]:
    """Draw one panel; returns its width and height."""
    columns = [(_name_of(entry), entry) for entry in entries]
    known = [run["value"] for _, entry in columns for run in entry["runs"] if run["value"] is not None]
    margin = max(text_width(name) for name, _ in columns) * 0.9 + 10
    width = 46 + _COLUMN * len(columns)
    if not known:
        canvas.text(left, top + 20, "no run has a coefficient", colour=GREY)
        return max(width, 160), _HEIGHT
    scale = scale_around(known, top + _HEIGHT, top)
    draw_vertical_axis(canvas, scale, left + 46, left + width, str(entries[0]["measure"]))
    for place, (name, entry) in enumerate(columns):
        x = left + 46 + _COLUMN * (place + 0.5)
        values = [run["value"] for run in entry["runs"] if run["value"] is not None]
        for value in values:
            canvas.circle(x, scale.at(value), 5)
        if values:
            canvas.line(x - 16, scale.at(entry["value"]), x + 16, scale.at(entry["value"]), INK, 2)
        else:
            canvas.text(x, top + _HEIGHT / 2, "-", "middle", GREY)
        canvas.text(x + 4, top + _HEIGHT + 14, name, anchor="end", turn=-60)
    return width, _HEIGHT + margin


def _name_of(entry: Record) -> str:
    """The method of a result, which is the last of the values by which it stands apart; else what was correlated."""
    values = list(entry.get("each", {}).values())
    return str(values[-1]) if values else f"{entry['x']}, {entry['y']}"
