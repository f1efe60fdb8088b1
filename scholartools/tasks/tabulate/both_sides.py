"""Texts of the items that a judge compared, if they have not changed since."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from scholartools.errors import InputFault
from scholartools.records import Record
from scholartools.table_files.formats import Column
from scholartools.tasks.shared.items import Item, candidates, mark, references

if TYPE_CHECKING:
    from scholartools.records import Entry

#: Columns filled by :func:`texts_of`.
COLUMNS = (
    Column("reference_text", "text", "", "text of the reference item; empty: it is not there, or not as it was judged"),
    Column("candidate_text", "text", "", "text of the candidate item, likewise"),
)
#: Note on pairs without texts.
NOTE = "pairs have no texts: the items are not there, or have other texts than those that were judged"
_PATHS = ("limitations", "generated.limitations")


def items_of(
    record: Record, entry: Entry, usual: tuple[str, str] = _PATHS, fingerprint: Callable[..., str] = mark
) -> tuple[list[Item], list[Item]] | None:
    """Reference items and candidates of a judgement entry; None if they have changed.

    Args:
        usual: default paths of both sides, if the entry names none.
        fingerprint: function of the entry's fingerprint; an entry without one is assumed to be current.
    """
    paths = [entry.get(side) or path for side, path in zip(("reference", "candidate"), usual, strict=True)]
    try:
        truths = references(record, paths[0])
        items = candidates(record, paths[1], leave_out_missing=True)[entry["system"]]
    except (InputFault, KeyError, TypeError):
        return None
    return (truths, items) if entry.get("texts") in (None, fingerprint(truths, items)) else None


def texts_of(record: Record, entry: Record) -> Callable[[Record], Sequence[str | None]]:
    """Function that returns the texts of both items of a pair in an entry of ``judgements.match``."""
    sides = items_of(record, entry)
    if sides is None:
        return lambda _: (None, None)
    found: list[dict[Any, str]] = [{item.id: item.text for item in side} for side in sides]
    return lambda pair: (found[0].get(pair.get("reference")), found[1].get(pair.get("candidate")))
