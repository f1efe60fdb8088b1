"""st-agree spans: agreement on marked spans of text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scholartools.commands.agree.options import (
    TABLE,
    interval_options,
    interval_resampling,
    rating_options,
    rating_source,
    reduce_to_results,
    selection_options,
    take_statistics,
)
from scholartools.commands.shared.bootstrap_options import adjust_option
from scholartools.commands.shared.command import command
from scholartools.commands.shared.options import needs, needs_any

if TYPE_CHECKING:
    from scholartools.pipeline.stream import Stream


@command(
    "st-agree spans",
    reads="rows",
    examples=[
        (
            "st-agree spans --item paper marked.jsonl",
            ("Compute the F1 of marked texts for every pair of raters, for each rater, and for all raters."),
        ),
        (
            "st-agree spans --ci --cluster paper --table marked.jsonl",
            "Compute the F1 of marked texts with confidence intervals over papers.",
        ),
    ],
)
@rating_options()
@selection_options()
@adjust_option(needs_any("--without", "--leave-one-rater-out"), needs("--ci"))
@interval_options()
@TABLE
def spans(stream: Stream, table: bool, **options: Any) -> int:
    """Measure the agreement of raters on the texts that they marked, by F1.

    The value of a rating is the list of texts that a rater marked in an item. The texts that two raters marked are
    paired one to one so that their total similarity is highest. In the F1 score `edit`, a pair of texts counts in
    proportion to its edit similarity. In the F1 score `exact`, a pair of texts counts only if the texts are equal.
    st-agree spans writes results for each pair of raters, for each rater, and over all raters. docs/agree.md has the
    formula of F1.
    """
    from scholartools.tasks.agree.coefficients import Choices
    from scholartools.tasks.agree.ratings import SpanRatings
    from scholartools.tasks.agree.run import Run
    from scholartools.tasks.agree.span_f1 import span_records

    take_statistics(stream)
    choices = Choices(
        how=interval_resampling(options), pooled=options["pooled"], without=options["without"],
        leave_one_out=options["leave_one_rater_out"], adjust=options["adjust"],
    )  # fmt: skip
    keys, where = rating_source(options)
    ratings = SpanRatings(keys, where=where)
    return reduce_to_results(stream, Run(ratings, lambda: span_records(ratings, choices)), table=table)
