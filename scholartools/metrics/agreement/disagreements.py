"""Kinds of disagreement between raters, and the smallest change of a coefficient that a study can detect."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from typing import Any, NamedTuple

from scholartools.metrics.agreement.scales import Rating, Units, identity
from scholartools.metrics.statistics.resampling import Percentiles, noticed_errors

#: Power for the smallest detectable change.
POWER = 0.8


class Share(NamedTuple):
    """Frequency of a value, or of a pair of values for one item."""

    value: Any
    n: int
    share: float


class Disagreement(NamedTuple):
    """Disagreement of two raters.

    Attributes:
        n: number of items that both rated.
        n_differ: number of these with different values.
        lean: mean of first - second, None if a value is not a number or there are no common items.
    """

    n: int
    n_differ: int
    lean: float | None


def prevalence(units: Units) -> list[Share]:
    """Share of each value among all ratings, in descending order."""
    return _shares(Counter(identity(value) for unit in units for value in unit if value is not None))


def value_swaps(units: Units) -> list[Share]:
    """Pairs of different values of one item, as shares of all pairs of differing ratings, in descending order."""
    pairs = (pair for unit in units for pair in combinations([value for value in unit if value is not None], 2))
    differ = (sorted(map(identity, pair), key=_sort_key) for pair in pairs if identity(pair[0]) != identity(pair[1]))
    return [one._replace(value=[value for _, value in one.value]) for one in _count_shares(map(tuple, differ))]


def apart(first: Sequence[Rating], second: Sequence[Rating]) -> Disagreement:
    """Disagreement of two raters on the items that both rated."""
    both = [(a, b) for a, b in zip(first, second, strict=True) if a is not None and b is not None]
    numbers = [a - b for a, b in both if isinstance(a, (int, float)) and isinstance(b, (int, float))]
    lean = sum(numbers) / len(numbers) if numbers and len(numbers) == len(both) else None
    return Disagreement(len(both), sum(identity(a) != identity(b) for a, b in both), lean)


def least_change(between: Percentiles, confidence: float) -> float | None:
    """Smallest change of a coefficient that a study of this size detects.

    It is detected with probability :data:`POWER` at a two-sided level of .05: 2.8 standard errors for a normal
    distribution, more for a t distribution with few degrees of freedom; the error is derived from the width of the
    interval.

    Args:
        between: interval of the coefficient, or of a difference of two.
        confidence: confidence level of the interval.
    """
    error = between.standard_error(confidence)
    return None if error is None else error * noticed_errors(between.df, POWER)


def _shares(counts: Counter) -> list[Share]:
    return [one._replace(value=one.value[1]) for one in _count_shares(counts.elements())]


def _count_shares(values: Any) -> list[Share]:
    counts = Counter(values)
    total = sum(counts.values())
    ranked = sorted(counts.items(), key=lambda item: (-item[1], str(item[0])))
    return [Share(value, n, n / total) for value, n in ranked]


def _sort_key(value: tuple[bool, Any]) -> tuple[str, Any]:
    return type(value[1]).__name__, value[1]
