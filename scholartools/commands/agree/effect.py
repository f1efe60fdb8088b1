"""st-agree effect, power: effect sizes and tests of differences between systems, and the power of such tests."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

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
from scholartools.commands.shared.bootstrap_options import adjust_option, bootstrap_options
from scholartools.commands.shared.command import command
from scholartools.commands.shared.options import option

if TYPE_CHECKING:
    from scholartools.pipeline.stream import Stream


@command(
    "st-agree effect",
    reads="rows",
    examples=[
        ("st-agree effect --rater system --value human scores.jsonl", "Compare every pair of systems by human scores."),
        (
            "st-agree effect --rater system --cluster paper --table scores.jsonl",
            "Compare systems, and treat the items of a paper as dependent.",
        ),
    ],
)
@option(
    "--ddof", type=click.IntRange(0, 1), default=0, show_default=True, metavar="N",
    help=(
        "Delta degrees of freedom of the variances in Cohen's d. With --ddof 0, these variances have the divisor "
        "n, and with --ddof 1, the divisor n - 1."
    ),
)  # fmt: skip
@rating_options(OF_SYSTEMS)
@adjust_option()
@bootstrap_options("--resamples")
@cluster_option()
@TABLE
def effect(stream: Stream, table: bool, **options: Any) -> int:
    """Compare each pair of systems by Cohen's d and paired tests.

    The option --rater names the record key of the system, and --value names the record key of the score. For each pair
    of systems, st-agree effect gives Cohen's d, the mean difference with its interval, and two p values: one from the
    jackknife (or bootstrap), and one from the paired t-test. st-agree effect also corrects the p values for all pairs
    of systems and all labels, by Holm's method or the method that --adjust names.
    """
    from scholartools.tasks.agree.run import Run
    from scholartools.tasks.agree.systems import effects

    take_statistics(stream)
    ratings = number_source(options)
    run = Run(ratings, lambda: effects(ratings, resampling_of(options), options["ddof"], options["adjust"]))
    return reduce_to_results(stream, run, table=table)


@command(
    "st-agree power",
    reads="rows",
    examples=[
        (
            "st-agree power --rater system --value human scores.jsonl",
            "Estimate how often a t-test of human scores detects the difference between two systems.",
        ),
        (
            "st-agree power --rater system --value human --table scores.jsonl",
            "Show the power of the t-test of each pair of systems as a table.",
        ),
    ],
)
@rating_options(OF_SYSTEMS)
@bootstrap_options("--resamples", has_intervals=False)
@cluster_option()
@TABLE
def power(stream: Stream, table: bool, **options: Any) -> int:
    """Estimate the power of t-tests between systems.

    The power is the share of bootstrap resamples in which a t-test of two systems has p < 0.05. st-agree power computes
    the unpaired t-test with equal variances (as the published study of facets does) and the paired t-test. st-agree
    power writes one result per pair of systems, and the mean power over all pairs. The option --rater names the record
    key of the system, and --value names the record key of the score.
    """
    from scholartools.tasks.agree.run import Run
    from scholartools.tasks.agree.systems import powers

    take_statistics(stream)
    ratings = number_source(options)
    run = Run(ratings, lambda: powers(ratings, resampling_of(options)))
    return reduce_to_results(stream, run, table=table)
