"""st-eqsynth: questions about equations of papers, and certificates of equivalence for pairs of equations.

- ``questions``: make questions from papers; summarise a set of questions in a table, or verify it.
- ``compare``: certify whether the two equations of a pair are equivalent.
"""

from __future__ import annotations

from scholartools.commands.shared.command import group

main = group(
    "st-eqsynth",
    __name__,
    {
        "questions": "Make questions about the equations of papers.",
        "compare": "Decide by a proof whether two expressions are equivalent.",
    },
    noun="action",
    default="questions",
    help="""Make questions about equations of papers, with wrong equations that are proven to differ from the right one.

    `questions` is the default: `st-eqsynth papers.jsonl` reads records that st-parse made of LaTeX, and writes one
    record per question: the text around an equation, the equation and three wrong ones. A certificate is the computed
    proof that two equations are equivalent, or that they differ. `compare` computes certificates for your own pairs of
    expressions.

    docs/equations.md describes questions, certificates and the errors that are inserted into equations.""",
    examples=[
        (
            "st-parse paper.tex | st-eqsynth --seed 1 > questions.jsonl",
            "Make up to three questions about the equations of a paper.",
        ),
        (
            "st-eqsynth --table questions.jsonl",
            "Describe a set of questions, and show how many of them can be solved by shortcuts, without the paper.",
        ),
        (
            "st-eqsynth compare pairs.jsonl",
            "Decide by a computed proof whether `positive` and `alternative` of each pair are equivalent.",
        ),
    ],
)
