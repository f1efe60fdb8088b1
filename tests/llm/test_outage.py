"""A provider that goes away in the middle of a run, from outside."""

from __future__ import annotations

import json

import pytest
from support.model_runs import MODEL, papers
from support.model_tasks import CRITERIA, paper
from support.run import st
from support.server import Server


def facets(folder, server: Server, *args: str, count: int):
    env = {"ST_CACHE": str(folder / "cache"), **server.environment}
    return st("st-facets", *MODEL, *args, input=papers(count), env=env)


@pytest.mark.slow
@pytest.mark.parametrize("end", ["dies_after", "breaks_after"])
@pytest.mark.parametrize("retries", ["0", "2"])
def test_a_server_that_is_gone_ends_the_run_and_the_next_one_goes_on(tmp_path, end, retries):
    with Server(**{end: 30}, latency=0.02) as server:
        result = facets(tmp_path, server, "--retries", retries, count=200)
        answered = sum(server.good.values())
        assert server.requests < 100, "later records are not asked about"
    assert result.status == 4 and "no reply to the last" in result.err and "run again to go on" in result.err
    done = [record for record in result.records if "facets" in record]
    assert len(done) >= 30 - 8 and len(result.records) - len(done) <= 16
    with Server() as server:
        again = facets(tmp_path, server, count=200)
        assert server.requests == 200 - answered, "none is asked twice"
    with Server() as server:
        undisturbed = facets(tmp_path / "other", server, count=200)
    assert again.status == 0 and again.out == undisturbed.out


def test_texts_that_a_server_cannot_take_cost_their_records_alone(tmp_path):
    """Three of them, the last of the input, so that nothing comes back after them."""
    with Server(breaks_on=["Paper 17 ", "Paper 18 ", "Paper 19 "]) as server:
        result = facets(tmp_path, server, "--retries", "1", count=20)
    assert result.status == 1 and len(result.records) == 20
    assert [record["id"] for record in result.records if "errors" in record] == ["p17", "p18", "p19"]


def test_texts_that_a_server_cannot_take_end_no_run_twice_at_one_place(tmp_path):
    """Twelve together look like an outage; the next run knows them, and goes on."""
    with Server(breaks_on=[f"Paper {number} " for number in range(10, 22)]) as server:
        first = facets(tmp_path, server, "--retries", "0", "--concurrency", "2", count=30)
        runs = [facets(tmp_path, server, "--retries", "0", "--concurrency", "2", count=30) for _ in range(2)]
    assert first.status == 4 and "run again to go on" in first.err
    assert runs[-1].status == 1 and len(runs[-1].records) == 30
    failed = [record["id"] for record in runs[-1].records if "errors" in record]
    assert failed == [f"p{number}" for number in range(10, 22)]


def broken(_body, _time):
    return 500, {"error": {"message": "broken"}}, {}


def test_a_limit_that_ends_a_run_is_no_failure_of_the_questions_under_way(tmp_path):
    """A replay once failed their records with "--max-calls 2 reached", as if the provider had refused them."""
    with Server(respond=broken) as server:
        first = facets(tmp_path, server, "--max-calls", "2", "--retries", "9", count=3)
        replay = facets(tmp_path, server, "--replay", count=3)
    assert (first.status, first.out) == (4, b"") and "--max-calls 2 reached" in first.err
    assert (replay.status, replay.out) == (4, b"") and "no reply in the cache" in replay.err


def test_a_limit_that_ends_a_call_for_several_samples_ends_the_run(tmp_path):
    """The fault was once stored under the key of one sample with the request for all: an internal error."""
    criteria = tmp_path / "criteria.json"
    criteria.write_text(json.dumps(CRITERIA))
    geval = ("--candidate", "summaries", "--aspects", str(criteria), "--method", "geval", "--samples", "4")
    with Server(respond=broken) as server:
        env = {"ST_CACHE": str(tmp_path / "cache"), **server.environment}
        limits = ("--max-calls", "2", "--retries", "9")
        texts = [[{"system": "a", "text": f"Hedges bring {n} bees back."}] for n in range(3)]
        data = b"".join(paper(id=f"p{n}", summaries=text) for n, text in enumerate(texts))
        result = st("st-judge", "rate", *MODEL, *geval, *limits, input=data, env=env)
    assert server.bodies[0]["n"] == 4
    assert (result.status, result.out) == (4, b"") and "--max-calls 2 reached" in result.err
