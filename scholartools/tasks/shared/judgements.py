"""The judgements of a record by task and system, checked.

The judgements of a task are a list with one entry per system; their types stand in ``schemas/judgements.py``.
Keys that these do not name (raw replies) are allowed.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from scholartools.errors import InputFault
from scholartools.records import Record
from scholartools.signature import fingerprint
from scholartools.tasks.shared.items import holds

if TYPE_CHECKING:
    from pydantic import TypeAdapter


def mark_segments(reviews: Iterable[tuple[str, Sequence[str]]]) -> str:
    """A fingerprint of what is judged of reviews: the id of each, and the texts of its segments."""
    return fingerprint([[name, list(texts)] for name, texts in reviews])


def need_judgements(record: Record, task: str) -> dict[str, Record]:
    """The judgements of a task by system, in their order.

    Raises:
        InputFault: the record has none, or as :func:`judgements`.
    """
    judged = judgements(record, task)
    if judged is None:
        raise InputFault(f'no "judgements.{task}": nothing to score', kind="missing-key")
    return judged


def judgements(record: Record, task: str) -> dict[str, Record] | None:
    """The judgements of a task by system, in their order; None where the record has none.

    Raises:
        InputFault: they are of another shape than their type, are empty, or have a system twice.
    """
    from pydantic import ValidationError

    path = f"judgements.{task}"
    if not holds(record, path):
        return None
    entries = record["judgements"][task]
    try:
        _adapter_of(task).validate_python(entries)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        place = ".".join([path, *map(str, first["loc"])])
        raise InputFault(f'"{place}": {first["msg"][0].lower()}{first["msg"][1:]}', kind="invalid-key") from None
    if not entries:
        raise InputFault(f'"{path}" is empty: nothing to score', kind="missing-key")
    return by_name(entries, "system", path)


def by_name(entries: Sequence[Record], key: str, path: str) -> dict[str, Record]:
    """Entries by the name that each has.

    Raises:
        InputFault: two have one name.
    """
    named: dict[str, Record] = {}
    for entry in entries:
        if entry[key] in named:
            raise InputFault(f'"{path}" has a duplicate "{entry[key]}"', kind="invalid-key")
        named[entry[key]] = entry
    return named


@functools.cache
def _adapter_of(task: str) -> TypeAdapter:
    from pydantic import TypeAdapter

    from scholartools.schemas.judgements import JUDGEMENTS

    return TypeAdapter(list[JUDGEMENTS[task]])  # type: ignore[valid-type]


def is_tie(votes: Sequence[bool | None]) -> bool:
    """Whether half of the votes say yes and half no, none missing: that is no majority."""
    return None not in votes and 0 < votes.count(True) == votes.count(False)
