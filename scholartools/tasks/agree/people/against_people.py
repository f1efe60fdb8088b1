"""A judge's numbers against human scores by item: limits of agreement, and reliability of probabilities."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from itertools import product

from scholartools.errors import UsageFault
from scholartools.metrics.statistics.agreement_limits import agreement_limits, limit_intervals, mean_difference_interval
from scholartools.metrics.statistics.reliability import calibration_error_interval, reliability
from scholartools.metrics.statistics.resampling import Resampling
from scholartools.records import Record
from scholartools.signature import library
from scholartools.tasks.agree.columns import Columns, Table
from scholartools.tasks.agree.results import interval_entry, no_interval, sign_result

#: Share of normally distributed differences that lie within the limits of agreement.
WITHIN_LIMITS = 0.95


def limit_records(columns: Columns, x: Sequence[str], y: Sequence[str], how: Resampling) -> Iterator[Record]:
    """One record per part, x and y: the mean of x - y, the limits of agreement, and their intervals.

    The intervals of the limits assume independent items; with clusters there are none.
    """
    for part, one, other in product(columns.parts(), columns.expand(x), y):
        first, second, clusters = part.column(one), part.column(other), part.clusters()
        found = agreement_limits(first, second, WITHIN_LIMITS)
        no_mean = no_interval(found.reason if found.value is None else None)
        between = no_mean or mean_difference_interval(first, second, how, clusters)
        ends = None if clusters else limit_intervals(found, WITHIN_LIMITS, how.confidence)
        counts = asdict(found)
        limits = [counts.pop("low"), counts.pop("high")]
        about: Record = {"stat": "bland-altman", "x": one, "y": other}
        yield {
            **about, **part.each_entry(), "value": counts.pop("value"), "sd": counts.pop("sd"), "share": WITHIN_LIMITS,
            "limits": limits, "limit_intervals": None if ends is None else [list(end) for end in ends], **counts,
            "interval": interval_entry(between, how, part.over()), **_record_ending(part, about, how),
        }  # fmt: skip


def reliability_records(
    columns: Columns, x: Sequence[str], y: Sequence[str], n_bins: int, how: Resampling
) -> Iterator[Record]:
    """One record per part, x and y: the calibration error of the probabilities x for the outcomes y, and the bins.

    Raises:
        UsageFault: a number of x is not a probability, or one of y is neither 0 nor 1.
    """
    for part, one, other in product(columns.parts(), columns.expand(x), y):
        try:
            found = reliability(part.column(one), part.column(other), n_bins, how, part.clusters())
            ends = calibration_error_interval(part.column(one), part.column(other), n_bins, how, part.clusters())
        except ValueError as error:
            raise UsageFault(f"{one}, {other}: {error}") from None
        counts = asdict(found)
        bins = [
            {**{key: member for key, member in asdict(cell).items() if key != "interval"},
             "low": cell.interval.low, "high": cell.interval.high, "reason": cell.interval.reason}
            for cell in found.bins
        ]  # fmt: skip
        about: Record = {"stat": "reliability", "x": one, "y": other, "n_bins": n_bins}
        yield {
            **about, **part.each_entry(), **counts, "bins": bins, "error": asdict(ends),
            "interval": {"method": "Wilson" if part.clusters() is None else how.method, "confidence": how.confidence,
                         "over": part.over()},
            **_record_ending(part, about, how),
        }  # fmt: skip


def point_records(part: Table, x: str, y: str) -> list[Record]:
    """The items of a part that have both numbers, in the order of its rows, with their names if given."""
    found = zip(part.rows(), part.column(x), part.column(y), strict=True)
    return [
        {**({} if row.item is None else {"item": row.item}), "x": one, "y": other}
        for row, one, other in found
        if one is not None and other is not None
    ]


def _record_ending(part: Table, about: Record, how: Resampling) -> Record:
    parameters = {**about, **part.sign(), "library": [library("numpy"), library("scipy")]}
    return {
        "dropped": dict(sorted(part.dropped.items())),
        "signature": sign_result(parameters, part.dropped, how, part.over()),
    }


__all__ = ["WITHIN_LIMITS", "limit_records", "point_records", "reliability_records"]
