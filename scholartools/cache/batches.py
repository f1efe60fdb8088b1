"""Records of requests in batch files: which line of which part contains a request, and where its reply is.

A run in a folder spans many invocations of its command. Its requests are in parts, which are files of lines; each line
is registered here before its part appears.
"""

from __future__ import annotations

import contextlib
import secrets
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from scholartools.cache.backend import Backend
from scholartools.cache.flights import GONE_AFTER, seconds_ahead
from scholartools.cache.place import Place
from scholartools.cache.sqlite import File
from scholartools.cache.statements import MANY

Named = TypeVar("Named", bytes, str)

# Timeout of a statement in seconds: statements over all lines of a part may take long.
_STATEMENT_SECONDS = 60.0

# States of a part: lines are being added, waiting for replies, replies read.
WRITING, WAITING, DONE = "writing", "waiting", "done"

# Migrations of the tables, one per version. For a cache in a file they are in a separate file: there are many requests,
# and the other auxiliary file must stay small.
MIGRATIONS: list[tuple[str, ...]] = [
    (
        "CREATE TABLE batch_runs (id TEXT PRIMARY KEY, folder TEXT NOT NULL, started REAL NOT NULL, ended REAL)",
        "CREATE TABLE batch_parts (id TEXT PRIMARY KEY, run TEXT NOT NULL, folder TEXT NOT NULL, number INTEGER NOT "
        "NULL, state TEXT NOT NULL, lines INTEGER NOT NULL, made REAL NOT NULL, collected REAL, unknown INTEGER, "
        "doubled INTEGER)",
        "CREATE TABLE batch_lines (key BLOB NOT NULL, part TEXT NOT NULL, place INTEGER, size INTEGER, status INTEGER, "
        "PRIMARY KEY (key, part))",
        "CREATE INDEX batch_lines_part ON batch_lines (part)",
    ),
    (
        "CREATE TABLE batch_sent (id TEXT PRIMARY KEY, run TEXT NOT NULL, part TEXT NOT NULL, model TEXT NOT NULL, "
        "address TEXT NOT NULL, state TEXT NOT NULL, lines INTEGER NOT NULL, reserved REAL NOT NULL, cost REAL, "
        "made REAL NOT NULL, file TEXT, remote TEXT, told TEXT)",
    ),
    (
        "ALTER TABLE batch_parts ADD COLUMN endpoint TEXT",
        "ALTER TABLE batch_parts ADD COLUMN endpoint_name TEXT",
        "ALTER TABLE batch_runs ADD COLUMN seen REAL",
    ),
    (
        "ALTER TABLE batch_lines ADD COLUMN first BLOB",
        "CREATE INDEX batch_lines_first ON batch_lines (first)",
    ),
]
_PART = "id, run, folder, number, state, lines, made, collected, unknown, doubled, endpoint, endpoint_name"
_SENT = "id, run, part, model, address, state, lines, reserved, cost, made, file, remote, told"

# States of what is sent to a provider. It is registered before it is sent, under an id that the provider receives, so
# that after a crash a run can find out whether it was sent. FETCHED: the replies are here; OVER: nothing is left at the
# provider; REFUSED: it was not processed; PROBE: a single request that was sent directly.
TO_SEND, SENT, FETCHED, OVER, REFUSED, PROBE = "to-send", "sent", "fetched", "over", "refused", "probe"


class Run(NamedTuple):
    """A run; ``started`` is in seconds since 1970."""

    id: str
    started: float


class Part(NamedTuple):
    """A file of requests.

    Attributes:
        lines: number of requests in the file.
        made: creation time in seconds since 1970; ``collected``: when its replies were found, or None.
        unknown: number of reply lines without a request in the part; ``doubled``: number of duplicate replies.
        endpoint: endpoint of the requests, as in a reply; likewise ``endpoint_name``.
    """

    id: str
    run: str
    folder: str
    number: int
    state: str
    lines: int
    made: float
    collected: float | None
    unknown: int | None
    doubled: int | None
    endpoint: str | None
    endpoint_name: str | None

    @property
    def path(self) -> Path:
        """Path of the file that holds the requests."""
        return Path(self.folder) / f"part-{self.number:04}.jsonl"

    @property
    def unfinished(self) -> Path:
        """Path of the file while the requests are being written."""
        return self.path.with_name(f"{self.path.name}.part")

    @property
    def replies(self) -> Path:
        """Path of the file that holds the replies."""
        return Path(self.folder) / f"part-{self.number:04}.out.jsonl"


