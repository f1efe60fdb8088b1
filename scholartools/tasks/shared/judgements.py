"""The judgements of a record by task and system, validated.

Each task has a list with one entry per system, typed in ``schemas/judgements.py``. Additional keys (raw replies) are
allowed.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, TypeVar

from scholartools.errors import InputFault
from scholartools.records import Entry, Record, shape_fault
from scholartools.signature import fingerprint
from scholartools.tasks.shared.items import holds, is_of_system, system_or_place

if TYPE_CHECKING:
    from pydantic import TypeAdapter


E = TypeVar("E", bound=Entry)


def mark_segments(reviews: Iterable[tuple[str, Sequence[str]]]) -> str:
    """Fingerprint of judged reviews: the id of each, and the texts of its segments."""
    return fingerprint([[name, list(texts)] for name, texts in reviews])


def need_judgements(record: Record, task: str) -> dict[str, Record | InputFault]:
    """Like :func:`judgements_or_faults`, but the judgements are required.

    Raises:
        InputFault: the record has none, or for the reasons given there.
    """
    judged = judgements_or_faults(record, task)
    if judged is None:
        command = f"st-judge {task.replace('_', '-')}"
        raise InputFault(f'no "judgements.{task}": run {command} first', kind="missing-key")
    return judged


def judgements(record: Record, task: str) -> dict[str, Record] | None:
    """The judgements of a task by system, in order; None if the record has none.

    Raises:
        InputFault: they do not match their type, are empty, or have a system twice.
    """
    judged = judgements_or_faults(record, task)
    return None if judged is None else {system: sound(found) for system, found in judged.items()}


def judgements_or_faults(record: Record, task: str) -> dict[str, Record | InputFault] | None:
    """The judgements of a task by system, in order; None if the record has none.

    An invalid or duplicate entry is an error of that system only; an entry without a system is an error under its
    position.

    Raises:
        InputFault: the judgements are not a list, are empty, or no entry names a system.
    """
    path = f"judgements.{task}"
    if not holds(record, path):
        return None
    entries = record["judgements"][task]
    if not isinstance(entries, list):
        raise InputFault(f'"{path}": input should be a valid list', kind="invalid-key")
    if not entries:
        raise InputFault(f'"{path}" is empty: nothing to score', kind="missing-key")
    faults = [_fault_of(entry, task, f"{path}.{place}") for place, entry in enumerate(entries)]
    names = [system_or_place(entry, place) for place, entry in enumerate(entries)]
    if (fault := faults[0]) is not None and not any(map(is_of_system, entries)):
        raise fault
    named: dict[str, Record | InputFault] = {}
    for entry, fault, system in zip(entries, faults, names):
        twice = InputFault(f'"{path}" has a duplicate "{system}"', kind="invalid-key") if system in named else None
        named[system] = twice or fault or entry
    return named


def sound(found: Record | InputFault) -> Record:
    """Return valid judgements of a system; raise if they are an error.

    Raises:
        InputFault: they do not match their type.
    """
    if isinstance(found, InputFault):
        raise found
    return found


def refuse_other_texts(judged: Entry, task: str, mark: str) -> None:
    """Check that the judgements of a system refer to the texts with a fingerprint; those without one are not checked.

    Raises:
        InputFault: they refer to other texts.
    """
    if judged.get("texts") not in (None, mark):
        told = f'"judgements.{task}" of "{judged["system"]}" is about other texts than the record'
        raise InputFault(f"{told}: run st-judge {task.replace('_', '-')} again", kind="stale")


def _fault_of(entry: object, task: str, path: str) -> InputFault | None:
    """Validate an entry; None if it matches its type."""
    from pydantic import ValidationError

    try:
        _adapter_of(task).validate_python(entry)
    except ValidationError as error:
        return InputFault(shape_fault(error, path), kind="invalid-key")
    return None


def by_name(entries: Sequence[E], key: str, path: str) -> dict[str, E]:
    """Index entries by a key.

    Raises:
        InputFault: a name occurs twice.
    """
    named: dict[str, E] = {}
    for entry in entries:
        if entry[key] in named:
            raise InputFault(f'"{path}" has a duplicate "{entry[key]}"', kind="invalid-key")
        named[entry[key]] = entry
    return named


@functools.cache
def _adapter_of(task: str) -> TypeAdapter:
    from pydantic import TypeAdapter

    from scholartools.schemas.judgements import JUDGEMENTS

    return TypeAdapter(JUDGEMENTS[task])


def is_tie(votes: Sequence[bool | None]) -> bool:
    """Whether the votes are complete and evenly split, so that there is no majority."""
    return None not in votes and 0 < votes.count(True) == votes.count(False)
