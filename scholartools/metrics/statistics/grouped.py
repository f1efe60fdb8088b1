"""Correlation of two measures within groups: the mean of the coefficients of the groups."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from scholartools.metrics.statistics import resampling
from scholartools.metrics.statistics.correlation import Measure, Numbers, correlation
from scholartools.metrics.statistics.resampling import Clusters, Percentiles, Resampling

# With fewer groups, half of them of three items or fewer, the coverage of intervals of the mean is .85 to .93 for rank
# correlations and .89 for r (benchmarks/inference.py).
_SMALL, _FEWEST, _FEWEST_R = 3, 14, 8


@dataclass(frozen=True)
class Grouped:
    """Mean coefficient of groups, with the counts of its data.

    Attributes:
        value: mean in -1..1, or None if no group has a coefficient.
        n: number of groups with a coefficient; only these count, with equal weights.
        n_constant: number of groups with two or more pairs in which a side is constant.
        n_small: number of groups with fewer than two pairs.
        n_missing: number of pairs without both numbers.
        of_group: coefficient of each group that has one.
        fewest: minimum number of groups for an interval.
        reason: why the value is None, else None.
    """

    value: float | None
    n: int
    n_constant: int
    n_small: int
    n_missing: int
    of_group: dict[Hashable, float]
    fewest: int
    reason: str | None = None


def correlation_within(x: Numbers, y: Numbers, groups: Sequence[Hashable], measure: Measure) -> Grouped:
    """Unweighted mean over groups of their coefficients (in the SummEval literature, "summary level").

    Args:
        x: finite numbers, None if missing.
        y: numbers of the same items in the same order.
        groups: group of each item.
    """
    members: dict[Hashable, list[int]] = {}
    for place, group in enumerate(groups):
        members.setdefault(group, []).append(place)
    found = {group: correlation([x[i] for i in of], [y[i] for i in of], measure) for group, of in members.items()}
    values = {group: result.value for group, result in found.items() if result.value is not None}
    n_small = sum(result.n < 2 for result in found.values())
    # Ranks of three items have only four possible coefficients, so the mean over few groups is coarse.
    sizes = sorted(found[group].n for group in values)
    is_coarse = bool(sizes) and sizes[len(sizes) // 2] <= _SMALL
    fewest = (_FEWEST_R if measure == "pearson" else _FEWEST) if is_coarse else 2
    mean = math.fsum(values.values()) / len(values) if values else None
    return Grouped(
        mean, len(values), len(found) - len(values) - n_small, n_small, sum(one.n_missing for one in found.values()),
        values, fewest, None if values else "both sides vary in none of the groups",
    )  # fmt: skip


def correlation_within_interval(found: Grouped, how: Resampling, clusters: Clusters = None) -> Percentiles:
    """Interval of the mean over the groups with a coefficient, or over clusters of these groups.

    Args:
        found: result of :func:`correlation_within`.
        how: number of samples, confidence and seed.
        clusters: cluster of each group of ``found.of_group``, in order; None resamples groups.
    """
    values = list(found.of_group.values())
    if how.method == "jackknife" and 1 < found.n < found.fewest:
        reason = f"{found.n} groups of up to {_SMALL}, fewer than the {found.fewest} that their mean needs"
        return Percentiles(None, None, resampling.count_units(found.n, clusters), 0, reason)
    return resampling.ratio_interval(values, [1.0] * len(values), how, clusters).limit((-1.0, 1.0))
