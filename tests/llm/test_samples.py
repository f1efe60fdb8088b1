"""Several samples of a question: one call where the provider can, each kept as if it had been asked for alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.run import ABSTRACT, jsonl, st
from support.server import Server

from scholartools.cache import Cache, default_place
from scholartools.errors import ModelFault, ScholartoolsError, UsageFault
from scholartools.llm.reading import read_logprobs
from scholartools.llm.sampling import Sampling
from scholartools.llm.settings import Settings
from scholartools.pipeline import ask, estimate

EARLIER = Path(__file__).parent / "earlier"


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("ST_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def server(monkeypatch):
    with Server(sample=lambda _, number: f"reply {number}") as server:
        for name, value in server.environment.items():
            monkeypatch.setenv(name, value)
        yield server


def sampled(count: int = 20, sampling: Sampling | None = None):
    """A task that asks for samples of the record's text, and keeps what each is."""

    async def task(engine, record):
        messages = [{"role": "user", "content": record["id"]}]
        more = {"sampling": sampling} if sampling else {}
        found = await engine.complete_samples("count", messages, range(count), **more)
        kinds = [one.kind if isinstance(one, ScholartoolsError) else one.reply.text for one in found]
        if "dry-run" in kinds:
            raise next(one for one in found if isinstance(one, ScholartoolsError))
        return {**record, "found": kinds}

    return task


def run(task, *ids: str, **settings):
    answers = ask([{"id": name} for name in ids or ("a",)], task, Settings("openai/mock", **settings))
    return [record.get("found", record.get("errors")) for record in answers], answers.counts


def kept() -> list:
    with Cache.open(default_place(), readonly=True) as cache:
        return list(cache.entries())


def test_twenty_samples_are_one_call_whose_prompt_is_booked_once(server):
    [found], counts = run(sampled())
    assert found == [f"reply {n}" for n in range(20)]
    assert server.requests == 1 and server.bodies[0]["n"] == 20
    assert (counts.sent, counts.prompt_tokens, counts.completion_tokens) == (1, 100, 1000)
    entries = kept()
    assert len(entries) == 20 and {entry.request["sample"] for entry in entries} == set(range(20))
    assert all("n" not in entry.request["parameters"] for entry in entries)
    assert sum(entry.reply.prompt_tokens for entry in entries) == 100
    assert sum(entry.reply.completion_tokens for entry in entries) == 1000
    assert all(len(json.loads(entry.reply.body)["choices"]) == 1 for entry in entries)


def test_samples_asked_for_alone_have_the_same_keys(server):
    together, _ = run(sampled(3))
    keys = {entry.key for entry in kept()}
    alone, counts = run(sampled(3), several_per_call=False)
    assert alone == together and counts.sent == 0
    assert {entry.key for entry in kept()} == keys
    run(sampled(5), several_per_call=False)
    assert server.requests == 3 and "n" not in server.bodies[-1], "two more, one by one"


def test_only_what_is_missing_is_asked_for(server):
    run(sampled(5))
    run(sampled(20), "a", "a", "a")
    assert [body.get("n") for body in server.bodies] == [5, 15]


def test_the_same_question_of_many_records_is_in_flight_once(server):
    found, _ = run(sampled(4), *["a"] * 30, concurrency=16)
    assert server.requests == 1 and found == [[f"reply {n}" for n in range(4)]] * 30


def test_with_a_seed_each_sample_has_its_own_call(server):
    run(sampled(3), seed=7)
    assert sorted(body["seed"] for body in server.bodies) == [7, 8, 9]
    assert not any("n" in body for body in server.bodies)


def test_a_provider_that_ignores_n_is_asked_one_by_one(server):
    server.takes_n = False
    found, counts = run(sampled(3), "a", "b", concurrency=1)
    assert [sorted(samples) for samples in found] == [["reply 0", "reply 1", "reply 2"]] * 2
    assert counts.sent == 6 and len(kept()) == 6


@pytest.mark.parametrize("said", ["n: extra fields not permitted", "multiple completions are not supported", "bad"])
def test_a_provider_that_refuses_n_is_asked_one_by_one(server, said):
    server.respond = lambda body, _: (400, {"error": {"message": said}}, {}) if "n" in body else None
    warned: list[str] = []
    answers = ask([{"id": "a"}, {"id": "b"}], sampled(3), Settings("openai/mock", concurrency=1), warn=warned.append)
    assert [len(record["found"]) for record in answers] == [3, 3]
    assert [body.get("n") for body in server.bodies] == [3, *[None] * 6], "refused once, then one by one"
    assert len(warned) == 1 and "several samples" in warned[0]


def test_a_question_that_is_refused_does_not_end_asking_for_several(server):
    """A filter that refuses one text says nothing about n: the run goes on with one call for all samples."""
    server.respond = lambda body, _: (
        (400, {"error": {"message": "flagged"}}, {}) if body["messages"][0]["content"] == "bad" else None
    )
    found, _ = run(sampled(3), "bad", "a", "b", concurrency=1)
    assert found[0] == ["refused"] * 3 and found[1] == found[2] == ["reply 0", "reply 1", "reply 2"]
    assert [body.get("n") for body in server.bodies] == [3, None, 3, 3]
    again, counts = run(sampled(3), "bad", "a", replay=True)
    assert again == found[:2] and counts.sent == 0


