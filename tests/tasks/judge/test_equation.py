"""st-judge equation from outside: yes or no, or a choice in each order; no prompt holds anything of the truth."""

from __future__ import annotations

import json
import re

import pytest
from support.run import jsonl, st
from support.server import Server

MODEL = ("--model", "openai/mock")
LATEX = {"o1": "y = a - b", "o2": "y = a + b", "o3": "y = a b", "o4": "y = a / b"}
ORDER = ["o3", "o1", "o4", "o2"]
OPS = {"o1": ["sign"], "o3": ["operator"], "o4": ["sign", "operator"]}


def question(name: str = "p#e1", right: str = "o2", **more: object) -> dict:
    """A question whose right option is ``right``; words of its truth are ones that no prompt may hold."""
    options = []
    for one, latex in LATEX.items():
        made = {
            "id": one,
            "latex": latex,
            "correct": one == right,
            "origin": "paper" if one == right else "canary-rule",
        }
        if one != right:
            edits = [{"op": op, "start": 6, "end": 7, "from": "+", "to": "-"} for op in OPS.get(one, ["term"])]
            made |= {"edits": edits, "aligned": one != "o4", "undefined": ["canary-letter"]}
            made["certificate"] = {"verdict": "canary-verdict", "by": "probe"}
        options.append(made)
    context = {"before": "one two three four", "after": "five six seven eight", "words": [4, 4], "masked": []}
    return {"id": name, "paper": "canary-paper", "title": "canary-title", "context": context, "options": options,
            "order": ORDER, "shortcuts": {"medoid": 4321.5}, **more}  # fmt: skip


def prompt_of(messages: list[dict]) -> str:
    return next(message["content"] for message in messages if message["role"] == "user")


def passages(messages: list[dict]) -> list[str]:
    return [text for _, text in re.findall(r"^(text-[0-9a-f]+)\n(.*?)\n\1$", prompt_of(messages), re.S | re.M)]


def letters(messages: list[dict]) -> dict[str, str]:
    """The letter of each formula that a choice shows."""
    return {one["equation"]: one["letter"] for one in map(json.loads, passages(messages)[2].splitlines())}


def says(*right: str):
    """A model that says yes to some formulas."""
    return lambda messages: json.dumps({"correct": passages(messages)[1] in right})


@pytest.fixture
def cache(tmp_path):
    return {"ST_CACHE": str(tmp_path / "cache.sqlite")}


def judge(env: dict, *args: str, data: bytes | None = None):
    return st("st-judge", "equation", *MODEL, *args, input=data or jsonl(question()), env=env)


def entry(done) -> dict:
    return done.records[0]["judgements"]["equation"][-1]


def answers(done) -> dict[str, bool | None]:
    return {one["id"]: one["answer"] for one in entry(done)["options"]}


def test_each_option_is_asked_about_alone_in_its_place(cache):
    with Server({"fence": 0.5}, answer=says("y = a + b", "y = a b")) as server:
        done = judge({**cache, **server.environment})
    assert done.status == 0, done.err
    assert answers(done) == {"o3": True, "o1": False, "o4": False, "o2": True}
    assert sorted(passages(body["messages"])[1] for body in server.bodies) == sorted(LATEX.values())
    assert all(
        passages(body["messages"])[::2] == ["one two three four", "five six seven eight"] for body in server.bodies
    )
    made = entry(done)
    assert (made["system"], made["by"], made["format"], made["words"]) == (
        "openai/mock",
        "openai/mock",
        "binary",
        [4, 4],
    )
    again = judge(cache, "--replay")
    assert (again.status, again.out) == (0, done.out)


@pytest.mark.parametrize("way", [(), ("--format", "choice", "--rotations"), ("--no-context",)])
def test_nothing_of_the_truth_is_in_any_prompt(cache, way):
    """Neither a word of how options were made, nor the truth itself: with another truth the bytes are the same."""
    sent = []
    for right in ("o2", "o4"):
        with Server(answer=lambda messages: '{"correct": true, "answer": "A"}') as server:
            judge(server.environment, "--no-cache", "--system", "canary-system", *way,
                  data=jsonl(question(right=right)))  # fmt: skip
        sent.append(sorted(json.dumps(body["messages"]) for body in server.bodies))
    assert len(sent[0]) == 4 and sent[0] == sent[1]
    words = ["canary", "4321", "certificate", "verdict", "origin", "edits", "aligned", *LATEX, "p#e1"]
    assert [word for word in words if word in "".join(sent[0])] == []
    assert ("one two" in sent[0][0]) == ("--no-context" not in way)


