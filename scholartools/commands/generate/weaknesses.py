"""st-generate weaknesses: a model lists weaknesses of papers; without a model, those of similar reviewed papers."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import click

from scholartools.commands.generate.showing import image_options
from scholartools.commands.shared.command import command
from scholartools.commands.shared.model_options import model_options, model_settings
from scholartools.commands.shared.options import NonEmpty, excludes, needs, option
from scholartools.wording import count_of

if TYPE_CHECKING:
    from scholartools.pipeline.stream import Stream

_COUNT = click.IntRange(min=1)
_MODEL, _BUILTIN = needs("--model"), (needs("--corpus"), excludes("--model"))


@command(
    "st-generate weaknesses",
    examples=[
        (
            "st-parse papers/*.pdf | st-generate weaknesses --model openai/gpt-4o-mini --output weak.jsonl",
            "List the weaknesses in each piece of 3,000 words of a paper, and combine the lists (split-combine).",
        ),
        (
            "st-generate weaknesses parsed.jsonl --model openai/gpt-4o-mini --no-split --max-words 20000",
            "List the weaknesses in the first 20,000 words of each paper, with one call per paper.",
        ),
        (
            "st-generate weaknesses parsed.jsonl --corpus reviewed.jsonl --items 5",
            "Without a model, copy what reviewers said about the most similar papers: a baseline.",
        ),
    ],
)
@model_options
@option(
    "--corpus", metavar="FILE", type=click.Path(), multiple=True, conditions=excludes("--model"),
    help="File of papers with `weaknesses` by reviewers, which are copied if no model is used; may be repeated.",
)  # fmt: skip
@option(
    "--system",
    metavar="NAME",
    type=NonEmpty(),
    help="Name of the system under which the output is stored (default: the name of the model; without --model, "
    "related-weaknesses).",
)
@option(
    "--split-words", metavar="N", type=_COUNT, default=3000, show_default=True,
    conditions=(_MODEL, excludes("--no-split")), help="Maximum number of words per piece of a paper; papers are cut "
    "at section boundaries.",
)  # fmt: skip
@option("--no-split", is_flag=True, conditions=_MODEL, help="Give the model each whole paper in one call.")
@option(
    "--max-words", metavar="N", type=_COUNT, conditions=_MODEL,
    help="Read only the first N words of a paper (default: all words); the key `cut` of the output has the number of "
        "words not read.",
)  # fmt: skip
@option(
    "--combine", type=click.Choice(["concat", "model"]), default="concat", show_default=True,
    conditions=(_MODEL, excludes("--no-split")),
    help="How the lists of weaknesses from the pieces of a paper are combined: keep every item (concat), or let "
        "the model remove repetitions (model).",
)  # fmt: skip
@option(
    "--reflect", metavar="N", type=click.IntRange(min=0), default=0, show_default=True, conditions=_MODEL,
    help="Number of rounds in which the model revises its list of weaknesses for a piece of the paper.",
)  # fmt: skip
@option(
    "--ensemble", metavar="N", type=_COUNT, default=1, show_default=True, conditions=_MODEL,
    help="Number of lists that the model drafts for each piece of the paper and then merges.",
)  # fmt: skip
@image_options("none", "figures", "tables", "figures,tables", conditions=_MODEL)
@option(
    "--items", metavar="N", type=_COUNT, default=5, show_default=True, conditions=_BUILTIN,
    help="Number of weaknesses to copy from reviews of similar papers if no model is used.",
)  # fmt: skip
@option(
    "--dense-weight", metavar="W", type=click.FloatRange(0, 1), default=0.5, show_default=True, conditions=_BUILTIN,
    help="Weight W of the embedding similarity in the retrieval score; the weight of the BM25 score is 1 - W.",
)  # fmt: skip
@option(
    "--embedder", metavar="NAME", conditions=_BUILTIN,
    help="Embedding model that finds similar papers and weaknesses: wordllama (default) or a "
        "sentence-transformers model.",
)  # fmt: skip
def weaknesses(stream: Stream, corpus: tuple[str, ...], **options: Any) -> int:
    """List the weaknesses of each paper, as a reviewer would.

    The model reads the abstract and all sections except the references, in pieces of --split-words words. The model
    lists the weaknesses of each piece of the paper, and each item has the number of its `piece`. st-generate weaknesses
    adds an entry under `generated.weaknesses`. With --ensemble the model drafts a list several times and merges the
    drafts; with --reflect the model revises the list. If a paper is split into more pieces, its list of weaknesses is
    longer, which raises soft recall and lowers soft precision. st-score soft reports the mean length of the lists as
    `n_items`.

    Without a model, st-generate weaknesses copies the most similar weaknesses from reviews of papers in --corpus;
    --items sets their number. Weaknesses copied from reviews of other papers are only a baseline. --dry-run counts all
    model calls, and assumes that each reply of the model lists five weaknesses. See docs/aaar.md.
    """
    from scholartools.tasks.generate.weaknesses.builtin import needs_model, read_reviews, related_weaknesses
    from scholartools.tasks.generate.weaknesses.options import WeaknessOptions
    from scholartools.tasks.generate.weaknesses.prompted import weaknesses

    if options["model"]:
        from scholartools.pipeline.asking import ask_each

        names = ("system", "max_words", "combine", "reflect", "ensemble", "images", "max_images")
        named = {name: options[name] for name in names}
        chosen = WeaknessOptions(split_words=None if options["no_split"] else options["split_words"], **named)
        return ask_each(stream, model_settings(options), functools.partial(weaknesses, options=chosen))
    if not corpus:
        raise needs_model()
    papers = read_reviews(corpus, options["embedder"])
    if papers.left_out and not stream.quiet:
        what = count_of(papers.left_out, "record")
        click.echo(f"st-generate: no text in {what} of the corpus", err=True)
    named = {name: options[name] for name in ("items", "dense_weight", "system")}
    return stream.map_records(functools.partial(related_weaknesses, corpus=papers, **named))
