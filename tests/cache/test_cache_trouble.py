"""A cache that is locked, may not be written, or is on a full disk, from outside: nothing is paid for in silence."""

from __future__ import annotations

import ctypes
import os
import re
import resource
import signal
import sqlite3
import subprocess
import threading
import time
from pathlib import Path

import pytest
from support.model_runs import MODEL, papers
from support.run import BIN, environment, st
from support.server import Server

LOCKS = {"writers": "BEGIN IMMEDIATE", "everyone": "PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE"}


@pytest.fixture
def folder(tmp_path):
    yield tmp_path
    tmp_path.chmod(0o700)


def facets(folder: Path, server: Server | None, *args: str, count: int = 3, **options):
    env = {"ST_CACHE": str(folder / "calls.sqlite"), **(server.environment if server else {})}
    return st("st-facets", *MODEL, *args, input=papers(count), env=env, **options)


def start(folder: Path, server: Server, *args: str, count: int) -> subprocess.Popen:
    env = environment(ST_CACHE=str(folder / "calls.sqlite"), **server.environment)
    (folder / "in.jsonl").write_bytes(papers(count))
    line = [BIN / "st-facets", *MODEL, *args, folder / "in.jsonl"]
    return subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env)


def until(condition) -> None:
    for _ in range(600):
        if condition():
            return
        time.sleep(0.05)
    raise AssertionError("waited in vain")


def kept(folder: Path) -> int:
    return st("st-cache", "stats", env={"ST_CACHE": str(folder / "calls.sqlite")}).records[0]["calls"]


class Lock:
    """What holds the cache locked, as a stuck process would."""

    def __init__(self, folder: Path, kind: str) -> None:
        self._db = sqlite3.connect(folder / "calls.sqlite", isolation_level=None, check_same_thread=False, timeout=20)
        self._db.executescript(LOCKS[kind])

    def release(self) -> None:
        self._db.close()


# Locked


@pytest.mark.slow
@pytest.mark.parametrize("kind", LOCKS)
def test_a_run_waits_for_a_cache_that_is_locked_for_a_while(folder, kind):
    with Server() as server:
        assert facets(folder, server, count=5).status == 0
        lock = Lock(folder, kind)
        threading.Timer(2.0, lock.release).start()
        result = facets(folder, server, count=40)
        assert server.requests == 40
    assert result.status == 0 and len(result.records) == 40 and kept(folder) == 40


@pytest.mark.slow
def test_nothing_is_sent_while_the_cache_is_locked_from_the_start(folder):
    with Server() as server:
        assert facets(folder, server, count=1).status == 0
        lock = Lock(folder, "writers")
        process = start(folder, server, count=40)
        time.sleep(2)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=15)
        lock.release()
        assert server.requests == 1
    assert process.returncode == 130 and err.splitlines()[-1] == b"st-facets: interrupted"
    assert b"Traceback" not in err and b"kept" not in err, "nothing was paid for"


@pytest.mark.slow
def test_an_interrupt_with_a_locked_cache_ends_the_run_and_counts_what_is_lost(folder):
    with Server(latency=0.05) as server:
        process = start(folder, server, "--concurrency", "4", count=2000)
        until(lambda: server.requests > 20)
        lock = Lock(folder, "writers")
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=15)
        lock.release()
    assert process.returncode == 130 and b"Traceback" not in err
    [lost] = map(int, re.findall(rb"replies that were paid for but could not be stored in the cache: (\d+)", err))
    assert lost == sum(server.good.values()) - kept(folder) > 0


@pytest.mark.slow
def test_a_cache_that_stays_locked_ends_the_run_after_one_wait(folder):
    with Server(latency=0.05) as server:
        process = start(folder, server, "--concurrency", "8", count=2000)
        until(lambda: server.requests > 20)
        lock = Lock(folder, "writers")
        _, err = process.communicate(timeout=60)
        lock.release()
    assert process.returncode == 4 and b"the cache is locked by another process, for 30 s now" in err
    [lost] = map(int, re.findall(rb"replies that were paid for but could not be stored in the cache: (\d+)", err))
    assert lost == sum(server.good.values()) - kept(folder) > 0


