"""Reliability diagram: probabilities of a judge against observed shares."""

from __future__ import annotations

from collections.abc import Iterator

from scholartools.records import Record
from scholartools.tasks.agree.figures import labels
from scholartools.tasks.agree.figures.axes import BELOW, LEFT, Span, draw_axis_below, draw_axis_beside
from scholartools.tasks.agree.figures.page import BLUE, GREY, INK, SKY, Page
from scholartools.tasks.agree.figures.panel import Panel, ends_of, part_title, say_value
from scholartools.tasks.agree.spelling import format_number

_HIGHEST, _COUNTS, _BETWEEN = 72.0, 12.0, 3.0
_WHOLE = Span(0.0, 1.0)


class Calibration(Panel):
    """A panel with the bins of one part of the records.

    Args:
        result: a record of :func:`~scholartools.tasks.agree.people.against_people.reliability_records`.
    """

    what = "Probabilities of a judge against the share that came true"

    def __init__(self, result: Record) -> None:
        self.title = part_title(result, f"{result['x']} and {result['y']}")
        self._result = result
        ends = result["error"]
        # The interval is for the population's error; the uncorrected value is biased upwards.
        self.headline = f"expected calibration error {say_value(result['value'], None, result['reason'])}"
        if result["value"] is not None:
            self.headline += f", corrected for bias {say_value(ends['corrected'], ends, ends['reason'])}"
        self.headline += f"; Brier score {format_number(result['brier'])}, n = {result['n']}"
        if ends["if_calibrated"] is not None:
            self.headline += f". Mean error of calibrated probabilities: {format_number(ends['if_calibrated'])}"
        made = result["interval"]
        self.notes = (
            "Each disc is a bin: mean probability, and the share that came true with its "
            f"{100 * made['confidence']:.3g}% interval ({made['method']}, by {labels.inert(str(made['over']))}).",
            "On the broken line both are equal. Below: how many are in each bin.",
        )

    def records(self) -> Iterator[Record]:
        """The result."""
        yield {**self._result, "figure": "reliability"}

    def say(self) -> Iterator[str]:
        """The numbers of each bin that is not empty."""
        for one in self._result["bins"]:
            if one["n"]:
                share = say_value(one["share"], one, one["reason"])
                said = f"{one['start']:g} to {one['end']:g}: n = {one['n']}"
                yield f"{said}, mean probability {format_number(one['mean'])}, share {share}."

    def measure(self, width: float) -> float:
        """Height of the square and of the counts below it."""
        return min(width - LEFT, _HIGHEST) + _BETWEEN + _COUNTS + BELOW

    def draw(self, page: Page, left: float, top: float, width: float) -> None:
        """Draw the bins, and below them their counts."""
        if not self._result["n"]:
            page.text(left, top + 4, "no item has both numbers", colour=GREY)
            return
        side = min(width - LEFT, _HIGHEST)
        axes = page.axes(left + LEFT, top, side, side)
        draw_axis_beside(page, axes, _WHOLE, "share that came true")
        axes.set_xlim(0, 1)
        axes.plot([0, 1], [0, 1], color=GREY, linewidth=0.8, linestyle=(0, (3, 2)), zorder=1)
        filled = [one for one in self._result["bins"] if one["n"]]
        for one in filled:
            if ends := ends_of(one):
                axes.plot([one["mean"]] * 2, ends, color=INK, linewidth=0.8, marker="_", markersize=4, zorder=2)
        axes.plot(
            [one["mean"] for one in filled], [one["share"] for one in filled], color=BLUE, linewidth=0.8, marker="o",
            markersize=4, zorder=3, clip_on=False,
        )  # fmt: skip
        below = page.axes(left + LEFT, top + side + _BETWEEN, side, _COUNTS)
        draw_axis_below(page, below, _WHOLE, labels.fit(f"probability ({self._result['x']})", side), grid=False)
        draw_axis_beside(page, below, Span(0.0, 1.1 * max(one["n"] for one in filled)), "n", grid=False)
        for one in filled:
            wide = one["end"] - one["start"]
            below.bar(one["start"] + wide / 2, one["n"], width=0.92 * wide, color=SKY, edgecolor=BLUE, linewidth=0.5)
