"""What is known of questions that are asked in files: which line of which part asks what, and where its reply is.

A run in a folder goes on over many starts of its command. Its questions are in parts, files of lines; each line is
written down here before its part appears.
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

# Seconds after which a server is taken for cut off: a statement over the lines of a part may take some.
_STATEMENT_SECONDS = 60.0

# The states of a part: its lines are still being added; it waits for its replies; these are here.
WRITING, WAITING, DONE = "writing", "waiting", "done"

# The statements that lead from each version of the tables to the next. Of a cache in a file they are in a file of their
# own: questions are many, and what is beside them must stay small.
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

# The states of what is sent to a provider. It is written down before it is sent, by a word that the provider receives,
# so that a run that was killed in between finds out whether it was. Of FETCHED the replies are here, of OVER nothing is
# left at the provider; REFUSED was not worked on; PROBE is one question that was asked at once.
TO_SEND, SENT, FETCHED, OVER, REFUSED, PROBE = "to-send", "sent", "fetched", "over", "refused", "probe"


class Run(NamedTuple):
    """A run: ``started`` in seconds since 1970."""

    id: str
    started: float


class Part(NamedTuple):
    """A file of questions.

    Attributes:
        lines: questions in it.
        made: when, in seconds since 1970; ``collected``: when its replies were found, or None.
        unknown: lines of its replies that answer no question of it; ``doubled``: one that had been answered.
        endpoint: who is to answer, as a reply has it; likewise ``endpoint_name``.
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
        """Of the questions."""
        return Path(self.folder) / f"part-{self.number:04}.jsonl"

    @property
    def unfinished(self) -> Path:
        """Of the questions while they are written."""
        return self.path.with_name(f"{self.path.name}.part")

    @property
    def replies(self) -> Path:
        """Of the replies."""
        return Path(self.folder) / f"part-{self.number:04}.out.jsonl"


