"""What each system says: its claims, and its entries under targets, labels and the like of a weakness."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from scholartools.errors import InputFault, UsageFault
from scholartools.parameters import parameter
from scholartools.records import Entry, Record, read
from scholartools.tasks.claims.base import GOLD, entry_of
from scholartools.tasks.claims.marks import association_mark, weakness_mark

if TYPE_CHECKING:
    from scholartools.schemas.shapes import Claim, Target, Targets, Weakness


def with_claims(record: Record, items: list[Record], by: str, system: str | None) -> Record:
    """The record with claims: under ``claims``, or under ``generated.claims`` as those of a system."""
    if system is None:
        return {**record, "claims": items}
    generated = read(record, "generated") or {}
    entry = {"system": system, "by": by, "items": items}
    return {**record, "generated": {**generated, "claims": replace_entry(generated.get("claims"), entry)}}


def replace_entry(entries: Sequence[Entry] | None, made: Record) -> list[Entry]:
    """Entries of several systems with one system's made anew, in its place."""
    known = list(entries or ())
    for place, entry in enumerate(known):
        if entry.get("system") == made["system"]:
            return [*known[:place], made, *known[place + 1 :]]
    return [*known, made]


def same_name(first: str, second: str) -> bool:
    """Whether two names are one but for case and space."""
    return "".join(first.casefold().split()) == "".join(second.casefold().split())


def refuse_overwriting(weaknesses: Sequence[Entry], key: str, system: str, by: str) -> None:
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


def choose_system(weaknesses: Sequence[Entry], key: str, system: str | None) -> Record | None:
    """Whose entries of the weaknesses of a record are read: its ``system`` and ``by``; None where there are none.

    Args:
        weaknesses: of a record; where there is none nothing is lacking.
        key: of their lists of entries: targets or labels.
        system: that is asked for; None for the only one.

    Raises:
        UsageFault: there are several and none is named.
        InputFault: no weakness has an entry of the one that is named: it is misspelt, or its step was not run.
    """
    authors = {entry["system"]: entry.get("by") for one in weaknesses for entry in one.get(key) or ()}
    known = ", ".join(authors)
    if system is None and len(authors) > 1:
        raise UsageFault(f"weaknesses have {key} of several systems ({known}): name one with {parameter(key)}")
    if system is not None and weaknesses and system not in authors:
        told = f"there are {known}" if authors else "there are none"
        raise InputFault(
            f'no weakness has {key} from the system "{system}", which {parameter(key)} names; {told}',
            kind="missing-key",
        )
    name = next(iter(authors), None) if system is None else system
    return {"system": name, "by": authors[name]} if name in authors else None


def count_authors(made: Sequence[Entry]) -> Record:
    """A key that counts whose ``targets`` some verifications or verdicts are about; none where they do not say it."""
    authors = [one["targets"] for one in made if one.get("targets")]
    names = [
        one["system"] if one.get("by") in (None, one["system"]) else f"{one['system']} by {one['by']}"
        for one in authors
    ]
    return {"targets_by": dict(Counter(names))} if names else {}


def targets_of(weakness: Weakness, claims: Sequence[Claim] | None, author: Entry | None) -> list[Target] | None:
    """The targets of a weakness by an author that ``choose_system`` gave; None where that one has no answer.

    Raises:
        InputFault: they are of another text of the weakness, were chosen from other claims, or one is there twice.
    """
    entry = entry_of(weakness, "targets", author)
    if entry is None:
        return None
    refuse_other_targets(weakness, claims, entry)
    return entry["items"]


def refuse_other_targets(weakness: Weakness, claims: Sequence[Claim] | None, entry: Targets) -> None:
    """Refuse targets that are of another text than the weakness has, or were chosen from other claims.

    Args:
        weakness: that the targets are of.
        claims: of the record; where it has none, nothing shows that the weakness is still the one that was read.
        entry: of the weakness under ``targets``.

    Raises:
        InputFault: they are, or one is there twice.
    """
    mark = None if entry["items"] is None else entry.get("texts")
    if mark not in (None, weakness_mark(weakness), association_mark(weakness, claims or ())):
        whose = f'the targets of weakness "{weakness["id"]}" by "{entry["system"]}"'
        if claims is None:
            raise InputFault(f"{whose} were chosen from claims, and the record has no claims", kind="stale")
        reason = f"{whose} are for other texts than the record"
        raise InputFault(f"{reason}: run st-claims associate again", kind="stale")
    refuse_twins(weakness, entry)


def refuse_twins(weakness: Weakness, entry: Entry) -> None:
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
