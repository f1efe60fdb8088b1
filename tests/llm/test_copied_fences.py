"""Models that copy the lines around quoted texts, and papers that hold lines like these: none gets into a record.

Every task that asks a model is asked. What the model says is made of the schema of the reply, and each text in it is a
passage of what was quoted, with the line around it, with a slip in that line, or with a line of the paper's own.
"""

from __future__ import annotations

import json
import random
import re
from typing import Any

import pytest
from support import model_tasks
from support.model_tasks import TASKS, Task, name_of
from support.run import ROOT, st
from support.schema_replies import NUMBERED, draw, prompt_of
from support.server import Server, completion

from scholartools.llm import replies
from scholartools.llm.prompts import Prompt, fence_text, may_copy_fences
from scholartools.llm.replies import Closed, Items, PlainText, Reason, ReplyFault

FENCE = re.compile(r"^(?:text-[0-9a-f]{8,}|paper-[0-9a-f]{12,})$", re.M)
OWN = "text-0123abcd"
INNER = "paper-0123456789ab"


def with_lines(text: str) -> str:
    """A text with lines that look as ours do, as a paper about prompts has them."""
    return f"{text}\n{OWN}\nIt is not so.\n{INNER}\n{INNER}"


def fenced_paper() -> dict[str, Any]:
    whole = json.loads(json.dumps(model_tasks.PAPER))
    for part in (*whole["sections"], *whole["reviews"], *whole["summaries"]):
        part["text"] = with_lines(part["text"])
    whole["abstract"] = with_lines(whole["abstract"])
    return whole


class Copying:
    """A model that says what the schema asks for, in passages that it copies so.

    Attributes:
        said: the lines around texts that it copied, some of them with a slip.
    """

    def __init__(self, way: str) -> None:
        self.way = way
        self.said: set[str] = set()

    def __call__(self, body: dict[str, Any], _: int) -> tuple[int, Any, dict[str, str]]:
        rng = random.Random(json.dumps(body["messages"], sort_keys=True))
        prompt = prompt_of(body)
        fences = [line for line in FENCE.findall(prompt) if line not in (OWN, INNER)]
        inside = re.search(rf"^{fences[0]}\n(.*?)\n{fences[0]}$", prompt, re.S | re.M)[1] if fences else "It is so."

        def passage(_: random.Random) -> str:
            sentence = rng.choice([one for one in re.split(r"(?<=\.)\s", inside) if one.strip()] or ["It is so."])
            if not fences:
                return sentence
            if self.way == "own":
                return f"{sentence}\n{OWN}\nIt is not so."
            line = rng.choice(fences)
            line = f"{line[:-3]}{'g' if line[-3] != 'g' else 'h'}{line[-2:]}" if self.way == "slip" else line
            if self.way == "some" and rng.random() < 0.6:
                return sentence
            self.said.add(line)
            return rng.choice([f"{line}\n{sentence}", f"{sentence}\n{line}", f"{sentence} {line} {sentence}", line])

        schema = ((body.get("response_format") or {}).get("json_schema") or {}).get("schema")
        if schema is None:
            return 200, completion(f"1. {passage(rng)}\nRating: 2", "stop"), {}
        ids = [int(number) for number in NUMBERED.findall(prompt)]
        return 200, completion(json.dumps(draw(schema, schema.get("$defs", {}), rng, ids, passage)), "stop"), {}


def places(value: Any, said: set[str], where: str = "") -> list[str]:
    """Where in a record a line stands that a model copied, but for what tells of replies that could not be used."""
    if isinstance(value, dict):
        told = ("errors", "rejected", "reason", "reasons")
        return [hit for key, one in value.items() if key not in told for hit in places(one, said, f"{where}.{key}")]
    if isinstance(value, list):
        return [found for one in value for found in places(one, said, where)]
    return [f"{where}: {value}"] if isinstance(value, str) and any(line in value for line in said) else []


