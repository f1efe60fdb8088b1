"""st-judge match: which generated items say the same as the known ones."""

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
            "Show how many known limitations each system found, and how many of its own are known.",
        ),
        (
            "st-judge match generated.jsonl --model openai/gpt-4o-mini --layout row --dry-run",
            "Estimate the cost of asking about one known limitation and all generated ones in one call.",
        ),
        (
            "st-judge match --summary --table judged.jsonl",
            "Show how often prompts and orders disagreed; no model is asked.",
        ),
    ],
)
@model_options
@option(
    "--layout", type=click.Choice(["pair", "row"]), default="pair", show_default=True, conditions=_ASKS,
    help="Ask about one candidate per call, or about all items of a system.",
)  # fmt: skip
@option(
    "--votes", type=click.Choice(["all", "majority"]), default="all", show_default=True, conditions=_ASKS,
    help="Number of votes that must say yes for a match: all, or more than half.",
)  # fmt: skip
@option(
    "--prefilter", metavar="X", type=COSINE, conditions=_ASKS,
    help="Do not ask about pairs whose embedding cosine is below X.",
)  # fmt: skip
@option(
    "--threshold", metavar="X", type=COSINE, conditions=(*_JUDGES, excludes("--model")),
    help="Minimum cosine of a match in the built-in method.  [default: 0.69]",
)  # fmt: skip
@option(
    "--embedder", metavar="NAME", conditions=(*_JUDGES, _EMBEDS),
    help="Embedder of --prefilter or of the built-in method: wordllama or a sentence-transformers model.",
)  # fmt: skip
@option(
    "--summary", is_flag=True, asks_no_model=True,
    help="Pool the reports of judged records into one record per system.",
)  # fmt: skip
@option("--table", is_flag=True, asks_no_model=True, help="Like --summary, as a human-readable table.")
@side_options("limitations", "generated.limitations", *_JUDGES)
def match(stream: Stream, **options: Any) -> int:
    """Find which items of `generated.limitations` have the same meaning as one of `limitations`.

    Both sides need ids. Three prompts in two orders ask about each pair: 6 calls, 6 votes. A pair matches if all votes
    say yes. The command adds the pairs, their votes and a report as `judgements.match`. The report has the number of
    inconsistent pairs. For each prompt, it has the share of votes that say yes, and the position bias. A vote without a
    usable reply is null. A match that depends on such a vote is null too; then the record has `errors`, and the exit
    status is 1.

    Without --model, a pair matches if the cosine of its embeddings is at least --threshold. That is weak: it is right
    on 29 of 46 labelled pairs, half of them hard (Cohen's kappa 0.23). docs/judge.md says how pairs are chosen and
    counted.
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
