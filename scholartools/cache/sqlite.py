"""The SQLite file of a cache: how it is made and opened, its tables, and its faults in one line."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

from scholartools.cache.place import Locked
from scholartools.cache.statements import Statements
from scholartools.errors import ModelFault

# Seconds to wait for another process, in all, and at once: an interrupt is heard between two tries.
PATIENCE = 30.0
_ONE_TRY = 0.1

# Keys come in no order: pages that are read again and again are kept, in KiB at most.
_PAGES_KB = 65536

# Pages of the log of a file without replies, about: else it grows to 4 MB, for which no space on the disk is reserved.
_SHORT_LOG = 32

# Marks the file as ours: "stca".
_APPLICATION = 0x73746361
_COLUMNS = """model TEXT NOT NULL, prompt TEXT NOT NULL, created REAL NOT NULL, prompt_tokens INTEGER,
    completion_tokens INTEGER, cost REAL, reply BLOB NOT NULL, request BLOB NOT NULL"""

# The statements that lead from each version of the file to the next; the first makes version 1 of an empty file.
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
    """One connection to the file; every fault of SQLite comes as a ModelFault.

    Attributes:
        path: absolute.
        statements: those that SQLite understands.
        readonly: nothing is written: as asked for, or because file or folder may not be written.
        patience: seconds to wait for another process, from when it is first found to have the file locked.
        limit: not used: reading a file takes no time that is worth a limit.
    """

    statements = Statements("rowid", "(julianday('now') - 2440587.5) * 86400.0")
    limit: float | None = None

    def __init__(
        self, path: Path, *, readonly: bool, migrations: Sequence[tuple[str, ...]] | None = None,
        beside: Path | None = None,
    ) -> None:  # fmt: skip
        """Open the file; make it where there is none, unless ``readonly``.

        Args:
            migrations: of other tables than calls.
            beside: the file of the cache, where this is one without replies for all who may use that.

        Raises:
            ModelFault: it cannot be made or opened, is no cache, or was written by a newer version.
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
        """The path."""
        return self.path

    def close(self) -> None:
        """Close the connection; the last one of all processes takes the write-ahead log away."""
        self._reading = False
        self._db.close()

    def rows(self, query: str, *values: Any) -> list[Any]:
        """Run a statement; all its rows."""
        try:
            if self._locked_since is None:
                return self._db.execute(query, values).fetchall()
        except sqlite3.Error as error:
            self._refuse_other_than_lock(error)
        return self._wait_for_lock(lambda: self._db.execute(query, values).fetchall())

    def changes(self, query: str, *values: Any) -> int:
        """Run a statement; the number of rows it wrote."""
        return self._wait_for_lock(lambda: self._db.execute(query, values).rowcount)

    def each(self, query: str, *values: Any) -> Iterator[Any]:
        """Run a statement; its rows one by one."""
        found = self._wait_for_lock(lambda: self._db.execute(query, values))
        try:
            yield from found
        except sqlite3.Error as error:
            raise self._translate_error(error) from None

    @property
    def is_locked(self) -> bool:
        """Whether another process had the file locked when it was last used."""
        return self._locked_since is not None

    @property
    def has_patience(self) -> bool:
        """Whether another process would still be waited for."""
        return self._locked_since is None or time.monotonic() - self._locked_since < self.patience

    def _wait_for_lock(self, use: Callable[[], Made]) -> Made:
        """What comes of using the file, as soon as no other process has it locked."""
        while True:
            try:
                made = use()
            except sqlite3.Error as error:
                self._refuse_other_than_lock(error)
            else:
                self._locked_since = None
                return made

    def _refuse_other_than_lock(self, error: sqlite3.Error) -> None:
        """Raise what is wrong, unless it is only that another process has the file locked: that wait is counted."""
        if _error_code(error) != sqlite3.SQLITE_BUSY:
            raise self._translate_error(error) from None
        self._count_wait()

    def _count_wait(self) -> None:
        """All that is wanted of a locked file waits for it together; nothing that comes later waits anew."""
        now = time.monotonic()
        self._locked_since = self._locked_since or now
        waited = now - self._locked_since
        if waited >= self.patience:
            raise Locked(f"{self.path}: {LOCKED}" + (f", for {waited:.0f} s now" if waited >= 1 else ""))

    def refuse_locked(self) -> None:
        """From now on wait for no other process: what is locked raises :class:`Locked` at once."""
        self.patience = 0.0
        self.rows("PRAGMA busy_timeout = 0")

    @contextlib.contextmanager
    def transaction(self, *, reading: bool = False) -> Iterator[None]:
        """Everything in the block or, if it raises, nothing.

        Other writers wait from the start, but not while ``reading``, which shows one moment of the file.
        """
        self.rows("BEGIN DEFERRED" if reading else "BEGIN IMMEDIATE")
        try:
            yield
            self.rows("COMMIT")
        finally:
            if self._db.in_transaction:
                self.rows("ROLLBACK")

    def begin_reading(self) -> bool:
        """Read one moment of the file from now on, until :meth:`end_reading`: each read by itself costs a lock.

        Whether that begins here, and not before.
        """
        if self._db.in_transaction:
            return False
        self.rows("BEGIN DEFERRED")
        self._reading = True
        return True

    def end_reading(self) -> None:
        """End what :meth:`begin_reading` began, if it did."""
        if self._reading:
            self._reading = False
            self.rows("COMMIT")

    def prove_writable(self) -> None:
        """Write to the disk what is there already.

        Raises:
            ModelFault: that cannot be done: the file is locked, or may not be written, or the disk is full.
        """
        if self.readonly:
            raise self.fault(_REASONS[sqlite3.SQLITE_READONLY])
        self.rows(f"PRAGMA application_id = {_APPLICATION}")

    def shrink(self) -> None:
        """Return the space of deleted rows to the disk."""
        # execute() would give back one page: it ends a statement that has no columns after its first step.
        self._wait_for_lock(
            lambda: self._db.executescript("PRAGMA incremental_vacuum; PRAGMA wal_checkpoint(TRUNCATE);")
        )

    def size(self) -> int:
        """Bytes on the disk, the write-ahead log with it."""
        return sum(part.stat().st_size for part in (self.path, _wal_path(self.path)) if part.exists())

    def integrity(self) -> str | list[str]:
        """ "ok", or up to 20 faults that SQLite finds in the file's structure."""
        found = [text for (text,) in self.rows("PRAGMA integrity_check(20)")]
        return "ok" if found == ["ok"] else found

    def fault(self, reason: str, kind: str = "cache") -> ModelFault:
        """A fault that names the file."""
        return ModelFault(f"{self.path}: {reason}", kind=kind)

    def _translate_error(self, error: sqlite3.Error) -> ModelFault:
        code = _error_code(error)
        if not self._has_replies and code in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
            return self.fault(
                "the file is damaged; it holds no replies, only budgets or batches: "
                "delete it while no run uses the cache"
            )
        return self.fault(_REASONS.get(code, str(error)))

    def _prepare_file(self) -> None:
        """Bring a new or old file to this version; refuse one of a newer version or of another program."""
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
        """Whose file it is, its version, its number of tables; in one statement, so of one moment."""
        return self.rows(
            "SELECT application_id, user_version, (SELECT count(*) FROM sqlite_master) "
            "FROM pragma_application_id, pragma_user_version"
        )[0]

    def _migrate_schema(self) -> None:
        self.rows("PRAGMA page_size = 4096")
        self.rows("PRAGMA auto_vacuum = INCREMENTAL")
        self._use_wal()
        with self.transaction():
            _, version, _ = self._read_identity()  # another process may have been faster
            for statement in (statement for step in self._migrations[version:] for statement in step):
                self.rows(statement)
            self.rows(f"PRAGMA user_version = {len(self._migrations)}")
            self.rows(f"PRAGMA application_id = {_APPLICATION}")

    def _use_wal(self) -> None:
        """Write ahead from now on. SQLite does not wait here for other processes, as it does everywhere else."""

        def use() -> None:
            time.sleep(0.01 if self.is_locked else 0)
            self._db.execute("PRAGMA journal_mode = WAL").fetchall()

        self._wait_for_lock(use)


def _open_connection(path: Path, may_write: bool) -> sqlite3.Connection:
    """A connection to a file that is there.

    A log beside a file that may not be written means that someone writes it now, or was killed: SQLite reads both,
    where it can. With no log, ``immutable`` needs no right to write, and leaves no log of ours beside another's file.
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


def _create_file(path: Path, beside: Path | None) -> None:
    """An empty file for its owner alone, in folders likewise; SQLite gives its logs the same mode.

    One beside another is for whoever may use that, also where root makes it: so SQLite does it with its logs.
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
    """The primary result code."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF
