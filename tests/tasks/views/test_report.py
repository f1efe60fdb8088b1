"""The report of a run: its numbers are those of st-score and st-agree, and what it says follows from them."""

from __future__ import annotations

import hashlib
import json
import re

import pytest
from support.pages import SCRIPT, Tree
from support.run import PAPER, ROOT, jsonl, shell, st

JUDGED = ROOT / "fixtures" / "score-judged.jsonl"


@pytest.fixture(scope="module")
def run(tmp_path_factory) -> dict:
    """The files of a run: judged records, their summaries with a comparison, and agreement."""
    folder = tmp_path_factory.mktemp("run")
    judged = st("st-judge", "match", ROOT / "fixtures" / "score-limitations.jsonl").out
    (folder / "scored.jsonl").write_bytes(st("st-score", "match", input=judged).out)
    (folder / "summary.jsonl").write_bytes(st("st-score", "--summary", "--compare", "lead-2", "model-a", JUDGED).out)
    (folder / "agree.jsonl").write_bytes(st("st-agree", "report", ROOT / "fixtures" / "ratings.jsonl").out)
    names = [folder / name for name in ("scored.jsonl", "summary.jsonl", "agree.jsonl")]
    return {"files": names, "page": st("st-view", "--report", *names).out.decode()}


def difference(value: float | None, p: float | None, reason: str | None = None) -> dict:
    part = {"value": value, "low": None, "high": None, "p": p, "p_holm": p, "reason": reason}
    test = {"t": None, "df": None, "p": None, "reason": None}
    one = {"n": 9, "unpaired": [0, 0], "nulls": [0, 0], "means": [0.5, 0.4], "difference": part, "t_test": test}
    return {
        "metric": "soft",
        "compare": ["a", "b"],
        "values": {"f1": {**one, "cohen_d": {"value": None, "reason": None}}},
    }


def alpha(value: float, low: float | None) -> dict:
    interval = {
        "low": low,
        "high": None if low is None else 0.99,
        "method": "jackknife",
        "confidence": 0.95,
        "over": "item",
    }
    return {"stat": "alpha", "label": "clear", "value": value, "n_items": 50, "n_raters": 3, "interval": interval}


def said(*results: dict) -> str:
    tree = Tree(st("st-view", "--report", input=jsonl(*results)).out.decode())
    return " ".join(text for where, text in tree.texts if " li." in where)


def test_numbers_are_those_of_the_results(run):
    page = Tree(run["page"])
    cells = {text for where, text in page.texts if " td." in where}
    for entry in map(json.loads, run["files"][1].open()):
        for value in entry["values"].values() if "system" in entry else ():
            for number in (value["mean"], value["low"], value["high"]):
                if number is not None:
                    assert any(
                        abs(float(cell) - number) < 5e-5
                        for cell in cells
                        if re.fullmatch(r"-?\d+(\.\d+)?(e-\d+)?", cell)
                    )
    for entry in map(json.loads, run["files"][2].open()):
        assert f"{entry['value']:.4f}".rstrip("0") in cells


def test_the_same_files_make_the_same_bytes_and_no_date(run):
    assert st("st-view", "--report", *run["files"]).out.decode() == run["page"]
    assert "2026" not in run["page"] and "Printed on 3 May" in st("st-view", "--report", "--date", "Printed on 3 May", *run["files"]).out.decode()  # fmt: skip


def test_steps_files_and_signatures_are_told(run):
    text = " ".join(text for _, text in Tree(run["page"]).texts)
    assert "st-judge match" in text and "threshold=0.69" in text and "BAGELS" in text
    for path in run["files"]:
        assert path.name in text
    record = json.loads(run["files"][0].read_bytes().splitlines()[0])
    assert all(step["signature"] in text for step in record["provenance"])
    results = [json.loads(line) for path in run["files"][1:] for line in path.open()]
    assert all(entry["signature"] in text for entry in results)


def test_a_pipe_has_no_fingerprint():
    done = shell(f"st-view --report <(cat {JUDGED})")
    assert done.status == 0
    assert b"read once, without a fingerprint" in done.out and hashlib.sha256(b"").hexdigest().encode() not in done.out


WRONG = [
    {"metric": "x", "system": "a", "values": {}},
    {"stat": "alpha", "value": 1},
    {"stat": ["x"], "value": 1},
    {"metric": "x", "compare": ["a"], "values": {}},
    {"metric": "x", "system": "a", "n": 3, "values": {"f1": 3}},
    {"metric": "x", "runs": 3},
    {"metric": None, "system": "a", "n": 3, "values": {}},
    {**difference(0.1, 0.01), "values": {"f1": {**difference(0.1, 0.01)["values"]["f1"], "nulls": []}}},
]


