"""Remove the malformed or duplicate entries of systems from a record, so that the other systems can be scored.

Most judgements are lists with one entry per system, which are validated one by one. Facets, verifications and the
entries of weaknesses are validated as a whole: without this module, one rater's label of 2.5 would invalidate all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from scholartools.errors import InputFault
from scholartools.records import Record, shape_faults
from scholartools.tasks.shared.items import system_named

if TYPE_CHECKING:
    from scholartools.schemas.shapes import Key, PaperRecord

#: For each metric, the lists from which entries of one system can be removed: those that the metric compares (their
#: systems are reported as left out), and further lists that it reads.
_PARTS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "facets": (("facets", "summaries"), ()),
    "support": ((), ("facets",)),
    "text": (("summaries",), ()),
    "targets": (("targets",), ("labels", "edited")),
    "labels": (("labels",), ("targets", "edited")),
    "edits": (("edited",), ("labels", "targets")),
    "weaknesses": (("annotations",), ("targets", "labels", "edited")),
    "same-issue": (("verifications",), ("targets", "labels", "edited")),
    "verifications": (("verifications",), ("targets", "labels", "edited")),
    "specificity": (("edited",), ("targets", "labels")),
}
_KEYS: tuple[Key, ...] = ("summaries", "facets", "weaknesses", "annotations", "verifications")
_SUMMARY = "summary:"


class Sound(NamedTuple):
    """A record that a metric can read.

    Attributes:
        record: a copy without the invalid entries.
        faults: faults in the lists that the metric compares, by system.
    """

    record: Record
    faults: dict[str, InputFault]


def sound_part(record: Record, metric: str) -> Sound | None:
    """The record without the invalid entries of some systems.

    None if no entry is invalid, or if an invalid value does not belong to a system, or the metric cannot do without it.
    """
    own, beside = _PARTS.get(metric, ((), ()))
    faults: dict[tuple[str, str], InputFault] = {}
    for key in _KEYS:
        for place, fault in shape_faults(record, key):
            owner = _owner(record[key], key, place)
            if owner is None or owner[0] not in own + beside:
                return None
            faults.setdefault(owner, fault)
    for owner, fault in [] if faults else _find_twins(record):
        if owner[0] in own + beside:
            faults.setdefault(owner, fault)
    if not faults:
        return None
    return Sound(_without(record, set(faults)), {name: one for (part, name), one in faults.items() if part in own})


def _owner(value: Any, key: str, place: Sequence[int | str]) -> tuple[str, str] | None:
    """The list and the system of the entry that contains the value at ``place``; None if there is no such entry."""
    depth = {"weaknesses": 3, "annotations": 2}.get(key, 1)
    if len(place) <= depth:
        return None
    for step in place[:depth]:
        value = value[step]
    name = value.get({"annotations": "rater", "facets": "in"}.get(key, "system"))
    if name is None and key == "summaries" and "system" in value:
        name = system_named(value)
    if not isinstance(name, str) or key == "facets" and not name.startswith(_SUMMARY):
        return None
    return (str(place[1]) if key == "weaknesses" else key), name.removeprefix(_SUMMARY) if key == "facets" else name


def _find_twins(record: PaperRecord) -> Iterator[tuple[tuple[str, str], InputFault]]:
    """The lists and systems with duplicate entries, in a record with valid shapes."""
    sets = (record.get("annotations") or {}).get("weaknesses") or ()
    rows = [
        *(("summaries", one["system"], one["system"]) for one in record.get("summaries") or ()),
        *(("verifications", one["system"], one["id"]) for one in record.get("verifications") or ()),
        *(("annotations", one["rater"], f"{one['rater']}, {one['review']}") for one in sets),
    ]
    counts = Counter((part, name) for part, _, name in rows)
    for part, system, name in rows:
        if counts[part, name] > 1:
            yield (part, system), InputFault(f'"{part}" has a duplicate "{name}"', kind="duplicate")


def _without(record: Record, gone: set[tuple[str, str]]) -> Record:
    def keep(part: str, entries: list[Record], name: str = "system") -> list[Record]:
        return [one for one in entries if (part, name_in(one, name).removeprefix(_SUMMARY)) not in gone]

    def name_in(one: Record, name: str) -> str:
        return system_named(one) if name == "system" and name in one else str(one.get(name))

    made = dict(record)
    parts = {part for part, _ in gone}
    for key in parts & {"summaries", "facets", "verifications"}:
        made[key] = keep(key, record[key], "in" if key == "facets" else "system")
    if "annotations" in parts:
        marked = record["annotations"]
        made["annotations"] = {**marked, "weaknesses": keep("annotations", marked["weaknesses"], "rater")}
    if nested := parts & {"targets", "labels", "edited"}:
        made["weaknesses"] = [
            {**one, **{part: keep(part, one[part]) for part in nested if one.get(part)}} for one in record["weaknesses"]
        ]
    return made
