"""Fetch sources and PDFs of papers: the licence first, then the file, complete and of the requested kind."""

from __future__ import annotations

import fcntl
import re
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from scholartools import io
from scholartools.errors import ScholartoolsError
from scholartools.records import Record
from scholartools.sources import Id, Job, Source, is_open
from scholartools.tasks.fetch.asking import gather
from scholartools.tasks.fetch.entries import Entry, Made, day, of_work
from scholartools.tasks.fetch.papers import id_for, missing
from scholartools.web.client import WebClient
from scholartools.web.files import Facts, Sink
from scholartools.web.request import Answer, Ask

TASK = "source"
KINDS = ("latex", "jats", "pdf")
# Kind of source by file type.
_OF_FILE = {"tar.gz": "latex", "gz": "latex", "pdf": "pdf", "xml": "jats"}
_CHUNK = 1 << 20


@dataclass(frozen=True)
class Wanted:
    """Which files to fetch.

    Attributes:
        kinds: kinds from :data:`KINDS`, in order of preference.
        folder: target folder.
        any_licence: include papers whose licence does not permit redistribution.
        version: "first", "latest", "vN", "reviewed", or None: the version in the identifier, else the latest.
    """

    kinds: tuple[str, ...]
    folder: Path
    any_licence: bool = False
    version: str | None = None

    def options(self) -> dict[str, Any]:
        """Options that affect a result."""
        named = {"kind": list(self.kinds), "any-licence": self.any_licence, "paper-version": self.version}
        return {name: value for name, value in named.items() if value}


class _Place(NamedTuple):
    """A request target: a kind of file from a source, by an identifier."""

    source: Source
    one: Id
    kind: str


async def fetch_file(client: WebClient, sources: Sequence[Source], entry: Entry, wanted: Wanted) -> Made:
    """The record of an entry with ``files``: the first available one of the requested kinds.

    Raises:
        ModelFault: the run must end.
        OutputFault: the file cannot be written.
    """
    reasons: list[tuple[str, str]] = []
    heard: list[str] = []
    if entry.fault is None:
        for place in _places(sources, entry.ids, wanted.kinds):
            try:
                made = await _fetch(client, place, entry, wanted, heard)
            except _NoFile as none:
                reasons.append(none.args)
                if none.args[0] == "provider":
                    break  # a fallback to another file would make the record depend on temporary failures
            else:
                return Made([made])
    return missing(entry, reasons, heard, TASK)


class _NoFile(Exception):
    """No file is available; has the kind and the reason of the error."""


def _places(sources: Sequence[Source], ids: Sequence[Id], kinds: Sequence[str]) -> list[_Place]:
    """Possible locations of the files: by kind, then by service."""
    return [
        _Place(source, one, kind)
        for kind in kinds
        for source in sources
        if kind in source.files and (one := id_for(source, ids)) is not None
    ]


