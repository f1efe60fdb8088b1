"""Violin plot of the coefficients of repeated runs: a row per method, a disc per run, a bar at the median.

The published figure has only violins. A density from as few as three runs suggests more than was measured, so the runs
themselves are drawn over it, and it ends at the extreme runs. Methods are rows, so that their names are horizontal.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterator, Sequence
from typing import Any

from scholartools.records import Record
from scholartools.tasks.agree.figures import labels
from scholartools.tasks.agree.figures.axes import COEFFICIENTS, span_around
from scholartools.tasks.agree.figures.page import BLUE, INK, SKY, Page
from scholartools.tasks.agree.figures.panel import Panel, part_title
from scholartools.tasks.agree.figures.rows import UNDEFINED, Rows
from scholartools.tasks.agree.spelling import format_number
from scholartools.wording import count_of

# Half the maximum width of a violin, in rows, and the number of steps at which its width is computed.
_HALF, _PLACES = 0.4, 60


class Violins(Panel):
    """A panel with the runs of the methods of one part of the records.

    Args:
        entries: results of ``runs`` for one coefficient.
    """

    what = "Coefficients of repeated runs"
    notes = (
        "Each disc is a run, the bar and the number their median, the area a Gaussian kernel density of the runs "
        "(Scott's rule).",
    )

    def __init__(self, entries: Sequence[Record]) -> None:
        # The last ``each`` value is the method, which is a row.
        self.title = part_title(entries[0], leaving=1)
        self._entries = entries
        self._names = list(map(_name_of, entries))
        self._known = [run["value"] for entry in entries for run in entry["runs"] if run["value"] is not None]
        told = [UNDEFINED if entry["value"] is None else format_number(entry["value"]) for entry in entries]
        self._rows = Rows(self._names, told, COEFFICIENTS[entries[0]["measure"]], span_around(self._known or [0.0]))

    def records(self) -> Iterator[Record]:
        """The result records."""
        yield from self._entries

    def say(self) -> Iterator[str]:
        """The median and the runs of each method."""
        for name, entry in zip(self._names, self._entries, strict=True):
            runs = ", ".join(f"{labels.inert(str(run['run']))} {format_number(run['value'])}" for run in entry["runs"])
            value = format_number(entry["value"]) if entry["value"] is not None else f"undefined ({entry['reason']})"
            what = COEFFICIENTS[entry["measure"]]
            yield f"{labels.inert(name)}: median {what} {value} of {count_of(entry['n'], 'run')}: {runs}."

    def measure(self, width: float) -> float:
        """Height of a row for each method, and the axis."""
        return self._rows.measure(width, highest=6.5)

    def draw(self, page: Page, left: float, top: float, width: float) -> None:
        """Draw the violins, the discs and the bars."""
        axes = self._rows.draw(page, left, top, width, highest=6.5)
        for place, entry in enumerate(self._entries):
            values = [run["value"] for run in entry["runs"] if run["value"] is not None]
            if not values:
                self._rows.hatch(axes, place)
                continue
            _draw_runs(axes, place, values, entry["value"])


def _draw_runs(axes: Any, place: int, values: Sequence[float], median: float) -> None:
    if shape := density_shape(values):
        along = [at for at, _ in shape]
        axes.fill_between(
            along, [place - _HALF * share for _, share in shape], [place + _HALF * share for _, share in shape],
            facecolor=SKY, alpha=0.45, edgecolor=BLUE, linewidth=0.6, zorder=2,
        )  # fmt: skip
    axes.plot(
        values, [place] * len(values), linestyle="none", marker="o", markersize=3.2, markerfacecolor="white",
        markeredgecolor=BLUE, markeredgewidth=0.7, clip_on=False, zorder=3,
    )  # fmt: skip
    axes.plot([median, median], [place - _HALF, place + _HALF], color=INK, linewidth=1.2, zorder=4)


def density_shape(values: Sequence[float]) -> list[tuple[float, float]]:
    """The density of numbers from the lowest to the highest, as (place, density / maximum density).

    Gaussian kernels with the bandwidth s * n ** (-1/5), where s is the standard deviation (n - 1). Empty if all numbers
    are equal.
    """
    low, high = min(values), max(values)
    if low == high:
        return []
    width = statistics.stdev(values) * len(values) ** -0.2
    places = [low + (high - low) * step / _PLACES for step in range(_PLACES + 1)]
    heights = [math.fsum(math.exp(-(((place - value) / width) ** 2) / 2) for value in values) for place in places]
    return [(place, height / max(heights)) for place, height in zip(places, heights, strict=True)]


def _name_of(entry: Record) -> str:
    """The method of a result, i.e. its last ``each`` value; else the names of the correlated columns."""
    values = list(entry.get("each", {}).values())
    return str(values[-1]) if values else f"{entry['x']}, {entry['y']}"
