"""Answers in a PostgreSQL database: what a file does, and many processes that make the tables at once."""

from __future__ import annotations

import subprocess
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from support.run import BIN, environment, st
from support.web_server import serving

from scholartools.cache import cache_place
from scholartools.cache.answers import Answers, StoredAnswer


def test_a_database_keeps_answers_as_a_file_does(postgres_server, tmp_path):
    database = cache_place(postgres_server.new_database())
    with ThreadPoolExecutor(4) as threads:
        opened = list(threads.map(lambda _: Answers(database), range(4)))
    opened.append(Answers(tmp_path / "calls.sqlite"))
    stored = StoredAnswer({"source": "x", "path": "/a"}, 200, {"etag": "1"}, b"\xff\x00{}", 12.5, 0.25)
    seen = []
    for answers in (opened[0], opened[-1]):
        key = answers.put(stored._replace(body=b"earlier"), source="x", served=True)
        answers.put(stored, source="x", served=True)
        answers.put(stored._replace(body=b"page", status=503), source="x", served=False)
        seen.append((answers.get(key), answers.unserved(key), answers.times([key, b"0" * 32]), answers.counts()))
    assert seen[0] == seen[1] and seen[0][0] == stored
    assert opened[1].get(key) == stored
    for answers in opened:
        answers.close()


@pytest.mark.slow
def test_a_run_is_repeated_from_a_database(postgres_server, tmp_path):
    with serving() as web:
        env = {
            "ST_FETCH_BASE": web.base, "ST_FETCH_PACE": "0.001", "ST_CACHE": postgres_server.new_database(),
            "XDG_CACHE_HOME": str(tmp_path),
        }  # fmt: skip
        done = st("st-fetch", "references", "10.5555/work.39", env=env)
        assert done.status == 0 and len(done.records) == 39
        n_sent = len(web.log)
        again = st("st-fetch", "references", "10.5555/work.39", "--replay", env=env)
        assert again.out == done.out and len(web.log) == n_sent
        assert not list(tmp_path.rglob("*-web.sqlite"))


@pytest.mark.slow
@pytest.mark.parametrize("where", ["file", "database"])
def test_two_processes_ask_for_the_same_once(where, postgres_server, tmp_path):
    """The second begins while the first waits for its answer; one that is killed there holds nobody up."""
    with serving() as web:
        env = {"ST_FETCH_BASE": web.base, "ST_FETCH_PACE": "0.001", "XDG_CACHE_HOME": str(tmp_path)}
        env |= {"ST_CACHE": postgres_server.new_database() if where == "database" else str(tmp_path / "calls.sqlite")}

        def begin(name: str) -> subprocess.Popen[bytes]:
            line = [str(BIN / "st-fetch"), "papers", name, "--source", "openalex", "--quiet"]
            return subprocess.Popen(line, env=environment(**env), stdout=subprocess.PIPE)

        web.fail("openalex", "slow 3")
        running = [begin("W90005") for _ in range(3)]
        said = [one.communicate()[0] for one in running]
        assert len(web.log) == 1 and len(set(said)) == 1 and said[0], said

        web.fail("openalex", "slow 20")
        first = begin("W90006")
        while len(web.log) < 2:
            time.sleep(0.05)
        first.kill()
        begun = time.time()
        assert begin("W90006").wait() == 0 and time.time() - begun < 10 and len(web.log) == 3
        first.communicate()
