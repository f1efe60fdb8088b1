"""P values of several tests that are read together, corrected for how many they are."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Literal, get_args

P = Sequence[float | None]
Adjustment = Literal["holm", "bh"]
ADJUSTMENTS: tuple[Adjustment, ...] = get_args(Adjustment)


def holm(p_values: P) -> list[float | None]:
    """P values corrected for how many they are (Holm 1979): ``max over j <= i of min(1, (m - j + 1) * p_(j))``.

    Those not above a hold the probability of any false finding to at most a, whatever hangs on what. A None stays None
    and is not counted among the m.
    """
    known = sorted((p, i) for i, p in enumerate(p_values) if p is not None)
    corrected: list[float | None] = [None] * len(p_values)
    highest = 0.0
    for rank, (p, i) in enumerate(known):
        highest = max(highest, min(1.0, (len(known) - rank) * p))
        corrected[i] = highest
    return corrected


def benjamini_hochberg(p_values: P) -> list[float | None]:
    """P values corrected for how many they are (Benjamini & Hochberg 1995): ``min over j >= i of m / j * p_(j)``.

    Those not above q have a false discovery rate of at most q, where tests are independent or go up together
    (Benjamini and Yekutieli 2001); at most 1. A None stays None and is not counted among the m.
    """
    return _step_up(p_values, 1.0)


def benjamini_yekutieli(p_values: P) -> list[float | None]:
    """P values corrected for how many they are (Benjamini & Yekutieli 2001), whatever hangs on what.

    ``min over j >= i of min(1, m (1 + 1/2 + ... + 1/m) / j * p_(j))``: those not above q have a false discovery rate of
    at most q. A None stays None and is not counted among the m.
    """
    n_known = len(p_values) - list(p_values).count(None)
    return _step_up(p_values, math.fsum(1 / rank for rank in range(1, n_known + 1)))


def _step_up(p_values: P, factor: float) -> list[float | None]:
    known = sorted((p, i) for i, p in enumerate(p_values) if p is not None)
    corrected: list[float | None] = [None] * len(p_values)
    least = 1.0
    for rank, (p, i) in reversed([*enumerate(known, 1)]):
        least = min(least, factor * len(known) / rank * p)
        corrected[i] = least
    return corrected


_METHODS: dict[Adjustment, Callable[[P], list[float | None]]] = {"holm": holm, "bh": benjamini_hochberg}
#: The names of the methods, as titles of columns have them.
TITLES: dict[str, str] = {"holm": "Holm", "bh": "BH"}


def adjust(p_values: P, method: Adjustment) -> list[float | None]:
    """P values of one family, corrected by Holm or by Benjamini and Hochberg."""
    return _METHODS[method](p_values)
