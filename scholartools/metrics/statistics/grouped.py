"""How far two measures go together inside groups: the mean of the groups' coefficients."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from scholartools.metrics.statistics import resampling
from scholartools.metrics.statistics.correlation import Measure, Numbers, correlation
from scholartools.metrics.statistics.resampling import Clusters, Percentiles, Resampling

# Of fewer groups, half of them of three things or fewer, intervals of the mean of rank correlations hold .85 to .93 of
# the truths, those of the mean of r .89 (benchmarks/inference.py).
_SMALL, _FEWEST, _FEWEST_R = 3, 14, 8


@dataclass(frozen=True)
class Grouped:
    """The mean of the coefficients of groups, and what it rests on.

    Attributes:
        value: the mean in -1..1, or None where no group has a coefficient.
        n: groups with a coefficient, which alone count, each once.
        n_constant: groups with two or more pairs in which a side is constant.
        n_small: groups with fewer than two pairs.
        n_missing: pairs without one or both numbers.
        of_group: the coefficient of each group that has one.
        fewest: groups that an interval needs.
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
    """The plain mean over groups of their coefficients (as for summaries of one document in SummEval's literature).

    Args:
        x: finite numbers, None for a missing one.
        y: the same things' other numbers, in the same order.
        groups: what each thing belongs to.
    """
    members: dict[Hashable, list[int]] = {}
    for place, group in enumerate(groups):
        members.setdefault(group, []).append(place)
    found = {group: correlation([x[i] for i in of], [y[i] for i in of], measure) for group, of in members.items()}
    values = {group: result.value for group, result in found.items() if result.value is not None}
    n_small = sum(result.n < 2 for result in found.values())
    # Ranks of three things have four coefficients, and the mean of few of these falls on few numbers.
    sizes = sorted(found[group].n for group in values)
    is_coarse = bool(sizes) and sizes[len(sizes) // 2] <= _SMALL
    fewest = (_FEWEST_R if measure == "pearson" else _FEWEST) if is_coarse else 2
    mean = math.fsum(values.values()) / len(values) if values else None
    return Grouped(
        mean, len(values), len(found) - len(values) - n_small, n_small, sum(one.n_missing for one in found.values()),
        values, fewest, None if values else "both sides vary in none of the groups",
    )  # fmt: skip


def correlation_within_interval(found: Grouped, how: Resampling, clusters: Clusters = None) -> Percentiles:
    """The interval of the mean over the groups with a coefficient, or over clusters of these groups.

    Args:
        found: what :func:`correlation_within` gave.
        how: samples, confidence and seed.
        clusters: the cluster of each group of ``found.of_group``, in its order; groups are drawn where it is None.
    """
    values = list(found.of_group.values())
    if how.method == "jackknife" and 1 < found.n < found.fewest:
        reason = f"{found.n} groups of up to {_SMALL}, fewer than the {found.fewest} that their mean needs"
        return Percentiles(None, None, resampling.count_units(found.n, clusters), 0, reason)
    return resampling.ratio_interval(values, [1.0] * len(values), how, clusters).limit((-1.0, 1.0))
