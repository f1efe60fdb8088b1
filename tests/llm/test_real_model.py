"""Tasks that ask a model, on a real one: it is small and its answers are poor, so that each fault is met.

Nothing may crash, no record may be lost, each refusal is told, and a replay gives the same bytes.
"""

from __future__ import annotations

import importlib.util
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import support.run
from support.claims import answer as answer_of_claims
from support.real_model import PACKAGES, serve
from support.run import ROOT, jsonl, st
from support.run_batch import run_batch
from support.server import Server, facets

MISSING = [name for name in PACKAGES if importlib.util.find_spec(name) is None]
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(bool(MISSING), reason=f"not installed: {', '.join(MISSING)} (make test-model)"),
]

ABSTRACT = "We ask why bees are few. We planted ten hedges. Bees came back within two years. So plant more hedges."
LATEX = "y = a + b c"
METHOD = f"Let $a$, $b$ and $c$ be counts. Then {LATEX} holds, and $y$ grows."
PAPER: dict[str, Any] = {
    "id": "p1",
    "title": "Hedges and bees",
    "abstract": ABSTRACT,
    "sections": [
        {"id": "s1", "number": None, "heading": "Introduction", "level": 1, "role": "introduction",
         "text": "Bees are few. We show that hedges bring bees back. Our method counts bees at each hedge."},
        {"id": "s2", "number": None, "heading": "Method", "level": 1, "role": "method", "text": METHOD},
        {"id": "s4", "number": None, "heading": "Experiments", "level": 1, "role": "experiment",
         "text": "We counted bees at ten hedges over two years. The count rose from 12 to 48."},
        {"id": "s3", "number": None, "heading": "Limitations", "level": 1, "role": "limitation",
         "text": "We studied one valley only. Rare species were not counted."},
    ],
    "equations": [{"id": "e1", "latex": LATEX, "label": None,
                   "span": {"in": "s2", "start": METHOD.index(LATEX), "end": METHOD.index(LATEX) + len(LATEX)}}],
    "reviews": [{"id": "r1", "text": "The claim that hedges bring bees back is not supported, since one valley was studied."}],
    "summaries": [{"system": "a", "text": "Hedges bring bees back. Plant more."}],
}  # fmt: skip
ITEMS = {
    "limitations": "Only one valley was studied.",
    "experiments": "Count bees at ten hedges over two years.",
    "explanations": "To see whether there are more bees.",
}
# Long enough to be cut into parts.
REVIEW = (
    "The paper is clear. However, the claim that hedges bring bees back is not supported, since only one valley was "
    "studied. Ten hedges are too few to tell chance from effect, and the authors count bees in June alone, when most "
    "fields flower anyway. I would like to see a second valley, a longer count, and hedges of other plants, before I "
    "believe what is said here."
)
# Each reply is short, and a failed one is not asked for again and again.
LIMITS = ("--max-tokens", "40", "--temperature", "0", "--retries", "1", "--timeout", "300", "--concurrency", "2")

Prepare = Callable[[dict[str, str]], bytes]


# Steps are given, which a model of this size writes only at length.
CRITERIA = {
    "task": "a summary of a paper",
    "aspects": [{"name": "clear", "definition": "How clear the summary is.", "scale": [1, 3], "low": "It is unclear.",
                 "high": "It is clear.", "steps": ["Read the summary.", "Judge how clear it is."]}],
}  # fmt: skip


@pytest.fixture(scope="session")
def criteria(tmp_path_factory) -> str:
    path = tmp_path_factory.mktemp("criteria") / "criteria.json"
    path.write_text(json.dumps(CRITERIA))
    return str(path)


def paper(*drop: str, **more: Any) -> bytes:
    return jsonl({name: value for name, value in {**PAPER, **more}.items() if name not in drop})


def after(
    *line: str, data: Callable[[dict[str, str]], bytes] = lambda _: paper(), played: Callable | None = None
) -> Prepare:
    """What a command makes, without a model or by one that is played so."""

    def prepare(env: dict[str, str]) -> bytes:
        if played is None:
            return st(*line, input=data(env)).out
        with Server(answer=played) as server:
            done = st(*line, "--model", "openai/played", input=data(env), env={**env, **server.environment})
        assert done.status == 0, done.err
        return done.out

    return prepare


def given(*names: str) -> Prepare:
    """The paper with lists of items, and those that a system generated."""
    items = {name: [{"id": "i1", "text": ITEMS[name]}] for name in names}
    generated = {name: [{"system": "a", "items": [{"id": "g1", "text": ITEMS[name]}]}] for name in names}
    if "limitations" in names:
        items["limitations"][0] |= {"origin": "author", "mode": "explicit"}
    return lambda _: paper(**items, generated=generated)


TARGETS = after("st-claims", "associate", data=after("st-claims", "weaknesses", data=after("st-claims", "extract")))


class Task(NamedTuple):
    """A command line, and what it reads."""

    line: tuple[str, ...]
    prepare: Prepare = lambda _: paper()
    more: tuple[str, ...] = ()


