"""Bland-Altman plot: differences of a judge and people against their mean, with limits of agreement."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from scholartools.records import Record
from scholartools.tasks.agree.figures import labels
from scholartools.tasks.agree.figures.axes import BELOW, LEFT, draw_axis_below, draw_axis_beside, span_around
from scholartools.tasks.agree.figures.page import BLUE, GREY, INK, SKY, SMALL, Page
from scholartools.tasks.agree.figures.panel import Panel, part_title, refuse_points, say_value, tell_interval
from scholartools.tasks.agree.figures.scatter import MOVED, spread_apart
from scholartools.tasks.agree.spelling import format_interval, format_number

_HEIGHT = 55.0
# Width of the numbers at the ends of the lines, and minimum vertical distance between them.
_BESIDE, _LINE = 9.0, 2.8


class Differences(Panel):
    """A panel with the items of one part of the records.

    Args:
        result: a record of :func:`~scholartools.tasks.agree.people.against_people.limit_records`.
        points: records with the numbers ``x`` and ``y``.
        seed: random seed of the jitter.
    """

    what = "Differences of a judge and people against their mean, with limits of agreement"

    def __init__(self, result: Record, points: Sequence[Record], seed: int) -> None:
        self.title = part_title(result, f"{result['x']} less {result['y']}")
        self._result, self._points = result, points
        value = say_value(result["value"], result["interval"], result["reason"])
        self.headline = f"mean difference {value}, n = {result['n']}"
        pairs = [((one["x"] + one["y"]) / 2, one["x"] - one["y"]) for one in points]
        self._moved, away = spread_apart(pairs, seed)
        self.notes = (
            tell_interval(result["interval"]),
            f"Dashed: limits within which {result['share']:.0%} of normal differences lie.",
            "Shaded: their intervals, of independent normal differences." if result["limit_intervals"] else "",
            MOVED if any(away) else "",
        )

    def records(self) -> Iterator[Record]:
        """The result, with the points."""
        yield {**self._result, "figure": "bland-altman", "points": list(self._points)}

    def say(self) -> Iterator[str]:
        """The limits with their intervals."""
        intervals = self._result["limit_intervals"] or (None, None)
        for name, limit, ends in zip(("lower", "upper"), self._result["limits"], intervals, strict=True):
            between = None if ends is None else {"low": ends[0], "high": ends[1]}
            yield f"{name} limit of agreement {format_number(limit)}{format_interval(between)}."

    def measure(self, width: float) -> float:
        """A constant height."""
        refuse_points(len(self._points))
        return _HEIGHT + BELOW

    def draw(self, page: Page, left: float, top: float, width: float) -> None:
        """Draw the axes, the rings, and three lines with their numbers."""
        if not self._moved:
            page.text(left, top + 4, "no item has both numbers", colour=GREY)
            return
        lines = [one for one in (*self._result["limits"], self._result["value"]) if one is not None]
        bands = [end for ends in self._result["limit_intervals"] or () for end in ends]
        across = span_around([x for x, _ in self._moved])
        up = span_around([*(y for _, y in self._moved), *lines, *bands, 0.0])
        wide = width - LEFT - _BESIDE
        axes = page.axes(left + LEFT, top, wide, _HEIGHT)
        draw_axis_below(page, axes, across, "mean of both")
        name = labels.fit(f"{self._result['x']} less {self._result['y']}", _HEIGHT)
        draw_axis_beside(page, axes, up, name, grid=False)
        self._draw_lines(axes)
        axes.plot(
            [x for x, _ in self._moved], [y for _, y in self._moved], linestyle="none", marker="o", markersize=3.0,
            markerfacecolor="none", markeredgecolor=BLUE, markeredgewidth=0.6, zorder=3,
        )  # fmt: skip
        heights = [top + (1 - up.share(one)) * _HEIGHT for one in lines]
        for one, y in zip(lines, _spaced(heights), strict=True):
            page.text(left + width - _BESIDE + 1.0, y, format_number(one), size=SMALL, middle=True)

    def _draw_lines(self, axes: Any) -> None:
        axes.axhline(0, color=GREY, linewidth=0.5, zorder=1)
        for ends in self._result["limit_intervals"] or ():
            axes.axhspan(*ends, color=SKY, alpha=0.25, linewidth=0, zorder=0.5)
        for limit in self._result["limits"]:
            if limit is not None:
                axes.axhline(limit, color=INK, linewidth=0.8, linestyle=(0, (4, 2)), zorder=2)
        axes.axhline(self._result["value"], color=INK, linewidth=1.0, zorder=2)


def _spaced(heights: Sequence[float]) -> list[float]:
    """Positions of lines of text, moved downwards if they would overlap."""
    order = sorted(range(len(heights)), key=lambda number: heights[number])
    places = list(heights)
    for above, below in zip(order, order[1:], strict=False):
        places[below] = max(places[below], places[above] + _LINE)
    return places
