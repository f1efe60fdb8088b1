"""st-claims weaknesses: passages of reviews that dispute claims or state other weaknesses."""

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
            "Print weaknesses with their groundedness: how likely the paper makes the claim that a weakness disputes.",
        ),
        (
            "st-claims weaknesses claims.jsonl --rater gpt --model openai/gpt-4o-2024-08-06",
            "Add a model's weaknesses under `annotations.weaknesses`, beside the existing ones.",
        ),
        (
            "st-claims weaknesses --all papers.jsonl | st-generate weaknesses --model openai/gpt-4o | st-score soft",
            "Measure how many of the reviewers' weaknesses a model also finds (AAAR-1.0).",
        ),
    ],
)
@people_option("weaknesses")
@option(
    "--rater",
    metavar="NAME",
    type=SystemName(),
    conditions=NOT_FROM,
    help="Store the weaknesses under `annotations.weaknesses`, with NAME as the name of the rater.",
)
@option(
    "--all",
    "every",
    is_flag=True,
    conditions=NOT_FROM,
    help=(
        "Also extract weaknesses that dispute no claim of the paper: remarks on writing or missing work, and "
        "questions (as in the benchmark AAAR-1.0)."
    ),
)
@model_options
def weaknesses(stream: Stream, people: str | None, rater: str | None, every: bool, **options: Any) -> int:
    """Find the passages of reviews that dispute claims or results of the paper.

    st-claims weaknesses adds `weaknesses`, each an exact passage of one review. The key `groundedness` of a weakness (1
    to 5) says how likely the paper makes a claim that the weakness disputes. The key `mentions` of a weakness has the
    lines, tables, sections, citations and quotations that it names, with their positions. Remarks in reviews on writing
    or missing work become weaknesses only with --all, and have no `groundedness`. With --from, st-claims weaknesses
    adds weaknesses that people marked.

    Without a model, weaknesses are critical passages that refer to a claim, a quotation, or a section, table or line of
    the paper. The built-in method of st-claims weaknesses is weak: on one half of fixtures/claims.jsonl, it finds 20 of
    the 23 weaknesses that we marked, and no other passage, and gives 8 of the 20 weaknesses the groundedness that we
    assigned. On four real papers with reviews that we wrote, the built-in method of st-claims weaknesses found 20 of
    the 22 weaknesses. docs/claims.md has the rules of groundedness.
    """
    if people:
        from scholartools.tasks.claims.human_weaknesses import read_weaknesses

        return add_people(stream, read_weaknesses(people))
    if not options["model"]:
        from scholartools.tasks.claims.builtin import weaknesses as builtin

        return stream.map_records(functools.partial(builtin.weaknesses, rater=rater, every=every))
    from scholartools.pipeline.asking import ask_each
    from scholartools.tasks.claims.prompted import weaknesses as prompted

    return ask_each(stream, model_settings(options), functools.partial(prompted.weaknesses, rater=rater, every=every))
