"""Runs that are killed at each step of a call's money: what the server charged is never more than what is known of it."""

from __future__ import annotations

import contextlib
import json
import sqlite3
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from support.batch_server import BatchServer
from support.model_runs import papers
from support.run import BIN, environment, st
from support.server import Server, completion, facets

from scholartools.llm.usage.budget import price_of
from scholartools.money import usd

MODEL = "openai/gpt-4o-mini"
FULL, IN_BATCH = price_of(MODEL), price_of(MODEL, in_batch=True)
N = 8


class Bill:
    """What a server charges: nearly as much as a request may cost, and at the price of batches for their lines.

    Attributes:
        calls: those that did not come in a batch; with the first of them ``at_first`` is done, before it is answered.
    """

    def __init__(self) -> None:
        self.usd, self.calls = 0.0, 0
        self.at_first: Callable[[], None] = lambda: None
        self.server: Server | None = None

    def respond(self, body, _):
        """The usual reply, with its price noted."""
        sent, replied = len(json.dumps(body)), 90
        made = completion(facets(body["messages"]), "stop")
        made["usage"] = {"prompt_tokens": sent, "completion_tokens": replied, "total_tokens": sent + replied}
        is_alone = self.server is not None and "Authorization" in self.server.headers[-1]
        self.usd = usd(self.usd, (FULL if is_alone else IN_BATCH).of(sent, replied))
        self.calls += is_alone
        if is_alone and self.calls == 1:
            self.at_first()
        return 200, made, {}


class Run:
    """A command that is killed once."""

    def __init__(self, place: str, server: Server, *line: str | Path) -> None:
        """Start it."""
        env = environment(ST_CACHE=place, **server.environment)
        self.process = subprocess.Popen([BIN / line[0], *line[1:]], env=env, stderr=subprocess.DEVNULL)

    def kill(self) -> None:
        """Kill it; the server goes on when it is gone."""
        self.process.kill()
        self.process.wait()


@contextlib.contextmanager
def locked(place: str, file: str, table: str) -> Iterator[None]:
    """Nobody else writes into a file beside the cache, or a table of the database, within the block."""
    if place.startswith("postgresql:"):
        import psycopg

        with psycopg.connect(place) as connection:
            connection.execute(f"LOCK TABLE scholartools.{table} IN EXCLUSIVE MODE")
            yield
            connection.rollback()
        return
    connection = sqlite3.connect(Path(place) / file, isolation_level=None, check_same_thread=False)
    connection.execute("BEGIN IMMEDIATE")
    yield
    connection.rollback()
    connection.close()


# Where a run is killed: as it waits for a reply, as it notes the cost of one, and as it stores one.
STEPS = {
    "reply": None,
    "note of a batch": ("calls-batches.sqlite", "batch_sent"),
    "note of a budget": ("calls-flights.sqlite", "slices"),
    "cache": ("calls.sqlite", "calls"),
}


def killer(step: str, place: str, run: list[Run]) -> Callable[[], None]:
    """What kills a run at a step, once the server has the first call."""
    locks = STEPS[step]
    if locks is None:
        return lambda: run[0].kill()
    began = threading.Event()

    def hold() -> None:
        with locked(place, *locks):
            began.set()
            time.sleep(1.0)  # the reply has come long since, and the run waits for the lock
            run[0].kill()

    def start() -> None:
        threading.Thread(target=hold).start()
        began.wait(10)

    return start


@pytest.mark.slow
@pytest.mark.parametrize("step", ["reply", "note of a batch", "cache"])
def test_the_price_of_the_first_question_counts_after_a_kill(step, place, tmp_path):
    """It is asked at once, at the full price; the limit holds over all starts of the run, and not for all."""
    (tmp_path / "in.jsonl").write_bytes(papers(N))
    line = ["st-facets", "--model", MODEL, "--max-tokens", "100", "--batch", tmp_path / "dir", tmp_path / "in.jsonl"]
    bill, run, most = Bill(), [], 0.0014
    with BatchServer(respond=bill.respond) as server:
        bill.server, bill.at_first = server, killer(step, place, run)
        run.append(Run(place, server, *line, "--max-cost", str(most)))
        assert run[0].process.wait(60) == -9
        paid = bill.usd
        assert 0 < paid < 0.001 and bill.calls == 1
        env = {"ST_CACHE": place, **server.environment}
        done = st(*line, "--max-cost", str(most), env=env)
        assert 0.6 * most < bill.usd <= most
        assert done.status == 4 and "--max-cost" in done.err, done.err
        is_said = "was ended before it had the reply" in done.err  # a database may do what it was told by who is gone
        assert is_said == (step != "cache") or step == "note of a batch", done.err
        done = st(*line, "--max-cost", "0.01", env=env)
        assert (done.status, len(done.records)) == (0, N), done.err


@pytest.mark.slow
@pytest.mark.parametrize(
    "at", ["POST files", "POST batches", "GET batches/ID", "GET files/ID/content", "DELETE files/ID"]
)
def test_the_price_of_a_batch_counts_after_a_kill(at, place, tmp_path):
    (tmp_path / "in.jsonl").write_bytes(papers(N))
    line = ["st-facets", "--model", MODEL, "--max-tokens", "100", "--batch", tmp_path / "dir", tmp_path / "in.jsonl"]
    bill, run, most = Bill(), [], 0.0012

    def trouble(name: str, count: int) -> Callable[[], bool] | None:
        return (lambda: run[0].kill() or True) if (name, count) == (at, 1) else None

    with BatchServer(respond=bill.respond, trouble=trouble) as server:
        bill.server = server
        run.append(Run(place, server, *line, "--max-cost", str(most)))
        assert run[0].process.wait(60) == -9
        done = st(*line, "--max-cost", str(most), env={"ST_CACHE": place, **server.environment})
        assert done.status == 4 and "--max-cost" in done.err, done.err
        assert 0.6 * most < bill.usd <= most and server.again_after_good == 0


@pytest.mark.slow
@pytest.mark.parametrize("step", ["reply", "note of a budget", "cache"])
def test_a_shared_budget_knows_at_least_what_was_charged_after_a_kill(step, place, tmp_path):
    (tmp_path / "in.jsonl").write_bytes(papers(N))
    limits = ["--max-tokens", "100", "--concurrency", "1", "--budget", "b", "--max-cost"]
    line = ["st-facets", "--model", MODEL, tmp_path / "in.jsonl", *limits, "0.003"]
    bill, run = Bill(), []
    with Server(respond=bill.respond) as server:
        bill.server, bill.at_first = server, killer(step, place, run)
        run.append(Run(place, server, *line))
        assert run[0].process.wait(60) == -9
        env = {"ST_CACHE": place, **server.environment}
        [known] = st("st-cache", "budget", "b", env=env).records
        lost = known["lost"] if known["lost"]["runs"] else known["held"]  # it counts as gone after a while
        assert usd(known["spent"], lost["usd"]) >= bill.usd > 0
        done = st(*line, env=env)
        assert done.status == 4 and bill.usd <= 0.003, done.err
        time.sleep(5)
        settled = st("st-cache", "budget", "b", "--settle", env=env)
        [after] = settled.records
        assert after["spent"] <= bill.usd <= usd(after["spent"], lost["usd"]), settled.err
