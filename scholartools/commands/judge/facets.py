"""st-judge facets: rate the facets of each summary against those of the abstract."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import click

from scholartools.commands.judge.options import embedding_sources, side_options
from scholartools.commands.shared.command import command
from scholartools.commands.shared.model_options import model_options, model_settings
from scholartools.commands.shared.options import excludes, needs, option

if TYPE_CHECKING:
    from scholartools.pipeline.stream import Stream


@command(
    "st-judge facets",
    examples=[
        (
            "st-facets papers.jsonl | st-judge facets --model openai/gpt-4o-mini | st-score facets --table",
            "Rate the facets of summaries, and print the facet score of every system.",
        ),
        (
            "st-judge facets faceted.jsonl --model openai/gpt-4o-mini --few-shot builtin --samples 3 --dry-run",
            "Estimate the cost of three samples per rating, with the built-in examples in the prompt.",
        ),
        (
            "st-judge facets papers.jsonl --model openai/gpt-4o-mini --vanilla",
            "Rate each summary as a whole, for comparison with ratings by facet.",
        ),
    ],
)
@model_options
@option(
    "--few-shot", metavar="FILE", conditions=(needs("--model"), excludes("--vanilla")),
    help="Show the model rated examples from a JSONL file, or with `builtin` the built-in examples.",
)  # fmt: skip
@option(
    "--vanilla",
    is_flag=True,
    conditions=needs("--model"),
    help="Rate each summary as a whole (1 to 4) instead of by facet.",
)
@option(
    "--embedder", metavar="NAME", conditions=excludes("--model"),
    help="Embedding model of the built-in method, which is used without --model: wordllama or a sentence-transformers "
         "model.",
)  # fmt: skip
@side_options("the facets of the abstract", "the texts of `summaries`")
def facets(stream: Stream, **options: Any) -> int:
    """Rate how fully each summary contains each facet of the abstract.

    st-judge facets reads `facets` (from st-facets) and adds `judgements.facets`. The facets background and conclusion
    are rated 1 to 3, and method and result 1 to 4, with one call for each facet that the abstract and the summary have.
    The rating 1 means that the summary contradicts the facet of the abstract, 2 that it has no content of the facet,
    and the highest rating that it agrees with the facet. A facet that the abstract lacks has no rating (null). A facet
    that only the summary lacks is rated 1 without a model call. With --samples N, a rating is the median of N samples.

    Without --model, the built-in method computes a rating from embeddings and from the words that both texts contain.
    The built-in method of st-judge facets is weak: it recognises none of 12 contradictions, and gives 25 of 42 test
    pairs the same rating as we do. Do not publish facet scores that were computed from its ratings (`ratings=builtin`
    in their signature). docs/judge.md describes scales and test pairs.
    """
    if options["model"]:
        return _ask_model(stream, options)
    from scholartools.tasks.judge.facet_ratings.builtin import facets_builtin

    rate = functools.partial(facets_builtin, **embedding_sources(options))
    if not stream.quiet:
        click.echo(
            "st-judge: without --model, a weak built-in method rates the facets by common words and embeddings "
            "(see --help)",
            err=True,
        )
    return stream.map_records(rate)


def _ask_model(stream: Stream, options: dict[str, Any]) -> int:
    from scholartools.pipeline.asking import ask_each
    from scholartools.tasks.judge.facet_ratings.few_shot import read_examples
    from scholartools.tasks.judge.facet_ratings.overall import rate_overall
    from scholartools.tasks.judge.facet_ratings.prompted import facets

    examples = read_examples(options["few_shot"]) if options["few_shot"] else ()
    paths = {name: options[name] for name in ("reference", "candidate")}
    ask = rate_overall if options["vanilla"] else functools.partial(facets, examples=examples)
    return ask_each(stream, model_settings(options), functools.partial(ask, **paths))
