"""Read filled sheets and task files, matched to assigned rows by the row identifiers only."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from scholartools.errors import UsageFault
from scholartools.json_text import loads
from scholartools.parameters import parameter
from scholartools.records import Record
from scholartools.table_files.guard import shows_text
from scholartools.tasks.annotate.answers import Returned, Unread
from scholartools.tasks.annotate.batch import Batch, Row
from scholartools.tasks.annotate.description import (
    NOTE,
    ROW,
    SIDES,
    SKIP,
    UNKNOWN_VALUE,
    Fault,
    Pick,
    Question,
    Spans,
    Winner,
    blank_fault,
    is_marked,
    is_missing,
    parse_number,
)
from scholartools.tasks.annotate.label_studio import exported_tasks, load_export, rows_by_mark
from scholartools.tasks.annotate.passages import Unit, placed_spans, unit_of
from scholartools.tasks.annotate.sheets import Headings, adjacent_passages, read_answer, shown_texts
from scholartools.tasks.shared.csv_rows import open_sheet


def read_users(batch: Batch, path: str) -> dict[str, str]:
    """Raters by e-mail address or number in Label Studio, from a table with the columns ``user`` and ``rater``.

    Raises:
        UsageFault: it cannot be read, or names an unknown rater or a user twice.
    """
    headings, found = open_sheet(path, "user", path)
    if lacking := {"user", "rater"} - set(headings):
        raise UsageFault(f'{path}:1: no column "{min(lacking)}"')
    users: dict[str, str] = {}
    for where, cells in found:
        user, rater = (str(cells[name] or "").strip() for name in ("user", "rater"))
        if user and rater not in batch.raters:
            raise UsageFault(f'{where}: "{rater}" is not a rater of the batch{_hint(batch, [rater])}')
        if user and users.setdefault(user, rater) != rater:
            raise UsageFault(f'{where}: a second rater is "{user}"')
    return users


def read_file(
    batch: Batch,
    path: str,
    rater: str | None,
    unit: Unit | None,
    *,
    users: Mapping[str, str] | None = None,
    takes_last: bool = False,
) -> Iterator[Returned | Unread]:
    """Read the rows of a file, of one rater unless ``users`` is given; a malformed row only affects itself.

    Args:
        rater: the rater; None: determined by the name of the file or its folder.
        users: raters by e-mail address or number, for exports of Label Studio.
        unit: unit of offsets; None: the one that matches the spans of the file.
        takes_last: use the last of several differing annotations of a task in a Label Studio export.

    Raises:
        UsageFault: the file cannot be read, or belongs to another batch or to no rater.
    """
    if path.lower().endswith(".json"):
        whose = _rater_of(batch, path, rater) if users is None else None
        yield from read_project(batch, whose, path, load_export(path), unit, users=users, takes_last=takes_last)
        return
    rows = {row.mark: row for row in batch.rows[_rater_of(batch, path, rater)]}
    if path.lower().endswith((".jsonl", ".ndjson")):
        found = _tasks(batch, path, ((where, task, rows) for where, task in _task_records(path)), unit)
    else:
        found = _sheet(batch, path, rows)
    yield from _of_the_batch(found)


def read_project(
    batch: Batch,
    rater: str | None,
    where: str,
    tasks: Any,
    unit: Unit | None,
    *,
    users: Mapping[str, str] | None = None,
    takes_last: bool = False,
) -> Iterator[Returned | Unread]:
    """Read the rows of a Label Studio project, as :func:`read_file`; ``rater`` is used if ``users`` is None."""
    if users is None and rater is None:
        raise UsageFault(f"{where}: raters share the project: {parameter('users', 'FILE')} says who they are")
    rows = {name: rows_by_mark(batch, name) for name in batch.raters}
    exported = exported_tasks(batch, where, tasks, users, takes_last=takes_last)
    found = ((place, task, rows[str(task["rater"] or rater)]) for place, task in exported)
    yield from _of_the_batch(_tasks(batch, where, found, unit))


def _of_the_batch(rows: Iterable[Returned | Unread]) -> list[Returned | Unread]:
    """Check that a file has readable rows.

    Raises:
        UsageFault: all rows are unreadable, so that the file itself is wrong.
    """
    found = [*rows]
    if found and all(isinstance(one, Unread) for one in found):
        raise UsageFault(f"{found[0].where}: {found[0].reason}")  # type: ignore[union-attr]
    return found


def _rater_of(batch: Batch, path: str, rater: str | None) -> str:
    """The rater of a file.

    Raises:
        UsageFault: neither the file nor its folder has the name of a rater.
    """
    stem = Path(path).stem  # "anna-2" is a later part of anna's list
    folders = [one.name for one in Path(path).resolve().parents[:2]]
    names = [stem, *folders, re.sub(r"-\d+$", "", stem)] if rater is None else [rater]
    names = [unicodedata.normalize("NFC", name) for name in names]
    if found := next((name for name in names if name in batch.raters), None):
        return found
    hint = _hint(batch, names)
    if rater is not None:
        raise UsageFault(f"{parameter('rater', rater)}: not a rater of the batch{hint}")
    told = f"neither the file nor its folder has the name of a rater{hint}"
    raise UsageFault(f"{path}: {told}; {parameter('rater')} names the rater")


def _hint(batch: Batch, names: Sequence[str]) -> str:
    near = next((one for one in batch.raters for name in names if one.casefold() == name.casefold()), None)
    return f': is it "{near}"?' if near else f" (the raters are {', '.join(batch.raters)})"


def _row_named(batch: Batch, rows: Mapping[str, Row], mark: Any, where: str) -> Row | Unread:
    name = str(mark or "").strip()
    if name not in rows:
        other = next((row.rater for one in batch.rows.values() for row in one if row.mark == name), None)
        told = f"it is one of {other}'s" if other else "is it a sheet of another batch?"
        return Unread(where, f'no row of this rater is "{name[:40]}": {told}')
    return rows[name]


def _sheet(batch: Batch, path: str, rows: Mapping[str, Row]) -> Iterator[Returned | Unread]:
    headings, found = open_sheet(path, ROW, path)
    if not (headings or rows):  # a workbook without rows has no header; its rater was assigned nothing
        return
    known = Headings(batch, headings, f"{path}:1")
    for where, cells in found:
        if not any(known.cell(cells, name) for name in known.wanted):  # it may contain a private note
            continue
        row = _row_named(batch, rows, known.cell(cells, ROW), where)
        if isinstance(row, Unread):
            yield row
            continue
        notes: list[str] = []

        def read(
            question: Question, cells: Record = cells, row: Row = row, notes: list[str] = notes
        ) -> tuple[Any, int]:
            own = {one.value: known.cell(cells, one.heading) for one in known.columns if one.question is question}
            value = read_answer(question, own, row)
            if told := adjacent_passages(question, own.values(), value, row):
                notes.append(f"{question.name}: {told}")
            return value, 0

        source = {"format": _format_of(path), "path": Path(path).name, "row": where.rpartition(":")[2]}
        yield Returned(
            where, row, read, is_marked(known.cell(cells, SKIP)), known.cell(cells, NOTE) or None, None, source,
            is_stale=_is_stale(batch, row, cells), notes=notes,
        )  # fmt: skip


def _is_stale(batch: Batch, row: Row, cells: Record) -> bool:
    """Whether a sheet shows another text than was assigned; removed columns are ignored."""
    for heading, text in shown_texts(batch, row).items():
        pieces = [cell for name, cell in cells.items() if _is_piece(str(name), heading)]
        if pieces and not shows_text("".join(str(piece or "") for piece in pieces), text):
            return True
    return False


def _is_piece(name: str, heading: str) -> bool:
    """Whether a column belongs to a heading, or continues it: "Paper (2)"."""
    rest = name.removeprefix(heading)
    return name == heading or (name != rest and re.fullmatch(r" \(\d+\)", rest) is not None)


def _format_of(path: str) -> str:
    return Path(path).suffix.removeprefix(".").lower()


def _tasks(
    batch: Batch, path: str, tasks: Iterator[tuple[str, Record | Unread, Mapping[str, Row]]], unit: Unit | None
) -> Iterator[Returned | Unread]:
    """Match tasks to rows; each task comes with its location and its rater's rows by identifier."""
    named = []
    for where, task, rows in tasks:
        if isinstance(task, Unread):
            yield task
        elif task.get("batch") != batch.id:
            yield Unread(where, f"a task of another batch than {batch.id}")
        elif isinstance(row := _row_named(batch, rows, task.get("row"), where), Unread):
            yield row
        else:
            named.append((where, row, task))
    unit = unit or _unit_of(batch, path, named)
    for where, row, task in named:
        yield _returned_task(path, where, row, task, unit)


