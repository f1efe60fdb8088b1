"""st-agree icc: intraclass correlations of numbers that several raters gave."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scholartools.commands.agree.options import (
    TABLE,
    rating_options,
    rating_source,
    reduce_to_results,
    take_statistics,
)
from scholartools.commands.shared.bootstrap_options import confidence_option
from scholartools.commands.shared.command import command

if TYPE_CHECKING:
    from scholartools.pipeline.stream import Stream


@command(
    "st-agree icc",
    reads="rows",
    examples=[
        ("st-agree icc --table ratings.jsonl", "All six forms for each label."),
        ("st-agree icc --raters anna,ben,judge --item id --table wide.csv", "Ratings in columns, a rater each."),
    ],
)
@rating_options()
@confidence_option()
@TABLE
def icc(stream: Stream, table: bool, **options: Any) -> int:
    """Measure how much of the variance of ratings is of the items: intraclass correlations with F intervals.

    There are six results per label, the forms of Shrout and Fleiss (1979): ICC(1,1) where each item has raters of its
    own, ICC(2,1) where the same raters, drawn from many, rate all items, ICC(3,1) where these raters alone matter; and
    ICC(1,k), ICC(2,k), ICC(3,k) of the mean of all k raters. Ratings are numbers. Items that a rater did not rate are
    left out and counted (`n_incomplete`). Items are taken to be independent.
    """
    from scholartools.tasks.agree.coefficients import icc_records
    from scholartools.tasks.agree.ratings import Ratings
    from scholartools.tasks.agree.run import Run

    take_statistics(stream)
    keys, where = rating_source(options)
    ratings = Ratings(keys, "interval", None, where)
    return reduce_to_results(stream, Run(ratings, lambda: icc_records(ratings, options["confidence"])), table=table)
