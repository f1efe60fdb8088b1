"""Responses of web services, each under the key of its request, in tables separate from those of model replies.

For a cache in a file they are in a second file, ``NAME-web.sqlite``, so that the file of replies, which an earlier
version may have written, needs no migration. For a cache in PostgreSQL they are tables of the same schema.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import orjson
import zstandard

from scholartools.cache.backend import Backend
from scholartools.cache.database import decompress_value
from scholartools.cache.place import Place
from scholartools.cache.request import canonical_json
from scholartools.cache.sqlite import DAMAGED, File
from scholartools.cache.statements import LAST_SECOND, MANY
from scholartools.terminal import CONTROLS

Record = dict[str, Any]

_NAMES = ("key", "source", "created", "status", "cost", "bytes", "request", "head", "body")
_COLUMNS = """source TEXT NOT NULL, created {real} NOT NULL, status INTEGER NOT NULL, cost {real}, bytes {int} NOT NULL,
    request {blob} NOT NULL, head {blob} NOT NULL, body {blob} NOT NULL"""
_OF_FILE = _COLUMNS.format(real="REAL", int="INTEGER", blob="BLOB")
_OF_SERVER = _COLUMNS.format(real="double precision", int="bigint", blob="bytea")

# Migrations of the file, one per version.
MIGRATIONS: list[tuple[str, ...]] = [
    (
        f"CREATE TABLE answers (key BLOB PRIMARY KEY, {_OF_FILE})",
        f"CREATE TABLE unserved_answers (key BLOB NOT NULL, {_OF_FILE})",
        "CREATE INDEX unserved_answers_key ON unserved_answers (key)",
    ),
]
# Keys of a line of a bundle; the body is text if it is UTF-8, else base64.
_LINE = {"kind", "key", "source", "created", "status", "cost", "request", "head"}
_BODIES = ({"text"}, {"base64"})

# Advisory lock for creating the tables on a server: "stwe".
_SCHEMA_LOCK = 0x73747765


class StoredAnswer(NamedTuple):
    """A stored response.

    Attributes:
        request: the complete request; see :class:`scholartools.web.request.Ask`.
        status: HTTP status.
        head: selected headers, names in lower case.
        body: body without transfer encoding; for a file only ``{"sha256", "bytes"}``.
        created: time of the response, in seconds since 1970.
        cost: cost in USD.
    """

    request: Mapping[str, Any]
    status: int
    head: Mapping[str, str]
    body: bytes
    created: float
    cost: float = 0.0


def answer_key(request: Mapping[str, Any]) -> bytes:
    """SHA-256 of the canonical JSON of a request: 32 bytes."""
    return hashlib.sha256(canonical_json(request)).digest()


def answers_file(path: Path) -> Path:
    """File of the responses next to the file of a cache."""
    return path.with_name(f"{path.stem}-web.sqlite")


class Answers:
    """Stored responses by key. Not thread-safe.

    Attributes:
        place: path of the file, or address of the database.
    """

    def __init__(self, place: Place, *, readonly: bool = False) -> None:
        """Open the tables, and create missing ones unless ``readonly``, which requires that :meth:`exist` is true.

        Raises:
            ModelFault: the tables cannot be opened or created.
        """
        self._db = _connect(place, readonly)
        self.place = self._db.place
        self._served = self._db.statements.name_of("answers")
        self._unserved = self._db.statements.name_of("unserved_answers")
        self._pack = zstandard.ZstdCompressor(level=3, write_checksum=True).compress
        self._decompressor = zstandard.ZstdDecompressor()

    @staticmethod
    def exist(place: Place) -> bool:
        """Whether the tables exist.

        Raises:
            ModelFault: the server cannot be reached.
        """
        if isinstance(place, Path):
            return answers_file(place).exists()
        from scholartools.cache.postgres import Server

        server = Server(place, readonly=True)
        try:
            return server.rows(f"SELECT to_regclass('{server.statements.name_of('answers')}')")[0][0] is not None
        finally:
            server.close()

    def close(self) -> None:
        """Close the connection."""
        self._db.close()

    def entries(self, keys: Iterable[bytes] | None = None) -> Iterator[tuple[bytes, str, StoredAnswer]]:
        """Iterate over key, source and response of all usable responses, or of those under the given keys, sorted by
        key.

        Raises:
            ModelFault: there is no response under one of the keys, or it is damaged.
        """
        wanted = (key for (key,) in self._db.rows(f"SELECT key FROM {self._served}")) if keys is None else keys
        for key in sorted(map(bytes, wanted)):
            names = ", ".join(("source", *_NAMES[2:]))
            rows = self._db.rows(f"SELECT {names} FROM {self._served} WHERE key = ?", key)
            if not rows:
                reason = f"no answer of a service under {key.hex()[:12]}..., which a record names"
                raise self._db.fault(reason, "cache-miss")
            yield key, rows[0][0], self._read_row(rows[0][1:])

    def take(self, source: str, answer: StoredAnswer) -> bool | None:
        """Store a response from elsewhere: True if it is new, False if the same one is stored, None if a different one
        is.

        Raises:
            ModelFault: writing failed.
        """
        kept = self.get(answer_key(answer.request))
        if kept is None:
            self.put(answer, source=source, served=True)
            return True
        return False if (kept.status, kept.body) == (answer.status, answer.body) else None

    def get(self, key: bytes) -> StoredAnswer | None:
        """Response under a key, or None.

        Raises:
            ModelFault: the response is damaged.
        """
        rows = self._db.rows(f"SELECT {', '.join(_NAMES[2:])} FROM {self._served} WHERE key = ?", key)
        return self._read_row(rows[0]) if rows else None

    def times(self, keys: Sequence[bytes]) -> dict[bytes, float]:
        """Times of the stored responses under some keys, in seconds since 1970."""
        found: dict[bytes, float] = {}
        for start in range(0, len(keys), MANY):
            some = keys[start : start + MANY]
            listed = ", ".join("?" * len(some))
            found |= dict(self._db.rows(f"SELECT key, created FROM {self._served} WHERE key IN ({listed})", *some))
        return found

    def put(self, answer: StoredAnswer, *, source: str, served: bool) -> bytes:
        """Store and commit a response. A usable one replaces an earlier one.

        Returns:
            Key of the request.

        Raises:
            ModelFault: writing failed.
        """
        if self._db.readonly:
            raise self._db.fault("read-only")
        key = answer_key(answer.request)
        packed = (self._pack(canonical_json(answer.request)), self._pack(orjson.dumps(dict(answer.head))))
        values = (key, source, answer.created or time.time(), answer.status, answer.cost, len(answer.body), *packed)
        table = self._served if served else self._unserved
        query = f"INSERT INTO {table} ({', '.join(_NAMES)}) VALUES ({', '.join('?' * len(_NAMES))})"
        if served:
            query += " ON CONFLICT (key) DO UPDATE SET " + ", ".join(f"{name} = excluded.{name}" for name in _NAMES[1:])
        self._db.changes(query, *values, self._pack(answer.body))
        return key

    def unserved(self, key: bytes) -> list[StoredAnswer]:
        """Unusable responses to a request, by time."""
        names = ", ".join(_NAMES[2:])
        rows = self._db.rows(f"SELECT {names} FROM {self._unserved} WHERE key = ? ORDER BY created", key)
        return [self._read_row(row) for row in rows]

    def counts(self) -> list[Record]:
        """Number of responses, bytes and USD by source."""
        rows = self._db.rows(
            f"SELECT source, count(*), sum(bytes), sum(cost) FROM {self._served} GROUP BY source ORDER BY source"
        )
        return [{"source": name, "answers": n, "bytes": int(size), "cost": cost} for name, n, size, cost in rows]

    def _read_row(self, row: Sequence[Any]) -> StoredAnswer:
        created, status, cost, _, *packed = row
        try:
            request, head, body = (decompress_value(one, self._decompressor) for one in packed)
            return StoredAnswer(orjson.loads(request), status, orjson.loads(head), body, created, cost or 0.0)
        except ValueError:
            raise self._db.fault(DAMAGED) from None


def answer_line(key: bytes, source: str, answer: StoredAnswer) -> bytes:
    """A response as a line of a bundle, without the line end."""
    try:
        body = {"text": answer.body.decode()}
    except UnicodeDecodeError:
        body = {"base64": base64.b64encode(answer.body).decode()}
    return canonical_json({
        "kind": "web", "key": key.hex(), "source": source, "created": answer.created, "status": answer.status,
        "cost": answer.cost, "request": answer.request, "head": dict(answer.head), **body,
    })  # fmt: skip


def read_answer_line(record: Mapping[str, Any]) -> tuple[str, StoredAnswer]:
    """Parse the source and the response from a line of a bundle.

    Raises:
        ValueError: the line is not a response, or its key does not match its request.
    """
    if record.keys() - _LINE not in _BODIES or not record.keys() >= _LINE:
        raise ValueError(f"not an answer: it must have exactly the keys {', '.join(sorted(_LINE))}, and text or base64")
    request, head, source = record["request"], record["head"], record["source"]
    is_told = (
        isinstance(request, dict) and isinstance(head, dict) and all(isinstance(one, str) for one in head.values())
    )
    if not is_told or not isinstance(source, str) or request.get("source") != source or re.search(CONTROLS, source):
        raise ValueError("not an answer of the named service")
    if record["key"] != answer_key(request).hex():
        raise ValueError("the answer was changed: its key does not match its request")
    for name, least, most in (("created", 0, LAST_SECOND), ("cost", 0, 1e9), ("status", 100, 599)):
        value = record[name]
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not least <= value <= most:
            raise ValueError(f'the answer\'s "{name}" is {str(value)[:40]}, which is not possible')
    return source, StoredAnswer(
        request, int(record["status"]), head, _body_of(record), float(record["created"]), float(record["cost"])
    )


def _body_of(record: Mapping[str, Any]) -> bytes:
    try:
        if "text" in record:
            return bytes(record["text"].encode())
        return base64.b64decode(record["base64"], validate=True)
    except (AttributeError, TypeError, UnicodeEncodeError, binascii.Error):
        raise ValueError("the answer has no body") from None


def _connect(place: Place, readonly: bool) -> Backend:
    if isinstance(place, Path):
        return File(answers_file(place), readonly=readonly, migrations=MIGRATIONS)
    from scholartools.cache.postgres import Server

    server = Server(place, readonly=readonly)
    if readonly:
        return server
    with server.transaction():
        server.rows(f"SELECT pg_advisory_xact_lock({_SCHEMA_LOCK})")
        served, unserved = (server.statements.name_of(name) for name in ("answers", "unserved_answers"))
        server.rows(f"CREATE TABLE IF NOT EXISTS {served} (key bytea PRIMARY KEY, {_OF_SERVER})")
        server.rows(f"CREATE TABLE IF NOT EXISTS {unserved} (key bytea NOT NULL, {_OF_SERVER})")
        server.rows(f"CREATE INDEX IF NOT EXISTS unserved_answers_key ON {unserved} (key)")
    return server
