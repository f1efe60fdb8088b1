"""Scores after judging that failed, and weaknesses that are there twice: told, and never a number without a word."""

from __future__ import annotations

import json

import pytest
from support.claims import targeted
from support.run import ROOT, jsonl, st
from support.server import Server

SYSTEMS = [{"system": "mine", "by": "m", "items": [{"id": "1", "text": "Only two raters."}]}]
RECORDS = {
    "match": {"id": "a", "limitations": [{"id": "1", "text": "Few raters."}], "generated": {"limitations": SYSTEMS}},
    "entail": {"id": "a", "experiments": [{"id": "1", "text": "Vary raters."}], "generated": {"experiments": SYSTEMS}},
    "review": {
        "id": "a",
        "title": "Bees",
        "abstract": "Bees decline.",
        "reviews": [
            {
                "id": "r1",
                "text": "Bad work.",
                "segments": [{"start": 0, "end": 9, "deficient": True, "explanation": "No reason."}],
            }
        ],
    },
}


def judge_in_vain(task: str, data: bytes, tmp_path) -> bytes:
    with Server(answer=lambda prompt: "I cannot say.") as server:
        result = st(
            "st-judge", task, "--model", "openai/judge", input=data,
            env={**server.environment, "ST_CACHE": str(tmp_path / "cache.db")},
        )  # fmt: skip
    assert result.status == 1, result.err
    return result.out


@pytest.mark.parametrize("task", RECORDS)
def test_a_table_after_judging_that_failed_says_so_and_ends_with_1(task, tmp_path):
    judged = judge_in_vain(task, jsonl(RECORDS[task]), tmp_path)
    table = st("st-score", task, "--table", input=judged)
    assert table.status == 1 and table.err.startswith(f"st-score: -:1: {task}: ")
    assert "missing" in table.err and "missing judgements, whose scores are not computed" in table.out.decode()
    (summary,) = st("st-score", task, "--summary", input=judged).records
    assert summary["failed"] == 0 and summary["n_unjudged"] > 0
    result = st("st-score", task, input=judged)
    (made,) = st("st-score", task, input=result.out).records
    told = [fault["task"] for fault in made["errors"] if fault["command"] == "st-score"]
    assert result.status == 1 and told == [task], "one entry, however often it is scored"


def test_a_score_of_judgements_that_are_there_later_takes_the_error_away(tmp_path):
    (lost,) = st("st-score", "match", input=judge_in_vain("match", jsonl(RECORDS["match"]), tmp_path)).records
    lost["judgements"]["match"][0]["pairs"] = [{"reference": "1", "candidate": "1", "match": True}]
    result = st("st-score", "match", input=jsonl(lost))
    assert all(fault["command"] != "st-score" for fault in result.records[0].get("errors", ()))
    assert result.records[0]["scores"][0]["values"]["f1"] == 1


def test_answers_to_equations_without_a_reply_end_with_1():
    options = [
        {"id": str(place), "correct": not place, "answer": None, "failed": True, "reason": "x"} for place in (0, 1)
    ]
    data = {"id": "a", "judgements": {"equation": [{"system": "s", "by": "m", "options": options}]}}
    result = st("st-score", "equations", "--table", input=jsonl(data))
    assert result.status == 1 and "-:1: equations: 2 judgements are missing (s)" in result.err


def twice(*, weakness: bool) -> dict:
    record = targeted(fixture())
    one = record["weaknesses"][0]
    one["targets"].append({**one["targets"][0], "system": "s"})
    labels = {"by": "m", "objectivity": 4, "agreement": 2, "types": ["novelty"]}
    one["labels"] = [{"system": "gold", **labels}, {"system": "s", **labels}]
    one["edited"] = [{"system": "s", "by": "m", "text": "Table 9 should say more."}]
    if weakness:
        record["weaknesses"].append(one)
    else:
        for key in ("targets", "labels", "edited"):
            one[key].append(one[key][-1])
    return record


def fixture() -> dict:
    with open(ROOT / "fixtures" / "claims.jsonl", encoding="utf-8") as lines:
        return json.loads(next(lines))


@pytest.mark.parametrize("metric", ["targets", "labels", "edits"])
@pytest.mark.parametrize("weakness", [True, False])
def test_what_is_there_twice_is_not_counted_twice(metric, weakness):
    result = st("st-score", metric, input=jsonl(twice(weakness=weakness)), is_described=False)
    assert result.status != 0 and "duplicate" in result.err


