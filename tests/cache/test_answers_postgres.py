"""Answers in a PostgreSQL database: what a file does, and many processes that make the tables at once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from support.run import st
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
