"""Rows with a name on the left, a number on the right, and marks on a common axis between them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from scholartools.tasks.agree.figures import labels
from scholartools.tasks.agree.figures.axes import BELOW, Span, draw_axis_below
from scholartools.tasks.agree.figures.page import GREY, SIZE, SMALL, Page, add_box
from scholartools.tasks.agree.figures.panel import MOST_HIGH, refuse_many

# The least distance of two rows that can be read, and the least width for marks.
_LEAST, _LEAST_PLOT = 3.3, 18.0
_ASIDE = 1.5
#: What is shown in the place of a number.
UNDEFINED = "undefined"


class Rows:
    """A panel's rows from above.

    Args:
        names: foreign texts.
        told: the numbers, as shown on the right.
        title: of the axis.
        span: of the axis.
    """

    def __init__(self, names: Sequence[str], told: Sequence[str], title: str, span: Span) -> None:
        self._names, self._told, self._title, self._span = names, told, title, span

    def measure(self, width: float, *, highest: float) -> float:
        """How high they are in a width; ``highest`` is the distance of two rows that are few.

        Raises:
            UsageFault: they are too many for a page, or nothing is left for the marks.
        """
        n, most = len(self._names), int((MOST_HIGH - BELOW) / _LEAST)
        refuse_many(n, "rows", most, width)
        return self._pitch(highest) * n + BELOW

    def draw(self, page: Page, left: float, top: float, width: float, *, highest: float) -> Any:
        """Names, numbers and the axis; returns axes on which the rows lie at 0, 1, 2, ... from above."""
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
        """Hatch a row for which nothing is defined."""
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
        """What is left of the marks for names, and right of them for numbers."""
        right = labels.widest(self._told, SMALL) + _ASIDE
        names = labels.widest([labels.drawable(name) for name in self._names]) + _ASIDE + 0.5
        return min(names, max(0.3 * width, width - right - 0.45 * width)), right
