"""st-agree pairwise: how measures rank pairs of texts that people scored."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from scholartools.commands.agree.options import (
    TABLE,
    cluster_option,
    column_options,
    column_source,
    long_options,
    reduce_to_results,
    take_statistics,
)
from scholartools.commands.shared.bootstrap_options import confidence_option
from scholartools.commands.shared.command import command
from scholartools.commands.shared.options import option
from scholartools.errors import UsageFault

if TYPE_CHECKING:
    from scholartools.pipeline.stream import Stream


@command(
    "st-agree pairwise",
    reads="rows",
    examples=[
        (
            "st-agree pairwise --x judge --y human --by system --item item --table scores.jsonl",
            "Of each two systems' texts for one item: which is better?",
        ),
        (
            "st-agree pairwise --x judge --y human --by system --item item --grouping none --fit-ties scores.jsonl",
            "Of all pairs of texts, with the threshold of ties that suits the measure best.",
        ),
    ],
)
@column_options("Key of a measure; may be repeated.", "Key of people's score; may be repeated.")
@option("--by", metavar="KEY", help="Key of the system that the text is by.")
@option(
    "--grouping", type=click.Choice(["item", "system", "none"]), default="item", show_default=True,
    help="Which pairs count: of texts for one item, of one system, or all; the mean is over items, or systems.",
)  # fmt: skip
@option("--fit-ties", is_flag=True, help="Take small differences of the measure for ties, as many as suit it best.")
@long_options()
@confidence_option()
@cluster_option()
@TABLE
def pairwise(stream: Stream, table: bool, **options: Any) -> int:
    """Measure how often a measure ranks two texts as people do: pairwise accuracy and variants of Kendall's tau.

    Each record holds the numbers of one text, with its --item and its system (--by). There is a result per measure and
    coefficient: accuracy (a tie is right where people's is one, too), tau-b, tau-c, tau-10, tau-13, tau-14 and tau-23,
    as they are named in Deutsch et al. (2023). Intervals leave out one item, or --cluster, after the other.
    """
    from scholartools.metrics.statistics.resampling import Resampling
    from scholartools.tasks.agree.pairwise import pairwise_records
    from scholartools.tasks.agree.run import Run

    take_statistics(stream)
    x, y, grouping = options["x"], options["y"], options["grouping"]
    if not x or not y or not options["item"] or not options["by"]:
        raise UsageFault("pairwise needs --x, --y, --item and --by")
    columns = column_source(options, x)
    how = Resampling(confidence=options["confidence"])
    run = Run(columns, lambda: pairwise_records(columns, x, y, grouping, how, fits_ties=options["fit_ties"]))
    return reduce_to_results(stream, run, table=table)
