"""st-agree conformal: prediction intervals of the human score given a judge's score."""

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

if TYPE_CHECKING:
    from scholartools.pipeline.stream import Stream


@command(
    "st-agree conformal",
    reads="rows",
    examples=[
        (
            "st-agree conformal --x score --y human --item item --group paper --table scores.jsonl",
            (
                "Measure how often the prediction intervals contain the human score, on papers that were not used "
                "for the fit."
            ),
        ),
        (
            "st-agree conformal --intervals --x score --y human --item item --group paper scores.jsonl",
            "Write the prediction interval of each item that people did not rate.",
        ),
    ],
)
@column_options(
    "Record key that holds a judge's score.",
    ("Record key that holds the human score, which is null if people did not rate the item."),
)
@long_options()
@option(
    "--confidence", metavar="P", type=click.FloatRange(0, 1, min_open=True, max_open=True), default=0.9,
    show_default=True, help=(
        "Confidence level: the minimum share of items whose prediction interval contains the human score."
    ),
)  # fmt: skip
@split_options()
@option("--intervals", is_flag=True, help="Write the prediction interval of each item that people did not rate.")
@TABLE
def conformal(stream: Stream, table: bool, **options: Any) -> int:
    """Predict an interval for the score that people give from a judge's score, by split conformal prediction.

    Each record holds a judge's score (--x) of one item, and the human score (--y) if people rated the item. st-agree
    conformal splits the groups of items into three parts: it fits a regression line on the first part, sets the width
    of the prediction intervals on the second part, and measures the coverage of the prediction intervals on the third
    part. st-agree conformal also compares the prediction intervals with intervals that use no judge. The coverage of
    the prediction intervals is guaranteed for items of new groups (papers) from the same source.
    """
    from scholartools.tasks.agree.people import conformal as found
    from scholartools.tasks.agree.run import Run

    asked = found.Asked(options["confidence"], options["seed"])
    columns, x, y = judge_and_people(stream, "conformal", "people's score", options)
    make = found.intervals if options["intervals"] else found.summary
    run = Run(columns, lambda: make(columns, x, y, asked))
    return reduce_to_results(stream, run, table=table)
