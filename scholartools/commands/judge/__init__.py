"""st-judge: rate or match generated text against a reference with an LLM judge. A file for each task."""

from __future__ import annotations

from scholartools.commands.judge.entail import entail
from scholartools.commands.judge.equation import equation
from scholartools.commands.judge.facets import facets
from scholartools.commands.judge.match import match
from scholartools.commands.judge.rate import rate
from scholartools.commands.judge.review import review
from scholartools.commands.judge.same_issue import same_issue
from scholartools.commands.judge.specificity import specificity
from scholartools.commands.shared.command import group

main = group(
    "st-judge",
    [facets, match, entail, equation, review, same_issue, specificity, rate],
    help="""Rate or match generated text against a reference.

    Each task reads records, asks a model about the texts in them, and adds what was said under `judgements`. Without
    --model a task uses a built-in method, which is weak: its help says how weak; where no honest one exists it ends
    with status 4. Judges see no system's name.""",
    examples=[
        (
            "st-facets papers.jsonl | st-judge facets --model openai/gpt-4o-mini | st-score facets --table",
            "The facet score of every system in `summaries`.",
        ),
        (
            "st-judge match generated.jsonl --model openai/gpt-4o-mini | st-score match --table",
            "How many limitations each system found, and how many of its own are among the known ones.",
        ),
    ],
)