async def _fetch(client: WebClient, place: _Place, entry: Entry, wanted: Wanted, heard: list[str]) -> Record:
    source, one, kind = place
    item = str(one)
    reviewed = wanted.version if wanted.version == "reviewed" else None
    found = await gather(client, source, Job("licence", (one,), version=reviewed))
    heard += found.heard.get(item, [])
    failed = found.failed.get(item)
    if failed or item not in found.works:
        raise _NoFile("provider" if failed else "missing", failed or found.missing.get(item, "nothing is said of it"))
    work, about = found.works[item]
    licence = work.get("licence")
    if not wanted.any_licence and not is_open(licence):
        said = (licence or {}).get("id") or (licence or {}).get("said") or "none is stated"
        raise _NoFile("licence", f"{source.name}: its licence ({said}) does not let everybody pass it on")
    ask = source.files[kind](one, work, wanted.version)
    if isinstance(ask, str):
        raise _NoFile("no-file", f"{source.name}: {ask}")
    name = _stem(entry.name, one, ask, wanted)
    sink = Sink(wanted.folder, name, {of for of, is_kind in _OF_FILE.items() if is_kind == kind})
    try:
        answer = await client.ask(ask, verify=lambda answer: answer, sink=sink)
    except ScholartoolsError as fault:
        if fault.kind in ("provider", "too-large", "refused", "not-what-was-asked"):
            raise _NoFile("provider" if fault.kind == "provider" else "no-file", str(fault)) from None
        raise
    heard.append(answer.key)
    facts = _facts(source, answer, kind)
    entry_of_file = _entry_of_file(source, ask, kind, sink.path_of(facts), facts, answer, licence)
    _note_licence(wanted.folder, entry_of_file)
    more: Record = {"files": [entry_of_file]}
    if changed := _checksum_warning(work, ask, one, sink.path_of(facts)):
        more["warnings"] = [changed]
    said = {key: work[key] for key in ("ids", "licence") if work.get(key)}
    base = {"ids": entry.ids_record, **said}
    return of_work(
        base, source.name, answer.time, task=TASK, answers=[about.key, answer.key, *heard], asked=item,
        given=entry.record, options=wanted.options(), **more,
    )  # fmt: skip


def _facts(source: Source, answer: Answer, kind: str) -> Facts:
    """Properties of the file, which must be of the requested kind."""
    if answer.status == 404:
        raise _NoFile("no-file", f"{source.name} has no such file")
    facts = Facts.of(answer.body)
    if _OF_FILE.get(facts.kind) != kind:
        raise _NoFile("no-file", f"{source.name} has no {kind}, but {facts.kind}")
    return facts


def _stem(name: str, one: Id, ask: Ask, wanted: Wanted) -> str:
    """Name of the file without extension: the record's id, and the version if explicitly requested."""
    version = re.search(r"v\d+$", _version_of(ask) or "")
    is_named = wanted.version not in (None, "latest") or re.search(r"v\d+$", one.value)
    safe = re.sub(r"[^\w.-]", "_", name).lstrip(".") or "paper"
    if wanted.version == "reviewed":
        return f"{safe}-reviewed"
    return f"{safe}{version[0]}" if version and is_named and not safe.endswith(version[0]) else safe


def _entry_of_file(
    source: Source, ask: Ask, kind: str, path: Path, facts: Facts, answer: Answer, licence: Record | None
) -> Record:
    """Entry of a record on a file: origin, hash, licence."""
    return {
        "kind": kind, "path": str(path), "sha256": facts.sha256, "bytes": facts.size,
        "url": ask.address(source.service.addresses[ask.at]), "version": _version_of(ask),
        "date": day(answer.time), "licence": (licence or {}).get("id"), "terms": source.terms,
    }  # fmt: skip


def _version_of(ask: Ask) -> str | None:
    name = ask.items[1] if len(ask.items) > 1 else ""
    return name if re.search(r"v\d+$| of \d{4}-\d\d-\d\d$", name) else None


def _note_licence(folder: Path, made: Record) -> None:
    """Append a file to the list of licences in its folder, unless it is listed."""
    line = io.dumps(made) + b"\n"
    path = folder / "LICENCES.jsonl"
    with open(path, "a+b") as file:
        fcntl.flock(file, fcntl.LOCK_EX)  # other processes may fetch into the same folder
        file.seek(0)
        if line not in file:
            file.write(line)


def _checksum_warning(work: Record, ask: Ask, one: Id, path: Path) -> Record | None:
    """Warning if the checksum of a PDF differs from the source's data file, so that one of them is outdated."""
    if not work.get("checksum") or ask.items[1] != one.value:
        return None
    digest = 0
    with open(path, "rb") as file:
        while data := file.read(_CHUNK):
            digest = zlib.crc32(data, digest)
    if f"{digest:08x}" == work["checksum"]:
        return None
    return {"kind": "checksum", "page": None, "text": f"{path.name}: CRC-32 {digest:08x}, not {work['checksum']}"}
