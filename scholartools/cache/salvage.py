"""Count the intact replies of a cache, and copy them to a new file.

A reply is intact if it can be decompressed and parsed, and its key matches the request stored with it.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import zstandard

from scholartools.cache import bundle
from scholartools.cache.database import Cache, decompress_value
from scholartools.cache.pages import Pages, open_pages
from scholartools.cache.place import Locked, Place
from scholartools.cache.replies import Entry
from scholartools.cache.request import parse_canonical
from scholartools.errors import InputFault, ModelFault, OutputFault, UsageFault

Record = dict[str, Any]

# Replies written per transaction.
_BATCH = 500
# Number of columns of both tables.
_COLUMNS = 9


def check(place: Place) -> Record:
    """Run the integrity check of SQLite on a cache, and count its intact replies; for a database, only the latter.

    Returns:
        ``sqlite``: "ok" (also for a database) or the errors; ``whole``: intact replies; ``damaged``: damaged replies;
            ``lost``: lower bound on the replies in an index that were not found intact; ``missing_pages``: number of
            pages missing at the end of the file.

    Raises:
        ModelFault: there is no file, or it is locked by another process.
        InputFault: the file cannot be read.
    """
    if not isinstance(place, Path):
        with Cache.open(place, readonly=True) as cache:
            return _check_rows(cache, "ok")
    path = place
    if not path.is_file():
        raise ModelFault(f"{path}: no cache there", kind="cache")
    try:
        with Cache.open(path, readonly=True) as cache, cache.read_transaction():
            verdict = cache.integrity()
            if verdict == "ok":
                return _check_rows(cache, verdict)
    except Locked:
        raise
    except ModelFault as fault:
        reason = fault.reason if path.stat().st_size else "an empty file"
        verdict = re.split(": `|; ", reason.removeprefix(f"{path}: "))[0]
    found = _Found(_open_pages(path))
    whole = sum(1 for _ in found.entries())
    return _format_report(path, verdict, whole, found.damaged, found.count_lost(), found.pages.missing())


def _check_rows(cache: Cache, verdict: str) -> Record:
    rows = Counter(whole_entry(row) is not None for row in cache.raw_rows())
    return _format_report(cache.place, verdict, rows[True], rows[False], rows[False], 0)


def salvage(path: Path, target: Path) -> Record:
    """Copy all intact replies of a cache to a new one; the old one is not changed.

    Returns:
        ``salvaged``, ``damaged``, ``lost`` and ``missing_pages``, as in :func:`check`.

    Raises:
        UsageFault: the new file exists already.
        InputFault: the old file cannot be read.
        ModelFault: the new file cannot be written.
    """
    found = _Found(_open_pages(path))
    with _new_file(target) as part, Cache.open(part) as cache:
        entries = found.entries()
        while batch := list(itertools.islice(entries, _BATCH)):
            _keep_entry(cache, batch)
        count = cache.stats()["calls"] + cache.stats()["unserved"]
    return {
        "path": str(path),
        "new": str(target),
        "salvaged": count,
        "damaged": found.damaged,
        "lost": found.count_lost(),
        "missing_pages": found.pages.missing(),
    }


class _Found:
    """Replies found in the pages of a file."""

    def __init__(self, pages: Pages) -> None:
        self.pages = pages
        self.damaged = 0
        self._keys: set[bytes] = set()
        self._rows: dict[bytes, int] = {}

    def entries(self) -> Iterator[Entry]:
        """Intact replies; damaged ones are counted."""
        for number, values in self.pages.rows():
            if values is None or len(values) != _COLUMNS or (entry := whole_entry(_name_columns(values))) is None:
                self.damaged += 1
                continue
            self._rows[entry.key] = number
            yield entry

    def count_lost(self) -> int:
        """Lower bound on the number of lost replies; valid after :meth:`entries` is exhausted."""
        indexed = dict(self.pages.index_keys())
        # A damaged key in the index does not mean a lost reply: its row exists under a key that is not in the index.
        misnamed = {number for key, number in self._rows.items() if key not in indexed}
        missing = [key for key, number in indexed.items() if key not in self._rows and number not in misnamed]
        return max(len(missing), self.damaged)


def _name_columns(values: list[Any]) -> tuple[Any, ...]:
    """Key, prompt, request and reply of a row."""
    return values[0], values[2], values[8], values[7]


def whole_entry(row: tuple[Any, ...]) -> Entry | None:
    """Reply of a row, or None if it is not intact."""
    key, prompt, *packed = row
    decompressor = zstandard.ZstdDecompressor()
    try:
        prompt.encode()
        request, reply = (parse_canonical(decompress_value(value, decompressor)) for value in packed)
        return bundle.read_entry({"key": key.hex(), "prompt": prompt, "request": request, "reply": reply})
    except (ValueError, TypeError, AttributeError):
        return None


def _keep_entry(cache: Cache, batch: Iterable[Entry]) -> None:
    with cache.transaction():
        for key, prompt, request, reply in batch:
            earlier = cache.get(key) if reply.is_usable else None
            if earlier is None or earlier.time < reply.time:
                cache.put(key, request, reply, prompt)


def _open_pages(path: Path) -> Pages:
    try:
        return open_pages(path)
    except OSError as error:
        raise InputFault(f"{path}: {error.strerror}", kind="unreadable") from None


@contextlib.contextmanager
def _new_file(target: Path) -> Iterator[Path]:
    """Path to write to, renamed to the target when the block succeeds and removed otherwise."""
    part = target.with_name(target.name + ".part")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        os.close(os.open(target, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))  # claims the name
    except FileExistsError:
        raise UsageFault(f"{target}: the file exists already, and is not overwritten") from None
    except OSError as error:
        raise OutputFault(f"{target}: {error.strerror}", kind="unwritable") from None
    try:
        part.unlink(missing_ok=True)
        yield part
        part.replace(target)
    except BaseException:
        part.unlink(missing_ok=True)
        target.unlink(missing_ok=True)
        raise


def _format_report(path: Place, sqlite: str | list[str], whole: int, damaged: int, lost: int, missing: int) -> Record:
    return {
        "path": str(path),
        "sqlite": sqlite,
        "whole": whole,
        "damaged": damaged,
        "lost": lost,
        "missing_pages": missing,
    }
