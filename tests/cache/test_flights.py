"""Processes that share a cache and ask the same questions: each is asked by one of them, also where some are killed."""

from __future__ import annotations

import asyncio
import itertools
import math
import os
import random
import re
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from support.model_runs import MODEL, papers
from support.run import BIN, environment, st
from support.server import Server

from scholartools.cache import Cache, cache_place
from scholartools.cache.flights import Flights, _host_name, flights_file, look_beside
from scholartools.llm.kept_replies import KeptReplies
from scholartools.llm.settings import Settings
from scholartools.pipeline import ask

KEYS = [bytes([number]) * 32 for number in range(5)]


def test_a_question_is_claimed_once(place):
    first, second = Flights(cache_place(place)), Flights(cache_place(place))
    assert first.claim(KEYS[:3]) == set(KEYS[:3])
    assert second.claim(KEYS) == set(KEYS[3:])
    assert first.claim(KEYS[:3]) == set(), "one that is on its way is not begun again"
    first.release([*KEYS[:1], *KEYS[3:]])
    assert second.claim(KEYS) == set(KEYS[:1]), "nobody releases what others claimed"
    first.close()
    assert second.claim(KEYS) == set(KEYS[1:3])
    second.close()


def test_a_process_that_gives_no_sign_of_life_is_taken_for_gone(place):
    silent, other = Flights(cache_place(place)), Flights(cache_place(place))
    silent.claim(KEYS[:2])
    assert other.claim(KEYS[:1]) == set()
    silent.db.rows(f"UPDATE {silent._owners} SET seen = seen - 31 WHERE id = ?", silent.owner)
    assert other.claim(KEYS[:1]) == set(KEYS[:1])
    other.beat()
    assert other.claim(KEYS[1:2]) == set(KEYS[1:2])
    silent.beat()
    silent.release(KEYS[:2])
    assert silent.claim(KEYS[:2]) == set(), "it comes back, and what others claimed meanwhile is theirs"
    for one in (silent, other):
        one.close()


def test_a_killed_process_that_nobody_waits_for_is_gone(place):
    """Its parent has not asked how it ended: it still has its number."""
    script = (
        "import sys, time; from scholartools.cache import cache_place; from scholartools.cache.flights import Flights"
    )
    script += "; print(Flights(cache_place(sys.argv[1])).claim([b'k' * 32]), flush=True); time.sleep(100)"
    process = subprocess.Popen([sys.executable, "-c", script, place], stdout=subprocess.PIPE)
    assert b"kkk" in process.stdout.readline()
    other = Flights(cache_place(place))
    assert other.claim([b"k" * 32]) == set()
    process.kill()
    time.sleep(0.3)  # a zombie, since it is not waited for
    other.beat()
    assert other.claim([b"k" * 32]) == {b"k" * 32}
    process.wait()
    other.close()


@pytest.mark.slow
def test_a_run_that_was_stopped_for_long_asks_nothing_that_others_have_asked(place, tmp_path):
    count = 40
    (tmp_path / "in.jsonl").write_bytes(papers(count))
    with Server(latency=0.2) as server:
        stopped = start(place, server, tmp_path, "0.jsonl", "--concurrency", "2")
        while server.requests < 6:
            time.sleep(0.02)
        stopped.send_signal(signal.SIGSTOP)
        time.sleep(31)
        other = start(place, server, tmp_path, "1.jsonl")
        assert other.wait(timeout=100) == 0
        n_asked = server.requests
        stopped.send_signal(signal.SIGCONT)
        assert stopped.wait(timeout=100) == 0
        assert server.requests <= n_asked + 2, "only what was on its way may be sent once more"
    assert (tmp_path / "0.jsonl").read_bytes() == (tmp_path / "1.jsonl").read_bytes()


def test_machines_of_one_name_are_told_apart():
    """Else each would forget what the other asks, because it has no process of that number."""
    boot = Path("/proc/sys/kernel/random/boot_id")
    if not boot.exists():
        pytest.skip("no number of the start of the system")
    assert boot.read_text().strip() in _host_name()


def test_the_file_beside_a_cache_is_for_all_who_may_use_the_cache(tmp_path):
    path = tmp_path / "calls.sqlite"
    Cache.open(path).close()
    path.chmod(0o660)
    if os.geteuid() == 0:
        os.chown(path, 65534, 65534)
    Flights(path).close()
    made, cache = flights_file(path).stat(), path.stat()
    assert (made.st_mode, made.st_uid, made.st_gid) == (cache.st_mode, cache.st_uid, cache.st_gid)


