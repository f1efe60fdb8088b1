"""Overview record of a label: alpha, kappa, prevalence of values, disagreement of pairs, detectable change."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from itertools import combinations

from scholartools.metrics.agreement import coefficients, disagreements, intervals
from scholartools.metrics.agreement.coefficients import Level, Weighting
from scholartools.metrics.agreement.rater_changes import rater_difference
from scholartools.metrics.agreement.scales import Order
from scholartools.metrics.statistics.resampling import Resampling
from scholartools.records import Record
from scholartools.signature import fingerprint, library
from scholartools.tasks.agree.coefficients import (
    Choices,
    check_levels,
    difference_entry,
    label_groups,
    left_out,
    no_interval,
    selections,
)
from scholartools.tasks.agree.ratings import Ratings, View
from scholartools.tasks.agree.results import correct_results, interval_entry, sign_result

#: Maximum number of swaps shown (pairs of different values given to one item), most frequent first.
MOST_SWAPS = 3


def report_records(ratings: Ratings, choices: Choices) -> list[Record]:
    """One record per label; ``value`` is alpha.

    ``kappa`` is the mean of Cohen's kappa over the pairs for which it is defined, with quadratic weights unless the
    level is nominal. ``pairs`` lists the pairs of raters by decreasing disagreement. ``changes`` lists the difference
    of alpha without each rater of ``without``. ``least_detectable`` is the smallest change of alpha that a study of
    this size would detect.

    Raises:
        UsageFault: a label of ``levels``, or a rater, has no ratings.
        InputFault: a value is invalid for the level.
    """
    check_levels(ratings, choices)
    family = fingerprint(choices.family())
    found = [
        _label_record(View(ratings, labels, tuple(ratings.raters(*labels))), part, choices.of(part["label"]), family)
        for part, labels in label_groups(ratings, pooled=False)
    ]
    correct_results([change["difference"] for entry in found for change in entry["changes"]], choices.adjust)
    return found


def _label_record(view: View, part: Record, choices: Choices, family: str) -> Record:
    how = choices.how or Resampling()
    units, level, order = view.units(), choices.level, choices.order
    found = asdict(coefficients.alpha(units, level, order))
    value, reason = found.pop("value"), found.pop("reason")
    between = no_interval(reason) or intervals.alpha_interval(units, level, how, view.clusters(), order)
    pairs = list(_pair_records(view, level, order))
    kappas = [pair["kappa"] for pair in pairs if pair["kappa"] is not None]
    dropped = view.ratings.dropped
    marks = {"stat": "report", "label": part["label"], "level": level, "order": order}
    marks |= {"without": [*choices.without], "input": view.ratings.fingerprint(), "library": library("krippendorff")}
    if choices.without:
        marks |= {"family": family, "adjust": choices.adjust}
    return {
        **{"stat": "report", "level": level, **part, "value": value, **found, "n_missing": view.missing()},
        "reason": reason,
        "interval": interval_entry(between, how, view.over()),
        "least_detectable": disagreements.least_change(between, how.confidence),
        "agreement": coefficients.percent_agreement(units).value,
        "kappa": sum(kappas) / len(kappas) if kappas else None,
        "prevalence": [one._asdict() for one in disagreements.prevalence(units)],
        "pairs": sorted(pairs, key=lambda pair: -(pair["n_differ"] / pair["n"] if pair["n"] else 0)),
        "swaps": [one._asdict() for one in disagreements.value_swaps(units)[:MOST_SWAPS]],
        "changes": list(_rater_changes(view, choices, how)),
        "dropped": dict(sorted(dropped.items())),
        "signature": sign_result(marks, dropped, how, view.over()),
    }


def _pair_records(view: View, level: Level, order: Order) -> Iterator[Record]:
    weighting: Weighting | None = None if level == "nominal" else "quadratic"
    for pair in combinations(view.raters, 2):
        units = view.of(pair).units()
        first, second = ([unit[place] for unit in units] for place in (0, 1))
        kappa = coefficients.cohen_kappa(first, second, weighting, order if weighting else None)
        yield {"raters": [*pair], **disagreements.apart(first, second)._asdict(), "kappa": kappa.value}


def _rater_changes(view: View, choices: Choices, how: Resampling) -> Iterator[Record]:
    """Alpha of all raters minus alpha without one, over the same items."""
    for part, rest in selections(view, choices.without, choices.leave_one_out):
        scale: Record = {"level": choices.level, "order": choices.order}
        found = rater_difference("alpha", view.units(), left_out(view, rest), how, view.clusters(), **scale)
        less = coefficients.alpha(rest.units(), choices.level, choices.order)
        least = disagreements.least_change(found.interval, how.confidence)
        change = {"rater": part["without"], "without": less.value, "difference": difference_entry(found, how)}
        yield {**change, "least_detectable": least}
