"""Majority value of the ratings of an item."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from scholartools.metrics.agreement.scales import Rating, identity


@dataclass(frozen=True)
class Majority:
    """Result of a majority vote on one item.

    Attributes:
        value: the majority value, or None if there is none.
        n_ratings: number of ratings that are not missing.
        counts: each value with its number of ratings, in descending order, then by type and value.
        reason: why there is no majority, else None.
    """

    value: Rating
    n_ratings: int
    counts: tuple[tuple[Rating, int], ...]
    reason: str | None = None


def majority(ratings: Sequence[Rating], min_votes: int = 2) -> Majority:
    """Most frequent value, if it has at least ``min_votes`` ratings and is not tied."""
    given = [value for value in ratings if value is not None]
    values = {identity(value): value for value in given}
    tally = Counter(map(identity, given))
    ranked = sorted(tally, key=lambda key: (-tally[key], type(key[1]).__name__, key[1]))  # type: ignore[arg-type]
    blank = Majority(None, len(given), tuple((values[key], tally[key]) for key in ranked))
    if not given:
        return replace(blank, reason="no rating")
    most = tally[ranked[0]]
    if most < min_votes:
        return replace(blank, reason=f"no value has {min_votes} {'vote' if min_votes == 1 else 'votes'}")
    if len(ranked) > 1 and tally[ranked[1]] == most:
        return replace(blank, reason="a tie")
    return replace(blank, value=values[ranked[0]])
