"""Code shared by the statistics of st-agree: parsing of numbers, and parts of result records."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from scholartools.errors import InputFault
from scholartools.metrics.agreement.scales import place
from scholartools.metrics.statistics.multiple_tests import Adjustment
from scholartools.metrics.statistics.resampling import Percentiles, Resampling
from scholartools.records import Record
from scholartools.signature import library, signature
from scholartools.tasks.shared.families import correct_family

COMMAND = "st-agree"

# Upper bound on numbers, so that sums of their squares and cubes do not overflow.
_LARGEST = 1e100


def parse_number(value: Any) -> float:
    """Parse a number, given as a number or a string.

    Raises:
        InputFault: the value is not a number, or too large for sums of its powers.
    """
    number = place(value, "interval")
    if abs(number) > _LARGEST:
        raise InputFault(f"the number {number:.0e} is too large", kind="invalid-key")
    return number


def no_interval(reason: str | None) -> Percentiles | None:
    """An empty interval with the reason why there is no value; None if ``reason`` is None."""
    return None if reason is None else Percentiles(None, None, 0, 0, reason)


def correct_results(tests: Sequence[Record], method: Adjustment) -> None:
    """Add the corrected p-value, and the number of tests corrected for, to each test of a family."""
    n_compared = correct_family(tests, method)
    for test in tests:
        test["n_compared"] = n_compared


def interval_entry(found: Percentiles, how: Resampling, over: str) -> Record:
    """Result entry of an interval; ``over`` names the unit that was resampled."""
    return {
        "low": found.low,
        "high": found.high,
        **how.entry(),
        "over": over,
        "n_drawn": found.n_drawn,
        "n_undefined": found.n_undefined,
        **({} if found.df is None else {"df": found.df}),
        **({} if found.bounds is None else {"bounds": list(found.bounds)}),
        "reason": found.reason,
    }


def sign_result(parameters: Record, dropped: Counter, how: Resampling | None, over: str | None = None) -> str:
    """The signature of a result, including the counts of dropped records and the resampling."""
    more: Record = {"dropped": [f"{kind}:{count}" for kind, count in sorted(dropped.items())] or None}
    if how is not None:
        more |= {**how.signed(), "over": over}
        more["resampled"] = [library(name) for name in how.libraries()]
    return signature(COMMAND, {**parameters, **more})
