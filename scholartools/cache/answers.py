"""Answers of web services, each kept under the key of its request, in tables of their own beside those of replies.

Of a cache in a file they are in a file of their own, ``NAME-web.sqlite``: so the file of replies, which an earlier
version may have made, need not be changed for them. Of a cache in PostgreSQL they are tables of the same schema.
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

# The statements that lead from each version of the file to the next.
MIGRATIONS: list[tuple[str, ...]] = [
    (
        f"CREATE TABLE answers (key BLOB PRIMARY KEY, {_OF_FILE})",
        f"CREATE TABLE unserved_answers (key BLOB NOT NULL, {_OF_FILE})",
        "CREATE INDEX unserved_answers_key ON unserved_answers (key)",
    ),
]
# What a line of a bundle holds; the body as text where it is UTF-8, else in base64.
_LINE = {"kind", "key", "source", "created", "status", "cost", "request", "head"}
_BODIES = ({"text"}, {"base64"})

# The lock under which the tables are made on a server: "stwe".
_SCHEMA_LOCK = 0x73747765


class StoredAnswer(NamedTuple):
    """An answer as it is kept.

    Attributes:
        request: all that was asked; see :class:`scholartools.web.request.Ask`.
        status: of HTTP.
        head: some of the headers, names in lower case.
        body: without transfer coding; of a file only ``{"sha256", "bytes"}``.
        created: when it came, in seconds since 1970.
        cost: USD.
    """

    request: Mapping[str, Any]
    status: int
    head: Mapping[str, str]
    body: bytes
    created: float
    cost: float = 0.0


def answer_key(request: Mapping[str, Any]) -> bytes:
    """The SHA-256 of a request's canonical JSON: 32 bytes."""
    return hashlib.sha256(canonical_json(request)).digest()


def answers_file(path: Path) -> Path:
    """The file of the answers beside that of a cache."""
    return path.with_name(f"{path.stem}-web.sqlite")


class Answers:
    """Answers by key. For one thread at a time.

    Attributes:
        place: of the file, or the address of the database.
    """

    def __init__(self, place: Place, *, readonly: bool = False) -> None:
        """Open them, and make the tables where there are none, unless ``readonly``; then :meth:`exist` must hold.

        Raises:
            ModelFault: that cannot be done.
        """
        self._db = _connect(place, readonly)
        self.place = self._db.place
        self._served = self._db.statements.name_of("answers")
        self._unserved = self._db.statements.name_of("unserved_answers")
        self._pack = zstandard.ZstdCompressor(level=3, write_checksum=True).compress
        self._decompressor = zstandard.ZstdDecompressor()

    @staticmethod
    def exist(place: Place) -> bool:
        """Whether there are tables of answers.

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
        """Key, source and answer of all that are served, or of those under some keys, in the order of their keys.

        Raises:
            ModelFault: there is none under one of the keys, or it is damaged.
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
        """Keep an answer of elsewhere: True where it is new, False where the same is there, None where another one is.

        Raises:
            ModelFault: it cannot be written.
        """
        kept = self.get(answer_key(answer.request))
        if kept is None:
            self.put(answer, source=source, served=True)
            return True
        return False if (kept.status, kept.body) == (answer.status, answer.body) else None

    def get(self, key: bytes) -> StoredAnswer | None:
        """The answer under a key, or None.

        Raises:
            ModelFault: it is damaged.
        """
        rows = self._db.rows(f"SELECT {', '.join(_NAMES[2:])} FROM {self._served} WHERE key = ?", key)
        return self._read_row(rows[0]) if rows else None

    def times(self, keys: Sequence[bytes]) -> dict[bytes, float]:
        """When the answers under some keys came, in seconds since 1970, as far as there are."""
        found: dict[bytes, float] = {}
        for start in range(0, len(keys), MANY):
            some = keys[start : start + MANY]
            listed = ", ".join("?" * len(some))
            found |= dict(self._db.rows(f"SELECT key, created FROM {self._served} WHERE key IN ({listed})", *some))
        return found

    def put(self, answer: StoredAnswer, *, source: str, served: bool) -> bytes:
        """Keep an answer; it is committed when this returns. One that can be served takes the place of an earlier one.

        Returns:
            Its key.

        Raises:
            ModelFault: it cannot be written.
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
        """The answers to a request that were not what was asked, in the order of their time."""
        names = ", ".join(_NAMES[2:])
        rows = self._db.rows(f"SELECT {names} FROM {self._unserved} WHERE key = ? ORDER BY created", key)
        return [self._read_row(row) for row in rows]

    def counts(self) -> list[Record]:
        """Answers, bytes and USD by source."""
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
    """An answer as a bundle holds it, without the line's end."""
    try:
        body = {"text": answer.body.decode()}
    except UnicodeDecodeError:
        body = {"base64": base64.b64encode(answer.body).decode()}
    return canonical_json({
        "kind": "web", "key": key.hex(), "source": source, "created": answer.created, "status": answer.status,
        "cost": answer.cost, "request": answer.request, "head": dict(answer.head), **body,
    })  # fmt: skip


def read_answer_line(record: Mapping[str, Any]) -> tuple[str, StoredAnswer]:
    """Source and answer of a line of a bundle.

    Raises:
        ValueError: it is none, or its key is not that of its request.
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
