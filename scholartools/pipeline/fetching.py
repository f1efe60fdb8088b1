"""Fetching for many entries: services asked for some at once, records written in the order of the input."""

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

#: Papers that are asked about at once, each by itself; requests of one service go one after another all the same.
AT_ONCE = 16


def venue_and_source(name: str, year: int | None, sources: Sequence[str]) -> tuple[Venue, Source]:
    """A venue by the words of a person, and the source that has it.

    Raises:
        UsageFault: none has it.
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
    """The sources that are asked, in their order; without names, those of all that know the action.

    Some are asked only by name: what no source knows would be asked of each of them, and an earlier run's replay fail.

    Args:
        contact: a mail address; without one, sources that want one are not asked.

    Raises:
        UsageFault: one is unknown, does not know the action, or wants an address.
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
    """What is asked about: identifiers of the command line and of lists, or the records of files, in order.

    Args:
        listed: files with an identifier a line.
        by_title: whether records without identifiers will do, if they have a title.

    Raises:
        UsageFault: a word is neither an identifier nor a file.
    """
    named = [_parse(word) for word in stream.files if not _is_file(word)]
    files = tuple(word for word in stream.files if _is_file(word))
    of_lists = [_parse(word, where) for path in listed for where, word in _words(path)]
    records = _of_records(stream, files, by_title) if files or not (named or of_lists) else iter(())
    return itertools.chain(named, of_lists, records)


def fetch_each(stream: Stream, settings: WebSettings, entries: Iterable[Entry], work: Work, *, window: int) -> int:
    """Write what is fetched for each entry, in order; returns the exit status.

    Args:
        work: makes of some entries what becomes of each.
        window: entries that are asked about at once.

    Raises:
        ModelFault: the run must end; what was written stays.
    """
    tally = Tally(stream, keep_failed=stream.on_error == "keep")
    with tally, stream.open_output() as output:
        asyncio.run(_run(stream, settings, entries, work, window, tally, output))
        tally.stop_if_all_failed()
    return tally.status()


def fetch_singly(
    stream: Stream, settings: WebSettings, entries: Iterable[Entry], one: Callable[[WebClient, Entry], Awaitable[Made]]
) -> int:
    """As :func:`fetch_each`, where each entry is asked about by itself: ``one`` makes what becomes of it."""

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
            # of a venue, which is one entry, come many records
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
    """Write what the requests that are known beforehand would take, a record a lane; nothing is sent.

    Args:
        more: what cannot be known before answers are there, or None.
        following: requests that may come after them; None: nobody knows how many.
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
    """Write what is known of each source, a record each; returns the exit status.

    Args:
        check: how each is asked for one thing that costs nothing; None: nothing is sent.
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
    """What a source says to a request that costs nothing, and in what its limit differs from ours."""
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
    """The words of a list, one a line, each with its place; what follows a # and a space is a remark."""
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
