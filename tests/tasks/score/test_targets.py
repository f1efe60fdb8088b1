"""Scores of targets: of which texts they are, and the place in the list."""

from __future__ import annotations

import copy
import json

import pytest
from support.claims import targeted
from support.everything import SYSTEMS, whole_record
from support.run import ROOT, jsonl, st

from scholartools.errors import InputFault
from scholartools.tasks.claims.marks import association_mark
from scholartools.tasks.score import score


def paper() -> dict:
    """Four weaknesses with targets of "gold" and of two systems, as st-claims associate writes them."""
    with open(ROOT / "fixtures" / "claims.jsonl", encoding="utf-8") as lines:
        record = targeted(json.loads(next(lines)), 4)
    for weakness in record["weaknesses"]:
        [gold] = weakness["targets"]
        mark = association_mark(weakness, record["claims"])
        weakness["targets"] += [{**gold, "system": name, "by": "m", "texts": mark} for name in ("s", "t")]
    return record


def swap(record: dict) -> None:
    first, last = (record["weaknesses"][place]["targets"] for place in (0, -1))
    first[1], last[1] = last[1], first[1]


OTHER_TEXTS = {
    "another weakness's text": lambda record: record["weaknesses"][0]["targets"][1].update(
        texts=association_mark(record["weaknesses"][1], record["claims"])
    ),
    "a wrong fingerprint": lambda record: record["weaknesses"][0]["targets"][1].update(texts="0123"),
    "targets of two weaknesses swapped": swap,
}


@pytest.mark.parametrize("change", OTHER_TEXTS.values(), ids=OTHER_TEXTS)
def test_targets_of_other_texts_are_refused_and_cost_no_other_system(change):
    record = paper()
    whole = {one["system"]: one for one in score(record, ["targets"])["scores"]}
    change(record)
    result = score(record, ["targets"])
    assert [one["system"] for one in result["scores"]] == ["t"] and result["scores"][0] == whole["t"]
    assert (
        "are for other texts than the record: run st-claims associate again; left out: s"
        in result["errors"][-1]["reason"]
    )
    alone = copy.deepcopy(record)
    for weakness in alone["weaknesses"]:
        del weakness["targets"][2]
    refused = st("st-score", "targets", input=jsonl(alone))
    assert refused.status == 3 and "for other texts" in refused.err


def test_without_claims_nothing_shows_what_the_targets_were_chosen_from():
    record = paper()
    del record["claims"]
    with pytest.raises(InputFault, match="the record has no claims"):
        score(record, ["targets"])
    for weakness in record["weaknesses"]:
        for entry in weakness["targets"]:
            entry["texts"] = association_mark(weakness, ())
    assert len(score(record, ["targets"])["scores"]) == 2


def test_reference_targets_of_other_texts_are_refused():
    record = paper()
    record["weaknesses"][2]["targets"][0]["texts"] = "0123"
    with pytest.raises(InputFault, match="for other texts"):
        score(record, ["targets"])


def test_two_claims_of_one_id_are_refused():
    record = paper()
    record["claims"].append(record["claims"][0])
    with pytest.raises(InputFault, match='"claims" has a duplicate'):
        score(record, ["targets"])


@pytest.mark.parametrize("n", range(1, 8))
def test_every_place_chosen_once_is_neutral_for_lists_of_any_length(n):
    record = paper()
    record["claims"] = [{**record["claims"][0], "id": f"x{place}"} for place in range(n)]
    for weakness in record["weaknesses"]:
        for entry in weakness["targets"]:
            entry["items"] = []
            entry.pop("texts", None)
        weakness["targets"][1]["ranks"] = list(range(1, n + 1))
    values = score(record, ["targets"])["scores"][0]["values"]
    assert values["n_first_half"] / values["n_ranked"] == 0.5


@pytest.mark.parametrize("seed", range(3))
def test_passages_that_are_no_longer_in_their_review_are_not_scored(seed):
    record = whole_record(seed)
    assert scored(record)[:2] == (0, [*SYSTEMS])
    moved = copy.deepcopy(record)
    moved["reviews"][0]["text"] = f"Thank you. {record['reviews'][0]['text']}"
    status, systems, told = scored(moved)
    assert (status, systems) == (3, []) and "differs from the text at its position" in told
    record["annotations"]["weaknesses"][0]["items"][0]["spans"][0]["start"] += 1
    status, systems, told = scored(record)
    assert (status, systems) == (1, [*SYSTEMS[1:]]) and f"left out: {SYSTEMS[0]}" in told


def scored(record: dict) -> tuple[int, list[str], str]:
    done = st("st-score", "weaknesses", input=jsonl(record))
    return done.status, [one["system"] for made in done.records for one in made.get("scores", ())], done.err