# Without the right to write


def obey_modes() -> None:
    """Let the modes of files hold for root too: give up, for good, the capability to pass them over."""
    if os.getuid() == 0:
        prctl, drop_from_bounding_set, dac_override = ctypes.CDLL(None).prctl, 24, 1
        prctl(drop_from_bounding_set, dac_override, 0, 0, 0)


def read_only_file(folder: Path) -> dict:
    (folder / "calls.sqlite").chmod(0o444)
    return {"preexec_fn": obey_modes}


def read_only_folder(folder: Path) -> dict:
    folder.chmod(0o555)
    return {"preexec_fn": obey_modes}


def read_only_by_its_header(folder: Path) -> dict:
    """SQLite writes no file whose header asks for a newer SQLite to write it."""
    with open(folder / "calls.sqlite", "r+b") as file:
        file.seek(18)
        file.write(b"\x03")
    return {}


@pytest.fixture(params=[read_only_file, read_only_folder, read_only_by_its_header])
def barred(request, folder):
    """What a command is run with for which the cache, with the first 3 papers in it, may not be written."""
    with Server() as server:
        assert facets(folder, server).status == 0
    options = request.param(folder)
    writes = ["sh", "-c", f"test -w {folder} && test -w {folder}/calls.sqlite"]
    if options.get("preexec_fn") is obey_modes and subprocess.run(writes, **options).returncode == 0:
        pytest.skip("nothing can be barred to this user")
    return options


def test_new_calls_are_refused_before_they_are_paid_for(folder, barred):
    with Server() as server:
        result = facets(folder, server, count=5, **barred)
        assert server.requests == 0
    assert result.status == 4 and len(result.records) == 3, result.err
    assert f"-:4: {folder}/calls.sqlite: " in result.err and "--no-cache" in result.err
    assert result.err.count("\n") == 2, result.err


@pytest.mark.slow
def test_what_is_in_a_cache_that_may_not_be_written_is_read(folder, barred):
    with Server() as server:
        assert facets(folder, server, **barred).status == 0
        assert facets(folder, None, "--replay", **barred).status == 0
        missed = facets(folder, None, "--replay", count=5, **barred)
        assert missed.status == 4 and "no reply in the cache" in missed.err
        forecast = facets(folder, server, "--dry-run", count=5, **barred)
        assert forecast.status == 0 and forecast.records[0]["dry_run"]["to_send"] == 2
        assert server.requests == 0


def test_without_the_cache_a_run_goes_on(folder, barred):
    with Server() as server:
        assert facets(folder, server, "--no-cache", count=5, **barred).status == 0
        assert server.requests == 5


def limited(size: int) -> dict:
    """A limit on the size of files stands in for the disk."""
    return {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))}


@pytest.mark.slow
def test_nothing_is_paid_for_on_a_full_disk(folder):
    with Server() as server:
        assert facets(folder, server).status == 0
        result = facets(folder, server, count=5, **limited(1000))
        assert server.requests == 3
        assert result.status == 4 and "disk full" in result.err and result.err.count("\n") == 1
        assert facets(folder, server, "--no-cache", count=5, **limited(1000)).status == 0


@pytest.mark.slow
def test_a_limit_on_files_ends_the_run_before_anything_is_lost(folder):
    with Server() as server:
        result = facets(folder, server, count=2000, **limited(1_000_000))
        good = sum(server.good.values())
    assert result.status == 4 and "ulimit -f" in result.err, result.err
    assert "could not be stored" not in result.err and kept(folder) == good > 0
    with Server() as server:
        assert facets(folder, server, count=2000).status == 0
        assert server.requests == 2000 - good
