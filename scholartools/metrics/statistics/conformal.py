"""Prediction intervals for human ratings given a judge's score, with guaranteed coverage: split conformal prediction.

Items come in groups (questions of a paper); the items of a group are dependent, but the groups are exchangeable. The
quantile is that of hierarchical conformal prediction (Lee, Barber & Willett 2023): each of K groups has the weight 1 /
(K + 1), divided equally among its items, and the rest is at infinity. The interval for an item of a new group then has
at least the nominal coverage.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Line:
    """A straight line fitted by least squares; a constant if the scores do not differ."""

    intercept: float
    slope: float

    def at(self, score: float) -> float:
        """Value of the line at a score."""
        return self.intercept + self.slope * score


def fit_line(scores: Sequence[float], truth: Sequence[float], *, is_flat: bool = False) -> Line:
    """Fit human ratings to a judge's scores; with ``is_flat``, to a constant, as if there were no judge."""
    mean, height = math.fsum(scores) / len(scores), math.fsum(truth) / len(truth)
    spread = math.fsum((score - mean) ** 2 for score in scores)
    if is_flat or spread == 0:
        return Line(height, 0.0)
    slope = math.fsum((s - mean) * (t - height) for s, t in zip(scores, truth, strict=True)) / spread
    return Line(height - slope * mean, slope)


def conformal_quantile(distances: Sequence[float], groups: Sequence[Hashable], confidence: float) -> float | None:
    """Smallest distance with at least the requested weight; None if there are too few groups.

    Args:
        distances: absolute errors of the predictions for the calibration items.
        groups: group of each item.
        confidence: nominal coverage, between 0 and 1 exclusive.
    """
    sizes: dict[Hashable, int] = {}
    for group in groups:
        sizes[group] = sizes.get(group, 0) + 1
    weight = 0.0
    for distance, group in sorted(zip(distances, groups, strict=True), key=lambda pair: pair[0]):
        weight += 1 / (sizes[group] * (len(sizes) + 1))
        if weight >= confidence - 1e-12:
            return distance
    return None


def levels_within(predicted: float, distance: float, levels: Sequence[float]) -> tuple[float, float]:
    """Lowest and highest level within a distance; the nearest level if there is none."""
    near = [level for level in levels if abs(level - predicted) <= distance + 1e-12]
    if not near:
        near = [min(levels, key=lambda level: (abs(level - predicted), level))]
    return min(near), max(near)
