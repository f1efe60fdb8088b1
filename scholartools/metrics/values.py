"""Results of metrics: a number, or the reason why it is undefined."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

TOO_LARGE = "the numbers are too large"


class Value(NamedTuple):
    """A number, or None with the reason why it is undefined."""

    value: float | None
    reason: str | None = None


class PRF(NamedTuple):
    """Precision, recall and F1, each in 0..1, or undefined with a reason."""

    precision: Value
    recall: Value
    f1: Value


def undefined_prf(reason: str) -> PRF:
    """Undefined precision, recall and F1 with a common reason."""
    return PRF(Value(None, reason), Value(None, reason), Value(None, reason))


def all_of(precision: float, recall: float) -> PRF:
    """Defined precision and recall with their F1."""
    return PRF(Value(precision), Value(recall), Value(harmonic(precision, recall)))


def harmonic(precision: float, recall: float) -> float:
    """F1: 2PR / (P + R) of two non-negative numbers; 0 if both are 0."""
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def mean(numbers: Sequence[float]) -> Value:
    """Mean of finite numbers; undefined for an empty list or if the sum overflows."""
    return ratio(numbers, [1.0] * len(numbers)) if numbers else Value(None, "no number")


def mean_of_known(numbers: Iterable[float | None]) -> float | None:
    """Mean of the numbers that are not None; None if there are none."""
    known = [number for number in numbers if number is not None]
    return math.fsum(known) / len(known) if known else None


def tie_means(means: Sequence[float | None]) -> list[float | None]:
    """Means with those made equal that differ by rounding alone, so that ranks see the tie of .2 and the mean of .1, .2
    and .3. Means of whole numbers below 1e12 that differ stay different.
    """
    known = sorted({mean for mean in means if mean is not None})
    tied: dict[float, float] = {}
    slack = 1e-13 * max(map(abs, known), default=0.0)
    last = known[0] if known else 0.0
    for one in known:
        last = last if one - last <= slack else one
        tied[one] = last
    return [None if mean is None else tied[mean] for mean in means]


def ratio(above: Sequence[float], below: Sequence[float]) -> Value:
    """Ratio of two sums of finite numbers; undefined if the second is 0 or a result overflows."""
    try:
        divisor = math.fsum(below)
        value = math.fsum(above) / divisor
    except ZeroDivisionError:
        return Value(None, "the divisor is 0")
    except OverflowError:
        return Value(None, TOO_LARGE)
    return Value(value) if math.isfinite(value) else Value(None, TOO_LARGE)