def test_context_words_only_shorten(cache):
    with Server(answer=says()) as server:
        short = judge({**cache, **server.environment}, "--context-words", "2")
        assert {tuple(passages(body["messages"])[::2]) for body in server.bodies} == {("three four", "five six")}
        long = judge({**cache, **server.environment}, "--context-words", "99")
        none = judge({**cache, **server.environment}, "--no-context")
    assert [entry(one)["words"] for one in (short, long, none)] == [[2, 2], [4, 4], [0, 0]]
    names = [entry(one)["system"] for one in (short, long, none)]
    assert names == ["openai/mock 2 words", "openai/mock 99 words", "openai/mock no context"]


def test_runs_in_several_ways_stand_side_by_side(cache):
    with Server(answer=lambda messages: '{"correct": true, "answer": "A"}') as server:
        first = judge({**cache, **server.environment})
        second = judge({**cache, **server.environment}, "--no-context", data=first.out)
        third = judge({**cache, **server.environment}, "--format", "choice", data=second.out)
    names = [one["system"] for one in third.records[0]["judgements"]["equation"]]
    assert names == ["openai/mock", "openai/mock no context", "openai/mock choice"]
    found = {one["system"]: one["values"] for one in st("st-score", "equations", input=third.out).records[0]["scores"]}
    assert found["openai/mock"]["f1"] == 0.4 and "tp" not in found["openai/mock choice"]


def test_a_choice_that_knows_the_truth_is_right_in_all_orders(cache):
    knows = lambda messages: json.dumps({"answer": letters(messages)["y = a + b"]})  # noqa: E731
    with Server(answer=knows) as server:
        done = judge({**cache, **server.environment}, "--format", "choice", "--rotations")
    assert len(server.bodies) == 4 and entry(done)["choice"] == "o2"
    shown = [one["order"] for one in entry(done)["orders"]]
    assert shown[0] == ORDER and sorted(order.index("o2") for order in shown) == [0, 1, 2, 3]
    values = st("st-score", "equations", input=done.out).records[0]["scores"][0]["values"]
    assert values["choice.accuracy"] == values["choice.order_accuracy"] == values["choice.consistent"] == 1
    assert [values[f"choice.at_{letter}"] for letter in "ABCD"] == [1, 1, 1, 1]
    told = st("st-score", "equations", "--summary", input=done.out).records[0]["corpus"]
    assert told["choice.position_bias"]["value"] == 0 and told["choice.share_A"]["value"] == 0.25


def test_a_choice_by_place_alone_is_told_by_the_rotations(cache):
    with Server(answer=lambda _: '{"answer": " b "}') as server:
        done = judge({**cache, **server.environment}, "--format", "choice", "--rotations")
        once = judge({**cache, **server.environment}, "--format", "choice")
    made = entry(done)
    assert made["choice"] is None and "as many orders" in made["reason"]
    values = st("st-score", "equations", input=done.out).records[0]["scores"][0]["values"]
    assert (values["choice.accuracy"], values["choice.order_accuracy"], values["choice.consistent"]) == (0, 0.25, 0)
    told = st("st-score", "equations", "--summary", input=done.out).records[0]["corpus"]
    assert told["choice.position_bias"]["value"] == 0.75 and told["choice.share_B"]["value"] == 1
    assert entry(once)["choice"] == ORDER[1] and len(entry(once)["orders"]) == 1
    single = st("st-score", "equations", input=once.out).records[0]["scores"][0]
    assert single["reasons"] == {"choice.consistent": "the options were shown in one order only"}


