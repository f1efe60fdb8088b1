"""Who is asked first, from outside: where a budget ends a run, the most records are whole."""

from __future__ import annotations

import hashlib
import json

import pytest
from support.model_runs import MODEL, papers
from support.run import st
from support.server import FACETS, Server, facets


@pytest.fixture
def cache(tmp_path):
    return {"ST_CACHE": str(tmp_path / "cache")}


def run(server: Server, cache: dict, *args: str, count: int):
    return st("st-facets", *MODEL, *args, input=papers(count), env={**cache, **server.environment})


def at_the_second_question(messages: list[dict]) -> str:
    """A reply that cannot be used, until the reason is told."""
    return facets(messages) if "cannot be used" in messages[-1]["content"] else json.dumps(dict.fromkeys(FACETS, 0))


def test_calls_asked_at_once_go_by_record(cache):
    with Server(latency=0.05) as server:
        result = run(server, cache, "--samples", "3", "--max-calls", "100", "--concurrency", "8", count=100)
        assert server.requests == 100
    assert result.status == 4 and len(result.records) >= 30


@pytest.mark.parametrize("latency", [0.0, 0.05])
def test_a_second_question_goes_before_the_first_of_later_records(cache, latency):
    with Server(latency=latency, answer=at_the_second_question) as server:
        result = run(server, cache, "--max-calls", "100", "--concurrency", "8", count=300)
        assert server.requests == 100
    assert result.status == 4 and len(result.records) >= 44, "50, but for those in flight at the end"


def fail_at_first(body: dict, count: int) -> tuple[int, dict, dict] | None:
    """Three prompts of ten fail the first time that they are sent, and never again."""
    drawn = hashlib.sha256(json.dumps(body["messages"]).encode()).digest()[0]
    return (500, {"error": {"message": "broken"}}, {}) if count == 1 and drawn < 0.3 * 256 else None


def test_calls_that_failed_are_sent_again_before_the_budget_is_used_for_others(cache):
    with Server(latency=0.02, respond=fail_at_first) as server:
        result = run(server, cache, "--max-calls", "100", "--concurrency", "8", count=300)
        assert server.requests == 100
        answered = sum(server.good.values())
    assert result.status == 4 and answered > 50
    assert len(result.records) >= answered - 8, "all but those in flight at the end; 2 where nothing is kept for them"
