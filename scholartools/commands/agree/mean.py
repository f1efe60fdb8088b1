"""st-agree mean: estimate the mean human score from few human scores and a judge's scores of all items."""

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
            "Estimate people's mean score from their scores of some texts and a judge's scores of all texts.",
        ),
        (
            "st-agree mean --x score --y human --method method --item item --each aspect --cluster paper long.jsonl",
            "Estimate people's mean score for each judge and aspect, and treat the texts of a paper as dependent.",
        ),
    ],
)
@column_options(
    "Record key that holds a judge's score.",
    ("Record key that holds the human score, which is null if people did not rate the item."),
)
@long_options()
@bootstrap_options("--resamples")
@cluster_option()
@TABLE
def mean(stream: Stream, table: bool, **options: Any) -> int:
    """Estimate people's mean score from few human scores and a judge's scores of all texts.

    Each record holds a judge's score (--x) of one text and the human score (--y), which is null if people did not rate
    the text. For each judge, st-agree mean gives the estimate by prediction-powered inference, and the weight of the
    judge's scores in the estimate. `without` is the mean of the human scores, without the judge's scores. Both means,
    with and without the judge's scores, have confidence intervals. If the texts that people rated are a random sample
    of all texts, the estimate of the mean is unbiased, even for a bad judge. If the judge agrees with people, the
    confidence interval of the estimate is shorter.
    """
    from scholartools.tasks.agree.people.means import mean_records
    from scholartools.tasks.agree.run import Run

    take_statistics(stream)
    x, y = options["x"], options["y"]
    if len(x) != 1 or len(y) != 1:
        raise UsageFault("mean needs one --x (a judge's score) and one --y (people's score)")
    columns = column_source(options, x)
    run = Run(columns, lambda: mean_records(columns, x[0], y[0], resampling_of(options)))
    return reduce_to_results(stream, run, table=table)