def _unit_of(batch: Batch, path: str, named: Sequence[tuple[str, Row, Record]]) -> Unit:
    """The unit that matches the offsets of all tasks.

    Raises:
        UsageFault: some match only in one unit, and others only in the other.
    """
    spans = (
        (row.item.part(_part_of(question)).text, span)
        for _, row, task in named
        for question in batch.questions
        for span in _spans_in(question, task)
    )
    try:
        return unit_of(spans)
    except Fault as fault:
        raise UsageFault(f"{path}: {fault}: {parameter('offsets')} names the unit") from None


def _returned_task(path: str, where: str, row: Row, task: Record, unit: Unit) -> Returned:
    def read(question: Question) -> tuple[Any, int]:
        value = task["answers"].get(question.name)
        if isinstance(value, Fault):
            raise value
        if is_missing(question, value):
            raise blank_fault([value])
        return read_value(question, value, row, unit)

    source = {"format": _format_of(path) or "label-studio", "path": Path(path).name, "row": where.rpartition(":")[2]}
    seconds, note, skip = parse_number(task.get("seconds")), task.get("note"), task.get("skip")
    is_text = isinstance(note, (str, int, float)) and not isinstance(note, bool)
    return Returned(
        where, row, read, skip is True or (skip not in (None, False) and is_marked(skip)),
        str(note).strip() or None if is_text else None,
        seconds if seconds is not None and seconds >= 0 else None, source, is_draft=bool(task.get("is_draft")),
        faults=() if is_text or not note else ("the note is no text, and is left out",),
    )  # fmt: skip