@pytest.mark.parametrize(
    "way", ["some", *(pytest.param(way, marks=pytest.mark.slow) for way in ("own", "all", "slip"))]
)
@pytest.mark.parametrize("task", [one for one in TASKS if "logprobs" not in one.more], ids=name_of)
def test_no_line_around_a_text_gets_into_a_record(task: Task, way: str, tmp_path, monkeypatch):
    monkeypatch.setattr(model_tasks, "PAPER", fenced_paper())
    (criteria := tmp_path / "criteria.json").write_text(json.dumps(model_tasks.CRITERIA))
    data = task.prepare({"ST_CACHE": str(tmp_path / "played")})
    model = Copying(way)
    with Server(respond=model) as server:
        env = {"ST_CACHE": str(tmp_path / "cache"), **server.environment}
        more = [str(criteria) if one == "CRITERIA" else one for one in task.more]
        line = (*task.line, "--model", "openai/mock", "--max-tokens", "400", "--retries", "1", *more)
        done = st(*line, input=data, env=env, cwd=ROOT, is_described=False)
        asked = server.requests
    told = f"{' '.join(line)}: {done.status}\n{done.err}"
    is_fit = task.line[:2] == ("st-judge", "fit")
    assert asked, told
    assert done.status in ((0, 1, 3, 4) if is_fit else (0, 1)) and "internal error" not in done.err, told
    if way == "own":
        assert "copies the line" not in done.err, told
    if is_fit:
        return
    n_read = len([*data.splitlines()])
    assert task.line == ("st-eqsynth",) or len(done.records) == n_read, told
    found = [where for record in done.records for where in places(record, model.said)]
    assert not found, f"{found}\n{told}"


class Said(Closed):
    """A value, and why."""

    value: int
    why: Reason


class Reply(Closed):
    """Two lists, of which one may lack an item, a text, and texts that say why."""

    items: Items[str]
    fixed: list[str]
    note: str = ""
    why: Reason = ""
    said: Items[Said] = []
    all: list[Said] = []


PROMPT = Prompt("none", Reply, own="[user]\n{{fence}}\n{{text}}\n{{fence}}")


def fence_of(inputs: dict[str, str]) -> str:
    return FENCE.findall(PROMPT.messages(inputs)[-1]["content"])[0]


def drawn_text(rng: random.Random) -> str:
    """A text with lines that look like ours, whole texts between two of them, and words like them."""
    parts = ["Bees are few.", OWN, INNER, f"see text-{rng.randrange(16**8):08x}", "text-book", "paper-2024conference",
             fence_text("We count."), f"{INNER}\nWe count.\n{INNER}", "\u4e2d\u6587"]  # fmt: skip
    return "\n".join(rng.choices(parts, k=rng.randint(1, 8)))


def slipped(word: str, rng: random.Random) -> str:
    """A word with a character changed, left out, doubled or in capitals, or with another hyphen."""
    place = rng.randrange(5, len(word))
    return rng.choice([
        f"{word[:place]}{rng.choice('xyz09')}{word[place + 1:]}", word[:place] + word[place + 1:],
        word[:place] + word[place] + word[place:], word.upper(), word.replace("-", "\u2011"), word.replace("-", " "),
    ])  # fmt: skip


