"""Which figure shows which statistic; panels side by side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

from scholartools.errors import InputFault, UsageFault
from scholartools.parameters import parameter
from scholartools.paths import as_json
from scholartools.records import Record
from scholartools.tasks.agree.figures import heat_map, scatter, strips
from scholartools.tasks.agree.figures.canvas import GREY, SIZE, Canvas, text_width

_EDGE, _GAP, _TITLE = 14.0, 30.0, 26.0


class Figure(NamedTuple):
    """How results of a statistic are drawn: a panel, what the results of a panel share, what tells them apart in it
    (keys of a result), and a note for all."""

    panel: Callable[[Canvas, Sequence[Record], float, float], tuple[float, float]]
    part: Callable[[Record], str]
    apart: tuple[str, ...]
    note: str


def _all_values(entry: Record) -> str:
    return ", ".join(map(str, entry.get("each", {}).values()))


def _all_but_the_last(entry: Record) -> str:
    """Of runs the last value is the method, which is a column of the panel."""
    return ", ".join(map(str, list(entry.get("each", {}).values())[:-1]))


FIGURES = {
    "errors": Figure(heat_map.draw_heat_map, _all_values, ("measure", "methods", "item", "x"), heat_map.NOTE),
    "runs": Figure(strips.draw_strips, _all_but_the_last, ("measure", "item", "x", "y"), strips.NOTE),
    "efficiency": Figure(scatter.draw_scatter, _all_values, ("method",), scatter.NOTE),
}


class Results:
    """Results of one statistic, taken one by one.

    Args:
        measure: of the coefficients that are shown, of results that have several.
    """

    def __init__(self, measure: str = "spearman") -> None:
        self.dropped: Counter[str] = Counter()
        self._measure = measure
        self._entries: list[Record] = []
        self._places: set[str] = set()

    def add(self, record: Record) -> None:
        """Take one result.

        Raises:
            InputFault: it is no result that a figure shows, of another statistic than those before, or a second one
                for the same place.
        """
        stat = record.get("stat")
        if stat not in FIGURES or "measure" not in record:
            raise InputFault(f"no result of st-agree {', '.join(FIGURES)}", kind="invalid-key")
        if self._entries and stat != self._entries[0]["stat"]:
            raise InputFault(f"a result of {stat} after one of {self._entries[0]['stat']}", kind="invalid-key")
        place = as_json([record.get(key) for key in ("each", *FIGURES[stat].apart)])
        if place in self._places:
            raise InputFault("a second result for one place of the figure", kind="duplicate")
        self._places.add(place)
        self._entries.append(record)

    def draw_figure(self) -> str:
        """The figure of what was taken, as SVG.

        Raises:
            UsageFault: nothing of it can be drawn.
        """
        if self._entries and self._entries[0]["stat"] == "runs":
            return draw([entry for entry in self._entries if entry["measure"] == self._measure], self._measure)
        return draw([entry for entry in self._entries if entry["measure"] not in ("item", "signed")], self._measure)


def draw(entries: Sequence[Record], measure: str = "spearman") -> str:
    """Results of one statistic as an SVG figure, with a panel for each part of them.

    Raises:
        UsageFault: there is nothing to draw.
    """
    if not entries:
        raise UsageFault(f"no result that a figure shows ({parameter('measure', measure)})")
    figure = FIGURES[entries[0]["stat"]]
    panels: dict[str, list[Record]] = {}
    for entry in entries:
        panels.setdefault(figure.part(entry), []).append(entry)
    canvas, left, height = Canvas(), _EDGE, 0.0
    for title, members in panels.items():
        canvas.text(left, _EDGE + SIZE, title, size=SIZE + 1)
        width, deep = figure.panel(canvas, members, left, _EDGE + _TITLE)
        left += max(width, text_width(title)) + _GAP
        height = max(height, deep)
    bottom = _EDGE + _TITLE + height + 2 * SIZE
    canvas.text(_EDGE, bottom, figure.note, colour=GREY, size=SIZE - 1)
    return canvas.svg(max(left - _GAP, _EDGE + text_width(figure.note, SIZE - 1)) + _EDGE, bottom + _EDGE)
