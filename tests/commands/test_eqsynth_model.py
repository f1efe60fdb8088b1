"""st-eqsynth with a model from outside: proposals that certificates decide on, filter, replay, dry run, bad replies."""

from __future__ import annotations

import json
import re

import pytest
from support.run import jsonl, st
from support.server import Server

from scholartools.tasks.equations.questions.proposals import find_change
from scholartools.tasks.equations.trees.typesetting import typeset

MODEL = ("--model", "openai/mock", "--compile", "off")
LATEX = "y = a + b c - \\frac{d}{e}"
WRONG = ["y = a - b c - \\frac{d}{e}", "y = a + b c - \\frac{e}{d}", "y = a + b c^2 - \\frac{d}{e}"]


def record(latex: str = LATEX, text: str = "Let $a b c d e$ be. @ More of $y$.", name: str = "p") -> dict:
    start = text.index("@")
    span = {"in": "s1", "start": start, "end": start + len(latex)}
    section = {"id": "s1", "number": None, "heading": "One", "level": 1, "role": "method", "pages": [],
               "text": text.replace("@", latex)}  # fmt: skip
    return {"id": name, "title": "A title", "sections": [section],
            "equations": [{"id": "e1", "latex": latex, "span": span, "label": None}]}  # fmt: skip


def proposals(*texts: str, aligned=lambda latex: {"aligned": True, "undefined": []}):
    """A model that proposes these in turn, over and over, and judges notation by a function of the option."""
    n_asked = 0

    def answer(messages: list[dict]) -> str:
        nonlocal n_asked
        if '"aligned": true' in messages[1]["content"]:
            return json.dumps(aligned(shown(messages)))
        n_asked += 1
        return json.dumps({"latex": texts[(n_asked - 1) % len(texts)], "change": f"change {n_asked}"})

    return answer


def shown(messages: list[dict]) -> str:
    """The equation that a prompt quotes."""
    return re.search(
        r"(?:in LaTeX:|for that place:)\n(text-[0-9a-f]+)\n(.*?)\n\1$", messages[1]["content"], re.S | re.M
    )[2]


@pytest.fixture
def cache(tmp_path):
    return {"ST_CACHE": str(tmp_path / "cache.sqlite")}


def synth(env: dict, *args: str, data: dict | None = None):
    return st("st-eqsynth", *MODEL, *args, input=jsonl(data or record()), env=env)


def test_a_square_of_two_proposals_is_certified_and_verified(cache):
    with Server({"fence": 0.5}, answer=proposals(*WRONG)) as server:
        done = synth({**cache, **server.environment})
    assert done.status == 0, done.err
    [question] = done.records
    assert len(server.bodies) == 2 and {body["temperature"] for body in server.bodies} == {1.0}
    wrong = [option for option in question["options"] if not option["correct"]]
    assert {option["origin"] for option in wrong} == {"openai/mock"}
    assert {option["certificate"]["verdict"] for option in wrong} == {"different"}
    assert sorted(len(option["edits"]) for option in wrong) == [1, 1, 2]
    single = {option["latex"] for option in wrong if len(option["edits"]) == 1}
    assert single < {typeset(latex) for latex in WRONG}
    ops = {edit["op"] for option in wrong for edit in option["edits"]}
    assert ops <= {"sign", "fraction", "exponent"} and len(ops) == 2, "changes that a rule makes have its name"
    assert all(edit["change"].startswith("change") for option in wrong for edit in option["edits"])
    assert question["provenance"][-1]["model"] == "openai/mock" and len(question["provenance"][-1]["calls"]) == 2
    assert st("st-eqsynth", "--verify", input=done.out).status == 0
    again = synth(cache, "--replay")
    assert (again.status, again.out) == (0, done.out)


def test_a_star_takes_as_many_proposals_as_it_needs_and_none_twice(cache):
    with Server(answer=proposals(WRONG[0], WRONG[0], "y = -b c + a - \\frac{d}{e}", *WRONG)) as server:
        done = synth({**cache, **server.environment}, "--design", "star")
    [question] = done.records
    wrong = [option["latex"] for option in question["options"] if not option["correct"]]
    assert sorted(wrong) == sorted(map(typeset, WRONG))


