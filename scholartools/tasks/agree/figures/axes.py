"""Ranges of axes, ticks at round numbers, and a mark for axes that do not include 0."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from scholartools.tasks.agree.figures.page import GREY, INK, PALE, SMALL, Page, font

#: Axis titles of the coefficients.
COEFFICIENTS = {"pearson": "Pearson's r", "spearman": "Spearman's rho", "kendall": "Kendall's tau-b"}

#: Space for numbers and title to the left of axes and below them, in millimetres.
LEFT, BELOW = 11.0, 8.0
_TICK_SPACE = 9.0
_LETTERS = ((1e9, "G"), (1e6, "M"), (1e3, "k"))


class Span(NamedTuple):
    """The range of an axis; ``is_log``: on a logarithmic scale."""

    low: float
    high: float
    is_log: bool = False

    def ticks(self, length: float) -> list[float]:
        """Round numbers for the ticks of an axis of ``length`` millimetres: as many as fit, two or more if possible."""
        if self.is_log:
            return _log_ticks(self.low, self.high)
        most = max(2, int(length / _TICK_SPACE))
        power = math.floor(math.log10(self.high - self.low)) + 1
        best: list[float] = []
        for step in (factor * 10.0**exponent for exponent in range(power, power - 4, -1) for factor in (5, 2.5, 2, 1)):
            some = self._multiples(step)
            if len(best) >= 2 and len(some) > most:
                break
            best = some
        return best

    def _multiples(self, step: float) -> list[float]:
        first, last = math.ceil(self.low / step - 1e-9), math.floor(self.high / step + 1e-9)
        return [float(f"{number * step:.12g}") for number in range(first, last + 1)]

    def share(self, number: float) -> float:
        """The position of a number along the axis, in 0..1."""
        low, high, here = (math.log(one) if self.is_log else one for one in (self.low, self.high, number))
        return (here - low) / (high - low)

    @property
    def is_cut(self) -> bool:
        """Whether a linear axis does not include 0, so that heights are not proportional to values."""
        return not self.is_log and not self.low <= 0 <= self.high


def span_around(numbers: Sequence[float], *, is_log: bool = False, least: float = 0.0) -> Span:
    """A range with some margin around numbers; it starts or ends at 0 if 0 is not farther away than their range.

    Args:
        numbers: at least one, finite; positive for a logarithmic scale.
        is_log: whether the scale is logarithmic.
        least: minimum length of a linear range.
    """
    low, high = min(numbers), max(numbers)
    if is_log:
        return Span(low / 1.6, high * 1.6, is_log=True)
    aside = max(0.06 * (high - low), (least - (high - low)) / 2, 1e-6 * max(abs(low), abs(high)))
    if low == high:
        aside = max(aside, 0.1 * abs(high)) or 0.1
    if 0 < low <= high - low:
        low = 0.0
    elif high < 0 and -high <= high - low:
        high = 0.0
    return Span(low if low == 0 < high else low - aside, high if high == 0 > low else high + aside)


def spell_tick(number: float) -> str:
    """Format the number of a tick, with a true minus sign: 20k for 20000."""
    size, letter = next(((size, letter) for size, letter in _LETTERS if abs(number) >= 10 * size), (1.0, ""))
    return f"{number / size:g}{letter}".replace("-", "\N{MINUS SIGN}")


def draw_axis_below(page: Page, axes: Any, span: Span, title: str, *, grid: bool = True) -> None:
    """Draw the x axis: ticks with numbers, a title below them, and vertical grid lines."""
    left, top, width, height = _place(page, axes)
    if span.is_log:
        axes.set_xscale("log")
        axes.minorticks_off()
    axes.set_xlim(span.low, span.high)
    ticks = span.ticks(width)
    axes.set_xticks(ticks, labels=[spell_tick(one) for one in ticks], fontproperties=font(SMALL), color=GREY)
    if grid:
        axes.grid(axis="x", color=PALE, linewidth=0.5)
    page.text(left + width / 2, top + height + 6.6, title, align="center")
    if span.is_cut:
        end = left if span.low > 0 else left + width
        _draw_cut(page, end, top + height, towards=1 if span.low > 0 else -1, upwards=False)


def draw_axis_beside(page: Page, axes: Any, span: Span, title: str, *, grid: bool = True) -> None:
    """Draw the y axis: ticks with numbers, a title to the left of them, and horizontal grid lines."""
    left, top, width, height = _place(page, axes)
    axes.set_ylim(span.low, span.high)
    ticks = span.ticks(height)
    axes.set_yticks(ticks, labels=[spell_tick(one) for one in ticks], fontproperties=font(SMALL), color=GREY)
    if grid:
        axes.grid(axis="y", color=PALE, linewidth=0.5)
    page.text(left - LEFT + 2.4, top + height / 2, title, align="center", turn=90)
    if span.is_cut:
        end = top + height if span.low > 0 else top
        _draw_cut(page, left, end, towards=-1 if span.low > 0 else 1, upwards=True)


def _draw_cut(page: Page, x: float, y: float, *, towards: int, upwards: bool) -> None:
    """Draw an axis break, two strokes over a gap near the end of an axis, to show that it does not begin at 0."""
    near, far = 1.4 * towards, 2.2 * towards
    if upwards:
        page.line([x, x], [y + near, y + far], "#ffffff", 1.6)
        for away in (near, far):
            page.line([x - 1.0, x + 1.0], [y + away + 0.4, y + away - 0.4], INK)
        return
    page.line([x + near, x + far], [y, y], "#ffffff", 1.6)
    for away in (near, far):
        page.line([x + away - 0.4, x + away + 0.4], [y + 1.0, y - 1.0], INK)


def _place(page: Page, axes: Any) -> tuple[float, float, float, float]:
    """Left, top, width and height of axes, in millimetres."""
    box = axes.get_position()
    return box.x0 * page.width, (1 - box.y1) * page.height, box.width * page.width, box.height * page.height


def _log_ticks(low: float, high: float) -> list[float]:
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    for factors in ((1,), (1, 3), (1, 2, 5)):
        found = [float(f"{factor}e{power}") for power in powers for factor in factors]
        ticks = [number for number in found if low <= number <= high]
        if len(ticks) >= 3:
            return ticks
    return ticks
