"""st-claims: claims of papers, and the claims that reviewers dispute. A module for each action.

``select``, ``extract``, ``weaknesses``, ``associate``, ``label``, ``edit``, ``verify``,
``contamination``; ``options``: options shared by several actions. ``people``: files of people's answers.
"""

from __future__ import annotations

from scholartools.commands.shared.command import group

main = group(
    "st-claims",
    __name__,
    {
        "select": "Mark reviews that mention claims, or papers on a topic.",
        "extract": "Extract the claims of papers about their findings.",
        "weaknesses": "Find the passages of reviews that dispute claims.",
        "associate": "Find the claims that each weakness disputes: its targets.",
        "label": "Label the weaknesses: objectivity, agreement and types.",
        "edit": "Rewrite weaknesses to be sounder and more specific.",
        "verify": "State what is wrong with each disputed claim.",
        "contamination": "Test whether a model has memorised the reviews.",
    },
    noun="action",
    help="""Find the claims of papers, the weaknesses that reviewers state, and the claims that each weakness disputes
    (CLAIMCHECK).

    Run the actions of st-claims in the order in which they are listed. `st-claims extract` reads papers; the other
    actions also need `reviews`, or the keys that earlier actions added. Each action of st-claims adds a key of its
    own to the records. Each extracted claim or weakness is an exact passage of the paper or the review. A passage
    that a model quotes, but that is not in the text, is kept under `rejected` with the reason. docs/claims.md shows
    all steps from PDFs and reviews to the tables of the CLAIMCHECK paper.""",
    examples=[
        (
            "st-parse --reviews r.json paper.pdf | st-claims extract | st-claims weaknesses | st-claims associate",
            "Find claims, weaknesses and the claims that they dispute by weak built-in methods, without a model.",
        ),
        (
            "st-claims label targeted.jsonl --edit --model openai/gpt-4o --temperature 0.3 --seed 0 --dry-run",
            "Estimate the cost of labelling and rewriting weaknesses in one run.",
        ),
    ],
)
