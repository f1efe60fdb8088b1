"""Runs in files that share a cache, in any order, some of them killed: each question is asked in one file."""

from __future__ import annotations

import asyncio
import json
import random
import subprocess
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from support.batch_server import BatchServer
from support.model_runs import MODEL, papers
from support.run import BIN, environment, st
from support.run_batch import run_batch
from support.server import Server

from scholartools.cache import Cache, cache_place, call_key
from scholartools.cache.batches import Part
from scholartools.llm.batch.offline import Offline
from scholartools.llm.engine import Engine
from scholartools.llm.parking import Parked
from scholartools.llm.settings import Settings

GPT = "openai/gpt-4o-mini"


class Runs:
    """Runs of a command, each in a folder of its own, on inputs that overlap."""

    def __init__(self, server: Server, cache: str, folder: Path, draw: random.Random, n_runs: int, n_papers: int):
        self.server, self.cache, self.folder, self.draw = server, cache, folder, draw
        self.env = {**server.environment, "ST_CACHE": cache}
        lines = papers(n_papers).splitlines(keepends=True)
        wanted = {f"run{n}": draw.sample(lines, draw.randint(n_papers // 2, n_papers)) for n in range(n_runs)}
        for name, some in wanted.items():
            (folder / f"{name}.jsonl").write_bytes(b"".join(some))
        self.names = list(wanted)
        self.n_questions = len(set().union(*wanted.values()))
        self.done: dict[str, bytes] = {}

    def line(self, name: str) -> list:
        files = ["--batch-file", self.folder / name, "--part-size", str(self.draw.choice([4, 50_000]))]
        return ["st-facets", *MODEL, *files, self.folder / f"{name}.jsonl"]

    @property
    def unfinished(self) -> list[str]:
        return [name for name in self.names if name not in self.done]

    def start(self, name: str) -> None:
        result = st(*self.line(name), env=self.env)
        assert result.status in (0, 5), result.err
        if result.status == 0:
            self.done[name] = result.out

    def start_and_kill(self, names: list[str]) -> None:
        """Several at once, some of which are killed."""
        processes = {
            name: subprocess.Popen(
                [BIN / "st-facets", *self.line(name)[1:]], env=environment(**self.env), stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
            for name in names
        }  # fmt: skip
        for name, process in processes.items():
            try:
                out, _ = process.communicate(timeout=self.draw.choice([0.7, 1.2, 60.0]))
            except subprocess.TimeoutExpired:
                process.kill()
                out, _ = process.communicate()
            assert process.returncode in (-9, 0, 5)
            if process.returncode == 0:
                self.done[name] = out

    def find_replies_and_die(self, name: str) -> None:
        """A start that finds replies, and is gone before it has used any."""
        files = Offline(Settings(MODEL[1], batch_file=str(self.folder / name)), cache_place(self.cache), print)
        files.find_replies()
        files.end()

    def parts(self) -> list[Path]:
        return [path for path in sorted(self.folder.glob("run*/part-*.jsonl")) if ".out" not in path.name]

    def answer(self, most: int = 1) -> None:
        """Answer so many of the parts that wait."""
        waiting = [part for part in self.parts() if not replies_to(part).exists()]
        for part in self.draw.sample(waiting, min(most, len(waiting))):
            run_batch(str(part), str(replies_to(part)), f"http://127.0.0.1:{self.server.port}/v1", self.draw.random())

    def finish(self) -> None:
        for _ in range(12):
            self.answer(100)
            for name in self.unfinished:
                self.start(name)

    def check(self, faults: dict[str, float]) -> None:
        """Nothing is lost, nothing is asked again once it was answered, and the outputs are those of online runs."""
        assert self.unfinished == [] and self.server.again_after_good == 0
        asked = Counter(json.loads(line)["custom_id"] for part in self.parts() for line in part.open())
        assert len(asked) == self.n_questions and sum(asked.values()) == self.server.requests
        assert faults or set(asked.values()) == {1}
        with Server(faults) as server:
            env = {**server.environment, "ST_CACHE": str(self.folder / "online")}
            for name in self.names:
                assert st("st-facets", *MODEL, self.folder / f"{name}.jsonl", env=env).out == self.done[name]


def replies_to(part: Path) -> Path:
    return part.with_name(part.name.replace(".jsonl", ".out.jsonl"))


@pytest.mark.parametrize("seed", range(2))
def test_runs_that_go_on_in_any_order_ask_each_question_once(seed, tmp_path):
    """Found replies count for all runs from the moment that one has found them, as do questions that one has written."""
    draw = random.Random(seed)
    faults = {"500": 0.2, "length": 0.1} if seed else {}
    with Server(faults) as server:
        runs = Runs(server, str(tmp_path / "cache"), tmp_path, draw, 3, 10)
        for _ in range(16):
            if names := runs.unfinished:
                step = draw.choice([lambda _: runs.answer(), runs.start, runs.find_replies_and_die])
                step(draw.choice(names))
        runs.finish()
    runs.check(faults)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_runs_at_once_of_which_some_are_killed_ask_each_question_once(seed, place, tmp_path):
    draw = random.Random(seed)
    faults = {"500": 0.1, "length": 0.1} if seed else {}
    with Server(faults) as server:
        runs = Runs(server, place, tmp_path, draw, 4, 40)
        for _ in range(4):
            runs.start_and_kill(runs.unfinished)
            runs.answer(draw.randint(0, 9))
        runs.finish()
    runs.check(faults)


REQUEST = {"model": GPT, "messages": [{"role": "user", "content": "Why?"}], "parameters": {}, "sample": 0}
BODY = {"choices": [{"message": {"content": "So."}, "finish_reason": "stop"}]}


def begin(folder: Path, **settings) -> Offline:
    """A start of a run whose cache is beside its folder."""
    files = Offline(Settings(GPT, **settings), cache_place(str(folder / "cache")), print)
    files.find_replies()
    return files


def ask(files: Offline) -> str | None:
    """The reply to the one question, None where it waits."""
    try:
        return asyncio.run(files.send(REQUEST, 1.0)).text
    except Parked:
        return None


def answer(part: Path) -> None:
    line = {"custom_id": json.loads(part.read_text())["custom_id"], "response": {"status_code": 200, "body": BODY}}
    replies_to(part).write_text(json.dumps(line) + "\n")


def ask_in_file(folder: Path) -> Part:
    """The part of another run in which the one question stands; that start is over."""
    files = begin(folder, batch_file=str(folder / "another"))
    assert ask(files) is None
    [part] = files.finish()
    files.end()
    return part


def test_a_reply_that_is_asked_for_anew_is_none_that_another_run_found_before(tmp_path):
    part = ask_in_file(tmp_path)
    answer(part.path)
    begin(tmp_path, batch_file=str(tmp_path / "another")).end()
    files = begin(tmp_path, batch_file=str(tmp_path / "mine"))
    assert ask(files) == "So.", "the other run has found it, and is gone before it could keep it"
    files.is_replaced = lambda key: key == call_key(REQUEST)
    assert ask(files) is None and len(files.finish()) == 1
    files.end()


def test_a_reply_that_another_run_asked_for_anew_is_taken(tmp_path):
    files = begin(tmp_path, batch_file=str(tmp_path / "mine"))
    files.is_replaced = lambda key: True
    part = ask_in_file(tmp_path)
    assert ask(files) is None and files.finish() == [], "it waits for the other"
    answer(part.path)
    begin(tmp_path, batch_file=str(tmp_path / "another")).end()
    assert ask(files) == "So."
    files.end()


def test_what_a_run_asks_that_is_over_is_asked_again(tmp_path):
    """Nobody looks for its reply any more."""
    first = begin(tmp_path, batch_file=str(tmp_path / "another"))
    assert ask(first) is None
    first.finish()
    first.end_run()
    first.end()
    files = begin(tmp_path, batch_file=str(tmp_path / "mine"))
    assert ask(files) is None and len(files.finish()) == 1
    files.end()


def test_a_part_whose_writer_died_is_waited_for_as_long_as_the_writer_may_live(place, tmp_path):
    first = Offline(Settings(GPT, batch_file=str(tmp_path / "another")), cache_place(place), print)
    files = Offline(Settings(GPT, batch_file=str(tmp_path / "mine")), cache_place(place), print)
    assert ask(first) is None and ask(files) is None and files.finish() == [], "it is being written"
    assert files._others_wait()
    db = first._batches._db
    silent = f"UPDATE {first._batches._runs} SET seen = seen - 31"
    db.rows(silent)
    assert not files._others_wait(), "nobody will finish it"
    assert ask(files) is None and len(files.finish()) == 1
    for run in (first, files):
        run.end()


def test_who_writes_a_part_for_long_gives_signs_of_life(place, tmp_path, monkeypatch):
    monkeypatch.setattr("scholartools.llm.batch.offline.BEAT_EVERY", 0.05)
    files = Offline(Settings(GPT, batch_file=str(tmp_path / "mine")), cache_place(place), print)
    assert ask(files) is None
    db, runs = files._batches._db, files._batches._runs
    db.rows(f"UPDATE {runs} SET seen = 0")
    for _ in range(200):
        if db.rows(f"SELECT seen FROM {runs}") != [(0,)]:
            break
        time.sleep(0.05)
    assert db.rows(f"SELECT seen FROM {runs}")[0][0] > 1e9
    files.end()


@pytest.mark.parametrize("taker", ["name", "other"])
def test_a_reply_that_is_taken_from_another_run_is_its_asker_s(taker, place, tmp_path, monkeypatch):
    """Also where that run is gone before it has kept it; who asks another server does not use it unasked."""
    (tmp_path / "in.jsonl").write_bytes(papers(3))
    line = ["st-facets", "--model", GPT, tmp_path / "in.jsonl", "--batch-file"]
    env = {"ST_CACHE": place, "OPENAI_API_KEY": "k" * 20, "OPENAI_BASE_URL": "http://a.example/v1"}
    asked = st(*line, tmp_path / "one", env={**env, "ST_ENDPOINT_NAME": "name"})
    assert asked.status == 5
    [part] = (tmp_path / "one").glob("part-*.jsonl")
    with Server() as server:
        run_batch(str(part), str(replies_to(part)), f"http://127.0.0.1:{server.port}/v1", 0.5)
    files = Offline(Settings(GPT, batch_file=str(tmp_path / "one")), cache_place(place), print)
    files.find_replies()
    files.end()
    env = {**env, "OPENAI_BASE_URL": "http://b.example/v1", "ST_ENDPOINT_NAME": taker}
    done = st(*line, tmp_path / "two", env=env)
    if taker == "other":
        assert done.status == 4 and "the cache has the reply of name" in done.err
        env["ST_ENDPOINT_NAME"] = "name"
        done = st(*line, tmp_path / "two", env=env)
    assert done.status == 0, done.err
    assert {one["endpoints"][0] for record in done.records for one in record["provenance"] if "endpoints" in one} == {
        "name"
    }
    with Cache.open(cache_place(place)) as cache:
        assert {entry.reply.endpoint for entry in cache.entries()} == {"http://a.example/v1"}


def test_a_run_waits_for_what_others_ask_without_going_over_its_input(tmp_path):
    part = ask_in_file(tmp_path)
    for seconds in (0.0, 60.0):
        files = begin(tmp_path, batch=str(tmp_path / "mine"), batch_wait=seconds)
        assert ask(files) is None and files.finish() == []
        if seconds:
            answer(part.path)
            with ThreadPoolExecutor(1) as thread:
                waiting = thread.submit(files.wait)
                begin(tmp_path, batch_file=str(tmp_path / "another")).end()
                assert waiting.result(30) is True
            assert ask(files) == "So."
        else:
            assert files.wait() is False
        files.end()


def test_a_command_that_only_waits_for_another_ends_as_it_is_told(tmp_path):
    """It went over its input without end."""
    (tmp_path / "in.jsonl").write_bytes(papers(4))
    with BatchServer(after=99) as server:
        env = {**server.environment, "ST_CACHE": str(tmp_path / "cache")}
        line = ["st-facets", "--model", GPT, tmp_path / "in.jsonl", "--batch-wait", "0", "--batch"]
        assert st(*line, tmp_path / "one", env=env).status == 5
        other = st(*line, tmp_path / "two", env=env)
        assert other.status == 5 and "3 questions in files of another run" in other.err
        assert len(server.batches) == 1 and server.requests == 1
        server.after = 1
        done = [st(*line, tmp_path / name, env=env) for name in ("two", "one", "two")]
    assert [result.status for result in done] == [5, 0, 0] and done[1].out == done[2].out
    assert max(server.paid.values()) == 1


def test_samples_that_another_run_is_about_to_ask_by_one_line_are_asked_by_none(tmp_path, monkeypatch):
    """Sample by sample they would be other questions."""
    park = Offline._park

    def park_late(files: Offline, keys: list[bytes]) -> dict[bytes, None]:
        time.sleep(0.5)
        return park(files, keys)

    async def both(files: list[Offline]) -> list[object]:
        place = cache_place(str(tmp_path / "cache"))
        engines = [
            Engine(Settings(GPT, batch_file="-"), Cache.open(place), connect=lambda _, one=one: one) for one in files
        ]
        asked = [engine.complete_samples("why", REQUEST["messages"], range(3)) for engine in engines]
        found = await asyncio.gather(*asked, return_exceptions=True)
        for engine in engines:
            await engine.close()
        return found

    monkeypatch.setattr(Offline, "_park", park_late)
    runs = [begin(tmp_path, batch_file=str(tmp_path / name)) for name in ("one", "two")]
    assert [type(one) for one in asyncio.run(both(runs))] == [Parked, Parked]
    assert sorted(sum(part.lines for part in files.finish()) for files in runs) == [0, 1]
    for files in runs:
        files.end()


@pytest.mark.parametrize("counts", [(3, 5), (5, 3), (1, 4), (4, 1)])
def test_runs_that_want_more_samples_of_a_question_or_fewer_ask_for_each_once(counts, tmp_path):
    place = cache_place(str(tmp_path / "cache"))
    n_samples: list[int] = []

    async def ask_samples(name: str, count: int) -> list[str] | None:
        files = begin(tmp_path, batch_file=str(tmp_path / name))
        settings = Settings(GPT, batch_file="-")
        engine = Engine(settings, Cache.open(place), connect=lambda _: files, begun=files.run.started)
        try:
            found = await engine.complete_samples("why", REQUEST["messages"], range(count))
            files.end_run()
            return [call.reply.text for call in found]
        except Parked:
            return None
        finally:
            await engine.close()
            files.finish()
            files.end()

    def answer_all() -> None:
        for part in tmp_path.glob("*/part-????.jsonl"):
            if not replies_to(part).exists():
                [line] = map(json.loads, part.read_text().splitlines())
                n_samples.append(line["body"].get("n", 1))
                choices = [{"message": {"content": "So."}, "finish_reason": "stop"}] * n_samples[-1]
                response = {"status_code": 200, "body": {"choices": choices}}
                replies_to(part).write_text(json.dumps({"custom_id": line["custom_id"], "response": response}))

    for _ in range(2):
        for name, count in zip(("one", "two"), counts):
            assert asyncio.run(ask_samples(name, count)) is None or n_samples
        answer_all()
    found = [asyncio.run(ask_samples(name, count)) for name, count in zip(("one", "two"), counts)]
    assert [len(texts) for texts in found] == list(counts)
    assert sum(n_samples) == max(counts), n_samples
