"""Fetch data for many entries: services are called concurrently, records are written in input order."""

from __future__ import annotations

import asyncio
import contextlib
import datetime
import itertools
import os
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from typing import Any

from scholartools import io
from scholartools.errors import InputFault, ScholartoolsError, UsageFault
from scholartools.parameters import parameter
from scholartools.pipeline.outcome import Outcome
from scholartools.pipeline.stream import Stream, Tally
from scholartools.sources import SOURCES, Source, Venue, source_of_venue
from scholartools.sources.prices import old_prices
from scholartools.tasks.fetch.entries import Entry, Made
from scholartools.tasks.fetch.ids import ids_of, parse_id
from scholartools.web.client import WebClient
from scholartools.web.limiter import Limiter, told_interval
from scholartools.web.request import Ask
from scholartools.web.settings import WebSettings
from scholartools.wording import count_of

Work = Callable[[WebClient, Sequence[Entry]], Awaitable[list[Made]]]

#: Number of papers requested concurrently; requests to one service are still sent one after another.
AT_ONCE = 16


def venue_and_source(name: str, year: int | None, sources: Sequence[str]) -> tuple[Venue, Source]:
    """Find the venue that a user named, and its source.

    Raises:
        UsageFault: no source has it.
    """
    venue = Venue(name.strip(), year)
    source = source_of_venue(venue)
    if source is None:
        known = "no group of OpenReview (NAME.cc/YEAR/Conference), and no venue of the ACL Anthology"
        told = f"{parameter('venue')} {name}: {known}"
        raise UsageFault(told if year else f"{told} without {parameter('year')}")
    if sources and source.name not in sources:
        raise UsageFault(f"{parameter('venue')} {venue} is one of {source.name}", parameter="source")
    return venue, source


def chosen_sources(named: Sequence[str], action: str, contact: str | None) -> list[Source]:
    """Select the sources to call, in order; without names, the default sources that support the action.

    Some sources are used only by name: otherwise every paper unknown elsewhere would be requested from them, and
    replays of earlier runs would fail.

    Args:
        contact: an e-mail address; without one, sources that require it are skipped.

    Raises:
        UsageFault: a source is unknown, does not support the action, or requires an e-mail address.
    """
    able = [source for source in SOURCES.values() if action in source.actions]
    for name in named:
        if name not in SOURCES:
            raise UsageFault(f'"{name}" is not one of {", ".join(SOURCES)}', parameter="source")
        if SOURCES[name] not in able:
            known = ", ".join(source.name for source in able)
            raise UsageFault(f'"{name}" has no {action}: {known}', parameter="source")
        if SOURCES[name].service.needs_contact and not contact:
            raise UsageFault(f"{name} is asked only with {parameter('mailto')}", parameter="source")
    return [SOURCES[name] for name in dict.fromkeys(named)] or [
        source for source in able if source.by_default and (contact or not source.service.needs_contact)
    ]


def entries_of(stream: Stream, listed: Sequence[str], *, by_title: bool = False) -> Iterable[Entry]:
    """Entries to fetch: identifiers from the command line and from lists, or records of files, in order.

    Args:
        listed: files with one identifier per line.
        by_title: whether records with a title but without identifiers are accepted.

    Raises:
        UsageFault: an argument is neither an identifier nor a file.
    """
    named = [_parse(word) for word in stream.files if not _is_file(word)]
    files = tuple(word for word in stream.files if _is_file(word))
    of_lists = [_parse(word, where) for path in listed for where, word in _words(path)]
    records = _of_records(stream, files, by_title) if files or not (named or of_lists) else iter(())
    return itertools.chain(named, of_lists, records)


def fetch_each(stream: Stream, settings: WebSettings, entries: Iterable[Entry], work: Work, *, window: int) -> int:
    """Fetch and write the records of each entry, in order; return the exit status.

    Args:
        work: fetches some entries and returns the result of each.
        window: number of entries passed to ``work`` at once.

    Raises:
        ModelFault: the run must end; the records written so far remain.
    """
    tally = Tally(stream, keep_failed=stream.on_error == "keep")
    with tally, stream.open_output() as output:
        asyncio.run(_run(stream, settings, entries, work, window, tally, output))
        tally.stop_if_all_failed()
    return tally.status()


