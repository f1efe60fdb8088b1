"""st-judge same-issue: whether a reviewer and a model find the same fault with a claim."""

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
    "st-judge same-issue",
    examples=[
        (
            "st-judge same-issue verified.jsonl --model openai/gpt-4o-mini | st-score same-issue --table",
            "The shares of same, similar and different.",
        ),
        (
            "st-judge same-issue verified.jsonl --model openai/gpt-4o --orders 1 --temperature 0.3 --seed 0",
            "As in CLAIMCHECK: one order, one vote.",
        ),
    ],
)
@option(
    "--orders", metavar="N", type=click.IntRange(1, 2), default=2, show_default=True,
    help="Show the two sides in both orders, or (1, as published) the reviewer's first.",
)  # fmt: skip
@option(
    "--votes", type=click.Choice(["all", "majority"]), default="all", show_default=True,
    help="Votes that make a verdict: all the same, or more than half.",
)  # fmt: skip
@option(
    "--controls", is_flag=True,
    help="Also judge pairs of known verdict: each reviewer's side beside itself, and beside another weakness's.",
)  # fmt: skip
@model_options
def same_issue(stream: Stream, orders: int, votes: str, controls: bool, **options: Any) -> int:
    """Judge whether a reviewer and a model find the same, a similar or a different fault with a claim.

    Reads `verifications` (st-claims verify --side both): each pair of a reviewer's and a model's verification of one
    claim is shown with the claim and both sides' evidence; neither side is named. Adds `judgements.same_issue`: the
    verdict of each pair, its votes, and a report that counts verdicts by order. Where votes differ there is no verdict
    and the pair is counted as inconsistent. Control claims are in no pair; --controls are counted apart.

    Ends with status 4 without a model: embeddings cannot tell the same fault from a similar one.
    """
    if not options["model"]:
        raise ModelFault(
            "same-issue needs a model: no built-in method can tell one fault from another; give --model NAME, or set "
            "ST_MODEL",
            kind="no-model",
        )
    from scholartools.pipeline.asking import ask_each
    from scholartools.tasks.judge.same_issue.prompted import Comparing, same_issue

    how = Comparing(orders, "all" if votes == "all" else "majority", controls)
    return ask_each(stream, model_settings(options), functools.partial(same_issue, how=how))
