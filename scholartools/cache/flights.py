"""Requests in progress, registered for all processes that share a cache, so that each request is sent only once.

A process updates its heartbeat regularly. Its requests in progress are respected by others until 30 seconds after its
last heartbeat; those of a dead process on the same machine are dropped at once.
"""

from __future__ import annotations

import contextlib
import math
import os
import secrets
import socket
import time
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from scholartools.cache.backend import Backend
from scholartools.cache.place import Place
from scholartools.cache.sqlite import File
from scholartools.cache.statements import MANY
from scholartools.errors import ModelFault

# Seconds without a heartbeat after which a process is considered dead; and seconds between heartbeats.
GONE_AFTER = 30.0
BEAT_EVERY = 5.0

# Timeout in seconds of a statement over a few rows, if the network to the server works.
STATEMENT_SECONDS = 5.0

# Migrations of the tables, one per version. For a cache in a file they are in a separate file, so that a read-only
# cache or one of an earlier version needs no migration.
MIGRATIONS: list[tuple[str, ...]] = [
    (
        "CREATE TABLE owners (id TEXT PRIMARY KEY, host TEXT NOT NULL, pid INTEGER NOT NULL, seen REAL NOT NULL)",
        "CREATE TABLE flights (key BLOB PRIMARY KEY, owner TEXT NOT NULL)",
    ),
    (
        "CREATE TABLE budgets (name TEXT PRIMARY KEY, max_cost REAL, max_calls INTEGER, spent REAL NOT NULL, "
        "calls INTEGER NOT NULL)",
        "CREATE TABLE slices (owner TEXT PRIMARY KEY, budget TEXT NOT NULL, usd REAL NOT NULL, calls INTEGER NOT NULL, "
        "spent REAL NOT NULL, reserved REAL NOT NULL, sent INTEGER NOT NULL, on_way INTEGER NOT NULL)",
    ),
    ("ALTER TABLE owners ADD COLUMN begun REAL",),
]


class Flights:
    """Requests in progress of one process. Not thread-safe.

    Attributes:
        db: the connection to the tables.
        owner: id of this process.
        held: keys of the requests that this process has claimed.
    """

    def __init__(self, place: Place, begun: float | None = None) -> None:
        """Connect to the tables next to the cache, or create them.

        Args:
            begun: start of the earliest run whose replies this process may reuse, by the clock of the cache.

        Raises:
            ModelFault: connecting failed.
        """
        self.db = _connect(place)
        self.db.limit = STATEMENT_SECONDS
        self.owner = secrets.token_hex(8)
        self.held: set[bytes] = set()
        self._host, self._begun = _host_name(), begun
        owners, flights = (self.db.statements.name_of(table) for table in ("owners", "flights"))
        self._owners, self._flights = owners, flights
        self._claim = (
            "ON CONFLICT (key) DO UPDATE SET owner = excluded.owner WHERE flight.owner = excluded.owner OR NOT EXISTS "
            f"(SELECT 1 FROM {owners} WHERE id = flight.owner AND seen > {self.db.statements.now} - {GONE_AFTER}) "
            "RETURNING key"
        )
        self.beat()

    def beat(self) -> None:
        """Update the heartbeat, and delete requests of dead processes."""
        self._end_gone_processes()
        gone = f"seen < {self.db.statements.now} - {GONE_AFTER}"
        self.db.rows(f"DELETE FROM {self._owners} WHERE {gone}")
        self.db.rows(f"DELETE FROM {self._flights} WHERE owner NOT IN (SELECT id FROM {self._owners})")
        self.db.changes(
            f"INSERT INTO {self._owners} (id, host, pid, begun, seen) VALUES (?, ?, ?, ?, {self.db.statements.now}) "
            "ON CONFLICT (id) DO UPDATE SET seen = excluded.seen",
            self.owner, self._host, os.getpid(), self._begun,
        )  # fmt: skip
        ours = self.db.rows(f"SELECT key FROM {self._flights} WHERE owner = ?", self.owner)
        self.release({key for (key,) in ours} - self.held)

    def claim(self, keys: Iterable[bytes]) -> set[bytes]:
        """Claim requests; return the keys of those that no process (including this one) had claimed.

        If the response of a server is lost, or a statement arrives late, the tables contain more claims than ``held``.
        """
        claimed = set()
        for some in _batches(keys):
            rows = ", ".join(["(?, ?)"] * len(some))
            values = (value for key in some for value in (key, self.owner))
            query = f"INSERT INTO {self._flights} AS flight (key, owner) VALUES {rows} {self._claim}"
            claimed |= {key for (key,) in self.db.rows(query, *values)}
        claimed -= self.held
        self.held |= claimed
        return claimed

    def still_claims(self, keys: Iterable[bytes]) -> set[bytes]:
        """Those of the keys that are still claimed by this process."""
        kept = set()
        for some in _batches(keys):
            listed = ", ".join("?" * len(some))
            query = f"SELECT key FROM {self._flights} WHERE owner = ? AND key IN ({listed})"
            kept |= {key for (key,) in self.db.rows(query, self.owner, *some)}
        return kept

    def release(self, keys: Collection[bytes]) -> None:
        """Release requests, so that other processes can claim them."""
        self.held.difference_update(keys)
        for some in _batches(keys):
            listed = ", ".join("?" * len(some))
            self.db.rows(f"DELETE FROM {self._flights} WHERE owner = ? AND key IN ({listed})", self.owner, *some)

    def close(self) -> None:
        """Delete all rows of this process and close the connection."""
        with contextlib.suppress(ModelFault):
            self._forget(self.owner)
        self.db.close()

    def wait_at_most(self, seconds: float) -> None:
        """Limit the time to wait for another process or the server."""
        self.db.patience = seconds

    def _forget(self, owner: str) -> None:
        self.db.rows(f"DELETE FROM {self._flights} WHERE owner = ?", owner)
        self.db.rows(f"DELETE FROM {self._owners} WHERE id = ?", owner)

    def _end_gone_processes(self) -> None:
        """Delete the rows of killed processes on this machine, so that nobody waits for them."""
        for owner, pid in self.db.rows(f"SELECT id, pid FROM {self._owners} WHERE host = ?", self._host):
            if _is_gone(pid):
                self._forget(owner)


