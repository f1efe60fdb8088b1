"""Convert scores of a judge to human rating levels by fitted thresholds."""

from __future__ import annotations

import bisect
import math
from collections.abc import Sequence


def fit_thresholds(scores: Sequence[float], truth: Sequence[float], levels: Sequence[float]) -> list[float]:
    """Thresholds that minimise the sum of absolute differences between assigned and human levels.

    The level of a score is the number of thresholds that are not above it. Thresholds are midpoints between
    neighbouring scores; for an unused level the threshold is that of its neighbour, or infinite at an end. Of equally
    good solutions, the one with lower levels is taken. Exact, by dynamic programming over the different scores.

    Args:
        scores: scores of the judge, finite, none missing, at least one.
        truth: human scores of the same items.
        levels: possible levels, ascending.

    Returns:
        The thresholds, one fewer than levels, ascending.
    """
    values = sorted(set(scores))
    costs = _level_costs(values, scores, truth, levels)
    best = costs[0][:]
    choices = []
    for cost in costs[1:]:
        row, chosen, before = [], [], 0
        for level, own in enumerate(cost):
            before = level if best[level] < best[before] else before
            row.append(best[before] + own)
            chosen.append(before)
        best = row
        choices.append(chosen)
    place = min(range(len(levels)), key=lambda level: (best[level], level))
    given = [place]
    for chosen in reversed(choices):
        given.append(chosen[given[-1]])
    return _cuts(values, given[::-1], len(levels))


def assign_levels(
    scores: Sequence[float | None], thresholds: Sequence[float], levels: Sequence[float]
) -> list[float | None]:
    """Level of each score by the thresholds; None for a missing score."""
    return [None if score is None else levels[bisect.bisect_right(thresholds, score)] for score in scores]


def mean_absolute_error(given: Sequence[float], truth: Sequence[float]) -> float | None:
    """Mean of |given - truth|; None for empty input."""
    return math.fsum(abs(one - other) for one, other in zip(given, truth, strict=True)) / len(given) if given else None


def _level_costs(
    values: Sequence[float], scores: Sequence[float], truth: Sequence[float], levels: Sequence[float]
) -> list[list[float]]:
    """For each different score and each level, the sum of the differences from the human levels if the score has this
    level.
    """
    places = {value: place for place, value in enumerate(values)}
    costs = [[0.0] * len(levels) for _ in values]
    for score, true in zip(scores, truth, strict=True):
        for place, level in enumerate(levels):
            costs[places[score]][place] += abs(level - true)
    return costs


def _cuts(values: Sequence[float], given: Sequence[int], n_levels: int) -> list[float]:
    """Thresholds between scores with assigned levels, both in ascending order."""
    cuts = []
    for level in range(1, n_levels):
        first = next((place for place, own in enumerate(given) if own >= level), None)
        if first is None:
            cuts.append(math.inf)
        else:
            cuts.append(-math.inf if first == 0 else (values[first - 1] + values[first]) / 2)
    return cuts
