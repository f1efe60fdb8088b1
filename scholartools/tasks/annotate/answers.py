"""Answers, one record for each rater and row: checked against what was asked, and merged with those that were there."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from scholartools.errors import InputFault, UsageFault
from scholartools.json_text import loads
from scholartools.records import Record
from scholartools.tasks.annotate.batch import ANSWERS, Batch, Row
from scholartools.tasks.annotate.description import BLANK, SKIPPED, STALE_TEXT, Fault, Question

# What is the same answer, whatever file it came in.
_SAID = ("answers", "state", "note")


class Returned(NamedTuple):
    """A row that came back.

    Attributes:
        where: it stands, for messages.
        row: that it is of.
        read: what gives the answer to a question, with the number of passages sought by their words; raises a Fault.
        is_skipped: whether the rater skipped it.
        is_draft: whether it is not handed in.
        is_stale: whether it shows another text than was given out.
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


class Checked(NamedTuple):
    """An answer record, None where the row was not reached, and what is to be said of it."""

    record: Record | None
    faults: list[str]
    n_moved: int


def check_row(batch: Batch, returned: Returned) -> Checked:
    """The answer record of a row, with a reason for each question without an answer."""
    answers: dict[str, Any] = {}
    reasons: dict[str, str] = {}
    faults: list[str] = []
    n_moved = 0
    for question in batch.questions:
        answers[question.name] = None
        if returned.is_skipped or returned.is_stale:
            reasons[question.name] = STALE_TEXT if returned.is_stale else SKIPPED
            continue
        try:
            value, moved = returned.read(question)
            answers[question.name] = question.check(value, returned.row.item)
            n_moved += moved
        except Fault as fault:
            reasons[question.name] = fault.reason
            if fault.reason != BLANK:
                faults.append(f"{returned.where}: {question.name}: {fault}")
    if returned.is_stale:
        faults.append(f"{returned.where}: it shows another text than was given out: its answers are left out")
    if set(reasons.values()) == {BLANK} and len(reasons) == len(answers) and not returned.note:
        return Checked(None, faults, 0)
    row, lacks = returned.row, any(question.is_required and question.name in reasons for question in batch.questions)
    state = "skipped" if returned.is_skipped else "draft" if returned.is_draft else "partial" if lacks else "done"
    record: Record = {
        "kind": batch.kind, "batch": batch.id, "item": row.item.id, "row": row.mark, "paper": row.item.paper,
        "texts": row.item.texts, "group": row.item.group, "rater": row.rater, "round": batch.about["round"],
        "copy": row.copy, "place": row.place, "control": row.control, "answers": answers, "reasons": reasons,
        "state": state, "note": returned.note, "seconds": returned.seconds, "source": returned.source,
        "signature": batch.about["signature"],
    }  # fmt: skip
    return Checked(record, faults, n_moved)


def read_answers(batch: Batch) -> list[Record]:
    """The answers that are there, in the order of the batch.

    Raises:
        UsageFault: the file of them is damaged.
    """
    path = batch.folder / ANSWERS
    if not path.exists():
        return []
    try:
        found = [loads(line) for line in path.read_bytes().decode().split("\n") if line.strip()]
        if any(one["batch"] != batch.id for one in found):
            raise UsageFault(f"{path}: answers of another batch")
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UsageFault(f"{path}: cannot be read: {error}") from None
    return found


def merge(batch: Batch, before: Sequence[Record], new: Iterable[tuple[str, Record]]) -> list[Record]:
    """All answers in the order of the batch; the order of the files changes nothing.

    An answer that is there twice counts once. One that was partial, or a draft, gives way to one that is done and says
    the same of each question that it answers.

    Args:
        new: each with where it stands.

    Raises:
        InputFault: a rater has two answers to one row that contradict each other.
    """
    kept: dict[tuple[str, str], tuple[str, Record]] = {}
    for where, record in [*((ANSWERS, one) for one in before), *new]:
        key = (record["rater"], record["row"])
        if key not in kept:
            kept[key] = (where, record)
            continue
        other, earlier = kept[key]
        if all(earlier[name] == record[name] for name in _SAID):
            kept[key] = min(kept[key], (where, record), key=lambda pair: (pair[0] != ANSWERS, str(pair[1]["source"])))
        elif _completes(earlier, record):
            kept[key] = (where, record)
        elif not _completes(record, earlier):
            rater, item = record["rater"], record["item"]
            reason = f"{rater} has another answer to {item} in {other}: keep the one that is meant, and import again"
            raise InputFault(f"{where}: {reason}", kind="duplicate")
    rows = (row for rows in batch.rows.values() for row in rows)
    places = {(row.rater, row.mark): number for number, row in enumerate(rows)}
    return [kept[key][1] for key in sorted(kept, key=places.__getitem__)]


def _completes(earlier: Record, later: Record) -> bool:
    """Whether a later answer says all that an earlier, unfinished one says."""
    if earlier["state"] not in ("partial", "draft") or later["state"] == "skipped":
        return False
    said = {name: value for name, value in earlier["answers"].items() if value is not None}
    return all(later["answers"][name] == value for name, value in said.items())
