"""Formats of numbers and intervals in tables and figures."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scholartools.records import Entry


def format_interval(interval: Entry | None) -> str:
    """An interval in brackets, with a leading space; "" if there is none."""
    if interval is None or interval["low"] is None:
        return ""
    return f" [{interval['low']:.3f}, {interval['high']:.3f}]"


def format_number(value: float | None, digits: int = 3) -> str:
    """A number with fixed decimals, in scientific notation if it would round to 0; "-" for None."""
    if value is None:
        return "-"
    return f"{value:.1e}" if 0 < abs(value) < 0.5 * 10**-digits else f"{value:.{digits}f}"
