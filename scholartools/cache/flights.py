"""Which questions are on their way, for all processes that share a cache: each is asked by one of them.

A process that asks writes down that it lives, again and again. What it has on its way counts for others as long as it
does, and for 30 seconds after; of a process of the same machine that is gone, not at all.
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

# Seconds after which a process that gave no sign of life is taken for gone; and between two signs.
GONE_AFTER = 30.0
BEAT_EVERY = 5.0

# Seconds that a statement over a few rows takes at most where the network to a server is whole.
STATEMENT_SECONDS = 5.0

# The statements that lead from each version of the tables to the next. Of a cache in a file they are in a file of
# their own, so that a cache that may only be read, or that an earlier version made, need not be changed for them.
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
    """The questions of one process that are on their way. For one thread at a time.

    Attributes:
        db: where they are written down.
        owner: names this process.
        held: the keys of the questions that it knows to be its own.
    """

    def __init__(self, place: Place, begun: float | None = None) -> None:
        """Connect to what is beside the cache, or make it.

        Args:
            begun: when the first run began whose replies this process takes for its own, by the clock of the cache.

        Raises:
            ModelFault: that cannot be done.
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
        """Give a sign of life, and forget what processes that are gone had on its way."""
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
        """Begin to ask questions; the keys of those that nobody is asking, neither another process nor this one.

        Where the answer of a server is lost, or a statement reaches it late, more is written down than is known here.
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
        """Those of some keys that this process began to ask and no other has taken over since."""
        kept = set()
        for some in _batches(keys):
            listed = ", ".join("?" * len(some))
            query = f"SELECT key FROM {self._flights} WHERE owner = ? AND key IN ({listed})"
            kept |= {key for (key,) in self.db.rows(query, self.owner, *some)}
        return kept

    def release(self, keys: Collection[bytes]) -> None:
        """Let others ask questions that this process began to ask."""
        self.held.difference_update(keys)
        for some in _batches(keys):
            listed = ", ".join("?" * len(some))
            self.db.rows(f"DELETE FROM {self._flights} WHERE owner = ? AND key IN ({listed})", self.owner, *some)

    def close(self) -> None:
        """Leave nothing behind."""
        with contextlib.suppress(ModelFault):
            self._forget(self.owner)
        self.db.close()

    def wait_at_most(self, seconds: float) -> None:
        """Wait for another process, or the server, so long at most."""
        self.db.patience = seconds

    def _forget(self, owner: str) -> None:
        self.db.rows(f"DELETE FROM {self._flights} WHERE owner = ?", owner)
        self.db.rows(f"DELETE FROM {self._owners} WHERE id = ?", owner)

    def _end_gone_processes(self) -> None:
        """Forget processes of this machine that were killed: nobody need wait for them."""
        for owner, pid in self.db.rows(f"SELECT id, pid FROM {self._owners} WHERE host = ?", self._host):
            if _is_gone(pid):
                self._forget(owner)


class Beside(NamedTuple):
    """What a run finds beside the cache when it begins.

    Attributes:
        ahead: seconds by which the clock of the cache is ahead of that of this machine.
        begun: when the first of the runs began that go on, by the clock of the cache; infinite where none does.
    """

    ahead: float
    begun: float


def look_beside(place: Place) -> Beside:
    """What goes on with a cache, and what time it is there.

    Raises:
        ModelFault: the server does not answer; a file that cannot be read is reported to whoever wants to write it.
    """
    if not isinstance(place, Path):
        with contextlib.closing(_connect(place, readonly=True)) as db:
            return Beside(seconds_ahead(db), _first_begun(db))
    if flights_file(place).exists():
        with contextlib.suppress(ModelFault), contextlib.closing(_connect(place, readonly=True)) as db:
            return Beside(0.0, _first_begun(db))
    return Beside(0.0, math.inf)


def seconds_ahead(db: Backend) -> float:
    """By how much a server's clock is ahead of this machine's; 0 where that is less than asking takes.

    Raises:
        ModelFault: the server does not answer.
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
    """Whether a process of this machine has ended, also where its parent has not asked how."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    except OSError:  # it lives, and is another user's
        return False
    try:
        state = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()[0]
    except (OSError, IndexError):
        return False
    return state in (b"Z", b"X")


def _batches(keys: Iterable[bytes]) -> Iterator[list[bytes]]:
    """The keys in one order, by which processes that want the same ones do not wait for each other in a circle."""
    ordered = sorted(keys)
    for start in range(0, len(ordered), MANY):
        yield ordered[start : start + MANY]


def flights_file(path: Path) -> Path:
    """The file beside that of a cache."""
    return path.with_name(f"{path.stem}-flights.sqlite")


def _connect(place: Place, *, readonly: bool = False) -> Backend:
    if isinstance(place, Path):
        return File(flights_file(place), readonly=readonly, migrations=MIGRATIONS, beside=place)
    from scholartools.cache.postgres import Server

    return Server(place, readonly=readonly)


def _host_name() -> str:
    """A name of this machine, and of the space of process numbers in it: a container has its own.

    Machines made of one image may all have one name: the number that each takes when it starts tells them apart.
    """
    name = socket.gethostname()
    with contextlib.suppress(OSError):
        started = Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip()
        return f"{name}/{started}/{os.stat('/proc/self/ns/pid').st_ino}"
    return name