def test_a_sample_that_cannot_be_used_is_asked_for_alone(server):
    server.sample = lambda messages, number: "" if number == 1 and len(server.bodies) == 1 else f"reply {number}"
    [found], counts = run(sampled(3))
    assert found[0] == "reply 0" and found[2] == "reply 2" and found[1] == "reply 1"
    assert counts.sent == 2 and "n" not in server.bodies[1]


def test_the_fault_of_a_call_is_that_of_all_its_samples_and_replays(server):
    server.respond = lambda *_: (500, {"error": {"message": "broken"}}, {})
    [found], _ = run(sampled(3), retries=0)
    assert found == ["provider"] * 3 and server.requests == 1
    [again], counts = run(sampled(3), retries=0, replay=True)
    assert again == found and counts.sent == 0


def test_a_replay_needs_every_sample(server):
    run(sampled(3))
    assert run(sampled(3), replay=True)[0] == [["reply 0", "reply 1", "reply 2"]]
    with pytest.raises(ModelFault, match="no reply in the cache"):
        run(sampled(4), replay=True)
    assert server.requests == 1


def test_max_calls_counts_calls_and_no_samples(server):
    assert run(sampled(20), max_calls=1)[0] == [[f"reply {n}" for n in range(20)]]
    with pytest.raises(ModelFault, match="max_calls"):
        run(sampled(20), "b", max_calls=0)


@pytest.mark.parametrize(("together", "calls"), [(True, 2), (False, 40)])
def test_an_estimate_tells_the_calls_that_are_sent(server, together, calls):
    settings = Settings("openai/mock", several_per_call=together, max_tokens=10)
    told = estimate([{"id": "a"}, {"id": "b"}, {"id": "a"}], sampled(20), settings)
    assert told["to_send"] == calls and told["bound"]["reply_tokens"] == 400
    _, counts = run(sampled(20), "a", "b", "a", several_per_call=together, max_tokens=10)
    assert counts.sent == server.requests == calls


def test_parameters_of_a_prompt_are_sent_and_keyed_and_those_of_the_run_win(server):
    run(sampled(1))
    run(sampled(1, Sampling(temperature=1.0, top_p=0.9)))
    run(sampled(1, Sampling(temperature=1.0, top_p=0.9)), temperature=0.2)
    sent = [{name: body[name] for name in ("temperature", "top_p") if name in body} for body in server.bodies]
    assert sent == [{}, {"temperature": 1, "top_p": 0.9}, {"temperature": 0.2, "top_p": 0.9}]
    assert len(kept()) == 3


def test_log_probabilities_are_kept_as_they_came(server):
    told = [{"token": "4", "logprob": -0.1, "top_logprobs": [{"token": "3", "logprob": -2.5}]}]
    server.logprobs = lambda _: told
    run(sampled(2, Sampling(logprobs=True, top_logprobs=5)))
    assert server.bodies[0]["logprobs"] is True and server.bodies[0]["top_logprobs"] == 5
    assert [read_logprobs(entry.reply) for entry in kept()] == [told, told]
    run(sampled(1))
    assert [read_logprobs(entry.reply) for entry in kept()].count(None) == 1


def test_several_samples_at_temperature_0_are_refused():
    with pytest.raises(UsageFault, match="all samples would be the same"):
        Settings("openai/mock", temperature=0, samples=2)
    result = st("st-facets", "--model", "openai/mock", "--temperature", "0", "--samples", "2", input=jsonl({"id": "a"}))
    assert result.status == 2 and "--samples 2 and --temperature 0 cannot be used together" in result.err


def test_a_bundle_of_before_replays_to_the_same_bytes(tmp_path):
    """The keys of calls, and the shape of replies, of the version before there were samples by one call."""
    env = {"ST_CACHE": str(tmp_path / "other")}
    assert st("st-cache", "import", EARLIER / "bundle.jsonl", env=env, is_described=False).status == 0
    args = ("--model", "openai/mock", "--samples", "1", "--temperature", "0.5", "--replay")
    result = st("st-facets", *args, input=jsonl({"id": "a", "abstract": ABSTRACT}), env=env)
    assert result.status == 0, result.err
    [made], [before] = ([json.loads(text)] for text in (result.out, (EARLIER / "facets.jsonl").read_bytes()))
    [entry], [earlier] = made.pop("provenance"), before.pop("provenance")
    assert all(one.pop("texts") for one in made["facets"])  # a hash that earlier versions did not store
    assert json.dumps(made) == json.dumps(before)  # the shape of provenance has changed since
    assert {key: entry[key] for key in earlier if key not in ("version", "signature")} == {
        key: value for key, value in earlier.items() if key not in ("version", "signature")
    }
