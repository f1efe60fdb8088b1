"""The SQLite file of a cache: creation, opening, tables, and one-line errors."""

from __future__ import annotations

import contextlib
import errno
import os
import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

from scholartools.cache.place import Locked
from scholartools.cache.statements import Statements
from scholartools.errors import ModelFault

# Total seconds to wait for another process, and seconds per attempt, between which interrupts are handled.
PATIENCE = 30.0
_ONE_TRY = 0.1

# Page cache in KiB: keys are random, so the same pages are read again and again.
_PAGES_KB = 65536

# Approximate log size in pages for a file without replies; else it grows to 4 MB, which is not part of the reserved
# space.
_SHORT_LOG = 32

# application_id of our files: "stca".
_APPLICATION = 0x73746361
_COLUMNS = """model TEXT NOT NULL, prompt TEXT NOT NULL, created REAL NOT NULL, prompt_tokens INTEGER,
    completion_tokens INTEGER, cost REAL, reply BLOB NOT NULL, request BLOB NOT NULL"""

# Migrations of the file, one per version; the first creates version 1 in an empty file.
MIGRATIONS: list[tuple[str, ...]] = [
    (
        f"CREATE TABLE calls (key BLOB PRIMARY KEY, {_COLUMNS})",
        f"CREATE TABLE unserved (key BLOB NOT NULL, {_COLUMNS})",
        "CREATE INDEX unserved_key ON unserved (key)",
    ),
]

LOCKED = "the cache is locked by another process"
DAMAGED = (
    "damaged, or overwritten while it was read: `st-cache check` counts the intact replies, "
    "`st-cache salvage PATH` copies the intact replies to a new cache"
)
_REASONS = {
    sqlite3.SQLITE_FULL: "no space is left on the disk. The stored replies can still be read",
    sqlite3.SQLITE_IOERR: "reading or writing failed (is the disk full?). The stored replies are kept",
    sqlite3.SQLITE_NOTADB: "not an SQLite file, so not a cache of replies; if the file is a damaged cache, "
    "`st-cache check` counts the intact replies, `st-cache salvage PATH` copies the intact replies to a new cache",
    sqlite3.SQLITE_CORRUPT: DAMAGED,
    sqlite3.SQLITE_CANTOPEN: "cannot be opened",
    sqlite3.SQLITE_READONLY: "the file is not writable",
}

Made = TypeVar("Made")


