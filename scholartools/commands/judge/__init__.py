"""st-judge: rate or match generated text against a reference with an LLM judge. A file for each task."""

from __future__ import annotations

from scholartools.commands.shared.command import group

main = group(
    "st-judge",
    __name__,
    {
        "facets": "Rate how far each summary has the facets of the abstract.",
        "match": "Find which generated limitations say the same as known ones.",
        "entail": "Decide which items the list of the other side covers.",
        "equation": "Decide which equations are right in their context.",
        "review": "Judge which segments of each review are deficient.",
        "same-issue": "Judge whether a reviewer and a model find the same fault.",
        "specificity": "Judge which version of a weakness is more specific.",
        "rate": "Rate texts for each aspect of a criteria file.",
        "fit": "Make what a method of rating needs into a criteria file.",
        "pools": "Draw records into pools that batcheval rates together.",
        "mates": "Tell whether batcheval scored texts by their company.",
    },
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