def read_value(question: Question, value: Any, row: Row, unit: Unit) -> tuple[Any, int]:
    """Convert an answer from JSON for :meth:`Question.check`; also the number of passages located by their text.

    Sides are "A" and "B"; candidates are given by their numbers in the row, as text.

    Raises:
        Fault: it is not a valid answer.
    """
    if isinstance(question, Spans):
        rated = question.rated.name if question.rated else None
        return placed_spans(value, row.item.part(question.part), unit, rated=rated)
    if isinstance(question, Pick):
        return _picked(question, value, row, unit)
    if isinstance(question, Winner):
        known = dict(zip(SIDES, row.order, strict=False)) | {"tie": "tie"}
        if not isinstance(value, str) or value not in known:
            raise Fault(UNKNOWN_VALUE, f'"{value}" is no side')
        return known[value], 0
    return value, 0


def _picked(question: Pick, value: Any, row: Row, unit: Unit) -> tuple[Any, int]:
    if not isinstance(value, list):
        raise Fault(UNKNOWN_VALUE, "the answer is not a list of candidates")
    numbers = {str(number): name for number, name in enumerate(row.order, 1)}
    made: list[Any] = []
    n_moved = 0
    for one in value:
        if isinstance(one, dict) and question.custom_in is not None:
            spans, moved = placed_spans([one], row.item.part(question.custom_in), unit, has_label=False)
            made, n_moved = [*made, *spans], n_moved + moved
        elif str(one) in numbers:
            made.append(numbers[str(one)])
        else:
            raise Fault(UNKNOWN_VALUE, f'no candidate is "{one}"')
    return made, n_moved


def _part_of(question: Question) -> str:
    return question.part if isinstance(question, Spans) else str(getattr(question, "custom_in", ""))


def _spans_in(question: Question, task: Record) -> Iterator[Record]:
    """Spans with offsets in the answer of a task."""
    if isinstance(question, Spans) or (isinstance(question, Pick) and question.custom_in):
        given = task["answers"].get(question.name)
        for span in given if isinstance(given, list) else ():
            if (
                isinstance(span, dict)
                and all(type(span.get(key)) is int for key in ("start", "end"))
                and "text" in span
            ):
                yield span


def _task_records(path: str) -> Iterator[tuple[str, Record | Unread]]:
    try:
        text = Path(path).read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise UsageFault(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise UsageFault(f"{path}: not UTF-8") from None
    lines = text.split("\n")
    for number, line in enumerate(lines, 1):
        if line.strip():
            where = f"{path}:{number}"
            try:
                task = loads(line)
            except ValueError:
                if number == len(lines):
                    raise UsageFault(f"{where}: not JSON: the file ends within a row, so it is incomplete") from None
                yield where, Unread(where, "not JSON")
                continue
            is_task = isinstance(task, dict) and isinstance(task.get("answers"), dict)
            yield where, task if is_task else Unread(where, 'not an object with "answers"')
