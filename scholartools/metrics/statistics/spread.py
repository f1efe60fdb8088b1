"""Variation between repeated runs of one method: of coefficients, of the scores of an item, and of bins."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from scholartools.metrics.statistics.error_overlap import Places
from scholartools.metrics.values import Value

Numbers = Sequence[float | None]


@dataclass(frozen=True)
class Spread:
    """Numbers of several runs in five.

    Attributes:
        median: median of the numbers, None if there are none; likewise ``low`` and ``high``.
        low: minimum.
        high: maximum.
        sd: standard deviation with n - 1, None for fewer than two numbers.
        n: how many numbers there are.
    """

    median: float | None
    low: float | None
    high: float | None
    sd: float | None
    n: int


def spread(numbers: Numbers) -> Spread:
    """Summary of the numbers that are not missing."""
    known = [number for number in numbers if number is not None]
    if not known:
        return Spread(None, None, None, None, 0)
    deviation = statistics.stdev(known) if len(known) > 1 else None
    return Spread(statistics.median(known), min(known), max(known), deviation, len(known))


def mean_item_deviation(runs: Sequence[Numbers]) -> tuple[Value, int]:
    """Mean over items of the standard deviation (n - 1) of their scores, and the number of items with two or more.

    Args:
        runs: scores of each run by item, in the same order; None if missing.
    """
    found = [spread(scores).sd for scores in zip(*runs, strict=True)]
    known = [deviation for deviation in found if deviation is not None]
    if not known:
        return Value(None, "no item with scores of two runs"), 0
    return Value(math.fsum(known) / len(known)), len(known)


def share_of_changes(runs: Sequence[Places]) -> tuple[Value, int, int]:
    """Share of items whose bin differs between runs; with the number of such items and of all items that count.

    An item counts if every run has a bin for it. Undefined for a single run.

    Args:
        runs: bins of each run by item, in the same order.
    """
    if len(runs) < 2:
        return Value(None, "fewer than two runs"), 0, 0
    known = [bins for bins in zip(*runs, strict=True) if None not in bins]
    changed = sum(len(set(bins)) > 1 for bins in known)
    if not known:
        return Value(None, "no item with a bin in every run"), 0, 0
    return Value(changed / len(known)), changed, len(known)
