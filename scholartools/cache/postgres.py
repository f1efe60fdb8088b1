"""A cache in a PostgreSQL database, for processes on many machines: connection, tables, and errors.

No prepared statements and no session settings are used, so that it works behind a connection pooler.
"""

from __future__ import annotations

import contextlib
import os
import socket
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import unquote

from scholartools.cache.place import NEEDS_PACKAGE, Locked, ServerAddress
from scholartools.cache.statements import Statements
from scholartools.errors import ModelFault, UsageFault
from scholartools.secrets import Redactor, current_redactor

if TYPE_CHECKING:
    import psycopg

Made = TypeVar("Made")

# Total seconds to wait for a server that does not respond; timeout of a connection; pauses between attempts.
PATIENCE = 30.0
_CONNECT_SECONDS = 5
_FIRST_PAUSE, _LONGEST_PAUSE = 0.1, 1.0
# Seconds between checks of running statements.
_LOOK_EVERY = 0.5

# Seconds after which the server ends an idle transaction, whose locks block others.
_IDLE_SECONDS = 15

# Advisory lock for creating the tables: "stca".
_SCHEMA_LOCK = 0x73746361
_SCHEMA = "scholartools"
_COLUMNS = """model text COLLATE "C" NOT NULL, prompt text COLLATE "C" NOT NULL, created double precision NOT NULL,
    prompt_tokens bigint, completion_tokens bigint, cost double precision, reply bytea NOT NULL,
    request bytea NOT NULL, number bigint GENERATED ALWAYS AS IDENTITY"""

# Migrations of the tables, one per version. Texts are stored uncompressed by the server, since they are zstd already.
# The id of a row in ``unserved`` is derived from its content, so that repeating an insert after a lost connection adds
# no duplicate.
MIGRATIONS: list[tuple[str, ...]] = [
    (
        f"CREATE TABLE {_SCHEMA}.calls (key bytea PRIMARY KEY, {_COLUMNS})",
        f"CREATE TABLE {_SCHEMA}.unserved (key bytea NOT NULL, {_COLUMNS}, "
        "id bytea GENERATED ALWAYS AS (sha256(key || reply)) STORED UNIQUE)",
        f"CREATE INDEX unserved_key ON {_SCHEMA}.unserved (key)",
        *(
            f"ALTER TABLE {_SCHEMA}.{table} ALTER COLUMN {column} SET STORAGE EXTERNAL"
            for table in ("calls", "unserved")
            for column in ("reply", "request")
        ),
        f"CREATE TABLE {_SCHEMA}.owners (id text PRIMARY KEY, host text NOT NULL, pid bigint NOT NULL, "
        "seen double precision NOT NULL)",
        f"CREATE TABLE {_SCHEMA}.flights (key bytea PRIMARY KEY, owner text NOT NULL)",
    ),
    (
        f'CREATE TABLE {_SCHEMA}.budgets (name text COLLATE "C" PRIMARY KEY, max_cost double precision, '
        "max_calls bigint, spent double precision NOT NULL, calls bigint NOT NULL)",
        f"CREATE TABLE {_SCHEMA}.slices (owner text PRIMARY KEY, budget text NOT NULL, usd double precision NOT NULL, "
        "calls bigint NOT NULL, spent double precision NOT NULL, reserved double precision NOT NULL, "
        "sent bigint NOT NULL, on_way bigint NOT NULL)",
        f"CREATE TABLE {_SCHEMA}.batch_runs (id text PRIMARY KEY, folder text NOT NULL, "
        "started double precision NOT NULL, ended double precision)",
        f"CREATE TABLE {_SCHEMA}.batch_parts (id text PRIMARY KEY, run text NOT NULL, folder text NOT NULL, "
        "number bigint NOT NULL, state text NOT NULL, lines bigint NOT NULL, made double precision NOT NULL, "
        "collected double precision, unknown bigint, doubled bigint)",
        f"CREATE TABLE {_SCHEMA}.batch_lines (key bytea NOT NULL, part text NOT NULL, place bigint, size bigint, "
        "status bigint, PRIMARY KEY (key, part))",
        f"CREATE INDEX batch_lines_part ON {_SCHEMA}.batch_lines (part)",
    ),
    (
        f"CREATE TABLE {_SCHEMA}.batch_sent (id text PRIMARY KEY, run text NOT NULL, part text NOT NULL, "
        "model text NOT NULL, address text NOT NULL, state text NOT NULL, lines bigint NOT NULL, "
        "reserved double precision NOT NULL, cost double precision, made double precision NOT NULL, file text, "
        "remote text, told text)",
    ),
    (
        f"ALTER TABLE {_SCHEMA}.owners ADD COLUMN begun double precision",
        f"ALTER TABLE {_SCHEMA}.batch_parts ADD COLUMN endpoint text",
        f"ALTER TABLE {_SCHEMA}.batch_parts ADD COLUMN endpoint_name text",
        f"ALTER TABLE {_SCHEMA}.batch_runs ADD COLUMN seen double precision",
    ),
    (
        f"ALTER TABLE {_SCHEMA}.batch_lines ADD COLUMN first bytea",
        f"CREATE INDEX batch_lines_first ON {_SCHEMA}.batch_lines (first)",
    ),
]

