"""Vectors given in the record in place of an embedder: soft scores, ITF-IDF, explanations and entailment."""

from __future__ import annotations

import json
import math

import pytest
from support.run import ROOT, jsonl, st

from scholartools.text.embeddings.sentence import embedder

RECORDS = [json.loads(line) for line in (ROOT / "fixtures" / "score-limitations.jsonl").read_text().splitlines()]


def texts_in(value) -> list[str]:
    if isinstance(value, dict):
        return [text for one in value.values() for text in texts_in(one)]
    if isinstance(value, list):
        return [text for one in value for text in texts_in(one)]
    return [value] if isinstance(value, str) else []


def with_vectors(record: dict) -> dict:
    """The record with the default embedder's own vectors, each of another length."""
    texts = list(dict.fromkeys(texts_in(record)))
    rows = embedder().vectors(texts).astype(float)
    return {
        **record,
        "vectors": {
            "mine": {text: (row * (n + 1)).tolist() for n, (text, row) in enumerate(zip(texts, rows)) if row.any()}
        },
    }


def numbers(value) -> list[float]:
    if isinstance(value, dict):
        return [number for key, one in value.items() if key != "interval" for number in numbers(one)]
    if isinstance(value, list):
        return [number for one in value for number in numbers(one)]
    return [float(value)] if isinstance(value, (int, float)) else []


@pytest.mark.parametrize("args", [("soft",), ("soft", "--summary", "--itf-idf-items")])
def test_the_vectors_of_an_embedder_given_in_the_records_score_as_the_embedder_does(args):
    given = [with_vectors(record) for record in RECORDS]
    named = st("st-score", *args, input=jsonl(*RECORDS))
    read = st("st-score", *args, "--embedder", "vectors:mine", input=jsonl(*given))
    assert read.status == 0, read.err
    pick = (lambda record: record["scores"]) if len(args) == 1 else (lambda record: record)
    for one, other in zip(named.records, read.records, strict=True):
        assert numbers(pick(one)) == pytest.approx(numbers(pick(other)), abs=1e-6)
    marks = {
        entry["signature"] for record in (*named.records, *read.records) for entry in record.get("scores", [record])
    }
    assert len(marks) == 2 * sum(len(record.get("scores", [record])) for record in named.records)


WEAK = {
    "id": "p",
    "weaknesses": [{"id": "w", "review": "r", "text": "ref"}],
    "generated": {"weaknesses": [{"system": "m", "items": [{"id": "g", "text": "made"}]}]},
}


def soft(*records: dict, args=()):
    return st("st-score", "soft", "--embedder", "vectors:v", *args, input=jsonl(*records))


def test_soft_scores_of_vectors_by_hand_and_other_vectors_are_another_signature():
    halves = [
        soft({**WEAK, "vectors": {"v": {"ref": [2, 0], "made": [math.cos(angle), math.sin(angle)]}}})
        for angle in (math.pi / 3, math.pi / 4)
    ]
    scores = [done.records[0]["scores"][0] for done in halves]
    assert [one["values"]["precision"] for one in scores] == pytest.approx([0.5, math.sqrt(0.5)])
    assert scores[0]["signature"] != scores[1]["signature"]


@pytest.mark.parametrize(("vectors", "reason"), [
    (None, 'no "vectors": give the vectors'),
    ({"w": {}}, 'no "vectors.v": there are w'),
    ({"v": {"ref": [1, 0]}}, '"vectors.v" has no vector of "made"'),
    ({"v": {"ref": [1, 0], "made": [1]}}, '"made" has 1 numbers, another 2'),
    ({"v": {"ref": [0, 0], "made": [1, 1]}}, '"ref" has zeros alone'),
    ({"v": {"ref": ["1", 0]}}, '"vectors.v.ref.0": input should be a valid number'),
])  # fmt: skip
def test_what_is_no_vector_is_named_and_nothing_is_made_up(vectors, reason):
    done = soft({**WEAK, **({} if vectors is None else {"vectors": vectors})}, args=())
    assert done.status in (1, 3) and reason in done.err and "scores" not in done.records[0]


