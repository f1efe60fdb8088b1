"""What each system says: its claims, and its entries under targets, labels and the like of a weakness."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from scholartools.errors import InputFault, UsageFault
from scholartools.parameters import parameter
from scholartools.records import Record, read
from scholartools.tasks.claims.base import GOLD
from scholartools.tasks.claims.marks import association_mark, weakness_mark


def with_claims(record: Record, items: list[Record], by: str, system: str | None) -> Record:
    """The record with claims: under ``claims``, or under ``generated.claims`` as those of a system."""
    if system is None:
        return {**record, "claims": items}
    generated = read(record, "generated") or {}
    entry = {"system": system, "by": by, "items": items}
    return {**record, "generated": {**generated, "claims": replace_entry(generated.get("claims"), entry)}}


def replace_entry(entries: Sequence[Record] | None, made: Record) -> list[Record]:
    """Entries of several systems with one system's made anew, in its place."""
    entries = list(entries or ())
    for place, entry in enumerate(entries):
        if entry.get("system") == made["system"]:
            return [*entries[:place], made, *entries[place + 1 :]]
    return [*entries, made]


def same_name(first: str, second: str) -> bool:
    """Whether two names are one but for case and space."""
    return "".join(first.casefold().split()) == "".join(second.casefold().split())


def refuse_overwriting(weaknesses: Sequence[Record], key: str, system: str, by: str) -> None:
    """Refuse to replace what a person said by what a model says, or the other way round.

    A person's entries are by the name of their system; so are a model's that has no name of its own, which no other
    model may replace either.

    Args:
        weaknesses: of a record.
        key: of their lists of entries: targets, labels or edited.
        system: name of the entries to make.
        by: who makes them.

    Raises:
        InputFault: an entry of the system is by somebody else.
    """
    for weakness in weaknesses:
        for entry in weakness.get(key) or ():
            before = entry.get("by")
            if entry.get("system") == system and before not in (None, by) and system in (before, by, GOLD):
                reason = f'the {key} of weakness "{weakness["id"]}" by "{system}" are by {before}, not by {by}'
                raise InputFault(f"{reason}: give them another name", kind="invalid-key")


def need_system(weaknesses: Sequence[Record], key: str, system: str | None) -> None:
    """Refuse a name of a system that no weakness has an entry of: it is misspelt, or its step was not run.

    Args:
        weaknesses: of a record; where there is none nothing is lacking.
        key: of their lists of entries: targets or labels.
        system: that is asked for; None for the only one.

    Raises:
        InputFault: none has.
    """
    names = list(dict.fromkeys(entry["system"] for one in weaknesses for entry in one.get(key) or ()))
    if system is not None and weaknesses and system not in names:
        known = f"there are {', '.join(names)}" if names else "there are none"
        raise InputFault(f'no weakness has {key} of "{system}" ({parameter(key)}); {known}', kind="missing-key")


def entry_of(weakness: Record, key: str, system: str | None, hint: str) -> Record | None:
    """The entry of one system under ``targets`` or ``labels`` of a weakness; None where that system has none.

    Args:
        weakness: that it is of.
        key: of the list of entries.
        system: whose; None for the only one there is.
        hint: the parameter that names one.

    Raises:
        UsageFault: there are several and none is named.
    """
    entries = weakness.get(key) or ()
    if system is not None:
        return next((entry for entry in entries if entry["system"] == system), None)
    if len(entries) > 1:
        names = ", ".join(entry["system"] for entry in entries)
        raise UsageFault(f'weakness "{weakness["id"]}" has {key} of several systems ({names}): name one with {hint}')
    return entries[0] if entries else None


def targets_of(weakness: Record, claims: Sequence[Record] | None, system: str | None) -> list[Record] | None:
    """The targets of a weakness by one system; None where that system has no answer.

    Raises:
        UsageFault: there are several systems and none is named.
        InputFault: they are of another text of the weakness, were chosen from other claims, or one is there twice.
    """
    entry = entry_of(weakness, "targets", system, f"{parameter('targets')}")
    if entry is None or entry["items"] is None:
        return None
    mark = entry.get("texts")
    known = () if claims is None else (weakness_mark(weakness), association_mark(weakness, claims))
    if mark is not None and known and mark not in known:
        reason = f'the targets of weakness "{weakness["id"]}" by "{entry["system"]}" are of other texts'
        raise InputFault(f"{reason}: run st-claims associate again", kind="stale")
    refuse_twins(weakness, entry)
    return entry["items"]


def refuse_twins(weakness: Record, entry: Record) -> None:
    """Refuse targets of which two are one claim, or one place of the paper: they would be counted twice.

    Raises:
        InputFault: there are such.
    """
    seen: list[Any] = []
    for target in entry["items"] or ():
        name = target.get("claim") or target.get("spans")
        if name and name in seen:
            whose = f'of weakness "{weakness["id"]}" by "{entry["system"]}"'
            reason = f'the targets {whose} have a duplicate "{target.get("claim") or target["text"][:60]}"'
            raise InputFault(reason, kind="invalid-key")
        seen.append(name)
