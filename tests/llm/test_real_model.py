"""Tasks that ask a model, on a real one: it is small and its answers are poor, so that each fault is met.

Nothing may crash, no record may be lost, each refusal is told, and a replay gives the same bytes.
"""

from __future__ import annotations

import importlib.util
import json
import re
from pathlib import Path
from typing import Any

import pytest
import support.run
from support.model_tasks import CRITERIA, PAPER, TASKS, Task, name_of, paper
from support.real_model import PACKAGES, serve
from support.run import ROOT, st
from support.run_batch import run_batch

MISSING = [name for name in PACKAGES if importlib.util.find_spec(name) is None]
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(bool(MISSING), reason=f"not installed: {', '.join(MISSING)} (make test-model)"),
]

# Each reply is short, and a failed one is not asked for again and again.
LIMITS = ("--max-tokens", "40", "--temperature", "0", "--retries", "1", "--timeout", "300", "--concurrency", "2")


@pytest.fixture(scope="session")
def criteria(tmp_path_factory) -> str:
    path = tmp_path_factory.mktemp("criteria") / "criteria.json"
    path.write_text(json.dumps(CRITERIA))
    return str(path)


@pytest.fixture(scope="session")
def address():
    with serve() as where:
        yield where


@pytest.fixture(autouse=True)
def patience(monkeypatch):
    monkeypatch.setattr(support.run, "TIMEOUT", 900)


#: All take some ten minutes; these are one of each way to ask.
ALWAYS = ("st-facets", "st-claims contamination", "st-generate explanations", "st-generate questions", "st-judge match",
          "st-judge entail", "st-judge rate method geval CRITERIA", "st-eqsynth 2", "st-judge equation")  # fmt: skip


def check_records(task: Task, data: bytes, done: Any, told: str, address: str) -> None:
    """Each record is there with what it held, and every part that is missing is told."""
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
    is_fit = task.line[:2] == ("st-judge", "fit")  # it writes criteria, or says why it cannot
    assert done.status in ((0, 3, 4) if is_fit else (0, 1)) and "internal error" not in done.err, told
    assert re.search(r" [1-9]\d* calls? \(", done.err), told  # it did ask
    if not is_fit:
        check_records(task, data, done, told, address)
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
