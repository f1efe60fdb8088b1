"""st-judge entail: both ways against the whole other list, by id, whatever the order; and its scores."""

from __future__ import annotations

import json

import pytest
from support.run import jsonl, st
from support.server import Server, fenced

MODEL = ("--model", "openai/mock")


def items(*texts: str, prefix: str) -> list[dict]:
    return [{"id": f"{prefix}{number}", "text": text} for number, text in enumerate(texts, 1)]


def record(truths: list[dict], **systems: list[dict]) -> dict:
    given = [{"system": system, "items": made} for system, made in systems.items()]
    return {"id": "p", "experiments": truths, "generated": {"experiments": given}}


TRUTHS = items("size: vary the size", "speed: time it", prefix="e")
PLANS = items("size: grow it", "colour: paint it", "size: shrink it", prefix="g")
PLAIN = record(TRUTHS, zanzibar=PLANS, silent=[])


def answer(messages: list[dict]) -> str:
    """Covered is an item whose first word begins an item of the list; "garbled" ones get no usable answer."""
    prompt = next(message["content"] for message in messages if message["role"] == "user")
    fence = prompt.split("read ")[1].split(":")[0]
    listed, item = (part.strip() for part in (prompt.split(f"\n{fence}\n")[1], prompt.split(f"\n{fence}\n")[3]))
    words = [json.loads(line)["text"].split(":")[0] for line in listed.splitlines()]
    text = json.loads(item)["text"]
    return "I cannot say." if "garbled" in text else json.dumps({"entailed": text.split(":")[0] in words})


def judge(data: dict, env: dict, *args: str):
    return st("st-judge", "entail", *MODEL, *args, input=jsonl(data), env=env)


@pytest.fixture
def cache(tmp_path):
    return {"ST_CACHE": str(tmp_path / "cache.sqlite")}


def entries(made: dict) -> dict[str, dict]:
    return {entry["system"]: entry for entry in made["judgements"]["entail"]}


def scores(made: dict) -> dict[str, dict]:
    done = st("st-score", "entail", input=jsonl(made))
    assert done.status == 0, done.err
    return {entry["system"]: entry["values"] for entry in done.records[0]["scores"]}


def test_each_item_is_asked_about_against_the_whole_other_list(cache):
    with Server(answer=answer) as server:
        done = judge(PLAIN, {**cache, **server.environment})
    assert done.status == 0, done.err
    assert len(server.bodies) == 3 + 2 and "zanzibar" not in json.dumps([body["messages"] for body in server.bodies])
    made = entries(done.records[0])
    told = {
        side: {one["id"]: one["entailed"] for one in made["zanzibar"][side]} for side in ("candidates", "references")
    }
    assert told == {"candidates": {"g1": True, "g2": False, "g3": True}, "references": {"e1": True, "e2": False}}
    assert made["silent"]["candidates"] == [] and made["silent"]["references"] == [
        {"id": name, "entailed": False, "reason": "the system has no item: false without a model call"}
        for name in ("e1", "e2")
    ]
    values = scores(done.records[0])
    assert values["zanzibar"] == pytest.approx({"precision": 2 / 3, "recall": 1 / 2, "f1": 4 / 7})
    assert values["silent"] == {"precision": 0, "recall": 0, "f1": 0}
    again = st("st-judge", "entail", *MODEL, "--replay", input=jsonl(PLAIN), env=cache)
    assert (again.status, again.out) == (0, done.out)


def test_other_ids_and_another_order_send_nothing_new_and_score_the_same(cache):
    with Server(answer=answer) as server:
        first = judge(PLAIN, {**cache, **server.environment}).records[0]
        asked = len(server.bodies)
        swapped = [{**one, "id": name} for one, name in zip(PLANS, ("g3", "g1", "g2"))][::-1]
        other = record(TRUTHS[::-1], zanzibar=swapped, silent=[])
        second = judge(other, {**cache, **server.environment}).records[0]
    assert len(server.bodies) == asked and scores(first) == scores(second)
    assert {one["id"]: one["entailed"] for one in entries(second)["zanzibar"]["candidates"]} == {
        "g3": True, "g1": False, "g2": True}  # fmt: skip
    reordered = {**first, "experiments": TRUTHS[::-1]}
    assert scores(reordered) == scores(first)


