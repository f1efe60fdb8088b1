"""st-annotate: annotation of items by people.

- ``assign``: make a batch. ``sheets``: export and import of raters' files. ``answers``: status and use of the answers.
- ``disputes``: disagreements of raters, and gold answers.
"""

from __future__ import annotations

from scholartools.commands.shared.command import group

main = group(
    "st-annotate",
    __name__,
    {
        "assign": "Make a batch: assign the items of records to raters.",
        "export": "Write the answer sheets that raters fill in.",
        "import": "Read filled files into the answers of a batch.",
        "status": "Show the progress and the agreement of raters.",
        "ratings": "Write answers as ratings for st-agree.",
        "adjudicate": "Make a batch of the items on which raters differ.",
        "gold": "Write gold answers: unanimous, adjudicated or by majority.",
        "agree": "Compare the judges (such as models) in records with people.",
        "apply": "Add answers to the records of the items.",
    },
    modules={
        "assign": "assign", "export": "sheets", "import": "sheets",
        "status": "answers", "ratings": "answers", "apply": "answers", "adjudicate": "disputes", "gold": "disputes",
        "agree": "disputes",
    },
    noun="action",
    help="""Assign items of papers and reviews to annotators (raters), and read their answers.

    A batch of items for raters is a folder. `assign` makes a batch, and decides at random which rater gets which
    items, and in which order. `export` writes a CSV file, an Excel workbook or JSON lines for each rater; `import`
    checks the files that raters filled in. Sheets name neither paper nor system, and do not show which items are
    repeated or have a known answer. docs/people.md has a study from beginning to end.""",
    examples=[
        (
            "st-annotate assign labels papers.jsonl --raters anna,ben,eve --per-item 2 --output pilot",
            "Make a batch in which two of three raters label every weakness.",
        ),
        ("st-annotate export pilot --to xlsx", "Write a workbook for each rater under pilot/raters/."),
        (
            "st-annotate import pilot anna.xlsx ben.xlsx > answers.jsonl",
            "Check the answers of two raters, and write them as JSONL.",
        ),
        (
            "st-annotate ratings pilot | st-agree alpha --ci --table",
            "Measure the agreement of the raters, with confidence intervals.",
        ),
    ],
)  # fmt: skip
