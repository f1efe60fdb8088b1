"""st-claims associate: the claims that each weakness disputes."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import click

from scholartools.commands.claims.options import NEEDS_MODEL, NOT_FROM, system_option
from scholartools.commands.claims.people import add_people, people_option
from scholartools.commands.shared.command import command
from scholartools.commands.shared.model_options import model_options, model_settings
from scholartools.commands.shared.options import option

if TYPE_CHECKING:
    from scholartools.pipeline.stream import Stream


@command(
    "st-claims associate",
    examples=[
        ("st-claims associate weaknesses.jsonl", "Find the targets of every weakness by quotations and similarity."),
        (
            "st-claims associate papers.jsonl --model openai/gpt-4o --temperature 0.9 --seed 42 --system s42",
            "Find targets with a model, with the settings of one of the three runs of the CLAIMCHECK study.",
        ),
        (
            "st-claims associate weaknesses.jsonl --model openai/gpt-4o-mini --orders 2 --no-groundedness",
            "Show the model the candidate claims in two orders, without the groundedness that people gave.",
        ),
    ],
)
@people_option("targets")
@option(
    "--max-targets",
    metavar="N",
    type=click.IntRange(1, 3),
    default=3,
    show_default=True,
    conditions=NOT_FROM,
    help="Maximum number of targets (disputed claims) per weakness; at most one of them may be custom, that is, not "
    "one of the claims in the prompt.",
)
@option(
    "--orders",
    metavar="N",
    type=click.IntRange(1, 2),
    default=1,
    show_default=True,
    conditions=NEEDS_MODEL,
    help="Number of orders in which the model sees the candidate claims: 1 (in the given order, as in the CLAIMCHECK "
    "paper) or 2 (also in reverse order).",
)
@option(
    "--no-groundedness",
    is_flag=True,
    conditions=NEEDS_MODEL,
    help=(
        "Do not show the model the groundedness of the weakness, because groundedness indicates whether the "
        "weakness disputes a claim."
    ),
)
@option(
    "--context",
    type=click.Choice(["full", "claims"]),
    default="full",
    show_default=True,
    conditions=NEEDS_MODEL,
    help="Show the model the paper and the claims that the weakness may dispute (full), or only these claims (claims).",
)
@system_option(
    "Name of the system under which the targets are stored (default: the name of the model; without --model, builtin).",
    conditions=NOT_FROM,
)
@model_options
def associate(stream: Stream, **options: Any) -> int:
    """Find the claims that each weakness disputes: its targets.

    A target of a weakness is a claim whose truth the weakness directly disputes. Many weaknesses have no target. Run
    st-claims extract and st-claims weaknesses before st-claims associate, which adds an entry to the list `targets` of
    each weakness and keeps the entries of other systems. With --from, st-claims associate adds targets that people
    chose.

    Without a model, a target is a claim that the weakness quotes, or a claim with similar words and embeddings. The
    built-in method of st-claims associate is weak: on four real papers, 10 of the 16 targets that it found were right.
    On one half of fixtures/claims.jsonl, the built-in method of st-claims associate finds targets with precision .95,
    recall .86 and F1 .90; always choosing the claim most similar to the weakness has F1 .89. For 21 of 23 weaknesses,
    the built-in method of st-claims associate decided correctly whether the weakness has a target. docs/claims.md
    describes votes, files and custom targets.
    """
    if options["people"]:
        from scholartools.tasks.claims import human_labels

        return add_people(stream, human_labels.read_targets(options["people"]))
    if not options["model"]:
        from scholartools.tasks.claims.builtin import associate as builtin

        chosen = {key: options[key] for key in ("max_targets", "system")}
        return stream.map_records(functools.partial(builtin.associate, **chosen))
    from scholartools.pipeline.asking import ask_each
    from scholartools.tasks.claims.prompted import associate as prompted

    how = prompted.Associating(
        options["max_targets"],
        options["orders"],
        not options["no_groundedness"],
        "full" if options["context"] == "full" else "none",
    )
    return ask_each(
        stream, model_settings(options), functools.partial(prompted.associate, how=how, system=options["system"])
    )
