"""st-generate limitations: a model writes limitations of papers; without a model, copy those of similar papers."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from scholartools.commands.shared.command import command
from scholartools.commands.shared.model_options import model_options, model_settings
from scholartools.commands.shared.options import Condition, NonEmpty, excludes, needs, option

if TYPE_CHECKING:
    from scholartools.pipeline.stream import Stream

_COUNT = click.IntRange(min=1)


def _uses_retrieval(options: Any) -> bool:
    return bool(options["corpus"]) and not (options["model"] and options["plain"])


_RETRIEVES = (needs("--corpus"), Condition("cannot be used with --plain", _uses_retrieval))
_RERANKS = (needs("--model"), *_RETRIEVES, needs("--rerank", "model"))
_EMBEDS = Condition(
    "needs --sections top3, or --corpus without --plain",
    lambda options: _uses_retrieval(options) or options["sections"] == "top3",
)
_OPTIONS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("--corpus", {"metavar": "FILE", "type": click.Path(), "multiple": True,
                  "help": "File of related papers (from st-parse) in which st-generate limitations searches for "
                      "passages or limitations; may be repeated."}),
    ("--relation", {"type": click.Choice(["cited-in", "cited-by", "similar", "all"]), "multiple": True,
                    "conditions": _RETRIEVES, "help":
                        "Use only related papers with this value of the key `relation`; may be repeated."}),
    ("--system", {"metavar": "NAME", "type": NonEmpty(),
                  "help": "Name of the system under which the output is stored (default: the name of the model, "
                      "followed by +rag if a corpus is used)."}),
    ("--sections", {"metavar": "LIST", "default": "top3", "conditions": needs("--model"),
                    "help": "Sections that the model reads: all, top3 (the three sections most similar to a "
                        "description of limitations), or roles and ids of sections."}),
    ("--split-words", {"metavar": "N", "type": _COUNT, "default": 3000, "conditions": needs("--model"),
                       "help": "Maximum number of words per model call; longer papers are split at section "
                       "boundaries."}),
    ("--embedder", {"metavar": "NAME", "conditions": _EMBEDS,
                    "help": "Embedding model that finds similar sections and passages: wordllama (default) or a "
                        "sentence-transformers model."}),
    ("--plain", {"is_flag": True, "conditions": (needs("--model"), needs("--corpus")),
                 "help": "Retrieve no passages; use --corpus only to choose the three sections of --sections top3."}),
    ("--chunk-words", {"metavar": "N", "type": _COUNT, "default": 300, "conditions": (needs("--model"), *_RETRIEVES),
                       "help": "Maximum number of words in a retrieved passage."}),
    ("--dense-weight", {"metavar": "W", "type": click.FloatRange(0, 1), "default": 0.5, "conditions": _RETRIEVES,
                        "help": "Weight W of the embedding similarity in the retrieval score; the weight of the "
                            "BM25 score is 1 - W."}),
    ("--top-k", {"metavar": "N", "type": _COUNT, "default": 20, "conditions": (needs("--model"), *_RETRIEVES),
                 "help": "Number of passages of related papers that are retrieved."}),
    ("--rerank", {"type": click.Choice(["model", "none"]), "default": "model",
                  "conditions": (needs("--model"), *_RETRIEVES),
                  "help": "Choose among the retrieved passages by the relevance that the model gives them (model), "
                      "or use the first --top passages (none)."}),
    ("--min-relevance", {"metavar": "N", "type": click.IntRange(1, 10), "default": 8, "conditions": _RERANKS,
                         "help": "Minimum relevance of the passages that are used, rated by the model from 1 to 10."}),
    ("--top", {"metavar": "N", "type": _COUNT, "default": 3,
               "conditions": (needs("--model"), *_RETRIEVES, needs("--rerank", "none")),
               "help": "Number of passages used with --rerank none."}),
    ("--items", {"metavar": "N", "type": _COUNT, "default": 5, "conditions": excludes("--model"),
                 "help": "Number of limitations to copy from similar papers if no model is used."}),
)  # fmt: skip


def _own_options(function: Callable) -> Callable:
    """Add the options of ``_OPTIONS``, in that order."""
    for name, settings in reversed(_OPTIONS):
        function = option(name, show_default=settings.get("default") is not None, **settings)(function)
    return function


@command(
    "st-generate limitations",
    examples=[
        (
            "st-extract-limits papers.jsonl | st-generate limitations --model openai/gpt-4o-mini --output plain.jsonl",
            "Generate limitations with a model that reads three sections of the paper: those most similar to a "
            "description of limitations.",
        ),
        (
            "st-generate limitations plain.jsonl --corpus cited.jsonl --relation cited-in --model openai/gpt-4o-mini",
            "Generate limitations by a second system, whose model also reads passages of the cited papers.",
        ),
        (
            "st-generate limitations extracted.jsonl --corpus papers.jsonl --items 3",
            "Without a model, copy the limitations of the most similar papers of a corpus.",
        ),
        (
            "st-generate limitations extracted.jsonl --sections all --model openai/gpt-4o-mini --dry-run",
            "Estimate the cost of sending whole papers.",
        ),
    ],
)
@model_options
@_own_options
def limitations(stream: Stream, corpus: tuple[str, ...], **options: Any) -> int:
    """Generate the limitations of each paper.

    Run st-extract-limits before st-generate limitations. The model does not see the extracted `limitations` of the
    paper and its reviews. Because a paper repeats itself, text of the removed limitations can still be in the prompt;
    `leak` counts the word sequences that the prompt shares with the removed limitations. st-generate limitations adds
    an entry under `generated.limitations`. With --model and without --corpus, the model reads only the paper. With
    --model and --corpus, the model also gets passages of the papers in the corpus, found by BM25 and embeddings. The
    model rates their relevance, and each generated limitation names its passages.

    Without a model, st-generate limitations copies from papers in --corpus the limitations most similar to the title
    and abstract of the paper, as a baseline; --items sets their number. --dry-run does not count the call that combines
    the lists from several pieces of a paper. docs/generate.md describes sections, relations, retrieval and samples.
    """
    from scholartools.tasks.generate.limitations import limitations, needs_model, related

    model = bool(options["model"])
    if not model and not corpus:
        raise needs_model()
    chosen = _task_options(options)
    papers = _read_corpus(stream, corpus, chosen, model=model) if corpus else None
    if papers is not None and not model:
        return stream.map_records(functools.partial(related, corpus=papers, options=chosen))
    from scholartools.pipeline.asking import ask_each

    return ask_each(stream, model_settings(options), functools.partial(limitations, options=chosen, corpus=papers))


def _read_corpus(stream: Stream, corpus: tuple[str, ...], chosen: Any, *, model: bool) -> Any:
    """Load the corpus of related papers; print the number of records without text to stderr."""
    from scholartools.tasks.generate.limitations import read_corpus

    papers = read_corpus(corpus, chosen, model=model)
    if papers.left_out and not stream.quiet:
        plural = "s of the corpus have" if papers.left_out > 1 else " of the corpus has"
        click.echo(f"st-generate: {papers.left_out} record{plural} no text and are left out", err=True)
    return papers


def _task_options(options: dict[str, Any]) -> Any:
    """Remove the task's options from ``options``, and return them validated.

    Raises:
        UsageFault: a value is invalid.
    """
    import dataclasses

    from scholartools.tasks.generate.limitations import Options, check

    named = {field.name: options.pop(field.name) for field in dataclasses.fields(Options)}
    named["sections"] = tuple(name.strip() for name in named["sections"].split(","))
    named["relation"] = () if "all" in named["relation"] else tuple(dict.fromkeys(named["relation"]))
    chosen = Options(**named)
    check(chosen)
    return chosen
