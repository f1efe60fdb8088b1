"""The least time between requests: its plan in one process and in several, windows, pauses; and the kept answers."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from pathlib import Path

import pytest
from support.run import environment

from scholartools.cache import Cache
from scholartools.cache.answers import Answers, StoredAnswer, answer_key, answers_file
from scholartools.errors import ModelFault
from scholartools.web.limiter import Limiter
from scholartools.web.request import Lane

STARTS = """
import asyncio, sys, time
from scholartools.web.limiter import Limiter
from scholartools.web.request import Lane
async def main():
    limiter = Limiter()
    for _ in range(12):
        async with limiter.turn(Lane("x", 0.05, alone=True)):
            started = time.time()
            await asyncio.sleep(0.02)
            print(started, time.time())
asyncio.run(main())
"""


@pytest.fixture(autouse=True)
def own_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))


def starts_of(limiter: Limiter, lane: Lane, count: int) -> list[float]:
    async def run() -> list[float]:
        async def one() -> float:
            async with limiter.turn(lane):
                return time.time()

        return sorted(await asyncio.gather(*(one() for _ in range(count))))

    return asyncio.run(run())


@pytest.mark.slow
def test_processes_keep_the_least_time_and_one_request_at_a_time(tmp_path):
    env = environment(XDG_CACHE_HOME=str(tmp_path))
    running = [subprocess.Popen([sys.executable, "-c", STARTS], env=env, stdout=subprocess.PIPE) for _ in range(3)]
    spans = sorted(tuple(map(float, line.split())) for one in running for line in one.communicate()[0].splitlines())
    assert len(spans) == 36
    for (start, end), (following, _) in zip(spans, spans[1:]):
        assert following - start >= 0.05 and following >= end


def test_a_window_is_never_overfull():
    lane = Lane("files", 0.0, connections=8, window=(4, 0.8))
    starts = starts_of(Limiter(), lane, 10)
    assert all(late - early >= 0.8 for early, late in zip(starts, starts[4:]))


def test_a_pause_moves_what_was_planned():
    lane, limiter = Lane("x", 0.3, connections=4), Limiter()

    async def run() -> list[float]:
        async def one() -> float:
            async with limiter.turn(lane):
                return time.time()

        tasks = [asyncio.ensure_future(one()) for _ in range(3)]
        await asyncio.sleep(0.1)
        limiter.pause(lane, time.time() + 1.0)
        return sorted(await asyncio.gather(*tasks))

    began = time.time()
    first, second, third = asyncio.run(run())
    assert first - began < 0.3 and second - began >= 1.1 and third - second >= 0.3


def test_a_wait_that_is_too_long_is_refused_and_takes_nothing():
    lane, limiter = Lane("x", 0.0), Limiter(max_wait=5)
    limiter.pause(lane, time.time() + 3600)
    with pytest.raises(ModelFault, match="until"):
        starts_of(limiter, lane, 1)
    assert starts_of(limiter, Lane("y", 0.0), 1)


def test_a_clock_that_was_set_back_does_not_stop_a_lane(monkeypatch):
    lane = Lane("x", 0.01)
    monkeypatch.setattr("scholartools.web.limiter.time.time", lambda now=time.time: now() + 86_400)
    starts_of(Limiter(), lane, 1)
    monkeypatch.undo()
    starts_of(Limiter(max_wait=3), lane, 1)


def test_least_times_are_those_that_the_requirement_states():
    """1,762 sources of arXiv take 88 minutes at the least; 3,779 files of one venue 105 hours, 76 archives 2.1."""
    limiter = Limiter()
    assert 88 <= limiter.least_seconds(Lane("arxiv", 3.0), 1762) / 60 <= 88 * 1.09
    files = Lane("files", 1.0, window=(36, 3600.0))
    assert abs(limiter.least_seconds(files, 3779) / 3600 - 105) < 0.1
    assert abs(limiter.least_seconds(files, 76) / 3600 - 2.1) < 0.03


def test_answers_stand_beside_a_cache_that_stays_as_it_is(tmp_path):
    place = tmp_path / "calls.sqlite"
    Cache.open(place).close()
    before = place.read_bytes()
    stored = StoredAnswer({"source": "x", "path": "/a"}, 200, {"etag": "1"}, b'{"\xff": 1}', 12.5, 0.25)
    answers = Answers(place)
    key = answers.put(stored, source="x", served=True)
    answers.put(stored._replace(body=b"page", status=503), source="x", served=False)
    assert key == answer_key(stored.request) and answers.get(key) == stored and answers.get(b"1" * 32) is None
    assert [one.body for one in answers.unserved(key)] == [b"page"]
    assert answers.times([key, b"2" * 32]) == {key: 12.5}
    assert answers.counts() == [{"source": "x", "answers": 1, "bytes": len(stored.body), "cost": 0.25}]
    answers.close()
    assert place.read_bytes() == before and answers_file(place).exists()
    with pytest.raises(ModelFault, match="another program"):
        Path(answers_file(tmp_path / "other.sqlite")).write_bytes(_foreign())
        Answers(tmp_path / "other.sqlite")


def _foreign() -> bytes:
    import sqlite3
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "x.sqlite"
        db = sqlite3.connect(path)
        db.execute("CREATE TABLE t (a)")
        db.close()
        return path.read_bytes()
