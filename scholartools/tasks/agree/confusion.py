"""Result records of confusion tables, and of agreement on each value."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from scholartools.metrics.agreement import categories, gwet
from scholartools.metrics.agreement.coefficients import Weighting
from scholartools.metrics.agreement.scales import Order
from scholartools.metrics.statistics.resampling import Resampling
from scholartools.paths import as_json
from scholartools.records import Record
from scholartools.signature import library
from scholartools.tasks.agree.coefficients import label_groups
from scholartools.tasks.agree.ratings import Ratings, View
from scholartools.tasks.agree.results import interval_entry, no_interval, sign_result


def confusion_records(
    ratings: Ratings, how: Resampling, weighting: Weighting | None = None, order: Order = None
) -> Iterator[Record]:
    """For each label the confusion table of each pair of raters, the agreement on each value, and weighted agreement.

    ``measure`` is "table" (``value`` is the share of equal ratings), "category", or, if ``weighting`` is given,
    "weighted".
    """
    for part, labels in label_groups(ratings, pooled=False):
        view = View(ratings, labels, tuple(ratings.raters(*labels)))
        units, clusters = view.units(), view.clusters()
        values = categories.values_of(units)
        for pair in combinations(view.raters, 2):
            own = view.of(pair)
            first, second = ([unit[at] for unit in own.units()] for at in (0, 1))
            found = categories.confusion(first, second, values)
            equal = sum(row[at] for at, row in enumerate(found.counts))
            made: Record = {"measure": "table", "raters": list(pair), **part}
            made |= {"value": equal / found.n if found.n else None, "n_items": found.n}
            made |= {"values": found.values, "counts": found.counts, "n_missing": own.missing()}
            yield _record(own, made, None if found.n else "no item rated by both", None)
        for one in categories.category_agreements(units, values, how, clusters):
            made = {"measure": "category", "category": one.category, **part, "value": one.agreement.value}
            made |= {"n_ratings": one.n_ratings, "n_missing": view.missing()}
            between = no_interval(one.agreement.reason) or one.interval
            assert between is not None
            made["interval"] = interval_entry(between, how, view.over())
            reason = one.agreement.reason and "no item with two ratings has it"
            yield _record(view, made, reason, how)
        if weighting is not None:
            whole = gwet.weighted_agreement(units, weighting, order)
            between = no_interval(whole.reason) or gwet.weighted_agreement_interval(
                units, how, clusters, weighting, order
            )
            made = {"measure": "weighted", "weights": weighting, **part, "value": whole.value, "n_items": whole.n_items}
            made |= {"n_missing": view.missing(), "interval": interval_entry(between, how, view.over())}
            yield _record(view, made, whole.reason, how, order)


def _record(view: View, made: Record, reason: str | None, how: Resampling | None, order: Order = None) -> Record:
    dropped = view.ratings.dropped
    marks: Record = {"stat": "confusion", "measure": made["measure"], "label": as_json(made["label"]), "order": order}
    marks |= {"raters": [as_json(one) for one in view.raters], "weights": made.get("weights")}
    marks |= {"category": as_json(made["category"])} if "category" in made else {}
    marks |= {"input": view.ratings.fingerprint(), "library": [library("numpy"), library("scipy")]}
    return {
        "stat": "confusion", **made, "reason": reason, "dropped": dict(sorted(dropped.items())),
        "signature": sign_result(marks, dropped, how, view.over()),
    }  # fmt: skip
