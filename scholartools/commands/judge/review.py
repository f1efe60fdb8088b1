"""st-judge review: find deficient segments of reviews."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import click

from scholartools.commands.shared.command import command
from scholartools.commands.shared.model_options import model_options, model_settings
from scholartools.commands.shared.options import NonEmpty, needs, option
from scholartools.errors import ModelFault, UsageFault

if TYPE_CHECKING:
    from scholartools.pipeline.stream import Stream

_COUNT = click.IntRange(min=1)


@command(
    "st-judge review",
    examples=[
        (
            "st-judge review reviewed.jsonl --model openai/gpt-4o-mini | st-score review --cluster id --table",
            "Show precision, recall and F1 of both prompts and of two combinations of the prompts, as means over "
            "reviews.",
        ),
        (
            "st-judge review reviewed.jsonl --system all | st-judge review --system none | st-score review --table",
            "Without a model, write two baselines: one calls every segment deficient, the other calls no segment "
            "deficient.",
        ),
        (
            "st-judge review reviewed.jsonl --segment --model openai/gpt-4o-mini --dry-run",
            "Estimate the cost of judging reviews sentence by sentence.",
        ),
    ],
)
@model_options
@option(
    "--system", metavar="NAME", type=NonEmpty(),
    help="Name of the system under which the output is stored (default: the name of the model). Without --model, the "
        "NAME of --system must be one of two baselines: `none` (no segment is deficient) or `all` (every segment is "
        "deficient).",
)  # fmt: skip
@option(
    "--segment",
    is_flag=True,
    help="Split reviews without `segments` into sentences, and add the sentences as `segments`.",
)
@option(
    "--split-words", metavar="N", type=_COUNT, conditions=needs("--model"),
    help=(
        "Maximum number of words of the paper in one model call (default: all words). If several calls judge a segment "
        "of a review, it is deficient if any call says so."
),
)  # fmt: skip
@option(
    "--segments-per-call", metavar="N", type=_COUNT, conditions=needs("--model"),
    help="Maximum number of segments in one model call (default: all segments of a review).",
)  # fmt: skip
def review(stream: Stream, **options: Any) -> int:
    """Judge which segments of each review are deficient, with two different prompts.

    st-judge review reads the text of the paper, and the `segments` of its `reviews`. Each segment has the character
    offsets `start` and `end`; people may have added their verdict (`deficient`) and their `explanation`. The prompt
    Labeling-All asks for a verdict on every segment of a review. The prompt Select-Deficient asks only for the
    deficient segments. st-judge review adds `judgements.review`, which st-score review scores for each prompt and for
    two combinations (both-no, either-no). If two replies give no usable verdict on a segment (it is omitted or named
    twice), the verdict is null and the exit status is 1. With --samples N, the answers of each sample are stored under
    a system name of their own (NAME#1, NAME#2 and so on).

    st-judge review needs a model. Without a model, --system none and --system all write the baselines that call no
    segment, or every segment, deficient.
    """
    from scholartools.tasks.judge.review_critique.prompted import Critiquing, review
    from scholartools.tasks.judge.review_critique.trivial import TRIVIAL, review_trivial

    if options["model"]:
        from scholartools.pipeline.asking import ask_each

        named = {name: options[name] for name in ("system", "segment", "split_words", "segments_per_call")}
        how = Critiquing(**named)
        return ask_each(stream, model_settings(options), functools.partial(review, how=how))
    if options["system"] is None:
        reason = (
            "the task review needs a model: name one with --model or ST_MODEL; without a model, --system none writes "
            "a baseline that calls no segment deficient, and --system all writes one that calls every segment deficient"
        )
        raise ModelFault(reason, kind="no-model")
    if options["system"] not in TRIVIAL:
        raise UsageFault(f'--system {options["system"]}: without --model it must be "none" or "all"')
    return stream.map_records(functools.partial(review_trivial, system=options["system"], segment=options["segment"]))
