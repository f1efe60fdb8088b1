"""st-judge match: which generated items have the same meaning as reference items."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import click

from scholartools.commands.judge.options import COSINE, embedding_sources, side_options
from scholartools.commands.shared.command import command
from scholartools.commands.shared.model_options import model_options, model_settings
from scholartools.commands.shared.options import Condition, excludes, needs, option, tell_variable

if TYPE_CHECKING:
    from scholartools.pipeline.stream import Stream

_JUDGES = (excludes("--summary"), excludes("--table"))
_ASKS = (*_JUDGES, needs("--model"))
_EMBEDS = Condition(
    lambda _: f"needs --prefilter, or no --model{tell_variable('--model')}",
    lambda options: not options["model"] or options["prefilter"] is not None,
)


@command(
    "st-judge match",
    examples=[
        (
            "st-judge match generated.jsonl --model openai/gpt-4o-mini | st-score match --table",
            "Show how many known limitations each system found, and how many of the system's limitations are known "
            "ones.",
        ),
        (
            "st-judge match generated.jsonl --model openai/gpt-4o-mini --layout row --dry-run",
            "Estimate the cost of a run in which each call shows one known limitation and all generated limitations.",
        ),
        (
            "st-judge match --summary --table judged.jsonl",
            "Show how often the votes of different prompts and orders differ, without calling a model.",
        ),
    ],
)
@model_options
@option(
    "--layout", type=click.Choice(["pair", "row"]), default="pair", show_default=True, conditions=_ASKS,
    help="Show the model one reference item and one item of a system per call (pair), or one reference item and all "
    "items of a system (row).",
)  # fmt: skip
@option(
    "--votes", type=click.Choice(["all", "majority"]), default="all", show_default=True, conditions=_ASKS,
    help="Number of votes that must say yes for a match: all, or more than half.",
)  # fmt: skip
@option(
    "--prefilter", metavar="X", type=COSINE, conditions=_ASKS,
    help="Do not ask the model about pairs whose embeddings have a cosine similarity below X.",
)  # fmt: skip
@option(
    "--threshold", metavar="X", type=COSINE, conditions=(*_JUDGES, excludes("--model")),
    help="Minimum cosine similarity at which the built-in method (used without --model) says that two items match.  "
         "[default: 0.69]",
)  # fmt: skip
@option(
    "--embedder", metavar="NAME", conditions=(*_JUDGES, _EMBEDS),
    help="Embedding model of --prefilter or of the built-in method: wordllama or a sentence-transformers model.",
)  # fmt: skip
@option(
    "--summary", is_flag=True, asks_no_model=True,
    help="Combine the reports in records that st-judge match judged into one record per system; no model is asked.",
)  # fmt: skip
@option("--table", is_flag=True, asks_no_model=True, help="Print the results of --summary as a human-readable table.")
@side_options("limitations", "generated.limitations", *_JUDGES)
def match(stream: Stream, **options: Any) -> int:
    """Find which items of `generated.limitations` have the same meaning as one of `limitations`.

    All items of `limitations` and `generated.limitations` need ids. Three prompts in two orders ask about each pair of
    items, so each pair has 6 calls and 6 votes. A pair of items matches if all its votes are yes. st-judge match adds
    the pairs, their votes and a report as `judgements.match`. The report in `judgements.match` counts the pairs on
    which votes differ. For each prompt, the report in `judgements.match` has the share of votes that say yes, and the
    position bias. A vote is null if the model gave no usable reply. If a missing vote could decide whether a pair
    matches, the match is null too; the record then has `errors`, and the exit status is 1.

    Without --model, a pair matches if the cosine of its embeddings is at least --threshold. The built-in method of
    st-judge match is weak: it is right on 29 of 46 test pairs, half of which are hard cases (Cohen's kappa 0.23).
    docs/judge.md says how pairs are chosen and counted.
    """
    from scholartools.tasks.judge.matching.builtin import THRESHOLD, match_builtin
    from scholartools.tasks.judge.matching.prompted import Matching, match
    from scholartools.tasks.judge.matching.report import Reports, table

    if options["summary"] or options["table"]:
        reports = Reports()
        write = table if options["table"] else list
        return stream.reduce_records(reports.add, lambda _: write(reports.records()))
    if options["model"]:
        from scholartools.pipeline.asking import ask_each

        how = Matching(options["layout"], options["votes"], options["prefilter"], **embedding_sources(options))
        return ask_each(stream, model_settings(options), functools.partial(match, how=how))
    threshold = THRESHOLD if options["threshold"] is None else options["threshold"]
    return stream.map_records(functools.partial(match_builtin, threshold=threshold, **embedding_sources(options)))
