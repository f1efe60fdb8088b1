"""What a metric gives: a number, or the reason why there is none."""

from __future__ import annotations

from typing import NamedTuple


class Value(NamedTuple):
    """A number, or None and why it is not defined."""

    value: float | None
    reason: str | None = None


class PRF(NamedTuple):
    """Precision, recall and F1, each in 0..1 or undefined with its reason."""

    precision: Value
    recall: Value
    f1: Value


def undefined(reason: str) -> PRF:
    """No precision, no recall and no F1, all for one reason."""
    return PRF(Value(None, reason), Value(None, reason), Value(None, reason))


def all_of(precision: float, recall: float) -> PRF:
    """Precision and recall, both defined, with the F1 of the two."""
    return PRF(Value(precision), Value(recall), Value(harmonic(precision, recall)))


def harmonic(precision: float, recall: float) -> float:
    """F1: 2PR / (P + R) of two numbers that are not negative; 0 where both are 0."""
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0
