"""st-claims label: how objective and how right weaknesses are, and of which types."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import click

from scholartools.commands.claims.options import (
    NEEDS_MODEL,
    NOT_FROM,
    showing_of,
    showing_options,
    system_option,
    targets_option,
)
from scholartools.commands.claims.people import add_people, people_option
from scholartools.commands.shared.command import command
from scholartools.commands.shared.model_options import model_options, model_settings
from scholartools.commands.shared.options import needs, option

if TYPE_CHECKING:
    from scholartools.pipeline.stream import Stream


@command(
    "st-claims label",
    examples=[
        ("st-claims label targeted.jsonl", "The types that the words of a weakness tell; no value of a scale."),
        (
            "st-claims label targeted.jsonl --edit --model openai/gpt-4o --temperature 0.3 --seed 0 --system s0",
            "Labels and rewritten weaknesses in one call, as in CLAIMCHECK.",
        ),
    ],
)
@people_option("labels")
@option(
    "--subjectivity",
    type=click.Choice(["as-objectivity", "reversed"]),
    conditions=needs("--from"),
    help="Meaning of a label named subjectivity in the file of --from: 5 is objective (as-objectivity) or "
    "subjective (reversed).",
)
@option("--edit", is_flag=True, conditions=NEEDS_MODEL, help="Have the weakness rewritten in the same call.")
@option(
    "--free-anchors",
    is_flag=True,
    conditions=needs("--edit"),
    help="Do not ask to keep line numbers, tables, quotations and citations when rewriting (as published).",
)
@option("--all", "every", is_flag=True, conditions=NEEDS_MODEL, help="Also label weaknesses without a target.")
@targets_option(conditions=NEEDS_MODEL)
@system_option("System name of the labels (default: the model, or builtin).", conditions=NOT_FROM)
@showing_options
@model_options
def label(stream: Stream, **options: Any) -> int:
    """Label the weaknesses that have targets: objectivity, agreement and types.

    Adds an entry to `labels` of each weakness. `objectivity` is 1 (almost nothing but personal judgement) to 5 (what
    can be checked), `agreement` 1 (ill-founded) to 5 (fully convincing); `types` are one or more of insufficient,
    contradictory, novelty, clarity, related_work and other. With --from people's labels are added instead. With --model
    nothing is cut: labels are null, with the reason, where the prompt is too long for the model.

    Without a model there are types alone, guessed from words: weak. On one half of fixtures/claims.jsonl it gives 24
    types, 21 of them right, and misses 5; of 13 on three real papers 12 were right, and 5 were missing. docs/claims.md
    describes the scales, files and pictures.
    """
    if options["people"]:
        from scholartools.tasks.claims import human_labels

        return add_people(stream, human_labels.read_labels(options["people"], options["subjectivity"]))
    if not options["model"]:
        from scholartools.tasks.claims.builtin import label as builtin

        return stream.map_records(functools.partial(builtin.label, system=options["system"]))
    from scholartools.pipeline.asking import ask_each
    from scholartools.tasks.claims.prompted import label as prompted

    how = prompted.Labelling(
        "label-edit" if options["edit"] else "label",
        showing_of(options),
        options["targets"],
        options["every"],
        not options["free_anchors"],
    )
    return ask_each(
        stream, model_settings(options), functools.partial(prompted.label, how=how, system=options["system"])
    )
