"""What every panel of a figure is: it knows its numbers, says them in words, and draws them into a width."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from typing import ClassVar

from scholartools.errors import UsageFault
from scholartools.parameters import parameter
from scholartools.records import Record
from scholartools.tasks.agree.figures import labels
from scholartools.tasks.agree.figures.page import Page
from scholartools.tasks.agree.spelling import format_interval, format_number

#: The most that a panel may be high: a page of A4 less margins, a title and a caption.
MOST_HIGH = 222.0
#: The most points of a panel.
MOST_POINTS = 20_000


class Panel(ABC):
    """One panel. Sizes are millimetres.

    Attributes:
        what: is drawn, of all panels of the kind, as the title of the figure says it.
        title: what tells this panel apart from the others; may be foreign text.
        headline: what is below the title: the numbers of the whole panel.
        notes: what a reader must know of all panels of the kind, below the figure, in sentences.
    """

    what: ClassVar[str]
    title: str
    headline: str = ""
    notes: Sequence[str] = ()

    @abstractmethod
    def records(self) -> Iterator[Record]:
        """What is drawn, as records."""

    @abstractmethod
    def say(self) -> Iterator[str]:
        """The numbers that are drawn, in sentences."""

    @abstractmethod
    def measure(self, width: float) -> float:
        """How high the panel is in a width, without title and headline.

        Raises:
            UsageFault: nobody could read it in this width.
        """

    @abstractmethod
    def draw(self, page: Page, left: float, top: float, width: float) -> None:
        """Draw it below a title."""


def refuse_many(n: int, what: str, most: int, width: float) -> None:
    """Refuse more of something than can be read.

    Raises:
        UsageFault: so.
    """
    if n > most:
        more = f", a wider figure ({parameter('width', 175)})" if width < 150 else ""
        advice = f"draw fewer{more}, or fewer panels in a row" if width < 80 else f"draw fewer{more}"
        raise UsageFault(f"{n} {what} cannot be read in a panel of {width:.0f} mm, {most} can: {advice}")


def say_value(value: float | None, interval: Record | None, reason: str | None) -> str:
    """A number with its interval as tables have them, and what there is none for."""
    if value is None:
        return f"undefined ({reason})"
    told = format_interval(interval)
    if not told and interval is not None and interval.get("reason"):
        told = f" (no interval: {interval['reason']})"
    return format_number(value) + told


def part_title(entry: Record, *more: str, leaving: int = 0) -> str:
    """The values that identify a result, but for the last ones, with more words behind them."""
    values = list(entry.get("each", {}).items())
    kept: Sequence[str] = [f"{key}: {value}" for key, value in values[: len(values) - leaving]]
    return ", ".join([*kept, *filter(None, more)])


def interval_note(intervals: Iterable[Record | None]) -> str:
    """How intervals were made, in a sentence: "Bars: 95% jackknife intervals by paper."; "" where there are none."""
    told = dict.fromkeys(
        f"{100 * one['confidence']:.3g}% {one['method']} intervals by {labels.inert(str(one['over']))}"
        for one in intervals
        if one and one.get("low") is not None
    )
    return f"Bars: {', '.join(told)}." if told else ""


def ends_of(interval: Record | None) -> tuple[float, ...]:
    """Low and high of an interval; nothing where there is none."""
    between = interval or {}
    return () if between.get("low") is None else (between["low"], between["high"])


def refuse_points(n: int) -> None:
    """Refuse more points than a file should hold.

    Raises:
        UsageFault: so.
    """
    if n > MOST_POINTS:
        raise UsageFault(
            f"{n:,} points cannot be distinguished, {MOST_POINTS:,} at most: draw a part ({parameter('where')})"
        )


def tell_interval(between: Record) -> str:
    """How an interval in brackets was made, in a sentence; "" where there is none."""
    if between["low"] is None:
        return ""
    made = f"{100 * between['confidence']:.3g}% {between['method']} interval by {labels.inert(str(between['over']))}"
    return f"In brackets: {made}."