@pytest.mark.parametrize("seed", range(60))
def test_a_copied_line_costs_its_item_and_a_line_of_the_text_nothing(seed):
    rng = random.Random(seed)
    inner = fence_text(drawn_text(rng))
    inputs = {"text": f"{drawn_text(rng)}\n{inner}\n{drawn_text(rng)}"}
    ours = [fence_of(inputs), inner.partition("\n")[0]]
    own = [line for line in inputs["text"].splitlines() if line.strip() and line not in ours]
    nested = {line for text in (inputs["text"],) for line in FENCE.findall(text) if line not in (OWN, INNER)}
    clean = [line for line in own if line not in nested] or ["Bees are few."]
    quoted = [f"{rng.choice(clean)}\n{rng.choice(clean)}" for _ in range(3)]
    assert PROMPT.take_out_fences(inputs, None, Reply(items=quoted, fixed=clean, note=quoted[0])) == []
    word = rng.choice(ours)
    said = rng.choice([word, slipped(word, rng)])
    if said in inputs["text"] and said not in ours:
        return
    bad = rng.choice(["{}", "{}\nBees are few.", "Bees are few.\n{}", "Bees {} are few.", "\u4e2d{}\u4e2d"]).format(
        said
    )
    reply = Reply(items=[quoted[0], bad, quoted[1]], fixed=[], note="")
    [told] = PROMPT.take_out_fences(inputs, None, reply)
    assert "copies the line" in told and reply.items == quoted[:2]
    for whole in (Reply(items=[bad, bad], fixed=[]), Reply(items=[], fixed=[bad]), Reply(items=[], fixed=[], note=bad)):
        with pytest.raises(ReplyFault, match="copies the line"):
            PROMPT.take_out_fences(inputs, None, whole)
    one, other = Said(value=3, why=bad), Said(value=4, why=quoted[0])
    reply = Reply(items=quoted, fixed=clean, why=bad, said=[one, other], all=[one.model_copy(), other])
    assert len(PROMPT.take_out_fences(inputs, None, reply)) == 3
    assert (reply.items, reply.why, [said.why for said in (*reply.said, *reply.all)]) == (
        quoted,
        None,
        [None, quoted[0]] * 2,
    )
    assert [said.value for said in (*reply.said, *reply.all)] == [3, 4] * 2
    valued = PlainText(text=f"{quoted[0]}\nRating: 2 {bad}")
    [told] = Prompt("none", PlainText, own=PROMPT.own, has_value=True).take_out_fences(inputs, None, valued)
    assert valued.unfit == told and valued.text.startswith(f"{quoted[0]}\nRating: 2 ") and said not in valued.text
    assert len(valued.text) == len(f"{quoted[0]}\nRating: 2 {bad}")
    plain = Prompt("none", PlainText, own=PROMPT.own)
    assert plain.take_out_fences(inputs, None, PlainText(text="\n".join(quoted))) == []
    with pytest.raises(ReplyFault, match="copies the line"):
        plain.take_out_fences(inputs, None, PlainText(text=f"{quoted[0]} {bad}"))


def test_a_reason_is_not_null_in_a_reply():
    """None is what is left of one that copies a line; a model that says none has not said what it was asked for."""
    with pytest.raises(ReplyFault, match="not as asked for"):
        replies.read('{"value": 1, "why": null}', Said)
    assert Said.model_json_schema()["properties"]["why"] == {"title": "Why", "type": "string"}


def fenced(messages: list[dict]) -> str:
    """A fence of the prompt and a sentence."""
    return f"{FENCE.findall(messages[-1]['content'])[0]}\nIt is named."


TYPES = ("insufficient", "contradictory", "novelty", "clarity", "related_work", "other")


@pytest.mark.parametrize("method", ["analyze-rate", "rate-explain"])
def test_a_copied_line_costs_the_explanation_and_not_the_rating(tmp_path, method):
    def copy(messages: list[dict]) -> str:
        if "Rating:" not in messages[-1]["content"] and "steps" in messages[-1]["content"].lower():
            return "1. Read it."
        return f"{fenced(messages)}\nRating: 1" if method == "analyze-rate" else f"Rating: 1\n{fenced(messages)}"

    (criteria := tmp_path / "criteria.json").write_text(json.dumps(model_tasks.CRITERIA))
    line = ("st-judge", "rate", "--method", method, "--candidate", "summaries", "--aspects", criteria)
    with Server(answer=copy) as server:
        env = {"ST_CACHE": str(tmp_path / "cache"), **server.environment}
        done = st(*line, "--model", "openai/mock", input=model_tasks.paper(), env=env)
    rated = [entry for record in done.records for entry in record["judgements"]["rate"]]
    assert rated and all(entry["score"] == 1 and entry["explanation"] is None for entry in rated), done.err
    assert done.status == 1 and "copies the line" in done.records[0]["errors"][0]["reason"]


@pytest.mark.slow
def test_a_copied_line_costs_the_reasoning_and_not_the_label(tmp_path):
    def copy(messages: list[dict]) -> str:
        types = {name: name == "novelty" for name in TYPES}
        return json.dumps({
            "reasoning_objectivity": fenced(messages), "objectivity": 4, "reasoning_agreement": "It is so.", "agreement": 2,
            "reasoning_types": "It is old.", "types": types, "reasoning_edit": "None.", "edited": "One valley.",
        })  # fmt: skip

    with Server(answer=copy) as server:
        env = {"ST_CACHE": str(tmp_path / "cache"), **server.environment}
        data = model_tasks.TARGETS({"ST_CACHE": str(tmp_path / "played")})
        done = st("st-claims", "label", "--model", "openai/mock", input=data, env=env)
    labels = [weakness["labels"][-1] for record in done.records for weakness in record["weaknesses"]]
    assert labels and all((one["objectivity"], one["agreement"], one["types"]) == (4, 2, ["novelty"]) for one in labels)
    assert all(one["reasons"]["objectivity"] is None and one["reasons"]["types"] == "It is old." for one in labels)
    assert done.status == 1 and "copies the line" in done.records[0]["errors"][0]["reason"], done.err


