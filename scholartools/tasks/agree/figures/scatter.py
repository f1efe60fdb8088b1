"""Scatter plot of a judge's numbers against people's, a ring per item, with the coefficient and its interval.

Ratings usually are whole numbers, so that rings of equal ratings would overlap: along an axis with repeated numbers the
rings are jittered by less than the distance to the next number.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from scholartools.records import Record
from scholartools.tasks.agree.figures import labels
from scholartools.tasks.agree.figures.axes import (
    BELOW,
    COEFFICIENTS,
    LEFT,
    draw_axis_below,
    draw_axis_beside,
    span_around,
)
from scholartools.tasks.agree.figures.page import BLUE, GREY, Page
from scholartools.tasks.agree.figures.panel import Panel, part_title, refuse_points, say_value, tell_interval

_HIGHEST = 70.0
# Maximum jitter as a share of the smallest distance of two numbers on an axis, and of the range of the axis.
_OF_GAP, _OF_AXIS = 0.3, 0.03
MOVED = (
    "Rings of equal numbers are moved apart by chance, by less than a third of the distance to the next number and 3% "
    "of the axis."
)


class Scatter(Panel):
    """A panel with the items of one part of the records.

    Args:
        result: a result of ``correlate``, with one coefficient of ``x`` and ``y``.
        points: records with the numbers ``x`` and ``y``.
        seed: random seed of the jitter.
    """

    what = "A judge's numbers against people's"

    def __init__(self, result: Record, points: Sequence[Record], seed: int) -> None:
        self.title = part_title(result, f"{result['x']} and {result['y']}")
        self._result, self._points = result, points
        value = say_value(result["value"], result["interval"], result["reason"])
        self.headline = f"{COEFFICIENTS[result['measure']]} {value}, n = {result['n']}"
        self._moved, away = spread_apart([(one["y"], one["x"]) for one in points], seed)
        self.notes = (tell_interval(result["interval"]), MOVED if any(away) else "")

    def records(self) -> Iterator[Record]:
        """The result, with the points."""
        yield {**self._result, "figure": "scatter", "points": list(self._points)}

    def say(self) -> Iterator[str]:
        """The ranges of the numbers."""
        for key, name in (("y", self._result["y"]), ("x", self._result["x"])):
            if found := [one[key] for one in self._points]:
                yield f"{labels.inert(name)}: from {min(found):g} to {max(found):g}."

    def measure(self, width: float) -> float:
        """The height: as high as wide, up to a maximum."""
        refuse_points(len(self._points))
        return min(width - LEFT, _HIGHEST) + BELOW

    def draw(self, page: Page, left: float, top: float, width: float) -> None:
        """Draw the axes and the rings."""
        if not self._moved:
            page.text(left, top + 4, "no item has both numbers", colour=GREY)
            return
        across, up = ([point[side] for point in self._moved] for side in (0, 1))
        axes = page.axes(left + LEFT, top, width - LEFT, min(width - LEFT, _HIGHEST))
        name = {key: labels.fit(self._result[key], 50.0) for key in ("x", "y")}
        draw_axis_below(page, axes, span_around(across), name["y"])
        draw_axis_beside(page, axes, span_around(up), name["x"])
        size = 3.4 if len(self._moved) <= 300 else 2.2
        axes.plot(
            across, up, linestyle="none", marker="o", markersize=size, markerfacecolor="none", markeredgecolor=BLUE,
            markeredgewidth=0.6, zorder=3, clip_on=False,  # rings at the end of an axis are drawn whole
        )  # fmt: skip


def spread_apart(
    points: Sequence[tuple[float, float]], seed: int
) -> tuple[list[tuple[float, float]], tuple[float, float]]:
    """Jitter points along the axes on which numbers repeat; returns the points and the maximum jitter of each axis.

    A number is moved by less than a third of the smallest distance of two numbers, and by at most 3% of the axis.
    Nothing is moved if no two points are equal.
    """
    if len(set(points)) == len(points):
        return list(points), (0.0, 0.0)
    away = (_reach([x for x, _ in points]), _reach([y for _, y in points]))
    draw = random.Random(seed)
    moved = [(x + draw.uniform(-away[0], away[0]), y + draw.uniform(-away[1], away[1])) for x, y in points]
    return moved, away


def _reach(numbers: Sequence[float]) -> float:
    values = sorted(set(numbers))
    if len(values) == len(numbers):
        return 0.0
    if len(values) == 1:
        return _OF_AXIS * abs(values[0]) or _OF_AXIS
    gap = min(high - low for low, high in zip(values, values[1:], strict=False))
    return min(_OF_GAP * gap, _OF_AXIS * (values[-1] - values[0]))
