"""st-agree parse-score: extract ratings from replies of models."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

from scholartools.commands.agree.options import reduce_to_results, take_statistics
from scholartools.commands.shared.command import command
from scholartools.commands.shared.options import excludes, option
from scholartools.errors import UsageFault

if TYPE_CHECKING:
    from scholartools.pipeline.stream import Stream


@command(
    "st-agree parse-score",
    reads="rows",
    shards=True,
    examples=[
        (
            "st-agree parse-score --range 1 5 replies.jsonl | st-agree alpha",
            "Read the scores in models' replies, and measure their agreement.",
        ),
        ("st-agree parse-score --range 1 5 --summary replies.jsonl", "Count the replies that contain a score."),
    ],
)
@option(
    "--reply",
    metavar="KEY",
    default="reply",
    show_default=True,
    help="Record key that holds the model's reply, which may be null.",
)
@option(
    "--value",
    metavar="KEY",
    default="value",
    show_default=True,
    help="Record key under which the score of the reply is written.",
)
@option(
    "--range", metavar="LOW HIGH", type=float, nargs=2, conditions=excludes("--published"),
    help="Lowest and highest score of the scale that the model was asked to use.",
)  # fmt: skip
@option(
    "--published", is_flag=True,
    help=(
        "Read the score by the first of five text patterns that matches, as in the published code of a study on "
        "evaluating research questions, instead of by the strict rules of st-agree parse-score."
    ),
)  # fmt: skip
@option(
    "--summary",
    is_flag=True,
    help=("Write a count of the replies that contain a score, instead of the records with scores."),
)
@option("--table", is_flag=True, help="Print the results of --summary as a human-readable table.")
def parse_score(stream: Stream, summary: bool, table: bool, **options: Any) -> int:
    """Read the score in each reply of a model.

    st-agree parse-score finds the number that a reply states within --range, and writes it at --value. The key
    `value_parsed` says how the number was read; with --value KEY, its name is KEY_parsed. If a reply states no number,
    or can mean several numbers, the value is null with a reason. --published uses exactly the text patterns that a
    study on evaluating research questions published. The published text patterns misread some replies: they read "Score
    (0-2): 2" as 0, and a numbered list before "**Rating:** 4" as 1. docs/agree.md says how replies are read.
    """
    from scholartools.tasks.agree.reply_scores import Reading, Replies, parse
    from scholartools.tasks.agree.run import Run

    take_statistics(stream)
    if not options["published"] and options["range"] is None:
        raise UsageFault("parse-score needs --range LOW HIGH, the lowest and the highest score (or --published)")
    reading = Reading(**options)
    if summary or table:
        replies = Replies(reading)
        return reduce_to_results(stream, Run(replies, replies.summary), table=table)
    return stream.map_records(functools.partial(parse, reading=reading))
