"""What every statistic of st-agree shares: parts of records by their paths, and parts of the results."""

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

# Squares and cubes of such numbers, and their sums, are numbers.
_LARGEST = 1e100


def parse_number(value: Any) -> float:
    """A number, or a string that is one.

    Raises:
        InputFault: it is none, or too large for sums of its powers.
    """
    number = place(value, "interval")
    if abs(number) > _LARGEST:
        raise InputFault(f"the number {number:.0e} is too large", kind="invalid-key")
    return number


def no_interval(reason: str | None) -> Percentiles | None:
    """No interval, where there is no value."""
    return None if reason is None else Percentiles(None, None, 0, 0, reason)


def correct_results(tests: Sequence[Record], method: Adjustment) -> None:
    """Put beside the p of each test of a run the one corrected for all of them, and how many they are."""
    n_compared = correct_family(tests, method)
    for test in tests:
        test["n_compared"] = n_compared


def interval_entry(found: Percentiles, how: Resampling, over: str) -> Record:
    """An interval as results show it; ``over`` says what was drawn or left out."""
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
    """The signature of a result, with what was dropped and how it was resampled."""
    more: Record = {"dropped": [f"{kind}:{count}" for kind, count in sorted(dropped.items())] or None}
    if how is not None:
        more |= {**how.signed(), "over": over}
        more["resampled"] = [library(name) for name in how.libraries()]
    return signature(COMMAND, {**parameters, **more})
