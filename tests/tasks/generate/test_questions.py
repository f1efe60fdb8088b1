"""st-generate questions: three variants as three systems, broken replies, flags, and the way without a model."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as strategies
from support.pictures import prompt_of
from support.run import ROOT, jsonl, st
from support.server import Server

from scholartools.llm.replies import PlainText, ReplyFault
from scholartools.tasks.generate.questions.checks import describe_question, name_form
from scholartools.tasks.generate.questions.replies import read_question, read_structured

MODEL = ("--model", "openai/mock")
PAPER = {
    "id": "p",
    "title": "Hedges",
    "abstract": "Wild bees decline on farms. Can hedges bring them back? We plant flowering hedges on ten farms.",
    "sections": [
        {
            "id": "s1",
            "heading": "Introduction",
            "level": 1,
            "role": "introduction",
            "text": "Our goal is to count bees.",
        },
        {"id": "s2", "heading": "Motive", "level": 2, "role": "other", "text": "Nobody planted hedges before us."},
        {"id": "s3", "heading": "Method", "level": 1, "role": "method", "text": "We count secretly at noon."},
    ],
}
ASKED = "Can the decline of wild bees on farms be stopped by planting flowering hedges?"
TAGS = (
    "<thinking>What declines?</thinking>\n<research_question><problem>Wild bees decline on farms</problem>"
    f"<method>flowering hedges</method><question>{ASKED}</question></research_question>"
)


def variant_of(messages) -> str:
    """By what the prompt asks for."""
    text = prompt_of(messages)
    return "structured" if "<thinking>" in text else "format" if "PROBLEM" in text else "plain"


def answer(messages) -> str:
    return TAGS if variant_of(messages) == "structured" else f'"{ASKED}"'


@pytest.fixture
def env(tmp_path):
    return {"ST_CACHE": str(tmp_path / "cache")}


def generate(*args, data=(PAPER,), env, status=0):
    done = st("st-generate", "questions", *args, input=jsonl(*data), env=env)
    assert done.status == status, done.err
    return done


def entries(done) -> list[dict]:
    return done.records[0]["generated"]["questions"]


def test_three_variants_are_three_systems(env):
    with Server(answer=answer) as server:
        done = generate(*MODEL, env={**env, **server.environment})
        assert server.requests == 3
    found = entries(done)
    assert [one["system"] for one in found] == [f"openai/mock+{name}" for name in ("plain", "format", "structured")]
    assert [one["variant"] for one in found] == ["plain", "format", "structured"]
    assert {one["items"][0]["text"] for one in found} == {ASKED}
    assert found[0]["items"][0]["problem"] is None and found[0]["sections"] == ["abstract", "s1", "s2"]
    item = found[2]["items"][0]
    assert (item["id"], item["problem"], item["method"]) == ("g1", "Wild bees decline on farms", "flowering hedges")
    assert item["form"] == "can-by" and item["flags"] == []
    for name, span in item["located"].items():
        assert PAPER[span["in"]][span["start"] : span["end"]] == item[name]
    for body in server.bodies:
        assert (body["temperature"], body["top_p"]) == (1, 1)
        prompt = prompt_of(body["messages"])
        assert "Nobody planted" in prompt and "secretly" not in prompt
    replay = generate(*MODEL, "--replay", env=env)
    assert replay.out == done.out


def test_the_fixture_s_questions_are_three_systems(env):
    parsed = st("st-parse", ROOT / "fixtures" / "paper" / "paper.tex")
    with Server(answer=answer) as server:
        done = st("st-generate", "questions", *MODEL, input=parsed.out, env={**env, **server.environment})
    assert done.status == 0, done.err
    assert [one["variant"] for one in entries(done)] == ["plain", "format", "structured"]
    texts = {"abstract": parsed.records[0]["abstract"]} | {one["id"]: one for one in parsed.records[0]["sections"]}
    shown = prompt_of(server.bodies[0]["messages"])
    assert texts["abstract"] in shown and entries(done)[0]["sections"][0] == "abstract"
    assert all(texts[name]["text"].strip() in shown for name in entries(done)[0]["sections"][1:])


def test_what_is_set_wins_and_a_variant_can_be_named(env):
    with Server(answer=answer) as server:
        args = (*MODEL, "--variant", "format", "--temperature", "0.3", "--sections", "method", "--system", "mine")
        done = generate(*args, env={**env, **server.environment})
    assert [one["system"] for one in entries(done)] == ["mine+format"]
    [body] = server.bodies
    assert body["temperature"] == 0.3 and "secretly" in prompt_of(body["messages"])
    assert "Wild bees" not in prompt_of(body["messages"])


def test_several_items_and_samples_are_calls_of_their_own(env):
    count = iter(range(100))
    with Server(answer=lambda messages: f"Can hedges of kind {next(count)} bring the wild bees back?") as server:
        args = (*MODEL, "--variant", "plain", "--items", "2", "--samples", "2")
        done = generate(*args, env={**env, **server.environment})
        assert server.requests == 4
    found = entries(done)
    assert [one["system"] for one in found] == ["openai/mock+plain#1", "openai/mock+plain#2"]
    texts = [item["text"] for one in found for item in one["items"]]
    assert len(set(texts)) == 4 and [item["id"] for item in found[1]["items"]] == ["g1", "g2"]


def test_a_broken_reply_is_asked_for_once_more_and_then_costs_its_question_alone(env):
    def broken(messages) -> str:
        return "<thinking>So.</thinking>" if variant_of(messages) == "structured" else answer(messages)

    with Server(answer=broken) as server:
        done = generate(*MODEL, env={**env, **server.environment}, status=1)
        assert server.requests == 4
    found = {one["variant"]: one for one in entries(done)}
    assert found["structured"]["items"] is None
    assert "there is no <research_question>" in found["structured"]["reason"]
    assert found["plain"]["items"][0]["text"] == found["format"]["items"][0]["text"] == ASKED
    [fault] = done.records[0]["errors"]
    assert (fault["missing"], fault["of"], fault["parts"]) == (1, 3, ["openai/mock+structured"])
    with Server(answer=answer) as server:
        mended = st("st-generate", "questions", *MODEL, input=done.out, env={**env, **server.environment})
    assert mended.status == 0 and "errors" not in mended.records[0]
    assert {one["variant"]: one["items"][0]["text"] for one in entries(mended)}["structured"] == ASKED


BROKEN = {
    "two questions": (TAGS.replace("</research_question>", f"<question>{ASKED}</question></research_question>"), "2 elements <question>"),
    "no thinking": (TAGS.partition("\n")[2], "no <thinking>"),
    "a question before thinking": ("\n".join(reversed(TAGS.split("\n"))), "stands before the end of <thinking>"),
    "empty thinking": (TAGS.replace("What declines?", " "), "<thinking> is empty"),
    "no method": (re.sub("<method>.*</method>", "", TAGS), "no <method>"),
    "empty problem": (TAGS.replace("Wild bees decline on farms", ""), "<problem> is empty"),
    "tags left": (TAGS.replace("Can the", "<b>Can</b> the"), "tags left in <question>"),
    "no end": (TAGS.replace("</question>", ""), "<question> has no end"),
    "outside": (TAGS.replace("<thinking>", "<thinking><method>x</method>"), "<method> stands outside of <research_question>"),
    "in thinking only": (TAGS.replace("<method>flowering hedges</method>", "").replace("What", "<method>x</method>What"), "no <method>"),
}  # fmt: skip


@pytest.mark.parametrize("name", BROKEN)
def test_tags_that_are_not_as_asked_for(name):
    text, said = BROKEN[name]
    with pytest.raises(ReplyFault, match=re.escape(said)):
        read_structured(PlainText(text=text))


def test_tags_with_attributes_fences_and_line_breaks():
    text = (
        "```xml\n"
        + TAGS.replace("<thinking>", '<thinking label="steps">').replace("hedges</m", "\nhedges</m")
        + "\n```"
    )
    found = read_structured(PlainText(text=text))
    assert (found.text, found.method) == (ASKED, "flowering hedges")


@given(
    strategies.lists(strategies.sampled_from(["<", ">", "/", "thinking", "question", "method", " ", "a", "\n", TAGS]))
)
def test_no_reply_ends_in_anything_but_a_question_or_a_fault(pieces):
    text = "".join(pieces)
    for read in (read_question, read_structured):
        try:
            found = read(PlainText(text=text))
        except ReplyFault:
            continue
        assert found.text == found.text.strip() != ""


@pytest.mark.parametrize(
    ("reply", "wanted"),
    [
        (ASKED, ASKED),
        (f"  “{ASKED}” \n", ASKED),
        (f"**Research question:** {ASKED}", ASKED),
        (f"Question: '{ASKED}'", ASKED),
    ],
)
def test_a_plain_reply_is_the_question_alone(reply, wanted):
    assert read_question(PlainText(text=reply)).text == wanted


@pytest.mark.parametrize(
    "reply", ["", " \n", f"{ASKED}\n\nWhy are there fewer bees?", "Question:", '{"a": 1}', TAGS.replace("\n", "")]
)
def test_a_plain_reply_with_more_or_less_is_unusable(reply):
    with pytest.raises(ReplyFault):
        read_question(PlainText(text=reply))


@pytest.mark.parametrize(
    ("text", "flags"),
    [
        (ASKED, []),
        (ASKED.replace("?", "."), ["no-question-mark"]),
        ("Can hedges help?", ["short"]),
        ("Can " + "very " * 80 + "dense hedges help?", ["long"]),
        ("Bees decline on many of the farms. Can planting hedges help them?", ["several-sentences"]),
        ("We plant flowering hedges on ten farms every year.", ["no-question-mark", "copied-sentence"]),
    ],
)
def test_flags_by_rule(text, flags):
    source = "We plant flowering hedges on ten farms every year. Nothing else."
    assert describe_question(text, source)["flags"] == flags


def test_form_and_new_words():
    forms = {
        ASKED: "can-by",
        "Can bees fly?": "can",
        "How do bees fly?": "how",
        "To what extent do bees fly?": "to what extent",
        "Bees fly?": "other",
        "Cannot bees fly by night?": "other",
    }
    assert {text: name_form(text) for text in forms} == forms
    assert describe_question("Can bees fly by night?", "Bees fly.")["new_words"] == pytest.approx(3 / 5)


def test_without_a_model_sentences_that_ask_or_state_an_aim_with_their_spans(env):
    done = generate("--items", "5", env=env)
    [entry] = entries(done)
    assert (entry["system"], entry["by"], entry["variant"]) == ("stated-aims", "builtin", "stated")
    texts = {"abstract": PAPER["abstract"], **{one["id"]: one["text"] for one in PAPER["sections"]}}
    assert [item["cue"] for item in entry["items"]] == ["asks", "aim"]
    for item in entry["items"]:
        [span] = item["spans"]
        assert texts[span["in"]][span["start"] : span["end"]] == item["text"]
    [first] = entries(generate(env=env))[0]["items"]
    assert first["text"] == "Can hedges bring them back?"


def test_the_fixture_s_spans_are_its_text(env):
    parsed = st("st-parse", ROOT / "fixtures" / "paper" / "paper.tex")
    args = ("--items", "9", "--sections", "abstract,introduction,background,method,result,discussion,conclusion")
    record = st("st-generate", "questions", *args, input=parsed.out, env=env).records[0]
    [entry] = record["generated"]["questions"]
    texts = {"abstract": record["abstract"], **{one["id"]: one["text"] for one in record["sections"]}}
    assert entry["items"]
    for item in entry["items"]:
        [span] = item["spans"]
        assert texts[span["in"]][span["start"] : span["end"]] == item["text"]


def test_none_is_none_and_no_template_is_filled(env):
    paper = {"id": "p", "abstract": "Bees decline. Hedges are planted on farms.", "sections": []}
    [entry] = entries(generate(data=[paper], env=env))
    assert (entry["items"], entry["reason"]) == ([], "no sentence asks a question or states an aim")


def test_a_part_that_lacks_is_warned_of_and_both_are_a_fault(env):
    paper = {"id": "p", "abstract": PAPER["abstract"], "sections": []}
    record = generate(data=[paper], env=env).records[0]
    assert [one["kind"] for one in record["warnings"]] == ["question-without-section"]
    assert "introduction" in record["warnings"][0]["text"]
    again = st("st-generate", "questions", input=jsonl(record), env=env).records[0]
    assert again["warnings"] == record["warnings"], "told once"
    paper = {"id": "p", "title": "T", "sections": [PAPER["sections"][2]]}
    result = generate(data=[paper], env=env, status=3)
    assert "no text in abstract or introduction (--sections)" in result.err


def test_the_model_sees_no_other_system_s_questions(env):
    earlier = {"questions": [{"system": "people", "items": [{"id": "q1", "text": "Why zebras?"}]}]}
    with Server(answer=answer) as server:
        done = generate(*MODEL, data=[{**PAPER, "generated": earlier}], env={**env, **server.environment})
    assert not any("zebras" in json.dumps(body) for body in server.bodies)
    assert entries(done)[0]["system"] == "people" and len(entries(done)) == 4


def test_dry_run_counts_what_the_server_would_see(env):
    with Server(answer=answer) as server:
        forecast = generate(*MODEL, "--items", "2", "--dry-run", env={**env, **server.environment})
        assert server.requests == 0
    assert forecast.records[0]["dry_run"]["to_send"] == 6


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("--variant", "plain"), "--variant needs --model"),
        ((*MODEL, "--sections", "abstract,,"), "--sections"),
        ((*MODEL, "--system", " "), "--system: the name is empty"),
        ((*MODEL, "--items", "2", "--temperature", "0"), "--items 2 and --temperature 0 cannot be used together"),
    ],
)
def test_wrong_usage_is_one_line(args, said, env):
    result = generate(*args, env=env, status=2)
    assert said in result.err
