"""Rows with a name on the left, a number on the right, and marks on a common axis in between."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from scholartools.tasks.agree.figures import labels
from scholartools.tasks.agree.figures.axes import BELOW, Span, draw_axis_below
from scholartools.tasks.agree.figures.page import GREY, SIZE, SMALL, Page, add_box
from scholartools.tasks.agree.figures.panel import MOST_HIGH, refuse_many

# Minimum distance of legible rows in millimetres.
_LEAST = 3.3
_ASIDE = 1.5
#: Text in place of an undefined number.
UNDEFINED = "undefined"


class Rows:
    """The rows of a panel, from the top.

    Args:
        names: names of the rows; may be untrusted text.
        told: the formatted numbers on the right.
        title: title of the axis.
        span: range of the axis.
    """

    def __init__(self, names: Sequence[str], told: Sequence[str], title: str, span: Span) -> None:
        self._names, self._told, self._title, self._span = names, told, title, span

    def measure(self, width: float, *, highest: float) -> float:
        """The height of the rows and the axis; ``highest`` is the maximum distance of two rows.

        Raises:
            UsageFault: there are too many rows for a page.
        """
        n, most = len(self._names), int((MOST_HIGH - BELOW) / _LEAST)
        refuse_many(n, "rows", most, width)
        return self._pitch(highest) * n + BELOW

    def draw(self, page: Page, left: float, top: float, width: float, *, highest: float) -> Any:
        """Draw names, numbers and the axis; returns axes with the rows at y = 0, 1, 2, ... from the top."""
        n, pitch = len(self._names), self._pitch(highest)
        margin, right = self._margins(width)
        axes = page.axes(left + margin, top, width - margin - right, pitch * n)
        axes.set_ylim(n - 0.5, -0.5)
        axes.spines["left"].set_visible(False)
        draw_axis_below(page, axes, self._span, self._title)
        size = self._size(pitch)
        names = labels.fit_all(self._names, margin - _ASIDE, size)
        for place, (name, told) in enumerate(zip(self._names, self._told, strict=True)):
            middle = top + pitch * (place + 0.5)
            page.text(left + margin - _ASIDE, middle, names[name], align="right", size=size, middle=True)
            page.text(left + width, middle, told, align="right", size=SMALL, middle=True)
        return axes

    def hatch(self, axes: Any, place: int) -> None:
        """Hatch a row whose value is undefined."""
        low, high = axes.get_xlim()
        add_box(
            axes, low, place - 0.25, high - low, 0.5, facecolor="white", edgecolor=GREY, hatch="//////", linewidth=0.4,
            zorder=2,
        )  # fmt: skip

    def _pitch(self, highest: float) -> float:
        return max(_LEAST, min(highest, (MOST_HIGH - BELOW) / len(self._names)))

    @staticmethod
    def _size(pitch: float) -> float:
        return SIZE if pitch > 3.4 else SMALL

    def _margins(self, width: float) -> tuple[float, float]:
        """The widths of the margins: left of the marks for names, right of them for numbers."""
        right = labels.widest(self._told, SMALL) + _ASIDE
        names = labels.widest([labels.drawable(name) for name in self._names]) + _ASIDE + 0.5
        return min(names, max(0.3 * width, width - right - 0.45 * width)), right
