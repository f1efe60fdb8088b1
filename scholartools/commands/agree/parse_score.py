"""st-agree parse-score: ratings from the replies of models."""

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
            "Numbers from what models said, and their agreement.",
        ),
        ("st-agree parse-score --range 1 5 --summary replies.jsonl", "How many replies hold a score."),
    ],
)
@option("--reply", metavar="KEY", default="reply", show_default=True, help="Key of the reply; it may be null.")
@option("--value", metavar="KEY", default="value", show_default=True, help="Key to add the score at.")
@option(
    "--range", metavar="LOW HIGH", type=float, nargs=2, conditions=excludes("--published"),
    help="Lowest and highest score of the scale.",
)  # fmt: skip
@option(
    "--published", is_flag=True,
    help="Read scores by the five published patterns, the first that matches, instead of strictly.",
)  # fmt: skip
@option("--summary", is_flag=True, help="Count the replies that hold a score instead of adding the scores.")
@option("--table", is_flag=True, help="Like --summary, as a human-readable table.")
def parse_score(stream: Stream, summary: bool, table: bool, **options: Any) -> int:
    """Read the score in each reply of a model.

    Adds to each record the number in --range that its reply can mean, at --value, and how it was read at
    VALUE_parsed. A reply that can mean no number, or several, gets null with the reason. With --published the patterns
    of the paper on research questions are used, to the letter. They misread: "Score (0-2): 2" is 0, a numbered list
    before "**Rating:** 4" is 1. docs/agree.md says how replies are read.
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
