"""Reference items by reviewer, from several shapes of input; ambiguous shapes are rejected.

A reviewer is an inner list of a list of lists (the shape of AAAR-1.0's data), an entry with ``items``, one of several
lists at a path through several entries (``reviews.weaknesses``), an entry of ``reviews``, or a value of the items'
``review``. Reviewers are never merged, since S-Precision and S-Recall are means over reviewers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from scholartools.errors import InputFault
from scholartools.records import Record
from scholartools.tasks.shared.items import (
    Item,
    candidates,
    expanded_lists,
    items_of,
    of_one_system,
    path_steps,
    values_at,
)

# A list of this name has one entry per reviewer, even if an entry is a single text.
_REVIEWS = "reviews"
_NOT_FLAT = 'has several lists for one system: one flat list is needed, or a "system" in each entry'


def reviewers(record: Record, path: str) -> list[list[Item]]:
    """The items at a path, one list per reviewer, which may be empty.

    Items of a flat list that name no review belong to one reviewer.

    Raises:
        InputFault: the path is absent, a value is not a text, there are several systems, or the reviewers are
            ambiguous.
    """
    values = of_one_system(values_at(record, path, "name another key with {reference}"), path)
    steps = path_steps(record, path)
    lists = expanded_lists(record, steps)
    if len(lists) > 1:
        raise InputFault(f'"{path}" takes every entry of {len(lists)} lists: name the reviewers', kind="invalid-key")
    entries = values if len(values) > 1 else _entries_of(values[0])
    if entries is None:
        return _by_review(items_of(values[0], path), path)
    nested = [_entries_of(entry) is not None for entry in entries]
    if any(nested) and not all(nested):
        reason = f'"{path}": {sum(nested)} of {len(nested)} entries are lists and the others are texts'
        raise InputFault(f"{reason}: it is unclear which reviewer wrote them", kind="invalid-key")
    if any(nested) or steps[-1] == _REVIEWS or (len(values) > 1 and lists == [_REVIEWS]):
        return _check_reviewers([_one_reviewer(entry, path) for entry in entries], path)
    items = [item for entry in entries for item in items_of(entry, path)]
    if len(values) > 1 and any(item.review is None for item in items):
        reason = f'"{path}" takes texts from {len(values)} entries without their reviewers'
        raise InputFault(f"{reason}: end the path at a list of items, or of lists", kind="invalid-key")
    return _by_review(items, path)


def flat_candidates(record: Record, path: str) -> dict[str, list[Item]]:
    """The items of each system at a path, one flat list each.

    Raises:
        InputFault: see :func:`candidates`; or there are several lists without a system, which would be mixed up.
    """
    values = values_at(record, path, "name another key with {candidate}", leave_out_missing=True)
    several = Counter(system for system, value in values if _entries_of(value) is not None and not _of_systems(value))
    inner = [part for _, value in values if not _of_systems(value) for part in _entries_of(value) or ()]
    if any(count > 1 for count in several.values()) or any(_entries_of(part) is not None for part in inner):
        raise InputFault(f'"{path}" {_NOT_FLAT}', kind="invalid-key")
    return candidates(record, path, leave_out_missing=True)


def not_flat(record: Record, path: str) -> dict[str, InputFault]:
    """Faults of the systems at a path whose entry has nested lists."""
    values = values_at(record, path, "name another key with {candidate}", leave_out_missing=True)
    entries = [entry for _, value in values for entry in _of_systems(value)]
    nested = [one["system"] for one in entries if any(_entries_of(part) is not None for part in _entries_of(one) or ())]
    return {system: InputFault(f'"{path}": "{system}" {_NOT_FLAT}', kind="invalid-key") for system in nested}


def _entries_of(value: Any) -> list | None:
    """The entries of a list, or of the ``items`` of an object; None for other values."""
    if isinstance(value, dict):
        value = value.get("items")
    return value if isinstance(value, list) else None


def _of_systems(value: Any) -> list[Record]:
    """The entries of a list that have a system."""
    return (
        [entry for entry in value if isinstance(entry, dict) and "system" in entry] if isinstance(value, list) else []
    )


def _one_reviewer(entry: Any, path: str) -> list[Item]:
    """The items of one reviewer.

    Raises:
        InputFault: there are nested lists, or the items name several reviews.
    """
    if any(_entries_of(inner) is not None for inner in _entries_of(entry) or ()):
        raise InputFault(f'"{path}" has lists in the lists of its reviewers', kind="invalid-key")
    items = items_of(entry, path)
    named = {item.review for item in items}
    if len(named) > 1:
        names = ", ".join(sorted(name or "none" for name in named))
        raise InputFault(f'"{path}": one list has items of several reviews ({names})', kind="invalid-key")
    return items


def _check_reviewers(lists: list[list[Item]], path: str) -> list[list[Item]]:
    """Check that no two lists name the same review, and return them."""
    named = Counter(items[0].review for items in lists if items and items[0].review is not None)
    if twice := [name for name, count in named.items() if count > 1]:
        raise InputFault(f'"{path}": {named[twice[0]]} lists are of the review "{twice[0]}"', kind="invalid-key")
    return lists


def _by_review(items: Sequence[Item], path: str) -> list[list[Item]]:
    """Group the items of a flat list by review; all items form one group if none names a review."""
    lists: dict[str | None, list[Item]] = {}
    for item in items:
        lists.setdefault(item.review, []).append(item)
    if None in lists and len(lists) > 1:
        reason = f'"{path}": {len(lists[None])} of {len(items)} items name no review, the others do'
        raise InputFault(reason, kind="invalid-key")
    return list(lists.values())