def test_vectors_of_other_lengths_are_not_compared_across_papers():
    two = {"v": {"ref": [1, 0], "made": [1, 1]}}
    three = {"v": {"ref": [1, 0, 0], "made": [1, 1, 0]}}
    explained = {
        "explanations": ["ref"], "generated": {"explanations": [{"system": "m", "items": [{"text": "made"}]}]}
    }  # fmt: skip
    for metric, record in [("soft", WEAK), ("entail", explained)]:
        given = [{**record, "id": str(n), "vectors": vectors} for n, vectors in enumerate([two, three, two])]
        done = st("st-score", metric, "--embedder", "vectors:v", "--summary", input=jsonl(*given))
        assert done.status == 1 and ':2: "vectors.v" are of 3 numbers, those of the first record of 2' in done.err
        assert (done.records[0]["n"], done.records[0]["failed"]) == (2, 1)


def test_no_items_need_no_vectors():
    empty = {**WEAK, "weaknesses": [], "generated": {"weaknesses": [{"system": "m", "items": []}]}}
    assert soft({**empty, "vectors": {"v": {}}}).status == 0


def test_a_metric_that_embeds_single_words_refuses_vectors():
    done = st("st-score", "text", "--embedder", "vectors:v", "--reference", "a", "--candidate", "b",
              input=jsonl({"a": "One.", "b": "Two.", "vectors": {"v": {"One.": [1, 0], "Two.": [0, 1]}}}))  # fmt: skip
    assert done.status == 3 and "only be used for soft scores and entailment" in done.err


def test_metrics_that_cannot_take_vectors_or_lack_them_are_missing_alone():
    [record] = [with_vectors(one) for one in RECORDS[:1]]
    for named in ((), ("soft", "match"), ("match", "soft")):
        done = st("st-score", *named, "--embedder", "vectors:mine", input=jsonl(record))
        assert done.status == 1 and {one["metric"] for one in done.records[0]["scores"]} - {"extraction"} == {"soft"}
        [told] = done.records[0]["errors"]
        assert (told["kind"], told["task"]) == ("missing-metric", "match") and "only be used" in told["reason"]

    judged = {"system": "m", "candidates": [{"entailed": True}], "references": [{"entailed": False}]}
    explained = {"explanations": ["ref"], "generated": {"explanations": [{"system": "m", "items": [{"text": "made"}]}]}}
    done = st(
        "st-score", "entail", "--embedder", "vectors:v", input=jsonl({"judgements": {"entail": [judged]}, **explained})
    )
    assert done.status == 1 and 'no "vectors"' in done.err
    values = done.records[0]["scores"][0]["values"]
    assert values["precision"] == 1 and "explanations.s_match" not in values


def test_explanations_and_entailment_take_vectors():
    record = {
        "id": "p",
        "experiments": [{"id": "x1", "text": "e"}],
        "explanations": [{"id": "x1", "text": "why"}],
        "generated": {
            "experiments": [{"system": "m", "items": [{"id": "g1", "text": "near"}, {"id": "g2", "text": "far"}]}],
            "explanations": [{"system": "m", "items": [{"id": "x1", "text": "because"}]}],
        },
        "vectors": {"v": {"e": [1, 0], "near": [4, 3], "far": [3, 4], "why": [1, 1], "because": [0, 1]}},
    }
    judged = st("st-judge", "entail", "--embedder", "vectors:v", input=jsonl(record))
    assert judged.status == 0, judged.err
    [entry] = judged.records[0]["judgements"]["entail"]
    assert [(one["entailed"], one["similarity"]) for one in entry["candidates"]] == [(True, 0.8), (False, 0.6)]
    assert judged.records[0]["provenance"][-1]["options"]["embedder"].startswith("vectors:v@")
    scored = st("st-score", "entail", "--embedder", "vectors:v", input=judged.out)
    values = scored.records[0]["scores"][0]["values"]
    assert values["precision"] == 0.5 and values["recall"] == 1
    assert values["explanations.s_match"] == pytest.approx(math.sqrt(0.5))