@pytest.mark.parametrize(("latex", "reason"), [
    ("y = b c + a - \\frac{d}{e}", "says the same"),
    ("y = a + b c - d e^{-1}", "says the same"),
    ("z = a + b c - \\frac{d}{e}", "the side that the equation defines"),
    ("y = a", "about as long"),
    ("y = a + b c - \\frac{d}{e", "cannot be read"),
    ("y = a + \\foo{b} c - \\frac{d}{e}", "cannot be read"),
    ("y = a + b c - \\frac{d}{e}, \\quad u = v", "as many statements"),
])  # fmt: skip
def test_a_proposal_that_is_no_wrong_version_is_refused_with_the_reason(cache, latex, reason):
    """Whatever a model claims: it is told once, then its attempt is lost, and the tries end."""
    with Server(answer=proposals(latex)) as server:
        done = synth({**cache, **server.environment}, "--tries", "3")
    [paper] = done.records
    [entry] = paper.pop("errors")
    assert done.status == 1 and paper == record()
    assert "proposals of a model" in done.err and reason in done.err and entry["reason"] in done.err
    assert (entry["missing"], entry["of"], entry["parts"]) == (3, 3, ["p#e1"]) and reason in str(entry["reasons"])
    assert any(reason in str(body["messages"][-1]) for body in server.bodies)
    assert len(server.bodies) == 6, "three tries, each asked once more"


def test_a_reply_that_cannot_be_read_costs_its_try_alone(cache):
    told = iter(["no json", "none again", *(json.dumps({"latex": one, "change": "c"}) for one in WRONG)] * 2)
    with Server(answer=lambda _: next(told)) as server:
        done = synth(
            {
                **cache,
                **server.environment,
            },
            "--concurrency",
            "1",
        )
    [question] = done.records
    assert len([option for option in question["options"] if not option["correct"]]) == 3
    lost = [one for one in question["rejected"] if "reply not usable" in one["reason"]]
    entries = question.get("errors") or []
    assert done.status == bool(lost) and [entry["missing"] for entry in entries] == [len(lost)] * bool(lost)


def test_a_paper_with_a_question_too_says_of_which_equation_replies_are_missing(cache):
    """The question is there as ever; the paper comes after it, as it was but for what is missing."""
    paper = record()
    other = {"id": "e2", "latex": "z = a + c", "label": None,
             "span": {"in": "s1", "start": len(paper["sections"][0]["text"]) + 1}}  # fmt: skip
    other["span"]["end"] = other["span"]["start"] + len(other["latex"])
    paper["sections"][0]["text"] += f" {other['latex']}"
    paper["equations"].append(other)
    with Server(answer=proposals(*WRONG)) as server:
        done = synth({**cache, **server.environment}, "--tries", "2", "--concurrency", "1", data=paper)
        again = synth({**cache, **server.environment}, "--replay", "--tries", "2", data=paper)
    question, told = done.records
    assert (question["id"], told["id"]) == ("p#e1", "p") and done.status == 1
    assert [entry["parts"] for entry in told["errors"]] == [["p#e2"]]
    assert {**told, "errors": None} == {**paper, "errors": None}
    assert (again.status, again.out) == (done.status, done.out)


def test_too_few_is_counted_and_fails_only_where_it_is_required(cache):
    with Server(answer=proposals(WRONG[0])) as server:
        env = {**cache, **server.environment}
        done = synth(env, "--tries", "4")
        assert (done.status, done.out) == (0, b"") and "only 1 of 2 proposals of a model" in done.err
        assert len(server.bodies) == 4
        failed = synth(env, "--tries", "4", "--require", "1")
    assert failed.status == 1 and "only 0 of 1 questions" in failed.err


@pytest.mark.parametrize("said", ["no JSON", '{"latex": "y = \\\\frac{", "change": "c"}'])
def test_too_few_for_want_of_replies_names_what_is_missing(cache, said):
    """As without --require: how many replies, why, of which equation, the first reply and the calls."""
    with Server(answer=lambda messages: said) as server:
        env = {**cache, **server.environment}
        [told] = synth(env, "--tries", "2").records
        failed = synth(env, "--tries", "2", "--require", "1")
    lost, entry = told["errors"][0], failed.records[0]["errors"][0]
    assert (
        failed.status == 1 and entry["kind"] == "too-few" and "2 of 2 replies about equations are missing" in failed.err
    )
    assert {key: entry[key] for key in ("missing", "of", "reasons", "parts", "calls", "reply")} == {
        key: lost[key] for key in ("missing", "of", "reasons", "parts", "calls", "reply")
    }


def undefined(*letters: str):
    """A model that finds these letters undefined where they stand."""

    def judge(latex: str) -> dict:
        found = [letter for letter in letters if letter in latex]
        return {"aligned": not found, "undefined": found}

    return judge


STRANGE = ["y = a + b c - \\frac{d}{q}", "y = u + b c - \\frac{d}{e}", "y = a + b s - \\frac{d}{e}"]


