"""st-claims select: reviews that mention claims, and papers on a topic."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import click

from scholartools.commands.claims.options import no_model
from scholartools.commands.shared.command import command
from scholartools.commands.shared.model_options import model_options_without, model_settings
from scholartools.commands.shared.options import excludes, needs, option, split_names
from scholartools.wording import share_of

if TYPE_CHECKING:
    from scholartools.io import Record
    from scholartools.pipeline.stream import Stream


@command(
    "st-claims select",
    examples=[
        (
            "st-claims select parsed.jsonl --drop",
            'Keep only the reviews that contain keywords about claims, such as "overclaim".',
        ),
        (
            "st-claims select parsed.jsonl --topic 'natural language processing' --model openai/gpt-4o-2024-08-06",
            "Ask a model whether each paper is about natural language processing; the answer is under `topic`.",
        ),
    ],
)
@option(
    "--keywords",
    metavar="A,B,...",
    conditions=excludes("--topic"),
    help="Use these words and phrases instead of the built-in keywords; a star at the end of a word matches any "
    "ending.",
)
@option(
    "--drop",
    is_flag=True,
    conditions=excludes("--topic"),
    help="Remove reviews without a keyword that indicates criticism of a claim, and print the number of removed "
    "reviews. Records of papers without any reviews are kept.",
)
@option("--topic", metavar="NAME", help="Ask a model whether each paper belongs to the field NAME in a broad sense.")
@model_options_without(conditions=(needs("--topic"),))
def select(stream: Stream, keywords: str | None, drop: bool, topic: str | None, **options: Any) -> int:
    """Mark the reviews that mention claims, or say whether papers are about a topic.

    st-claims select adds `claim_related` to each review in `reviews`: whether the review contains a keyword that
    indicates criticism of a claim. The keywords are those of the CLAIMCHECK paper, which prints only the beginning of
    its list: overclaim*, over-claim*, over claim*, claim*, support*, fully support*, substantiat*, convinc*,
    unsubstantiated, unsupported, unverified. The keywords match whole words of a review, in upper or lower case.

    With --topic, st-claims select asks a model whether each paper is about a topic, and adds the answer under `topic`.
    The model that is asked about the topic sees the title, the abstract and the `keywords` of the paper. Without a
    model, --topic ends with status 4: no built-in method recognises the topics of papers.
    """
    if topic is None:
        return _by_keywords(stream, keywords, drop)
    if not options["model"]:
        raise no_model("--topic", "no built-in method knows the topics of papers")
    from scholartools.pipeline.asking import ask_each
    from scholartools.tasks.claims.prompted import select as prompted

    return ask_each(stream, model_settings(options), functools.partial(prompted.topic, name=topic))


def _by_keywords(stream: Stream, keywords: str | None, drop: bool) -> int:
    from scholartools.tasks.claims.builtin import select as builtin

    chosen: dict[str, Any] = {"drop": drop}
    if keywords is not None:
        chosen["keywords"] = split_names(keywords, "keywords")
        builtin.check_keywords(chosen["keywords"])
    if not drop:
        return stream.map_records(functools.partial(builtin.select, **chosen))
    n_dropped = n_reviews = 0

    def select_and_count(record: Record) -> Record:
        nonlocal n_dropped, n_reviews
        made = builtin.select(record, **chosen)
        n_dropped += made["provenance"][-1]["counts"]["dropped"]
        n_reviews += len(record["reviews"])
        return made

    import dataclasses

    # In one process, since the reviews are counted in memory.
    status = dataclasses.replace(stream, jobs=1, scheduler=None).map_records(select_and_count)
    if not stream.quiet:
        told = share_of(n_dropped, n_reviews, "review", "have")
        click.echo(f"st-claims: {told} no keyword and {'was' if n_dropped == 1 else 'were'} dropped", err=True)
    return status