TASKS = [
    Task(("st-facets",)),
    Task(("st-extract-limits",)),
    Task(("st-claims", "select"), more=("--topic", "ecology")),
    Task(("st-claims", "extract"), lambda _: paper(sections=PAPER["sections"][:1])),
    Task(("st-claims", "weaknesses"), after("st-claims", "extract")),
    Task(("st-claims", "associate"), after("st-claims", "weaknesses", data=after("st-claims", "extract"))),
    Task(("st-claims", "label"), TARGETS),
    Task(("st-claims", "edit"), TARGETS),
    Task(("st-claims", "verify"), TARGETS, ("--side", "both")),
    Task(("st-claims", "contamination"), lambda _: paper(reviews=[{"id": "r1", "text": REVIEW}])),
    Task(("st-generate", "limitations"), after("st-extract-limits")),
    Task(("st-generate", "weaknesses")),
    Task(("st-generate", "experiments")),
    Task(("st-generate", "explanations"), given("experiments")),
    Task(("st-generate", "questions")),
    Task(("st-judge", "facets"), after("st-facets", played=facets)),
    Task(("st-judge", "match"), given("limitations")),
    Task(("st-judge", "entail"), given("experiments")),
    Task(("st-judge", "review"), lambda _: paper(reviews=[{"id": "r1", "text": REVIEW}]), ("--segment",)),
    Task(
        ("st-judge", "same-issue"),
        after("st-claims", "verify", "--side", "both", data=TARGETS, played=answer_of_claims),
    ),
    Task(("st-judge", "specificity"), after("st-claims", "edit", data=TARGETS, played=answer_of_claims)),
    Task(("st-judge", "rate"), more=("--candidate", "summaries")),
    Task(
        ("st-judge", "rate", "--method", "geval"),
        more=("--candidate", "summaries", "--weights", "logprobs", "--aspects", "CRITERIA"),
    ),
    Task(("st-eqsynth",), more=("--compile", "off", "--tries", "2")),
    Task(("st-judge", "equation"), after("st-eqsynth", "--per-paper", "1", "--compile", "off")),
]


@pytest.fixture(scope="session")
def address():
    with serve() as where:
        yield where


@pytest.fixture(autouse=True)
def patience(monkeypatch):
    monkeypatch.setattr(support.run, "TIMEOUT", 900)


def name_of(task: Task) -> str:
    return " ".join([*task.line, *task.more[-1:]]).replace("--", "")


#: All take some ten minutes; these are one of each way to ask.
ALWAYS = ("st-facets", "st-claims contamination", "st-generate explanations", "st-generate questions", "st-judge match",
          "st-judge entail", "st-judge rate method geval CRITERIA", "st-eqsynth 2", "st-judge equation")  # fmt: skip


@pytest.mark.parametrize(
    "task",
    [pytest.param(one, marks=[] if name_of(one) in ALWAYS else pytest.mark.exhaustive) for one in TASKS],
    ids=name_of,
)
def test_a_task_on_a_real_model(task: Task, address: str, criteria: str, tmp_path: Path):
    data = task.prepare({"ST_CACHE": str(tmp_path / "played")})
    env = {"ST_CACHE": str(tmp_path / "cache"), "HOSTED_VLLM_API_BASE": address}
    line = (
        *task.line,
        "--model",
        "hosted_vllm/smollm2",
        *LIMITS,
        *(criteria if one == "CRITERIA" else one for one in task.more),
    )
    done = st(*line, input=data, env=env, cwd=ROOT)
    told = f"{' '.join(line)}: {done.status}\n{done.err}"
    assert done.status in (0, 1) and "internal error" not in done.err, told
    assert re.search(r" [1-9]\d* calls? \(", done.err), told  # it did ask

    read, written = [json.loads(text) for text in data.splitlines()], done.records
    if task.line == ("st-eqsynth",):  # it makes questions, and passes on a paper of whose equations replies are missing
        assert written and {record.get("paper", record["id"]) for record in written} == {PAPER["id"]}, told
        read = [before if before["id"] == record["id"] else {} for record in written for before in read]
    else:
        assert [record["id"] for record in written] == [record["id"] for record in read], told
    for before, record in zip(read, written, strict=True):
        assert record.keys() >= before.keys() and (not before or record.get("sections") == before.get("sections"))
    new = [entry for record in written for entry in record.get("errors") or []]
    assert (done.status == 1) == bool(new), told
    for entry in new:
        assert entry["reason"] and entry["kind"] and entry["reason"][:60] in done.err, told
    for record in written:
        if not record.get("errors"):
            assert record["provenance"][-1]["endpoints"] == [address], told

    gone = {**env, "HOSTED_VLLM_API_BASE": "http://127.0.0.1:9/v1"}
    again = st(*line, "--replay", input=data, env=gone, cwd=ROOT)
    assert (again.status, again.out) == (done.status, done.out), again.err


def test_questions_in_files_on_a_real_model(address: str, tmp_path: Path):
    """Answered by a stand-in for `vllm run-batch`, which speaks the same files; corrections take further passes."""
    (tmp_path / "in.jsonl").write_bytes(paper() + paper(id="p2"))
    env = {"ST_CACHE": str(tmp_path / "cache"), "HOSTED_VLLM_API_BASE": address}
    line = ("st-facets", "--model", "hosted_vllm/smollm2", *LIMITS, tmp_path / "in.jsonl")
    for _ in range(6):
        done = st(*line, "--batch-file", tmp_path / "dir", env=env)
        if done.status != 5:
            break
        for part in (tmp_path / "dir").glob("part-????.jsonl"):
            if not (replies := part.with_suffix(".out.jsonl")).exists():
                run_batch(str(part), str(replies), address)
    assert done.status in (0, 1) and "internal error" not in done.err, done.err
    assert [record["id"] for record in done.records] == ["p1", "p2"]
    assert all(record.get("facets") or record.get("errors") for record in done.records)
    gone = {**env, "HOSTED_VLLM_API_BASE": "http://127.0.0.1:9/v1"}
    again = st(*line, "--replay", env=gone)
    assert (again.status, again.out) == (done.status, done.out), again.err
