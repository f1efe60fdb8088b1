"""A budget that several processes share: together they spend no more, also where one is killed."""

from __future__ import annotations

import itertools
import os
import random
import signal
import subprocess
import sys
import time

import pytest
from support.model_runs import papers
from support.run import BIN, environment, st
from support.server import Server, completion, facets

from scholartools.cache import cache_place
from scholartools.cache.budgets import Amount, Books, SharedBudget, describe, settle
from scholartools.cache.flights import Flights, flights_file
from scholartools.errors import ModelFault, UsageFault
from scholartools.llm.usage.budget import Budget, price_of
from scholartools.money import usd

MODEL = "openai/gpt-4o-mini"
PRICE = price_of(MODEL)


class Bill:
    """What the replies of a server have cost, by the price of the model: a few tokens or almost as many as may be."""

    def __init__(self) -> None:
        self.usd, self.calls, self._draw = 0.0, 0, random.Random(3)

    def respond(self, body, _):
        sent, replied = self._draw.choice([(100, 5), (700, 50)])
        made = completion(facets(body["messages"]), "stop")
        made["usage"] = {"prompt_tokens": sent, "completion_tokens": replied, "total_tokens": sent + replied}
        self.usd = usd(self.usd, PRICE.of(sent, replied))
        self.calls += 1
        return 200, made, {}


def start(place: str, server: Server, folder, number: int, *limits: str) -> subprocess.Popen:
    line = [
        BIN / "st-facets", "--model", MODEL, "--max-tokens", "50", "--concurrency", "4", "--budget", "b", *limits,
        "--output", folder / f"{number}.jsonl", folder / f"in{number}.jsonl",
    ]  # fmt: skip
    env = environment(ST_CACHE=place, **server.environment)
    return subprocess.Popen(line, env=env, stderr=subprocess.PIPE)


def inputs(folder, count: int) -> None:
    """Four inputs that have no paper in common."""
    lines = papers(4 * count).splitlines(keepends=True)
    for number in range(4):
        (folder / f"in{number}.jsonl").write_bytes(b"".join(lines[number::4]))


def the_budget(place: str) -> dict:
    [found] = st("st-cache", "budget", "b", env={"ST_CACHE": place}).records
    return found


@pytest.mark.slow
@pytest.mark.parametrize("limits", [("--max-cost", "0.02"), ("--max-calls", "77")])
def test_four_processes_spend_no_more_than_one_may(place, tmp_path, limits):
    inputs(tmp_path, 150)
    bill = Bill()
    most = float(limits[1])

    def used() -> float:
        return bill.usd if limits[0] == "--max-cost" else bill.calls

    with Server(latency=0.05, respond=bill.respond) as server:
        runs = [start(place, server, tmp_path, number, *limits) for number in range(4)]
        while used() < 0.4 * most:
            time.sleep(0.02)
        runs[0].send_signal(signal.SIGKILL)
        told = [run.communicate(timeout=100)[1].decode() for run in runs]
        assert [run.returncode for run in runs] == [-9, 4, 4, 4], told
        assert 0.8 * most <= used() <= most
        found = the_budget(place)
        lost = found["lost"]["usd" if limits[0] == "--max-cost" else "calls"]
        assert found["held"]["runs"] == 0 and found["lost"]["runs"] == 1
        assert any("`st-cache budget b --settle` frees them" in text for text in told) == (lost > 0)
        assert lost > 0 or limits[0] == "--max-calls", "a slice of so few calls is one"
        before = used()
        settled = st("st-cache", "budget", "b", "--settle", env={"ST_CACHE": place})
        assert "1 run that ended without settling" in settled.err and settled.records[0]["lost"]["runs"] == 0
        kept = st("st-cache", "stats", env={"ST_CACHE": place}).records[0]
        # a reply that came as its process was killed was paid, and is not kept
        spent = settled.records[0]["spent"]
        assert usd(kept["cost"]) <= spent <= bill.usd or limits[0] == "--max-calls"
        again = start(place, server, tmp_path, 0, *limits)
        assert again.communicate(timeout=100) and again.returncode == 4
        assert used() > before or not lost
        at_most = 4 * PRICE.of(700, 50) if limits[0] == "--max-cost" else 4
        assert used() <= usd(most, at_most), "only what was on its way when it was killed is in no book"
    assert abs(usd(the_budget(place)["spent"], -bill.usd)) <= usd(4 * PRICE.of(700, 50))


def test_money_is_summed_without_dust():
    """Calls are sent as long as a limit in decimal fractions allows them, and none more; the sums are those of fractions."""
    own = Budget(0.3, None)
    for _ in range(3):
        own.settle(own.reserve(0.1), 0.1)
    assert own.spent == 0.3 and not own.fits(1e-12)
    rng = random.Random(5)
    for _ in range(200):
        costs = [rng.randrange(1, 10**7) for _ in range(rng.randint(1, 40))]  # hundred-millionths
        own = Budget(sum(costs) / 10**8, None)
        for cost in costs:
            own.settle(own.reserve(cost / 10**8), cost / 10**8)
        assert own.spent == sum(costs) / 10**8 and own.reserved == 0.0 and not own.fits(1e-8)


