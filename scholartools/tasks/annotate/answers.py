"""Answer records, one per rater and row: checked against the questions, and merged with earlier ones."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any, NamedTuple

from scholartools.errors import InputFault, UsageFault
from scholartools.json_text import loads
from scholartools.parameters import parameter
from scholartools.records import Record
from scholartools.tasks.annotate.batch import ANSWERS, Batch, Row
from scholartools.tasks.annotate.description import BLANK, SKIPPED, STALE_TEXT, Fault, Question
from scholartools.tasks.annotate.disputes import compared

# Keys by which answers are compared, whatever file they came from.
_SAID = ("answers", "state", "note")
# Formats of tools that show suggested answers.
_TOOLS = ("json", "label-studio")


class Returned(NamedTuple):
    """A row of a filled file.

    Attributes:
        where: location, for messages.
        row: the assigned row.
        read: returns the answer to a question and the number of passages located by their text; raises a Fault.
        is_skipped: whether the rater skipped it.
        is_draft: whether it was not submitted.
        is_stale: whether it shows a different text than was assigned.
        faults: errors of the row itself.
        notes: remarks on accepted answers.
    """

    where: str
    row: Row
    read: Callable[[Question], tuple[Any, int]]
    is_skipped: bool = False
    note: str | None = None
    seconds: float | None = None
    source: Record | None = None
    is_draft: bool = False
    is_stale: bool = False
    faults: Sequence[str] = ()
    notes: Sequence[str] = ()


class Unread(NamedTuple):
    """A row of a filled file that cannot be matched to an assigned row; it is skipped and reported."""

    where: str
    reason: str


class Checked(NamedTuple):
    """An answer record with errors and notes; ``is_blank`` if the row is unanswered.

    ``blank_words`` are the texts of cells that count as blank.
    """

    record: Record
    faults: list[str]
    n_moved: int
    notes: Sequence[str] = ()
    is_blank: bool = False
    blank_words: Sequence[str] = ()


def check_row(batch: Batch, returned: Returned) -> Checked:
    """The answer record of a row, with a reason for each unanswered question."""
    answers, reasons, faults, n_moved, words = _read_answers(batch, returned)
    row = returned.row
    record: Record = {
        "kind": batch.kind, "batch": batch.id, "item": row.item.id, "row": row.mark, "paper": row.item.paper,
        "texts": row.item.texts, "group": row.item.group, "rater": row.rater, "round": batch.about["round"],
        "copy": row.copy, "place": row.place, "control": row.control, "answers": answers, "reasons": reasons,
        "state": _state_of(batch, returned, reasons), "note": returned.note, "seconds": returned.seconds,
        "source": returned.source, "signature": batch.about["signature"],
    }  # fmt: skip
    if _says_nothing(record) and set(reasons.values()) == {BLANK}:
        return Checked(record, faults, 0, is_blank=True, blank_words=words)
    if (suggested := batch.suggested.get(row.item.id)) and (returned.source or {}).get("format") in _TOOLS:
        changed = [
            one.name
            for one in batch.questions
            if compared(one, answers[one.name]) != compared(one, suggested.get(one.name))
        ]
        record |= {"suggested": suggested, "changed": changed}
    return Checked(record, faults, n_moved, [f"{returned.where}: {note}" for note in returned.notes], blank_words=words)


def _read_answers(batch: Batch, returned: Returned) -> tuple[dict[str, Any], dict[str, str], list[str], int, list[str]]:
    """Answers by question, reasons of missing ones, errors, number of relocated quotes, and texts of blank cells."""
    words: list[str] = []
    answers: dict[str, Any] = {}
    reasons: dict[str, str] = {}
    faults = [f"{returned.where}: {fault}" for fault in returned.faults]
    n_moved, n_left_out = 0, 0
    for question in batch.questions:
        answers[question.name] = None
        value, moved, fault = _read(question, returned)
        is_blank = fault is not None and fault.reason == BLANK
        words += fault.words if fault is not None else ()
        if returned.is_skipped or returned.is_stale:
            reasons[question.name] = STALE_TEXT if returned.is_stale else SKIPPED
            n_left_out += not is_blank
        elif fault is None:
            answers[question.name], n_moved = value, n_moved + moved
        else:
            reasons[question.name] = fault.reason
            faults += [] if is_blank else [f"{returned.where}: {question.name}: {fault}"]
    if returned.is_stale:
        faults.append(
            f"{returned.where}: the text in the file differs from the text of the batch: its answers are left out"
        )
    elif n_left_out:
        faults.append(f"{returned.where}: it is skipped: its answers are left out")
    return answers, reasons, faults, n_moved, words


def _state_of(batch: Batch, returned: Returned, reasons: Collection[str]) -> str:
    if returned.is_skipped:
        return "skipped"
    if returned.is_draft:
        return "draft"
    lacks = any(question.is_required and question.name in reasons for question in batch.questions)
    return "partial" if lacks else "done"


def _read(question: Question, returned: Returned) -> tuple[Any, int, Fault | None]:
    """The answer to a question and the number of passages located by their text, or the error."""
    try:
        value, moved = returned.read(question)
        return question.check(value, returned.row.item), moved, None
    except Fault as fault:
        return None, 0, fault


def read_answers(batch: Batch) -> list[Record]:
    """The stored answers, in the order of the batch.

    Raises:
        UsageFault: the file of answers is damaged.
    """
    path = batch.folder / ANSWERS
    if not path.exists():
        return []
    try:
        found = [loads(line) for line in path.read_bytes().decode().split("\n") if line.strip()]
        if any(one["batch"] != batch.id for one in found):
            raise UsageFault(f"{path}: the answers are of another batch")
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UsageFault(f"{path}: cannot be read: {error}") from None
    return found


def no_answers(batch: Batch) -> str:
    """Message that there are no answers yet."""
    return f"{batch.folder}: no answers yet: st-annotate import reads the files that raters filled in"


def merge(
    batch: Batch, before: Sequence[Record], new: Iterable[tuple[str, Record]], *, takes_last: bool = False
) -> list[Record]:
    """Merge earlier and new answers, in the order of the batch, independently of the order of the files.

    Duplicate answers count once. A partial answer or a draft is replaced by a complete one that agrees with it on every
    question it answers.

    Args:
        new: new answers with their locations.
        takes_last: whether a new answer that contradicts an earlier one replaces it, keeping it under ``earlier``.

    Raises:
        InputFault: a rater has two contradictory answers to a row.
    """
    kept: dict[tuple[str, str], tuple[str, Record]] = {}
    for where, record in [*((ANSWERS, one) for one in before), *new]:
        key = (record["rater"], record["row"])
        if key not in kept:
            kept[key] = (where, record)
            continue
        other, earlier = kept[key]
        said_before = {"earlier": earlier["earlier"]} if "earlier" in earlier else {}
        if all(earlier[name] == record[name] for name in _SAID):
            other, record = min(kept[key], (where, record), key=lambda pair: str(pair[1]["source"]))
            kept[key] = (other, {**record, **said_before})
        elif _completes(earlier, record):
            kept[key] = (where, {**record, **said_before})
        elif takes_last and other == ANSWERS:
            said = {name: earlier[name] for name in (*_SAID, "reasons", "source")}
            kept[key] = (where, {**record, "earlier": [*earlier.get("earlier", ()), said]})
        elif not _completes(record, earlier):
            rater, item = record["rater"], record["item"]
            hint = f"{parameter('last', True)} takes the new one" if other == ANSWERS else "keep the intended one"
            reason = f"{rater} has another answer to {item} in {other}: {hint}"
            raise InputFault(f"{where}: {reason}", kind="duplicate")
    rows = (row for rows in batch.rows.values() for row in rows)
    places = {(row.rater, row.mark): number for number, row in enumerate(rows)}
    return [kept[key][1] for key in sorted(kept, key=places.__getitem__)]


def withdrawn(
    before: Sequence[Record], new: Iterable[tuple[str, Record]], blank: Iterable[tuple[str, Record]]
) -> list[tuple[str, Record]]:
    """Answers withdrawn by their raters: rows that are now blank but had an answer in a file of the same name.

    A blank row of another file is no withdrawal, since raters may return a list in several parts.

    Args:
        new: rows that are not blank; they may answer a row that is blank in another file.
    """
    answered = {(one["rater"], one["row"]) for _, one in new}
    known = {(one["rater"], one["row"]): one["source"] for one in before if not _says_nothing(one)}
    found = []
    for where, record in blank:
        key = (record["rater"], record["row"])
        if key not in answered and key in known and _file_of(known[key]) == _file_of(record["source"]):
            found.append((where, record))
    return found


def _says_nothing(record: Record) -> bool:
    is_empty = all(value is None for value in record["answers"].values())
    return is_empty and not record["note"] and record["state"] != "skipped"


def _file_of(source: Record | None) -> list[Any]:
    return [(source or {}).get(name) for name in ("format", "path")]


def _completes(earlier: Record, later: Record) -> bool:
    """Whether a later answer includes all answers of an earlier, unfinished one."""
    if earlier["state"] not in ("partial", "draft") or later["state"] == "skipped":
        return False
    said = {name: value for name, value in earlier["answers"].items() if value is not None}
    return all(later["answers"][name] == value for name, value in said.items())
