"""What a metric gives: a number, or the reason why there is none."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

TOO_LARGE = "the numbers are too large"


class Value(NamedTuple):
    """A number, or None and why it is not defined."""

    value: float | None
    reason: str | None = None


class PRF(NamedTuple):
    """Precision, recall and F1, each in 0..1 or undefined with its reason."""

    precision: Value
    recall: Value
    f1: Value


def undefined_prf(reason: str) -> PRF:
    """No precision, no recall and no F1, all for one reason."""
    return PRF(Value(None, reason), Value(None, reason), Value(None, reason))


def all_of(precision: float, recall: float) -> PRF:
    """Precision and recall, both defined, with the F1 of the two."""
    return PRF(Value(precision), Value(recall), Value(harmonic(precision, recall)))


def harmonic(precision: float, recall: float) -> float:
    """F1: 2PR / (P + R) of two numbers that are not negative; 0 where both are 0."""
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def mean(numbers: Sequence[float]) -> Value:
    """The mean of finite numbers; undefined with none, and where their sum is beyond a float's range."""
    return ratio(numbers, [1.0] * len(numbers)) if numbers else Value(None, "no number")


def mean_of_known(numbers: Iterable[float | None]) -> float | None:
    """The mean of the numbers that are there; None with none."""
    known = [number for number in numbers if number is not None]
    return math.fsum(known) / len(known) if known else None


def ratio(above: Sequence[float], below: Sequence[float]) -> Value:
    """The ratio of two sums of finite numbers; undefined where the second is 0, or something beyond a float's range."""
    try:
        divisor = math.fsum(below)
        value = math.fsum(above) / divisor
    except ZeroDivisionError:
        return Value(None, "the divisor is 0")
    except OverflowError:
        return Value(None, TOO_LARGE)
    return Value(value) if math.isfinite(value) else Value(None, TOO_LARGE)