def test_what_a_budget_says(place, tmp_path):
    inputs(tmp_path, 3)
    with Server() as server:
        assert start(place, server, tmp_path, 0, "--max-calls", "5").wait() == 0
        other = start(place, server, tmp_path, 1, "--max-calls", "6")
        _, told = other.communicate()
        assert other.returncode == 2 and b"begun with --max-calls 5, not --max-calls 6" in told
        last = start(place, server, tmp_path, 1, "--max-calls", "5")
        assert b"no call is left" in last.communicate()[1] and last.returncode == 4
        assert server.requests == 5
    found = the_budget(place)
    assert found["calls"] == 5 and found["spent"] == pytest.approx(5 * PRICE.of(100, 50))
    nothing = {"runs": 0, "usd": 0, "calls": 0}
    assert found["held"] == found["lost"] == nothing and found["left"] == {"usd": None, "calls": 0}
    assert (found["max_cost"], found["max_calls"]) == (None, 5)


def test_wrong_uses_of_a_budget(tmp_path):
    env = {"ST_CACHE": str(tmp_path / "cache")}

    def refused(*args: str, command: str = "st-facets") -> str:
        result = st(command, *args, input=papers(1), env=env)
        assert result.status == 2
        return result.err

    assert "--budget needs --model" in refused("--budget", "b")
    assert "needs --max-cost or --max-calls" in refused("--model", MODEL, "--budget", "b")
    assert "--no-cache" in refused("--model", MODEL, "--budget", "b", "--max-calls", "1", "--no-cache")
    assert "the name is empty" in refused("--model", MODEL, "--budget", " ", "--max-calls", "1")
    assert "--settle needs NAME" in refused("budget", "--settle", command="st-cache")
    assert st("st-cache", "budget", env=env).out == b"" and not (tmp_path / "cache").exists()
    made = {**env, "OPENAI_API_KEY": "sk-canary"}
    dry = st("st-facets", "--model", MODEL, "--budget", "b", "--max-calls", "1", "--dry-run", input=papers(1), env=made)
    assert dry.status == 0 and not flights_file(tmp_path / "cache" / "calls.sqlite").exists()
    (tmp_path / "cache").mkdir(exist_ok=True)
    unknown = st("st-cache", "budget", "b", env=env)
    assert unknown.status == 4 and 'no budget "b"' in unknown.err


class Spender:
    """One process's use of a budget, as a run has it."""

    def __init__(self, place: str, max_cost: float | None, max_calls: int | None) -> None:
        self.flights = Flights(cache_place(place))
        self.budget = SharedBudget(self.flights, "b", max_cost, max_calls)
        self.limit, self.spent, self.calls = Amount(0.0, 0), 0.0, 0
        self.on_way: list[float] = []

    def books(self) -> Books:
        return Books(self.spent, sum(self.on_way), self.calls, len(self.on_way))

    def begin(self, most: float) -> bool:
        """Send a call, if there is money for it."""
        if self.spent + sum(self.on_way) + most > self.limit.usd or self.calls >= self.limit.calls:
            self.limit = self.budget.take(self.books(), Amount(most, 1)).limit
        if self.spent + sum(self.on_way) + most > self.limit.usd or self.calls >= self.limit.calls:
            return False
        self.on_way.append(most)
        self.calls += 1
        return True

    def end(self, share: float) -> None:
        self.spent += share * self.on_way.pop(0)


@pytest.mark.parametrize("seed", range(3))
def test_no_order_of_steps_spends_more(place, seed):
    """Random steps of several processes, some of which are gone or settled in the middle; the truth is added up here."""
    draw = random.Random(seed)
    most_usd, most_calls = draw.choice([(1.0, 60), (0.3, 1000), (5.0, 40)])
    spenders = [Spender(place, most_usd, most_calls) for _ in range(3)]
    everyone, lost_calls, lost_usd = list(spenders), 0, 0.0
    for _ in range(170):
        one = draw.choice(spenders)
        step = draw.choices(["begin", "end", "book", "close", "die", "settle"], [50, 40, 10, 2, 1, 2])[0]
        if step == "begin":
            one.begin(draw.uniform(0.001, 0.05))
        elif step == "end" and one.on_way:
            one.end(draw.random())
        elif step == "book":
            one.budget.book(one.books())
        elif step in ("close", "die"):
            if step == "close":
                while one.on_way:
                    one.end(draw.random())
                one.budget.close(one.books())
            else:
                one.budget.book(one.books())
                lost_calls, lost_usd = lost_calls + len(one.on_way), lost_usd + sum(one.on_way)
            one.flights.close()
            spenders.remove(one)
            spenders.append(Spender(place, most_usd, most_calls))
            everyone.append(spenders[-1])
        elif step == "settle":
            settle(one.flights, "b")
        assert sum(each.spent + sum(each.on_way) for each in everyone) <= most_usd + lost_usd + 1e-9
        assert sum(each.calls for each in everyone) <= most_calls
    for one in spenders:
        while one.on_way:
            one.end(1.0)
        one.budget.close(one.books())
    settle(spenders[0].flights, "b")
    [found] = describe(spenders[0].flights, "b")
    assert found["calls"] == sum(each.calls for each in everyone)
    gone = [each for each in everyone if each not in spenders]
    assert found["spent"] == pytest.approx(sum(each.spent for each in everyone))
    assert not gone or found["lost"]["runs"] == 0
    for one in spenders:
        one.flights.close()


