"""st-annotate agree and ratings join what judges said to what people said: of the same texts, refused answers included."""

from __future__ import annotations

import copy
import json

import pytest
from support.annotators import PAPERS, batch_of, fill_csv, key_of, questions_of
from support.run import jsonl, st
from support.scores import record as faceted

from scholartools.signature import fingerprint
from scholartools.tasks.claims.marks import association_mark, weakness_mark


@pytest.fixture
def papers(tmp_path):
    path = tmp_path / "papers.jsonl"
    path.write_bytes(jsonl(*PAPERS))
    return path


def answered(papers, kind, question, value):
    """A batch in which two raters gave the same answer to a question about every item."""
    batch = batch_of(papers, kind, "--design", "full", raters="anna,ben")
    st("st-annotate", "export", batch, "--to", "csv")
    blank = {one["name"]: None for one in questions_of(batch)}
    for rater in ("anna", "ben"):
        said = {(row["item"], 0): {**blank, question: value} for row in key_of(batch)}
        assert st("st-annotate", "import", batch, fill_csv(batch, rater, said)).status == 0
    return batch


def with_targets(record, *systems):
    made = copy.deepcopy(record)
    for weakness in made["weaknesses"]:
        mark = association_mark(weakness, made["claims"])
        weakness["targets"] = [{"system": one, "by": one, "items": [], "texts": mark} for one in systems]
    return made


def test_a_target_that_was_refused_is_no_right_answer_that_there_is_none(papers):
    """Two judges name no claim, as people do: one said nothing, and one invented a claim: both were right in all."""
    batch = answered(papers, "targets", "targets", [])
    judged = [with_targets(one, "quiet", "inventive", "both") for one in PAPERS]
    for record in judged:
        for weakness in record["weaknesses"]:
            refused = {"command": "st-claims", "step": "associate", "weakness": weakness["id"], "reason": "not there"}
            record.setdefault("rejected", []).extend(
                {**refused, "system": system, "text": "Bees can talk."} for system in ("inventive", "both")
            )
            # of two orders only what is chosen in both is given
            [entry] = [one for one in weakness["targets"] if one["system"] == "both"]
            entry["votes"] = [{"order": order, "targets": []} for order in ("given", "reversed")]
    done = st("st-annotate", "agree", batch, input=jsonl(*judged))
    found = {one["judge"]: one for one in done.records}
    assert done.status == 0, done.err
    assert found["quiet"]["equal"] == found["both"]["equal"] == 1 and "n_refused" not in found["both"]
    assert found["inventive"]["equal"] == 0 and found["inventive"]["n_refused"] == found["inventive"]["n"] > 0
    assert found["inventive"]["without_refused"]["equal"] == 1
    table = st("st-annotate", "agree", batch, "--table", input=jsonl(*judged)).out.decode()
    assert f"inventive, targets: {found['inventive']['n']} answers with a text that was refused" in table
    rows = st("st-annotate", "ratings", batch, "-", input=jsonl(*judged)).records
    assert {json.dumps(one["value"]) for one in rows if one["rater"] == "inventive"} == {'["Bees can talk."]'}
    assert {json.dumps(one["value"]) for one in rows if one["rater"] != "inventive"} == {"[]"}


# Texts that a later version of the record may have in place of those that people and judges read.
CHANGES = {
    "labels": lambda record: record["weaknesses"][0].update(text="Another fault."),
    "targets": lambda record: record["claims"][0].update(text="Another claim."),
    "limits-pairs": lambda record: record["limitations"][0].update(text="Another limitation."),
    "entailment": lambda record: record["experiments"][0].update(text="Another experiment."),
    "same-issue": lambda record: record["verifications"][0].update(text="Another criticism."),
    "specificity": lambda record: record["weaknesses"][0]["edited"][0].update(text="Another wording."),
    "segment-labels": lambda record: record["reviews"][0].update(text="X" * len(record["reviews"][0]["text"])),
}
JUDGED = {
    "limits-pairs": ("match", {"system": "secret-system", "by": "j", "pairs": [{"reference": "l1", "candidate": "1", "match": True}]}, "verdict", "same"),
    "entailment": ("entail", {"system": "secret-system", "by": "j", "candidates": [{"id": "1", "entailed": True}], "references": [{"id": "e1", "entailed": True}]}, "entailed", True),
    "same-issue": ("same_issue", {"system": "m", "by": "j", "pairs": [{"reviewer": "v1", "model": "v2", "verdict": "same"}]}, "verdict", "same"),
    "specificity": ("specificity", {"system": "secret-system", "by": "j", "pairs": [{"weakness": "w1", "winner": "revised"}]}, "winner", "revised"),
    "segment-labels": ("review", {"system": "j", "reviews": [{"id": "r1", "segments": [{"deficient": None, "answers": {"p": {"deficient": True}}}] * 2}]}, "deficient", True),
}  # fmt: skip


