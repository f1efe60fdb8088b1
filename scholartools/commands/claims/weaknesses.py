"""st-claims weaknesses: passages of reviews that dispute claims."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

from scholartools.commands.claims.options import NOT_FROM, SystemName
from scholartools.commands.claims.people import add_people, people_option
from scholartools.commands.shared.command import command
from scholartools.commands.shared.model_options import model_options, model_settings
from scholartools.commands.shared.options import option

if TYPE_CHECKING:
    from scholartools.pipeline.stream import Stream


@command(
    "st-claims weaknesses",
    examples=[
        (
            "st-claims weaknesses claims.jsonl | jq -r '.weaknesses[] | [.groundedness, .text] | @tsv'",
            "The weaknesses of a paper and how likely each disputes a claim.",
        ),
        (
            "st-claims weaknesses claims.jsonl --rater gpt --model openai/gpt-4o-2024-08-06",
            "A model's weaknesses beside those that are there, under `annotations.weaknesses`.",
        ),
    ],
)
@people_option("weaknesses")
@option(
    "--rater",
    metavar="NAME",
    type=SystemName(),
    conditions=NOT_FROM,
    help="Put the set under `annotations.weaknesses` with this name.",
)
@model_options
def weaknesses(stream: Stream, people: str | None, rater: str | None, **options: Any) -> int:
    """Find the passages of reviews that dispute claims or results of the paper.

    Adds `weaknesses`: each a stretch of one review, with `groundedness`, 1 to 5: how likely the paper makes a claim
    that it disputes; and `mentions`: what lines, tables, sections, citations and quotations it names, and where these
    are in the record. Remarks on writing or on missing work are none. --from adds people's instead.

    Without a model they are the critical passages that point to a claim, quote the paper or name a place of it. That
    is weak: of the 23 weaknesses of one half of fixtures/claims.jsonl it finds 20, all of its 20 are weaknesses, and 8
    of these have the groundedness we gave them. On four real papers, with reviews that we wrote, it found 20 of 22.
    docs/claims.md has the rules of groundedness.
    """
    if people:
        from scholartools.tasks.claims.human_weaknesses import read_weaknesses

        return add_people(stream, read_weaknesses(people))
    if not options["model"]:
        from scholartools.tasks.claims.builtin import weaknesses as builtin

        return stream.map_records(functools.partial(builtin.weaknesses, rater=rater))
    from scholartools.pipeline.asking import ask_each
    from scholartools.tasks.claims.prompted import weaknesses as prompted

    return ask_each(stream, model_settings(options), functools.partial(prompted.weaknesses, rater=rater))