def test_a_run_whose_slice_was_settled_spends_no_more_of_it(place):
    silent, other = (Spender(place, 1.0, 10) for _ in range(2))
    assert silent.begin(0.5)
    silent.end(1.0)
    silent.budget.book(silent.books())
    silent.flights.db.rows(f"UPDATE {silent.flights._owners} SET seen = seen - 31 WHERE id = ?", silent.flights.owner)
    assert [row[:2] for row in settle(other.flights, "b")] == [(pytest.approx(0.0), 0)]
    with pytest.raises(ModelFault, match="released its reservations"):
        silent.begin(0.5)
    assert other.begin(0.5) and not other.begin(0.01)
    with pytest.raises(UsageFault, match="another name"):
        Spender(place, 2.0, 10)
    for one in (silent, other):
        one.flights.close()


@pytest.mark.parametrize("seed", range(6))
def test_no_part_of_a_budget_is_ever_negative(place, seed):
    """Limits of one kind alone, and replies that cost more than was set aside: what is held and released is 0 or more."""
    draw = random.Random(seed)
    limits = [(1.0, None), (None, 60), (0.5, 200)][seed % 3]
    spenders = [Spender(place, *limits) for _ in range(3)]
    truth_usd, truth_calls = 0.0, 0

    def check(other: Spender) -> None:
        [found] = describe(other.flights, "b")
        for part in ("held", "lost"):
            assert min(found[part].values()) >= 0, found
        grant = other.budget.take(other.books(), Amount(0.0, 0))
        assert grant.lost.usd >= 0 and grant.lost.calls >= 0

    for _ in range(60):
        one = draw.choice(spenders)
        step = draw.choices(["begin", "end", "book", "leave", "settle"], [50, 40, 20, 6, 3])[0]
        if step == "begin":
            one.begin(draw.uniform(0.001, 0.05))
        elif step == "end" and one.on_way:
            one.end(draw.choice([0.5, 1.0, 3.0]))
        elif step == "book":
            one.budget.book(one.books())
        elif step == "leave" and one.calls:
            one.budget.book(one.books())
            truth_usd, truth_calls = truth_usd + one.spent, truth_calls + one.calls
            one.flights.close()
            spenders.remove(one)
            spenders.append(Spender(place, *limits))
        elif step == "settle":
            for row in [*settle(one.flights, "b"), *settle(one.flights, "b")]:
                assert min(row) >= 0, row
        check(draw.choice(spenders))
    for one in spenders:
        one.budget.book(one.books())
        truth_usd, truth_calls = truth_usd + one.spent, truth_calls + one.calls
        one.flights.close()
    last = Spender(place, *limits)
    assert all(min(row) >= 0 for row in settle(last.flights, "b")) and not settle(last.flights, "b")
    [found] = describe(last.flights, "b")
    assert (found["spent"], found["calls"]) == (pytest.approx(truth_usd), truth_calls)
    last.flights.close()


def test_what_was_spent_beyond_a_slice_is_nobody_elses(place):
    one, other = (Spender(place, 1.0, None) for _ in range(2))
    assert one.begin(0.5)
    one.end(1.5)  # 0.75 USD
    one.budget.book(one.books())
    assert other.begin(0.25)
    assert other.limit.calls == float("inf"), "no limit of calls: none has to be taken again and again"
    assert not other.begin(0.125)
    for each in (one, other):
        each.flights.close()


HAMMER = """
import random, sys
sys.path.insert(0, sys.argv[1])
from cache.test_budgets import Spender
one, draw = Spender(sys.argv[2], 1.0, 500), random.Random(int(sys.argv[3]))
for _ in range(300):
    if one.begin(draw.uniform(0.001, 0.02)) is False and not one.on_way:
        break
    if len(one.on_way) > 3 or draw.random() < 0.5:
        one.on_way and one.end(draw.random())
while one.on_way:
    one.end(1.0)
one.budget.close(one.books())
one.flights.close()
print(one.spent, one.calls)
"""


@pytest.mark.slow
def test_processes_at_once_never_take_the_same_money(place):
    here = os.path.dirname(os.path.dirname(__file__))
    runs = [
        subprocess.Popen([sys.executable, "-c", HAMMER, here, place, str(seed)], stdout=subprocess.PIPE, text=True)
        for seed in range(3)
    ]
    outs = [run.communicate(timeout=100)[0].split() for run in runs]
    assert {run.returncode for run in runs} == {0}
    usd, calls = (sum(map(float, column)) for column in itertools.zip_longest(*outs))
    assert 0.3 < usd <= 1.0 + 1e-9 and calls <= 500
    flights = Flights(cache_place(place))
    [found] = describe(flights, "b")
    flights.close()
    assert found["spent"] == pytest.approx(usd) and found["calls"] == calls
