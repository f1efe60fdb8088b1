"""Repeated runs of one method: the coefficient of each, and how far items move between them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict

from scholartools.metrics.statistics import correlation, error_overlap, spread
from scholartools.metrics.statistics.correlation import MEASURES
from scholartools.records import Record
from scholartools.signature import library
from scholartools.tasks.agree.columns import Columns, Table
from scholartools.tasks.agree.results import sign_result


def run_records(columns: Columns, x: str, y: Sequence[str], n_bins: int) -> Iterator[Record]:
    """For each part one record per coefficient with each y, then how far the scores and the bins of items differ.

    The value of a coefficient is the median over runs. ``item-sd`` is the mean standard deviation of an item's scores,
    ``changed`` the share of items that are not in the same of ``n_bins`` percentile bins in all runs. ``n_missing``
    counts the items without a score in some run.
    """
    runs = columns.expand([x])
    for part in columns.parts():
        scores = [part.column(run) for run in runs]
        for truth in y:
            for measure in MEASURES:
                found = [correlation.correlation(column, part.column(truth), measure) for column in scores]
                of_runs = [{"run": run, **asdict(one)} for run, one in zip(runs, found, strict=True)]
                yield _run_record(part, x, {"measure": measure, "y": truth}, _spread_entry(of_runs))
        yield _run_record(part, x, {"measure": "item-sd"}, _deviation_record(scores))
        yield _run_record(part, x, {"measure": "changed", "bins": n_bins}, _change_record(scores, n_bins))


def item_records(columns: Columns, x: str, n_bins: int) -> Iterator[Record]:
    """One record per item of each part: the standard deviation of its scores, and its bin in each run.

    ``changed`` tells whether the bins differ; null where a run has no bin for the item, or there is one run alone.
    """
    runs = columns.expand([x])
    for part in columns.parts():
        scores = [part.column(run) for run in runs]
        bins = [error_overlap.percentile_bins(column, n_bins).places for column in scores]
        for place, row in enumerate(part.rows()):
            found = spread.spread([column[place] for column in scores])
            own = [places[place] for places in bins]
            entry: Record = {"item": row.item, "value": found.sd, "low": found.low, "high": found.high, "n": found.n}
            changed = None if None in own or len(own) < 2 else len({*own}) > 1
            entry |= {"in_bins": dict(zip(runs, own, strict=True)), "changed": changed}
            reason = None if found.sd is not None else "fewer than two runs with a score"
            yield _run_record(part, x, {"measure": "item", "bins": n_bins}, {**entry, "reason": reason})


def _spread_entry(runs: list[Record]) -> Record:
    found = spread.spread([run["value"] for run in runs])
    entry = {"value": found.median, "low": found.low, "high": found.high, "sd": found.sd, "n": found.n}
    return {**entry, "runs": runs, "reason": None if found.n else "no run has a coefficient"}


def _deviation_record(scores: list[list[float | None]]) -> Record:
    value, n = spread.mean_item_deviation(scores)
    return {"value": value.value, "n": n, **_count_missing(scores), "n_runs": len(scores), "reason": value.reason}


def _count_missing(scores: list[list[float | None]]) -> Record:
    """How many items lack a score in some run."""
    return {"n_missing": sum(None in of_item for of_item in zip(*scores, strict=True))}


def _change_record(scores: list[list[float | None]], n_bins: int) -> Record:
    bins = [error_overlap.percentile_bins(column, n_bins) for column in scores]
    reasons = [one.reason for one in bins if one.reason]
    value, n_changed, n = spread.share_of_changes([one.places for one in bins])
    reason = f"a run is not binned: {reasons[0]}" if reasons else value.reason
    counts = {"n_changed": n_changed, "n": n, **_count_missing(scores), "n_runs": len(scores)}
    return {"value": value.value, **counts, "reason": reason}


def _run_record(part: Table, x: str, about: Record, entry: Record) -> Record:
    parameters = {"stat": "runs", "x": x, "run": part.keys.method, **about, **part.sign()}
    parameters["library"] = [library("numpy"), library("scipy")]
    return {
        "stat": "runs", "x": x, **about, **part.each_entry(), **entry, "dropped": dict(sorted(part.dropped.items())),
        "signature": sign_result(parameters, part.dropped, None),
    }  # fmt: skip
