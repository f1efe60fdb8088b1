"""st-claims edit: rewrite weaknesses to be more specific."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

from scholartools.commands.claims.options import no_model, showing_of, showing_options, system_option, targets_option
from scholartools.commands.shared.command import command
from scholartools.commands.shared.model_options import model_options, model_settings
from scholartools.commands.shared.options import option

if TYPE_CHECKING:
    from scholartools.pipeline.stream import Stream


@command(
    "st-claims edit",
    examples=[
        (
            "st-claims edit targeted.jsonl --model openai/gpt-4o-mini --images captions",
            "Rewrite weaknesses with a model that sees captions of figures instead of pictures.",
        ),
        (
            "st-claims edit targeted.jsonl --model openai/gpt-4o-mini --free-anchors --system free",
            "Rewrite weaknesses with the published prompt, which does not ask to keep line numbers and quotations.",
        ),
    ],
)
@option(
    "--free-anchors",
    is_flag=True,
    help="Use the prompt of the CLAIMCHECK paper, which does not ask the model to keep line numbers, tables, "
    "quotations and citations.",
)
@option(
    "--all",
    "every",
    is_flag=True,
    help="Also rewrite weaknesses without a target, that is, weaknesses that dispute no claim of the paper.",
)
@targets_option()
@system_option("Name of the system under which the rewritten weaknesses are stored (default: the name of the model).")
@showing_options
@model_options
def edit(stream: Stream, **options: Any) -> int:
    """Rewrite weaknesses to be sounder and more specific; st-claims label --edit rewrites them as CLAIMCHECK does.

    st-claims edit adds an entry to the list `edited` of each weakness that has targets (disputed claims). An entry of
    the list `edited` has the rewritten `text`, `changed` (whether words changed), the reasoning and `anchors`. The
    `anchors` of a rewritten weakness are the kept, lost and added line numbers, tables, figures, sections, equations,
    quotations, citations and numbers. The key `unfounded` lists the references and numbers that a rewritten weakness
    adds and that are in no paper, caption, related paper or review. st-claims edit accepts a rewritten weakness even if
    the model removed or added line numbers, citations or other anchors. Without a model, st-claims edit ends with
    status 4: no rule can rewrite a text.
    """
    if not options["model"]:
        raise no_model("edit", "no built-in method can rewrite a weakness")
    from scholartools.pipeline.asking import ask_each
    from scholartools.tasks.claims.prompted import label as prompted

    how = prompted.Labelling(
        "edit", showing_of(options), options["targets"], options["every"], not options["free_anchors"]
    )
    return ask_each(
        stream, model_settings(options), functools.partial(prompted.label, how=how, system=options["system"])
    )
