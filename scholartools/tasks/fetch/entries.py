"""Build records of fetched works and of missing ones, with source, date and responses."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from scholartools.errors import ScholartoolsError
from scholartools.records import Record, add_provenance, failures
from scholartools.signature import fingerprint
from scholartools.sources import INTERNAL, Id
from scholartools.tasks.fetch.ids import as_ids, record_id

COMMAND = "st-fetch"

# Order of keys in new records.
_ORDER = (
    "id", "ids", "title", "authors", "abstract", "year", "date", "venue", "venueid", "track", "doi", "arxiv", "type",
    "keywords", "decision",
    "relation", "related_to", "tie", "licence", "status", "versions", "unknown", "fetched",
)  # fmt: skip


class Entry(NamedTuple):
    """A requested paper: identifiers, and the input record that names it, if any."""

    where: str
    ids: tuple[Id, ...]
    record: Record | None = None
    fault: ScholartoolsError | None = None

    @property
    def name(self) -> str:
        """Id of the paper's record."""
        if self.record is not None and isinstance(self.record.get("id"), str):
            return str(self.record["id"])
        return record_id({kind: value for one in reversed(self.ids) for kind, value in as_ids(one).items()})

    @property
    def ids_record(self) -> dict[str, str]:
        """Identifiers in the form of ``ids``."""
        return {kind: value for one in reversed(self.ids) for kind, value in as_ids(one).items()}


class Made(NamedTuple):
    """Result of an entry: records to write, and the error or the missing part."""

    records: list[Record]
    fault: ScholartoolsError | None = None
    missing: str | None = None


def of_work(
    work: Record, source: str, at: float, *, task: str, answers: Sequence[str], asked: str, given: Record | None = None,
    options: Mapping[str, Any] | None = None, counts: Mapping[str, Any] | None = None, **more: Any,
) -> Record:  # fmt: skip
    """Build the record of a work.

    Args:
        given: record to complete: its existing values are kept.
        at: time of the response in seconds since 1970.
        answers: keys of the responses used, including those that led to them, so that a run can be reproduced.
        asked: the requested item.
        more: further keys of the record.
    """
    work = {key: value for key, value in work.items() if key not in INTERNAL}
    made = {**work, **more, "fetched": [{"source": source, "date": day(at)}]}
    if arxiv := work["ids"].get("arxiv"):
        made["arxiv"] = arxiv
    made.setdefault("id", record_id(work["ids"]) if work["ids"] else f"unnamed_{fingerprint(work)[:12]}")
    record = {key: made[key] for key in _ORDER if key in made}
    record |= {key: value for key, value in made.items() if key not in record}
    if given is not None:
        record = _completed(given, record)
    add_provenance(
        record, COMMAND, task, method=source, options=dict(options or {}), input=asked, counts=counts,
        told={"answers": list(dict.fromkeys(answers))},
    )  # fmt: skip
    return record


def _completed(given: Record, made: Record) -> Record:
    own = {key: value for key, value in given.items() if value not in (None, "", [])}
    record = {**given, **{key: value for key, value in made.items() if key not in own}}
    if isinstance(given.get("ids"), dict):
        record["ids"] = {**made["ids"], **given["ids"]}
    if "unknown" in record:
        record["unknown"] = {key: why for key, why in made.get("unknown", {}).items() if record.get(key) is None}
    for key in ("fetched", "files", "warnings"):
        if given.get(key) and made.get(key):
            record[key] = [*given[key], *made[key]]
    return record


def of_nothing(entry: Entry, task: str, kind: str, reason: str, answers: Sequence[str] = (), **more: Any) -> Record:
    """A record for a missing work: the given one, or one with only the identifiers, with an error."""
    base = (
        entry.record if entry.record is not None and not more else {"id": entry.name, "ids": entry.ids_record, **more}
    )
    fault: Record = {"command": COMMAND, "task": task, "kind": kind, "reason": reason}
    if answers:
        fault["answers"] = list(dict.fromkeys(answers))
    return {**base, "errors": [*failures(base), fault]}


def day(at: float) -> str:
    """A time as YYYY-MM-DD in UTC."""
    return time.strftime("%Y-%m-%d", time.gmtime(at))