def fetch_singly(
    stream: Stream, settings: WebSettings, entries: Iterable[Entry], one: Callable[[WebClient, Entry], Awaitable[Made]]
) -> int:
    """Like :func:`fetch_each`, for a function ``one`` that fetches a single entry."""

    async def work(client: WebClient, some: Sequence[Entry]) -> list[Made]:
        return await asyncio.gather(*(one(client, entry) for entry in some))

    return fetch_each(stream, settings, entries, work, window=AT_ONCE)


async def _run(
    stream: Stream, settings: WebSettings, entries: Iterable[Entry], work: Work, window: int, tally: Tally,
    output: io.Output,
) -> None:  # fmt: skip
    client = WebClient(settings, {name: source.service for name, source in SOURCES.items()}, tally.warn)
    n_found = n_failed = 0
    try:
        source = iter(entries)
        while some := list(itertools.islice(source, window)):
            # a venue is one entry with many records
            for entry, made in zip(itertools.chain(some, itertools.repeat(some[-1])), await work(client, some)):
                for record in made.records:
                    io.dumps(record)
                content = b"\n".join(map(io.dumps, made.records)) or ""
                tally.record(Outcome(entry.where, content, fault=made.fault, missing=made.missing), output)
                n_failed += made.fault is not None
                n_found += made.fault is None
            stream.flush()
    finally:
        await client.close()
        told = f"{n_found} of {count_of(n_found + n_failed, 'paper')} found; {_spent(client)}"
        tally.warn(told)


def _spent(client: WebClient) -> str:
    sent, cached = client.budget.sent.total(), client.budget.cached.total()
    cost = f", USD {client.budget.cost:.4f}" if client.budget.cost else ""
    return f"{count_of(sent, 'request')} sent, {count_of(cached, 'answer')} from the cache{cost}"


def show_forecast(
    stream: Stream, settings: WebSettings, asks: Sequence[Ask], more: str | None, following: Sequence[Ask] | None = None
) -> int:
    """Write a forecast of the requests known in advance, one record per lane, without sending anything.

    Args:
        more: what depends on the responses, or None.
        following: requests that may follow; None if their number is unknown.
    """

    async def forecast() -> list[dict[str, Any]]:
        client = WebClient(settings, {name: source.service for name, source in SOURCES.items()}, stream.tell)
        try:
            return client.forecast(asks, following if more else ())
        finally:
            await client.close()

    rows = asyncio.run(forecast())
    for line in old_prices({ask.source for ask in (*asks, *(following or ()))}, datetime.date.today()):
        stream.tell(line)
    with stream.open_output() as output:
        for row in rows:
            output.write({**row, "more": more})
    return 0


def show_status(stream: Stream, check: WebSettings | None = None) -> int:
    """Write the status of each source, one record each; return the exit status.

    Args:
        check: settings for a free test request to each source; None: nothing is sent.
    """
    from scholartools.cache import default_place
    from scholartools.cache.answers import Answers
    from scholartools.web.settings import server_in_place

    base, pace = server_in_place()
    limiter = Limiter(pace=pace, scope=f"{base} " if base else "")
    place = default_place()
    try:
        stored: dict[str, dict[str, Any]] = {}
        if Answers.exist(place):
            with contextlib.closing(Answers(place, readonly=True)) as answers:
                stored = {row["source"]: row for row in answers.counts()}
        probed = asyncio.run(_probe_all(check)) if check is not None else {}
        with stream.open_output() as output:
            for source in SOURCES.values():
                record = _status_of(source, base, limiter, stored.get(source.name))
                output.write({**record, **({"check": probed[source.name]} if check is not None else {})})
    finally:
        limiter.close()
    return int(any(one["reached"] is False or one.get("differs") for one in probed.values()))


