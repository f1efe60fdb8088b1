"""Figures of the numbers of a judge and of people: scatter, limits of agreement, reliability."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, get_args

from scholartools.metrics.statistics.correlation import Measure
from scholartools.metrics.statistics.resampling import Resampling
from scholartools.records import Record
from scholartools.tasks.agree.columns import Columns
from scholartools.tasks.agree.correlation import Comparisons, correlations
from scholartools.tasks.agree.figures.calibration import Calibration
from scholartools.tasks.agree.figures.differences import Differences
from scholartools.tasks.agree.figures.panel import Panel
from scholartools.tasks.agree.figures.scatter import Scatter
from scholartools.tasks.agree.people.against_people import limit_records, point_records, reliability_records

Kind = Literal["scatter", "bland-altman", "reliability"]
KINDS: tuple[Kind, ...] = get_args(Kind)


def pair_panels(
    columns: Columns, x: Sequence[str], y: Sequence[str], kind: Kind, how: Resampling, measure: Measure, n_bins: int
) -> list[Panel]:
    """A panel for each part of the columns, x and y.

    Args:
        columns: the columns with the numbers of judges and people.
        x: columns of judges; probabilities for ``reliability``.
        y: columns of people; 1 or 0 for ``reliability``, on the scale of x for ``bland-altman``.
        kind: kind of the figure.
        how: settings of the intervals; the seed is also that of the jitter of equal points.
        measure: coefficient of ``scatter``.
        n_bins: number of bins of ``reliability``.

    Raises:
        UsageFault: ``reliability`` and x are not probabilities, or y is neither 1 nor 0.
    """
    if kind == "reliability":
        return [Calibration(result) for result in reliability_records(columns, x, y, n_bins, how)]
    if kind == "bland-altman":
        found = list(limit_records(columns, x, y, how))
        return [Differences(result, _points_of(columns, result), how.seed) for result in found]
    found = list(correlations(columns, x, y, (measure,), beside=Comparisons(how=how)))
    return [Scatter(result, _points_of(columns, result), how.seed) for result in found]


def _points_of(columns: Columns, result: Record) -> list[Record]:
    part = next(one for one in columns.parts() if one.each == result.get("each", {}))
    return point_records(part, result["x"], result["y"])
