"""Confusion of values between raters, and agreement on each value."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

from scholartools.metrics.agreement.scales import Rating, Units, identity
from scholartools.metrics.statistics import resampling
from scholartools.metrics.statistics.resampling import Clusters, Percentiles, Resampling
from scholartools.metrics.values import Value, ratio


class Confusion(NamedTuple):
    """Contingency table of two raters: rows are values of the first, columns values of the second.

    Attributes:
        values: values of rows and columns.
        counts: numbers of items, by row.
        n: number of items that both rated.
    """

    values: list[Rating]
    counts: list[list[int]]
    n: int


class CategoryAgreement(NamedTuple):
    """Specific agreement on one value.

    Attributes:
        category: the value.
        agreement: see :func:`category_agreements`.
        interval: its confidence interval; None if not requested.
        n_ratings: number of ratings of this value, in items with two or more ratings.
    """

    category: Rating
    agreement: Value
    interval: Percentiles | None
    n_ratings: int


def values_of(units: Units) -> list[Rating]:
    """Values that occur: numbers in ascending order, then texts."""
    given = {identity(value): value for unit in units for value in unit if value is not None}
    return sorted(given.values(), key=_rank)


def confusion(first: Sequence[Rating], second: Sequence[Rating], values: Sequence[Rating]) -> Confusion:
    """Count the items with each pair of values.

    Args:
        first: ratings of one rater by item; None if missing.
        second: ratings of the other rater.
        values: values of rows and columns, including all that occur.
    """
    pairs = [(one, other) for one, other in zip(first, second, strict=True) if one is not None and other is not None]
    found = Counter((identity(one), identity(other)) for one, other in pairs)
    names = [identity(value) for value in values]
    return Confusion(list(values), [[found[row, column] for column in names] for row in names], len(pairs))


def category_agreements(
    units: Units, values: Sequence[Rating], how: Resampling | None = None, clusters: Clusters = None
) -> list[CategoryAgreement]:
    """Specific agreement: for each value, the probability that another rating of an item with the value is the same.

    With n_i ratings of item i, c_i of them of the value, ``sum c_i (c_i - 1) / sum c_i (n_i - 1)``; for two raters, ``2
    a / (2 a + b + c)`` (Fleiss 1975, Uebersax 1982). Undefined if no item with two ratings has the value.
    """
    kept = [place for place, unit in enumerate(units) if sum(value is not None for value in unit) > 1]
    of = None if clusters is None else [clusters[place] for place in kept]
    rated = [[identity(value) for value in units[place] if value is not None] for place in kept]
    found = []
    for value in values:
        name = identity(value)
        counts = [unit.count(name) for unit in rated]
        above = [float(c * (c - 1)) for c in counts]
        below = [float(c * (len(unit) - 1)) for c, unit in zip(counts, rated, strict=True)]
        agreement = ratio(above, below)
        between = None
        if how is not None and agreement.value is not None:
            between = resampling.ratio_interval(above, below, how, of).limit(resampling.SHARE)
        found.append(CategoryAgreement(value, agreement, between, sum(counts)))
    return found


def _rank(value: Any) -> tuple[int, float, str]:
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return (0, float(value), "") if is_number else (1, 0.0, str(value))
