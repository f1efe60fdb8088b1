"""st-eqsynth: questions about the equations of papers, and pairs of equations certified.

- ``questions``: make questions from papers; print a table of a set of questions, or verify it.
- ``compare``: tell whether the two equations of a pair say the same.
"""

from __future__ import annotations

from scholartools.commands.shared.command import group

main = group(
    "st-eqsynth",
    __name__,
    {
        "questions": "Make questions with wrong equations of papers.",
        "compare": "Certify whether the two expressions of a pair are equivalent.",
    },
    noun="action",
    default="questions",
    help="""Make questions with wrong equations of papers, each proven to differ from the paper's by a certificate.

    `questions` is the default: `st-eqsynth papers.jsonl` reads records that st-parse made of LaTeX, and writes one
    record per question: the text around an equation, the equation and three wrong ones. A certificate says how it was
    shown that two equations say the same, or that they differ. `compare` certifies pairs of your own.

    docs/equations.md describes questions, certificates and the slips that wrong equations are made of.""",
    examples=[
        ("st-parse paper.tex | st-eqsynth --seed 1 > questions.jsonl", "Make up to three questions from a paper."),
        (
            "st-eqsynth --table questions.jsonl",
            "Describe a set of questions, and show how many of them shortcuts solve.",
        ),
        ("st-eqsynth compare pairs.jsonl", "Certify whether `positive` and `alternative` of each pair are the same."),
    ],
)
