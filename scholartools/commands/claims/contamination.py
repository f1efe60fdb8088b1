"""st-claims contamination: whether a model has memorised the reviews."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import click

from scholartools.commands.claims.options import no_model, system_option
from scholartools.commands.shared.command import command
from scholartools.commands.shared.model_options import model_options, model_settings
from scholartools.commands.shared.options import needs, option
from scholartools.parameters import parameter

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from scholartools.pipeline.outcome import SeveralRecords
    from scholartools.pipeline.stream import Stream
    from scholartools.records import Record


@command(
    "st-claims contamination",
    examples=[
        (
            "st-claims contamination papers.jsonl --model openai/gpt-4o | st-score contamination --table",
            "Count the reviews of which the model repeats eight or more hidden words in a row.",
        ),
        (
            "st-claims contamination people.jsonl --cut-off 2023-10-01 | st-score labels --table --by cut_off.side",
            "Compare the labels of papers submitted before and after the end of a model's training data.",
        ),
    ],
)
@option(
    "--cut-off", type=click.DateTime(["%Y-%m-%d"]), metavar="DATE",
    help=(
        "End of the model's training data: also mark whether the paper was submitted before this "
        "day."
),
)  # fmt: skip
@option(
    "--submitted", metavar="KEY", default="submitted", show_default=True, conditions=needs("--cut-off"),
    help="Record key that holds the date of submission, as YYYY-MM-DD or as milliseconds since 1970.",
)  # fmt: skip
@system_option(
    "Name of the system under which the output is stored (default: the name of the model).", conditions=needs("--model")
)
@model_options
def contamination(stream: Stream, cut_off: datetime | None, submitted: str, **options: Any) -> int:
    """Test whether a model has memorised the reviews, and mark papers submitted before the end of its training data.

    The model sees the title of the paper and the first half of each review, and is asked to continue the review.
    st-claims contamination adds to `contamination` the longest word sequence that the continuation shares with the
    second half of the review, without words that also occur in the paper or in the first half. If the model's
    continuation of a review shares eight or more words in a row with the hidden half, the match is unlikely to be due
    to chance. A model that repeats only a few words of a review may still have read the review, because a model need
    not repeat what it has read.

    With --cut-off DATE, st-claims contamination adds `cut_off.side`: whether the paper was submitted before or after
    DATE, or unknown. Then `st-score --summary --by cut_off.side` gives separate scores for papers submitted before and
    after DATE. --cut-off needs no model. With neither --model nor --cut-off, st-claims contamination ends with status
    4.
    """
    from scholartools.tasks.claims.cut_off import mark_side

    mark = None if cut_off is None else functools.partial(mark_side, date=cut_off.date(), key=submitted)
    if not options["model"]:
        if mark is None:
            raise no_model(
                "contamination", "no built-in method can continue a review (only --cut-off works without a model)"
            )
        return stream.map_records(functools.partial(_mark, mark=mark))
    from scholartools.pipeline.asking import ask_each
    from scholartools.tasks.claims.prompted.contamination import contamination as prompted

    ask = functools.partial(prompted, system=options["system"], mark=mark)
    return ask_each(stream, model_settings(options), ask)


def _mark(record: Record, mark: Callable[[Record], Record]) -> SeveralRecords:
    """The marked record, with a note if its day of submission is unknown."""
    from scholartools.pipeline.outcome import SeveralRecords

    made = mark(record)
    side = 'which is neither before nor after the cut-off: add the day of submission at the key "submitted"'
    reason = f"paper without a day of submission ({parameter('submitted')}), {side}"
    return SeveralRecords([made], {reason: 1} if made["cut_off"]["side"] == "unknown" else {})
