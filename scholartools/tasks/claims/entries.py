"""Entries of systems: their claims, and the entries under targets, labels etc. of a weakness."""

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
    """Store claims under ``claims``, or under ``generated.claims`` as those of a system."""
    if system is None:
        return {**record, "claims": items}
    generated = read(record, "generated") or {}
    entry = {"system": system, "by": by, "items": items}
    return {**record, "generated": {**generated, "claims": replace_entry(generated.get("claims"), entry)}}


def replace_entry(entries: Sequence[Entry] | None, made: Record) -> list[Entry]:
    """Replace the entry of a system, or append it."""
    known = list(entries or ())
    for place, entry in enumerate(known):
        if entry.get("system") == made["system"]:
            return [*known[:place], made, *known[place + 1 :]]
    return [*known, made]


def same_name(first: str, second: str) -> bool:
    """Whether two names are equal apart from case and spaces."""
    return "".join(first.casefold().split()) == "".join(second.casefold().split())


def refuse_overwriting(weaknesses: Sequence[Entry], key: str, system: str, by: str) -> None:
    """Check that neither human entries are replaced by a model's, nor a model's by human ones.

    Human entries have the name of the system as author; so do entries of a model without a custom name, which other
    models may not replace.

    Args:
        weaknesses: the weaknesses of a record.
        key: the list of entries: targets, labels or edited.
        system: name of the new entries.
        by: author of the new entries.

    Raises:
        InputFault: an entry of the system has another author.
    """
    for weakness in weaknesses:
        for entry in weakness.get(key) or ():
            before = entry.get("by")
            if entry.get("system") == system and before not in (None, by) and system in (before, by, GOLD):
                reason = f'the {key} of weakness "{weakness["id"]}" by "{system}" are by {before}, not by {by}'
                raise InputFault(f"{reason}: give them another name", kind="invalid-key")


def choose_system(weaknesses: Sequence[Entry], key: str, system: str | None) -> Record | None:
    """Choose whose entries are read: ``system`` and ``by``; None if there are no entries.

    Args:
        weaknesses: the weaknesses of a record; if there are none, no entry is missing.
        key: the list of entries: targets or labels.
        system: the requested system; None for the only one.

    Raises:
        UsageFault: there are several systems and none is requested.
        InputFault: no weakness has an entry of the requested system, which is misspelt or whose step was not run.
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
    """Count verifications or verdicts by the author of their ``targets``; empty if these are not recorded."""
    authors = [one["targets"] for one in made if one.get("targets")]
    names = [
        one["system"] if one.get("by") in (None, one["system"]) else f"{one['system']} by {one['by']}"
        for one in authors
    ]
    return {"targets_by": dict(Counter(names))} if names else {}


def targets_of(weakness: Weakness, claims: Sequence[Claim] | None, author: Entry | None) -> list[Target] | None:
    """The targets of a weakness by an author from ``choose_system``; None if there is no answer.

    Raises:
        InputFault: they refer to other texts of the weakness or the claims, or one is duplicate.
    """
    entry = entry_of(weakness, "targets", author)
    if entry is None:
        return None
    refuse_other_targets(weakness, claims, entry)
    return entry["items"]


def refuse_other_targets(weakness: Weakness, claims: Sequence[Claim] | None, entry: Targets) -> None:
    """Check that targets refer to the current text of the weakness and to the current claims.

    Args:
        weakness: the weakness of the targets.
        claims: the claims of the record; None if it has none, so that the check is impossible.
        entry: an entry under ``targets``.

    Raises:
        InputFault: they refer to other texts, or one is duplicate.
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
    """Check that no two targets are the same claim or the same place of the paper, which would count twice.

    Raises:
        InputFault: a target is duplicate.
    """
    seen: list[Any] = []
    for target in entry["items"] or ():
        name = target.get("claim") or target.get("spans")
        if name and name in seen:
            whose = f'of weakness "{weakness["id"]}" by "{entry["system"]}"'
            reason = f'the targets {whose} have a duplicate "{target.get("claim") or target["text"][:60]}"'
            raise InputFault(reason, kind="invalid-key")
        seen.append(name)
