"""Which figure shows which statistic; panels in rows."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from scholartools.errors import InputFault, UsageFault
from scholartools.parameters import parameter
from scholartools.paths import as_json
from scholartools.records import Record
from scholartools.tasks.agree.figures import heat_map, scatter, strips
from scholartools.tasks.agree.figures.canvas import GREY, SIZE, Canvas, text_width

_EDGE, _GAP, _TITLE = 14.0, 30.0, 26.0
# The least width: of the lines of a note.
_NARROWEST = 260.0
_NOTE_SIZE = SIZE - 1


class Figure(NamedTuple):
    """How results of a statistic are drawn: a panel, what the results of a panel share, what tells them apart in it
    (keys of a result), and a note for all."""

    panel: Callable[[Canvas, Sequence[Record], float, float], tuple[float, float]]
    part: Callable[[Record], str]
    apart: tuple[str, ...]
    note: str


def _all_values(entry: Record) -> str:
    return _spell_part(list(entry.get("each", {}).items()))


def _all_but_the_last(entry: Record) -> str:
    """Of runs the last value is the method, which is a column of the panel."""
    return _spell_part(list(entry.get("each", {}).items())[:-1])


def _spell_part(values: Sequence[tuple[str, Any]]) -> str:
    return ", ".join(f"{key}: {value}" for key, value in values)


FIGURES = {
    "errors": Figure(heat_map.draw_heat_map, _all_values, ("measure", "methods", "item", "x"), heat_map.NOTE),
    "runs": Figure(strips.draw_strips, _all_but_the_last, ("measure", "item", "x", "y"), strips.NOTE),
    "efficiency": Figure(scatter.draw_scatter, _all_values, ("method",), scatter.NOTE),
}


class Results:
    """Results of one statistic, taken one by one.

    Args:
        measure: of the coefficients that are shown, of results that have several.
        columns: the number of panels in a row.
    """

    def __init__(self, measure: str = "spearman", columns: int = 1) -> None:
        self.dropped: Counter[str] = Counter()
        self._measure, self._columns = measure, columns
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
        shown = [entry for entry in self._entries if self._is_shown(entry)]
        if not shown:
            raise UsageFault(f"no result that a figure shows ({parameter('measure', self._measure)})")
        return draw(shown, self._columns)

    def _is_shown(self, entry: Record) -> bool:
        measure = entry["measure"]
        return bool(measure == self._measure) if entry["stat"] == "runs" else measure not in ("item", "signed")


def draw(entries: Sequence[Record], columns: int = 1) -> str:
    """Results of one statistic, of one coefficient, as an SVG figure, with a panel for each part of them.

    Args:
        entries: at least one.
        columns: the number of panels in a row.
    """
    figure = FIGURES[entries[0]["stat"]]
    panels: dict[str, list[Record]] = {}
    for entry in entries:
        panels.setdefault(figure.part(entry), []).append(entry)
    canvas, right, bottom = Canvas(), _NARROWEST, _EDGE
    for first in range(0, len(panels), columns):
        row = list(panels.items())[first : first + columns]
        wide, bottom = _draw_row(canvas, figure, row, bottom)
        right = max(right, wide)
    for line in textwrap.wrap(figure.note, int((right - _EDGE) / text_width("n", _NOTE_SIZE))):
        canvas.text(_EDGE, bottom, line, colour=GREY, size=_NOTE_SIZE)
        bottom += _NOTE_SIZE + 3
    return canvas.svg(right + _EDGE, bottom + _EDGE - _NOTE_SIZE)


def _draw_row(
    canvas: Canvas, figure: Figure, panels: Sequence[tuple[str, Sequence[Record]]], top: float
) -> tuple[float, float]:
    """Draw panels side by side; returns where they end on the right, and where what follows begins."""
    left, height = _EDGE, 0.0
    for title, members in panels:
        canvas.text(left, top + SIZE, title, size=SIZE + 1)
        width, deep = figure.panel(canvas, members, left, top + _TITLE)
        left += max(width, text_width(title, SIZE + 1)) + _GAP
        height = max(height, deep)
    return left - _GAP, top + _TITLE + height + _GAP
