"""st-judge: rate or match generated text against a reference with an LLM judge. A module for each task.

``facets``, ``match``, ``entail``, ``equation``, ``review``, ``same_issue``, ``specificity``, ``rate``, and for rate
``fit``, ``pools``, ``mates``, ``sheet``; ``options``: options shared by several tasks.
"""

from __future__ import annotations

from scholartools.commands.shared.command import group

main = group(
    "st-judge",
    __name__,
    {
        "facets": "Rate how fully each summary contains the abstract's facets.",
        "match": "Find which generated limitations match known limitations.",
        "entail": "Decide which experiments another list covers.",
        "equation": "Decide which equations are right in their context.",
        "review": "Judge which segments of each review are deficient.",
        "same-issue": "Judge whether a reviewer and a model find the same fault.",
        "specificity": "Judge which version of a weakness is more specific.",
        "rate": "Rate texts for each aspect of a criteria file.",
        "fit": "Fit criteria, examples or steps that a rating method needs.",
        "pools": "Put records into random groups that batcheval rates together.",
        "mates": "Test whether batcheval scores depend on the other texts.",
        "sheet": "Write a sheet on which people rate texts, or read it.",
    },
    help="""Rate texts, or match them against a reference, with a language model as the judge.

    Most tasks of st-judge read records, ask a model about the texts in them, and add its judgements under
    `judgements`. The tasks `fit` and `pools` prepare the task `rate`, and the task `mates` checks the scores of
    `rate`. Without --model, a task uses a built-in method, which is weak; the help of the task says how often it is
    right. Without --model, a task that has no built-in method ends with status 4. Prompts do not name the systems
    that are judged.""",
    examples=[
        (
            "st-facets papers.jsonl | st-judge facets --model openai/gpt-4o-mini | st-score facets --table",
            "Rate the facets of summaries, and print the facet score of every system.",
        ),
        (
            "st-judge match generated.jsonl --model openai/gpt-4o-mini | st-score match --table",
            "Show how many known limitations each system found, and how many of the system's limitations are known "
            "ones.",
        ),
    ],
)
