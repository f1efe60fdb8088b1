"""Works by their identifiers: each is asked of the sources in their order, until one knows it or does not answer."""

from __future__ import annotations

from collections.abc import Sequence

from scholartools.errors import ScholartoolsError
from scholartools.records import Record
from scholartools.sources import Id, Job, Source
from scholartools.tasks.fetch.asking import Gathered, gather
from scholartools.tasks.fetch.entries import Entry, Made, of_nothing, of_work
from scholartools.web.client import WebClient
from scholartools.web.request import Ask

TASK = "papers"


def id_for(source: Source, ids: Sequence[Id]) -> Id | None:
    """The identifier by which a source is best asked, or None."""
    by_kind = {one.kind: one for one in reversed(ids)}
    return next((by_kind[kind] for kind in source.id_kinds if kind in by_kind), None)


def first_requests(sources: Sequence[Source], entries: Sequence[Entry], window: int) -> list[Ask]:
    """The requests that are sure to be sent: to the first source that takes each entry, so many entries at once."""
    asks: list[Ask] = []
    for start in range(0, len(entries), window):
        wanted: dict[str, list[Id]] = {}
        for entry in entries[start : start + window]:
            for source in sources:
                if (one := id_for(source, entry.ids)) is not None:
                    wanted.setdefault(source.name, []).append(one)
                    break
        for source in sources:
            if source.name in wanted:
                asks += source.requests(Job(TASK, tuple(dict.fromkeys(wanted[source.name]))))
    return asks


async def fetch_papers(client: WebClient, sources: Sequence[Source], entries: Sequence[Entry]) -> list[Made]:
    """A record for each entry, in their order.

    Raises:
        ModelFault: the run must end.
    """
    made: dict[int, Made] = {}
    reasons: dict[int, list[tuple[str, str]]] = {place: [] for place in range(len(entries))}
    heard: dict[int, list[str]] = {place: [] for place in range(len(entries))}
    for source in sources:
        asked = {
            place: one
            for place, entry in enumerate(entries)
            if place not in made and entry.fault is None and (one := id_for(source, entry.ids)) is not None
        }
        if not asked:
            continue
        found = await gather(client, source, Job(TASK, tuple(dict.fromkeys(asked.values()))))
        for place, one in asked.items():
            item = str(one)
            if item in found.works:
                made[place] = Made([_record(entries[place], source, found, item)])
                continue
            reasons[place].append(_reason(found, item))
            heard[place] += found.answers
            if item in found.failed:  # another source's word in its place would make the record depend on the hour
                made[place] = _missing(entries[place], reasons[place], heard[place])
    return [made.get(place) or _missing(entry, reasons[place], heard[place]) for place, entry in enumerate(entries)]


def _record(entry: Entry, source: Source, found: Gathered, item: str) -> Record:
    work, answer = found.works[item]
    told = {"task": TASK, "answers": [answer.key], "asked": item}
    return of_work(work, source.name, answer.time, given=entry.record, **told)  # type: ignore[arg-type]


def _reason(found: Gathered, item: str) -> tuple[str, str]:
    if item in found.failed:
        return "provider", found.failed[item]
    return "missing", found.missing.get(item, "the source says nothing of it")


def _missing(entry: Entry, reasons: list[tuple[str, str]], answers: list[str]) -> Made:
    """What is left of an entry that no source gave; "missing" only where all that were asked said so."""
    if entry.fault is not None:
        fault = entry.fault
        return Made([of_nothing(entry, TASK, fault.kind, fault.reason)] if entry.record is not None else [], fault)
    if not reasons:
        kind, told = (
            "no-source",
            f"no source that is asked takes {', '.join(map(str, entry.ids)) or 'a record without ids'}",
        )
    else:
        kind = "provider" if any(kind == "provider" for kind, _ in reasons) else "missing"
        told = "; ".join(dict.fromkeys(reason for _, reason in reasons))
    fault = ScholartoolsError(told, kind=kind)
    return Made([of_nothing(entry, TASK, kind, told, answers)], fault)
