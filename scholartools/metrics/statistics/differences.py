"""Differences of the correlations of two measures with a third, within groups and for the means of systems.

Each is the difference of two results of :mod:`.grouped` or :mod:`.correlation` over the items with all three numbers;
for plain and partial coefficients see :mod:`.partial`.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence

from scholartools.metrics.statistics import resampling
from scholartools.metrics.statistics.correlation import (
    Correlation,
    Measure,
    Numbers,
    correlation_of_means,
    sample_coefficients_of_means,
)
from scholartools.metrics.statistics.grouped import Grouped, correlation_within
from scholartools.metrics.statistics.paired_bootstrap import Difference, paired_ratios, statistic_difference
from scholartools.metrics.statistics.resampling import Resampling


def within_difference(
    first: Numbers,
    second: Numbers,
    y: Numbers,
    groups: Sequence[Hashable],
    measure: Measure,
    how: Resampling,
    clusters: Mapping[Hashable, Hashable] | None = None,
) -> tuple[Grouped, Grouped, Difference]:
    """Mean coefficients of two measures with y within groups, and their difference first - second.

    Each mean is over the groups in which its coefficient is defined. The samples contain groups, or clusters of groups,
    each with the coefficients of both measures.

    Args:
        first, second, y: finite numbers of the same items, None if missing.
        groups: group of each item.
        measure: the coefficient.
        how: number of samples, confidence and seed.
        clusters: cluster of each group; None resamples groups.
    """
    one, other, truth = resampling.keep_complete([first, second, y])
    kept = list(resampling.clusters_of_complete([first, second, y], groups) or ())
    found = [correlation_within(side, truth, kept, measure) for side in (one, other)]
    drawn = [group for group in dict.fromkeys(kept) if any(group in side.of_group for side in found)]
    sums = [
        ([side.of_group.get(group, 0.0) for group in drawn], [float(group in side.of_group) for group in drawn])
        for side in found
    ]
    of_clusters = None if clusters is None else [clusters[group] for group in drawn]
    return found[0], found[1], paired_ratios(sums[0], sums[1], how, of_clusters)


def means_difference(
    first: Numbers,
    second: Numbers,
    y: Numbers,
    systems: Sequence[Hashable],
    measure: Measure,
    how: Resampling,
    clusters: resampling.Clusters = None,
) -> tuple[Correlation, Correlation, Difference]:
    """Coefficients over systems of the means of two measures with the means of y, and their difference.

    Args:
        first, second, y: finite numbers of the same items, None if missing.
        systems: system of each item.
        measure: the coefficient.
        how: number of samples, confidence and seed. Items are resampled; the systems are fixed.
        clusters: cluster of each item; if given, clusters are resampled with all their items.
    """
    columns = [first, second, y]
    one, other, truth = resampling.keep_complete(columns)
    kept = list(resampling.clusters_of_complete(columns, systems) or ())
    found = [correlation_of_means(side, truth, kept, measure) for side in (one, other)]
    statistics = [sample_coefficients_of_means(side, truth, kept, measure) for side in (one, other)]
    difference = statistic_difference(
        [side.value for side in found], [side.reason for side in found],
        lambda counts: statistics[0](counts) - statistics[1](counts), len(one), how,
        resampling.clusters_of_complete(columns, clusters),
    )  # fmt: skip
    return found[0], found[1], difference
