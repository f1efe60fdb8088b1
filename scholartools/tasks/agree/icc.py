"""Intraclass correlations of each label as result records."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict

from scholartools.metrics.agreement.icc import intraclass_correlations
from scholartools.metrics.agreement.scales import place
from scholartools.records import Record
from scholartools.signature import library
from scholartools.tasks.agree.coefficients import label_groups
from scholartools.tasks.agree.ratings import Ratings, View
from scholartools.tasks.agree.results import sign_result


def icc_records(ratings: Ratings, confidence: float) -> Iterator[Record]:
    """Six records for each label, over the items that all of its raters rated; the others are counted.

    Args:
        ratings: numbers (taken at the interval level).
        confidence: of the F intervals.
    """
    for part, labels in label_groups(ratings, pooled=False):
        view = View(ratings, labels, tuple(ratings.raters(*labels)))
        units = view.units()
        whole = [[place(value, "interval") for value in unit] for unit in units if None not in unit]
        counts = {"n_items": len(whole), "n_raters": len(view.raters), "n_incomplete": len(units) - len(whole)}
        for found in intraclass_correlations(whole, confidence):
            entry = asdict(found)
            ends = {"low": entry.pop("low"), "high": entry.pop("high"), "method": "F", "confidence": confidence}
            marks = {"stat": "icc", "form": found.form, "label": part["label"], "confidence": confidence}
            marks |= {"input": ratings.fingerprint(), "library": [library("numpy"), library("scipy")]}
            yield {
                "stat": "icc", "form": entry.pop("form"), **part, "value": entry.pop("value"), **counts,
                "n_missing": view.missing(), **entry, "interval": {**ends, "reason": found.reason},
                "reason": found.reason if found.value is None else None,
                "dropped": dict(sorted(ratings.dropped.items())),
                "signature": sign_result(marks, ratings.dropped, None),
            }  # fmt: skip