@pytest.mark.parametrize("reply", ["It is right.", '{"correct": "maybe"}', ""])
def test_a_reply_that_cannot_be_read_costs_its_option_and_counts_as_wrong(cache, reply):
    def answer(messages: list[dict]) -> str:
        return reply if passages(messages)[1] == "y = a b" else says("y = a + b")(messages)

    with Server(answer=answer) as server:
        done = judge({**cache, **server.environment})
    assert done.status == 1
    assert answers(done) == {"o3": None, "o1": False, "o4": False, "o2": True}
    [fault] = done.records[0]["errors"]
    assert (fault["kind"], fault["missing"], fault["of"]) == ("missing-parts", 1, 4)
    option = entry(done)["options"][0]
    assert option["reason"] and "failed" not in option
    scores = st("st-score", "equations", input=done.out).records[0]["scores"][0]["values"]
    assert (scores["tp"], scores["fp"], scores["tn"], scores["unparsed"]) == (1, 1, 2, 1)


def refuse(body: dict, _: int):
    """A reply that a filter took away, as a provider sends it, for one of the options."""
    if passages(body["messages"])[1] != "y = a b":
        return None
    choice = {"index": 0, "message": {"role": "assistant", "content": None}, "finish_reason": "content_filter"}
    return 200, {"id": "c", "object": "chat.completion", "created": 0, "model": "mock", "choices": [choice]}, {}


def cut(body: dict, _: int):
    """A reply that ends too early, for one of the options."""
    if passages(body["messages"])[1] != "y = a b":
        return None
    choice = {"index": 0, "message": {"role": "assistant", "content": '{"corr'}, "finish_reason": "length"}
    return 200, {"id": "c", "object": "chat.completion", "created": 0, "model": "mock", "choices": [choice]}, {}


@pytest.mark.parametrize("respond", [refuse, cut])
def test_refused_and_cut_replies_are_counted_as_unread(cache, respond):
    with Server(answer=says("y = a + b"), respond=respond) as server:
        done = judge({**cache, **server.environment})
    assert done.status == 1 and answers(done)["o3"] is None
    assert "failed" not in entry(done)["options"][0]
    scores = st("st-score", "equations", input=done.out).records[0]["scores"][0]["values"]
    assert (scores["fp"], scores["unparsed"]) == (1, 1)


@pytest.mark.parametrize(("reply", "row"), [
    ('{"correct": true}', {"precision": 0.25, "recall": 1, "f1": 0.4}),
    ('```json\n{"correct": true}\n```', {"precision": 0.25, "recall": 1, "f1": 0.4}),
    ('{"correct": false}', {"precision": None, "recall": 0, "f1": 0}),
])  # fmt: skip
def test_a_model_that_always_says_the_same_has_the_row_of_a_guesser(cache, reply, row):
    data = jsonl(*(question(f"p#e{n}", right=f"o{n % 4 + 1}") for n in range(6)))
    with Server(answer=lambda _: reply) as server:
        done = judge({**cache, **server.environment}, data=data)
    [told] = st("st-score", "equations", "--summary", input=done.out).records
    assert {name: told["corpus"][name]["value"] for name in row} == row
    reasons = {name: told["corpus"][name]["reason"] for name in row}
    assert (row["precision"] is None) == (reasons["precision"] != "the value is the same whichever item is left out")
    assert [told["corpus"][f"all_positive.{name}"]["value"] for name in row] == [0.25, 1, 0.4]


def test_a_call_without_a_reply_is_no_wrong_answer(cache):
    """The provider refuses one request: that option is null, and the question is in no count."""

    def respond(body: dict, _: int):
        if passages(body["messages"])[1] == "y = a b":
            return 400, {"error": {"message": "no such thing"}}, {}
        return None

    with Server(answer=says("y = a + b"), respond=respond) as server:
        done = judge({**cache, **server.environment}, "--retries", "0")
    assert done.status == 1 and entry(done)["options"][0]["failed"] is True
    [score] = st("st-score", "equations", input=done.out).records[0]["scores"]
    assert score["values"]["tp"] is None and score["n_failed"] == 1
    assert "no reply came" in score["reasons"]["f1"]
    with Server(answer=says("y = a + b")) as server:
        mended = judge({**cache, **server.environment})
    assert mended.status == 0 and len(server.bodies) == 1, "the other three are in the cache"
    with Server(answer=says("y = a + b"), respond=respond) as server:
        lost = judge({**server.environment}, "--no-cache", "--format", "choice", "--retries", "0")
    assert lost.status == 1


