"""st-claims extract: extract the claims of papers."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import click

from scholartools.commands.claims.options import system_option
from scholartools.commands.shared.command import command
from scholartools.commands.shared.model_options import model_options, model_settings
from scholartools.commands.shared.options import needs, option
from scholartools.errors import UsageFault

if TYPE_CHECKING:
    from scholartools.pipeline.stream import Stream


@command(
    "st-claims extract",
    reads="sections",
    examples=[
        (
            "st-parse paper.pdf | st-claims extract | jq -r '.claims[].text'",
            "Print the claims of a paper, one per line.",
        ),
        (
            "st-claims extract parsed.jsonl --model openai/gpt-4o-2024-08-06 --temperature 1.0",
            "Extract the claims of papers by a model, with the settings of the CLAIMCHECK study.",
        ),
    ],
)
@option(
    "--roles", metavar="R,...", help="Read only sections with these roles (introduction, method, result and so on)."
)
@option(
    "--captions",
    is_flag=True,
    help="Also extract claims from captions of figures and tables (CLAIMCHECK takes no claims from captions).",
)
@option(
    "--chunk-words",
    metavar="N",
    type=click.IntRange(min=1),
    default=1000,
    show_default=True,
    conditions=needs("--model"),
    help="Maximum number of words per model call; each call gets whole paragraphs of one section.",
)
@system_option(
    "Store the extracted claims under `generated.claims`, with NAME as the name of the system, and leave "
    "`claims` as it is."
)
@model_options
def extract(stream: Stream, roles: str | None, captions: bool, **options: Any) -> int:
    """Extract the claims of papers about their findings, results, contributions and relation to other work.

    st-claims extract adds `claims` in the order of the paper; each claim is an exact passage of the paper. With
    --model, a model quotes the claims, and a quotation that is not in the paper goes to `rejected`. The key `shares` of
    a claim lists the claims that overlap with it in the text.

    Without a model, st-claims extract recognises a claim by certain words, by a number beside a word of change (such as
    "increases"), or by the facet that the built-in method of st-facets gives the sentence. The key `cue` of a claim has
    the words by which the built-in method recognised the claim. The built-in method of st-claims extract is weak: of 50
    sentences that it extracted from 15 real papers, we judged 34 to be claims. On one half of fixtures/claims.jsonl
    (short papers that we wrote), it extracts 25 sentences, of which 22 are among the 33 claims that we marked.
    docs/claims.md lists the sections that st-claims extract reads.
    """
    chosen: dict[str, Any] = {"captions": captions, "system": options["system"]}
    if roles is not None:
        chosen["roles"] = _known_roles(roles)
    if not options["model"]:
        from scholartools.tasks.claims.builtin import extract as builtin

        return stream.map_records(functools.partial(builtin.extract, **chosen))
    from scholartools.pipeline.asking import ask_each
    from scholartools.tasks.claims.prompted import extract as prompted

    return ask_each(
        stream,
        model_settings(options),
        functools.partial(prompted.extract, **chosen, chunk_words=options["chunk_words"]),
    )


def _known_roles(text: str) -> list[str]:
    from scholartools.vocabulary import ROLES

    roles = text.split(",")
    if unknown := [role for role in roles if role not in ROLES]:
        raise UsageFault(f'--roles: "{unknown[0]}" is not a role; the roles are {", ".join(ROLES)}')
    return roles
