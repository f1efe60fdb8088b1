"""Result records of numeric ratings: concordance and limits of agreement of pairs, the human ceiling of judges."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from scholartools.errors import UsageFault
from scholartools.metrics.agreement import ceiling as ceilings
from scholartools.metrics.agreement import concordance as concordances
from scholartools.metrics.agreement.scales import place
from scholartools.metrics.statistics.correlation import Measure
from scholartools.metrics.statistics.multiple_tests import Adjustment
from scholartools.metrics.statistics.resampling import Percentiles, Resampling
from scholartools.paths import Name, as_json
from scholartools.records import Record
from scholartools.signature import library
from scholartools.tasks.agree.coefficients import label_groups
from scholartools.tasks.agree.ratings import Ratings, View
from scholartools.tasks.agree.results import correct_results, interval_entry, no_interval, sign_result


def concordance_records(ratings: Ratings, how: Resampling) -> Iterator[Record]:
    """One record per label and pair of raters: Lin's concordance as ``value``, Bland-Altman limits of agreement."""
    for part, labels in label_groups(ratings, pooled=False):
        everyone = View(ratings, labels, tuple(ratings.raters(*labels)))
        for pair in combinations(everyone.raters, 2):
            view = everyone.of(pair)
            first, second = _columns(view)
            found = concordances.concordance(first, second)
            made = concordances.concordance_intervals(first, second, how, view.clusters())
            no = no_interval(found.reason)
            limits = found.limits or (None, None)
            yield {
                "stat": "concordance", "raters": list(pair), **part, "value": found.value, "n_items": found.n,
                "n_missing": view.missing(), "interval": interval_entry(no or made.value, how, view.over()),
                "bias": _with_interval(found.bias, made.bias, how, view), "sd": found.sd,
                "limits": [_with_interval(limits[0], made.lower, how, view, "noncentral t"),
                           _with_interval(limits[1], made.upper, how, view, "noncentral t")],
                "reason": found.reason, **_ending(view, part, {"stat": "concordance"}, how),
            }  # fmt: skip


def _with_interval(
    value: float | None, found: Percentiles, how: Resampling, view: View, exact: str | None = None
) -> Record:
    """A number with its interval; ``exact`` is the distribution that replaces the jackknife for independent items."""
    ends = interval_entry(found, how, view.over())
    if exact and view.clusters() is None and how.method == "jackknife":
        ends |= {"method": exact}
    return {"value": value, "interval": ends}


def _columns(view: View) -> list[list[float | None]]:
    units = view.units()
    return [
        [None if unit[at] is None else place(unit[at], "interval") for unit in units] for at in range(len(view.raters))
    ]


def _ending(view: View, part: Record, marks: Record, how: Resampling) -> Record:
    parameters = {**marks, "label": as_json(part["label"]), "raters": [as_json(name) for name in view.raters]}
    parameters |= {"input": view.ratings.fingerprint(), "library": [library("numpy"), library("scipy")]}
    dropped = view.ratings.dropped
    return {
        "dropped": dict(sorted(dropped.items())), "signature": sign_result(parameters, dropped, how, view.over())
    }  # fmt: skip


@dataclass(frozen=True)
class Choices:
    """Parameters of a human ceiling.

    Attributes:
        judges: the raters that are judges, all others are human; empty for the ceiling alone.
        measure: the correlation coefficient.
        how: resampling of the intervals.
        adjust: correction of the p-values of several judges and labels for multiple testing.
    """

    judges: Sequence[str]
    measure: Measure
    how: Resampling
    adjust: Adjustment = "holm"


def ceiling_records(ratings: Ratings, choices: Choices) -> list[Record]:
    """One record per label and judge; ``value`` is the mean correlation of each human rater with the others' mean.

    ``judge_value`` is the mean correlation of the judge with the same means, ``difference`` that of the judge minus
    that of the human raters.

    Raises:
        UsageFault: a judge has no ratings.
    """
    everyone = ratings.raters(*ratings.labels)
    if unknown := [judge for judge in choices.judges if judge not in map(str, everyone)]:
        raise UsageFault(
            f'no rating by "{unknown[0]}": the raters are {", ".join(map(str, everyone))}', parameter="judge"
        )
    found = []
    for part, labels in label_groups(ratings, pooled=False):
        view = View(ratings, labels, tuple(ratings.raters(*labels)))
        judges: list[Name | None] = [rater for rater in view.raters if str(rater) in choices.judges]
        found += [_ceiling_record(view, part, judge, choices) for judge in judges or [None]]
    correct_results([entry["difference"] for entry in found if entry["difference"]], choices.adjust)
    return found


def _ceiling_record(view: View, part: Record, judge: Name | None, choices: Choices) -> Record:
    columns: dict[Name, list[Any]] = dict(zip(view.raters, _columns(view), strict=True))
    people = [rater for rater in view.raters if str(rater) not in choices.judges]
    how = choices.how
    found = ceilings.ceiling(
        [columns[one] for one in people], None if judge is None else columns[judge], choices.measure, how,
        view.clusters(),
    )  # fmt: skip
    of_people, of_judge = found.intervals
    difference = found.difference and {
        "value": found.difference.value, "p": found.difference.p, "reason": found.difference.reason,
        "interval": interval_entry(found.difference.interval, how, view.over()),
    }  # fmt: skip
    marks: Record = {"stat": "ceiling", "measure": choices.measure, "judge": as_json(judge)}
    marks |= {"judges": sorted(choices.judges), "adjust": choices.adjust}
    about = {"stat": "ceiling", "measure": choices.measure, **part, "judge": judge}
    return {
        **about, "value": found.value, "n_raters": len(people), "interval": interval_entry(of_people, how, view.over()),
        "judge_value": found.judge,
        "judge_interval": None if of_judge is None else interval_entry(of_judge, how, view.over()),
        "difference": difference,
        "people": [{"rater": name, **one._asdict()} for name, one in zip(people, found.people, strict=True)],
        "n_missing": view.missing(), "reason": found.reason, **_ending(view, part, marks, how),
    }  # fmt: skip
