"""Whether one measure goes further with a third than another does, inside groups and over systems' means.

Each is the difference of the two numbers that :mod:`.grouped` and :mod:`.correlation` give for the things that have all
three numbers; that of plain and partial coefficients is in :mod:`.partial`.
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
    """The mean coefficients of two measures with y inside groups, and their difference first - second.

    Each mean is over the groups in which its measure has a coefficient. The samples hold groups, or clusters of them,
    each with the coefficients of both measures.

    Args:
        first, second, y: finite numbers of the same things, None for a missing one.
        groups: what each thing belongs to.
        measure: of the coefficients.
        how: samples, confidence and seed.
        clusters: the cluster of each group; groups are drawn where it is None.
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
    """The coefficients, over systems, of their means of two measures with those of y, and their difference.

    Args:
        first, second, y: finite numbers of the same things, None for a missing one.
        systems: what each thing is of.
        measure: of the coefficients.
        how: samples, confidence and seed. Things are drawn; the systems stay the same.
        clusters: the cluster of each thing; these are drawn, with all their things, where it is given.
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
