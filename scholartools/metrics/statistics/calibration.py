"""Convert scores to calibrated probabilities: Platt scaling and isotonic regression."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple, get_args

Fit = Literal["platt", "isotonic"]
FITS: tuple[Fit, ...] = get_args(Fit)

# Probabilities are clipped to this distance from 0 and 1 before taking log odds.
_NEAREST = 1e-6
_STEPS = 100
_TOLERANCE = 1e-10
# Decimals of a probability: further ones are within the tolerance, and differ between processors.
_DECIMALS = 9


class Fitted(NamedTuple):
    """Fitted map from scores to probabilities.

    Attributes:
        at: function that returns the probability for a score.
        slope: slope of the sigmoid, None for an isotonic map; negative if the probability falls with the score.
        intercept: intercept of the sigmoid.
    """

    at: Callable[[float], float]
    slope: float | None = None
    intercept: float | None = None


def log_odds(probability: float) -> float:
    """``log(p / (1 - p))``, with p clipped to a distance of 1e-6 from 0 and 1."""
    held = min(max(probability, _NEAREST), 1 - _NEAREST)
    return math.log(held / (1 - held))


def fit_platt(scores: Sequence[float], outcomes: Sequence[float]) -> Fitted | None:
    """The sigmoid ``1 / (1 + exp(-(slope * score + intercept)))`` by maximum likelihood (Platt 1999).

    Positive outcomes have the target (n1 + 1) / (n1 + 2), negative ones 1 / (n0 + 2), with n1 and n0 their numbers, so
    that the fit exists even for separable scores. By Newton's method with step halving (Lin, Lin and Weng 2007).

    Returns:
        None if all scores or all outcomes are equal.
    """
    import numpy as np

    z, came = np.asarray(scores, dtype=float), np.asarray(outcomes, dtype=float)
    if len(z) < 2 or came.min() == came.max() or z.max() - z.min() <= 1e-12 * np.abs(z).max():
        return None
    middle, spread = float(z.mean()), float(z.std())
    design = np.stack([(z - middle) / spread, np.ones(len(z))])
    n1 = float(came.sum())
    target = np.where(came == 1, (n1 + 1) / (n1 + 2), 1 / (len(z) - n1 + 2))
    weights = np.zeros(2)

    def loss(at: np.ndarray) -> float:
        line = at @ design
        return float((np.logaddexp(0.0, line) - target * line).sum())

    for _ in range(_STEPS):
        p = 1 / (1 + np.exp(-(weights @ design)))
        gradient = design @ (p - target)
        step = np.linalg.solve((design * (p * (1 - p))) @ design.T + 1e-12 * np.eye(2), gradient)
        size = 1.0
        while size > 1e-10 and loss(weights - size * step) > loss(weights):
            size /= 2
        weights = weights - size * step
        if np.abs(gradient).max() < _TOLERANCE * len(z):
            break
    slope = float(weights[0]) / spread
    intercept = float(weights[1]) - slope * middle

    def at(score: float) -> float:
        line = slope * score + intercept
        return round(1 / (1 + math.exp(-line)), _DECIMALS) if line > -700 else 0.0

    return Fitted(at, slope, intercept)


def fit_isotonic(scores: Sequence[float], outcomes: Sequence[float]) -> Fitted | None:
    """Isotonic least squares (pool adjacent violators), linear between scores and constant beyond them.

    Equal scores have the same value. Equivalent to scikit-learn's IsotonicRegression with ``out_of_bounds="clip"``.

    Returns:
        None if all outcomes are equal.
    """
    if len(scores) < 2 or min(outcomes) == max(outcomes):
        return None
    sums: dict[float, list[float]] = {}
    for score, came in zip(scores, outcomes, strict=True):
        of = sums.setdefault(score, [0.0, 0.0])
        of[0], of[1] = of[0] + came, of[1] + 1
    places = sorted(sums)
    blocks: list[list[float]] = []  # sum, size, scores
    for place in places:
        blocks.append([*sums[place], 1])
        while len(blocks) > 1 and blocks[-2][0] * blocks[-1][1] >= blocks[-1][0] * blocks[-2][1]:
            last = blocks.pop()
            blocks[-1] = [one + other for one, other in zip(blocks[-1], last, strict=True)]
    levels = [total / size for total, size, n_scores in blocks for _ in range(int(n_scores))]

    def at(score: float) -> float:
        right = bisect_right(places, score)
        if right in (0, len(places)):
            return levels[0 if right == 0 else -1]
        low, high = places[right - 1], places[right]
        return levels[right - 1] + (levels[right] - levels[right - 1]) * (score - low) / (high - low)

    return Fitted(at)


#: Fitting functions by method.
METHODS: dict[Fit, Callable[[Sequence[float], Sequence[float]], Fitted | None]] = {
    "platt": fit_platt,
    "isotonic": fit_isotonic,
}
