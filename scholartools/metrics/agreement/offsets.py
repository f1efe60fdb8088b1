"""Agreement of raters on spans by offsets, which distinguishes repeated texts in a paper."""

from __future__ import annotations

from collections.abc import Sequence

#: Name of a text, start and end of a span in it.
Place = tuple[str, int, int]


def overlap(first: Sequence[Place], second: Sequence[Place]) -> float:
    """Characters in both over characters in either, 0..1; spans of one side must not overlap each other."""
    shared = sum(
        max(0, min(end, other_end) - max(start, other_start))
        for name, start, end in first
        for other, other_start, other_end in second
        if name == other
    )
    whole = sum(end - start for _, start, end in (*first, *second)) - shared
    return shared / whole if whole else 0.0


def match_places(first: Sequence[Sequence[Place]], second: Sequence[Sequence[Place]]) -> float:
    """Sum of the overlaps of the items of two raters, in the optimal one-to-one assignment.

    Args:
        first: spans of each item of one rater.
        second: spans of each item of the other rater.
    """
    if not first or not second:
        return 0.0
    import numpy as np
    from scipy.optimize import linear_sum_assignment

    # Sorted, so that the floating-point sum does not depend on the order of the items.
    overlaps = np.array([[overlap(a, b) for b in sorted(map(tuple, second))] for a in sorted(map(tuple, first))])
    rows, columns = linear_sum_assignment(overlaps, maximize=True)
    return float(overlaps[rows, columns].sum())