def test_a_target_or_an_item_that_is_there_twice_is_refused():
    record = targeted(fixture())
    record["weaknesses"][0]["targets"].append(
        {"system": "s", "items": record["weaknesses"][0]["targets"][0]["items"] * 2}
    )
    result = st("st-score", "targets", input=jsonl(record))
    assert result.status == 3 and 'by "s" have a duplicate "g10"' in result.err
    items = [{"id": "1", "text": "Few raters."}, {"id": "1", "text": "No code."}]
    soft = {"id": "a", "weaknesses": [{"id": "1", "review": "r1", "text": "Few raters."}]}
    result = st(
        "st-score", "soft", input=jsonl({**soft, "generated": {"weaknesses": [{"system": "s", "items": items}]}})
    )
    assert result.status == 3 and '"generated.weaknesses" has a duplicate "1"' in result.err


# What was asked of each weakness in vain, and what is there all the same.
IN_VAIN = {
    "targets": {"items": None, "reason": "the reply is no JSON"},
    "labels": {"objectivity": None, "agreement": None, "types": None},
    "edited": {"text": None, "reason": "the reply is no JSON"},
}


def with_gaps(key: str) -> dict:
    """Three weaknesses, of which the system has an answer to the first, was asked about the second in vain, and was not
    asked about the third."""
    record = targeted(fixture(), 3)
    answers = {
        "targets": record["weaknesses"][0]["targets"][0],
        "labels": {"objectivity": 4, "agreement": 2, "types": ["novelty"]},
        "edited": {"text": "Table 9 should say more."},
    }
    for place, weakness in enumerate(record["weaknesses"]):
        gold = {**answers[key], "system": "gold", "by": "gold"}
        own = {**(IN_VAIN[key] if place else answers[key]), "system": "s", "by": "m"}
        weakness[key] = [*([] if key == "edited" else [gold]), *([own] if place < 2 else [])]
    return record


@pytest.mark.parametrize("key", IN_VAIN)
def test_annotations_that_were_asked_for_in_vain_are_told(key):
    metric = {"edited": "edits"}.get(key, key)
    result = st("st-score", metric, input=jsonl(with_gaps(key)))
    (entry,) = result.records[0]["scores"]
    assert result.status == 1 and f"-:1: {metric}: 1 judgement is missing (s)" in result.err
    assert entry["n_unjudged"] == 1 and entry.get("n_missing", 0) == (key != "edited")


def test_the_built_in_labels_have_no_scale_and_are_an_answer():
    record = with_gaps("labels")
    record["weaknesses"][1]["labels"][1]["by"] = "builtin"
    assert st("st-score", "labels", input=jsonl(record)).status == 0


@pytest.mark.parametrize(
    ("task", "key"), [("same_issue", "verdict"), ("specificity", "winner")], ids=["same-issue", "specificity"]
)
def test_votes_that_differ_are_an_answer_and_missing_ones_are_not(task, key):
    sides = {"claim": "c", "reviewer": "v1", "model": "v2"} if task == "same_issue" else {"weakness": "w1"}
    order = {"same_issue": "reviewer-first", "specificity": "original-first"}[task]
    pair = {**sides, key: None, "votes": [{"order": order, key: None}]}
    statuses = {}
    for reason in ("inconsistent", "1 of 1 vote is missing"):
        judged = {"system": "s", "by": "m", "pairs": [{**pair, "reason": reason}], "report": {}}
        data = {"id": "a", "judgements": {task: [judged]}}
        statuses[reason] = st(
            "st-score", task.replace("_", "-"), "--table", input=jsonl(data), is_described=False
        ).status
    assert list(statuses.values()) == [0, 1]


def test_what_is_null_is_judged_nowhere_and_told(tmp_path):
    record = with_gaps("edited")
    for weakness in record["weaknesses"]:
        weakness["edited"] += [{"system": "t", "text": weakness["text"], "changed": False}]
    with Server(answer=lambda prompt: '{"more_specific": "tie"}') as server:
        env = {**server.environment, "ST_CACHE": str(tmp_path / "cache.db")}
        model = ("--model", "openai/judge", "--targets", "gold")
        result = st("st-judge", "specificity", *model, input=jsonl(record), env=env)
    assert result.status == 1 and "1 of 5 rewritings is null and left out: the reply is no JSON" in result.err
