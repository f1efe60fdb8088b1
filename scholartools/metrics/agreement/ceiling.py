"""Human ceiling: each person against the mean of the other people, compared with a judge."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from scholartools.metrics.statistics import correlation, resampling
from scholartools.metrics.statistics.correlation import Measure
from scholartools.metrics.statistics.paired_bootstrap import Difference, statistic_difference
from scholartools.metrics.statistics.resampling import Clusters, Percentiles, Resampling, Statistic
from scholartools.metrics.values import mean_of_known, tie_means

Numbers = Sequence[float | None]


class LeftOut(NamedTuple):
    """One person left out.

    Attributes:
        person: the coefficient of this person with the mean of the others, or None.
        judge: the judge's with the same means, of the same items; None without a judge.
        n: items that this person, another one and the judge (where there is one) rated.
        reason: why one is None, else None.
    """

    person: float | None
    judge: float | None
    n: int
    reason: str | None


@dataclass(frozen=True)
class Ceiling:
    """Correlation that people reach, and that of a judge.

    Attributes:
        value: mean over people of their correlations with the mean of the others, or None.
        judge: mean of the judge's correlations with the same means, or None.
        people: results for each person left out.
        intervals: intervals of the value and of the judge's mean.
        difference: judge minus people, with interval and p; None without a judge.
        reason: why the value is None, else None.
    """

    value: float | None
    judge: float | None
    people: list[LeftOut]
    intervals: tuple[Percentiles, Percentiles | None]
    difference: Difference | None
    reason: str | None = None


def ceiling(
    people: Sequence[Numbers],
    judge: Numbers | None,
    measure: Measure,
    how: Resampling,
    clusters: Clusters = None,
) -> Ceiling:
    """Leave out each person in turn, and correlate this person, and the judge, with the mean of the others.

    Both are compared with the same means, so that the judge has no advantage from a mean of one more person, which is
    less noisy. Intervals resample items, or clusters, with all their ratings.

    Args:
        people: numbers of each person by item; None if missing.
        judge: numbers of the judge; None for the ceiling alone.
        measure: the correlation coefficient.
        how: method of the intervals.
        clusters: cluster of each item.
    """
    n_items = len(people[0]) if people else 0
    made = [_leave_out(place, people, judge, measure) for place in range(len(people))]
    found, statistics = [one for one, _ in made], [one for _, one in made if one is not None]
    defined = [one for one in found if one.reason is None]
    if not defined:
        reason = found[0].reason if found else None
        blank = Percentiles(None, None, n_items, 0, reason or "fewer than two people")
        return Ceiling(None, None, found, (blank, blank if judge is not None else None), None, blank.reason)
    value = math.fsum(one.person or 0.0 for one in defined) / len(defined)
    of_people = _mean_statistic([one for one, _ in statistics])
    interval = resampling.interval(of_people, n_items, how, clusters, is_coefficient=True)
    if judge is None:
        return Ceiling(value, None, found, (interval, None), None)
    of_judge = _mean_statistic([one for _, one in statistics if one is not None])
    judged = math.fsum(one.judge or 0.0 for one in defined) / len(defined)
    judge_interval = resampling.interval(of_judge, n_items, how, clusters, is_coefficient=True)
    difference = statistic_difference(
        [judged, value], [None, None], lambda counts: of_judge(counts) - of_people(counts), n_items, how, clusters
    )
    return Ceiling(value, judged, found, (interval, judge_interval), difference)


def _leave_out(
    place: int, people: Sequence[Numbers], judge: Numbers | None, measure: Measure
) -> tuple[LeftOut, tuple[Statistic, Statistic | None] | None]:
    """Results of a person and the judge against the mean of the others, with the resampling statistics if defined."""
    own = people[place]
    others = [side for j, side in enumerate(people) if j != place]
    means = tie_means([mean_of_known([side[i] for side in others]) for i in range(len(own))])
    sides = [own, means, *([] if judge is None else [judge])]
    rows = [i for i in range(len(own)) if all(side[i] is not None for side in sides)]
    kept = [[float(side[i] or 0.0) for i in rows] for side in sides]
    of = [correlation.correlation(side, kept[1], measure) for side in (kept[0], *kept[2:])]
    reason = next((one.reason for one in of if one.reason), None)
    left_out = LeftOut(of[0].value, of[1].value if judge is not None else None, len(rows), reason)
    if reason is not None:
        return left_out, None
    made = [_of_rows(correlation.sample_coefficients(side, kept[1], measure), rows) for side in (kept[0], *kept[2:])]
    return left_out, (made[0], made[1] if judge is not None else None)


def _of_rows(statistic: Statistic, rows: Sequence[int]) -> Statistic:
    """Statistic of a subset of the items as a function of the counts of all items."""
    return lambda counts: statistic(counts[:, rows])


def _mean_statistic(statistics: Sequence[Statistic]) -> Statistic:
    import numpy as np

    def statistic(counts: Any) -> Any:
        return np.mean([one(counts) for one in statistics], axis=0)

    return statistic
