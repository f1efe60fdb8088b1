"""Plot coefficients of methods, with their intervals, against tokens per rating."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from scholartools.errors import UsageFault
from scholartools.parameters import parameter
from scholartools.records import Record
from scholartools.tasks.agree.figures import labels
from scholartools.tasks.agree.figures.axes import (
    BELOW,
    COEFFICIENTS,
    LEFT,
    Span,
    draw_axis_below,
    draw_axis_beside,
    span_around,
)
from scholartools.tasks.agree.figures.page import BLUE, GREY, INK, SMALL, Page, text_width
from scholartools.tasks.agree.figures.panel import Panel, ends_of, interval_note, part_title, refuse_many, say_value

_HEIGHT = 52.0
# Line height of names, radius of a disc, distance of a name from the centre of its disc; maximum number of names.
_LINE, _RADIUS, _ASIDE, _MOST = 2.6, 0.9, 1.5, 24

# Left, top, right and bottom of a box on the page.
_Box = tuple[float, float, float, float]


class Tokens(Panel):
    """A panel with the methods of one part of the records.

    Args:
        entries: results of ``efficiency``; the one over all methods has the method None.
    """

    what = "Coefficients of methods against the tokens of a rating"

    def __init__(self, entries: Sequence[Record]) -> None:
        self.title = part_title(entries[0])
        self._entries = entries
        self._shown = [
            entry for entry in entries if entry["method"] is not None and entry["value"] is not None and entry["tokens"]
        ]
        self.notes = (
            interval_note(entry.get("interval") for entry in self._shown),
            "Filled: adequate, not inferior to the best method by the margin or more.",
            "Tokens on a logarithmic scale; methods without tokens or a coefficient are not shown.",
        )

    def records(self) -> Iterator[Record]:
        """The result records."""
        yield from self._entries

    def say(self) -> Iterator[str]:
        """The coefficient and the tokens of each method."""
        for entry in self._entries:
            value = say_value(entry["value"], entry.get("interval"), entry["reason"])
            if entry["method"] is None:
                yield f"Over methods, with tokens: Spearman's rho {value}."
                continue
            tokens = "tokens unknown" if entry["tokens"] is None else f"{entry['tokens']:.1f} tokens"
            adequate = ", adequate" if entry["adequate"] else ""
            hidden = "" if entry in self._shown else ", not shown"
            what = COEFFICIENTS[entry["measure"]]
            yield f"{labels.inert(entry['method'])}: {what} {value}, {tokens}{adequate}{hidden}."

    def measure(self, width: float) -> float:
        """A constant height."""
        refuse_many(len(self._shown), "names of methods next to their marks", _MOST, width)
        return _HEIGHT + BELOW

    def draw(self, page: Page, left: float, top: float, width: float) -> None:
        """Draw the axes, a disc and a bar for each method, and the names."""
        if not self._shown:
            page.text(left, top + 4, "no method with tokens and a coefficient", colour=GREY)
            return
        ends = [end for entry in self._shown for end in (entry["value"], *ends_of(entry.get("interval")))]
        across = span_around([entry["tokens"] for entry in self._shown], is_log=True)
        up = span_around(ends)
        wide = width - LEFT
        axes = page.axes(left + LEFT, top, wide, _HEIGHT)
        draw_axis_below(page, axes, across, "tokens of a rating")
        draw_axis_beside(page, axes, up, COEFFICIENTS[self._shown[0]["measure"]])
        for entry in self._shown:
            if between := ends_of(entry.get("interval")):
                axes.plot([entry["tokens"]] * 2, between, color=GREY, linewidth=0.8, marker="_", markersize=4, zorder=2)
            axes.plot(
                [entry["tokens"]], [entry["value"]], linestyle="none", marker="o", markersize=5, markeredgecolor=BLUE,
                markerfacecolor=BLUE if entry["adequate"] else "white", zorder=3,
            )  # fmt: skip
        points = [(entry["method"], *_at(across, up, entry, left + LEFT, top, wide)) for entry in self._shown]
        _draw_names(page, points, (left + LEFT, top, left + width, top + _HEIGHT))


def _at(across: Span, up: Span, entry: Record, left: float, top: float, width: float) -> tuple[float, float]:
    """The position of a method's disc on the page."""
    return left + across.share(entry["tokens"]) * width, top + (1 - up.share(entry["value"])) * _HEIGHT


def _draw_names(page: Page, points: Sequence[tuple[str, float, float]], within: _Box) -> None:
    """Write the names of methods next to their discs, as near as possible without covering discs or other names.

    Raises:
        UsageFault: there is no space for a name.
    """
    names = labels.fit_all([name for name, _, _ in points], 0.42 * (within[2] - within[0]), SMALL)
    reach = _RADIUS + 0.2
    taken: list[_Box] = [(x - reach, y - reach, x + reach, y + reach) for _, x, y in points]
    for name, x, y in sorted(points, key=lambda point: (point[2], point[0])):
        boxes = _boxes_around(x, y, text_width(names[name], SMALL), within)
        box = next((box for box in boxes if not any(_overlap(box, other) for other in taken)), None)
        if box is None:
            reason = f"the names of {len(points)} methods do not fit next to their marks: draw fewer"
            raise UsageFault(f"{reason}, or a wider figure ({parameter('width', 175)})")
        taken.append(box)
        left, top, right, bottom = box
        middle = (top + bottom) / 2
        if abs(middle - y) > _LINE:
            page.line([x, right + 0.3 if right < x else left - 0.3], [y, middle], GREY, 0.4)
        on_left = right < x
        page.text(
            right if on_left else left, middle, names[name], align="right" if on_left else "left", size=SMALL,
            colour=INK, middle=True,
        )  # fmt: skip


def _boxes_around(x: float, y: float, width: float, within: _Box) -> Iterator[_Box]:
    """Possible boxes of a name within the panel: right and left of its disc, then farther and farther up and down."""
    start, top, end, bottom = within
    lefts = [left for left in (x + _ASIDE, x - _ASIDE - width) if start <= left <= end - width]
    for step in range(int(_HEIGHT / _LINE) + 1):
        for middle in (y - step * _LINE, y + step * _LINE):
            if top <= middle - _LINE / 2 and middle + _LINE / 2 <= bottom:
                for left in lefts or [start]:
                    yield left, middle - _LINE / 2, left + width, middle + _LINE / 2


def _overlap(one: _Box, other: _Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
