"""Two sets or entries of one author about one thing: which one is meant is not known, so none is taken in silence."""

from __future__ import annotations

import copy
import json

import pytest
from support.claims import targeted
from support.run import ROOT, jsonl, st

from scholartools.errors import InputFault
from scholartools.tasks.claims.base import entry_of

RECORD = targeted(json.loads((ROOT / "fixtures" / "claims.jsonl").read_text().splitlines()[0]))


@pytest.fixture(scope="module")
def rated() -> dict:
    """A record with the sets of two raters for each review."""
    record = {key: value for key, value in RECORD.items() if key != "weaknesses"}
    for rater in ("g", "m"):
        [record] = st("st-claims", "weaknesses", "--rater", rater, input=jsonl(record)).records
    return record


def test_two_sets_of_a_rater_for_one_review(rated):
    assert st("st-score", "weaknesses", "--reference", "g", input=jsonl(rated)).status == 0
    doubled = copy.deepcopy(rated)
    sets = doubled["annotations"]["weaknesses"]
    sets.append({**sets[-1], "items": []})
    for line in (["st-score", "weaknesses", "--reference", "g"], ["st-claims", "weaknesses", "--rater", "n"]):
        done = st(*line, input=jsonl(doubled, rated))
        name = sets[-1]["review"]
        assert f'"annotations.weaknesses" has two sets of "m" for the review {name}' in done.err
        assert done.status == 1 and [bool(record.get("errors")) for record in done.records] == [True, False]


@pytest.mark.parametrize("key", ["targets", "labels", "edited"])
def test_two_entries_of_a_system_for_one_weakness(key):
    one, other = ({"system": name, "by": name} for name in ("m", "n"))
    assert entry_of({"id": "w1", key: [one, other]}, key, {"system": "m"}) is one
    assert entry_of({"id": "w1", key: [other]}, key, {"system": "m"}) is None
    with pytest.raises(InputFault, match=f'weakness w1 has two entries of "m" under "{key}"'):
        entry_of({"id": "w1", key: [one, other, dict(one)]}, key, {"system": "m"})
