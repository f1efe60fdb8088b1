"""st-generate: texts about papers written by a model, such as limitations and weaknesses. A module for each task.

``limitations``, ``weaknesses``, ``experiments``, ``explanations``, ``questions``; ``showing``: options of the tasks in
which the model sees a paper without its experiments.
"""

from __future__ import annotations

from scholartools.commands.shared.command import group

main = group(
    "st-generate",
    __name__,
    {
        "limitations": "Generate the limitations of each paper.",
        "weaknesses": "List the weaknesses of each paper, as a reviewer would.",
        "experiments": "Plan the experiments of each paper from its first part.",
        "explanations": "Explain the purpose of each experiment of a paper.",
        "questions": "Write the research question of each paper.",
    },
    help="""Generate limitations, weaknesses, experiments and questions for papers.

    Each task of st-generate reads paper records, adds an entry under `generated`, and keeps the entries of other
    systems. The model does not see the parts of a paper and of its reviews that state what the model must find. For
    limitations and experiments, `leak` counts the word sequences that the prompts share with the parts that the model
    must not see.""",
    examples=[
        (
            "st-extract-limits papers.jsonl | st-generate limitations --model openai/gpt-4o-mini --output plain.jsonl",
            "Generate limitations with a model that reads three sections of the paper: those most similar to a "
            "description of limitations.",
        ),
        (
            "st-generate limitations extracted.jsonl --corpus papers.jsonl --items 3",
            "Without a model, copy the limitations of the most similar papers of a corpus.",
        ),
    ],
)
