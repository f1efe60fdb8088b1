"""The elements of an SVG figure, and scales from numbers to places. Sizes are pixels, y grows downwards."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

INK, GREY, PALE = "#222222", "#767676", "#dddddd"
# Blue, and a light tint of it: told apart in print without colours, and by readers who see few.
MARK, TINT = "#1f5a96", "#cfdeec"
SIZE = 12
# A character of the sans-serif fonts in use is about so wide, of its size.
_WIDE = 0.56


def text_width(text: str, size: float = SIZE) -> float:
    """About how wide a text is."""
    return len(text) * size * _WIDE


class Canvas:
    """What has been drawn so far."""

    def __init__(self) -> None:
        self._elements: list[str] = []

    def line(self, x1: float, y1: float, x2: float, y2: float, colour: str = INK, width: float = 1) -> None:
        """A straight line."""
        ends = f'x1="{_number(x1)}" y1="{_number(y1)}" x2="{_number(x2)}" y2="{_number(y2)}"'
        self._elements.append(f'<line {ends} stroke="{colour}" stroke-width="{_number(width)}"/>')

    def circle(self, x: float, y: float, radius: float, colour: str = MARK) -> None:
        """A filled disc, through which one sees others."""
        place = f'cx="{_number(x)}" cy="{_number(y)}" r="{_number(radius)}"'
        self._elements.append(f'<circle {place} fill="{colour}" fill-opacity="0.7"/>')

    def rectangle(self, x: float, y: float, width: float, height: float, fill: str) -> None:
        """A filled rectangle with a white edge."""
        place = f'x="{_number(x)}" y="{_number(y)}" width="{_number(width)}" height="{_number(height)}"'
        self._elements.append(f'<rect {place} fill="{fill}" stroke="#ffffff"/>')

    def polygon(self, corners: Sequence[tuple[float, float]], fill: str) -> None:
        """A filled area without an edge."""
        points = " ".join(f"{_number(x)},{_number(y)}" for x, y in corners)
        self._elements.append(f'<polygon points="{points}" fill="{fill}"/>')

    def text(
        self,
        x: float,
        y: float,
        text: str,
        anchor: str = "start",
        colour: str = INK,
        size: float = SIZE,
        turn: float = 0,
    ) -> None:
        """A line of text, whose base line is at y; ``turn`` degrees clockwise about its anchor."""
        place = f'x="{_number(x)}" y="{_number(y)}" text-anchor="{anchor}" font-size="{_number(size)}" fill="{colour}"'
        turned = f' transform="rotate({_number(turn)} {_number(x)} {_number(y)})"' if turn else ""
        self._elements.append(f"<text {place}{turned}>{escape(_plain(text))}</text>")

    def svg(self, width: float, height: float) -> str:
        """The whole figure, on white."""
        wide, high = math.ceil(width), math.ceil(height)
        size = f'width="{wide}" height="{high}" viewBox="0 0 {wide} {high}"'
        head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="Helvetica, Arial, sans-serif">'
        back = '<rect width="100%" height="100%" fill="#ffffff"/>'
        return "\n".join([head, back, *self._elements, "</svg>"]) + "\n"


@dataclass(frozen=True)
class Scale:
    """From numbers to places: ``low`` stands at ``start``, ``high`` at ``end``; by logarithms where ``is_log``."""

    low: float
    high: float
    start: float
    end: float
    is_log: bool = False

    def at(self, number: float) -> float:
        """The place of a number."""
        low, high, here = (math.log(one) if self.is_log else one for one in (self.low, self.high, number))
        return self.start + (here - low) / (high - low) * (self.end - self.start)

    def ticks(self) -> list[float]:
        """Round numbers within the scale, at least two."""
        if self.is_log:
            powers = range(math.floor(math.log10(self.low)), math.ceil(math.log10(self.high)) + 1)
            every = [step * 10.0**power for power in powers for step in (1, 2, 5)]
            return [number for number in every if self.low <= number <= self.high]
        step = 10.0 ** math.floor(math.log10(self.high - self.low))
        while (self.high - self.low) / step < 4:
            step /= 2
        first = math.ceil(self.low / step - 1e-9)
        return [round(n * step, 10) for n in range(first, math.floor(self.high / step + 1e-9) + 1)]


def scale_around(numbers: list[float], start: float, end: float, *, is_log: bool = False) -> Scale:
    """A scale with some room around numbers."""
    low, high = min(numbers), max(numbers)
    if is_log:
        return Scale(low / 1.6, high * 1.6, start, end, is_log=True)
    room = 0.08 * (high - low) or 0.1
    return Scale(low - room, high + room, start, end)


def spell_number(number: float) -> str:
    """A tick's number, with a true minus sign: 20k for 20000."""
    spelled = f"{number / 1000:g}k" if abs(number) >= 10000 else f"{number:g}"
    return spelled.replace("-", "\N{MINUS SIGN}")


def _number(number: float) -> str:
    return f"{number:.2f}".rstrip("0").rstrip(".")


def _plain(text: str) -> str:
    """A text without characters that XML does not know."""
    return "".join(one for one in text if one.isprintable())
