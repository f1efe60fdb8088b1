"""Heat map of shared errors: the Jaccard index of each pair of methods, and each method's errors on the diagonal."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

from scholartools.records import Record
from scholartools.tasks.agree.figures import labels
from scholartools.tasks.agree.figures.page import BLUE, GREY, INK, SIZE, SMALL, Page, add_box, font
from scholartools.tasks.agree.figures.panel import Panel, part_title, refuse_many, say_value
from scholartools.tasks.agree.spelling import format_number

# Minimum side of a cell with a legible number, and maximum side.
_LEAST, _MOST = 5.0, 9.0
# The colour key: its distance from the cells, its width, and the space for its numbers and title.
_ASIDE, _KEY, _NUMBERS = 2.0, 2.5, 10.5
_KEY_STEPS = 50
# Rotation of the names below the cells, in degrees.
_TURN = 60


class HeatMap(Panel):
    """A panel with the errors of one part of the records.

    Args:
        entries: results of ``errors`` for one part: shares of methods, and Jaccard indices of pairs.
    """

    what = "Errors of methods against people, and whether methods err on the same items"

    def __init__(self, entries: Sequence[Record]) -> None:
        self.title = part_title(entries[0])
        self._entries = entries
        self._found = {tuple(entry["methods"]): entry for entry in entries}
        self._methods = [names[0] for names in self._found if len(names) == 1]
        self.notes = (
            "Shaded: Jaccard index of two methods' errors.",
            "In frames, on the diagonal: the share of items that a method is wrong about.",
            "Hatched: undefined." if any(entry["value"] is None for entry in entries) else "",
        )

    def records(self) -> Iterator[Record]:
        """The result records."""
        yield from self._entries

    def say(self) -> Iterator[str]:
        """The share of each method, and the index of each pair."""
        for entry in self._entries:
            names = " and ".join(map(labels.inert, entry["methods"]))
            what = "share of errors" if len(entry["methods"]) == 1 else "Jaccard index of errors"
            yield f"{names}: {what} {say_value(entry['value'], None, entry['reason'])}, n = {entry['n']}."

    def measure(self, width: float) -> float:
        """Height of the cells and of the names below them."""
        n = len(self._methods)
        margin = self._margin(width)
        most = int((width - margin - _ASIDE - _KEY - _NUMBERS) / _LEAST)
        refuse_many(n, "methods in a heat map", most, width)
        names = min(margin, labels.widest([labels.drawable(name) for name in self._methods]))
        return self._side(width) * n + names * math.sin(math.radians(_TURN)) + 2.5

    def draw(self, page: Page, left: float, top: float, width: float) -> None:
        """Draw the cells with their numbers, the names on two sides, and the key."""
        margin, side, n = self._margin(width), self._side(width), len(self._methods)
        axes = page.axes(left + margin, top, side * n, side * n)
        axes.set_xlim(0, n)
        axes.set_ylim(n, 0)
        for spine in axes.spines.values():
            spine.set_visible(False)
        names = labels.fit_all(self._methods, margin - 2.0)
        for row, first in enumerate(self._methods):
            page.text(left + margin - 1.2, top + side * (row + 0.5), names[first], align="right", middle=True)
            page.text(
                left + margin + side * (row + 0.5) + 0.8, top + side * n + 1.6, names[first], align="right", turn=_TURN
            )
            for column, second in enumerate(self._methods):
                key = (first,) if row == column else (first, second)
                self._draw_cell(axes, row, column, self._found.get(key) or self._found.get(key[::-1]))
        self._draw_frames(axes)
        _draw_key(page, left + margin + side * n + _ASIDE, top, side * n)

    def _draw_cell(self, axes: Any, row: int, column: int, entry: Record | None) -> None:
        value = None if entry is None else entry["value"]
        look: dict[str, Any] = {"facecolor": "white", "edgecolor": "white", "linewidth": 0.8}
        if value is None:
            look |= {"edgecolor": GREY, "hatch": "//////", "linewidth": 0.5, "zorder": 2}
        elif row != column:
            look["facecolor"] = shade(value)
        add_box(axes, column, row, 1, 1, **look)
        if value is not None:
            colour = "white" if row != column and value > 0.9 else INK
            axes.text(
                column + 0.5, row + 0.5, f"{value:.2f}", ha="center", va="center", color=colour,
                fontproperties=font(SMALL), parse_math=False,
            )  # fmt: skip

    def _draw_frames(self, axes: Any) -> None:
        for place in range(len(self._methods)):
            add_box(axes, place, place, 1, 1, fill=False, edgecolor=INK, linewidth=0.8, clip_on=False, zorder=3)

    def _margin(self, width: float) -> float:
        names = [labels.drawable(name) for name in self._methods]
        return min(labels.widest(names) + 2.2, 0.36 * width)

    def _side(self, width: float) -> float:
        """The side of a cell, in millimetres."""
        free = width - self._margin(width) - _ASIDE - _KEY - _NUMBERS
        return min(_MOST, free / len(self._methods))


def shade(value: float) -> tuple[float, float, float]:
    """The colour of a value from white at 0 to blue at 1, as red, green and blue in 0..1."""
    share = min(1.0, max(0.0, value))
    full = [int(BLUE[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (1 + (one - 1) * share for one in full)
    return red, green, blue


def _draw_key(page: Page, left: float, top: float, height: float) -> None:
    """Draw the colour key with its numbers and title."""
    axes = page.axes(left, top, _KEY, height)
    axes.set_ylim(0, 1)
    for step in range(_KEY_STEPS):
        colour = shade((step + 0.5) / _KEY_STEPS)
        low = step / _KEY_STEPS
        add_box(axes, 0, low, 1, 1 / _KEY_STEPS, facecolor=colour, edgecolor=colour, linewidth=0.2)
    for spine in axes.spines.values():
        spine.set_visible(True)
    axes.yaxis.tick_right()
    ticks = (0.0, 0.5, 1.0)
    axes.set_yticks(ticks, labels=[format_number(one, 1) for one in ticks], fontproperties=font(SMALL), color=GREY)
    page.text(left + _KEY + 9.6, top + height / 2, "Jaccard index", align="center", size=SIZE - 0.5, turn=90)
