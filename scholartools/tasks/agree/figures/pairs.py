"""Figures of a judge's numbers and people's themselves: scatter, limits of agreement, reliability."""

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
        columns: of judges' and people's numbers.
        x: judges' numbers; of ``reliability`` probabilities.
        y: people's numbers; of ``reliability`` 1 or 0, of ``bland-altman`` on the scale of x.
        kind: what is drawn.
        how: how intervals are made; its seed moves equal points apart.
        measure: of the coefficient of ``scatter``.
        n_bins: of ``reliability``.

    Raises:
        UsageFault: x are no probabilities, or y neither 1 nor 0.
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
