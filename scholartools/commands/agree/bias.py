"""st-agree bias: properties of a text that raise a judge's score at a given human score."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

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
from scholartools.commands.shared.options import option
from scholartools.errors import UsageFault

if TYPE_CHECKING:
    from scholartools.pipeline.stream import Stream


@command(
    "st-agree bias",
    reads="rows",
    examples=[
        (
            "st-agree bias --x score --y human --of words --table scores.jsonl",
            "Measure how much one more word raises the judge's score.",
        ),
        (
            "st-agree bias --x normal --y human --of words --of own=true --method method --item item --each aspect "
            "--cluster paper long.jsonl",
            (
                "Measure how the length of a text, and a text by the judge's own model, change the judge's score, for "
                "each method and aspect."
            ),
        ),
    ],
)
@column_options("Record key that holds a judge's score; may be repeated.", "Record key that holds the human score.")
@option(
    "--of", metavar="KEY", multiple=True,
    help=(
        "Record key that holds a property of the text, such as its length. --of KEY=VALUE defines a property "
            "that is 1 if KEY has VALUE, and otherwise 0. --of may be repeated."
),
)  # fmt: skip
@long_options()
@bootstrap_options("--resamples")
@cluster_option()
@TABLE
def bias(stream: Stream, table: bool, **options: Any) -> int:
    """Measure which properties of a text raise a judge's score although people give the same score.

    Each record holds the score of one text by a judge (--x) and by people (--y), and a property of the text (--of),
    such as its length. st-agree bias writes one result per --x and --of: the slope of a least-squares regression of the
    judge's score on the property, with its interval. The regression of st-agree bias has an intercept for each value of
    the human score. A slope of 0 means no bias. If the property is 0 or 1, the slope is the mean difference between the
    judge's scores of texts with and without the property, at equal human scores.
    """
    from scholartools.tasks.agree.bias import bias_records
    from scholartools.tasks.agree.run import Run

    take_statistics(stream)
    x, y = options["x"], options["y"]
    if not x or len(y) != 1 or not options["of"]:
        raise UsageFault("bias needs --x, one --y (people's score) and --of")
    columns = column_source(options, x, options["of"])
    run = Run(columns, lambda: bias_records(columns, x, y[0], options["of"], resampling_of(options)))
    return reduce_to_results(stream, run, table=table)
