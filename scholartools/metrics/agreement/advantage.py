"""The alternative annotator test: does a judge agree with people as well as a person does?"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from scholartools.metrics.statistics.resampling import Clusters, Resampling, count_units, ratio_interval

Alignment = Literal["accuracy", "rmse"]


@dataclass(frozen=True)
class Advantage:
    """A judge compared with one person, over the items that both and at least one other person rated.

    Attributes:
        judge: share of the items in which the judge is at least as close to the other people as this person is.
        person: share of the items in which this person is at least as close to them as the judge is.
        n: number of items.
        n_drawn: number of independent units: items, or clusters.
        p: one-sided p of the null hypothesis that the judge's advantage is at most minus the margin, or None.
        reason: why there is no p, else None.
    """

    judge: float | None
    person: float | None
    n: int
    n_drawn: int
    p: float | None
    reason: str | None = None


def advantage(
    judge: Sequence[Any],
    person: Sequence[Any],
    others: Sequence[Sequence[Any]],
    margin: float,
    *,
    by: Alignment = "accuracy",
    clusters: Clusters = None,
    least: int = 30,
) -> Advantage:
    """Compare the closeness of a judge and of one person to the other people (Calderon et al. 2025, section 3).

    With d = 1 for an item where only the person is closer, -1 where only the judge is, and 0 otherwise, the mean of d
    is tested against the margin: by Student's t, or for clusters by the t of a jackknife over them. If all d are equal,
    p is the largest value that the null hypothesis allows: ``(1 - margin) ** n`` for n times 0, ``((1 - margin) / 2) **
    n`` for n times -1.

    Args:
        judge: ratings of the judge by item, numbers for ``rmse``; None if missing.
        person: ratings of the person, likewise.
        others: ratings of the other people, by item; may be empty.
        margin: share of items by which the judge may be worse, in 0..1.
        by: the share of the others with the same rating, or the root mean squared distance to them.
        clusters: cluster of each item.
        least: minimum number of units (items, or clusters) for a test.
    """
    score = _ALIGNMENTS[by]
    rows = [place for place, other in enumerate(others) if other and None not in (judge[place], person[place])]
    scores = [(score(judge[i], others[i]), score(person[i], others[i])) for i in rows]
    of_rows = None if clusters is None else [clusters[i] for i in rows]
    n, n_drawn = len(rows), len(rows) if of_rows is None else len(set(of_rows))
    if not rows:
        return Advantage(None, None, 0, 0, None, "no item that the judge, this rater and another one rated")
    shares = sum(own >= theirs for own, theirs in scores) / n, sum(theirs >= own for own, theirs in scores) / n
    what = "items" if of_rows is None else "clusters"
    if n_drawn < least:
        return Advantage(*shares, n, n_drawn, None, f"{n_drawn} {what}, fewer than the {least} that the test needs")
    behind = [float((theirs > own) - (own > theirs)) for own, theirs in scores]
    p, reason = _p_below(behind, margin, of_rows)
    return Advantage(*shares, n, n_drawn, p, reason)


def _p_below(behind: Sequence[float], margin: float, clusters: Clusters) -> tuple[float | None, str | None]:
    """One-sided p of the null hypothesis that the mean is at least the margin, or the reason why there is none."""
    from scipy.special import stdtr

    n = len(behind)
    if len(set(behind)) == 1:
        return {-1.0: (1 - margin) / 2, 0.0: 1 - margin}.get(behind[0], 1.0) ** count_units(n, clusters), None
    mean = sum(behind) / n
    if clusters is None:
        error = math.sqrt(sum((one - mean) ** 2 for one in behind) / (n - 1) / n)
        return float(stdtr(n - 1, (mean - margin) / error)), None
    found = ratio_interval([one - margin for one in behind], [1.0] * n, Resampling(), clusters)
    if found.t is None or found.df is None:
        return None, found.reason
    return float(stdtr(found.df, found.t)), None


def _share_equal(rating: Any, others: Sequence[Any]) -> float:
    return sum(rating == other for other in others) / len(others)


def _nearness(rating: Any, others: Sequence[Any]) -> float:
    """Negative root mean squared distance, so that larger is closer."""
    return -((sum((rating - other) ** 2 for other in others) / len(others)) ** 0.5)


_ALIGNMENTS: dict[Alignment, Callable[[Any, Sequence[Any]], float]] = {
    "accuracy": _share_equal,
    "rmse": _nearness,
}
