"""Intervals of people's level given a judge's score, that hold the level as often as is asked for: split conformal.

Things come in groups (questions of a paper) whose members are not independent, but the groups are exchangeable. The
quantile is that of hierarchical conformal prediction (Lee, Barber & Willett 2023): each of K groups has the weight
1 / (K + 1), shared equally by its members, and the rest lies at infinity. Then the interval of a thing of a new group
holds its level with at least the probability asked for.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Line:
    """A straight line fitted by least squares; a constant where the scores do not differ."""

    intercept: float
    slope: float

    def at(self, score: float) -> float:
        """Its height at a score."""
        return self.intercept + self.slope * score


def fit_line(scores: Sequence[float], truth: Sequence[float], *, is_flat: bool = False) -> Line:
    """People's levels on a judge's scores; with ``is_flat`` their mean alone, as if there were no judge."""
    mean, height = math.fsum(scores) / len(scores), math.fsum(truth) / len(truth)
    spread = math.fsum((score - mean) ** 2 for score in scores)
    if is_flat or spread == 0:
        return Line(height, 0.0)
    slope = math.fsum((s - mean) * (t - height) for s, t in zip(scores, truth, strict=True)) / spread
    return Line(height - slope * mean, slope)


def conformal_quantile(distances: Sequence[float], groups: Sequence[Hashable], confidence: float) -> float | None:
    """The least distance within which lies the weight asked for; None where there are too few groups for it.

    Args:
        distances: of the level of each thing of the calibration from what was predicted, 0 or more.
        groups: what each thing belongs to.
        confidence: above 0 and below 1.
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
    """The lowest and the highest level within a distance; the nearest level where none is so near."""
    near = [level for level in levels if abs(level - predicted) <= distance + 1e-12]
    if not near:
        near = [min(levels, key=lambda level: (abs(level - predicted), level))]
    return min(near), max(near)
