"""st-agree report, confusion: statistics on the ratings of each label, and confusion matrices."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from scholartools.commands.agree.options import (
    TABLE,
    cluster_option,
    parse_levels,
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

_LEVELS = click.Choice(["nominal", "ordinal", "interval", "ratio"])


@command(
    "st-agree report",
    reads="rows",
    examples=[
        (
            "st-agree report --level ordinal --table ratings.jsonl",
            "Print the report on all labels as text.",
        ),
        (
            "st-agree report --level-of agreement=ordinal --without gpt --cluster paper --table ratings.jsonl",
            (
                "Show how the rater gpt changes alpha, and the smallest change of alpha that a study with as many "
                "papers detects."
            ),
        ),
    ],
)
@option(
    "--level",
    type=_LEVELS,
    default="nominal",
    show_default=True,
    help="Level of measurement of the ratings, for Krippendorff's alpha.",
)
@option(
    "--level-of", metavar="LABEL=LEVEL", multiple=True,
    help=(
        "Level of measurement of the ratings of LABEL, for Krippendorff's alpha, instead of --level. May be "
        "repeated."
    ),
)  # fmt: skip
@option("--order", metavar="A,B,...", help="Values of an ordinal rating scale, from the lowest to the highest.")
@rating_options()
@option(
    "--without",
    metavar="RATER",
    multiple=True,
    help="Show how alpha changes if the ratings by RATER are excluded. --without may be repeated.",
)
@adjust_option(needs("--without"))
@bootstrap_options("--resamples")
@cluster_option()
@TABLE
def report(stream: Stream, table: bool, **options: Any) -> int:
    """Report on each label: alpha and kappa, how often each value is given, and who disagrees with whom.

    st-agree report writes one result per label. The value of a result is Krippendorff's alpha, with an interval.
    `prevalence` is the share of each value. `pairs` has each pair of raters, sorted by disagreement. `swaps` has the
    pairs of values that are most often confused. `changes` shows how alpha changes without each RATER of --without,
    with a paired interval. `least_detectable` is the smallest change of alpha that a study of this size detects with a
    power of 80% at p < .05. `least_detectable` is 2.8 standard errors, computed from the interval, or more (by the t
    distribution) if there are few papers or items.
    """
    from scholartools.tasks.agree.coefficients import Choices
    from scholartools.tasks.agree.label_report import report_records
    from scholartools.tasks.agree.ratings import Ratings
    from scholartools.tasks.agree.run import Run

    take_statistics(stream)
    keys, where = rating_source(options)
    order = options["order"].split(",") if options["order"] else None
    choices = Choices(
        options["level"], order, None, resampling_of(options), without=options["without"],
        levels=parse_levels(options["level_of"]), adjust=options["adjust"],
    )  # fmt: skip
    ratings = Ratings(keys, choices.level, choices.order, where)
    return reduce_to_results(stream, Run(ratings, lambda: report_records(ratings, choices)), table=table)


@command(
    "st-agree confusion",
    reads="rows",
    examples=[
        (
            "st-agree confusion --table ratings.jsonl",
            "Show which values raters confuse, and how far they agree on each value.",
        ),
        (
            "st-agree confusion --weights quadratic --cluster paper ratings.jsonl",
            "Add the percentage agreement weighted by squared distance, with confidence intervals over papers.",
        ),
    ],
)
@option(
    "--weights", type=click.Choice(["linear", "quadratic"]),
    help=(
        "Add the weighted percentage agreement, in which a small disagreement counts as partial agreement."
    ),
)  # fmt: skip
@option(
    "--order",
    metavar="A,B,...",
    conditions=needs("--weights"),
    help="Values of an ordinal rating scale, from the lowest to the highest.",
)
@rating_options()
@bootstrap_options("--resamples")
@cluster_option()
@TABLE
def confusion(stream: Stream, table: bool, **options: Any) -> int:
    """Show which values raters confuse, and how far they agree on each value.

    For each label and pair of raters, st-agree confusion writes a confusion table (`counts`). The rows of the confusion
    table are the first rater's values, and the columns are the second rater's values, in the order of the key `values`.
    st-agree confusion also writes the specific agreement of all raters on each value: the probability that another
    rating of an item has the value, given that one rating has it. --weights adds the weighted percentage agreement of
    numbers, or of words in --order.
    """
    from scholartools.tasks.agree.confusion import confusion_records
    from scholartools.tasks.agree.ratings import Ratings
    from scholartools.tasks.agree.run import Run

    take_statistics(stream)
    keys, where = rating_source(options)
    order = options["order"].split(",") if options["order"] else None
    ratings = Ratings(keys, "ordinal" if options["weights"] else "nominal", order, where)
    how = resampling_of(options)
    run = Run(ratings, lambda: confusion_records(ratings, how, options["weights"], order))
    return reduce_to_results(stream, run, table=table)
