"""Every reply a model gave, kept under the question it answered.

One SQLite file, shared by any number of processes of one machine (not over NFS, where write-ahead logs do not work).
What :meth:`Cache.put` has returned from survives ``kill -9``. The key of a reply is made of all that was asked and of
nothing else, so that a cache, or a bundle made of it, serves anywhere.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import orjson
import zstandard

from scholartools.address import plain_address
from scholartools.cache.replies import Entry, Reply, Selection
from scholartools.cache.request import canonical_json, normalize_request, parse_canonical
from scholartools.cache.sqlite import DAMAGED, File
from scholartools.errors import UsageFault

Record = dict[str, Any]

# Bytes that no request and no reply has: a value that says it has more is damaged.
_LARGEST = 2**30

_PUT = {
    "calls": "INSERT OR REPLACE INTO calls VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
    "unserved": "INSERT INTO unserved VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
}
_ENTRY = "SELECT key, prompt, request, reply FROM"
# By the order in which they came, for clocks are set back.
_LAST = "ORDER BY rowid DESC LIMIT 1"
_SHORT = "key, model, prompt, created, prompt_tokens, completion_tokens, cost, rowid AS number"
_BOTH = f"(SELECT {_SHORT}, TRUE AS served FROM calls UNION ALL SELECT {_SHORT}, FALSE AS served FROM unserved)"
# A number that no reply has, of another version's bundle, is not known: sums of such overflow, times have no date.
_LAST_SECOND = 253_402_300_799
_SUMS = f"""sum(served), sum(NOT served), sum(iif(prompt_tokens BETWEEN 0 AND {2**40}, prompt_tokens, NULL)),
    sum(iif(completion_tokens BETWEEN 0 AND {2**40}, completion_tokens, NULL)),
    sum(iif(cost BETWEEN 0 AND 1e9, cost, NULL)), sum(cost IS NULL OR cost NOT BETWEEN 0 AND 1e9),
    min(iif(created BETWEEN 0 AND {_LAST_SECOND}, created, NULL)),
    max(iif(created BETWEEN 0 AND {_LAST_SECOND}, created, NULL))"""


class Cache:
    """Replies by key. For one thread at a time, and not to be carried through a fork.

    Attributes:
        path: of the file, absolute.
        readonly: nothing is written; because that was asked for, or because file or folder may not be written.
    """

    def __init__(self, file: File) -> None:
        """Use :meth:`open`."""
        self.path = file.path
        self.readonly = file.readonly
        self._file = file
        self._pack = zstandard.ZstdCompressor(level=1, write_checksum=True).compress
        self._decompressor = zstandard.ZstdDecompressor()

    @classmethod
    def open(cls, path: str | os.PathLike[str], readonly: bool = False) -> Cache:
        """Open the cache in a file, and make it where there is none; ``readonly`` makes and changes nothing.

        Raises:
            ModelFault: it cannot be made or opened, is no cache, or was written by a newer version.
        """
        return cls(File(Path(path).absolute(), readonly=readonly))

    def close(self) -> None:
        """Close the connection."""
        self._file.close()

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
        rows = self._file.rows("SELECT reply FROM calls WHERE key = ?", key)
        return self._read_reply(rows[0][0]) if rows else None

    def last_unusable(self, key: bytes) -> Reply | None:
        """The last of the replies to a call that are kept but not usable, or None."""
        rows = self._file.rows(f"SELECT reply FROM unserved WHERE key = ? {_LAST}", key)
        return self._read_reply(rows[0][0]) if rows else None

    def place_of_unusable(self, key: bytes) -> int:
        """The place of a call's last reply that is kept but not usable among all such, as they came; 0: it has none."""
        ((place,),) = self._file.rows("SELECT coalesce(max(rowid), 0) FROM unserved WHERE key = ?", key)
        return int(place)

    def forget(self, key: bytes) -> None:
        """Serve no reply under a key any more: another way to ask the same question has taken its place."""
        self._need_writing()
        self._file.end_reading()
        self._file.rows("DELETE FROM calls WHERE key = ?", key)

    def has(self, key: bytes) -> bool:
        """Whether there is a reply to serve under a key."""
        return bool(self._file.rows("SELECT 1 FROM calls WHERE key = ?", key))

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
            raise ValueError("the key is not that of the request")
        if (address := plain_address(reply.endpoint)) != reply.endpoint:
            reply = reply._replace(endpoint=address)
        self._file.end_reading()
        usage = (reply.time, reply.prompt_tokens, reply.completion_tokens, reply.cost)
        packed = (self._pack(canonical_json(reply.record())), self._pack(asked))
        table = "calls" if reply.is_usable else "unserved"
        insert = _PUT[table] if replace else _PUT[table].replace("OR REPLACE", "OR IGNORE")
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
        with self._file.transaction("DEFERRED"):
            yield

    def entries(self, keys: Iterable[bytes] | None = None) -> Iterator[Entry]:
        """The replies under some keys, or under all, in the order of their keys.

        Of a call whose replies could not be served it is the last one: it tells why there is none.

        Raises:
            ModelFault: there is no reply under one of the keys.
        """
        for key in self.keys(Selection()) if keys is None else sorted(set(keys)):
            entry = next(self._iter_entries(f"{_ENTRY} calls WHERE key = ?", key), None) or next(
                self._iter_entries(f"{_ENTRY} unserved WHERE key = ? {_LAST}", key), None
            )
            if entry is None:
                raise self._file.fault(f"holds no reply to call {key.hex()}", kind="cache-miss")
            yield entry

    def integrity(self) -> str | list[str]:
        """ "ok", or up to 20 faults that SQLite finds in the file's structure."""
        found = [text for (text,) in self._file.rows("PRAGMA integrity_check(20)")]
        return "ok" if found == ["ok"] else found

    def raw_rows(self) -> Iterator[tuple[Any, ...]]:
        """Key, prompt, request and reply of all rows, as they stand in the file."""
        for table in _PUT:
            yield from self._file.each(f"{_ENTRY} {table}")

    def keys(self, selection: Selection) -> list[bytes]:
        """The keys of the selected replies, sorted."""
        where, values = selection.where()
        where += " AND NOT served" if selection.unusable else ""
        query = f"SELECT DISTINCT key FROM {_BOTH} WHERE {where} ORDER BY key"
        return [key for (key,) in self._file.rows(query, *values)]

    def every(self, prefix: str) -> list[Entry]:
        """All replies to the one call whose key starts with these hexadecimal digits; the one to serve comes last.

        Raises:
            UsageFault: not hexadecimal, or several keys start so.
            ModelFault: none does.
        """
        key = self._find_row(prefix)
        unserved = self._iter_entries(f"{_ENTRY} unserved WHERE key = ? ORDER BY rowid", key)
        return [*unserved, *self._iter_entries(f"{_ENTRY} calls WHERE key = ?", key)]

    def listing(self, selection: Selection) -> Iterator[Record]:
        """What there is to know of each selected reply without its text, by age."""
        where, values = selection.where()
        where += " AND NOT served" if selection.unusable else ""
        for key, model, prompt, created, sent, received, cost, _, served in self._file.each(
            f"SELECT * FROM {_BOTH} WHERE {where} ORDER BY created, key, number", *values
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
        groups = f"SELECT model, prompt, {_SUMS} FROM {_BOTH} GROUP BY model, prompt ORDER BY model, prompt"
        with self.read_transaction():
            (total,) = self._file.rows(f"SELECT {_SUMS} FROM {_BOTH}")
            by_group = self._file.rows(groups)
        return {
            "path": str(self._file.path),
            "bytes": self._file.size(),
            **_stats_record(total),
            "groups": [{"model": model, "prompt": prompt, **_stats_record(sums)} for model, prompt, *sums in by_group],
        }

    def prune(self, selection: Selection, *, dry_run: bool = False) -> Record:
        """Delete the selected replies and give their room back; with ``dry_run`` only say how many they are.

        Raises:
            ModelFault: the cache is read-only.
        """
        where, values = selection.where()
        counts = {"calls": 0, "unserved": 0}
        with self.read_transaction() if dry_run else self.transaction():
            for table in ["unserved"] if selection.unusable else counts:
                ((counts[table],),) = self._file.rows(f"SELECT count(*) FROM {table} WHERE {where}", *values)
                if not dry_run:
                    self._file.rows(f"DELETE FROM {table} WHERE {where}", *values)
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
        found = self._file.rows(f"SELECT DISTINCT key FROM {_BOTH} WHERE key BETWEEN ? AND ? LIMIT 2", *ends)
        if not found:
            raise self._file.fault(f"holds no call {prefix}", kind="cache-miss")
        if len(found) > 1:
            raise UsageFault(f"several calls begin with {prefix}: give more of the key")
        return found[0][0]

    def _iter_entries(self, query: str, *values: Any) -> Iterator[Entry]:
        for key, prompt, request, reply in self._file.each(query, *values):
            yield Entry(key, prompt, parse_canonical(self._unpack_reply(request)), self._read_reply(reply))

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
    if seconds is None or not 0 <= seconds <= _LAST_SECOND:
        return None
    from datetime import UTC, datetime

    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
