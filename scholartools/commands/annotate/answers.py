"""st-annotate status, ratings, apply: progress of raters, and their answers as ratings and in records."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from scholartools.commands.annotate.sheets import batch_of, status_of_judges
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
        (
            "st-annotate status pilot --table",
            "Show how many items each rater has answered, and how well the raters agree.",
        ),
        (
            "st-annotate status pilot | jq -c 'select(.left > 0) | [.rater, .left]'",
            "List the raters who have not answered all of their items.",
        ),
    ],
)
@option("--table", is_flag=True, help="Print a human-readable table instead of JSONL.")
def status(stream: Stream, *, table: bool) -> int:
    """Report the progress of the raters of a batch, their accuracy on items with a known answer, and their agreement.

    For items with a known answer, st-annotate status shows how many questions were answered correctly, with Wilson's
    interval. For items that a rater gets twice, st-annotate status shows how many questions the rater answered in the
    same way both times. Items with a known answer and repeated items do not enter alpha. `seconds` is the median time
    per item, if the annotation tool recorded times.
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
    arguments="DIR [FILE]...",
    examples=[
        (
            "st-annotate ratings pilot | st-agree alpha --level-of types=masi --table",
            "Measure how well raters agree on each question.",
        ),
        (
            "st-annotate ratings pilot --level spans | st-agree spans",
            "Measure how well the passages that different raters marked agree.",
        ),
        (
            "st-annotate ratings pilot labelled.jsonl | st-agree alpha --without gpt",
            "Compare the agreement of raters with and without the labels of a model.",
        ),
    ],
)
@option(
    "--controls", type=click.Choice(["without", "with", "only"]), default="without", show_default=True,
    help="Whether to write ratings of control items (repeated items, and items with a known answer): do not write them "
    "(without), write them too (with), or write no others (only).",
)  # fmt: skip
@option("--drafts", is_flag=True, help="Include drafts: answers that raters saved in Label Studio but did not submit.")
@option(
    "--level",
    metavar="NAME",
    help="Write only ratings with this level of measurement (nominal, ordinal, masi, spans ...).",
)
def ratings(stream: Stream, controls: str, level: str | None, *, drafts: bool) -> int:
    """Write the answers of raters in a batch as ratings, one per line, for st-agree.

    If a question allows several values, each value is a rating of 0 or 1, and the list of chosen values is another
    rating. If a rater gets an item twice, the second answer is not written as a rating; with --controls, it is written
    too, under another item name. If raters choose among claims, `--level spans` writes the texts of the chosen claims.
    With a FILE of records, systems whose answers are in the records (labels, targets, and output of st-judge) count as
    raters too.
    """
    from scholartools import io
    from scholartools.tasks.annotate.answers import no_answers, read_answers
    from scholartools.tasks.annotate.judges import SaidByJudges
    from scholartools.tasks.annotate.ratings import rating_rows

    batch = batch_of(stream)
    people = read_answers(batch)
    if not people:
        stream.tell(no_answers(batch))
    if stream.files[1:]:
        stream.files = stream.files[1:]
        judges = SaidByJudges(batch)
        status = stream.reduce_records(
            judges.add,
            lambda _: rating_rows(batch, [*people, *judges.answers()], controls, has_drafts=drafts, level=level),  # type: ignore[arg-type]
        )
        return status_of_judges(judges, status)
    with io.open_output(stream.output) as output:
        for row in rating_rows(batch, people, controls, has_drafts=drafts, level=level):  # type: ignore[arg-type]
            output.write(row)
    return 0


@command(
    "st-annotate apply",
    shards=False,
    arguments="DIR [FILE]...",
    examples=[
        ("st-annotate apply pilot papers.jsonl > labelled.jsonl", "Write the records with the raters' answers added."),
        (
            "st-annotate apply pilot papers.jsonl | st-score labels --table",
            "Compare the labels of a method with the raters' labels.",
        ),
    ],
)
@option(
    "--truth", metavar="FILE", conditions=excludes("--drafts"),
    help=(
        "Instead of the raters' answers, add the gold answers in FILE (from st-annotate gold), under the rater "
        "name gold."
),
)  # fmt: skip
@option("--drafts", is_flag=True, help="Include drafts: answers that raters saved in Label Studio but did not submit.")
def apply(stream: Stream, truth: str | None, *, drafts: bool) -> int:
    """Add the answers of raters in a batch to the records, separately for each rater.

    Of an item that a rater got twice, one answer is added; answers to items with a known answer are not added. An
    answer about a text that has changed since the export is refused. The kind of the items determines the form of the
    answers: docs/people.md has a table.
    """
    from scholartools.errors import UsageFault
    from scholartools.tasks.annotate.answers import no_answers, read_answers
    from scholartools.tasks.annotate.batch import read_truth
    from scholartools.tasks.annotate.kinds import find_kind
    from scholartools.tasks.annotate.restore import Restored

    batch = batch_of(stream)
    stream.files = stream.files[1:]
    put = find_kind(batch.kind).put if not batch.about["is_own"] else None
    if put is None:
        raise UsageFault(f'answers about the kind "{batch.kind}" cannot be added to records: use st-annotate ratings')
    known = read_truth(truth, "truth") if truth is not None else None
    if not (answers := read_answers(batch)) and known is None:
        stream.tell(no_answers(batch))
    restored = Restored(batch, find_kind(batch.kind), answers, has_drafts=drafts, truth=known)

    def add(record: Record) -> Any:
        return restored.add(record)

    status = stream.map_records(add)
    if (lost := restored.find_lost()) and not stream.quiet:
        click.echo(
            f"st-annotate: {len(lost)} papers with answers are missing from the records, such as {lost[0]}", err=True
        )
    return status or int(bool(lost))
