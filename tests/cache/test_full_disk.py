"""A cache on a real disk that is full: no reply that a server gave is lost, and none is asked for in vain."""

from __future__ import annotations

import contextlib
import json
import os
import random
import re
import subprocess
from pathlib import Path

import pytest
from support.disk import Disk, small_disk
from support.model_runs import MODEL, papers
from support.run import shell
from support.server import Server, completion, facets

from scholartools.cache.reserve import Reserve


def noisy(length: int, large: str = ""):
    """Replies with so many characters that nothing packs; ten times as many to a prompt that holds some words."""

    def respond(body, _):
        asked = json.dumps(body["messages"])
        factor = 10 if large and large in asked else 1
        noise = random.Random(asked).randbytes(length * factor).hex()
        return 200, completion(facets(body["messages"]), "stop") | {"noise": noise}, {}

    return respond


@pytest.fixture
def disk(tmp_path):
    (tmp_path / "disk").mkdir()
    with small_disk(tmp_path / "disk", 2 * 2**20) as made:
        yield made


def start(disk: Disk, server: Server, records: bytes, *args: str) -> subprocess.Popen:
    path = disk.path.parent / f"{random.randbytes(4).hex()}.jsonl"
    path.write_bytes(records)
    return disk.start("st-facets", *MODEL, path, *args, **server.environment)


def end(run: subprocess.Popen) -> tuple[int, str]:
    _, told = run.communicate(timeout=120)
    assert b"Traceback" not in told, told
    return run.returncode, told.decode()


def kept(disk: Disk) -> int:
    stats, _ = disk.start("st-cache", "stats").communicate()
    return json.loads(stats)["calls"]


@pytest.mark.slow
@pytest.mark.parametrize(("runs", "concurrency", "length"), [(1, 8, 6000), (2, 4, 4000)])
def test_what_a_server_answered_is_kept_when_the_disk_fills_up(disk, runs, concurrency, length):
    lines = papers(400).splitlines(True)
    parts = [b"".join(lines[place::runs]) for place in range(runs)]
    with Server(respond=noisy(length), latency=0.01) as server:
        ends = [end(run) for run in [start(disk, server, part, "--concurrency", str(concurrency)) for part in parts]]
        assert [status for status, _ in ends] == [4] * runs, ends
        assert all("no space" in told and "could not be stored" not in told for _, told in ends), ends
        disk.fill()
        answered = server.requests
        status, told = end(start(disk, server, lines[-1]))
        assert status == 4 and server.requests == answered, told
        disk.clear()
        assert kept(disk) == answered > 10


def test_a_run_goes_on_when_there_is_room_again(disk):
    with Server(respond=noisy(2500)) as server:
        disk.fill(650_000)
        assert end(start(disk, server, papers(90)))[0] == 4
        disk.clear()
        status, told = end(start(disk, server, papers(90)))
        assert status == 0, told
        assert server.requests == kept(disk) == 90


@pytest.mark.parametrize("files", range(1, 8))
def test_a_disk_without_room_for_a_further_file_is_told(tmp_path, files):
    """SQLite tells only that it cannot open a file whose log has no room."""
    (tmp_path / "disk").mkdir()
    with small_disk(tmp_path / "disk", 2 * 2**20, files) as made, Server() as server:
        status, told = end(start(made, server, papers(1)))
        assert (status, server.requests) == (4, 0) and "No space left on device" in told, told


def test_a_reply_for_which_no_room_was_held_costs_no_other(disk):
    """How long replies will be is not known: one of 400 kB after short ones is told as lost, where it does not fit."""
    with Server(respond=noisy(20_000, "Paper 30 "), latency=0.01) as server:
        disk.fill(1_000_000)
        status, told = end(start(disk, server, papers(200), "--concurrency", "4"))
        lost = sum(map(int, re.findall(r"could not be stored in the cache: (\d+)", told)))
        assert status == 4 and lost <= 1
        disk.clear()
        assert kept(disk) + lost == server.requests


@pytest.mark.parametrize("most", [300, 700, 1100])
def test_what_a_server_answered_is_kept_where_files_may_not_grow_further(tmp_path, most):
    (tmp_path / "papers.jsonl").write_bytes(papers(90))
    line = f"st-facets {' '.join(MODEL)} papers.jsonl"
    with Server(respond=noisy(6000), latency=0.01) as server:
        env = {"ST_CACHE": str(tmp_path / "calls.sqlite"), **server.environment}
        done = shell(f"ulimit -f {most}; {line}", env, cwd=tmp_path)
        assert done.status == 4 and "could not be stored" not in done.err, done.err
        assert shell("st-cache stats", env).records[0]["calls"] == server.requests
        assert shell(line, env, cwd=tmp_path).status == 0 and server.requests == 90


def test_a_killed_run_holds_no_room(disk):
    with Server(latency=0.2) as server:
        run = start(disk, server, papers(500))
        while not server.requests:
            assert run.poll() is None
        assert disk.free() < 2 * 2**20 - named(disk) - 200_000
        run.kill()
        end(run)
    assert disk.free() >= 2 * 2**20 - named(disk)


def named(disk: Disk) -> int:
    """Bytes of the files that have a name."""
    return sum(path.stat().st_blocks * 512 for path in Path(disk.seen).iterdir())


def test_the_disk_is_one_of_its_own(disk):
    disk.fill(4096)
    assert disk.free() == 4096 and not os.listdir(disk.path)


@pytest.mark.parametrize("lacks", [(), ("O_TMPFILE",), ("posix_fallocate",), ("O_TMPFILE", "posix_fallocate")])
def test_room_is_held_and_given_back_whatever_the_system_has(tmp_path, monkeypatch, lacks):
    for name in lacks:
        monkeypatch.delattr(os, name)
    reserve = Reserve(tmp_path)
    reserve.grow(5_000_000)
    assert reserve.size == 5_000_000 <= nameless(tmp_path) and not os.listdir(tmp_path)
    reserve.give_back(2_000_000)
    reserve.grow(1000)
    assert reserve.size == 3_000_000 <= nameless(tmp_path) < 4_000_000
    reserve.close()
    assert reserve.size == nameless(tmp_path) == 0


def nameless(folder: Path) -> int:
    """Bytes of the files of this process in a folder."""
    taken = 0
    for link in list(Path("/proc/self/fd").iterdir()):
        with contextlib.suppress(FileNotFoundError):  # that of the list itself
            taken += link.stat().st_blocks * 512 if str(link.readlink()).startswith(f"{folder}/") else 0
    return taken
