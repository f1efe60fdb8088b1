"""st-annotate status, ratings and apply: what is made of answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from scholartools.commands.annotate.sheets import batch_of
from scholartools.commands.shared.command import command
from scholartools.commands.shared.options import excludes, option

if TYPE_CHECKING:
    from scholartools.io import Record
    from scholartools.pipeline.stream import Stream


@command(
    "st-annotate status",
    shards=False,
    reads="files",
    arguments="DIR",
    examples=[
        ("st-annotate status pilot --table", "How far each rater is, and how far they agree."),
        ("st-annotate status pilot | jq -c 'select(.left > 0) | [.rater, .left]'", "Who is not done."),
    ],
)
@option("--table", is_flag=True, help="Print a human-readable table instead of JSONL.")
def status(stream: Stream, *, table: bool) -> int:
    """Show how far each rater of a batch is, what is known of their care, and how far they agree so far.

    Of items with a known answer: how many questions were answered so, with Wilson's interval; of items that came twice:
    how many questions were answered alike. Neither is in alpha. Seconds are the median of those that a tool counted.
    """
    from scholartools import io
    from scholartools.tasks.annotate.answers import read_answers
    from scholartools.tasks.annotate.progress import status_records, status_table

    batch = batch_of(stream, most=1)
    found = list(status_records(batch, read_answers(batch)))
    with io.open_output(stream.output) as output:
        for part in [status_table(found)] if table else found:
            output.write(part)
    return 0


@command(
    "st-annotate ratings",
    shards=False,
    reads="files",
    arguments="DIR",
    examples=[
        ("st-annotate ratings pilot | st-agree alpha --level-of types=masi --table", "How far raters agree."),
        ("st-annotate ratings pilot --level spans | st-agree spans", "How far they marked the same passages."),
    ],
)
@option(
    "--controls", type=click.Choice(["without", "with", "only"]), default="without", show_default=True,
    help="Items that came twice, or of which the answer is known.",
)  # fmt: skip
@option("--drafts", is_flag=True, help="Also answers that were not handed in.")
@option("--level", metavar="NAME", help="Only ratings of this level of measurement: nominal, ordinal, masi, spans ...")
def ratings(stream: Stream, controls: str, level: str | None, *, drafts: bool) -> int:
    """Write the answers of a batch as ratings, one a line, for st-agree.

    A choice of several values is a rating of 0 or 1 for each, and one that is the list of those chosen. A repeat is no
    second rating of its rater: with --controls its item has another name.
    """
    from scholartools import io
    from scholartools.tasks.annotate.answers import read_answers
    from scholartools.tasks.annotate.ratings import rating_rows

    batch = batch_of(stream, most=1)
    with io.open_output(stream.output) as output:
        for row in rating_rows(batch, read_answers(batch), controls, has_drafts=drafts):  # type: ignore[arg-type]
            if level in (None, row["level"]):
                output.write(row)
    return 0


@command(
    "st-annotate apply",
    shards=False,
    arguments="DIR [FILE]...",
    examples=[
        ("st-annotate apply pilot papers.jsonl > labelled.jsonl", "The records with what people said."),
        (
            "st-annotate apply pilot papers.jsonl | st-score labels --table",
            "How far the labels of a method are theirs.",
        ),
    ],
)
@option(
    "--truth", metavar="FILE", conditions=excludes("--drafts"),
    help="Add what st-annotate gold wrote, as of the rater gold, in place of the answers of raters.",
)  # fmt: skip
@option("--drafts", is_flag=True, help="Also answers that were not handed in.")
def apply(stream: Stream, truth: str | None, *, drafts: bool) -> int:
    """Add the answers of a batch to the records that its items are of, as those of each rater.

    Items that came twice count once; items with a known answer are left out. A text that is not the one that was given
    out is refused. What the answers become depends on the kind of the items: docs/people.md has a table.
    """
    from scholartools.errors import UsageFault
    from scholartools.tasks.annotate.answers import read_answers
    from scholartools.tasks.annotate.batch import read_truth
    from scholartools.tasks.annotate.kinds import find_kind
    from scholartools.tasks.annotate.restore import Restored

    batch = batch_of(stream)
    stream.files = stream.files[1:]
    put = find_kind(batch.kind).put if not batch.about["is_own"] else None
    if put is None:
        raise UsageFault(
            f'answers about the kind "{batch.kind}" have no place in records: st-annotate ratings has them'
        )
    known = read_truth(truth, "truth") if truth is not None else None
    restored = Restored(batch, find_kind(batch.kind), read_answers(batch), has_drafts=drafts, truth=known)

    def add(record: Record) -> Any:
        return restored.add(record)

    status = stream.map_records(add)
    if (lost := restored.find_lost()) and not stream.quiet:
        click.echo(f"st-annotate: {len(lost)} papers with answers are in no record, such as {lost[0]}", err=True)
    return status or int(bool(lost))
