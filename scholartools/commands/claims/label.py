"""st-claims label: objectivity, correctness and types of weaknesses."""

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
    from collections.abc import Callable

    from scholartools.pipeline.outcome import SeveralRecords
    from scholartools.pipeline.stream import Stream
    from scholartools.records import Record
    from scholartools.schemas.shapes import PaperRecord


@command(
    "st-claims label",
    examples=[
        (
            "st-claims label targeted.jsonl",
            "Label the types that the words of a weakness indicate, without a model; ratings stay null.",
        ),
        (
            "st-claims label targeted.jsonl --edit --model openai/gpt-4o --temperature 0.3 --seed 0 --system s0",
            "Label and rewrite each weakness in one call, as in CLAIMCHECK.",
        ),
    ],
)
@people_option("labels")
@option(
    "--subjectivity",
    type=click.Choice(["as-objectivity", "reversed"]),
    conditions=needs("--from"),
    help="With --from: whether the value 5 of labels named subjectivity means objective (as-objectivity) or "
    "subjective (reversed).",
)
@option(
    "--edit",
    is_flag=True,
    conditions=NEEDS_MODEL,
    help="Also rewrite each weakness, in the same model call that labels the weakness.",
)
@option(
    "--free-anchors",
    is_flag=True,
    conditions=needs("--edit"),
    help="Rewrite with the prompt of the CLAIMCHECK paper, which does not ask the model to keep line numbers, tables, "
    "quotations and citations.",
)
@option(
    "--all",
    "every",
    is_flag=True,
    conditions=NEEDS_MODEL,
    help="Also label weaknesses without a target, that is, weaknesses that dispute no claim of the paper.",
)
@targets_option(conditions=NEEDS_MODEL)
@system_option(
    "Name of the system under which the labels are stored (default: the name of the model; without --model, builtin).",
    conditions=NOT_FROM,
)
@showing_options
@model_options
def label(stream: Stream, **options: Any) -> int:
    """Label the weaknesses that have targets: objectivity, agreement and types.

    st-claims label adds an entry to the list `labels` of each weakness. The label `objectivity` of a weakness ranges
    from 1 (almost only personal judgement) to 5 (can be checked). The label `agreement` of a weakness ranges from 1
    (ill-founded) to 5 (fully convincing). The `types` of a weakness are one or more of insufficient, contradictory,
    novelty, clarity, related_work and other. With --from, st-claims label adds labels by people. If a prompt is too
    long for the model, the labels are null, with the reason.

    Without a model, st-claims label assigns only `types`, which it recognises by words of the weakness. The built-in
    method of st-claims label is weak: on one half of fixtures/claims.jsonl, it assigns 24 types to weaknesses, of which
    21 are right, and misses 5 types. On three real papers, the built-in method of st-claims label assigned 13 types to
    weaknesses, of which 12 were right, and missed 5 types. docs/claims.md describes the scales, files and pictures.
    """
    if options["people"]:
        from scholartools.tasks.claims import human_labels

        return add_people(stream, human_labels.read_labels(options["people"], options["subjectivity"]))
    if not options["model"]:
        from scholartools.tasks.claims.builtin import label as builtin

        return stream.map_records(functools.partial(_label_builtin, label=builtin.label, system=options["system"]))
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


def _label_builtin(record: PaperRecord, label: Callable[..., Record], system: str | None) -> SeveralRecords:
    """The labelled record, with a note if its weaknesses have no targets."""
    from scholartools.pipeline.outcome import SeveralRecords

    made = label(record, system=system)
    is_early = made["weaknesses"] and not any("targets" in weakness for weakness in made["weaknesses"])
    reason = "record whose weaknesses have no targets: run st-claims associate first"
    return SeveralRecords([made], {reason: 1} if is_early else {})