def judged_by_j(record, kind):
    made = copy.deepcopy(record)
    if kind in JUDGED:
        task, entry, *_ = JUDGED[kind]
        return {**made, "judgements": {task: [entry]}}
    if kind == "targets":
        return with_targets(made, "j")
    for weakness in made["weaknesses"]:
        weakness["labels"] = [{"system": "j", "by": "j", "objectivity": 3, "agreement": 3, "types": ["novelty"]}]
    return made


@pytest.mark.parametrize("kind", CHANGES)
def test_a_judge_of_other_texts_than_people_read_is_left_out(papers, kind):
    """The texts of all records but the first changed, and were judged anew: they counted as if people had read them."""
    question, value = {"labels": ("objectivity", 3), "targets": ("targets", [])}.get(kind) or JUDGED[kind][2:]
    batch = answered(papers, kind, question, value)
    changed = copy.deepcopy(PAPERS)
    for record in changed[1:]:
        CHANGES[kind](record)
    judged = [judged_by_j(one, kind) for one in changed]
    done = st("st-annotate", "agree", batch, input=jsonl(*judged))
    whole = st("st-annotate", "agree", batch, input=jsonl(*(judged_by_j(one, kind) for one in PAPERS)))
    (found,), (every,) = ([one for one in some.records if one["label"] == question] for some in (done, whole))
    assert whole.status == 0 and done.status == 1 and "another text in the record than in the batch" in done.err
    assert 0 < found["n"] < every["n"] == len({row["item"] for row in key_of(batch)})
    rows = st("st-annotate", "ratings", batch, "-", input=jsonl(*judged))
    own = {one["item"] for one in rows.records if one["rater"].startswith("j") and one["label"] == question}
    assert rows.status == 1 and len(own) == found["n"]


def test_a_judge_whose_answers_are_stale_costs_the_others_nothing(papers):
    """The record has the texts that people read, and one of two systems labelled an earlier text of each weakness."""
    batch = answered(papers, "labels", "objectivity", 3)
    judged = [judged_by_j(one, "labels") for one in PAPERS]
    for record in judged:
        for weakness in record["weaknesses"]:
            other = {**weakness["labels"][0], "system": "late", "by": "late", "texts": fingerprint("an earlier text")}
            weakness["labels"] = [{**weakness["labels"][0], "texts": weakness_mark(weakness)}, other]
    done = st("st-annotate", "agree", batch, input=jsonl(*judged))
    assert (
        done.status == 1 and "answers of judges left out" in done.err and "for other texts than the record" in done.err
    )
    assert {one["judge"] for one in done.records} == {"j"}


def test_ratings_of_facets_of_an_earlier_summary_are_refused():
    """The summary was written anew and its facets found anew: the facet score was still that of the earlier one."""
    texts = {"background": "Rain is wet.", "method": "We count drops.", "result": "Rain is wetter.", "conclusion": None}
    record = faceted(texts, {"a": texts, "b": texts})
    (judged,) = st("st-judge", "facets", input=jsonl(record)).records
    fresh = faceted(texts, {"a": {**texts, "method": "We guess."}, "b": texts})
    before, after = (
        st("st-score", "facets", input=jsonl(one))
        for one in (judged, {**judged, **{k: fresh[k] for k in ("summaries", "facets")}})
    )
    scores = [
        {one["system"]: one["values"]["overall.score"] for one in some.records[0]["scores"]} for some in (before, after)
    ]
    assert before.status == 0 and scores[0]["a"] == scores[0]["b"] is not None
    assert after.status == 1 and "about other texts than the record" in after.err
    assert scores[1] == {"a": None, "b": scores[0]["b"]}
