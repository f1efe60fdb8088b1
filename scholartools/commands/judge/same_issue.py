"""st-judge same-issue: whether a reviewer and a model raise the same issue about a claim."""

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
            "Show the shares of the verdicts same, similar and different.",
        ),
        (
            "st-judge same-issue verified.jsonl --model openai/gpt-4o --orders 1 --temperature 0.3 --seed 0",
            "Ask the model once about each pair, in one order, as in CLAIMCHECK.",
        ),
    ],
)
@option(
    "--orders", metavar="N", type=click.IntRange(1, 2), default=2, show_default=True,
    help="Number of orders in which the judge sees the reviewer's text and the model's text: 2 (both orders) or 1 (the "
    "reviewer's text first, as in the CLAIMCHECK paper).",
)  # fmt: skip
@option(
    "--votes", type=click.Choice(["all", "majority"]), default="all", show_default=True,
    help="Number of equal votes that a verdict needs: all, or more than half.",
)  # fmt: skip
@option(
    "--controls", is_flag=True,
    help="Also judge control pairs whose correct verdict is known: each reviewer's statement paired with itself, "
        "and paired with the statement about another weakness.",
)  # fmt: skip
@model_options
def same_issue(stream: Stream, orders: int, votes: str, controls: bool, **options: Any) -> int:
    """Judge whether a reviewer and a model find the same, a similar or a different fault with a claim.

    Run st-claims verify --side both before st-judge same-issue, which reads `verifications`, and pairs the reviewer's
    and the model's verification of the same claim. The prompt shows the claim, and the two verifications with their
    evidence; it does not say which of them a model wrote. st-judge same-issue adds `judgements.same_issue`: the verdict
    of each pair, its votes, and a report that counts verdicts by order. If the votes on a pair differ, there is no
    verdict, and the pair counts as inconsistent. Claims that no review disputes (the controls of st-claims verify) are
    not judged. Control pairs (--controls) are counted separately.

    Without a model, st-judge same-issue ends with status 4: embeddings cannot distinguish the same fault from a similar
    one.
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
