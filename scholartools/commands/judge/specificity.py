"""st-judge specificity: whether a rewritten weakness is more specific than the original."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import click

from scholartools.commands.shared.command import command
from scholartools.commands.shared.model_options import model_options, model_settings
from scholartools.commands.shared.options import option
from scholartools.errors import ModelFault

if TYPE_CHECKING:
    from scholartools.pipeline.stream import Stream


@command(
    "st-judge specificity",
    examples=[
        (
            "st-judge specificity edited.jsonl --model openai/gpt-4o-mini | st-score specificity --table",
            "Show how often the rewritten weakness is the more specific one.",
        ),
        (
            "st-judge specificity edited.jsonl --model openai/gpt-4o-mini --dry-run",
            "Estimate the cost of two calls for each rewritten weakness.",
        ),
    ],
)
@option(
    "--orders", metavar="N", type=click.IntRange(1, 2), default=2, show_default=True,
    help="Show the model the two versions of a weakness in both orders (2), or only with the original version first "
         "(1).",
)  # fmt: skip
@option(
    "--targets",
    metavar="SYSTEM",
    help="Show the model the targets (disputed claims) that SYSTEM found (default: the only system in the record).",
)
@option(
    "--controls", is_flag=True,
    help="Also judge control pairs whose correct winner is known: each weakness against itself, and against a "
        "sentence that fits any paper.",
)  # fmt: skip
@model_options
def specificity(stream: Stream, orders: int, targets: str | None, controls: bool, **options: Any) -> int:
    """Judge which of two versions of a weakness gives the authors more specific feedback.

    st-judge specificity reads `weaknesses` with the key `edited`, which st-claims edit and st-claims label --edit
    write. The prompt shows the target claims and the two versions, and does not say which version is the rewritten one.
    st-judge specificity adds `judgements.specificity`: for each weakness the winner (revised, original or tie) and the
    votes. If the verdicts in the two orders of the versions disagree, the weakness has no winner. A weakness that
    st-claims did not change counts as a tie, without a model call. The report of st-judge specificity counts unchanged
    weaknesses and control pairs separately. In the CLAIMCHECK study, people judge which version of a weakness is more
    specific. The verdicts of a model do not replace those of people.

    Without a model, st-judge specificity ends with status 4: no built-in method can measure how specific a text is.
    """
    if not options["model"]:
        raise ModelFault(
            "specificity needs a model: no built-in method can tell how specific a text is; give --model NAME, or set "
            "ST_MODEL",
            kind="no-model",
        )
    from scholartools.pipeline.asking import ask_each
    from scholartools.tasks.judge.specificity.prompted import specificity

    ask = functools.partial(specificity, orders=orders, targets=targets, controls=controls)
    return ask_each(stream, model_settings(options), ask)