class Sent(NamedTuple):
    """A part, or one question, that is sent to a provider.

    Attributes:
        id: the word by which the provider is asked for it.
        part: its id; empty for one question.
        address: where it is sent.
        reserved: USD that it may cost at most; ``cost``: those it did, None as long as that is not known.
        made: when it was written down, in seconds since 1970.
        file, remote: the names that the provider has for its questions and for itself.
        told: what the provider said of it last; of one question what kind it was.
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
    """A line that asks a question, and the bytes of the line that answers it, None where there is none.

    Attributes:
        was_sent: whether the part was given to a provider.
    """

    part: Part
    place: int | None
    size: int | None
    was_sent: bool


class Answered(NamedTuple):
    """A line with a reply: what it answers, where it is, and its status of HTTP, None where it says none."""

    key: bytes
    place: int
    size: int
    status: int | None


def batches_file(path: Path) -> Path:
    """The file beside that of a cache."""
    return path.with_name(f"{path.stem}-batches.sqlite")


class Batches:
    """Runs, parts and lines. For one thread at a time.

    Attributes:
        ahead: seconds by which the clock of the cache, by which times are written down, is ahead of this machine's.
    """

    def __init__(self, place: Place) -> None:
        """Connect to what is beside the cache, or make it.

        Raises:
            ModelFault: that cannot be done.
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
        """Everything in the block or, if it raises, nothing."""
        with self._db.transaction():
            yield

    def run_in(self, folder: str) -> Run:
        """The run that goes on in a folder, or a new one."""
        query = f"SELECT id, started FROM {self._runs} WHERE folder = ? AND ended IS NULL"
        if found := self._db.rows(query, folder):
            return Run(*found[0])
        run = Run(secrets.token_hex(8), self._now())
        self._db.rows(f"INSERT INTO {self._runs} (id, folder, started) VALUES (?, ?, ?)", run.id, folder, run.started)
        return run

    def end_run(self, run: Run) -> None:
        """Nothing waits any more: the next run in the folder is another one."""
        self._db.rows(f"UPDATE {self._runs} SET ended = ? WHERE id = ?", self._now(), run.id)

    def runs(self) -> list[tuple[str, str, float, float | None]]:
        """Of all runs id, folder, when they started and when they ended."""
        return self._db.rows(f"SELECT id, folder, started, ended FROM {self._runs} ORDER BY started, id")

    def parts(self, run: str | None = None) -> list[Part]:
        """The parts of a run, or of all, in their order."""
        where, values = ("WHERE run = ?", (run,)) if run is not None else ("", ())
        rows = self._db.rows(f"SELECT {_PART} FROM {self._parts} {where} ORDER BY made, folder, number", *values)
        return [Part(*row) for row in rows]

    def last_number(self, folder: str) -> int:
        """The highest number of a part in a folder, 0 where there is none."""
        ((last,),) = self._db.rows(f"SELECT coalesce(max(number), 0) FROM {self._parts} WHERE folder = ?", folder)
        return int(last)

    def beat(self, run: Run) -> None:
        """Give a sign of life of a run that writes a part."""
        self._db.rows(f"UPDATE {self._runs} SET seen = {self._db.statements.now} WHERE id = ?", run.id)

    def begin_part(self, run: Run, folder: str, number: int, endpoint: tuple[str | None, str | None]) -> Part:
        """Write down a part to which lines will be added."""
        part = Part(secrets.token_hex(8), run.id, folder, number, WRITING, 0, self._now(), None, None, None, *endpoint)
        self.beat(run)
        self._db.rows(f"INSERT INTO {self._parts} ({_PART}) VALUES ({', '.join('?' * len(part))})", *part)
        return part

    def add_line(self, part: Part, key: bytes, first: bytes) -> None:
        """Write down that a part asks a question, for several samples perhaps; ``first`` names the first alone."""
        self._db.rows(
            f"INSERT INTO {self._lines} (key, part, first) VALUES (?, ?, ?) ON CONFLICT DO NOTHING", key, part.id, first
        )

    def end_part(self, part: Part, n_lines: int) -> None:
        """Write down that a part is whole and waits."""
        self._db.rows(f"UPDATE {self._parts} SET state = ?, lines = ? WHERE id = ?", WAITING, n_lines, part.id)

    def asks(self, part: Part, keys: Sequence[bytes]) -> bool:
        """Whether a part asks any of some questions."""
        query = f"SELECT 1 FROM {self._lines} WHERE part = ? AND key IN "
        return any(self._db.rows(f"{query}({_marks(some)}) LIMIT 1", part.id, *some) for some in _batches(keys))

    def note_sent(self, sent: Sent) -> None:
        """Write down what is sent, or what has become of it."""
        changed = ", ".join(f"{name} = excluded.{name}" for name in _SENT.split(", ")[1:])
        self._db.rows(
            f"INSERT INTO {self._sent} ({_SENT}) VALUES ({', '.join('?' * len(sent))}) "
            f"ON CONFLICT (id) DO UPDATE SET {changed}",
            *sent,
        )

    def sent(self, run: str | None = None) -> list[Sent]:
        """What a run has sent, or all have, in its order."""
        where, values = ("WHERE run = ?", (run,)) if run is not None else ("", ())
        return [Sent(*row) for row in self._db.rows(f"SELECT {_SENT} FROM {self._sent} {where} ORDER BY made", *values)]

    def drop_part(self, part: Part) -> None:
        """Forget a part: what it asked was not asked."""
        with self.transaction():
            self._db.rows(f"DELETE FROM {self._lines} WHERE part = ?", part.id)
            self._db.rows(f"DELETE FROM {self._parts} WHERE id = ?", part.id)

    def asked(self, run: Run, keys: Sequence[bytes]) -> dict[bytes, list[Asked]]:
        """The lines that ask some questions: those of a run, then those of others, each in their order.

        Of others that go on, those count that wait for a reply or have one of the status 200, or that are written by a
        process that lives. What a run asked that is over is in the cache.
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
        """The parts of other runs that go on which ask for some samples, with more of their question or fewer.

        Each with whether it was given to a provider.
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
        """Whether replies to any of some parts, of runs that go on, are not there yet."""
        return any(
            self._db.rows(
                f"SELECT part.id FROM {self._parts} AS part JOIN {self._runs} AS run ON run.id = part.run "
                f"WHERE run.ended IS NULL AND {self._waits} AND part.id IN ({_marks(some)}) LIMIT 1",
                *some,
            )
            for some in _batches([part.id for part in parts])
        )

    def collect(self, part: Part, answers: Iterable[Answered], unknown: int) -> tuple[list[Answered], int]:
        """Write down where the replies to a part are, the first to each question.

        Returns:
            Those of them that count, and how many answer a question that had been answered.
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
        """Forget the lines of a part that have no reply of the status 200: what they asked is asked again."""
        self._db.rows(f"DELETE FROM {self._lines} WHERE part = ? AND (status IS NULL OR status <> 200)", part.id)

    def n_answered(self, part: Part) -> int:
        """How many questions of a part have a line with a reply, of whatever status."""
        ((count,),) = self._db.rows(f"SELECT count(*) FROM {self._lines} WHERE part = ? AND place IS NOT NULL", part.id)
        return int(count)

    def _now(self) -> float:
        """Seconds since 1970, by the clock of the cache."""
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
