"""Distances of sets, for raters who each give several labels to an item.

A set is a number whose bits are its members, so that sets fit in arrays like other ratings.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any


def jaccard_distance(one: int, other: int) -> float:
    """1 minus the Jaccard similarity; 0 for two empty sets."""
    either = (one | other).bit_count()
    return 1 - (one & other).bit_count() / either if either else 0.0


def masi_distance(one: int, other: int) -> float:
    """Jaccard's similarity weighed by how the sets lie (Passonneau 2006, section 3): 1 for equal ones, 2/3 where one
    holds the other, 1/3 where they overlap, 0 where they share nothing; less from 1.
    """
    shared = one & other
    weight = 1.0 if one == other else 2 / 3 if shared in (one, other) else 1 / 3 if shared else 0.0
    return 1 - weight * (1 - jaccard_distance(one, other))


def spread_distance(distance: Callable[[int, int], float]) -> Callable[[Any, Any], Any]:
    """Convert a distance of two sets to one of two arrays of sets, NaN if one is NaN."""

    def of_arrays(one: Any, other: Any) -> Any:
        import numpy as np

        def of_pair(first: float, second: float) -> float:
            return math.nan if math.isnan(first + second) else distance(int(first), int(second))

        return np.vectorize(of_pair, otypes=[float])(one, other)

    return of_arrays
