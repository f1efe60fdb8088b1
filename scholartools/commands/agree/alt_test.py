"""st-agree alt-test: can a judge stand in for a person?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from scholartools.commands.agree.options import (
    TABLE,
    cluster_option,
    rating_options,
    rating_source,
    reduce_to_results,
    take_statistics,
)
from scholartools.commands.shared.command import command
from scholartools.commands.shared.options import option

if TYPE_CHECKING:
    from scholartools.pipeline.stream import Stream

_SHARE = click.FloatRange(0, 1)


@command(
    "st-agree alt-test",
    reads="rows",
    examples=[
        ("st-agree alt-test --judge gpt --epsilon 0.15 --table ratings.jsonl", "One judge beside each of the people."),
        (
            "st-agree alt-test --judge gpt --epsilon 0.2 --alignment rmse --cluster paper ratings.jsonl",
            "Ratings that are numbers, several of one paper.",
        ),
    ],
)
@option("--judge", metavar="RATER", multiple=True, required=True, help="A rater that is a judge; may be repeated.")
@option(
    "--epsilon", metavar="E", type=_SHARE, required=True,
    help="Share of items that a judge may be behind a person: 0.2 for experts, 0.15 for trained raters, 0.1 for the "
    "crowd, as the method's authors advise.",
)  # fmt: skip
@option(
    "--alignment", type=click.Choice(["accuracy", "rmse"]), default="accuracy", show_default=True,
    help="How near a rating is to those of the others: the share that is equal, or the root mean squared distance.",
)  # fmt: skip
@option("--fdr", metavar="Q", type=_SHARE, default=0.05, show_default=True, help="False discovery rate over people.")
@option(
    "--min-items", metavar="N", type=click.IntRange(min=2), default=30, show_default=True,
    help="Minimum number of items (with --cluster, clusters) for a test.",
)  # fmt: skip
@rating_options()
@cluster_option()
@TABLE
def alt_test(stream: Stream, table: bool, **options: Any) -> int:
    """Test whether a judge can stand in for a person: the alternative annotator test (Calderon et al. 2025).

    Each person is left out in turn. `value` is the share of items in which the judge is at least as near to the other
    people as this person is, `of_rater` the share for the person; p is of the hypothesis that the judge is behind by
    --epsilon or more, also corrected by Benjamini and Yekutieli (`p_by`). The last record of a judge has the winning
    rate: the share of people for whom the hypothesis is rejected. The judge passes from one half on.
    """
    from scholartools.tasks.agree.alternative_annotator import Choices, alternative_records
    from scholartools.tasks.agree.ratings import Ratings
    from scholartools.tasks.agree.run import Run

    take_statistics(stream)
    keys, where = rating_source(options)
    choices = Choices(options["judge"], options["epsilon"], options["alignment"], options["fdr"], options["min_items"])
    ratings = Ratings(keys, "interval" if options["alignment"] == "rmse" else "nominal", None, where)
    return reduce_to_results(stream, Run(ratings, lambda: alternative_records(ratings, choices)), table=table)