@pytest.mark.parametrize(("texts", "args", "n_made"), [
    (WRONG, (), 1), ([WRONG[0], *STRANGE[:2]], (), 1), ([WRONG[0], *STRANGE[:2]], ("--all-aligned",), 0),
    (STRANGE, (), 0),
])  # fmt: skip
def test_a_question_goes_where_no_wrong_option_is_aligned(cache, texts, args, n_made):
    """The published rule: all three must be unaligned; --all-aligned drops it for one."""
    with Server(answer=proposals(*texts, aligned=undefined("q", "u", "s"))) as server:
        done = synth({**cache, **server.environment}, "--design", "star", "--filter", "model", *args)
    assert len(done.records) == n_made and done.status == 0
    if n_made:
        found = {tuple(option["undefined"]) for option in done.records[0]["options"] if not option["correct"]}
        assert found == ({()} if texts == WRONG else {(), ("q",), ("u",)})
        assert list(done.records[0]["provenance"][-1]["prompts"]) == ["eqsynth", "eqsynth-aligned"]
    else:
        assert "notation of the text" in done.err


@pytest.mark.parametrize("reply", [
    {"aligned": False, "undefined": []}, {"aligned": True, "undefined": ["q"]}, {"aligned": False, "undefined": ["z"]},
    {"aligned": False, "undefined": ["b"]},
])  # fmt: skip
def test_an_alignment_that_cannot_be_is_refused_and_then_unknown(cache, reply):
    """A symbol that is not in the option, or that a formula of the text has; a verdict that says otherwise."""
    with Server(answer=proposals(*STRANGE, aligned=lambda _: reply)) as server:
        done = synth({**cache, **server.environment}, "--design", "star", "--filter", "model")
    [question] = done.records
    assert done.status == 1
    assert {option["aligned"] for option in question["options"] if not option["correct"]} == {None}
    assert [(entry["kind"], entry["missing"]) for entry in question["errors"]] == [("missing-parts", 3)]


def test_a_dry_run_counts_the_least_that_is_asked(cache):
    env = {**cache, "OPENAI_API_KEY": "none"}
    two = jsonl(record(), record("z = a \\sum_{i=1}^n b_i + c", name="p2"))
    done = st("st-eqsynth", "--model", "openai/gpt-4o-mini", "--compile", "off", "--dry-run", input=two, env=env)
    told = done.records[0]["dry_run"]
    assert (told["to_send"], told["may_send"]) == (4, 16), "two changes for each square, ten tries for each equation"
    assert "4 calls to send, up to 16 more as the replies may be" in done.err


@pytest.mark.parametrize(("texts", "args"), [
    (["y = a"], ()), (WRONG, ()), ([WRONG[0]], ("--tries", "3")), (STRANGE, ("--design", "star", "--filter", "model")),
])  # fmt: skip
def test_no_more_is_asked_than_a_dry_run_says(cache, texts, args):
    """However bad the replies; what is asked once more because its reply cannot be used is the same question."""
    papers = [several(3, "p"), several(1, "q")]
    with Server(answer=proposals(*texts, aligned=undefined("q", "u", "s"))) as server:
        env = {**cache, **server.environment}
        line = ("st-eqsynth", *MODEL, *args, "--per-paper", "1")
        told = st(*line, "--dry-run", input=jsonl(*papers), env=env).records[0]["dry_run"]
        st(*line, input=jsonl(*papers), env=env)
    n_asked = sum(len(body["messages"]) == 2 for body in server.bodies)
    assert told["to_send"] <= n_asked <= told["to_send"] + told.get("may_send", 0)
    if texts == ["y = a"]:
        assert n_asked == told["to_send"] + told["may_send"] == 40


def several(count: int, name: str) -> dict:
    """A paper with some equations of one form."""
    made = record(name=name)
    for number in range(2, count + 1):
        text, latex = made["sections"][0]["text"], LATEX.replace("y", f"y_{number}")
        span = {"in": "s1", "start": len(text) + 1, "end": len(text) + 1 + len(latex)}
        made["sections"][0]["text"] = f"{text} {latex}"
        made["equations"].append({"id": f"e{number}", "latex": latex, "span": span, "label": None})
    return made


@pytest.mark.parametrize("args", [
    ("--tries", "3"), ("--filter", "model"), ("--model", "openai/mock", "--ops", "sign"),
    ("--model", "openai/mock", "--table"), ("--model", "openai/mock", "compare"),
])  # fmt: skip
def test_options_that_make_no_sense_are_refused(args):
    assert st("st-eqsynth", *args, input="").status == 2


@pytest.mark.parametrize(("one", "other", "change"), [
    ("y = a + b", "y = a - b", (6, 7, "-")),
    ("y = \\frac{a}{b}", "y = \\frac{b}{a}", None),
    ("y = \\sqrt{a + b}", "y = a + b", None),
    ("y = a", "y = aa", None),
    ("x = \\left( a + b \\right) c", "x = a + b c", None),
])  # fmt: skip
def test_the_change_between_two_formulas_makes_one_of_the_other(one, other, change):
    one, other = typeset(one), typeset(other)
    start, end, new = find_change(one, other)
    assert typeset(f"{one[:start]} {new} {one[end:]}") == other
    assert change is None or (start, end, new) == change