def test_the_file_beside_a_cache_stays_small_on_a_disk_that_may_be_full(tmp_path):
    path = tmp_path / "calls.sqlite"
    Cache.open(path).close()
    flights = Flights(path)
    for number in range(300):
        flights.claim([number.to_bytes(32, "big")])
        flights.release([number.to_bytes(32, "big")])
    assert sum(file.stat().st_size for file in tmp_path.glob("calls-flights.sqlite*")) < 300_000
    flights.close()


def test_of_a_damaged_file_beside_the_cache_is_said_that_no_replies_are_lost(tmp_path):
    with Server() as server:
        env = {"ST_CACHE": str(tmp_path), **server.environment}
        assert st("st-facets", *MODEL, input=papers(1), env=env).status == 0
        (beside := tmp_path / "calls-flights.sqlite").write_bytes(b"no database" * 500)
        result = st("st-facets", *MODEL, input=papers(2), env=env)
        assert (
            result.status == 4
            and "it holds no replies, only budgets or batches: delete it" in result.err
            and "salvage" not in result.err
        )
        beside.unlink()
        assert st("st-facets", *MODEL, input=papers(2), env=env).status == 0
        assert server.requests == 2


def start(place: str, server: Server, folder, name: str, *more: str) -> subprocess.Popen:
    line = [BIN / "st-facets", *MODEL, "--concurrency", "8", "--output", folder / name, *more, folder / "in.jsonl"]
    env = environment(ST_CACHE=place, **server.environment)
    return subprocess.Popen(line, env=env, stderr=subprocess.PIPE)


def test_two_runs_at_once_ask_each_question_once(place, tmp_path):
    (tmp_path / "in.jsonl").write_bytes(papers(60))
    with Server(latency=0.05) as server:
        runs = [start(place, server, tmp_path, f"{number}.jsonl", "--progress", "on") for number in range(2)]
        told = [run.communicate(timeout=100)[1].decode() for run in runs]
        assert [run.returncode for run in runs] == [0, 0], told
        assert server.requests == 60 and server.again_after_good == 0
    assert any("asked by other processes" in text for text in told)
    assert (tmp_path / "0.jsonl").read_bytes() == (tmp_path / "1.jsonl").read_bytes()
    asked = Flights(cache_place(place))
    assert asked.db.rows(f"SELECT count(*) FROM {asked._flights}") == [(0,)]
    asked.close()


def test_samples_by_one_call_are_asked_once_too(place, monkeypatch):
    """Three runs in one process: their stores know as little of each other as those of three processes."""

    async def task(engine, record):
        found = await engine.complete_samples("count", [{"role": "user", "content": record["id"]}], range(6))
        return {**record, "found": [one.reply.text for one in found]}

    def run(number: int) -> list:
        return [record["found"] for record in ask([{"id": "a"}, {"id": "b"}], task, Settings("openai/mock"))]

    with Server(latency=0.3, sample=lambda _, number: f"reply {number}") as server:
        for name, value in {**server.environment, "ST_CACHE": place}.items():
            monkeypatch.setenv(name, value)
        with ThreadPoolExecutor(3) as threads:
            found = list(threads.map(run, range(3)))
        assert server.requests == 2, "one call for the six samples of each"
    assert found == [[[f"reply {number}" for number in range(6)]] * 2] * 3


@pytest.mark.parametrize("samples", [1, 3])
def test_a_format_is_refused_while_questions_wait_to_be_claimed(place, monkeypatch, samples):
    """Each reply is kept under the key of the request that was sent for it."""
    numbers, claim = itertools.count(), KeptReplies.claim

    async def claim_late(kept, keys):
        await asyncio.sleep(0.5 if next(numbers) else 0)
        return await claim(kept, keys)

    async def task(engine, record):
        messages = [{"role": "user", "content": record["id"]}]
        found = await engine.complete_samples("count", messages, range(samples), schema='{"type": "object"}')
        return {**record, "found": [one.reply.text for one in found]}

    def refuse_schemas(body, _):
        if body.get("response_format", {}).get("type") == "json_schema":
            return 400, {"error": {"message": "response_format: json_schema is not supported"}}, {}
        return None

    monkeypatch.setattr(KeptReplies, "claim", claim_late)
    with Server(answer=lambda _: "reply", respond=refuse_schemas) as server:
        for name, value in {**server.environment, "ST_CACHE": place}.items():
            monkeypatch.setenv(name, value)
        found = list(ask([{"id": name} for name in "abc"], task, Settings("openai/mock", concurrency=8)))
    assert [record.get("found") for record in found] == [["reply"] * samples] * 3, found
    with Cache.open(cache_place(place)) as cache:
        formats = [entry.request["response_format"]["type"] for entry in cache.entries()]
    assert formats == ["json_object"] * 3 * samples


