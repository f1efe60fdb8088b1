"""How far methods err on the same items: the Jaccard index of each pair, and on the diagonal each method's errors."""

from __future__ import annotations

from collections.abc import Sequence

from scholartools.records import Record
from scholartools.tasks.agree.figures.canvas import GREY, INK, PALE, SIZE, Canvas, text_width

_CELL = 38
NOTE = "Jaccard index of two methods' errors; on the diagonal (grey) the share of items that a method is wrong about."


def draw_heat_map(canvas: Canvas, entries: Sequence[Record], left: float, top: float) -> tuple[float, float]:
    """Draw one panel; returns its width and height."""
    found = {tuple(entry["methods"]): entry["value"] for entry in entries if entry["measure"] in ("share", "jaccard")}
    methods = [names[0] for names in found if len(names) == 1]
    margin = max(text_width(name) for name in methods) + 10
    side = _CELL * len(methods)
    for row, first in enumerate(methods):
        y = top + row * _CELL
        canvas.text(left + margin - 6, y + _CELL / 2 + 4, first, anchor="end")
        for column, second in enumerate(methods):
            value = found.get((first,)) if row == column else found.get((first, second), found.get((second, first)))
            _draw_cell(canvas, left + margin + column * _CELL, y, value, is_diagonal=row == column)
    for column, name in enumerate(methods):
        x = left + margin + column * _CELL + _CELL / 2 + 4
        canvas.text(x, top + side + 8, name, anchor="end", turn=-60)
    return margin + side, side + margin


def _draw_cell(canvas: Canvas, x: float, y: float, value: float | None, *, is_diagonal: bool) -> None:
    fill = PALE if value is None or is_diagonal else _shade(value)
    canvas.rectangle(x, y, _CELL, _CELL, fill)
    dark = value is not None and not is_diagonal and value > 0.65
    colour = "#ffffff" if dark else GREY if value is None else INK
    canvas.text(x + _CELL / 2, y + _CELL / 2 + 4, "-" if value is None else f"{value:.2f}", "middle", colour, SIZE - 1)


def _shade(value: float) -> str:
    """From nearly white at 0 to dark blue at 1."""
    ends = ((243, 247, 251), (13, 59, 110))
    mixed = [round(low + (high - low) * min(1.0, max(0.0, value))) for low, high in zip(*ends, strict=True)]
    return "#" + "".join(f"{part:02x}" for part in mixed)
