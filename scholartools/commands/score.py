"""st-score: numbers from what a record holds."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

import click

from scholartools.commands._common import command

if TYPE_CHECKING:
    from scholartools.commands._stream import Stream

_AT_LEAST_100 = click.IntRange(min=100)
_SHARE = click.FloatRange(0, 1, min_open=True, max_open=True)


@command(
    "st-score",
    arguments="[METRIC]... [FILE]...",
    examples=[
        ("st-parse paper.pdf | st-facets | st-score --table", "The abstract's facets, and how the body supports them."),
        (
            "st-facets papers.jsonl | st-score facets --summary",
            "Per system: n, mean and interval of every ROUGE value.",
        ),
    ],
)
@click.option("--summary", is_flag=True, help="Write one record per system (n, mean, interval), not the records.")
@click.option("--table", is_flag=True, help="Like --summary, as a table for people.")
@click.option("--bootstrap", metavar="N", type=_AT_LEAST_100, default=1000, show_default=True, help="Samples.")
@click.option("--confidence", metavar="P", type=_SHARE, default=0.95, show_default=True, help="Of the intervals.")
@click.option("--seed", metavar="N", type=click.IntRange(min=0), default=0, show_default=True, help="Of the bootstrap.")
def main(stream: Stream, summary: bool, table: bool, bootstrap: int, confidence: float, seed: int) -> int:
    """Score what a record holds, and add `scores`, each with its signature.

    METRIC is `facets` (each of `summaries` against the abstract: ROUGE F1 overall and by facet) or `support` (the
    facets of the abstract against the body of the paper: ROUGE recall against the best passages, with their places).
    With no METRIC, whatever the record has the keys for.
    """
    from scholartools.tasks import score, summarize

    metrics = stream.take_names(score.METRICS, "metric")
    if not (summary or table):
        return stream.each(functools.partial(score.score, metrics=metrics))
    totals = summarize.Summary(samples=bootstrap, confidence=confidence, seed=seed)

    def finish(failed: int) -> list | str:
        summaries = list(totals.records(failed))
        return summarize.table(summaries) if table else summaries

    return stream.fold(totals.add, finish, functools.partial(score.score, metrics=metrics))