def test_one_copied_line_costs_one_item_of_a_record(tmp_path):
    def copy(messages: list[dict]) -> str:
        fence = FENCE.findall(messages[1]["content"])[0]
        return json.dumps(
            {"weaknesses": [{"text": "One valley."}, {"text": f"{fence}\nFew bees."}, {"text": "No rain."}]}
        )

    with Server(answer=copy) as server:
        env = {"ST_CACHE": str(tmp_path), **server.environment}
        done = st("st-generate", "weaknesses", "--model", "openai/mock", input=model_tasks.paper(), env=env)
    [record] = done.records
    items = record["generated"]["weaknesses"][0]["items"]
    assert [one["text"] for one in items] == ["One valley.", "No rain."]
    assert done.status == 1 and "copies the line" in record["errors"][0]["reason"] and "copies the line" in done.err


@pytest.mark.slow
@pytest.mark.parametrize("side", ["reviewer", "model"])
def test_a_copied_line_costs_the_reasoning_and_not_the_verdict(tmp_path, side):
    """The types and the evidence of a verification stand, and are counted; what its words would tell is not known."""

    def copy(messages: list[dict]) -> str:
        types = {name: name == "novelty" for name in TYPES}
        verdict = {"types": types} if side == "model" else {}
        cited = [{"paper": 0, "label": "text_0", "quote": model_tasks.PAPER["abstract"]}]
        return json.dumps({**verdict, "evidence": cited, "reasoning": f"<text_0> {fenced(messages)}"})

    with Server(answer=copy) as server:
        env = {"ST_CACHE": str(tmp_path / "cache"), **server.environment}
        data = model_tasks.TARGETS({"ST_CACHE": str(tmp_path / "played")})
        done = st("st-claims", "verify", "--side", side, "--model", "openai/mock", input=data, env=env)
    found = [one for record in done.records for one in record["verifications"] if one["side"] == side]
    assert found and all(one["text"] is None and one["cited"] is None for one in found), done.err
    assert all(len(one["evidence"]) == 1 and "copies the line" in one["reason"] for one in found)
    assert all(one["types"] == ["novelty"] for one in found if side == "model")
    assert done.status == 1 and "copies the line" in done.records[0]["errors"][0]["reason"], done.err
    [score] = st("st-score", "verifications", input=done.out).records[0]["scores"]
    n = len(found) if side == "model" else 0
    told = {name: score["values"][name] for name in ("n_disputed", "n_disputed_faulted", "n_model", "n_reviewer")}
    assert told == {"n_disputed": n, "n_disputed_faulted": n, "n_model": 0, "n_reviewer": 0}
    assert score["values"]["n_evidence"] == len(found) and "n_unjudged" not in score


def test_a_line_in_json_is_seen_however_it_is_written():
    """A reply in which no such word shows is not read for one: none may hide behind escapes."""
    draw_from = random.Random(3)
    parts = [
        OWN,
        INNER,
        "Text\u20130123abcd",
        "paper_\u00e90123abcd",
        "te",
        "xt-",
        '"',
        "\\",
        "\n",
        "\t",
        "/",
        " ",
        "a",
    ]
    seen = 0
    for _ in range(5000):
        text = "".join(draw_from.choices(parts, k=draw_from.randrange(1, 6)))
        written = json.dumps({"items": [text, {text: 1}]}, ensure_ascii=draw_from.random() < 0.5)
        written = written.replace("t", "\\u0074") if "\\" not in written and draw_from.random() < 0.5 else written
        assert json.loads(written)["items"][0] == text
        assert may_copy_fences(written) or not may_copy_fences(text), written
        seen += not may_copy_fences(written)
    assert seen > 100