class File:
    """A connection to the file; every SQLite error is raised as ModelFault.

    Attributes:
        path: absolute path.
        statements: statements in the dialect of SQLite.
        readonly: whether writing is disabled, by request or for lack of permission.
        patience: seconds to wait for another process, from when the file was first found locked.
        limit: unused: reads of a file need no timeout.
    """

    statements = Statements("rowid", "(julianday('now') - 2440587.5) * 86400.0")
    limit: float | None = None

    def __init__(
        self, path: Path, *, readonly: bool, migrations: Sequence[tuple[str, ...]] | None = None,
        beside: Path | None = None,
    ) -> None:  # fmt: skip
        """Open the file, and create a missing one unless ``readonly``.

        Args:
            migrations: migrations of tables other than ``calls``.
            beside: the file of the cache, if this is an auxiliary file, which then gets the same permissions.

        Raises:
            ModelFault: it cannot be created or opened, is not a cache, or was written by a newer version.
        """
        self.path = path
        self._migrations = MIGRATIONS if migrations is None else migrations
        if not path.exists():
            if readonly:
                raise self.fault("no cache there")
            _create_file(path, beside)
        self._has_replies = beside is None
        may_write = os.access(path, os.W_OK) and os.access(path.parent, os.W_OK | os.X_OK)
        self.readonly = readonly or not may_write
        self.patience = PATIENCE
        self._locked_since: float | None = None
        self._reading = False
        try:
            self._db = _open_connection(path, may_write)
        except sqlite3.Error as error:
            raise self._translate_error(error) from None
        try:
            self._prepare_file()
        except BaseException:
            self.close()
            raise

    @property
    def place(self) -> Path:
        """Path of the file."""
        return self.path

    def close(self) -> None:
        """Close the connection; SQLite removes the write-ahead log with the last connection of all processes."""
        self._reading = False
        self._db.close()

    def rows(self, query: str, *values: Any) -> list[Any]:
        """Run a statement and return all rows."""
        try:
            if self._locked_since is None:
                return self._db.execute(query, values).fetchall()
        except sqlite3.Error as error:
            self._refuse_other_than_lock(error)
        return self._wait_for_lock(lambda: self._db.execute(query, values).fetchall())

    def changes(self, query: str, *values: Any) -> int:
        """Run a statement and return the number of rows written."""
        return self._wait_for_lock(lambda: self._db.execute(query, values).rowcount)

    def each(self, query: str, *values: Any) -> Iterator[Any]:
        """Run a statement and iterate over its rows."""
        found = self._wait_for_lock(lambda: self._db.execute(query, values))
        try:
            yield from found
        except sqlite3.Error as error:
            raise self._translate_error(error) from None

    @property
    def is_locked(self) -> bool:
        """Whether the file was locked by another process at the last access."""
        return self._locked_since is not None

    @property
    def has_patience(self) -> bool:
        """Whether it would keep waiting for another process."""
        return self._locked_since is None or time.monotonic() - self._locked_since < self.patience

    def _wait_for_lock(self, use: Callable[[], Made]) -> Made:
        """Call a function, repeated until no other process has the file locked."""
        while True:
            try:
                made = use()
            except sqlite3.Error as error:
                self._refuse_other_than_lock(error)
            else:
                self._locked_since = None
                return made

    def _refuse_other_than_lock(self, error: sqlite3.Error) -> None:
        """Raise the error, unless it is only a lock of another process, for which the waiting time is counted."""
        if _error_code(error) != sqlite3.SQLITE_BUSY:
            raise self._translate_error(error) from None
        self._count_wait()

    def _count_wait(self) -> None:
        """All accesses to a locked file share one waiting time; later ones do not start a new one."""
        now = time.monotonic()
        self._locked_since = self._locked_since or now
        waited = now - self._locked_since
        if waited >= self.patience:
            raise Locked(f"{self.path}: {LOCKED}" + (f", for {waited:.0f} s now" if waited >= 1 else ""))

    def refuse_locked(self) -> None:
        """Stop waiting for other processes: a locked file raises :class:`Locked` at once from now on."""
        self.patience = 0.0
        self.rows("PRAGMA busy_timeout = 0")

    @contextlib.contextmanager
    def transaction(self, *, reading: bool = False) -> Iterator[None]:
        """Run the block in a transaction, rolled back if it raises.

        A writing transaction blocks other writers from the start; a ``reading`` one does not, and sees one snapshot.
        """
        self.rows("BEGIN DEFERRED" if reading else "BEGIN IMMEDIATE")
        try:
            yield
            self.rows("COMMIT")
        finally:
            if self._db.in_transaction:
                self.rows("ROLLBACK")

    def begin_reading(self) -> bool:
        """Read from one snapshot until :meth:`end_reading`, which saves a lock per read; return whether it was
        started.
        """
        if self._db.in_transaction:
            return False
        self.rows("BEGIN DEFERRED")
        self._reading = True
        return True

    def end_reading(self) -> None:
        """End the snapshot of :meth:`begin_reading`, if there is one."""
        if self._reading:
            self._reading = False
            self.rows("COMMIT")

    def prove_writable(self) -> None:
        """Check that writing works, by a write without effect.

        Raises:
            ModelFault: the file is locked or not writable, or the disk is full.
        """
        if self.readonly:
            raise self.fault(_REASONS[sqlite3.SQLITE_READONLY])
        self.rows(f"PRAGMA application_id = {_APPLICATION}")

    def shrink(self) -> None:
        """Return the space of deleted rows to the file system."""
        # execute() would free only one page: it stops a statement without columns after its first step.
        self._wait_for_lock(
            lambda: self._db.executescript("PRAGMA incremental_vacuum; PRAGMA wal_checkpoint(TRUNCATE);")
        )

    def size(self) -> int:
        """Size on disk in bytes, including the write-ahead log."""
        return sum(part.stat().st_size for part in (self.path, _wal_path(self.path)) if part.exists())

    def integrity(self) -> str | list[str]:
        """ "ok", or up to 20 errors that SQLite finds in the structure of the file."""
        found = [text for (text,) in self.rows("PRAGMA integrity_check(20)")]
        return "ok" if found == ["ok"] else found

    def fault(self, reason: str, kind: str = "cache") -> ModelFault:
        """Create an error that names the file."""
        return ModelFault(f"{self.path}: {reason}", kind=kind)

    def _translate_error(self, error: sqlite3.Error) -> ModelFault:
        code = _error_code(error)
        if not self._has_replies and code in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
            return self.fault(
                "the file is damaged; it holds no replies, only budgets or batches: "
                "delete it while no run uses the cache"
            )
        reason = _REASONS.get(code, str(error))
        if code == sqlite3.SQLITE_CANTOPEN:
            reason += _why_unopened(self.path)
        return self.fault(reason)

    def _prepare_file(self) -> None:
        """Migrate a new or older file to this version; raise for a newer version or a file of another program."""
        application, version, tables = self._read_identity()
        if tables and application != _APPLICATION:
            raise self.fault("an SQLite file of another program, not a cache of replies")
        if version > len(self._migrations):
            raise self.fault(
                f"written by a newer scholartools (cache version {version}, known here: {len(self._migrations)}); "
                "update scholartools, or set ST_CACHE to another place"
            )
        if version < len(self._migrations):
            if self.readonly:
                raise self.fault(
                    f"the cache has the format of the earlier version {version}, and cannot be updated: it is read-only"
                    if tables
                    else "no cache there, but an empty file"
                )
            self._migrate_schema()
        self.rows("PRAGMA query_only = ON" if self.readonly else "PRAGMA synchronous = NORMAL")
        self.rows(f"PRAGMA cache_size = -{_PAGES_KB}")
        if not self._has_replies:
            self.rows(f"PRAGMA wal_autocheckpoint = {_SHORT_LOG}")

    def _read_identity(self) -> tuple[int, int, int]:
        """Application id, version, and number of tables, in one statement for consistency."""
        return self.rows(
            "SELECT application_id, user_version, (SELECT count(*) FROM sqlite_master) "
            "FROM pragma_application_id, pragma_user_version"
        )[0]

    def _migrate_schema(self) -> None:
        self.rows("PRAGMA page_size = 4096")
        self.rows("PRAGMA auto_vacuum = INCREMENTAL")
        self._use_wal()
        with self.transaction():
            _, version, _ = self._read_identity()  # another process may have migrated it meanwhile
            for statement in (statement for step in self._migrations[version:] for statement in step):
                self.rows(statement)
            self.rows(f"PRAGMA user_version = {len(self._migrations)}")
            self.rows(f"PRAGMA application_id = {_APPLICATION}")

    def _use_wal(self) -> None:
        """Switch to write-ahead logging. The busy timeout of SQLite does not apply here, so the wait is ours."""

        def use() -> None:
            time.sleep(0.01 if self.is_locked else 0)
            self._db.execute("PRAGMA journal_mode = WAL").fetchall()

        self._wait_for_lock(use)


