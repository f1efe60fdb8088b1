"""st-agree power: how often a test would find the difference between two systems."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scholartools.commands.agree.options import (
    OF_SYSTEMS,
    TABLE,
    cluster_option,
    number_source,
    rating_options,
    reduce_to_results,
    resampling_of,
    take_statistics,
)
from scholartools.commands.shared.bootstrap_options import bootstrap_options
from scholartools.commands.shared.command import command

if TYPE_CHECKING:
    from scholartools.pipeline.stream import Stream


@command(
    "st-agree power",
    reads="rows",
    examples=[
        ("st-agree power --rater system --value human scores.jsonl", "Power of human scores to tell systems apart."),
        ("st-agree power --rater system --value human --table scores.jsonl", "The same as a table."),
    ],
)
@rating_options(OF_SYSTEMS)
@bootstrap_options("--resamples", has_intervals=False)
@cluster_option()
@TABLE
def power(stream: Stream, table: bool, **options: Any) -> int:
    """Estimate the power of t-tests between systems.

    The power is the share of bootstrap resamples in which a t-test of two systems has p < 0.05: unpaired with equal
    variances as published, and paired beside it. There is one result per pair of systems, and their mean. The systems
    take the place of raters, and their values are numbers.
    """
    from scholartools.tasks.agree.run import Run
    from scholartools.tasks.agree.systems import powers

    take_statistics(stream)
    ratings = number_source(options)
    run = Run(ratings, lambda: powers(ratings, resampling_of(options)))
    return reduce_to_results(stream, run, table=table)
