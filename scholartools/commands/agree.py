"""st-agree: how far raters agree."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from scholartools.commands._common import command

if TYPE_CHECKING:
    from scholartools.commands._stream import Stream
    from scholartools.metrics.agreement import Level


@command(
    "st-agree",
    arguments="[STAT]... [FILE]...",
    examples=[
        ("st-agree alpha --level ordinal ratings.jsonl", "Krippendorff's alpha of every label."),
        ("st-agree kappa agreement --item paper --rater judge ratings.jsonl", "Other key names, two statistics."),
    ],
)
@click.option(
    "--level",
    type=click.Choice(["nominal", "ordinal", "interval", "ratio"]),
    default="nominal",
    show_default=True,
    help="Of measurement, for alpha.",
)
@click.option("--order", metavar="A,B,...", help="The words of an ordinal scale, from low to high.")
@click.option("--item", metavar="KEY", default="item", show_default=True, help="Key of the item rated.")
@click.option("--rater", metavar="KEY", default="rater", show_default=True, help="Key of who rated it.")
@click.option(
    "--label", metavar="KEY", default="label", show_default=True, help="Key of what was rated; may be absent."
)
@click.option(
    "--value", metavar="KEY", default="value", show_default=True, help="Key of the rating; null is a missing rating."
)
def main(stream: Stream, level: Level, order: str | None, **keys: str) -> int:
    """Agreement of several raters, one result record per statistic and label.

    STAT is `alpha` (Krippendorff), `kappa` (Cohen, for each pair of raters) or `agreement` (share of pairs of ratings
    that are equal); all three with no STAT. Ratings come in long form, one a record:
    {"item": 1, "rater": "anna", "label": "specific", "value": 3}.
    """
    from scholartools.tasks import agree

    stats = stream.take_names(agree.STATS, "statistic") or list(agree.STATS)
    scale = order.split(",") if order else None
    ratings = agree.Ratings(agree.Keys(**keys), level, scale)
    return stream.fold(ratings.add, lambda failed: agree.results(ratings, stats, level, scale))
