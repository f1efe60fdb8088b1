"""Result records of the alternative annotator test of judges: one per human rater, and one with the winning rate."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from scholartools.errors import UsageFault
from scholartools.metrics.agreement.advantage import Advantage, Alignment, advantage
from scholartools.metrics.agreement.scales import identity, place
from scholartools.metrics.statistics.multiple_tests import benjamini_yekutieli
from scholartools.paths import Name, as_json
from scholartools.records import Record
from scholartools.signature import library
from scholartools.tasks.agree.coefficients import label_groups
from scholartools.tasks.agree.ratings import Ratings, View
from scholartools.tasks.agree.results import sign_result


@dataclass(frozen=True)
class Choices:
    """Parameters of the alternative annotator test.

    Attributes:
        judges: the raters that are judges; all others are human.
        margin: epsilon, the share of items by which a judge may be worse than a human rater.
        by: the alignment measure between ratings.
        false_discovery: false discovery rate, q.
        least: minimum number of items, or clusters, for testing a rater.
    """

    judges: Sequence[str]
    margin: float
    by: Alignment = "accuracy"
    false_discovery: float = 0.05
    least: int = 30


def alternative_records(ratings: Ratings, choices: Choices) -> Iterator[Record]:
    """One record per label, judge and human rater, then one per label and judge with the winning rate as ``value``.

    Raises:
        UsageFault: a judge has no ratings.
    """
    everyone = ratings.raters(*ratings.labels)
    if unknown := [judge for judge in choices.judges if judge not in map(str, everyone)]:
        raise UsageFault(
            f'no rating by "{unknown[0]}": the raters are {", ".join(map(str, everyone))}', parameter="judge"
        )
    for part, labels in label_groups(ratings, pooled=False):
        view = View(ratings, labels, tuple(ratings.raters(*labels)))
        people = [rater for rater in view.raters if str(rater) not in choices.judges]
        for judge in (rater for rater in view.raters if str(rater) in choices.judges):
            found = _advantages(view, judge, people, choices)
            yield from _judge_records(view, part, judge, found, choices)


def _advantages(view: View, judge: Name, people: Sequence[Name], choices: Choices) -> dict[Name, Advantage]:
    units, clusters = view.units(), view.clusters()
    columns = {rater: [_point(unit[at], choices.by) for unit in units] for at, rater in enumerate(view.raters)}
    found = {}
    for person in people:
        rest = [columns[other] for other in people if other != person]
        others = [[one[at] for one in rest if one[at] is not None] for at in range(len(units))]
        found[person] = advantage(
            columns[judge], columns[person], others, choices.margin,
            by=choices.by, clusters=clusters, least=choices.least,
        )  # fmt: skip
    return found


def _point(value: Any, by: Alignment) -> Any:
    if value is None:
        return None
    return identity(value) if by == "accuracy" else place(value, "interval")


def _judge_records(
    view: View, part: Record, judge: Name, found: dict[Name, Advantage], choices: Choices
) -> Iterator[Record]:
    ratings = view.ratings
    about: Record = {"stat": "alt-test", "judge": judge, "alignment": choices.by, "epsilon": choices.margin}
    marks: Record = {**about, "judge": as_json(judge), "judges": list(choices.judges), "label": as_json(part["label"])}
    marks |= {"q": choices.false_discovery, "least": choices.least, "over": view.over()}
    marks |= {"input": ratings.fingerprint(), "library": library("scipy")}
    dropped = dict(sorted(ratings.dropped.items()))
    corrected = benjamini_yekutieli([one.p for one in found.values()])
    for (person, one), p in zip(found.items(), corrected, strict=True):
        yield {
            **about, **part, "rater": person, "value": one.judge, "of_rater": one.person, "n": one.n,
            "over": view.over(), "n_drawn": one.n_drawn, "p": one.p, "p_by": p,
            "n_compared": len(corrected) - corrected.count(None),
            "is_won": None if p is None else p <= choices.false_discovery, "reason": one.reason, "dropped": dropped,
            "signature": sign_result({**marks, "rater": as_json(person)}, ratings.dropped, None),
        }  # fmt: skip
    tested = [one for one in found.values() if one.p is not None]
    won = sum(p is not None and p <= choices.false_discovery for p in corrected)
    reason = None if tested else next((one.reason for one in found.values()), "nobody else rated anything")
    yield {
        **about, **part, "rater": None, "value": won / len(tested) if tested else None, "n_won": won,
        "n_tested": len(tested), "n_raters": len(found),
        "advantage": sum(one.judge or 0 for one in tested) / len(tested) if tested else None,
        "passes": won / len(tested) >= 0.5 if tested else None, "reason": reason, "dropped": dropped,
        "signature": sign_result(marks, ratings.dropped, None),
    }  # fmt: skip
