"""Result records of the mean human score, from few human scores and a judge's scores of all items."""

from __future__ import annotations

from collections.abc import Iterator

from scholartools.metrics.statistics import prediction_powered
from scholartools.metrics.statistics.resampling import Resampling
from scholartools.records import Record
from scholartools.signature import library
from scholartools.tasks.agree.columns import Columns, Table
from scholartools.tasks.agree.results import interval_entry, sign_result


def mean_records(columns: Columns, x: str, y: str, how: Resampling) -> Iterator[Record]:
    """One record per part and method: the estimate, and under ``without`` the mean of the human scores alone."""
    for part in columns.parts():
        for method in columns.expand([x]):
            yield _mean_record(part, method, y, how)


def _mean_record(part: Table, x: str, y: str, how: Resampling) -> Record:
    scores, truth = part.column(x), part.column(y)
    found = prediction_powered.estimate_mean(scores, truth)
    about: Record = {"stat": "mean", "x": x, "y": y}
    entry: Record = {"value": found.value, "weight": found.weight, "interval": None}
    alone: Record = {"value": found.mean, "interval": None}
    if found.weight is not None:
        both = prediction_powered.mean_intervals(scores, truth, found.weight, how, part.clusters())
        entry["interval"], alone["interval"] = (interval_entry(one, how, part.over()) for one in both)
    counts = {"n": found.n, "n_judged": found.n_judged, "n_missing": found.n_missing}
    parameters = {**about, **part.sign(), "library": library("numpy")}
    return {
        **about, **part.each_entry(), **entry, **counts, "without": alone, "reason": found.reason,
        "dropped": dict(sorted(part.dropped.items())),
        "signature": sign_result(parameters, part.dropped, how, part.over()),
    }  # fmt: skip
