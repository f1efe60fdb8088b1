"""st-annotate export, import: files that raters fill in."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import click

from scholartools.commands.shared.command import command
from scholartools.commands.shared.options import excludes, needs, option

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scholartools.pipeline.stream import Stream
    from scholartools.records import Record
    from scholartools.tasks.annotate.answers import Returned, Unread
    from scholartools.tasks.annotate.batch import Batch
    from scholartools.tasks.annotate.judges import SaidByJudges

_FORMATS = ("xlsx", "csv", "jsonl", "label-studio")


_insecure_option = option(
    "--insecure",
    is_flag=True,
    help="Allow sending the Label Studio token to a server on another machine without encryption (TLS).",
)


@command(
    "st-annotate export",
    shards=False,
    reads="files",
    arguments="DIR",
    examples=[
        ("st-annotate export pilot --to xlsx", "Write pilot/raters/NAME/NAME.xlsx and the guidelines for each rater."),
        (
            "st-annotate export pilot --to jsonl --rater anna",
            "Write the items of one rater as JSON lines, for your own tool.",
        ),
    ],
)
@option("--to", "kind", type=click.Choice(_FORMATS), required=True, help="Format of the answer sheets.")
@option("--rater", metavar="NAME", multiple=True, help="Write only the answer sheet of this rater; may be repeated.")
@option(
    "--no-guard", is_flag=True, conditions=needs("--to", "csv"),
    help=(
        "Do not put an apostrophe before texts that look like formulas; use --no-guard for files that programs, not "
        "spreadsheets, read."
),
)  # fmt: skip
@option(
    "--push", metavar="URL", conditions=needs("--to", "label-studio"),
    help="Also create the projects on the Label Studio server at URL; the environment variable LABEL_STUDIO_API_KEY "
    "contains the token.",
)  # fmt: skip
@option(
    "--shared", is_flag=True, conditions=(needs("--to", "label-studio"), excludes("--rater")),
    help=(
        "Make one Label Studio project for all raters of a batch with --design full; each rater sees the answers of "
        "the others."
),
)  # fmt: skip
@option(
    "--suggest", metavar="FILE", conditions=needs("--to", "label-studio"),
    help=(
        "File of answers that raters see as suggestions. Suggestions raise the agreement of raters, so st-annotate "
        "status counts answers to suggested items separately."
),
)  # fmt: skip
@_insecure_option
def export(
    stream: Stream, kind: str, rater: tuple[str, ...], push: str | None, suggest: str | None, *, no_guard: bool,
    shared: bool, insecure: bool,
) -> int:  # fmt: skip
    """Write an answer sheet and the guidelines for each rater of a batch, to DIR/raters/NAME.

    An answer sheet names neither papers nor systems. Send each rater the folder DIR/raters/NAME, and no other file of
    the batch. st-annotate export prints the paths of the answer sheets, and with --push the addresses of the Label
    Studio projects. A second run with --push adds only the missing tasks to the Label Studio projects.
    """
    from scholartools import io
    from scholartools.tasks.annotate import changes, label_studio_server
    from scholartools.tasks.annotate.batch import check_known, read_truth
    from scholartools.tasks.annotate.exports import export_files, export_shared

    batch = batch_of(stream, most=1)
    if suggest is not None:
        changes.suggest(batch, check_known(read_truth(suggest, "suggest"), batch.items, batch.questions, "suggest"))
        batch = batch_of(stream)
    if shared:
        changes.share(batch)
        batch = batch_of(stream)
    whose = [None] if shared else rater or [one for one in batch.raters if one not in batch.dropped]
    with io.open_output(stream.output) as output:
        for path in [export_shared(batch)] if shared else export_files(batch, kind, rater, is_guarded=not no_guard):  # type: ignore[arg-type]
            output.write(f"{path}\n")
        if push is not None:
            server = label_studio_server.LabelStudio(push, is_insecure=insecure)
            for name in whose:
                output.write(f"{label_studio_server.push(server, batch, name)}\n")
    return 0


@command(
    "st-annotate import",
    shards=False,
    reads="files",
    arguments="DIR FILE...",
    examples=[
        ("st-annotate import pilot pilot/raters/*/*.xlsx > answers.jsonl", "Read the answers of all raters."),
        ("st-annotate import pilot --rater anna back.csv", "Read a file whose name is not the name of its rater."),
    ],
)
@option(
    "--rater",
    metavar="NAME",
    help="Name of the rater who filled in the files (default: the name of the file or of its folder).",
)
@option(
    "--offsets", type=click.Choice(["code-points", "utf-16"]),
    help="Unit of character offsets in JSON files (default: the unit for which the offsets of a file match its "
    "passages).",
)  # fmt: skip
@option(
    "--users", metavar="FILE",
    help=(
        "Table that assigns users of Label Studio to raters, with the columns user (e-mail address or number in "
        "Label Studio) and rater."
),
)  # fmt: skip
@option(
    "--last",
    is_flag=True,
    help="If a rater changed an answer in a file, replace the earlier answer; if a rater deleted an answer from a "
    "file, withdraw the earlier answer. The earlier answer is kept under the key `earlier`.",
)
@option(
    "--pull", metavar="URL",
    help=(
        "Download the raters' answers from the Label Studio server at URL; the environment variable "
        "LABEL_STUDIO_API_KEY contains the token."
),
)  # fmt: skip
@_insecure_option
def import_(
    stream: Stream, rater: str | None, offsets: str | None, users: str | None, pull: str | None, *, last: bool,
    insecure: bool,
) -> int:  # fmt: skip
    """Read the files that raters filled in, add their answers to the batch (DIR/answers.jsonl), and write all answers
    of the batch.

    The first column of an answer file identifies each row. An invalid answer becomes null, with the reason, and a
    message names the cell of the answer. An invalid answer does not affect the other answers of its row. A row that
    cannot be read or does not belong to the batch is omitted, and a message names the row. A file is refused if none of
    its rows belong to the batch. A rater may return answers in several files, or the same file twice; the answers are
    merged. st-annotate import refuses the files if one rater gives two contradicting answers to the same row. If a
    rater deleted an answer that was imported earlier from the same file, a message names the row of the answer.
    """
    from collections import Counter

    from scholartools import io
    from scholartools.errors import UsageFault
    from scholartools.parameters import parameter
    from scholartools.tasks.annotate import answers as merging
    from scholartools.tasks.annotate import label_studio_server
    from scholartools.tasks.annotate.batch import ANSWERS, changing, write_lines
    from scholartools.tasks.annotate.returns import read_file, read_project, read_users
    from scholartools.wording import count_of

    batch = batch_of(stream)
    if not stream.files[1:] and pull is None:
        raise UsageFault("name at least one file to import")
    known = None if users is None else read_users(batch, users)
    found = [read_file(batch, path, rater, offsets, users=known, takes_last=last) for path in stream.files[1:]]  # type: ignore[arg-type]
    if pull is not None:
        server = label_studio_server.LabelStudio(pull, is_insecure=insecure)
        known = known and server.add_numbers(known)
        for name, tasks in label_studio_server.pull(server, batch):
            where = f"project of {name or 'all raters'}"
            found.append(read_project(batch, name, where, tasks, offsets, users=known, takes_last=last))  # type: ignore[arg-type]
    new, blank, n_faults, n_moved = _check_rows(batch, itertools.chain.from_iterable(found))
    with changing(batch):
        before = merging.read_answers(batch)
        gone = merging.withdrawn(before, new, blank)
        what = "the answer is withdrawn" if last else f"the answer is kept, {parameter('last', True)} withdraws it"
        for where, _ in gone:
            click.echo(f"st-annotate: {where}: the row was answered before and is blank now: {what}", err=True)
        merged = merging.merge(batch, before, [*new, *(gone if last else ())], takes_last=last)
        write_lines(batch.folder / ANSWERS, merged)
    with io.open_output(stream.output) as output:
        for record in merged:
            output.write(record)
    states = Counter(record["state"] for record in merged)
    moved = f", {count_of(n_moved, 'passage')} found by their words" if n_moved else ""
    told = ", ".join(f"{n} {state}" for state, n in sorted(states.items())) or "nothing is filled in"
    stream.tell(f"{count_of(len(merged), 'answer')} ({told}){moved}")
    return int(bool(n_faults))


def _check_rows(
    batch: Batch, rows: Iterable[Returned | Unread]
) -> tuple[list[tuple[str, Record]], list[tuple[str, Record]], int, int]:
    """Validate returned rows, and print their faults.

    Returns:
        Answered rows and blank rows, each with its location in the file; the number of faults; and the number of
        passages that were located by their text.
    """
    from collections import Counter

    from scholartools.json_text import dumps
    from scholartools.tasks.annotate import answers
    from scholartools.wording import count_of

    words: Counter[str] = Counter()
    new: list[tuple[str, Record]] = []
    blank: list[tuple[str, Record]] = []
    n_faults = n_moved = 0
    for returned in rows:
        if isinstance(returned, answers.Unread):
            click.echo(f"st-annotate: {returned.where}: {returned.reason}: the row is left out", err=True)
            n_faults += 1
            continue
        checked = answers.check_row(batch, returned)
        n_faults, n_moved = n_faults + len(checked.faults), n_moved + checked.n_moved
        for fault in (*checked.faults, *checked.notes):
            click.echo(f"st-annotate: {fault}", err=True)
        words.update(checked.blank_words)
        (blank if checked.is_blank else new).append((returned.where, checked.record))
    if words:
        shown = ", ".join(f"{dumps(one).decode()} ({n})" for one, n in sorted(words.items()))
        told = f"{count_of(words.total(), 'cell')} with a word for a blank cell {'is' if words.total() == 1 else 'are'}"
        click.echo(f"st-annotate: {told} taken as no answer: {shown}", err=True)
    return new, blank, n_faults, n_moved


def batch_of(stream: Stream, most: int | None = None) -> Any:
    """The batch named by the first argument.

    Raises:
        UsageFault: no argument, or more than ``most`` arguments.
    """
    from scholartools.errors import UsageFault
    from scholartools.tasks.annotate.batch import read_batch

    if not stream.files or (most is not None and len(stream.files) > most):
        count = "one argument" if most == 1 else "first argument"
        raise UsageFault(f"the {count} after the action must be the folder of a batch, which st-annotate assign makes")
    return read_batch(stream.files[0])


def status_of_judges(judges: SaidByJudges, status: int) -> int:
    """The exit status of a comparison, after a message about answers of judges that were left out."""
    if (note := judges.note()) is not None:
        click.echo(f"st-annotate: {note}", err=True)
    return max(status, int(note is not None))
