"""st-judge: ask a model how texts compare with a reference."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import click

from scholartools.commands._common import command
from scholartools.commands._model_options import model_options
from scholartools.errors import UsageFault

if TYPE_CHECKING:
    from scholartools.commands._stream import Stream


@command(
    "st-judge",
    arguments="TASK [FILE]...",
    examples=[
        (
            "st-facets papers.jsonl | st-judge facets --model openai/gpt-4o-mini | st-score facets --table",
            "The facet score of every system in `summaries`.",
        ),
        (
            "st-judge facets faceted.jsonl --model openai/gpt-4o-mini --few-shot builtin --samples 3 --dry-run",
            "What three samples of every rating would cost, with our examples in the prompt.",
        ),
        (
            "st-judge facets papers.jsonl --model openai/gpt-4o-mini --vanilla",
            "One rating of each whole summary, to compare with.",
        ),
    ],
)
@model_options
@click.option("--few-shot", metavar="FILE", help="Show the examples of a JSONL file, or ours: `builtin`.")
@click.option("--vanilla", is_flag=True, help="Rate each summary as a whole, 1 to 4, not by facet.")
@click.option("--reference", metavar="PATH", help="Your own field of the reference, as a dotted path.")
@click.option("--candidate", metavar="PATH", help="Your own field of the candidates, likewise.")
def main(stream: Stream, few_shot: str | None, vanilla: bool, **options: Any) -> int:
    """Have a model judge texts against a reference, and add what it says under `judgements`.

    TASK is `facets`: how far each of `summaries` has the background and conclusion (1 to 3) and the method and result
    (1 to 4) of the abstract, one call for each facet that both have. 1 is a contradiction, 2 nothing of what the
    reference says; the highest is agreement, and 3 of 4 lacks a part of the key information. A facet that the abstract
    lacks has no rating (null), one that only the summary lacks is rated 1 without a call. Run st-facets first, and
    st-score after for the facet score.

    There is no built-in judge: words in common do not tell a contradiction from agreement, and thresholds that were
    fitted to no ratings by people would look like a facet score. Without --model the command ends with status 4.

    With --samples a rating is the median of its samples, which are all kept. A line of a --few-shot file is an object
    with `facet`, `reference`, `candidate` and `rating`; an example is shown with every facet of its scale.

    At --reference stands an object with `background`, `method`, `result` and `conclusion`, each a text or null; at
    --candidate such an object, or a list of them, each with its `system`. With --vanilla they are texts.
    """
    from scholartools.tasks import judge

    if stream.take_names(judge.TASKS, "task") != ["facets"]:
        raise UsageFault(f"name one task: {', '.join(judge.TASKS)}")
    if vanilla and few_shot:
        raise UsageFault("--few-shot shows examples of facets: it does not go with --vanilla")
    examples = judge.read_examples(few_shot) if few_shot else ()
    if not options["model"]:
        raise judge.needs_model()
    from scholartools.commands._model import ask_each

    paths = {"reference": options.pop("reference"), "candidate": options.pop("candidate")}
    ask = judge.vanilla if vanilla else functools.partial(judge.facets, examples=examples)
    return ask_each(stream, options, functools.partial(ask, **paths))
