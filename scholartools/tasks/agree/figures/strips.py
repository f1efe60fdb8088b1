"""The coefficients of repeated runs: a column for each method; a disc for each run, a bar at the median, a violin.

The published figure is of violins alone; a density from three runs shows much that nobody measured, so that the runs
themselves stand in front of it, and it ends where they do.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence

from scholartools.records import Record
from scholartools.tasks.agree.figures.axes import COEFFICIENTS, draw_vertical_axis
from scholartools.tasks.agree.figures.canvas import GREY, INK, TINT, Canvas, Scale, scale_around, text_width

_COLUMN, _HEIGHT = 44, 220
# Half the width of a violin where it is widest, and the number of places at which its width is computed.
_HALF, _PLACES = 18, 40
NOTE = "Each disc is a run, the bar their median, the area behind a Gaussian kernel density of the runs (Scott's rule)."


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
    draw_vertical_axis(canvas, scale, left + 46, left + width, COEFFICIENTS[entries[0]["measure"]])
    for place, (name, entry) in enumerate(columns):
        x = left + 46 + _COLUMN * (place + 0.5)
        _draw_runs(canvas, entry, x, scale)
        canvas.text(x + 4, top + _HEIGHT + 14, name, anchor="end", turn=-60)
    return width, _HEIGHT + margin


def _draw_runs(canvas: Canvas, entry: Record, x: float, scale: Scale) -> None:
    """The violin, the discs and the bar of one method."""
    values = [run["value"] for run in entry["runs"] if run["value"] is not None]
    if not values:
        canvas.text(x, (scale.start + scale.end) / 2, "-", "middle", GREY)
        return
    outline = [(_HALF * share, scale.at(value)) for value, share in density_shape(values)]
    if outline:
        right = [(x + wide, y) for wide, y in outline]
        canvas.polygon([*right, *((x - wide, y) for wide, y in reversed(outline))], TINT)
    for value in values:
        canvas.circle(x, scale.at(value), 4)
    median = scale.at(entry["value"])
    canvas.line(x - _HALF + 4, median, x + _HALF - 4, median, INK, 2)


def density_shape(values: Sequence[float]) -> list[tuple[float, float]]:
    """Places from the lowest of some numbers to the highest, each with its density as a share of the highest one.

    The density is of Gaussian kernels as wide as the standard deviation (n - 1) times n ** (-1/5). Empty where all
    numbers are equal.
    """
    low, high = min(values), max(values)
    if low == high:
        return []
    width = statistics.stdev(values) * len(values) ** -0.2
    places = [low + (high - low) * step / _PLACES for step in range(_PLACES + 1)]
    heights = [math.fsum(math.exp(-(((place - value) / width) ** 2) / 2) for value in values) for place in places]
    return [(place, height / max(heights)) for place, height in zip(places, heights, strict=True)]


def _name_of(entry: Record) -> str:
    """The method of a result, which is the last of the values by which it stands apart; else what was correlated."""
    values = list(entry.get("each", {}).values())
    return str(values[-1]) if values else f"{entry['x']}, {entry['y']}"
