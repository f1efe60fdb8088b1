"""st-agree icc, concordance: agreement on numbers that several raters gave."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scholartools.commands.agree.options import (
    TABLE,
    cluster_option,
    number_source,
    rating_options,
    reduce_to_results,
    resampling_of,
    take_statistics,
)
from scholartools.commands.shared.bootstrap_options import bootstrap_options, confidence_option
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
@cluster_option()
@TABLE
def icc(stream: Stream, table: bool, **options: Any) -> int:
    """Measure how much of the variance of ratings is of the items: intraclass correlations with intervals.

    There are six results per label, the forms of Shrout and Fleiss (1979): ICC(1,1) where each item has raters of its
    own, ICC(2,1) where the same raters, drawn from many, rate all items, ICC(3,1) where these raters alone matter; and
    ICC(1,k), ICC(2,k), ICC(3,k) of the mean of all k raters. Ratings are numbers. Items that a rater did not rate are
    left out and counted (`n_incomplete`). F takes ratings to be normal and items to be independent; the interval of a
    jackknife beside it does neither, and is the one to read of ratings of few levels, or with --cluster.
    """
    from scholartools.metrics.statistics.resampling import Resampling
    from scholartools.tasks.agree.coefficients import icc_records
    from scholartools.tasks.agree.run import Run

    take_statistics(stream)
    ratings, how = number_source(options), Resampling(confidence=options["confidence"])
    return reduce_to_results(stream, Run(ratings, lambda: icc_records(ratings, how)), table=table)


@command(
    "st-agree concordance",
    reads="rows",
    examples=[
        ("st-agree concordance --table ratings.jsonl", "Each pair of raters: Lin's coefficient, bias and limits."),
        ("st-agree concordance --raters anna,judge --item id --cluster paper wide.csv", "Several items of a paper."),
    ],
)
@rating_options()
@bootstrap_options("--resamples")
@cluster_option()
@TABLE
def concordance(stream: Stream, table: bool, **options: Any) -> int:
    """Measure how far two raters' numbers are equal: Lin's concordance correlation, Bland and Altman's limits.

    There is one result per label and pair of raters. Its value is Lin's coefficient, which a shift or another spread
    lowers; `bias` is the mean difference, first - second, and `limits` are bias less and plus 1.96 standard deviations
    of the differences: 95% of differences lie between them where these are normal. All have intervals.
    """
    from scholartools.tasks.agree.numbers import concordance_records
    from scholartools.tasks.agree.run import Run

    take_statistics(stream)
    ratings = number_source(options)
    run = Run(ratings, lambda: concordance_records(ratings, resampling_of(options)))
    return reduce_to_results(stream, run, table=table)
