"""Forest plot: a row for each value with its interval."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from scholartools.records import Record
from scholartools.tasks.agree.figures import labels
from scholartools.tasks.agree.figures.axes import span_around
from scholartools.tasks.agree.figures.page import BLUE, INK, Page
from scholartools.tasks.agree.figures.panel import Panel, ends_of, interval_note, say_value
from scholartools.tasks.agree.figures.rows import UNDEFINED, Rows
from scholartools.tasks.agree.spelling import format_interval, format_number


class Row(NamedTuple):
    """A value with its interval.

    Attributes:
        name: label of the row; may be untrusted text.
        value: None if undefined.
        interval: its ``low`` and ``high`` are null if it is undefined; None if none was computed.
        n: number of items.
        reason: why the value is undefined.
        record: the result record.
    """

    name: str
    value: float | None
    interval: Record | None
    n: int | None
    reason: str | None
    record: Record


class Forest(Panel):
    """A panel with values of one kind.

    Args:
        title: title of the panel.
        axis: name of the values, for the axis.
        rows: the rows, from the top.
    """

    what = "Values with their intervals"

    def __init__(self, title: str, axis: str, rows: Sequence[Row]) -> None:
        self.title, self._axis, self._members = title, axis, rows
        undefined = "Hatched: undefined." if any(row.value is None for row in rows) else ""
        shown = [row for row in rows if row.value is not None]
        bare = "No bar: no interval." if not all(ends_of(row.interval) for row in shown) else ""
        self.notes = (interval_note(row.interval for row in rows), bare, undefined)
        numbers = [end for row in shown for end in (row.value, *ends_of(row.interval)) if end is not None]
        told = [
            UNDEFINED if row.value is None else format_number(row.value) + format_interval(row.interval) for row in rows
        ]
        self._rows = Rows([row.name for row in rows], told, axis, span_around(numbers or [0.0]))

    def records(self) -> Iterator[Record]:
        """The result records."""
        yield from (row.record for row in self._members)

    def say(self) -> Iterator[str]:
        """The value of each row with its interval."""
        for row in self._members:
            n = "" if row.n is None else f", n = {row.n}"
            yield f"{labels.inert(row.name)}: {self._axis} {say_value(row.value, row.interval, row.reason)}{n}."

    def measure(self, width: float) -> float:
        """Height of a row for each value, and the axis."""
        return self._rows.measure(width, highest=4.2)

    def draw(self, page: Page, left: float, top: float, width: float) -> None:
        """Draw a square at each value, a bar for its interval, and a line at 0."""
        axes = self._rows.draw(page, left, top, width, highest=4.2)
        low, high = axes.get_xlim()
        if low < 0 < high:
            axes.axvline(0, color=INK, linewidth=0.6, zorder=1)
        for place, row in enumerate(self._members):
            if row.value is None:
                self._rows.hatch(axes, place)
                continue
            if ends := ends_of(row.interval):
                axes.plot(ends, [place, place], color=INK, linewidth=0.9, marker="|", markersize=4, zorder=2)
            axes.plot(
                [row.value], [place], linestyle="none", marker="s", markersize=3.4, color=BLUE, zorder=3, clip_on=False
            )
