"""Correction of p values for multiple tests."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Literal, get_args

P = Sequence[float | None]
Adjustment = Literal["holm", "bh"]
ADJUSTMENTS: tuple[Adjustment, ...] = get_args(Adjustment)


def holm(p_values: P) -> list[float | None]:
    """Holm's (1979) correction: ``max over j <= i of min(1, (m - j + 1) * p_(j))``.

    Rejecting those <= a controls the family-wise error rate at a under any dependence. None stays None and does not
    count in m.
    """
    known = sorted((p, i) for i, p in enumerate(p_values) if p is not None)
    corrected: list[float | None] = [None] * len(p_values)
    highest = 0.0
    for rank, (p, i) in enumerate(known):
        highest = max(highest, min(1.0, (len(known) - rank) * p))
        corrected[i] = highest
    return corrected


def benjamini_hochberg(p_values: P) -> list[float | None]:
    """Correction of Benjamini & Hochberg (1995): ``min over j >= i of m / j * p_(j)``.

    Rejecting those <= q controls the false discovery rate at q for independent or positively dependent tests (Benjamini
    and Yekutieli 2001); at most 1. None stays None and does not count in m.
    """
    return _step_up(p_values, 1.0)


def benjamini_yekutieli(p_values: P) -> list[float | None]:
    """Correction of Benjamini & Yekutieli (2001), valid under any dependence.

    ``min over j >= i of min(1, m (1 + 1/2 + ... + 1/m) / j * p_(j))``: rejecting those <= q controls the false
    discovery rate at q. None stays None and does not count in m.
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
#: Names of the methods in column headings.
TITLES: dict[str, str] = {"holm": "Holm", "bh": "BH"}


def adjust(p_values: P, method: Adjustment) -> list[float | None]:
    """Correct the p values of one family by the method of Holm or of Benjamini and Hochberg."""
    return _METHODS[method](p_values)
