"""st-agree levels: map a judge's scores to the levels of the human ratings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from scholartools.commands.agree.options import (
    TABLE,
    column_options,
    judge_and_people,
    long_options,
    reduce_to_results,
    split_options,
)
from scholartools.commands.shared.command import command
from scholartools.commands.shared.options import option
from scholartools.errors import UsageFault

if TYPE_CHECKING:
    from scholartools.pipeline.stream import Stream


@command(
    "st-agree levels",
    reads="rows",
    examples=[
        (
            "st-agree levels --x score --y human --item item --group paper scores.jsonl | "
            "st-agree kappa --weights quadratic",
            (
                "Measure how far a judge and people agree on levels, on papers that were not used to fit the "
                "thresholds between levels."
            ),
        ),
        (
            "st-agree levels --summary --x score --y human --item item --table scores.jsonl",
            ("Show the thresholds between levels, and the mean absolute errors of the judge's levels."),
        ),
    ],
)
@column_options(
    "Record key that holds a judge's score.",
    ("Record key that holds the human score; the distinct human scores are the levels."),
)
@long_options()
@option(
    "--split", metavar="SHARE", type=click.FloatRange(0, 1, min_open=True, max_open=True), default=0.5,
    show_default=True, help=(
        "Share of the groups of items (such as papers) on which the thresholds between levels are fitted."
    ),
)  # fmt: skip
@split_options()
@option(
    "--summary",
    is_flag=True,
    help=("Write the thresholds between levels and the mean absolute errors, instead of ratings."),
)
@TABLE
def levels(stream: Stream, table: bool, **options: Any) -> int:
    """Map a judge's scores to the levels that people use, by fitted thresholds.

    Each record holds the score of one item by a judge (--x) and by people (--y). st-agree levels splits the groups of
    items into a training part and a test part. On the items of the training part, st-agree levels fits the thresholds
    between levels that minimise the mean absolute error. For the items of the test part, st-agree levels writes the
    levels of the judge and of people as ratings, which `st-agree kappa` reads. With --summary, st-agree levels writes
    one record per method, with the thresholds between levels and the mean absolute errors on the training part and the
    test part.
    """
    from scholartools.tasks.agree.people import levels as found
    from scholartools.tasks.agree.run import Run

    columns, x, y = judge_and_people(stream, "levels", "people's score", options)
    if table and not options["summary"]:
        raise UsageFault("--table needs --summary")
    make = found.summary if options["summary"] else found.ratings
    run = Run(columns, lambda: make(columns, x, y, options["split"], options["seed"]))
    return reduce_to_results(stream, run, table=table)