class Sent(NamedTuple):
    """A part, or a single request, that is sent to a provider.

    Attributes:
        id: the id under which the provider finds it.
        part: id of the part; empty for a single request.
        address: URL that it is sent to.
        reserved: maximum cost in USD; ``cost``: actual cost, None while unknown.
        made: time of registration, in seconds since 1970.
        file, remote: ids at the provider of its input file and of the batch.
        told: last status from the provider; for a single request, its kind.
    """

    id: str
    run: str
    part: str
    model: str
    address: str
    state: str
    lines: int
    reserved: float
    cost: float | None
    made: float
    file: str | None
    remote: str | None
    told: str | None


class Asked(NamedTuple):
    """A line that contains a request, with place and size in bytes of the line that holds its reply, or None.

    Attributes:
        was_sent: whether the part was sent to a provider.
    """

    part: Part
    place: int | None
    size: int | None
    was_sent: bool


class Answered(NamedTuple):
    """A line with a reply: key of the request, position, and HTTP status (None if missing)."""

    key: bytes
    place: int
    size: int
    status: int | None


def batches_file(path: Path) -> Path:
    """File of the batches next to the file of a cache."""
    return path.with_name(f"{path.stem}-batches.sqlite")


class Batches:
    """Registry of runs, parts and lines. Not thread-safe.

    Attributes:
        ahead: seconds by which the clock of the cache, used for all times, is ahead of the local clock.
    """

    def __init__(self, place: Place) -> None:
        """Connect to the tables next to the cache, or create them.

        Raises:
            ModelFault: connecting failed.
        """
        self._db = _connect(place)
        self._db.limit = _STATEMENT_SECONDS
        self.ahead = 0.0 if isinstance(place, Path) else seconds_ahead(self._db)
        name_of = self._db.statements.name_of
        names = (name_of(f"batch_{name}") for name in ("runs", "parts", "lines", "sent"))
        self._runs, self._parts, self._lines, self._sent = names
        is_written = f"part.state = '{WRITING}' AND run.seen > {self._db.statements.now} - {GONE_AFTER}"
        self._waits = f"(part.state = '{WAITING}' OR ({is_written}))"

    def close(self) -> None:
        """Close the connection."""
        self._db.close()

    @contextlib.contextmanager
    def transaction(self) -> Iterator[None]:
        """Run the block in a transaction, rolled back if it raises."""
        with self._db.transaction():
            yield

    def run_in(self, folder: str) -> Run:
        """Return the unfinished run in a folder, or a new one."""
        query = f"SELECT id, started FROM {self._runs} WHERE folder = ? AND ended IS NULL"
        if found := self._db.rows(query, folder):
            return Run(*found[0])
        run = Run(secrets.token_hex(8), self._now())
        self._db.rows(f"INSERT INTO {self._runs} (id, folder, started) VALUES (?, ?, ?)", run.id, folder, run.started)
        return run

    def end_run(self, run: Run) -> None:
        """Mark a run as ended, so that the next run in the folder is a new one."""
        self._db.rows(f"UPDATE {self._runs} SET ended = ? WHERE id = ?", self._now(), run.id)

    def runs(self) -> list[tuple[str, str, float, float | None]]:
        """Id, folder, start time and end time of all runs."""
        return self._db.rows(f"SELECT id, folder, started, ended FROM {self._runs} ORDER BY started, id")

    def parts(self, run: str | None = None) -> list[Part]:
        """Parts of a run, or of all runs, in order."""
        where, values = ("WHERE run = ?", (run,)) if run is not None else ("", ())
        rows = self._db.rows(f"SELECT {_PART} FROM {self._parts} {where} ORDER BY made, folder, number", *values)
        return [Part(*row) for row in rows]

    def last_number(self, folder: str) -> int:
        """Highest number of a part in a folder, 0 if there is none."""
        ((last,),) = self._db.rows(f"SELECT coalesce(max(number), 0) FROM {self._parts} WHERE folder = ?", folder)
        return int(last)

    def beat(self, run: Run) -> None:
        """Update the heartbeat of a run that is writing a part."""
        self._db.rows(f"UPDATE {self._runs} SET seen = {self._db.statements.now} WHERE id = ?", run.id)

    def begin_part(self, run: Run, folder: str, number: int, endpoint: tuple[str | None, str | None]) -> Part:
        """Register a part, to which lines will be added."""
        part = Part(secrets.token_hex(8), run.id, folder, number, WRITING, 0, self._now(), None, None, None, *endpoint)
        self.beat(run)
        self._db.rows(f"INSERT INTO {self._parts} ({_PART}) VALUES ({', '.join('?' * len(part))})", *part)
        return part

    def add_line(self, part: Part, key: bytes, first: bytes) -> None:
        """Register a request of a part, which may ask for several samples; ``first`` is the key of the first sample."""
        self._db.rows(
            f"INSERT INTO {self._lines} (key, part, first) VALUES (?, ?, ?) ON CONFLICT DO NOTHING", key, part.id, first
        )

    def end_part(self, part: Part, n_lines: int) -> None:
        """Mark a part as complete and waiting."""
        self._db.rows(f"UPDATE {self._parts} SET state = ?, lines = ? WHERE id = ?", WAITING, n_lines, part.id)

    def asks(self, part: Part, keys: Sequence[bytes]) -> bool:
        """Whether a part contains any of the requests."""
        query = f"SELECT 1 FROM {self._lines} WHERE part = ? AND key IN "
        return any(self._db.rows(f"{query}({_marks(some)}) LIMIT 1", part.id, *some) for some in _batches(keys))

    def note_sent(self, sent: Sent) -> None:
        """Insert or update what is sent to a provider."""
        changed = ", ".join(f"{name} = excluded.{name}" for name in _SENT.split(", ")[1:])
        self._db.rows(
            f"INSERT INTO {self._sent} ({_SENT}) VALUES ({', '.join('?' * len(sent))}) "
            f"ON CONFLICT (id) DO UPDATE SET {changed}",
            *sent,
        )

    def sent(self, run: str | None = None) -> list[Sent]:
        """What a run, or all runs, sent to providers, in order of time."""
        where, values = ("WHERE run = ?", (run,)) if run is not None else ("", ())
        return [Sent(*row) for row in self._db.rows(f"SELECT {_SENT} FROM {self._sent} {where} ORDER BY made", *values)]

    def drop_part(self, part: Part) -> None:
        """Delete a part and its lines; its requests were not sent."""
        with self.transaction():
            self._db.rows(f"DELETE FROM {self._lines} WHERE part = ?", part.id)
            self._db.rows(f"DELETE FROM {self._parts} WHERE id = ?", part.id)

    def asked(self, run: Run, keys: Sequence[bytes]) -> dict[bytes, list[Asked]]:
        """Lines that contain the given requests: those of a run, then those of others, each in order.

        Lines of other unfinished runs count if they wait for a reply, have a reply with status 200, or are being
        written by a live process. Replies of ended runs are in the cache.
        """
        columns = ", ".join(f"part.{name}" for name in _PART.split(", "))
        found: dict[bytes, list[Asked]] = {}
        for some in _batches(keys):
            for key, place, size, was_sent, *part in self._db.rows(
                "SELECT line.key, line.place, line.size, "
                f"EXISTS (SELECT 1 FROM {self._sent} WHERE part = part.id AND state <> '{REFUSED}'), {columns} "
                f"FROM {self._lines} AS line JOIN {self._parts} AS part ON part.id = line.part "
                f"JOIN {self._runs} AS run ON run.id = part.run WHERE line.key IN ({_marks(some)}) AND "
                f"(part.run = ? OR (run.ended IS NULL AND ({self._waits} OR line.status = 200)))",
                *some, run.id,
            ):  # fmt: skip
                found.setdefault(key, []).append(Asked(Part(*part), place, size, bool(was_sent)))
        for lines in found.values():
            lines.sort(key=lambda line: (line.part.run != run.id, line.part.number, line.part.id))
        return found

    def waiting_for_samples(self, run: Run, firsts: Sequence[bytes]) -> dict[bytes, list[tuple[Part, bool]]]:
        """Parts of other unfinished runs that request the given samples, together with more or fewer samples of a
        prompt.

        Each comes with whether it was sent to a provider.
        """
        found: dict[bytes, list[tuple[Part, bool]]] = {}
        columns = ", ".join(f"part.{name}" for name in _PART.split(", "))
        for some in _batches(firsts):
            for first, was_sent, *part in self._db.rows(
                "SELECT line.first, "
                f"EXISTS (SELECT 1 FROM {self._sent} WHERE part = part.id AND state <> '{REFUSED}'), {columns} "
                f"FROM {self._lines} AS line JOIN {self._parts} AS part ON part.id = line.part "
                f"JOIN {self._runs} AS run ON run.id = part.run WHERE line.first IN ({_marks(some)}) "
                f"AND part.run <> ? AND run.ended IS NULL AND {self._waits} ORDER BY part.made, part.id",
                *some, run.id,
            ):  # fmt: skip
                found.setdefault(first, []).append((Part(*part), bool(was_sent)))
        return found

    def has_waiting(self, parts: Iterable[Part]) -> bool:
        """Whether any of the parts, of unfinished runs, still waits for replies."""
        return any(
            self._db.rows(
                f"SELECT part.id FROM {self._parts} AS part JOIN {self._runs} AS run ON run.id = part.run "
                f"WHERE run.ended IS NULL AND {self._waits} AND part.id IN ({_marks(some)}) LIMIT 1",
                *some,
            )
            for some in _batches([part.id for part in parts])
        )

    def collect(self, part: Part, answers: Iterable[Answered], unknown: int) -> tuple[list[Answered], int]:
        """Register the positions of the replies to a part; the first reply to each request counts.

        Returns:
            The replies that count, and the number of duplicates.
        """
        taken: list[Answered] = []
        n_doubled = n_unknown = 0
        with self.transaction():
            for answer in answers:
                changed = self._db.changes(
                    f"UPDATE {self._lines} SET place = ?, size = ?, status = ? "
                    "WHERE key = ? AND part = ? AND place IS NULL",
                    answer.place, answer.size, answer.status, answer.key, part.id,
                )  # fmt: skip
                if changed:
                    taken.append(answer)
                elif self._db.rows(f"SELECT 1 FROM {self._lines} WHERE key = ? AND part = ?", answer.key, part.id):
                    n_doubled += 1
                else:
                    n_unknown += 1
            self._db.rows(
                f"UPDATE {self._parts} SET state = ?, collected = ?, unknown = ?, doubled = ? WHERE id = ?",
                DONE, self._now(), unknown + n_unknown, n_doubled, part.id,
            )  # fmt: skip
        return taken, n_doubled

    def drop_failed(self, part: Part) -> None:
        """Delete the lines of a part without a reply of status 200, so that their requests are sent again."""
        self._db.rows(f"DELETE FROM {self._lines} WHERE part = ? AND (status IS NULL OR status <> 200)", part.id)

    def n_answered(self, part: Part) -> int:
        """Number of requests of a part that have a reply, of any status."""
        ((count,),) = self._db.rows(f"SELECT count(*) FROM {self._lines} WHERE part = ? AND place IS NOT NULL", part.id)
        return int(count)

    def _now(self) -> float:
        """Current time by the clock of the cache, in seconds since 1970."""
        return time.time() + self.ahead


def _batches(keys: Sequence[Named]) -> Iterator[Sequence[Named]]:
    for start in range(0, len(keys), MANY):
        yield keys[start : start + MANY]


def _marks(values: Sequence[Any]) -> str:
    return ", ".join("?" * len(values))


def _connect(place: Place) -> Backend:
    if isinstance(place, Path):
        return File(batches_file(place), readonly=False, migrations=MIGRATIONS, beside=place)
    from scholartools.cache.postgres import Server

    return Server(place, readonly=False)
