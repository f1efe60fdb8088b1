"""Fetch works by identifiers: each from the first source that knows it; a failed request ends the search."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from scholartools.errors import InputFault, ScholartoolsError
from scholartools.records import Record, failures
from scholartools.sources import Id, Job, Source
from scholartools.tasks.fetch.asking import Gathered, gather
from scholartools.tasks.fetch.entries import COMMAND, Entry, Made, of_nothing, of_work
from scholartools.tasks.fetch.matching import match
from scholartools.web.client import WebClient
from scholartools.web.request import Ask
from scholartools.wording import count_of

TASK = "papers"
_METADATA = Job(TASK)


def id_for(source: Source, ids: Sequence[Id]) -> Id | None:
    """The identifier that a source prefers, or None."""
    by_kind = {one.kind: one for one in reversed(ids)}
    return next((by_kind[kind] for kind in source.id_kinds if kind in by_kind), None)


def first_requests(sources: Sequence[Source], entries: Sequence[Entry], window: int) -> list[Ask]:
    """Requests that are certain: to the first source for each entry, batched by ``window`` entries."""
    asks: list[Ask] = []
    for start in range(0, len(entries), window):
        wanted: dict[str, list[Id]] = {}
        for entry in entries[start : start + window]:
            if is_to_be_searched(entry, sources):
                asks += [ask for source in _searchable(sources)[:1] for ask in source.requests(_search_of(entry))]
            for source in sources:
                if (one := id_for(source, entry.ids)) is not None:
                    wanted.setdefault(source.name, []).append(one)
                    break
        for source in sources:
            if source.name in wanted:
                asks += source.requests(Job(TASK, tuple(dict.fromkeys(wanted[source.name]))))
    return asks


def refuse_second_reviews(entry: Entry) -> Entry:
    """Add an error to an entry whose record already has reviews, which would be duplicated."""
    if entry.fault is None and entry.record is not None and entry.record.get("reviews"):
        return entry._replace(fault=InputFault('the record already has "reviews"', kind="reviews-there"))
    return entry


async def fetch_papers(
    client: WebClient, sources: Sequence[Source], entries: Sequence[Entry], job: Job = _METADATA
) -> list[Made]:
    """A record for each entry, in order.

    Args:
        job: "papers", or "reviews" to include reviews and the public discussion.

    Raises:
        ModelFault: the run must end.
    """
    made: dict[int, Made] = {}
    reasons: dict[int, list[tuple[str, str]]] = {place: [] for place in range(len(entries))}
    heard: dict[int, list[str]] = {place: [] for place in range(len(entries))}
    for place, entry in enumerate(entries):
        if job.action == TASK and is_to_be_searched(entry, sources):
            made[place] = await _by_title(client, sources, entry)
    for source in sources:
        asked = {
            place: one
            for place, entry in enumerate(entries)
            if place not in made and entry.fault is None and (one := id_for(source, entry.ids)) is not None
        }
        if not asked:
            continue
        found = await gather(client, source, job._replace(ids=tuple(dict.fromkeys(asked.values()))))
        for place, one in asked.items():
            item = str(one)
            if item in found.works and item not in found.failed:
                made[place] = made_of(entries[place], source, found, item, job, before=heard[place])
                continue
            reasons[place].append(_reason(found, item))
            heard[place] += found.heard.get(item, [])
            if item in found.failed:  # a fallback to another source would make the record depend on temporary failures
                made[place] = missing(entries[place], reasons[place], heard[place], job.action)
    return [
        made.get(place) or missing(entry, reasons[place], heard[place], job.action)
        for place, entry in enumerate(entries)
    ]


def is_to_be_searched(entry: Entry, sources: Sequence[Source]) -> bool:
    """Whether a record has a title, no id that a source supports, and a source can search titles."""
    if entry.fault is not None or entry.record is None or not isinstance(entry.record.get("title"), str):
        return False
    return bool(_searchable(sources)) and all(id_for(source, entry.ids) is None for source in sources)


def _searchable(sources: Sequence[Source]) -> list[Source]:
    return [source for source in sources if "search" in source.actions]


def _search_of(entry: Entry) -> Job:
    return Job("search", query=" ".join(str((entry.record or {})["title"]).split()))


async def _by_title(client: WebClient, sources: Sequence[Source], entry: Entry) -> Made:
    """The record of a paper identified by its title, from the first source with a certain match."""
    given = entry.record or {}
    best: Record | None = None
    answers: list[str] = []
    for source in _searchable(sources):
        job = _search_of(entry)
        found = await gather(client, source, job)
        answers += found.answers
        if failed := found.failed.get(job.query) or next(iter(found.faults), None):
            return missing(entry, [("provider", failed)], answers, TASK)
        works = [work for work, _ in found.candidates]
        decided = match(given, works)
        matched = decided.record(works)
        if decided.best is not None:
            work, answer = found.candidates[decided.best]
            told = {"task": TASK, "answers": [answer.key, *answers], "asked": job.query, "options": {"by": "title"}}
            return Made([of_work(work, source.name, answer.time, given=given, matched=matched, **told)])  # type: ignore[arg-type]
        if best is None or (matched["score"] or 0.0) > (best["score"] or 0.0):
            best = matched
    if best is None:
        return missing(entry, [("no-source", "no source that is asked looks for titles")], answers, TASK)
    entry = entry._replace(record={**given, "matched": best})
    return missing(entry, [("unmatched", f"no paper for sure by its title: {best['why']}")], answers, TASK)


def made_of(
    entry: Entry, source: Source, found: Gathered, item: str, job: Job, choice: Mapping[str, Any] | None = None,
    *, before: Sequence[str] = (),
) -> Made:  # fmt: skip
    """The record of a work that was found, or the completed input record, with missing parts.

    Args:
        choice: selection by which the work was included.
        before: keys of the responses that led to the request.
    """
    work, answer = found.works[item]
    kinds = {"public-comments": job.public_comments, "revisions": job.revisions}
    options = {**{name: True for name, is_on in kinds.items() if is_on}, **(choice or {})}
    answers = [answer.key, *found.heard.get(item, ()), *before]
    told = {"task": job.action, "answers": answers, "asked": item, "options": options}
    record = of_work(work, source.name, answer.time, given=entry.record, **told)  # type: ignore[arg-type]
    if (lost := found.lost.get(item)) is None:
        return Made([record])
    reason = f"{count_of(len(lost), 'request')} without an answer: {lost[0]}"
    fault = {"command": COMMAND, "task": job.action, "kind": "missing-parts", "reason": reason}
    return Made([{**record, "errors": [*failures(record), fault]}], missing=reason)


def _reason(found: Gathered, item: str) -> tuple[str, str]:
    if item in found.failed:
        return "provider", found.failed[item]
    return "missing", found.missing.get(item, "the source says nothing of it")


def missing(entry: Entry, reasons: Sequence[tuple[str, str]], answers: Sequence[str], task: str) -> Made:
    """Result of an entry that no source has; "missing" only if all queried sources confirmed it."""
    if entry.fault is not None:
        fault = entry.fault
        return Made([of_nothing(entry, task, fault.kind, fault.reason)] if entry.record is not None else [], fault)
    if not reasons:
        kind, told = (
            "no-source",
            "none of the requested services can find a paper by "
            f"{', '.join(map(str, entry.ids)) or 'a record without ids'}: name it by another identifier",
        )
    else:
        kinds = [kind for kind, _ in reasons]
        kind = "provider" if "provider" in kinds else next((one for one in kinds if one != "missing"), "missing")
        told = "; ".join(dict.fromkeys(reason for _, reason in reasons))
    fault = ScholartoolsError(told, kind=kind)
    return Made([of_nothing(entry, task, kind, told, answers)], fault)
