"""The weaknesses of a record, review by review: those under ``weaknesses``, and the sets of raters beside them."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Sequence

from scholartools.errors import InputFault
from scholartools.parameters import parameter
from scholartools.records import Record, read
from scholartools.tasks.claims.base import GOLD


def with_weaknesses(record: Record, sets: Sequence[tuple[str, list[Record] | None]], rater: str | None) -> Record:
    """The record with weaknesses, numbered: under ``weaknesses``, or under ``annotations.weaknesses`` as a rater's.

    Args:
        record: that they are of.
        sets: the id of each review and its weaknesses; None where they are missing.
        rater: whose set it is; None for ``weaknesses``.
    """
    named = number_sets(sets, ())
    if rater is None:
        return {**record, "weaknesses": [item for _, items in named for item in items or ()]}
    earlier = read(record, "annotations") or {}
    kept = [entry for entry in earlier.get("weaknesses") or () if entry["rater"] != rater]
    own = [{"rater": rater, "review": review, "items": items} for review, items in named]
    return {**record, "annotations": {**earlier, "weaknesses": [*kept, *own]}}


def number_sets(
    sets: Sequence[tuple[str, list[Record] | None]], taken: Collection[str]
) -> list[tuple[str, list[Record] | None]]:
    """Sets of weaknesses with the ids w1, w2 and so on that are free."""
    ids = (name for name in map("w{}".format, itertools.count(1)) if name not in taken)
    return [
        (review, None if items is None else [{"id": next(ids), **item} for item in items]) for review, items in sets
    ]


def refuse_people_weaknesses(record: Record, rater: str | None) -> None:
    """Refuse to replace by a method's weaknesses those that a person marked.

    Raises:
        InputFault: the record has ``weaknesses`` by "gold", or a set of a person whose name the rater has.
    """
    if rater is None:
        found = [GOLD] if any(one.get("by") == GOLD for one in read(record, "weaknesses") or ()) else []
    else:
        sets = (read(record, "annotations") or {}).get("weaknesses") or ()
        own = [one for entry in sets if entry["rater"] == rater for one in entry["items"] or ()]
        found = [rater] if any(one.get("by") == rater for one in own) else []
    if found:
        reason = f'weaknesses by "{found[0]}" are there, which a person marked'
        raise InputFault(f"{reason}: give the set a name of its own ({parameter('rater', 'NAME')})", kind="invalid-key")
