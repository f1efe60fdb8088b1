"""Model replies, each stored under a hash of its request.

The cache is an SQLite file, shared by any number of processes on one machine (not over NFS, which does not support
write-ahead logs), or a database on a PostgreSQL server, shared by many machines. Everything committed by
:meth:`Cache.put` survives ``kill -9``. The key of a reply depends on the complete request and on nothing else, so that
a cache, or a bundle exported from it, can be used anywhere.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import orjson
import zstandard

from scholartools.address import plain_address
from scholartools.cache.backend import Backend
from scholartools.cache.place import ServerAddress
from scholartools.cache.replies import Entry, Reply, Selection
from scholartools.cache.request import canonical_json, normalize_request, parse_canonical
from scholartools.cache.sqlite import DAMAGED, File
from scholartools.cache.statements import LAST_SECOND, MANY
from scholartools.errors import UsageFault

Record = dict[str, Any]

# Larger than any request or reply: a value with a greater declared size is damaged.
_LARGEST = 2**30


class Cache:
    """Replies by key. Not thread-safe, and must not be used after a fork.

    Attributes:
        place: absolute path of the file, or address of the database.
        readonly: whether writing is disabled, by request or for lack of permission.
        folder: folder of the file, whose disk may become full; None for a database.
    """

    def __init__(self, store: Backend) -> None:
        """Private: use :meth:`open`."""
        self.place = store.place
        self.readonly = store.readonly
        self.folder = store.place.parent if isinstance(store.place, Path) else None
        self._file = store
        self._sql = store.statements
        self._pack = zstandard.ZstdCompressor(level=1, write_checksum=True).compress
        self._decompressor = zstandard.ZstdDecompressor()

    @classmethod
    def open(cls, place: str | os.PathLike[str] | ServerAddress, readonly: bool = False) -> Cache:
        """Open the cache in a file or a database, and create a missing one; ``readonly`` changes nothing.

        Raises:
            ModelFault: it cannot be created or opened, is not a cache, or was written by a newer version.
        """
        if isinstance(place, ServerAddress):
            from scholartools.cache.postgres import Server

            return cls(Server(place, readonly=readonly))
        return cls(File(Path(place).absolute(), readonly=readonly))

    def close(self) -> None:
        """Close the connection."""
        self._file.close()

    def size(self) -> int:
        """Size on disk in bytes, logs included."""
        return self._file.size()

    def __enter__(self) -> Cache:
        """Return the cache, which is closed at the end of the block."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the cache."""
        self.close()

    def begin_reading(self) -> bool:
        """Read from one snapshot until :meth:`end_reading` or the next :meth:`put`; return whether a snapshot was
        started.

        Hits take half the time then.
        """
        return self._file.begin_reading()

    def end_reading(self) -> None:
        """End the snapshot of :meth:`begin_reading`, if there is one."""
        self._file.end_reading()

    def refuse_locked(self) -> None:
        """Stop waiting for other processes: a locked file raises :class:`Locked` at once from now on."""
        self._file.refuse_locked()

    def wait_at_most(self, seconds: float) -> None:
        """Limit the time to wait for another process, from when the file was first found locked; may be called by any
        thread.
        """
        self._file.patience = seconds

    def limit_statements(self, seconds: float) -> None:
        """Consider the connection to a server broken if a statement takes longer; files have no such limit."""
        self._file.limit = seconds

    @property
    def has_patience(self) -> bool:
        """Whether it would keep waiting for another process or a server."""
        return self._file.has_patience

    @property
    def is_locked(self) -> bool:
        """Whether the file was locked by another process at the last access."""
        return self._file.is_locked

    def prove_writable(self) -> None:
        """Check that writing works, by a write without effect.

        Raises:
            ModelFault: the file is locked or not writable, or the disk is full.
        """
        self._file.prove_writable()

    def get(self, key: bytes) -> Reply | None:
        """Usable reply under a key, or None."""
        rows = self._file.rows(self._sql.reply_of, key)
        return self._read_reply(rows[0][1]) if rows else None

    def get_many(self, keys: Sequence[bytes]) -> dict[bytes, Reply]:
        """Usable replies under the keys that have one."""
        found = {}
        for start in range(0, len(keys), MANY):
            some = keys[start : start + MANY]
            for key, reply in self._file.rows(self._sql.replies_of(len(some)), *some):
                found[key] = self._read_reply(reply)
        return found

    def last_unusable(self, key: bytes) -> Reply | None:
        """Last of the stored unusable replies to a call, or None."""
        rows = self._file.rows(f"SELECT reply FROM {self._sql.tables['unserved']} WHERE key = ? {self._sql.last}", key)
        return self._read_reply(rows[0][0]) if rows else None

    def unusable(self, key: bytes) -> list[Reply]:
        """All stored unusable replies to a call, in the order of storage."""
        return [entry.reply for entry in self._entries_of("unserved", key, f"ORDER BY {self._sql.number}")]

    def place_of_unusable(self, key: bytes) -> int:
        """Position of the last unusable reply to a call among all unusable replies, in the order of storage; 0 if
        none.
        """
        ((place,),) = self._file.rows(
            f"SELECT coalesce(max({self._sql.number}), 0) FROM {self._sql.tables['unserved']} WHERE key = ?", key
        )
        return int(place)

    def forget(self, key: bytes) -> None:
        """Delete the usable reply under a key; it was superseded by another form of the same request."""
        self._need_writing()
        self._file.end_reading()
        self._file.rows(f"DELETE FROM {self._sql.tables['calls']} WHERE key = ?", key)

    def has(self, key: bytes) -> bool:
        """Whether there is a usable reply under a key."""
        return bool(self._file.rows(f"SELECT 1 FROM {self._sql.tables['calls']} WHERE key = ?", key))

    def put(self, key: bytes, request: Mapping[str, Any], reply: Reply, prompt: str, *, replace: bool = True) -> bool:
        """Store and commit a reply (inside :meth:`transaction`: committed at its end); return whether it was stored.

        An unusable reply is added to a separate table, which :meth:`get` does not read. A usable one replaces an
        earlier one or, with ``replace=False``, is dropped in favour of it, since results may depend on that.

        Raises:
            ModelFault: writing failed, e.g. on a full disk; earlier replies are unaffected.
            ValueError: the key does not match the request.
        """
        self._need_writing()
        asked = canonical_json(normalize_request(request))
        if hashlib.sha256(asked).digest() != key:
            raise ValueError("the key does not match the request")
        if (address := plain_address(reply.endpoint)) != reply.endpoint:
            reply = reply._replace(endpoint=address)
        self._file.end_reading()
        usage = (reply.time, reply.prompt_tokens, reply.completion_tokens, reply.cost)
        packed = (self._pack(canonical_json(reply.record())), self._pack(asked))
        table = "calls" if reply.is_usable else "unserved"
        insert = self._sql.insert(table, replace)
        return self._file.changes(insert, key, request["model"], prompt, *usage, *packed) > 0

    @contextlib.contextmanager
    def transaction(self) -> Iterator[None]:
        """Run all puts of the block in one transaction; much faster than single commits.

        Raises:
            ModelFault: the cache is read-only.
        """
        self._need_writing()
        with self._file.transaction():
            yield

    @contextlib.contextmanager
    def read_transaction(self) -> Iterator[None]:
        """Read everything in the block from one snapshot."""
        with self._file.transaction(reading=True):
            yield

    def entries(self, keys: Iterable[bytes] | None = None) -> Iterator[Entry]:
        """Iterate over the replies under the given keys, or all, sorted by key.

        For a call without a usable reply it is the last unusable one, which explains the failure.

        Of a call whose replies could not be served it is the last one: it tells why there is none.

        Raises:
            ModelFault: there is no reply under one of the keys.
        """
        for key in self.keys(Selection()) if keys is None else sorted(set(keys)):
            found = self._entries_of("calls", key) or self._entries_of("unserved", key, self._sql.last)
            if not found:
                raise self._file.fault(f"holds no reply to call {key.hex()}", kind="cache-miss")
            yield found[0]

    def integrity(self) -> str | list[str]:
        """ "ok", or up to 20 errors in the structure of a file."""
        return self._file.integrity()

    def raw_rows(self) -> Iterator[tuple[Any, ...]]:
        """Key, prompt, request and reply of all rows, as stored (compressed)."""
        for table in self._sql.tables:
            yield from self._file.each(self._sql.all_entries(table))

    def keys(self, selection: Selection) -> list[bytes]:
        """Keys of the selected replies, sorted."""
        where, values = selection.where()
        where += " AND NOT served" if selection.unusable else ""
        query = f"SELECT DISTINCT key FROM {self._sql.both} WHERE {where} ORDER BY key"
        found = [key for (key,) in self._file.rows(query, *values)]
        for key in found:
            self._check_types(key)
        return found

    def every(self, prefix: str) -> list[Entry]:
        """All replies to the call whose key starts with these hexadecimal digits; the usable one comes last.

        Raises:
            UsageFault: not hexadecimal, or the prefix is ambiguous.
            ModelFault: no key starts with it.
        """
        key = self._find_row(prefix)
        unserved = self._entries_of("unserved", key, f"ORDER BY {self._sql.number}")
        return [*unserved, *self._entries_of("calls", key)]

    def listing(self, selection: Selection) -> Iterator[Record]:
        """Metadata of the selected replies, without their texts, by age."""
        where, values = selection.where()
        where += " AND NOT served" if selection.unusable else ""
        for key, model, prompt, created, sent, received, cost, _, served in self._file.each(
            f"SELECT * FROM {self._sql.both} WHERE {where} ORDER BY created, key, number", *values
        ):
            self._check_types(key, model, prompt, created, sent, received, cost)
            yield {
                "key": key.hex(),
                "model": model,
                "prompt": prompt,
                "time": _format_utc(created),
                "served": bool(served),
                "prompt_tokens": sent,
                "completion_tokens": received,
                "cost": cost,
            }

    def stats(self) -> Record:
        """Number of calls and unusable replies, tokens as counted by providers, and USD: total, and by model and
        prompt.
        """
        sums, both = self._sql.sums, self._sql.both
        with self.read_transaction():
            (total,) = self._file.rows(f"SELECT {sums} FROM {both}")
            by_group = self._file.rows(
                f"SELECT model, prompt, {sums} FROM {both} GROUP BY model, prompt ORDER BY model, prompt"
            )
        for model, prompt, *_ in by_group:
            self._check_types(model=model, prompt=prompt)
        return {
            "path": str(self.place),
            "bytes": self.size(),
            **_stats_record(total),
            "groups": [{"model": model, "prompt": prompt, **_stats_record(sums)} for model, prompt, *sums in by_group],
        }

    def prune(self, selection: Selection, *, dry_run: bool = False) -> Record:
        """Delete the selected replies and free their space; with ``dry_run`` only count them.

        Raises:
            ModelFault: the cache is read-only.
        """
        where, values = selection.where()
        counts = {"calls": 0, "unserved": 0}
        with self.read_transaction() if dry_run else self.transaction():
            for table in ["unserved"] if selection.unusable else counts:
                rows = f"FROM {self._sql.tables[table]} WHERE {where}"
                ((counts[table],),) = self._file.rows(f"SELECT count(*) {rows}", *values)
                if not dry_run:
                    self._file.rows(f"DELETE {rows}", *values)
        if not dry_run:
            self._file.shrink()
        return {**counts, "dry_run": dry_run}

    def _need_writing(self) -> None:
        if self.readonly:
            raise self._file.fault("read-only")

    def _find_row(self, prefix: str) -> bytes:
        digits = prefix.lower()
        if not digits or len(digits) > 64 or set(digits) - set("0123456789abcdef"):
            raise UsageFault(f'"{prefix}" is not the key of a call or its beginning: up to 64 digits 0-9 a-f')
        ends = (bytes.fromhex(digits.ljust(64, fill)) for fill in "0f")
        found = self._file.rows(f"SELECT DISTINCT key FROM {self._sql.both} WHERE key BETWEEN ? AND ? LIMIT 2", *ends)
        if not found:
            told = f"holds no call whose key begins with {prefix}: st-cache list shows the keys"
            raise self._file.fault(told, kind="cache-miss")
        if len(found) > 1:
            raise UsageFault(f"several calls begin with {prefix}: give more of the key")
        return found[0][0]

    def _entries_of(self, table: str, key: bytes, ending: str = "") -> list[Entry]:
        rows = self._file.rows(f"{self._sql.entries(table)} WHERE key = ? {ending}", key)
        for _, prompt, *_ in rows:
            self._check_types(prompt=prompt)
        return [
            Entry(key, prompt, parse_canonical(self._unpack_reply(request)), self._read_reply(reply))
            for key, prompt, request, reply in rows
        ]

    def _check_types(self, key: Any = b"", model: Any = "", prompt: Any = "", created: Any = 0, *numbers: Any) -> None:
        """Check the types of values of a row: SQLite returns what a damaged page holds, whatever the column declares.

        Raises:
            ModelFault: the cache is damaged.
        """
        kinds: list[tuple[Any, Any]] = [((bytes, memoryview), key), (str, model), (str, prompt)]
        kinds += [((int, float), number) for number in (created, *numbers) if number is not None]
        if not all(isinstance(value, kind) for kind, value in kinds):
            raise self._file.fault(DAMAGED)

    def _read_reply(self, packed: bytes) -> Reply:
        data = self._unpack_reply(packed)
        try:
            return Reply(**orjson.loads(data))
        except ValueError:  # an unpaired surrogate
            return Reply(**json.loads(data))

    def _unpack_reply(self, packed: bytes) -> bytes:
        try:
            return decompress_value(packed, self._decompressor)
        except ValueError:
            raise self._file.fault(DAMAGED) from None


def decompress_value(packed: bytes, decompressor: zstandard.ZstdDecompressor) -> bytes:
    """Decompress a value of the database.

    Raises:
        ValueError: the value is damaged.
    """
    try:
        if zstandard.frame_content_size(packed) > _LARGEST:
            raise ValueError("larger than any reply")
        return decompressor.decompress(packed)
    except (zstandard.ZstdError, TypeError):
        raise ValueError("damaged") from None


def _stats_record(sums: Iterable[Any]) -> Record:
    calls, unserved, sent, received, cost, unpriced, oldest, newest = sums
    return {
        "calls": calls or 0,
        "unserved": unserved or 0,
        "prompt_tokens": sent,
        "completion_tokens": received,
        "cost": cost,
        "unpriced": unpriced or 0,
        "oldest": _format_utc(oldest),
        "newest": _format_utc(newest),
    }


def _format_utc(seconds: float | None) -> str | None:
    if seconds is None or not 0 <= seconds <= LAST_SECOND:
        return None
    from datetime import UTC, datetime

    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
