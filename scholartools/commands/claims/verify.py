"""st-claims verify: what is wrong with a claim according to a reviewer and to a model."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import click

from scholartools.commands.claims.options import no_model, showing_of, showing_options, system_option, targets_option
from scholartools.commands.shared.command import command
from scholartools.commands.shared.model_options import model_options, model_settings
from scholartools.commands.shared.options import Condition, excludes, option

if TYPE_CHECKING:
    from scholartools.pipeline.stream import Stream

_OF_REVIEWER = Condition("applies only to the reviewer's side", lambda options: options["side"] != "model")
_OF_MODEL = Condition("applies only to the model's side", lambda options: options["side"] != "reviewer")


@command(
    "st-claims verify",
    examples=[
        (
            "st-claims verify labelled.jsonl --model openai/gpt-4o-2024-08-06 --temperature 0.3 --seed 0 --system s0",
            "State the faults of claims with and without the review, for a comparison by st-judge same-issue.",
        ),
        (
            "st-claims verify labelled.jsonl --model openai/gpt-4o-mini --side model --presume no --controls",
            "Measure how often a model finds fault with claims that nobody disputed.",
        ),
    ],
)
@option(
    "--side",
    type=click.Choice(["reviewer", "model", "both"]),
    default="both",
    show_default=True,
    help=(
        "Summarise the reviewer's objection to each disputed claim (reviewer), let the model find a fault in "
        "the claim itself (model), or both."
    ),
)
@option(
    "--presume",
    type=click.Choice(["yes", "no"]),
    default="yes",
    show_default=True,
    conditions=_OF_MODEL,
    help="Tell the model that something is wrong with the claim (yes, as in the CLAIMCHECK paper), or do not say "
    "whether the claim is wrong (no).",
)
@option(
    "--controls",
    is_flag=True,
    conditions=_OF_MODEL,
    help="Also verify control claims: for each disputed claim, a claim that no review disputes, of the same type and "
    "of similar length.",
)
@option(
    "--no-types",
    is_flag=True,
    conditions=_OF_REVIEWER,
    help="Do not show the model the types of the weakness, such as novelty or clarity.",
)
@option(
    "--labels",
    metavar="SYSTEM",
    conditions=(_OF_REVIEWER, excludes("--no-types")),
    help="Show the model the types of the weakness that SYSTEM assigned (default: the only system in the record).",
)
@targets_option()
@system_option("Name of the system under which the verifications are stored (default: the name of the model).")
@showing_options
@model_options
def verify(stream: Stream, **options: Any) -> int:
    """State what is wrong with each disputed claim, once from the review and once without the review.

    st-claims verify adds `verifications`. For each weakness and claim that it disputes, a model summarises the
    reviewer's objection; `copied` counts sequences of eight words that the summary copies from the weakness. For each
    disputed claim, a model is also asked what is wrong with the claim, without seeing a review. st-claims verify does
    not send a prompt without a review if eight consecutive words of the prompt are in a review but in no paper.
    CLAIMCHECK's prompt says that something is wrong with the claim, so a fault that the model finds proves nothing;
    --presume no and --controls measure how often the model finds false faults.

    The passages of papers in `evidence` are numbered in their order in the papers. If a model quotes evidence that is
    not in the papers, the quotation goes to `rejected`. If a reply lacks evidence that its reasoning cites, the model
    is asked once more. st-claims verify needs a model.
    """
    if not options["model"]:
        raise no_model("verify", "no built-in method can say what is wrong with a claim")
    from scholartools.pipeline.asking import ask_each
    from scholartools.tasks.claims.prompted import verify as prompted

    how = prompted.Verifying(
        options["side"],
        showing_of(options),
        options["presume"] == "yes",
        not options["no_types"],
        options["targets"],
        options["labels"],
        options["controls"],
    )
    return ask_each(
        stream, model_settings(options), functools.partial(prompted.verify, how=how, system=options["system"])
    )