class Beside(NamedTuple):
    """State of a cache at the start of a run.

    Attributes:
        ahead: seconds by which the clock of the cache is ahead of the local clock.
        begun: start of the earliest run in progress, by the clock of the cache; infinite if there is none.
    """

    ahead: float
    begun: float


def look_beside(place: Place) -> Beside:
    """Read the runs in progress and the clock of a cache.

    Raises:
        ModelFault: the server does not respond; an unreadable file is reported when it is written to.
    """
    if not isinstance(place, Path):
        with contextlib.closing(_connect(place, readonly=True)) as db:
            return Beside(seconds_ahead(db), _first_begun(db))
    if flights_file(place).exists():
        with contextlib.suppress(ModelFault), contextlib.closing(_connect(place, readonly=True)) as db:
            return Beside(0.0, _first_begun(db))
    return Beside(0.0, math.inf)


def seconds_ahead(db: Backend) -> float:
    """Seconds by which the clock of a server is ahead of the local clock; 0 if smaller than the measuring error.

    Raises:
        ModelFault: the server does not respond.
    """
    before = time.time()
    ((now,),) = db.rows(f"SELECT {db.statements.now}")
    after = time.time()
    ahead = now - (before + after) / 2
    return 0.0 if abs(ahead) <= after - before else float(ahead)


def _first_begun(db: Backend) -> float:
    host = _host_name()
    alive = f"begun IS NOT NULL AND seen > {db.statements.now} - {GONE_AFTER}"
    rows = db.rows(f"SELECT host, pid, begun FROM {db.statements.name_of('owners')} WHERE {alive}")
    return min((begun for its_host, pid, begun in rows if its_host != host or not _is_gone(pid)), default=math.inf)


def _is_gone(pid: int) -> bool:
    """Whether a process of this machine has ended, including zombies."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    except OSError:  # the process is alive and belongs to another user
        return False
    try:
        state = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()[0]
    except (OSError, IndexError):
        return False
    return state in (b"Z", b"X")


def _batches(keys: Iterable[bytes]) -> Iterator[list[bytes]]:
    """Keys in batches, sorted to avoid deadlocks between processes."""
    ordered = sorted(keys)
    for start in range(0, len(ordered), MANY):
        yield ordered[start : start + MANY]


def flights_file(path: Path) -> Path:
    """File of the requests in progress next to the file of a cache."""
    return path.with_name(f"{path.stem}-flights.sqlite")


def _connect(place: Place, *, readonly: bool = False) -> Backend:
    if isinstance(place, Path):
        return File(flights_file(place), readonly=readonly, migrations=MIGRATIONS, beside=place)
    from scholartools.cache.postgres import Server

    return Server(place, readonly=readonly)


def _host_name() -> str:
    """Name of this machine and of the namespace of its process ids, which differs between containers.

    Machines cloned from one image may share a host name; the boot id distinguishes them.
    """
    name = socket.gethostname()
    with contextlib.suppress(OSError):
        started = Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip()
        return f"{name}/{started}/{os.stat('/proc/self/ns/pid').st_ino}"
    return name