@pytest.mark.parametrize("wrong", WRONG, ids=str)
def test_a_result_of_another_shape_costs_itself_alone(wrong):
    done = st("st-view", "--report", input=jsonl(wrong, difference(0.1, 0.01)), is_described=False)
    assert done.status == 1 and "internal error" not in done.err
    assert b"a is higher by 0.1" in done.out


def test_a_method_is_said_of_what_was_run_alone():
    limits = st("st-extract-limits", input=st("st-parse", PAPER).out).out
    page = st("st-view", "--report", input=limits).out
    assert b"extracted as exact quotations, as in BAGELS" in page
    assert b"matched" not in page


@pytest.mark.parametrize(
    ("results", "sentence"),
    [
        ([difference(0.1, 0.01)], "a is higher by 0.1"),
        ([difference(-0.1, 0.01)], "b is higher by 0.1, p"),
        ([difference(0.0, 0.01)], "no difference is shown"),
        ([difference(0.1, 0.04996)], "a is higher by 0.1, p = 0.04996"),
        ([difference(0.1, 0.05)], "p = 0.05 ("),
        ([difference(0.1, 0.05001)], "no difference is shown (0.1, p = 0.05001"),
        ([difference(0.1, 0.01)], "on 9 items (few: the test is inaccurate)"),
        ([alpha(0.9, 0.79996)], "0.79996, permits only tentative conclusions"),
        ([{**alpha(0.9, 0.6669), "without": "z"}], "Alpha of clear without z: 0.9"),
        ([alpha(0.9, 0.6669)], "0.6669, is under 0.667"),
        ([difference(0.1, 0.2)], "no difference is shown"),
        ([difference(None, None, "no pairs")], "undecided: no pairs"),
        ([alpha(0.9, 0.85)], "reliable."),
        ([alpha(0.9, 0.7)], "permits only tentative conclusions"),
        ([alpha(0.9, 0.5)], "not shown to be reliable"),
        ([alpha(0.9, None)], "without an interval"),
    ],
)
def test_what_may_be_said_follows_from_the_numbers(results, sentence):
    assert sentence in said(*results)


def test_faults_are_counted_by_kind():
    fault = {"command": "st-judge", "kind": "no-reply", "reason": "timed out", "task": "match"}
    score = {"metric": "soft", "system": "a", "signature": "s", "values": {"f1": None}, "reasons": {"f1": "nothing"}}
    records = [{"id": str(n), "errors": [fault], "scores": [score]} for n in range(3)]
    cells = [
        text
        for where, text in Tree(st("st-view", "--report", input=jsonl(*records)).out.decode()).texts
        if " td." in where
    ]
    assert cells[:4] == ["st-judge match", "no-reply", "timed out", "3"]
    assert cells[4:8] == ["soft", "a", "nothing", "3"]


@pytest.mark.parametrize("bad", [{"errors": 7}, {"scores": [7]}, {"rejected": "x"}, {"judgements": []}, {"source": 7}])
def test_a_record_that_is_refused_is_in_no_number(bad):
    step = {"command": "st-facets", "version": "1", "signature": "s"}
    given = jsonl({"id": "a", "provenance": [step]}, {"id": "b", "provenance": [step], **bad})
    done = st("st-view", "--report", input=given)
    text = " ".join(text for _, text in Tree(done.out.decode()).texts)
    assert done.status == 1 and " 1 records." in text and "1 lines could not be read" in text
    cells = [text for where, text in Tree(done.out.decode()).texts if " td." in where]
    assert cells[:3] == ["st-facets", "1", "1"]


def test_nothing_becomes_markup_and_nothing_is_asked_for():
    score = {"metric": SCRIPT, "system": SCRIPT, "n": 2, "failed": 0, "values": {SCRIPT: {"n": 2, "mean": 0.5, "low": 0.1, "high": 0.9, "nulls": {SCRIPT: 1}}}}  # fmt: skip
    fault = {"command": SCRIPT, "kind": SCRIPT, "reason": SCRIPT}
    given = [
        score,
        {**score, "system": "b"},
        {"stat": SCRIPT, "value": 1, "label": SCRIPT},
        {"id": "p", "errors": [fault]},
    ]
    page = st("st-view", "--report", input=jsonl(*given)).out.decode()
    names = {name for name, _ in Tree(page).elements}
    assert names.isdisjoint({"script", "img"}) and "default-src 'none'" in page and SCRIPT[:20] not in page


def test_its_options_need_it():
    assert st("st-view", "--report", "--bundle", "nothing.gz", input=b"").status == 2
    done = st("st-view", "--bundle", JUDGED, input=b"")
    assert done.status == 2 and "--bundle needs --report" in done.err
    done = st("st-view", "--report", "--split", "3", input=b"")
    assert done.status == 2 and "--report cannot be used with --split" in done.err