def test_a_letter_of_no_option_is_asked_about_again(cache):
    said = iter(["E", "A"])
    with Server(answer=lambda _: json.dumps({"answer": next(said)})) as server:
        done = judge({**cache, **server.environment}, "--format", "choice")
    assert done.status == 0 and entry(done)["choice"] == ORDER[0]
    assert "one letter of A, B, C, D" in str(server.bodies[1]["messages"])


@pytest.mark.parametrize(("args", "calls"), [
    ((), 8), (("--format", "choice"), 2), (("--format", "choice", "--rotations"), 8), (("--samples", "3"), 24),
])  # fmt: skip
def test_a_dry_run_counts_what_the_server_then_sees(cache, args, calls):
    other = question("p#e2")
    other["context"]["before"] = "another text"
    data = jsonl(question(), other)
    with Server(answer=lambda _: '{"correct": true, "answer": "A"}') as server:
        env = {**cache, **server.environment}
        told = judge(env, *args, "--dry-run", data=data).records[0]["dry_run"]
        assert told["to_send"] == calls and not server.bodies
        judge(env, *args, data=data)
    assert len(server.bodies) == calls


def test_samples_are_systems(cache):
    with Server(answer=says()) as server:
        done = judge({**cache, **server.environment}, "--samples", "2", "--system", "m")
    assert [one["system"] for one in done.records[0]["judgements"]["equation"]] == ["m#1", "m#2"]


def test_without_a_model_there_are_rows_to_compare_with_and_no_judge():
    data = jsonl(*(question(f"p#e{n}", right=f"o{n % 4 + 1}") for n in range(8)))
    done = st("st-judge", "equation", input=data)
    assert done.status == 4 and "--model" in done.err and "--system all-positive" in done.err
    first = st("st-judge", "equation", "--system", "all-positive", input=data)
    both = st("st-judge", "equation", "--system", "random", input=first.out)
    again = st("st-judge", "equation", "--system", "random", input=first.out)
    assert both.out == again.out
    found = {one["system"]: one for one in st("st-score", "equations", "--summary", input=both.out).records}
    row = found["all-positive"]["corpus"]
    assert [row[name]["value"] for name in ("precision", "recall", "f1")] == [0.25, 1, 0.4]
    assert row["yes_rate"]["value"] == 1 and row["yes_at_own_rate.f1"]["value"] == pytest.approx(0.4)
    assert 0.2 < found["random"]["corpus"]["yes_rate"]["value"] < 0.8
    chosen = st("st-judge", "equation", "--system", "random", "--format", "choice", input=data).records
    assert len({one["judgements"]["equation"][0]["choice"] for one in chosen}) > 1
    assert {one["judgements"]["equation"][0]["by"] for one in chosen} == {"builtin"}


@pytest.mark.parametrize(("args", "status", "words"), [
    (("--system", "mine"), 2, '"all-positive" or "random"'),
    (("--rotations", "--system", "random"), 2, "needs --format choice"),
    (("--format", "choice", "--system", "all-positive"), 2, "makes no choice"),
    (("--no-context", "--context-words", "5", "--system", "random"), 2, "cannot be used with"),
])  # fmt: skip
def test_wrong_usage(args, status, words):
    done = st("st-judge", "equation", *args, input=jsonl(question()))
    assert done.status == status and words in done.err


@pytest.mark.parametrize("broken", [
    {"order": ["o1", "o2", "o3"]}, {"order": None}, {"options": None}, {"context": {"before": "a"}},
    {"options": [{"id": "o1", "latex": "a"}]}, {"order": ["o1", "o1", "o2", "o3"]},
])  # fmt: skip
def test_records_that_are_no_question_are_refused(broken):
    done = st("st-judge", "equation", "--system", "random", input=jsonl({**question(), **broken}))
    assert done.status == 3 and done.err.count("\n") <= 2


def test_judgements_of_another_question_are_refused():
    [made] = st("st-judge", "equation", "--system", "all-positive", input=jsonl(question())).records
    made["options"][0]["latex"] = "y = a"
    done = st("st-score", "equations", input=jsonl(made))
    assert done.status == 3 and "about other texts" in done.err
