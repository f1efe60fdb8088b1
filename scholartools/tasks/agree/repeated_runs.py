"""Repeated runs of one method: the correlation of each run, and the variation of the items' scores between runs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict

from scholartools.metrics.statistics import correlation, error_overlap, spread
from scholartools.metrics.statistics.correlation import MEASURES
from scholartools.paths import as_json
from scholartools.records import Record
from scholartools.signature import library
from scholartools.tasks.agree.columns import Columns, Table
from scholartools.tasks.agree.results import sign_result

# The scores of one run, by item; None if missing.
Scores = list[float | None]


def run_records(columns: Columns, x: str, y: Sequence[str], n_bins: int) -> Iterator[Record]:
    """For each part one record per coefficient with each y, then the variation of the items' scores and bins.

    The value of a coefficient is the median over runs. ``item-sd`` is the mean over items of the standard deviation of
    their scores, ``changed`` the share of items that are not in the same of ``n_bins`` percentile bins in all runs.
    ``n_missing`` counts the items without a score in some run. Runs without any score in a part are left out there and
    listed under ``runs_without_scores``.
    """
    for part in columns.parts():
        runs, without = _scores_by_run(columns, part, x)
        for truth in y:
            for measure in MEASURES:
                of_runs = [
                    {"run": run, **asdict(correlation.correlation(scores, part.column(truth), measure))}
                    for run, scores in runs.items()
                ]
                yield _run_record(part, x, {"measure": measure, "y": truth}, _spread_entry(of_runs) | without)
        yield _run_record(part, x, {"measure": "item-sd"}, _deviation_record([*runs.values()]) | without)
        yield _run_record(part, x, {"measure": "changed", "bins": n_bins}, _change_record(runs, n_bins) | without)


def item_records(columns: Columns, x: str, n_bins: int) -> Iterator[Record]:
    """One record per item of each part: the standard deviation of its scores, and its bin in each run.

    ``changed`` tells whether the bins differ; null if the item has no bin in some run, or there are fewer than two
    runs.
    """
    for part in columns.parts():
        runs, _ = _scores_by_run(columns, part, x)
        bins = [error_overlap.percentile_bins(scores, n_bins).places for scores in runs.values()]
        for place, row in enumerate(part.rows()):
            found = spread.spread([scores[place] for scores in runs.values()])
            own = [places[place] for places in bins]
            entry: Record = {"item": row.item, "value": found.sd, "low": found.low, "high": found.high, "n": found.n}
            changed = None if None in own or len(own) < 2 else len({*own}) > 1
            entry |= {"in_bins": dict(zip(runs, own, strict=True)), "changed": changed}
            reason = None if found.sd is not None else "fewer than two runs with a score"
            yield _run_record(part, x, {"measure": "item", "bins": n_bins}, {**entry, "reason": reason})


def _scores_by_run(columns: Columns, part: Table, x: str) -> tuple[dict[str, Scores], Record]:
    """The scores by run and item of the runs with scores in a part, and an entry that lists the other runs."""
    scores = {run: part.column(run) for run in columns.expand([x])}
    without = [run for run, of_run in scores.items() if of_run.count(None) == len(of_run)]
    known = {run: of_run for run, of_run in scores.items() if run not in without}
    return known, {"runs_without_scores": without} if without else {}


def _spread_entry(runs: list[Record]) -> Record:
    found = spread.spread([run["value"] for run in runs])
    entry = {"value": found.median, "low": found.low, "high": found.high, "sd": found.sd, "n": found.n}
    return {**entry, "runs": runs, "reason": None if found.n else "no run has a coefficient"}


def _deviation_record(scores: list[Scores]) -> Record:
    value, n = spread.mean_item_deviation(scores)
    return {"value": value.value, "n": n, **_count_missing(scores), "n_runs": len(scores), "reason": value.reason}


def _count_missing(scores: list[Scores]) -> Record:
    """The number of items without a score in some run."""
    return {"n_missing": sum(None in of_item for of_item in zip(*scores, strict=True))}


def _change_record(runs: dict[str, Scores], n_bins: int) -> Record:
    bins = {run: error_overlap.percentile_bins(scores, n_bins) for run, scores in runs.items()}
    reasons = [f"run {run} is not binned: {one.reason}" for run, one in bins.items() if one.reason]
    value, n_changed, n = spread.share_of_changes([one.places for one in bins.values()])
    counts = {"n_changed": n_changed, "n": n, **_count_missing([*runs.values()]), "n_runs": len(runs)}
    return {"value": value.value, **counts, "reason": reasons[0] if reasons and len(runs) > 1 else value.reason}


def _run_record(part: Table, x: str, about: Record, entry: Record) -> Record:
    parameters = {"stat": "runs", "x": x, "run": part.keys.method, **about, **part.sign()}
    parameters["library"] = [library("numpy"), library("scipy")]
    if "item" in entry:
        parameters["item"] = as_json(entry["item"])
    return {
        "stat": "runs", "x": x, **about, **part.each_entry(), **entry, "dropped": dict(sorted(part.dropped.items())),
        "signature": sign_result(parameters, part.dropped, None),
    }  # fmt: skip
