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
            "How often the rewritten weakness is the more specific one.",
        ),
        (
            "st-judge specificity edited.jsonl --model openai/gpt-4o-mini --dry-run",
            "Two calls for each changed weakness.",
        ),
    ],
)
@option(
    "--orders", metavar="N", type=click.IntRange(1, 2), default=2, show_default=True,
    help="Show the two versions in both orders, or the original first.",
)  # fmt: skip
@option("--targets", metavar="SYSTEM", help="Show the targets of this system (default: the only one in the record).")
@option(
    "--controls", is_flag=True,
    help="Also judge pairs with a known winner: each weakness beside itself, and beside words that fit any paper.",
)  # fmt: skip
@model_options
def specificity(stream: Stream, orders: int, targets: str | None, controls: bool, **options: Any) -> int:
    """Judge which of two versions of a weakness gives the authors more specific feedback.

    Reads `weaknesses` with `edited` (st-claims edit, or label --edit). Shows the targets and the two versions, neither
    of them named. Adds `judgements.specificity`: of each weakness the winner (revised, original or tie) and the votes.
    Where orders disagree there is no winner. A weakness that was left as it is makes a tie without a call and is
    counted apart, and so are --controls. In CLAIMCHECK a person judges this; a model's verdicts are not a person's.

    Ends with status 4 without a model: nothing in the words tells how specific they are.
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
