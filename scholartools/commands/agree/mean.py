"""st-agree mean: people's mean score from few labels and a judge's scores of all."""

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
from scholartools.errors import UsageFault

if TYPE_CHECKING:
    from scholartools.pipeline.stream import Stream


@command(
    "st-agree mean",
    reads="rows",
    examples=[
        (
            "st-agree mean --x score --y human --table scores.jsonl",
            "People's mean, where they scored some of the texts and a judge all.",
        ),
        (
            "st-agree mean --x score --y human --method method --item item --each aspect --cluster paper long.jsonl",
            "The same for each judge and aspect, with the texts of a paper drawn together.",
        ),
    ],
)
@column_options("Key of a judge's score.", "Key of people's score; null where people did not rate.")
@long_options()
@bootstrap_options("--resamples")
@cluster_option()
@TABLE
def mean(stream: Stream, table: bool, **options: Any) -> int:
    """Estimate people's mean score from the few scores that they gave and a judge's scores of all.

    Each record holds a judge's score (--x) of one text and people's (--y), null where they gave none. There is one
    result per judge: the estimate by prediction-powered inference, the weight that the judge's scores have in it,
    and the mean of people's scores alone (`without`), both with intervals. However wrong the judge is,
    the estimate is right where the texts that people rated were drawn by chance; a judge that agrees with people
    makes the interval shorter.
    """
    from scholartools.tasks.agree.people.means import mean_records
    from scholartools.tasks.agree.run import Run

    take_statistics(stream)
    x, y = options["x"], options["y"]
    if len(x) != 1 or len(y) != 1:
        raise UsageFault("mean needs one --x, a judge's score, and one --y, people's score")
    columns = column_source(options, x)
    run = Run(columns, lambda: mean_records(columns, x[0], y[0], resampling_of(options)))
    return reduce_to_results(stream, run, table=table)