# Messages for error codes of the server.
_REASONS = {
    "53300": "all connections of the database server are in use (each process needs up to three)",
    "53100": "no space is left on the disk of the server. The stored replies can still be read",
    "28P01": "the server refuses the user name or the password (set PGUSER, PGPASSWORD, PGPASSFILE, or a service)",
    "28000": "the server refuses the user name (set PGUSER, PGPASSWORD, PGPASSFILE, or a service)",
    "3D000": "the database does not exist: create it with createdb",
    "42501": "the database user has no permission for this operation",
}

# Addresses of servers that have responded to this process.
_ANSWERED: set[str] = set()

# Error texts of a server without free connections, which come without a code; some are reserved for superusers.
_NONE_FREE = ("too many clients", "connection slots are reserved")

# Errors due to concurrent transactions, after which a statement is repeated.
_TRY_AGAIN = {
    "40P01": "two processes blocked each other in the database",
    "40001": "another process changed the same rows of the database first",
}


class Server:
    """A connection to a database; every PostgreSQL error is raised as ModelFault.

    A statement whose connection breaks is repeated on a new connection while ``patience`` lasts. Within a transaction
    it is not: the caller must repeat the whole transaction.

    Attributes:
        place: address of the database.
        statements: statements in the dialect of PostgreSQL.
        readonly: whether writing is disabled, by request or for lack of permission.
        patience: seconds to wait for a server that does not respond.
        limit: timeout of a statement in seconds, after which the connection counts as broken; None for no limit.
    """

    statements = Statements("number", "CAST(extract(epoch FROM clock_timestamp()) AS double precision)", f"{_SCHEMA}.")

    def __init__(self, place: ServerAddress, *, readonly: bool) -> None:
        """Connect; create missing tables unless ``readonly``.

        Raises:
            ModelFault: the server is unreachable, refuses the connection, or has tables of a newer version.
        """
        self.place = place
        self.readonly = readonly
        self.patience = PATIENCE
        self.limit: float | None = _CONNECT_SECONDS
        self._begun: float | None = None
        self._unreachable_since: float | None = None
        self._in_transaction = False
        self._redact = Redactor({secret: "ST_CACHE" for one in place.secrets for secret in (one, unquote(one))})
        try:
            self._db = self._connect()
        except ModelFault as fault:
            if place.url not in _ANSWERED or any(fault.reason.endswith(reason) for reason in _REASONS.values()):
                raise
            self._reconnect()  # the server may be restarting
        _ANSWERED.add(place.url)
        _WATCH.add(self)
        try:
            ends = time.monotonic() + self.patience
            while not self._has_tables():
                self.limit = None  # creating tables may take long
                try:
                    self._migrate_schema()
                except Locked:
                    if time.monotonic() > ends:
                        raise
            self._look_at_rights()
        except BaseException:
            self.close()
            raise
        self.limit = None

    def close(self) -> None:
        """Close the connection."""
        self._db.close()

    def rows(self, query: str, *values: Any) -> list[Any]:
        """Run a statement and return all rows."""
        return self._run(query, values, lambda cursor: cursor.fetchall() if cursor.description else [])

    def changes(self, query: str, *values: Any) -> int:
        """Run a statement and return the number of rows written."""
        return self._run(query, values, lambda cursor: cursor.rowcount)

    def each(self, query: str, *values: Any) -> Iterator[Any]:
        """Run a statement and iterate over its rows, from a server-side cursor."""
        import psycopg

        with contextlib.nullcontext() if self._in_transaction else self.transaction(reading=True):
            try:
                with self._db.cursor("rows", binary=True) as cursor:
                    cursor.itersize = 500
                    yield from cursor.execute(_with_format(query), values)
            except psycopg.Error as error:
                raise self._translate_error(error) from None

    @property
    def is_locked(self) -> bool:
        """Whether the server did not respond to the last request."""
        return self._unreachable_since is not None

    @property
    def has_patience(self) -> bool:
        """Whether it would keep waiting for the server."""
        since = self._unreachable_since
        return since is None or time.monotonic() - since < self.patience

    def refuse_locked(self) -> None:
        """Stop waiting for the server: if it does not respond, raise :class:`Locked` at once from now on."""
        self.patience = 0.0

    @contextlib.contextmanager
    def transaction(self, *, reading: bool = False) -> Iterator[None]:
        """Run the block in a transaction, rolled back if it raises; a ``reading`` transaction sees one snapshot.

        Raises:
            Locked: the connection broke; it is unknown whether anything was committed.
        """
        self.rows("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY" if reading else "BEGIN")
        self._in_transaction = True
        try:
            if not reading:
                self.rows(f"SET LOCAL idle_in_transaction_session_timeout = '{_IDLE_SECONDS}s'")
            yield
            self.rows("COMMIT")
            self._unreachable_since = None
        except BaseException:
            with contextlib.suppress(ModelFault):
                self.rows("ROLLBACK")
            raise
        finally:
            self._in_transaction = False

    def begin_reading(self) -> bool:
        """Return False: a transaction would cost two more round trips and gain nothing."""
        return False

    def end_reading(self) -> None:
        """Do nothing."""

    def prove_writable(self) -> None:
        """Check that writing works, by rewriting the version of the tables.

        Raises:
            ModelFault: writing failed.
        """
        if self.readonly:
            raise self.fault(_REASONS["42501"])
        self.rows(f"UPDATE {_SCHEMA}.meta SET version = version")

    def shrink(self) -> None:
        """Make the space of deleted rows reusable."""
        for table in self.statements.tables.values():
            self.rows(f"VACUUM {table}")

    def size(self) -> int:
        """Size of the tables on the server in bytes."""
        sums = "+".join(f"pg_total_relation_size('{table}')" for table in self.statements.tables.values())
        ((size,),) = self.rows(f"SELECT {sums}")
        return int(size)

    def integrity(self) -> str:
        """Return "ok": the server ensures the integrity of its tables."""
        return "ok"

    def fault(self, reason: str, kind: str = "cache") -> ModelFault:
        """Create an error that names the database."""
        return ModelFault(f"{self.place}: {reason}", kind=kind)

    def break_off(self) -> None:
        """Close the socket of a statement that exceeds the limit; may be called by any thread."""
        begun, limit = self._begun, self.limit
        if begun is None or limit is None or time.monotonic() - begun < limit:
            return
        import psycopg

        with (
            contextlib.suppress(OSError, ValueError, psycopg.Error),
            socket.socket(fileno=os.dup(self._db.fileno())) as line,
        ):
            line.shutdown(socket.SHUT_RDWR)

    def _connect(self) -> psycopg.Connection[Any]:
        try:
            import psycopg
        except ImportError:  # psycopg is installed without libpq, which is missing on this machine
            raise UsageFault(NEEDS_PACKAGE) from None
        try:
            return psycopg.connect(
                self.place.url, autocommit=True, connect_timeout=_CONNECT_SECONDS, prepare_threshold=None,
                application_name=_SCHEMA,
            )  # fmt: skip
        except psycopg.ProgrammingError:  # the original message contains parts of the address
            raise self.fault("the address cannot be read: postgresql://HOST/DATABASE") from None
        except psycopg.Error as error:
            raise self._translate_error(error) from None

    def _run(self, query: str, values: tuple[Any, ...], use: Callable[[psycopg.Cursor[Any]], Made]) -> Made:
        """Run a statement, repeated until the server responds, and return the result of ``use``."""
        import psycopg

        while True:
            self._begun = time.monotonic()
            try:
                with self._db.cursor(binary=True) as cursor:
                    made = use(cursor.execute(_with_format(query), values))
            except psycopg.Error as error:
                self._begun = None
                if error.sqlstate in _TRY_AGAIN:
                    if self._in_transaction:
                        raise Locked(f"{self.place}: {_TRY_AGAIN[error.sqlstate]}") from None
                    continue
                if not self._db.closed and not isinstance(error, psycopg.InterfaceError):
                    raise self._translate_error(error) from None
                if self._in_transaction:
                    self._unreachable_since = self._unreachable_since or time.monotonic()
                    raise Locked(f"{self.place}: the connection to the database server was lost") from None
                self._reconnect()
            else:
                self._begun = None
                if not (self._in_transaction or query.startswith("BEGIN")):  # may pass a faulty network
                    self._unreachable_since = None
                return made

    def _reconnect(self) -> None:
        """Open a new connection as soon as the server accepts one."""
        self._unreachable_since = self._unreachable_since or time.monotonic()
        pause = _FIRST_PAUSE
        while True:
            waited = time.monotonic() - self._unreachable_since
            if waited >= self.patience:
                raise Locked(f"{self.place}: the database server has not answered for {waited:.0f} s")
            try:
                self._db = self._connect()
                return
            except ModelFault:
                time.sleep(min(pause, max(0.0, self.patience - waited)))
                pause = min(2 * pause, _LONGEST_PAUSE)

    def _translate_error(self, error: psycopg.Error) -> ModelFault:
        reason = _REASONS.get(error.sqlstate or "")
        if reason is None and any(words in str(error) for words in _NONE_FREE):
            reason = _REASONS["53300"]
        told = self._redact.message(current_redactor().message(str(error) or type(error).__name__))
        return self.fault(reason or told)

    def _has_tables(self) -> bool:
        """Whether the tables have the current version; raise if their version is newer."""
        version = self._read_version()
        if version > len(MIGRATIONS):
            raise self.fault(
                f"written by a newer scholartools (version {version} of the tables, known here: {len(MIGRATIONS)}); "
                "update scholartools, or set ST_CACHE to another place"
            )
        if version < len(MIGRATIONS) and self.readonly:
            raise self.fault(
                "no cache there"
                if not version
                else "the cache has the format of an earlier version, and cannot be updated because it is read-only"
            )
        return version == len(MIGRATIONS)

    def _look_at_rights(self) -> None:
        """Switch to read-only if the user may not write, or the server is a standby."""
        ((may_write,),) = self.rows(
            f"SELECT has_table_privilege('{_SCHEMA}.calls', 'INSERT') AND NOT pg_is_in_recovery()"
        )
        self.readonly = self.readonly or not may_write

    def _read_version(self) -> int:
        """Version of the tables, 0 if there are none."""
        # Query pg_tables: to_regclass may return a stale result from before another process created the table.
        if not self.rows(f"SELECT 1 FROM pg_catalog.pg_tables WHERE schemaname = '{_SCHEMA}' AND tablename = 'meta'"):
            return 0
        found = self.rows(f"SELECT version FROM {_SCHEMA}.meta")
        return int(found[0][0]) if found else 0

    def _migrate_schema(self) -> None:
        with self.transaction():
            self.rows(f"SELECT pg_advisory_xact_lock({_SCHEMA_LOCK})")
            version = self._read_version()  # another process may have migrated it meanwhile
            if not version:
                self.rows(f"CREATE SCHEMA IF NOT EXISTS {_SCHEMA}")
                self.rows(f"CREATE TABLE IF NOT EXISTS {_SCHEMA}.meta (version integer NOT NULL)")
                self.rows(f"INSERT INTO {_SCHEMA}.meta VALUES (0)")
            for statement in (statement for step in MIGRATIONS[version:] for statement in step):
                self.rows(statement)
            self.rows(f"UPDATE {_SCHEMA}.meta SET version = {len(MIGRATIONS)}")


def _with_format(query: str) -> str:
    """Statement with the placeholders of psycopg."""
    return query.replace("?", "%s")


class _Watch:
    """Watchdog thread for running statements: in a silent network, libpq would wait indefinitely."""

    def __init__(self) -> None:
        self._servers: weakref.WeakSet[Server] = weakref.WeakSet()
        self._thread: threading.Thread | None = None

    def add(self, server: Server) -> None:
        """Watch the statements of a connection from now on."""
        self._servers.add(server)
        if self._thread is None:
            self._thread = threading.Thread(target=self._look, daemon=True, name="cache-watch")
            self._thread.start()

    def _look(self) -> None:
        while True:
            time.sleep(_LOOK_EVERY)
            for server in list(self._servers):
                server.break_off()


_WATCH = _Watch()
