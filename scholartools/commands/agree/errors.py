"""st-agree errors: whether methods err on the same records."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from scholartools.commands.agree.options import (
    TABLE,
    cluster_option,
    column_options,
    column_source,
    long_options,
    reduce_to_results,
    resampling_of,
    take_statistics,
)
from scholartools.commands.shared.bootstrap_options import bootstrap_options
from scholartools.commands.shared.command import command
from scholartools.commands.shared.options import excludes, needs, option
from scholartools.errors import UsageFault

if TYPE_CHECKING:
    from scholartools.pipeline.stream import Stream


class BinCount(click.ParamType):
    """Number of bins (at least 2), or "truth" for one bin per distinct human score."""

    name = "bins"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int | str:
        if value == "truth" or isinstance(value, int):
            return value
        if not (value.isascii() and value.isdigit() and int(value) > 1):
            raise UsageFault(f'expected 2 or more, or "truth"; not "{value}"', parameter=param.name if param else None)
        return int(value)


_SIGNED = needs("--signed")


@command(
    "st-agree errors",
    reads="rows",
    examples=[
        (
            "st-agree errors --x rouge --x judge --y human --table scores.jsonl",
            "Show whether two methods err on the same records.",
        ),
        (
            "st-agree errors --x score --y human --method method --item item --each aspect --bins truth long.jsonl",
            "Count errors for each aspect, with one bin for each level that people used.",
        ),
        (
            "st-agree errors --signed --x judge --x-range 1 5 --y human --y-range 0 2 scores.jsonl",
            "Measure whether the judge rates higher than people.",
        ),
    ],
)
@column_options(
    "Record key that holds the score by a method. --x may be repeated.",
    "Record key that holds the human score, which counts as true.",
)
@long_options()
@option(
    "--bins", metavar="N|truth", type=BinCount(), default=3, show_default=True, conditions=excludes("--signed"),
    help=(
        "Number of bins, bounded by equally spaced percentiles, into which the scores are divided. With --bins "
        "truth, there are as many bins as distinct human scores."
    ),
)  # fmt: skip
@option(
    "--items", is_flag=True, conditions=(needs("--item"), excludes("--signed")),
    help=(
        "Write one record per item, with the names of the methods whose score is in another bin than the human score."
    ),
)  # fmt: skip
@option(
    "--keep", metavar="KEY", multiple=True, conditions=needs("--items"),
    help=(
        "With --items, add the value at KEY (such as the year) to the record of each item. --keep may be repeated."
    ),
)  # fmt: skip
@option(
    "--signed",
    is_flag=True,
    help="Write the mean difference between each method's scores and the human scores, both rescaled to 0..1.",
)
@option(
    "--x-range", metavar="LOW HIGH", type=float, nargs=2, default=(0.0, 1.0), show_default=True, conditions=_SIGNED,
    help="Lowest and highest possible score by a method.",
)  # fmt: skip
@option(
    "--y-range", metavar="LOW HIGH", type=float, nargs=2, default=(0.0, 1.0), show_default=True,
    conditions=(_SIGNED, excludes("--each")), help="Lowest and highest possible human score.",
)  # fmt: skip
@bootstrap_options("--resamples", conditions=_SIGNED)
@cluster_option(_SIGNED)
@TABLE
def errors(stream: Stream, table: bool, **options: Any) -> int:
    """Measure how often methods err, and whether they err on the same items.

    Each record holds the scores of one item by methods (--x) and by people (--y). With --method, each record holds the
    score by one method. st-agree errors divides the scores into bins, bounded by equally spaced percentiles. A method
    makes an error if its score and the human score are in different bins. st-agree errors writes one result per method,
    with its share of errors, and one result per pair of methods, with the Jaccard index of their errors. If all scores
    of a method are equal, they cannot be divided into bins. The human scores need at least as many distinct values as
    there are bins. docs/correlate.md says how the bins are made.
    """
    from scholartools.tasks.agree import error_overlap
    from scholartools.tasks.agree.run import Run

    take_statistics(stream)
    x, y = options["x"], options["y"]
    if len(y) != 1 or not x:
        raise UsageFault("errors needs --x (the methods) and one --y (the true score)")
    columns, bins = column_source(options, x), options["bins"]
    if options["signed"]:
        ranges = error_overlap.Ranges(options["x_range"], options["y_range"])
        run = Run(columns, lambda: error_overlap.signed_records(columns, x, y[0], ranges, resampling_of(options)))
    else:
        n_bins = error_overlap.AS_TRUTH if bins == "truth" else bins
        make = error_overlap.item_records if options["items"] else error_overlap.error_records
        run = Run(columns, lambda: make(columns, x, y[0], n_bins))
    return reduce_to_results(stream, run, table=table)
