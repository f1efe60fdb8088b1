"""Agreement of raters on places: stretches by their offsets, where the same words may occur twice in a paper."""

from __future__ import annotations

from collections.abc import Sequence

#: The name of a text, and where a stretch of it starts and ends.
Place = tuple[str, int, int]


def overlap(first: Sequence[Place], second: Sequence[Place]) -> float:
    """Characters that are in both over those in either, 0..1; stretches of one side must not overlap one another."""
    shared = sum(
        max(0, min(end, other_end) - max(start, other_start))
        for name, start, end in first
        for other, other_start, other_end in second
        if name == other
    )
    whole = sum(end - start for _, start, end in (*first, *second)) - shared
    return shared / whole if whole else 0.0


def match_places(first: Sequence[Sequence[Place]], second: Sequence[Sequence[Place]]) -> float:
    """The summed overlap of two raters' items, assigned one to one so that it is greatest.

    Args:
        first: of each item of one rater its stretches.
        second: the other's.
    """
    if not first or not second:
        return 0.0
    import numpy as np
    from scipy.optimize import linear_sum_assignment

    # In the order of the places, so that the sum is the same to the last bit however the items are ordered.
    overlaps = np.array([[overlap(a, b) for b in sorted(map(tuple, second))] for a in sorted(map(tuple, first))])
    rows, columns = linear_sum_assignment(overlaps, maximize=True)
    return float(overlaps[rows, columns].sum())
