"""Tests that are read together: each p corrected for all of them."""

from __future__ import annotations

from collections.abc import Sequence

from scholartools.metrics.statistics.multiple_tests import ADJUSTMENTS, TITLES, Adjustment, adjust
from scholartools.records import Record


def corrected_key(method: Adjustment) -> str:
    """Where a test has its corrected p: "p_holm" or "p_bh"."""
    return f"p_{method}"


def correct_family(tests: Sequence[Record], method: Adjustment) -> int:
    """Put the corrected p of each test beside its ``p``; returns how many have one."""
    corrected = adjust([test["p"] for test in tests], method)
    for test, p in zip(tests, corrected, strict=True):
        test[corrected_key(method)] = p
    return len(corrected) - corrected.count(None)


def corrected_p(test: Record) -> tuple[str, float | None]:
    """How the p of a test was corrected, as titles name it, and what it is then."""
    method = next(one for one in ADJUSTMENTS if corrected_key(one) in test)
    return TITLES[method], test[corrected_key(method)]
