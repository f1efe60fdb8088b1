"""st-agree levels: a judge's scores as people's levels."""

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
            "How far a judge and people agree on levels, on papers that the thresholds do not know.",
        ),
        ("st-agree levels --summary --x score --y human --item item --table scores.jsonl", "Thresholds and errors."),
    ],
)
@column_options("Key of a judge's score.", "Key of people's score, whose values are the levels.")
@long_options()
@option(
    "--split", metavar="SHARE", type=click.FloatRange(0, 1, min_open=True, max_open=True), default=0.5,
    show_default=True, help="Share of the groups that thresholds are fitted on.",
)  # fmt: skip
@split_options()
@option("--summary", is_flag=True, help="Write thresholds and mean absolute errors instead of ratings.")
@TABLE
def levels(stream: Stream, table: bool, **options: Any) -> int:
    """Map a judge's scores to the levels that people use, by thresholds fitted to a part of them.

    Each record holds a judge's score (--x) of one item and people's (--y). The thresholds are those with the least
    mean absolute error on one part of the groups. Writes the levels of the other part as ratings, by the judge and
    by people, which `st-agree kappa` reads; or with --summary one record per method, with the thresholds and the
    mean absolute error on both parts.
    """
    from scholartools.tasks.agree.people import levels as found
    from scholartools.tasks.agree.run import Run

    columns, x, y = judge_and_people(stream, "levels", "people's score", options)
    if table and not options["summary"]:
        raise UsageFault("--table needs --summary")
    make = found.summary if options["summary"] else found.ratings
    run = Run(columns, lambda: make(columns, x, y, options["split"], options["seed"]))
    return reduce_to_results(stream, run, table=table)
