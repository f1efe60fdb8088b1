"""The texts of the items that a judge compared, where they still are those that it saw."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from scholartools.errors import InputFault
from scholartools.records import Record
from scholartools.table_files.formats import Column
from scholartools.tasks.shared.items import Item, candidates, mark, references

if TYPE_CHECKING:
    from scholartools.records import Entry

#: The columns that :func:`texts_of` fills.
COLUMNS = (
    Column("reference_text", "text", "", "text of the reference item; empty: it is not there, or not as it was judged"),
    Column("candidate_text", "text", "", "text of the candidate item, likewise"),
)
#: The message about pairs without texts.
NOTE = "pairs have no texts: the items are not there, or have other texts than those that were judged"
_PATHS = ("limitations", "generated.limitations")


def items_of(
    record: Record, entry: Entry, usual: tuple[str, str] = _PATHS, fingerprint: Callable[..., str] = mark
) -> tuple[list[Item], list[Item]] | None:
    """The reference items and the candidates that an entry of judgements is of; None where they are not those any more.

    Args:
        usual: the paths of both, where the entry names none.
        fingerprint: that the entry has of them; one without a fingerprint is of those that are there.
    """
    paths = [entry.get(side) or path for side, path in zip(("reference", "candidate"), usual, strict=True)]
    try:
        truths = references(record, paths[0])
        items = candidates(record, paths[1], leave_out_missing=True)[entry["system"]]
    except (InputFault, KeyError, TypeError):
        return None
    return (truths, items) if entry.get("texts") in (None, fingerprint(truths, items)) else None


def texts_of(record: Record, entry: Record) -> Callable[[Record], Sequence[str | None]]:
    """What tells the texts of both items of a pair of an entry of ``judgements.match``."""
    sides = items_of(record, entry)
    if sides is None:
        return lambda _: (None, None)
    found: list[dict[Any, str]] = [{item.id: item.text for item in side} for side in sides]
    return lambda pair: (found[0].get(pair.get("reference")), found[1].get(pair.get("candidate")))