def _open_connection(path: Path, may_write: bool) -> sqlite3.Connection:
    """Connect to an existing file.

    A log next to a read-only file means that a process is writing it, or was killed: SQLite reads both, if it can.
    Without a log, ``immutable`` needs no write permission and leaves no log next to a file of someone else.
    """
    if may_write:
        return _connect_sqlite(path, "mode=rw")
    if _wal_path(path).exists():
        db = _connect_sqlite(path, "mode=ro")
        try:
            db.execute("PRAGMA user_version").fetchall()
            return db
        except sqlite3.OperationalError as error:
            if _error_code(error) == sqlite3.SQLITE_BUSY:
                return db
            db.close()
        if _wal_path(path).stat().st_size:
            reason = f"{_wal_path(path).name} contains replies that need write access to be read"
            raise ModelFault(f"{path}: {reason}: open it once with write permission", kind="cache")
    return _connect_sqlite(path, "immutable=1")


def _connect_sqlite(path: Path, mode: str) -> sqlite3.Connection:
    uri = f"{path.as_uri()}?{mode}"
    return sqlite3.connect(uri, uri=True, timeout=_ONE_TRY, isolation_level=None, check_same_thread=False)


def _why_unopened(path: Path) -> str:
    """Why SQLite could open neither a file nor its logs, for a message; empty if both could be opened now."""
    try:
        os.close(os.open(path, os.O_RDONLY))
    except OSError as error:
        return f": {error.strerror}"
    try:
        tempfile.TemporaryFile(dir=path.parent).close()
    except OSError as error:
        full = ", or its file system has no free inodes" if error.errno == errno.ENOSPC else ""
        return f", because its log cannot be created beside it: {error.strerror}{full}"
    return ""


def _create_file(path: Path, beside: Path | None) -> None:
    """Create an empty file, and missing folders, for the owner only; SQLite gives its logs the same mode.

    An auxiliary file gets the permissions of the main file, also if created by root, as SQLite does for its logs.
    """
    try:
        for folder in reversed([folder for folder in path.parents if not folder.exists()]):
            folder.mkdir(mode=0o700, exist_ok=True)
        file = os.open(path, os.O_CREAT | os.O_WRONLY, 0o600)
    except OSError as error:
        reason = f"no cache can be made there: {error.strerror}; set ST_CACHE to another place"
        raise ModelFault(f"{path}: {reason}", kind="cache") from None
    try:
        if beside is not None:
            with contextlib.suppress(OSError):
                like = beside.stat()
                with contextlib.suppress(OSError):
                    os.fchown(file, like.st_uid if os.geteuid() == 0 else -1, like.st_gid)
                os.fchmod(file, like.st_mode & 0o666)
    finally:
        os.close(file)


def _wal_path(path: Path) -> Path:
    return path.with_name(path.name + "-wal")


def _error_code(error: sqlite3.Error) -> int:
    """Primary result code of an SQLite error."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF
