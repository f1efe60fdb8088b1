"""What ratings disagree about, and how small a change of a coefficient a study of their size can notice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from typing import Any, NamedTuple

from scholartools.metrics.agreement.scales import Rating, Units, identity
from scholartools.metrics.statistics.resampling import Percentiles, noticed_errors

#: A change that is there is to be noticed so often.
POWER = 0.8


class Share(NamedTuple):
    """How often a value, or two values for one item, are given."""

    value: Any
    n: int
    share: float


class Disagreement(NamedTuple):
    """Two raters of the same items.

    Attributes:
        n: items that both rated.
        n_differ: of these the ones with two values.
        lean: mean of first - second, None where a value is no number or nothing is shared.
    """

    n: int
    n_differ: int
    lean: float | None


def prevalence(units: Units) -> list[Share]:
    """The share of each value among all ratings, the most frequent first."""
    return _shares(Counter(identity(value) for unit in units for value in unit if value is not None))


def value_swaps(units: Units) -> list[Share]:
    """Two different values of one item, as a share of all pairs of ratings that differ, the most frequent first."""
    pairs = (pair for unit in units for pair in combinations([value for value in unit if value is not None], 2))
    differ = (sorted(map(identity, pair), key=_sort_key) for pair in pairs if identity(pair[0]) != identity(pair[1]))
    return [one._replace(value=[value for _, value in one.value]) for one in _count_shares(map(tuple, differ))]


def apart(first: Sequence[Rating], second: Sequence[Rating]) -> Disagreement:
    """How far two raters are apart on the items that both rated."""
    both = [(a, b) for a, b in zip(first, second, strict=True) if a is not None and b is not None]
    numbers = [a - b for a, b in both if isinstance(a, (int, float)) and isinstance(b, (int, float))]
    lean = sum(numbers) / len(numbers) if numbers and len(numbers) == len(both) else None
    return Disagreement(len(both), sum(identity(a) != identity(b) for a, b in both), lean)


def least_change(between: Percentiles, confidence: float) -> float | None:
    """The smallest change of a coefficient that a study of this size notices.

    Of studies like this one :data:`POWER` find such a change at a two-sided level of .05: it is 2.8 standard errors of
    a normal distribution, more by t with few degrees of freedom; the error is taken from the width of the interval.

    Args:
        between: the interval of the coefficient, or of the difference of two.
        confidence: of the interval.
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
