"""Every reply a model gave, kept under the question it answered.

One SQLite file, shared by any number of processes of one machine (not over NFS, where write-ahead logs do not work),
or a database of a PostgreSQL server, shared by those of many machines. What :meth:`Cache.put` has returned from
survives ``kill -9``. The key of a reply is made of all that was asked and of nothing else, so that a cache, or a bundle
made of it, serves anywhere.
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

# Bytes that no request and no reply has: a value that says it has more is damaged.
_LARGEST = 2**30


class Cache:
    """Replies by key. For one thread at a time, and not to be carried through a fork.

    Attributes:
        place: of the file, absolute, or the address of the database.
        readonly: nothing is written; because that was asked for, or because file, folder or tables may not be written.
        folder: of the file, on a disk that may become full; None for a database.
    """

    def __init__(self, store: Backend) -> None:
        """Use :meth:`open`."""
        self.place = store.place
        self.readonly = store.readonly
        self.folder = store.place.parent if isinstance(store.place, Path) else None
        self._file = store
        self._sql = store.statements
        self._pack = zstandard.ZstdCompressor(level=1, write_checksum=True).compress
        self._decompressor = zstandard.ZstdDecompressor()

    @classmethod
    def open(cls, place: str | os.PathLike[str] | ServerAddress, readonly: bool = False) -> Cache:
        """Open the cache in a file or a database, and make it where there is none; ``readonly`` changes nothing.

        Raises:
            ModelFault: it cannot be made or opened, is no cache, or was written by a newer version.
        """
        if isinstance(place, ServerAddress):
            from scholartools.cache.postgres import Server

            return cls(Server(place, readonly=readonly))
        return cls(File(Path(place).absolute(), readonly=readonly))

    def close(self) -> None:
        """Close the connection."""
        self._file.close()

    def size(self) -> int:
        """Bytes on the disk, logs with them."""
        return self._file.size()

    def __enter__(self) -> Cache:
        """The cache itself, closed at the end of the block."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close."""
        self.close()

    def begin_reading(self) -> bool:
        """Let replies be those of one moment until :meth:`end_reading` or the next :meth:`put`.

        Hits take half the time then. Whether that begins here, and not before.
        """
        return self._file.begin_reading()

    def end_reading(self) -> None:
        """End what :meth:`begin_reading` began, if it still lasts."""
        self._file.end_reading()

    def refuse_locked(self) -> None:
        """From now on wait for no other process: what needs a locked file raises :class:`Locked` at once."""
        self._file.refuse_locked()

    def wait_at_most(self, seconds: float) -> None:
        """Wait for another process so long at most, from when the file was first found locked; from any thread."""
        self._file.patience = seconds

    def limit_statements(self, seconds: float) -> None:
        """Take the connection to a server for broken where a statement takes longer; files know no such limit."""
        self._file.limit = seconds

    @property
    def has_patience(self) -> bool:
        """Whether another process, or a server, would still be waited for."""
        return self._file.has_patience

    @property
    def is_locked(self) -> bool:
        """Whether another process had the file locked when it was last used."""
        return self._file.is_locked

    def prove_writable(self) -> None:
        """Write to the disk what is there already.

        Raises:
            ModelFault: that cannot be done: the file is locked, or may not be written, or the disk is full.
        """
        self._file.prove_writable()

    def get(self, key: bytes) -> Reply | None:
        """The reply under a key, or None."""
        rows = self._file.rows(self._sql.reply_of, key)
        return self._read_reply(rows[0][1]) if rows else None

    def get_many(self, keys: Sequence[bytes]) -> dict[bytes, Reply]:
        """The replies under some keys, as far as there are."""
        found = {}
        for start in range(0, len(keys), MANY):
            some = keys[start : start + MANY]
            for key, reply in self._file.rows(self._sql.replies_of(len(some)), *some):
                found[key] = self._read_reply(reply)
        return found

    def last_unusable(self, key: bytes) -> Reply | None:
        """The last of the replies to a call that are kept but not usable, or None."""
        rows = self._file.rows(f"SELECT reply FROM {self._sql.tables['unserved']} WHERE key = ? {self._sql.last}", key)
        return self._read_reply(rows[0][0]) if rows else None

    def unusable(self, key: bytes) -> list[Reply]:
        """All replies to a call that are kept but not usable, as they came."""
        return [entry.reply for entry in self._entries_of("unserved", key, f"ORDER BY {self._sql.number}")]

    def place_of_unusable(self, key: bytes) -> int:
        """The place of a call's last reply that is kept but not usable among all such, as they came; 0: it has none."""
        ((place,),) = self._file.rows(
            f"SELECT coalesce(max({self._sql.number}), 0) FROM {self._sql.tables['unserved']} WHERE key = ?", key
        )
        return int(place)

    def forget(self, key: bytes) -> None:
        """Serve no reply under a key any more: another way to ask the same question has taken its place."""
        self._need_writing()
        self._file.end_reading()
        self._file.rows(f"DELETE FROM {self._sql.tables['calls']} WHERE key = ?", key)

    def has(self, key: bytes) -> bool:
        """Whether there is a reply to serve under a key."""
        return bool(self._file.rows(f"SELECT 1 FROM {self._sql.tables['calls']} WHERE key = ?", key))

    def put(self, key: bytes, request: Mapping[str, Any], reply: Reply, prompt: str, *, replace: bool = True) -> bool:
        """Keep a reply; it is committed when this returns (inside :meth:`transaction`: when that ends).

        A reply that cannot be served goes where :meth:`get` does not look, beside earlier ones; one that can takes the
        place of an earlier one, or with ``replace=False`` leaves it: results may have been made of that. Whether this
        reply is kept, and not an earlier one.

        Raises:
            ModelFault: it cannot be written, e.g. the disk is full; what was kept before still is.
            ValueError: the key is not the request's own.
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
        """Keep all that is put in the block, at its end, or nothing of it; much faster than one by one.

        Raises:
            ModelFault: the cache is read-only.
        """
        self._need_writing()
        with self._file.transaction():
            yield

    @contextlib.contextmanager
    def read_transaction(self) -> Iterator[None]:
        """Let all that is read in the block be of one moment, whatever others write."""
        with self._file.transaction(reading=True):
            yield

    def entries(self, keys: Iterable[bytes] | None = None) -> Iterator[Entry]:
        """The replies under some keys, or under all, in the order of their keys.

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
        """ "ok", or up to 20 faults in the structure of a file."""
        return self._file.integrity()

    def raw_rows(self) -> Iterator[tuple[Any, ...]]:
        """Key, prompt, request and reply of all rows, as they are stored."""
        for table in self._sql.tables:
            yield from self._file.each(self._sql.all_entries(table))

    def keys(self, selection: Selection) -> list[bytes]:
        """The keys of the selected replies, sorted."""
        where, values = selection.where()
        where += " AND NOT served" if selection.unusable else ""
        query = f"SELECT DISTINCT key FROM {self._sql.both} WHERE {where} ORDER BY key"
        return [key for (key,) in self._file.rows(query, *values)]

    def every(self, prefix: str) -> list[Entry]:
        """All replies to the one call whose key starts with these hexadecimal digits; the one to serve comes last.

        Raises:
            UsageFault: not hexadecimal, or several keys start so.
            ModelFault: none does.
        """
        key = self._find_row(prefix)
        unserved = self._entries_of("unserved", key, f"ORDER BY {self._sql.number}")
        return [*unserved, *self._entries_of("calls", key)]

    def listing(self, selection: Selection) -> Iterator[Record]:
        """What there is to know of each selected reply without its text, by age."""
        where, values = selection.where()
        where += " AND NOT served" if selection.unusable else ""
        for key, model, prompt, created, sent, received, cost, _, served in self._file.each(
            f"SELECT * FROM {self._sql.both} WHERE {where} ORDER BY created, key, number", *values
        ):
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
        """Calls, replies never served, tokens (as providers counted them) and USD: in all, by model and prompt."""
        sums, both = self._sql.sums, self._sql.both
        with self.read_transaction():
            (total,) = self._file.rows(f"SELECT {sums} FROM {both}")
            by_group = self._file.rows(
                f"SELECT model, prompt, {sums} FROM {both} GROUP BY model, prompt ORDER BY model, prompt"
            )
        return {
            "path": str(self.place),
            "bytes": self.size(),
            **_stats_record(total),
            "groups": [{"model": model, "prompt": prompt, **_stats_record(sums)} for model, prompt, *sums in by_group],
        }

    def prune(self, selection: Selection, *, dry_run: bool = False) -> Record:
        """Delete the selected replies and free their space; with ``dry_run`` only say how many they are.

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
        return [
            Entry(key, prompt, parse_canonical(self._unpack_reply(request)), self._read_reply(reply))
            for key, prompt, request, reply in self._file.rows(
                f"{self._sql.entries(table)} WHERE key = ? {ending}", key
            )
        ]

    def _read_reply(self, packed: bytes) -> Reply:
        data = self._unpack_reply(packed)
        try:
            return Reply(**orjson.loads(data))
        except ValueError:  # half of a surrogate pair
            return Reply(**json.loads(data))

    def _unpack_reply(self, packed: bytes) -> bytes:
        try:
            return decompress_value(packed, self._decompressor)
        except ValueError:
            raise self._file.fault(DAMAGED) from None


def decompress_value(packed: bytes, decompressor: zstandard.ZstdDecompressor) -> bytes:
    """What was packed into a value of the file.

    Raises:
        ValueError: it is damaged.
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
