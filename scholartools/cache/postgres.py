"""A cache in a PostgreSQL database, for processes of many machines: how it is reached, its tables, its faults.

Statements are not prepared and nothing is set for a session, so that a pool of connections may be in between.
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

# Seconds to wait for a server that does not answer, in all; to connect; and between two tries.
PATIENCE = 30.0
_CONNECT_SECONDS = 5
_FIRST_PAUSE, _LONGEST_PAUSE = 0.1, 1.0
# Seconds between two looks at the statements that are under way.
_LOOK_EVERY = 0.5

# Seconds after which a server ends a transaction of which it hears no more: what that has locked, others wait for.
_IDLE_SECONDS = 15

# The lock under which tables are made: "stca".
_SCHEMA_LOCK = 0x73746361
_SCHEMA = "scholartools"
_COLUMNS = """model text COLLATE "C" NOT NULL, prompt text COLLATE "C" NOT NULL, created double precision NOT NULL,
    prompt_tokens bigint, completion_tokens bigint, cost double precision, reply bytea NOT NULL,
    request bytea NOT NULL, number bigint GENERATED ALWAYS AS IDENTITY"""

# The statements that lead from each version of the tables to the next. Texts are packed already: zstd leaves nothing
# for the server to compress. A row of unserved has an id made of itself: it is the same one when it is written again
# after the connection broke.
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

# Reasons of the server by its codes for them.
_REASONS = {
    "53300": "all connections of the database server are in use (each process needs up to three)",
    "53100": "no space is left on the disk of the server. The stored replies can still be read",
    "28P01": "the server refuses the user name or the password (set PGUSER, PGPASSWORD, PGPASSFILE, or a service)",
    "28000": "the server refuses the user name (set PGUSER, PGPASSWORD, PGPASSFILE, or a service)",
    "3D000": "the database does not exist: create it with createdb",
    "42501": "the database user has no permission for this operation",
}

# Addresses at which a server has answered this process.
_ANSWERED: set[str] = set()

# Words of a server that gives no connection: then there is no code. To all but its owner it keeps some back.
_NONE_FREE = ("too many clients", "connection slots are reserved")

# What ends a statement because of others, so that it is run again.
_TRY_AGAIN = {
    "40P01": "two processes blocked each other in the database",
    "40001": "another process changed the same rows of the database first",
}


class Server:
    """One connection to a database; every fault of PostgreSQL comes as a ModelFault.

    A statement that is broken off is run again on a new connection, for as long as patience lasts. In a transaction
    it is not: then all of that must be done again, by whoever began it.

    Attributes:
        place: the address.
        statements: those that PostgreSQL understands.
        readonly: nothing is written: as asked for, or because the user has no right to.
        patience: seconds to wait for a server that does not answer.
        limit: seconds that a statement may take, after which its connection is taken for broken; None for any.
    """

    statements = Statements("number", "CAST(extract(epoch FROM clock_timestamp()) AS double precision)", f"{_SCHEMA}.")

    def __init__(self, place: ServerAddress, *, readonly: bool) -> None:
        """Connect; make the tables where there are none, unless ``readonly``.

        Raises:
            ModelFault: the server cannot be reached, refuses, or its tables were made by a newer version.
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
            self._reconnect()  # it may be starting again
        _ANSWERED.add(place.url)
        _WATCH.add(self)
        try:
            ends = time.monotonic() + self.patience
            while not self._has_tables():
                self.limit = None  # to make them may take long
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
        """Run a statement; all its rows."""
        return self._run(query, values, lambda cursor: cursor.fetchall() if cursor.description else [])

    def changes(self, query: str, *values: Any) -> int:
        """Run a statement; the number of rows it wrote."""
        return self._run(query, values, lambda cursor: cursor.rowcount)

    def each(self, query: str, *values: Any) -> Iterator[Any]:
        """Run a statement; its rows one by one, from a cursor of the server."""
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
        """Whether the server did not answer when it was last asked."""
        return self._unreachable_since is not None

    @property
    def has_patience(self) -> bool:
        """Whether the server would still be waited for."""
        since = self._unreachable_since
        return since is None or time.monotonic() - since < self.patience

    def refuse_locked(self) -> None:
        """From now on wait for no server: one that does not answer raises :class:`Locked` at once."""
        self.patience = 0.0

    @contextlib.contextmanager
    def transaction(self, *, reading: bool = False) -> Iterator[None]:
        """Everything in the block or, if it raises, nothing; while ``reading``, all of one moment.

        Raises:
            Locked: the connection broke: whether anything was written is not known.
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
        """Nothing: a transaction costs two more answers of the server, and gains none."""
        return False

    def end_reading(self) -> None:
        """Nothing."""

    def prove_writable(self) -> None:
        """Write the version of the tables again.

        Raises:
            ModelFault: that cannot be done.
        """
        if self.readonly:
            raise self.fault(_REASONS["42501"])
        self.rows(f"UPDATE {_SCHEMA}.meta SET version = version")

    def shrink(self) -> None:
        """Let the space of deleted rows be used again."""
        for table in self.statements.tables.values():
            self.rows(f"VACUUM {table}")

    def size(self) -> int:
        """Bytes on the disk of the server."""
        sums = "+".join(f"pg_total_relation_size('{table}')" for table in self.statements.tables.values())
        ((size,),) = self.rows(f"SELECT {sums}")
        return int(size)

    def integrity(self) -> str:
        """ "ok": the server keeps its tables in order itself."""
        return "ok"

    def fault(self, reason: str, kind: str = "cache") -> ModelFault:
        """A fault that names the database."""
        return ModelFault(f"{self.place}: {reason}", kind=kind)

    def break_off(self) -> None:
        """End a statement that takes longer than the limit; from any thread."""
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
        except ImportError:  # installed without PostgreSQL's own library, of which there is none here
            raise UsageFault(NEEDS_PACKAGE) from None
        try:
            return psycopg.connect(
                self.place.url, autocommit=True, connect_timeout=_CONNECT_SECONDS, prepare_threshold=None,
                application_name=_SCHEMA,
            )  # fmt: skip
        except psycopg.ProgrammingError:  # its words hold parts of the address
            raise self.fault("the address cannot be read: postgresql://HOST/DATABASE") from None
        except psycopg.Error as error:
            raise self._translate_error(error) from None

    def _run(self, query: str, values: tuple[Any, ...], use: Callable[[psycopg.Cursor[Any]], Made]) -> Made:
        """What comes of a statement, as soon as the server answers."""
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
                if not (self._in_transaction or query.startswith("BEGIN")):  # a network may let short words through
                    self._unreachable_since = None
                return made

    def _reconnect(self) -> None:
        """A new connection, as soon as the server gives one."""
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
        """Whether the tables are of this version; those of a newer one are refused."""
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
        """Only read where the user may not write, or the server follows another."""
        ((may_write,),) = self.rows(
            f"SELECT has_table_privilege('{_SCHEMA}.calls', 'INSERT') AND NOT pg_is_in_recovery()"
        )
        self.readonly = self.readonly or not may_write

    def _read_version(self) -> int:
        """The version of the tables, 0 where there are none."""
        # By a look at the table of tables: to_regclass may answer from before another process made it.
        if not self.rows(f"SELECT 1 FROM pg_catalog.pg_tables WHERE schemaname = '{_SCHEMA}' AND tablename = 'meta'"):
            return 0
        found = self.rows(f"SELECT version FROM {_SCHEMA}.meta")
        return int(found[0][0]) if found else 0

    def _migrate_schema(self) -> None:
        with self.transaction():
            self.rows(f"SELECT pg_advisory_xact_lock({_SCHEMA_LOCK})")
            version = self._read_version()  # another process may have been faster
            if not version:
                self.rows(f"CREATE SCHEMA IF NOT EXISTS {_SCHEMA}")
                self.rows(f"CREATE TABLE IF NOT EXISTS {_SCHEMA}.meta (version integer NOT NULL)")
                self.rows(f"INSERT INTO {_SCHEMA}.meta VALUES (0)")
            for statement in (statement for step in MIGRATIONS[version:] for statement in step):
                self.rows(statement)
            self.rows(f"UPDATE {_SCHEMA}.meta SET version = {len(MIGRATIONS)}")


def _with_format(query: str) -> str:
    """A statement with the marks for values that psycopg has."""
    return query.replace("?", "%s")


class _Watch:
    """Looks at statements under way, in a thread of its own: where a network falls silent, libpq waits as long."""

    def __init__(self) -> None:
        self._servers: weakref.WeakSet[Server] = weakref.WeakSet()
        self._thread: threading.Thread | None = None

    def add(self, server: Server) -> None:
        """Look at the statements of a connection from now on."""
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