async def _probe_all(settings: WebSettings) -> dict[str, dict[str, Any]]:
    client = WebClient(settings, {name: source.service for name, source in SOURCES.items()}, lambda line: None)
    try:
        found = await asyncio.gather(*(_probe(client, source) for source in SOURCES.values()))
    finally:
        await client.close()
    return dict(zip(SOURCES, found))


async def _probe(client: WebClient, source: Source) -> dict[str, Any]:
    """Result of a free test request to a source, with any difference between its rate limit and ours."""
    if source.service.needs_contact and not client.settings.contact:
        return {"reached": None, "why": f"asked only with {parameter('mailto')}"}
    if source.probe is None:
        return {"reached": None, "why": "no free request to this service is known"}
    try:
        answer = await client.ask(source.probe, verify=lambda one: None)
    except ScholartoolsError as fault:
        return {"reached": False, "why": str(fault)}
    told, own = told_interval(answer.head), source.service.lanes[source.probe.lane].interval
    limits = {name: value for name, value in answer.head.items() if name.startswith("x-rate")}
    made: dict[str, Any] = {"reached": True, "status": answer.status, "limits": limits, "seconds_told": told or None}
    differs = f"it allows a request in {told:g} s, and one in {own:g} s is planned" if told > own else None
    return {**made, "differs": differs}


def _status_of(source: Source, base: str | None, limiter: Limiter, stored: dict[str, Any] | None) -> dict[str, Any]:
    service = source.service
    variable = service.key_variable
    hosts = [f"{base}/{source.name}"] if base else list(service.addresses.values())
    return {
        "source": source.name,
        "actions": list(source.actions),
        "ids": list(source.id_kinds),
        "hosts": hosts,
        "key": {"variable": variable, "set": bool(os.environ.get(variable, "").strip())} if variable else None,
        "limits": [
            {
                "lane": lane.name, "seconds_between": lane.interval, "one_at_a_time": lane.alone,
                "paused": max(0, round(limiter.paused(lane))),
            }
            for lane in service.lanes.values()
        ],
        "terms": source.terms,
        "checked": source.checked,
        "stored": {name: stored[name] for name in ("answers", "bytes", "cost")} if stored else None,
    }  # fmt: skip


def _is_file(word: str) -> bool:
    return word == "-" or os.path.exists(word)


def _parse(word: str, where: str | None = None) -> Entry:
    try:
        return Entry(word, (parse_id(word),))
    except InputFault as fault:
        by_title = '; a paper is found by its title in a file of records: {"title": "..."}' if " " in word else ""
        told = f"{where}: {fault.reason}" if where else f"{fault.reason}. It is not a file either{by_title}"
        raise UsageFault(told) from None


def _words(path: str) -> Iterator[tuple[str, str]]:
    """Identifiers in a list with one per line, each with its position; text after ``# `` is a comment."""
    with io.open_input(path, "ids") as file:
        for number, line in enumerate(file, 1):
            word = line.decode(errors="replace").split("# ", 1)[0].strip()
            if word and not word.startswith("#"):
                yield f"{parameter('ids')} {path}:{number}", word


def _of_records(stream: Stream, files: tuple[str, ...], by_title: bool) -> Iterator[Entry]:
    stream.files = files
    for line in stream.read():
        if line.fault is not None:
            yield Entry(line.where, (), line.record, line.fault)
            continue
        try:
            ids = ids_of(line.record)
            fault: ScholartoolsError | None = None
            if not ids and not (by_title and isinstance(line.record.get("title"), str)):
                hint = (
                    'there is no "title"'
                    if by_title
                    else "run st-fetch papers first, which finds papers by their titles"
                )
                told = f'no "ids", "doi" or "arxiv", and "id" is not an identifier; {hint}'
                fault = InputFault(told, kind="missing-key")
        except InputFault as error:
            ids, fault = (), error
        yield Entry(line.where, ids, line.record, fault)
