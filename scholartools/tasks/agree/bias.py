"""Result records of a judge's bias: how its score changes with a property of the text at equal human scores."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict

from scholartools.metrics.statistics import slopes
from scholartools.metrics.statistics.resampling import Resampling
from scholartools.records import Record
from scholartools.signature import library
from scholartools.tasks.agree.columns import Columns, Table
from scholartools.tasks.agree.results import interval_entry, no_interval, sign_result


def bias_records(columns: Columns, x: Sequence[str], y: str, of: Sequence[str], how: Resampling) -> Iterator[Record]:
    """One record per part, score and property: the slope of the score on the property given the human score."""
    for part in columns.parts():
        for score in columns.expand(x):
            for path in of:
                yield _bias_record(part, score, y, path, how)


def _bias_record(part: Table, x: str, y: str, of: str, how: Resampling) -> Record:
    scores, given, truth = (part.column(path) for path in (x, of, y))
    found = slopes.slope_given_levels(scores, given, truth)
    between = no_interval(found.reason) or slopes.slope_interval(scores, given, truth, how, part.clusters())
    about: Record = {"stat": "bias", "x": x, "of": of, "y": y}
    parameters = {**about, **part.sign(), "library": library("numpy")}
    return {
        **about, **part.each_entry(), **asdict(found), "interval": interval_entry(between, how, part.over()),
        "dropped": dict(sorted(part.dropped.items())),
        "signature": sign_result(parameters, part.dropped, how, part.over()),
    }  # fmt: skip
