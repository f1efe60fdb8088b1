"""The base class of panels, which describe their numbers in words and draw them, and helpers of panels."""

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

#: Maximum height of a panel in millimetres: A4 without margins, a title and a caption.
MOST_HIGH = 222.0
#: Maximum number of points in a panel.
MOST_POINTS = 20_000


class Panel(ABC):
    """One panel. Sizes are in millimetres.

    Attributes:
        what: title of figures with this kind of panel.
        title: title of this panel, which distinguishes it from others; may be untrusted text.
        headline: text below the title: the summary numbers of the panel.
        notes: sentences below the figure that explain this kind of panel.
    """

    what: ClassVar[str]
    title: str
    headline: str = ""
    notes: Sequence[str] = ()

    @abstractmethod
    def records(self) -> Iterator[Record]:
        """The data that are drawn, as records."""

    @abstractmethod
    def say(self) -> Iterator[str]:
        """The numbers that are drawn, in sentences."""

    @abstractmethod
    def measure(self, width: float) -> float:
        """The height of the panel in a width, without title and headline.

        Raises:
            UsageFault: the panel is not legible in this width, or has too many points.
        """

    @abstractmethod
    def draw(self, page: Page, left: float, top: float, width: float) -> None:
        """Draw the panel, without title and headline, with its upper left corner at (``left``, ``top``)."""


def refuse_many(n: int, what: str, most: int, width: float) -> None:
    """Check that no more than ``most`` elements are drawn in a panel.

    Raises:
        UsageFault: there are more; the message suggests what to change.
    """
    if n > most:
        more = f", a wider figure ({parameter('width', 175)})" if width < 150 else ""
        advice = f"draw fewer{more}, or fewer panels in a row" if width < 80 else f"draw fewer{more}"
        raise UsageFault(f"{n} {what} cannot be read in a panel of {width:.0f} mm, {most} can: {advice}")


def say_value(value: float | None, interval: Record | None, reason: str | None) -> str:
    """Format a number with its interval as in tables, with the reason if either is undefined."""
    if value is None:
        return f"undefined ({reason})"
    told = format_interval(interval)
    if not told and interval is not None and interval.get("reason"):
        told = f" (no interval: {interval['reason']})"
    return format_number(value) + told


def part_title(entry: Record, *more: str, leaving: int = 0) -> str:
    """The ``each`` values of a result without the last ``leaving`` ones, followed by more words."""
    values = list(entry.get("each", {}).items())
    kept: Sequence[str] = [f"{key}: {value}" for key, value in values[: len(values) - leaving]]
    return ", ".join([*kept, *filter(None, more)])


def interval_note(intervals: Iterable[Record | None]) -> str:
    """A sentence on the method of intervals: "Bars: 95% jackknife intervals by paper."; "" if there are none."""
    told = dict.fromkeys(
        f"{100 * one['confidence']:.3g}% {one['method']} intervals by {labels.inert(str(one['over']))}"
        for one in intervals
        if one and one.get("low") is not None
    )
    return f"Bars: {', '.join(told)}." if told else ""


def ends_of(interval: Record | None) -> tuple[float, ...]:
    """Low and high of an interval; empty if there is none."""
    between = interval or {}
    return () if between.get("low") is None else (between["low"], between["high"])


def refuse_points(n: int) -> None:
    """Check that there are at most :data:`MOST_POINTS` points.

    Raises:
        UsageFault: there are more.
    """
    if n > MOST_POINTS:
        raise UsageFault(
            f"{n:,} points cannot be distinguished, {MOST_POINTS:,} at most: draw a part ({parameter('where')})"
        )


def tell_interval(between: Record) -> str:
    """A sentence on the method of an interval in brackets; "" if there is none."""
    if between["low"] is None:
        return ""
    made = f"{100 * between['confidence']:.3g}% {between['method']} interval by {labels.inert(str(between['over']))}"
    return f"In brackets: {made}."
