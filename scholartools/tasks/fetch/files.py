"""Sources and PDFs of papers: licence first, then the file, which is whole and of the kind that was asked for."""

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
# By what a file is, which kind of source it can be.
_OF_FILE = {"tar.gz": "latex", "gz": "latex", "pdf": "pdf", "xml": "jats"}
_CHUNK = 1 << 20


@dataclass(frozen=True)
class Wanted:
    """Which files are wanted.

    Attributes:
        kinds: of :data:`KINDS`, the best first.
        folder: where they are put.
        any_licence: also where no licence lets everybody pass the paper on.
        version: "first", "latest", "vN", "reviewed", or None: the one that the identifier names, else the latest.
    """

    kinds: tuple[str, ...]
    folder: Path
    any_licence: bool = False
    version: str | None = None

    def options(self) -> dict[str, Any]:
        """What of it changes a result."""
        named = {"kind": list(self.kinds), "any-licence": self.any_licence, "paper-version": self.version}
        return {name: value for name, value in named.items() if value}


class _Place(NamedTuple):
    """What is asked for: a kind of file of a source, by an identifier."""

    source: Source
    one: Id
    kind: str


async def fetch_file(client: WebClient, sources: Sequence[Source], entry: Entry, wanted: Wanted) -> Made:
    """The record of an entry with its ``files``, the first that is to be had of the wanted kinds.

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
                    break  # another file in its place would make the record depend on the hour
            else:
                return Made([made])
    return missing(entry, reasons, heard, TASK)


class _NoFile(Exception):
    """There is no file: the kind of the fault and the reason."""


def _places(sources: Sequence[Source], ids: Sequence[Id], kinds: Sequence[str]) -> list[_Place]:
    """Where the files may be had: kind by kind, in the order of the services."""
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
    """What the file is, which must be of the kind that was asked for."""
    if answer.status == 404:
        raise _NoFile("no-file", f"{source.name} has no such file")
    facts = Facts.of(answer.body)
    if _OF_FILE.get(facts.kind) != kind:
        raise _NoFile("no-file", f"{source.name} has no {kind}, but {facts.kind}")
    return facts


def _stem(name: str, one: Id, ask: Ask, wanted: Wanted) -> str:
    """The file's name without ending: the record's id, and the version where one was asked for by name."""
    version = re.search(r"v\d+$", _version_of(ask) or "")
    is_named = wanted.version not in (None, "latest") or re.search(r"v\d+$", one.value)
    safe = re.sub(r"[^\w.-]", "_", name).lstrip(".") or "paper"
    if wanted.version == "reviewed":
        return f"{safe}-reviewed"
    return f"{safe}{version[0]}" if version and is_named and not safe.endswith(version[0]) else safe


def _entry_of_file(
    source: Source, ask: Ask, kind: str, path: Path, facts: Facts, answer: Answer, licence: Record | None
) -> Record:
    """What a record says of a file: where it came from, its fingerprint, its licence."""
    return {
        "kind": kind, "path": str(path), "sha256": facts.sha256, "bytes": facts.size,
        "url": ask.address(source.service.addresses[ask.at]), "version": _version_of(ask),
        "date": day(answer.time), "licence": (licence or {}).get("id"), "terms": source.terms,
    }  # fmt: skip


def _version_of(ask: Ask) -> str | None:
    name = ask.items[1] if len(ask.items) > 1 else ""
    return name if re.search(r"v\d+$| of \d{4}-\d\d-\d\d$", name) else None


def _note_licence(folder: Path, made: Record) -> None:
    """Add a file to the list of licences in its folder, where it is not listed already."""
    line = io.dumps(made) + b"\n"
    path = folder / "LICENCES.jsonl"
    with open(path, "a+b") as file:
        fcntl.flock(file, fcntl.LOCK_EX)  # other processes may fetch into the same folder
        file.seek(0)
        if line not in file:
            file.write(line)


def _checksum_warning(work: Record, ask: Ask, one: Id, path: Path) -> Record | None:
    """A warning where a PDF is not the one that the source's data file names: one of the two is older."""
    if not work.get("checksum") or ask.items[1] != one.value:
        return None
    digest = 0
    with open(path, "rb") as file:
        while data := file.read(_CHUNK):
            digest = zlib.crc32(data, digest)
    if f"{digest:08x}" == work["checksum"]:
        return None
    return {"kind": "checksum", "page": None, "text": f"{path.name}: CRC-32 {digest:08x}, not {work['checksum']}"}
