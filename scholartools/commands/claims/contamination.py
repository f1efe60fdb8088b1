"""st-claims contamination: whether a model has read the reviews that it is compared with."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import click

from scholartools.commands.claims.options import no_model, system_option
from scholartools.commands.shared.command import command
from scholartools.commands.shared.model_options import model_options, model_settings
from scholartools.commands.shared.options import needs, option

if TYPE_CHECKING:
    from datetime import datetime

    from scholartools.pipeline.stream import Stream


@command(
    "st-claims contamination",
    examples=[
        (
            "st-claims contamination papers.jsonl --model openai/gpt-4o | st-score contamination --table",
            "How many reviews the model continues with their own words.",
        ),
        (
            "st-claims contamination people.jsonl --cut-off 2023-10-01 | st-score labels --table --by cut_off.side",
            "Labels on papers submitted before a model's training data end, and after; no model is asked.",
        ),
    ],
)
@option(
    "--cut-off", type=click.DateTime(["%Y-%m-%d"]), metavar="DATE",
    help="Also mark whether the paper was submitted before this day, on which a model's training data end.",
)  # fmt: skip
@option(
    "--submitted", metavar="KEY", default="submitted", show_default=True, conditions=needs("--cut-off"),
    help="Key of the day of submission, YYYY-MM-DD or milliseconds since 1970.",
)  # fmt: skip
@system_option("System name of the entry (default: the model).", conditions=needs("--model"))
@model_options
def contamination(stream: Stream, cut_off: datetime | None, submitted: str, **options: Any) -> int:
    """Test whether a model knows the reviews by heart, and mark papers older than its training data.

    Shows the model the title and the first half of each review, and asks it to go on. Adds an entry to `contamination`:
    of each review the longest run of words that the continuation shares with the second half and that neither the paper
    nor the first half has. Eight words and more are hardly chance. Few or none prove nothing: what a model has read it
    need not repeat.

    With --cut-off adds `cut_off`, whose `side` (before, after, unknown) splits results: `st-score --summary --by
    cut_off.side`. That alone needs no model; the test ends with status 4 without one.
    """
    from scholartools.tasks.claims.cut_off import mark_side

    mark = None if cut_off is None else functools.partial(mark_side, date=cut_off.date(), key=submitted)
    if not options["model"]:
        if mark is None:
            raise no_model("contamination", "only a model can say what it has read (--cut-off alone needs none)")
        return stream.map_records(mark)
    from scholartools.pipeline.asking import ask_each
    from scholartools.tasks.claims.prompted.contamination import contamination as prompted

    ask = functools.partial(prompted, system=options["system"], mark=mark)
    return ask_each(stream, model_settings(options), ask)
