"""st-agree alt-test, ceiling: whether a judge can replace a person, and how well a person agrees with the others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from scholartools.commands.agree.options import (
    TABLE,
    cluster_option,
    number_source,
    rating_options,
    rating_source,
    reduce_to_results,
    resampling_of,
    take_statistics,
)
from scholartools.commands.shared.bootstrap_options import adjust_option, bootstrap_options
from scholartools.commands.shared.command import command
from scholartools.commands.shared.options import needs, option

if TYPE_CHECKING:
    from scholartools.pipeline.stream import Stream

_SHARE = click.FloatRange(0, 1)


@command(
    "st-agree alt-test",
    reads="rows",
    examples=[
        (
            "st-agree alt-test --judge gpt --epsilon 0.15 --table ratings.jsonl",
            "Test whether the judge gpt can replace each of the people, with an allowance (epsilon) of 0.15.",
        ),
        (
            "st-agree alt-test --judge gpt --epsilon 0.2 --alignment rmse --cluster paper ratings.jsonl",
            "Test the judge gpt on numerical ratings, with several items per paper.",
        ),
    ],
)
@option(
    "--judge",
    metavar="RATER",
    multiple=True,
    required=True,
    help="Name of a rater that is a judge (such as a model) and not a person. --judge may be repeated.",
)
@option(
    "--epsilon", metavar="E", type=_SHARE, required=True,
    help=(
        "Share of items by which a judge may be worse than a person and still pass the alternative annotator "
        "test. The authors of the alternative annotator test advise an --epsilon of 0.2 for experts, 0.15 for "
        "trained raters, and 0.1 for crowd workers."
),
)  # fmt: skip
@option(
    "--alignment", type=click.Choice(["accuracy", "rmse"]), default="accuracy", show_default=True,
    help=(
        "Measure of how close a rating is to the other people's ratings: accuracy is the share of equal ratings,"
            " and rmse is the root mean squared difference."
),
)  # fmt: skip
@option(
    "--fdr",
    metavar="Q",
    type=_SHARE,
    default=0.05,
    show_default=True,
    help="False discovery rate Q of the tests of a judge against each person (Benjamini and Yekutieli).",
)
@option(
    "--min-items", metavar="N", type=click.IntRange(min=2), default=30, show_default=True,
    help=(
        "Minimum number of items (with --cluster, of clusters) that a person must have rated for a test of the "
        "judge against this person."
    ),
)  # fmt: skip
@rating_options()
@cluster_option()
@TABLE
def alt_test(stream: Stream, table: bool, **options: Any) -> int:
    """Test whether a judge can replace a human annotator: the alternative annotator test (Calderon et al. 2025).

    st-agree alt-test leaves out one person at a time. `value` is the share of items in which the judge is at least as
    close to the other people as the left-out person is. `of_rater` is the share of items in which the left-out person
    is at least as close to the other people as the judge is. The null hypothesis is that the judge is worse than the
    left-out person by --epsilon or more. `p_by` is the p value corrected by the method of Benjamini and Yekutieli. The
    last result of a judge has the winning rate: the share of people for whom the test shows that the judge is not worse
    by --epsilon or more. A judge passes the alternative annotator test if its winning rate is at least one half.
    """
    from scholartools.tasks.agree.alternative_annotator import Choices, alternative_records
    from scholartools.tasks.agree.ratings import Ratings
    from scholartools.tasks.agree.run import Run

    take_statistics(stream)
    keys, where = rating_source(options)
    choices = Choices(options["judge"], options["epsilon"], options["alignment"], options["fdr"], options["min_items"])
    ratings = Ratings(keys, "interval" if options["alignment"] == "rmse" else "nominal", None, where)
    return reduce_to_results(stream, Run(ratings, lambda: alternative_records(ratings, choices)), table=table)


@command(
    "st-agree ceiling",
    reads="rows",
    examples=[
        (
            "st-agree ceiling --judge gpt --table ratings.jsonl",
            "Compare each person, and the judge gpt, with the mean of the other people.",
        ),
        (
            "st-agree ceiling --measure spearman --cluster paper ratings.jsonl",
            "Compare each person with the mean of the others, with several items per paper.",
        ),
    ],
)
@option(
    "--judge",
    metavar="RATER",
    multiple=True,
    help="Name of a rater that is a judge (such as a model) and not a person. --judge may be repeated.",
)
@option(
    "--measure", type=click.Choice(["pearson", "spearman", "kendall"]), default="pearson", show_default=True,
    help="Name of the correlation coefficient to compute.",
)  # fmt: skip
@rating_options()
@adjust_option(needs("--judge"))
@bootstrap_options("--resamples")
@cluster_option()
@TABLE
def ceiling(stream: Stream, table: bool, **options: Any) -> int:
    """Measure the human ceiling: how well one person correlates with the mean of the others, and how well a judge does.

    st-agree ceiling leaves out one person at a time, and correlates this person's ratings with the mean ratings of the
    others. `value`, the human ceiling, is the mean of these correlations over people. `judge_value` is the mean
    correlation of the judge's ratings with the same means of people. `difference` is `judge_value` minus the human
    ceiling, with a paired confidence interval and a p value. The ratings must be numbers.
    """
    from scholartools.tasks.agree.numbers import Choices, ceiling_records
    from scholartools.tasks.agree.run import Run

    take_statistics(stream)
    ratings = number_source(options)
    choices = Choices(options["judge"], options["measure"], resampling_of(options), options["adjust"])
    return reduce_to_results(stream, Run(ratings, lambda: ceiling_records(ratings, choices)), table=table)