@pytest.mark.slow
def test_what_two_runs_at_once_used_is_repeated_from_the_cache(place, tmp_path):
    """Replies that cannot be read too: the second run takes those of the first for its own, and replaces none."""
    (tmp_path / "in.jsonl").write_bytes(papers(30))
    with Server({"invalid": 0.5}, latency=1.0) as server:
        runs = [start(place, server, tmp_path, f"{number}.jsonl") for number in range(2)]
        beside = Flights(cache_place(place))
        begun = f"SELECT count(*) FROM {beside._owners}"
        while beside.db.rows(begun) < [(3,)] and None in [run.poll() for run in runs]:
            time.sleep(0.02)  # a run that began after the other's end would ask again what could not be read
        beside.close()
        server.latency = 0.02
        told = [run.communicate(timeout=100)[1].decode() for run in runs]
        assert {run.returncode for run in runs} <= {0, 1}, told
    for number in range(2):
        made = tmp_path / f"{number}.jsonl"
        again = st("st-facets", *MODEL, "--replay", tmp_path / "in.jsonl", env={"ST_CACHE": place})
        assert again.out == made.read_bytes()


def test_a_run_finds_when_the_first_of_those_began_that_go_on(place):
    Cache.open(cache_place(place)).close()
    assert look_beside(cache_place(place)) == (0.0, math.inf)
    older, other, killed = (Flights(cache_place(place), begun) for begun in (5.0, 7.0, 3.0))
    asking_the_web = Flights(cache_place(place))
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    killed.db.rows(f"UPDATE {killed._owners} SET pid = ? WHERE id = ?", process.pid, killed.owner)
    assert look_beside(cache_place(place)).begun == 5.0
    older.close()
    assert look_beside(cache_place(place)).begun == 7.0
    other.db.rows(f"UPDATE {other._owners} SET seen = seen - 31 WHERE id = ?", other.owner)
    assert look_beside(cache_place(place)).begun == math.inf
    other.beat()
    assert look_beside(cache_place(place)).begun == 7.0
    for one in (other, killed, asking_the_web):
        one.close()


@pytest.mark.parametrize("ahead", [-3600.0, -2.0, 0.0, 2.0, 3600.0])
def test_what_the_clock_of_a_server_says(database, monkeypatch, ahead):
    Cache.open(cache_place(database)).close()
    now = time.time
    monkeypatch.setattr("scholartools.cache.flights.time.time", lambda: now() - ahead)
    assert abs(look_beside(cache_place(database)).ahead - ahead) < 1


# A machine whose clock is wrong by so many seconds.
WRONG_CLOCK = """
import os, time
now, by = time.time, float(os.environ.get("WRONG_CLOCK", 0))
time.time = lambda: now() + by
"""