def test_judgements_of_other_texts_are_refused(cache):
    with Server(answer=answer) as server:
        made = judge(PLAIN, {**cache, **server.environment}).records[0]
    made["experiments"][0]["text"] = "speed: something else"
    done = st("st-score", "entail", input=jsonl(made))
    assert done.status == 3 and "is about other texts than the record: run st-judge entail again" in done.err


def test_an_item_without_a_usable_reply_is_null_and_alone(cache):
    data = record(TRUTHS, main=items("size: it", "garbled: it", prefix="g"))
    with Server(answer=answer) as server:
        done = judge(data, {**cache, **server.environment})
    assert done.status == 1
    made = entries(done.records[0])["main"]
    assert [one["entailed"] for one in (*made["candidates"], *made["references"])] == [True, None, True, False]
    assert "no JSON" in made["candidates"][1]["reason"]
    [fault] = done.records[0]["errors"]
    assert (fault["task"], fault["missing"], fault["of"], fault["parts"]) == ("entail", 1, 4, ["main"])
    values = st("st-score", "entail", input=jsonl(done.records[0])).records[0]["scores"][0]
    assert values["values"]["precision"] is None and "1 of 2 judgements" in values["reasons"]["precision"]
    assert values["values"]["recall"] == 0.5 and "1 of 4 judgements" in values["reasons"]["f1"]


def test_several_samples_are_votes(cache):
    seen: dict[str, int] = {}

    def wavering(messages):
        key = fenced(messages) + messages[-1]["content"]
        seen[key] = seen.get(key, 0) + 1
        return json.dumps({"entailed": seen[key] != 1})

    with Server(answer=wavering) as server:
        env = {**cache, **server.environment}
        [made] = judge(record(TRUTHS[:1], main=PLANS[:1]), env, "--samples", "3", "--concurrency", "1").records
    [one] = entries(made)["main"]["candidates"]
    assert sorted(one["votes"]) == [False, True, True] and one["entailed"] is True


def test_a_dry_run_tells_the_calls(cache):
    env = {**cache, "OPENAI_API_KEY": "none"}
    told = st("st-judge", "entail", "--model", "openai/gpt-4o-mini", "--dry-run", input=jsonl(PLAIN), env=env)
    assert told.records[0]["dry_run"]["to_send"] == 5


def test_without_a_model_the_nearest_item_decides_and_the_threshold_is_told():
    data = record(TRUTHS, same=items("size: vary the size", prefix="g"))
    done = st("st-judge", "entail", input=jsonl(data))
    assert done.status == 0 and "weak" in done.err
    made = entries(done.records[0])["same"]
    assert made["by"] == "builtin" and made["candidates"][0]["entailed"] and not made["references"][1]["entailed"]
    assert (
        made["candidates"][0]["similarity"] == pytest.approx(1)
        and done.records[0]["provenance"][-1]["options"]["threshold"] == 0.69
    )


@pytest.mark.parametrize(("data", "words"), [
    ({"id": "p"}, 'no "experiments"'),
    ({"id": "p", "experiments": TRUTHS}, "run st-generate experiments first"),
    (record([{"text": "no id"}], main=[]), "has no id"),
])  # fmt: skip
def test_bad_input_is_named(data, words):
    done = st("st-judge", "entail", input=jsonl(data), is_described=False)
    assert done.status == 3 and words in done.err


def test_a_system_without_items_takes_no_number_from_another():
    plans = [
        {"system": "a", "items": None, "reason": "no usable reply"},
        {"system": "b", "items": [{"id": "g1", "text": "Vary the depth of the network."}]},
    ]
    paper = {
        "id": "p",
        "experiments": [{"id": "x1", "text": "Vary the depth of the network."}],
        "generated": {"experiments": plans},
    }
    judged = st("st-judge", "entail", input=jsonl(paper))
    assert judged.status == 1 and '"a" are missing' in judged.err
    scored = st("st-score", "entail", "--summary", input=judged.out)
    assert [(one["system"], one["n"], one["failed"]) for one in scored.records] == [("b", 1, 0)]
