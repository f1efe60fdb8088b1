"""st-agree icc, concordance: agreement of several raters on numbers."""

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
        ("st-agree icc --table ratings.jsonl", "Compute the six forms of the intraclass correlation for each label."),
        (
            "st-agree icc --raters anna,ben,judge --item id --table wide.csv",
            "Compute intraclass correlations from a CSV table with one column of ratings per rater.",
        ),
    ],
)
@rating_options()
@confidence_option()
@cluster_option()
@TABLE
def icc(stream: Stream, table: bool, **options: Any) -> int:
    """Measure how much of the variance of ratings is between items: intraclass correlations with intervals.

    st-agree icc writes the six intraclass correlations of Shrout and Fleiss (1979) for each label. ICC(1,1) assumes
    that each item has different raters. ICC(2,1) assumes that the same raters, a random sample of all possible raters,
    rate all items. ICC(3,1) assumes that the same raters rate all items, and that no other raters are of interest.
    ICC(1,k), ICC(2,k) and ICC(3,k) measure the reliability of the mean of all k raters. The ratings must be numbers.
    Items that lack a rating by any rater are excluded and counted in `n_incomplete`. The interval by the F distribution
    assumes normally distributed ratings and independent items. For ratings with few levels, or with --cluster, use the
    jackknife interval, which assumes neither normality nor independent items.
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
        (
            "st-agree concordance --table ratings.jsonl",
            "Show Lin's coefficient, the bias and the limits of agreement of each pair of raters.",
        ),
        (
            "st-agree concordance --raters anna,judge --item id --cluster paper wide.csv",
            "Compare two raters, with several items per paper.",
        ),
    ],
)
@rating_options()
@bootstrap_options("--resamples")
@cluster_option()
@TABLE
def concordance(stream: Stream, table: bool, **options: Any) -> int:
    """Measure how closely two raters' numbers agree, by Lin's concordance correlation and Bland-Altman limits.

    st-agree concordance writes one result per label and pair of raters. The value of a result is Lin's coefficient,
    which is lower if one rater's numbers are shifted or more spread than the other's. `bias` is the mean difference,
    first rater minus second rater. `limits` are `bias` minus and plus 1.96 standard deviations of the differences. If
    the differences of two raters are normally distributed, 95% of the differences lie between the two `limits`. Lin's
    coefficient, the mean difference (`bias`) and the limits of agreement (`limits`) have confidence intervals.
    """
    from scholartools.tasks.agree.numbers import concordance_records
    from scholartools.tasks.agree.run import Run

    take_statistics(stream)
    ratings = number_source(options)
    run = Run(ratings, lambda: concordance_records(ratings, resampling_of(options)))
    return reduce_to_results(stream, run, table=table)
