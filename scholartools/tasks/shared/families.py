"""Correct the p-values of a family of tests for multiple testing."""

from __future__ import annotations

from collections.abc import Sequence

from scholartools.metrics.statistics.multiple_tests import ADJUSTMENTS, TITLES, Adjustment, adjust
from scholartools.records import Record


def corrected_key(method: Adjustment) -> str:
    """Key of the corrected p-value: "p_holm" or "p_bh"."""
    return f"p_{method}"


def correct_family(tests: Sequence[Record], method: Adjustment) -> int:
    """Add the corrected p-value to each test of a family; returns how many have one."""
    corrected = adjust([test["p"] for test in tests], method)
    for test, p in zip(tests, corrected, strict=True):
        test[corrected_key(method)] = p
    return len(corrected) - corrected.count(None)


def corrected_p(test: Record) -> tuple[str, float | None]:
    """The title of the correction and the corrected p-value of a test."""
    method = next(one for one in ADJUSTMENTS if corrected_key(one) in test)
    return TITLES[method], test[corrected_key(method)]
