"""st-agree runs: variation between repeated runs of a method."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from scholartools.commands.agree.options import (
    TABLE,
    column_options,
    column_source,
    long_options,
    reduce_to_results,
    take_statistics,
)
from scholartools.commands.shared.command import command
from scholartools.commands.shared.options import option
from scholartools.errors import UsageFault

if TYPE_CHECKING:
    from scholartools.pipeline.stream import Stream


@command(
    "st-agree runs",
    reads="rows",
    examples=[
        (
            "st-agree runs --run run --x score --y human --item item --table runs.jsonl",
            "Show the correlation coefficients of each run, and how much the scores of items vary over the runs.",
        ),
        (
            "st-agree runs --run run --x score --y human --item item --each aspect --method method runs.jsonl",
            "Compare the repeated runs of each method, separately for each aspect.",
        ),
    ],
)
@column_options(
    "Record key that holds the score of an item in a run.",
    (
        "Record key that holds the number with which the scores of each run are correlated, such as a human score. "
        "--y may be repeated."
    ),
    "--run, --method or --each",
)
@option("--run", metavar="KEY", help="Record key that holds the number or name of the run.")
@long_options()
@option(
    "--bins", metavar="N", type=click.IntRange(min=2), default=3, show_default=True,
    help="Number of bins, bounded by equally spaced percentiles, into which the scores of each run are divided.",
)  # fmt: skip
@option(
    "--items",
    is_flag=True,
    help="Write one record per item, with the range of its scores over the runs, and its percentile bin in each run.",
)
@TABLE
def runs(stream: Stream, table: bool, **options: Any) -> int:
    """Measure how far repeated runs of a method differ.

    Each record holds the score (--x) of one item in one run (--run), and the human score (--y). For each correlation
    coefficient, st-agree runs gives the coefficient of each run, and the median, minimum, maximum and standard
    deviation over runs. The result `item-sd` is the standard deviation of an item's scores over the runs, averaged over
    items. The result `changed` is the share of items whose percentile bin is not the same in all runs.
    """
    from scholartools.tasks.agree.repeated_runs import item_records, run_records
    from scholartools.tasks.agree.run import Run

    take_statistics(stream)
    if len(options["x"]) != 1 or not options["y"] or not options["run"] or not options["item"]:
        raise UsageFault("runs needs one --x, --y, --run and --item")
    options["each"], options["method"] = (*options["each"], *options["method"]), (options["run"],)
    x, y, n_bins = options["x"][0], options["y"], options["bins"]
    columns = column_source(options, options["x"])
    if options["items"]:
        run = Run(columns, lambda: item_records(columns, x, n_bins))
    else:
        run = Run(columns, lambda: run_records(columns, x, y, n_bins))
    return reduce_to_results(stream, run, table=table)
