"""Facet scores after judging that failed, in whole or in part: told, counted, never renormalised away."""

from __future__ import annotations

import json

import pytest
from support.run import jsonl, st
from support.scores import CANDIDATE, REFERENCE, record
from support.server import Server

# The abstract has background, method and result, and no conclusion; so has the summary, but for the background.
WHOLE = {**CANDIDATE, "background": "Bees are fewer."}
RATINGS = {"background": 3, "method": 4, "result": 2, "conclusion": None}


def rated(*, name: str = "r", system: str = "mine", **more) -> dict:
    """A record whose one summary has been rated; ``more`` goes into the judgement."""
    judged = {
        "system": system,
        "in": f"summary:{system}",
        "reference": "abstract",
        "by": "m",
        "ratings": RATINGS,
        **more,
    }
    return {**record(REFERENCE, {system: WHOLE}), "id": name, "judgements": {"facets": [judged]}}


def scored(data: dict, status: int = 0) -> dict:
    result = st("st-score", "facets", input=jsonl(data))
    assert result.status == status, result.err
    return result.records[0]


def judge_in_vain(tmp_path, *data: dict) -> bytes:
    with Server(answer=lambda prompt: "I cannot say.") as server:
        result = st(
            "st-judge", "facets", "--model", "openai/judge", input=jsonl(*data),
            env={**server.environment, "ST_CACHE": str(tmp_path / "cache.db")},
        )  # fmt: skip
    assert result.status == 1
    return result.out


def test_a_table_after_judging_that_failed_says_so_and_ends_with_1(tmp_path):
    data = [{**record(REFERENCE, {"mine": WHOLE}), "id": name} for name in "ab"]
    judged = judge_in_vain(tmp_path, *data)
    result = st("st-score", "facets", "--table", input=judged)
    text = result.out.decode()
    assert result.status == 1 and result.err.count("ratings of facets are missing") == 2
    assert result.err.startswith("st-score: -:1: 3 ratings of facets are missing, and with them the facet score: ")
    assert text.splitlines()[0].split()[-1] == "score"
    assert "mine: missing ratings of facets, whose facet scores are not computed: 6" in text
    (entry,) = st("st-score", "facets", "--summary", input=judged).records
    assert (entry["n"], entry["failed"], entry["n_unrated"]) == (2, 0, 6)
    score = entry["values"]["overall.score"]
    assert (score["n"], sum(score["nulls"].values())) == (0, 2)
    assert entry["values"]["overall.rouge1"]["n"] == 2, "what does not depend on the judge is there"
    assert entry["values"]["conclusion.score"]["nulls"] == {"no conclusion in the reference": 2}


def test_each_record_keeps_its_scores_and_tells_what_is_missing(tmp_path):
    judged = judge_in_vain(tmp_path, {**record(REFERENCE, {"mine": WHOLE}), "id": "a"})
    result = st("st-score", "facets", input=judged)
    (made,) = result.records
    assert result.status == 1 and made["scores"][0]["values"]["overall.rouge1"] > 0
    assert [fault["command"] for fault in made["errors"]] == ["st-judge", "st-score"]
    assert (made["errors"][1]["kind"], made["errors"][1]["missing"]) == ("missing-ratings", 3)
    again = scored(made, status=1)
    assert len(again["errors"]) == 2, "one entry, however often it is scored"


@pytest.mark.parametrize(
    "more",
    [
        {
            "missing": ["method"],
            "reasons": {"method": "reply not usable: x", "conclusion": "no conclusion in the reference"},
        },
        {"reasons": {"method": "reply not usable: x"}},
        {},
    ],
)
def test_a_facet_of_the_reference_without_a_rating_is_not_renormalised_away(more):
    data = rated(**more, ratings={**RATINGS, "method": None})
    made = scored(data, status=1)
    (entry,) = made["scores"]
    assert entry["values"]["overall.score"] is None and entry["reasons"]["overall.score"].startswith(
        "no rating of method"
    )
    assert (entry["values"]["background.score"], entry["values"]["method.score"]) == (1, None)
    assert entry["n_unrated"] == 1 and "n_renormalised" not in entry
    assert "reply not usable: x" in entry["reasons"]["method.score"] or not more
    healed = scored({**made, "judgements": rated()["judgements"]})
    assert "errors" not in healed and healed["scores"][0]["values"]["overall.score"] > 0


def test_a_facet_that_the_reference_lacks_is_renormalised_and_counted():
    (entry,) = scored(rated())["scores"]
    assert entry["values"]["overall.score"] == pytest.approx((0.1 + 0.3 + 0.3 * 0.5) / 0.7)
    assert entry["n_renormalised"] == 1 and "n_unrated" not in entry
    data = jsonl(rated(name="a"), rated(name="b", ratings={**RATINGS, "conclusion": 3}))
    (found,) = st("st-score", "facets", "--summary", input=data).records
    assert found["n_renormalised"] == 1
    table = st("st-score", "facets", "--table", input=data)
    assert table.status == 0
    assert b"mine: scores with renormalised weights, because the reference lacks a facet: 1 of 2" in table.out


def test_ratings_against_a_field_of_one_s_own_are_not_held_against_the_abstract():
    (entry,) = scored(rated(reference="mine.facets", ratings={**RATINGS, "method": None}))["scores"]
    assert entry["n_renormalised"] == 1 and entry["values"]["overall.score"] is not None


def test_one_system_that_failed_leaves_the_other_s_numbers_and_costs_status_1():
    data = rated()
    second = {**data["judgements"]["facets"][0], "system": "other", "ratings": {**RATINGS, "result": None},
              "missing": ["result"], "reasons": {"result": "no reply"}}  # fmt: skip
    data["judgements"]["facets"].append(second)
    result = st("st-score", "facets", "--summary", "--compare", "mine", "other", input=jsonl(data))
    mine, other, difference = result.records
    assert result.status == 1 and mine["values"]["overall.score"]["n"] == 1 and "n_unrated" not in mine
    assert other["n_unrated"] == 1 and difference["counts"]["n_unrated"] == [0, 1]
    assert difference["values"]["overall.score"]["nulls"] == [0, 1]


def test_errors_of_others_pass_through_untouched():
    for errors in ("broken", [], [{"command": "st-parse", "kind": "x", "reason": "y"}]):
        assert scored({**rated(), "errors": errors})["errors"] == errors
    assert json.dumps(scored({**rated(), "errors": None})["errors"]) == "null"


def test_a_failure_of_another_task_is_not_taken_for_one_of_facets():
    data = record(REFERENCE, {"mine": WHOLE})
    data["errors"] = [{"command": "st-judge", "task": "match", "kind": "reply", "reason": "x"}]
    (entry,) = scored(data)["scores"]
    assert "overall.score" not in entry["values"]


def test_an_empty_summary_counts_as_silence():
    data = record(REFERENCE, {"silent": dict.fromkeys(REFERENCE)})
    (entry,) = scored(data)["scores"]
    assert entry["n_empty"] == 1 and entry["values"]["overall.rouge1"] == 0
