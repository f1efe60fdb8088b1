"""Tasks that ask a model, on a real one: it is small and its answers are poor, so that each fault is met.

Nothing may crash, no record may be lost, each refusal is told, and a replay gives the same bytes.
"""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import support.run
from support.real_model import PACKAGES, serve
from support.run import ROOT, jsonl, st

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
    "reviews": [{"id": "r1", "text": "The paper is clear. However, the claim that hedges bring bees back is not supported, "
                                     "since only one valley was studied. Ten hedges are too few to tell chance from "
        "effect, and the authors count bees in June alone, when most fields flower anyway. I would like to see a "
        "second valley, a longer count, and hedges of other plants, before I believe what is said here."}],
    "summaries": [{"system": "a", "text": "Hedges bring bees back. Plant more."}],
}  # fmt: skip
ITEMS = {
    "limitations": "Only one valley was studied.",
    "experiments": "Count bees at ten hedges over two years.",
    "explanations": "To see whether there are more bees.",
}
# Each reply is short, and a failed one is not asked for again and again.
LIMITS = ("--max-tokens", "40", "--temperature", "0", "--retries", "1", "--timeout", "300", "--concurrency", "2")

Prepare = Callable[[dict[str, str]], bytes]


def paper(*drop: str, **more: Any) -> bytes:
    return jsonl({name: value for name, value in {**PAPER, **more}.items() if name not in drop})


def after(*line: str) -> Prepare:
    """What a command makes of the paper without a model."""
    return lambda _: st(*line, input=paper()).out


def given(*names: str) -> Prepare:
    """The paper with lists of items, and those that a system generated."""
    items = {name: [{"id": "i1", "text": ITEMS[name]}] for name in names}
    generated = {name: [{"system": "a", "items": [{"id": "g1", "text": ITEMS[name]}]}] for name in names}
    if "limitations" in names:
        items["limitations"][0] |= {"origin": "author", "mode": "explicit"}
    return lambda _: paper(**items, generated=generated)


class Task(NamedTuple):
    """A command line, and what it reads."""

    line: tuple[str, ...]
    prepare: Prepare = lambda _: paper()
    more: tuple[str, ...] = ()


TASKS = [
    Task(("st-claims", "select"), more=("--topic", "ecology")),
    Task(("st-generate", "limitations"), after("st-extract-limits")),
    Task(("st-generate", "weaknesses")),
    Task(("st-generate", "experiments")),
    Task(("st-generate", "explanations"), given("experiments")),
    Task(("st-generate", "questions")),
]


@pytest.fixture(scope="session")
def address():
    with serve() as where:
        yield where


@pytest.fixture(autouse=True)
def patience(monkeypatch):
    monkeypatch.setattr(support.run, "TIMEOUT", 900)


@pytest.mark.parametrize("task", TASKS, ids=lambda task: " ".join([*task.line, *task.more[-1:]]).replace("--", ""))
def test_a_task_on_a_real_model(task: Task, address: str, tmp_path: Path):
    data = task.prepare({"ST_CACHE": str(tmp_path / "played")})
    env = {"ST_CACHE": str(tmp_path / "cache"), "HOSTED_VLLM_API_BASE": address}
    line = (*task.line, "--model", "hosted_vllm/smollm2", *LIMITS, *task.more)
    done = st(*line, input=data, env=env, cwd=ROOT)
    told = f"{' '.join(line)}: {done.status}\n{done.err}"
    assert done.status in (0, 1) and "internal error" not in done.err, told
    assert "calls (" in done.err and " 0 calls (" not in done.err, told  # it did ask

    read, written = [json.loads(text) for text in data.splitlines()], done.records
    assert [record["id"] for record in written] == [record["id"] for record in read], told
    for before, record in zip(read, written):
        assert record.keys() >= before.keys() and record["sections"] == before["sections"]
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
