"""Weights of facets from overall ratings ("A Facet-aware Metric", section 4.2)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Fit:
    """A least-squares fit of overall ratings on facet ratings.

    Attributes:
        weights: one per facet, or None if not determined.
        normalised: weights divided by their sum; None if that is not positive.
        mse: mean squared difference of fitted and given overall ratings, over the n texts of the fit.
        n: number of texts with an overall rating and one of every facet; only these count.
        n_missing: number of other texts.
        reason: why weights are None, else None.
    """

    weights: list[float] | None
    normalised: list[float] | None
    mse: float | None
    n: int
    n_missing: int
    reason: str | None = None


def fit_weights(
    ratings: Sequence[Sequence[float | None]], overall: Sequence[float | None], maxima: Sequence[float]
) -> Fit:
    """Weights w for which ``sum_f w_f * r_f / max_f`` is closest to the overall rating, by least squares without
    intercept.

    A text in which a facet is absent (None) is left out: its score uses renormalised weights, which are not linear in
    w.

    Args:
        ratings: texts x facets.
        overall: one rating per text; in 0..1 to get the weights of the facet score.
        maxima: maximum rating of each facet, above 0.

    Raises:
        ValueError: lengths of ratings, overall and maxima do not match.
    """
    import numpy as np

    kept = _scale_complete(ratings, overall, maxima)
    blank = Fit(None, None, None, len(kept), len(overall) - len(kept))
    if len(kept) < len(maxima):
        return replace(blank, reason=f"fewer texts rated in full than the {len(maxima)} weights to find")
    table, targets = np.array([row for row, _ in kept]), np.array([target for _, target in kept])
    solution, _, rank, _ = np.linalg.lstsq(table, targets, rcond=None)
    if rank < len(maxima):
        return replace(blank, reason="the ratings of one facet follow from those of the others")
    with np.errstate(over="ignore", invalid="ignore"):
        weights, mse = solution.tolist(), float(np.mean((table @ solution - targets) ** 2))
    if not all(map(math.isfinite, [*weights, mse])):
        return replace(blank, reason="the numbers are too large")
    total = math.fsum(weights)
    return replace(
        blank,
        weights=weights,
        normalised=[weight / total for weight in weights] if total > 0 else None,
        mse=mse,
    )


def _scale_complete(
    ratings: Sequence[Sequence[float | None]], overall: Sequence[float | None], maxima: Sequence[float]
) -> list[tuple[list[float], float]]:
    """Completely rated texts: ratings divided by the maxima, and the overall rating."""
    return [
        ([rating / top for rating, top in zip(row, maxima, strict=True) if rating is not None], target)
        for row, target in zip(ratings, overall, strict=True)
        if target is not None and None not in row
    ]
