"""Request the pages of a source's responses, each of which is checked before it is stored."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Any

from scholartools.errors import ModelFault, ScholartoolsError
from scholartools.sources import Job, Page, Source, Tie
from scholartools.sources.base import Record
from scholartools.web.client import WebClient
from scholartools.web.request import Answer, Ask


@dataclass
class Gathered:
    """Combined contents of all pages of a job.

    Attributes:
        works: works by item, with the response they came in.
        missing: items unknown to the source, with the reason.
        failed: items of failed requests, with the reason; one that is also in ``works`` is incomplete.
        lost: by item, reasons of failed requests for parts of a work.
        candidates: possible matches of a title.
        ties: related works, in the source's order.
        faults: failed requests of a list.
        total: total number of related works according to the source.
        listed: number of works listed for a venue, including non-public ones.
        answers: keys of all responses.
        heard: keys of the responses on an item.
        time: time of the last response.
    """

    works: dict[str, tuple[Record, Answer]] = field(default_factory=dict)
    missing: dict[str, str] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)
    lost: dict[str, list[str]] = field(default_factory=dict)
    candidates: list[tuple[Record, Answer]] = field(default_factory=list)
    ties: list[tuple[Tie, Answer]] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    total: int | None = None
    total_is_exact: bool = False
    listed: int = 0
    answers: list[str] = field(default_factory=list)
    heard: dict[str, list[str]] = field(default_factory=dict)
    time: float = 0.0


async def gather(client: WebClient, source: Source, job: Job) -> Gathered:
    """Send all requests of a job, independent ones concurrently.

    If works require further requests, their pages are parsed again with the results of these.

    Raises:
        ModelFault: the run must end.
    """
    found, pages = await _walk(client, source, job, source.requests(job))
    asks = source.second(job, {item: work for item, (work, _) in found.works.items()})
    if not asks:
        return found
    second, answered = await _walk(client, source, job, asks)
    asides = {name: said for ask, answer in answered for name, said in source.read(job, ask, answer).asides.items()}
    parts = {ask.items[0] for ask in asks if ask.is_part}
    asides |= {name: reason for name, reason in second.failed.items() if name in parts}
    whole = Gathered()
    for ask, answer in pages:
        _take(whole, source.read(job._replace(asides=asides), ask, answer), answer)
    whole.failed, whole.faults, whole.heard = found.failed, found.faults, found.heard
    for ask, answer in answered:
        whole.answers.append(answer.key)
        for item in ask.items[1:]:
            whole.heard.setdefault(item, []).append(answer.key)
    for ask in asks:
        reason = second.failed.get(ask.items[0])
        if reason is None:
            continue
        for item in ask.items[1:]:
            if ask.is_part:
                whole.lost.setdefault(item, []).append(reason)
            else:
                whole.failed[item] = reason
    return whole


async def _walk(
    client: WebClient, source: Source, job: Job, asks: list[Ask]
) -> tuple[Gathered, list[tuple[Ask, Answer]]]:
    """Results of requests and of the following pages, and the responses in order."""
    found = Gathered()
    answered: list[tuple[Ask, Answer]] = []
    seen: set[tuple[Any, ...]] = set()
    while asks:
        pages = await asyncio.gather(*(_page(client, source, job, ask) for ask in asks), return_exceptions=True)
        for fault in pages:
            if isinstance(fault, ModelFault) or (
                isinstance(fault, BaseException) and not isinstance(fault, ScholartoolsError)
            ):
                raise fault
        following: list[Ask] = []
        for ask, made in zip(asks, pages):
            if isinstance(made, BaseException):
                _note_fault(found, ask, str(made))
            elif made[0].next and (kind := _signature(ask, made[0])) in seen:
                found.faults.append(f"{source.name} gives the same page again")
            else:
                seen.update([kind] if made[0].next and kind[1:] != ((), ()) else [])
                answered.append((ask, made[1]))
                following += _take(found, *made)
                for item in ask.items:
                    found.heard.setdefault(item, []).append(made[1].key)
        asks = following
    return found, answered


def _signature(ask: Ask, page: Page) -> tuple[Any, ...]:
    """Fingerprint of a page's contents, to detect a service that returns the same page again and again."""
    ties = (tie.item or tuple(sorted((tie.work or {}).get("ids", {}).items())) for tie in page.ties)
    return ask.label, tuple(page.works), tuple(ties)


def _note_fault(found: Gathered, ask: Ask, reason: str) -> None:
    if ask.label in ("list", "citations", "venue", "group") and all(":" not in item for item in ask.items):
        found.faults.append(reason)
    else:
        found.failed |= dict.fromkeys(ask.items, reason)


def _take(found: Gathered, page: Page, answer: Answer) -> list[Ask]:
    """Add the contents of a page; return the requests that must follow."""
    found.works |= {item: (work, answer) for item, work in page.works.items()}
    found.missing |= page.missing
    found.candidates += [(work, answer) for work in page.candidates]
    found.listed += page.listed
    found.ties += [(tie, answer) for tie in page.ties]
    if page.total is not None:
        found.total = page.total
        found.total_is_exact = page.total_is_exact
    found.answers.append(answer.key)
    found.time = max(found.time, answer.time)
    return page.next


async def _page(client: WebClient, source: Source, job: Job, ask: Ask) -> tuple[Page, Answer]:
    answer = await client.ask(ask, verify=lambda one: source.read(job, ask, one), doubt=source.doubt)
    return source.read(job, ask, answer), answer
