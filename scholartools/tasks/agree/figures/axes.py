"""Axes with ticks, numbers and a title."""

from __future__ import annotations

from scholartools.tasks.agree.figures.canvas import GREY, INK, PALE, SIZE, Canvas, Scale, spell_number

# The coefficients as titles of axes.
COEFFICIENTS = {"pearson": "Pearson's r", "spearman": "Spearman's rho", "kendall": "Kendall's tau-b"}


def draw_vertical_axis(canvas: Canvas, scale: Scale, left: float, right: float, title: str) -> None:
    """An axis at ``left``, with a pale line as far as ``right`` at each tick."""
    for tick in scale.ticks():
        y = scale.at(tick)
        canvas.line(left, y, right, y, PALE)
        canvas.text(left - 6, y + 4, spell_number(tick), "end", GREY, SIZE - 1)
    canvas.line(left, scale.start, left, scale.end, INK)
    canvas.text(left - 38, (scale.start + scale.end) / 2, title, "middle", INK, SIZE, turn=-90)


def draw_horizontal_axis(canvas: Canvas, scale: Scale, y: float, title: str) -> None:
    """An axis at ``y``, its numbers and title below it."""
    for tick in scale.ticks():
        x = scale.at(tick)
        canvas.line(x, y, x, y + 4, INK)
        canvas.text(x, y + 18, spell_number(tick), "middle", GREY, SIZE - 1)
    canvas.line(scale.start, y, scale.end, y, INK)
    canvas.text((scale.start + scale.end) / 2, y + 36, title, "middle")