def outputs_and_replay(place: str, folder: Path, clocks: tuple[int, int]) -> list[bytes]:
    """What two runs write of which one begins while the other goes on, and what is made of the cache afterwards."""
    lines = papers(22).splitlines(keepends=True)
    common, last, own = b"".join(lines[:20]), lines[20], lines[21]
    seen: set[str] = set()

    def hold_back_the_last(body, _):
        """The first run ends after the other has begun."""
        seen.update(re.findall(r"Paper (20|21) asks", str(body["messages"])))
        if "Paper 20 asks" in str(body["messages"]) and "21" not in seen:
            return 429, {"error": {"message": "slow down"}}, {"Retry-After": "0.1"}
        return None

    (folder / "sitecustomize.py").write_text(WRONG_CLOCK)
    runs = []
    with Server({"invalid": 0.7}, respond=hold_back_the_last) as server:
        for number, (clock, data) in enumerate(zip(clocks, (common + last, own + common))):
            (folder / f"in{number}.jsonl").write_bytes(data)
            line = [BIN / "st-facets", *MODEL, "--output", folder / f"{number}.jsonl", folder / f"in{number}.jsonl"]
            env = {**server.environment, "ST_CACHE": place, "PYTHONPATH": str(folder), "WRONG_CLOCK": str(clock)}
            runs.append(subprocess.Popen(line, env=environment(**env), stderr=subprocess.PIPE))
            while not seen and runs[0].poll() is None:
                time.sleep(0.01)
        told = [run.communicate(timeout=100)[1].decode() for run in runs]
        assert [run.returncode for run in runs] == [1, 1] and len(seen) == 2, told
    made = [(folder / f"{number}.jsonl").read_bytes() for number in range(2)]
    again = st("st-facets", *MODEL, "--replay", folder / "in0.jsonl", env={"ST_CACHE": place}).out
    return [
        b"".join(data.splitlines(keepends=True)[start:][:20])
        for data, start in ((made[0], 0), (made[1], 1), (again, 0))
    ]


@pytest.mark.slow
def test_what_a_run_used_is_not_replaced_by_one_that_begins_meanwhile(place, tmp_path):
    """A reply that cannot be read was asked for anew by the second run, so that the output of the first had no replay."""
    first, second, again = outputs_and_replay(place, tmp_path, (0, 0))
    assert first == second == again


@pytest.mark.slow
def test_clocks_of_machines_may_be_apart(database, tmp_path):
    first, second, again = outputs_and_replay(database, tmp_path, (-3600, 3600))
    assert first == second == again


HAMMER = """
import random, sys, time
from scholartools.cache import Cache, cache_place
from scholartools.cache.flights import Flights, _host_name, flights_file
flights, draw = Flights(cache_place(sys.argv[1])), random.Random(int(sys.argv[2]))
end = time.time() + 5
while time.time() < end:
    keys = draw.sample([bytes([number]) * 32 for number in range(12)], draw.randrange(1, 9))
    held = flights.claim(keys)
    begun = time.monotonic()
    time.sleep(0.005 * draw.random())
    if draw.random() < 0.1:
        flights.beat()
    for key in held:
        print(key[0], begun, time.monotonic())
    flights.release(list(held))
flights.close()
"""


@pytest.mark.slow
def test_no_question_is_ever_claimed_by_two(place):
    """Six processes claim and release the same few keys in any order; the clock is that of the machine for all."""
    runs = [
        subprocess.Popen([sys.executable, "-c", HAMMER, place, str(seed)], stdout=subprocess.PIPE, text=True)
        for seed in range(6)
    ]
    outs = [run.communicate(timeout=100)[0] for run in runs]
    assert {run.returncode for run in runs} == {0}
    spans: dict[str, list[tuple[float, float]]] = {}
    for key, begun, ended in (line.split() for out in outs for line in out.splitlines()):
        spans.setdefault(key, []).append((float(begun), float(ended)))
    assert len(spans) == 12 and sum(map(len, spans.values())) > 300
    for held in map(sorted, spans.values()):
        assert all(earlier[1] <= later[0] for earlier, later in itertools.pairwise(held))


@pytest.mark.slow
def test_runs_that_are_killed_at_random_leave_no_question_unasked(place, tmp_path):
    count, n_kills = 400, 6
    (tmp_path / "in.jsonl").write_bytes(papers(count))
    draw = random.Random(7)
    with Server(latency=0.05) as server:
        runs = [start(place, server, tmp_path, f"{number}.jsonl") for number in range(3)]
        for _ in range(n_kills):
            time.sleep(draw.uniform(0.5, 1.5))
            number = draw.randrange(3)
            runs[number].send_signal(signal.SIGKILL)
            runs[number].communicate()
            runs[number] = start(place, server, tmp_path, f"{number}.jsonl")
        assert [run.wait(timeout=110) for run in runs] == [0, 0, 0]
        assert sum(server.good.values()) <= count + 8 * n_kills, "only what was on its way is asked twice"
    assert len({(tmp_path / f"{number}.jsonl").read_bytes() for number in range(3)}) == 1
    assert st("st-cache", "stats", env={"ST_CACHE": place}).records[0]["calls"] == count
    asked = Flights(cache_place(place))
    assert asked.db.rows(f"SELECT count(*) FROM {asked._flights}") == [(0,)]
    asked.close()
