"""A cache in PostgreSQL behind a network that loses what is said, some of it, or brings it late."""

from __future__ import annotations

import contextlib
import os
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.model_runs import MODEL, papers
from support.run import BIN, environment, st
from support.server import Server
from support.wire import Wire

from scholartools.cache import Cache, cache_place
from scholartools.cache.flights import Flights

pytestmark = pytest.mark.slow


@pytest.fixture
def wire(postgres_server, tmp_path) -> Iterator[Wire]:
    with contextlib.closing(Wire(tmp_path, postgres_server.folder)) as one:
        yield one


@pytest.fixture
def through(postgres_server, database, tmp_path) -> str:
    """The address of the database behind the wire."""
    return database.replace(postgres_server.folder, str(tmp_path))


def begin(place: str, server: Server, folder: Path, count: int, *more: str) -> subprocess.Popen:
    (folder / "in.jsonl").write_bytes(papers(count))
    line = [BIN / "st-facets", *MODEL, "--concurrency", "4", *more, "--output", folder / "out.jsonl"]
    env = environment(ST_CACHE=place, XDG_CACHE_HOME=str(folder / "home"), **server.environment)
    return subprocess.Popen([*line, folder / "in.jsonl"], env=env, stderr=subprocess.PIPE)


def rows_of(database: str, query: str) -> list[tuple]:
    import psycopg

    with psycopg.connect(database) as db:
        return db.execute(query).fetchall()  # type: ignore[arg-type]


def undisturbed(server: Server, folder: Path, count: int) -> bytes:
    """What a run whose cache is a file writes."""
    apart = folder / "apart"
    apart.mkdir()
    done = begin(str(apart / "cache"), server, apart, count)
    told = done.communicate(timeout=120)[1]
    assert done.returncode == 0, told
    return (apart / "out.jsonl").read_bytes()


# Statements, and after how many questions the answer to the next of the kind is lost.
STATEMENTS = {
    "tables": (b"UPDATE scholartools.meta", 0),
    "a first sign of life": (b"INSERT INTO scholartools.owners", 0),
    "a look at the cache": (b"FROM scholartools.calls WHERE key", 0),
    "a claim": (b"AS flight", 0),
    "a release": (b"DELETE FROM scholartools.flights WHERE owner = $1 AND key", 8),
    "a reply": (b"INSERT INTO scholartools.calls", 8),
    "an end": (b"COMMIT", 8),
    "a slice": (b"INSERT INTO scholartools.slices", 8),
    "books": (b"UPDATE scholartools.slices", 8),
    "what was spent": (b"UPDATE scholartools.budgets SET spent", 8),
}


@pytest.mark.parametrize("name", STATEMENTS)
def test_the_answer_to_any_statement_may_be_lost(name, wire, through, database, tmp_path):
    """The server has done what it was told, and nobody knows: each question is asked once all the same."""
    words, n_before = STATEMENTS[name]
    if not n_before:
        wire.lost = words
    with Server(latency=0.05) as server:
        run = begin(through, server, tmp_path, 40, "--budget", "b", "--max-calls", "40")
        while server.requests < n_before:
            time.sleep(0.01)
        wire.lost = words if n_before else wire.lost
        told = run.communicate(timeout=90)[1]
        assert (run.returncode, wire.n_lost) == (0, 1), told
        assert (server.requests, sum(server.good.values())) == (40, 40)
        assert (tmp_path / "out.jsonl").read_bytes() == undisturbed(server, tmp_path, 40)
    assert rows_of(database, "SELECT count(*) FROM scholartools.flights") == [(0,)]
    assert rows_of(database, "SELECT calls FROM scholartools.budgets") == [(40,)]


def test_a_server_that_says_nothing_is_one_line(wire, through, database):
    """To whoever opens the cache, and with whatever it was that no answer came to."""
    Cache.open(cache_place(database)).close()
    for words in (b"pg_catalog.pg_tables", b"has_table_privilege"):
        wire.lost = words
        assert st("st-cache", "stats", env={"ST_CACHE": through}).records[0]["calls"] == 0
    assert wire.n_lost == 2
    wire.mode = "silent"
    done = st("st-cache", "stats", env={"ST_CACHE": through})
    assert done.status == 4 and done.err.count("\n") == 1 and not done.out, done.err


def test_what_is_claimed_late_is_nobody_s_who_does_not_know(database):
    """A statement reaches the server after it was repeated on another connection, and what it claimed was released."""
    key = b"k" * 32
    with (
        contextlib.closing(Flights(cache_place(database))) as one,
        contextlib.closing(Flights(cache_place(database))) as other,
    ):
        late = f"INSERT INTO scholartools.flights (key, owner) VALUES ('\\x{key.hex()}', '{one.owner}') RETURNING 1"
        assert rows_of(database, late) and other.claim([key]) == set()
        assert one.claim([key]) == {key} and one.claim([key]) == set(), "it is asked once"
        one.release([key])
        assert rows_of(database, late) and other.claim([key]) == set()
        one.beat()
        assert other.claim([key]) == {key}


