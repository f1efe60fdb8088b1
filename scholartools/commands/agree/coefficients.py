"""st-agree alpha, kappa, agreement, fleiss, perfect, gwet: coefficients of agreement of the same ratings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from scholartools.commands.agree.options import (
    TABLE,
    interval_options,
    interval_resampling,
    parse_levels,
    rating_options,
    rating_source,
    reduce_to_results,
    selection_options,
    take_statistics,
)
from scholartools.commands.shared.bootstrap_options import adjust_option
from scholartools.commands.shared.command import command
from scholartools.commands.shared.options import Condition, excludes, needs, needs_any, option
from scholartools.vocabulary import COEFFICIENTS

if TYPE_CHECKING:
    from scholartools.pipeline.stream import Stream

_LEVELS = click.Choice(["nominal", "ordinal", "interval", "ratio", "masi", "jaccard"])
_DEFAULT = {"alpha", "kappa", "agreement"}


def _used_by(*stats: str) -> Condition:
    """Condition that at least one of ``stats`` is computed."""

    def list_coefficients(options: Mapping[str, Any]) -> list[str]:
        return [name for name in options["files"] if name in COEFFICIENTS]

    return Condition(
        lambda options: f"cannot be used with {', '.join(list_coefficients(options))}",
        lambda options: bool({*stats} & ({*list_coefficients(options)} or _DEFAULT)),
    )


@command(
    "st-agree coefficients",
    reads="rows",
    arguments="[alpha|kappa|agreement|fleiss|perfect|gwet]... [FILE]...",
    examples=[
        ("st-agree alpha --level ordinal ratings.jsonl", "Compute Krippendorff's alpha of every label."),
        (
            "st-agree kappa agreement --item paper --rater judge ratings.jsonl",
            (
                "Compute Cohen's kappa and the percentage agreement, from records in which the key `paper` holds "
                "the item and the key `judge` holds the rater."
            ),
        ),
        (
            "st-agree alpha --ci --without judge --table ratings.jsonl",
            "Compute alpha with and without the rater judge, and the interval of the difference.",
        ),
    ],
)
@option(
    "--level", type=_LEVELS, default="nominal", show_default=True, conditions=_used_by("alpha"),
    help=(
        "Level of measurement of the ratings, for Krippendorff's alpha. The levels masi and jaccard are distances "
        "of sets, for ratings that are lists of labels."
    ),
)  # fmt: skip
@option(
    "--level-of", metavar="LABEL=LEVEL", multiple=True, conditions=(_used_by("alpha"), excludes("--pooled")),
    help=(
        "Level of measurement of the ratings of LABEL, for Krippendorff's alpha, instead of --level. May be "
        "repeated."
    ),
)  # fmt: skip
@option(
    "--order", metavar="A,B,...", conditions=_used_by("alpha", "kappa", "gwet"),
    help="Values of an ordinal rating scale, from the lowest to the highest.",
)  # fmt: skip
@option(
    "--weights", type=click.Choice(["linear", "quadratic"]), conditions=_used_by("kappa", "gwet"),
    help=(
        "In kappa and gwet, weight a disagreement by the distance (linear) or squared distance (quadratic) "
        "between the two ratings."
    ),
)  # fmt: skip
@option(
    "--pairs", is_flag=True, conditions=_used_by("alpha", "agreement", "fleiss", "perfect", "gwet"),
    help="Add results for each pair of raters. The statistic kappa always has results for each pair of raters.",
)  # fmt: skip
@rating_options()
@selection_options()
@adjust_option(needs_any("--without", "--leave-one-rater-out"), needs("--ci"))
@interval_options()
@TABLE
def coefficients(stream: Stream, table: bool, **options: Any) -> int:
    """Measure how far raters agree, by the statistics alpha, kappa, agreement, fleiss, perfect and gwet.

    Name one or more statistics on the command line; the default is alpha, kappa and agreement. `alpha` is
    Krippendorff's alpha. `kappa` is Cohen's kappa for each pair of raters, and its mean over pairs. `agreement` is the
    share of pairs of ratings that are equal. `fleiss` is Fleiss' kappa. `perfect` is the share of items whose ratings
    are all equal. `gwet` is Gwet's AC1, or AC2 with --weights. st-agree coefficients writes one result per statistic
    and label.

    Ratings in long form have one rating per record: {"item": 1, "rater": "anna", "label": "specific", "value": 3}.
    Ratings in wide form (--raters) have one item per record. Record keys may be dotted paths, such as `gold.value`. A
    rating that is a text such as "3" counts as the number 3. An undefined coefficient is null, with the reason.
    docs/agree.md defines the coefficients.
    """
    from scholartools.metrics.agreement.scales import SET_LEVELS
    from scholartools.tasks.agree.coefficients import DEFAULT_STATS, Choices, coefficient_records
    from scholartools.tasks.agree.ratings import Ratings
    from scholartools.tasks.agree.run import Run

    stats = take_statistics(stream) or list(DEFAULT_STATS)
    keys, where = rating_source(options)
    order = options["order"].split(",") if options["order"] else None
    level = options["level"]
    if {*stats} <= {"kappa", "gwet"} and (options["weights"] or (order and "gwet" in stats)):
        level = "ordinal"  # implied by --weights and --order; --level is only for alpha
    choices = Choices(
        level, order, options["weights"], interval_resampling(options), options["pooled"], options["pairs"],
        options["without"], options["leave_one_rater_out"], parse_levels(options["level_of"]),
        options["adjust"],
    )  # fmt: skip
    has_sets = any(level in SET_LEVELS for level in (choices.level, *(level for _, level in choices.levels)))
    ratings = Ratings(keys, level, choices.order, where, sets=has_sets)
    return reduce_to_results(stream, Run(ratings, lambda: coefficient_records(ratings, stats, choices)), table=table)