def test_three_silences_and_a_long_one(wire, through, database, tmp_path):
    """What came in the long one is in a file; merged, the run is repeated from the database.

    What the database took without a word of it, as the silence began, is in both.
    """
    count = 260
    with Server(latency=0.05) as server:
        whole = undisturbed(server, tmp_path, count)
        n_before = sum(server.good.values())
        run = begin(through, server, tmp_path, count)
        for number in range(1, 4):
            while sum(server.good.values()) < n_before + 20 * number:
                time.sleep(0.01)
            wire.mode = "silent"
            time.sleep(10)
            wire.mode = "whole"
        while sum(server.good.values()) < n_before + 100:
            time.sleep(0.01)
        wire.mode = "silent"
        told = run.communicate(timeout=60)[1].decode()
        wire.mode = "whole"
        assert run.returncode == 4 and "st-cache merge" in told and "could not be stored" not in told, told
        answered = sum(server.good.values()) - n_before
        [unsaved] = (tmp_path / "home" / "scholartools").glob("unsaved-*.sqlite")
        with Cache.open(unsaved) as aside, Cache.open(cache_place(database)) as cache:
            keys = [{entry.key for entry in one.entries()} for one in (aside, cache)]
        assert keys[0] - keys[1] and len(keys[0] | keys[1]) == answered < count
        [merged] = st("st-cache", "merge", unsaved, env={"ST_CACHE": database}).records
        twice = len(keys[0] & keys[1])
        assert (merged["new"], merged["known"], merged["damaged"]) == (len(keys[0]) - twice, twice, 0)
        again = begin(database, server, tmp_path, count)
        assert again.wait(100) == 0 and sum(server.good.values()) - n_before == count
    replayed = st("st-facets", *MODEL, "--replay", tmp_path / "in.jsonl", env={"ST_CACHE": database})
    assert replayed.status == 0 and replayed.out == (tmp_path / "out.jsonl").read_bytes() == whole


def test_what_is_told_late_changes_nothing(wire, through, database, tmp_path):
    """Statements that were given up, and repeated on other connections, reach the server in the end."""
    with Server(latency=0.05) as server:
        run = begin(through, server, tmp_path, 160, "--budget", "b", "--max-calls", "160")
        for number in (20, 60):
            while server.requests < number:
                time.sleep(0.01)
            wire.mode = "late"
            time.sleep(8)
            wire.mode = "whole"
        told = run.communicate(timeout=90)[1]
        assert run.returncode == 0 and (server.requests, sum(server.good.values())) == (160, 160), told
    assert rows_of(database, "SELECT calls FROM scholartools.budgets") == [(160,)]


def test_a_network_that_loses_what_is_long_ends_the_run(wire, through, database, tmp_path):
    """Short words come through, so that the server seems to answer."""
    with Server(latency=0.05) as server:
        run = begin(through, server, tmp_path, 160)
        while server.requests < 20:
            time.sleep(0.01)
        wire.mode = "narrow"
        told = run.communicate(timeout=100)[1].decode()
        wire.mode = "whole"
        assert run.returncode == 4 and "st-cache merge" in told and "could not be stored" not in told, told
        [unsaved] = (tmp_path / "home" / "scholartools").glob("unsaved-*.sqlite")
        assert st("st-cache", "merge", unsaved, env={"ST_CACHE": database}).status == 0
        assert rows_of(database, "SELECT count(*) FROM scholartools.calls") == [(sum(server.good.values()),)]


def test_who_is_gone_without_a_word_keeps_nothing_locked(wire, through, database, tmp_path):
    """A machine loses its power in the middle of a transaction, and the server hears no more of it."""
    holder = """
import sys, time
from scholartools.cache import cache_place
from scholartools.cache.flights import Flights
flights = Flights(cache_place(sys.argv[1]))
with flights.db.transaction():
    flights.db.rows("UPDATE scholartools.budgets SET name = name")
    print(flush=True)
    time.sleep(600)
"""
    with Server() as server:
        first = begin(database, server, tmp_path, 4, "--budget", "b", "--max-calls", "60")
        assert first.wait(60) == 0
        line = [BIN / "python", "-c", holder, through]
        gone = subprocess.Popen(line, env=environment(), stdout=subprocess.PIPE)
        gone.stdout.readline()  # type: ignore[union-attr]
        wire.mode = "silent"
        gone.kill()
        gone.communicate()
        run = begin(database, server, tmp_path, 40, "--budget", "b", "--max-calls", "60")
        told = run.communicate(timeout=60)[1]
        assert run.returncode == 0 and server.requests == 40, told
    assert os.path.getsize(tmp_path / "out.jsonl")
