"""An entry that names no system, or is null, costs none of the systems beside it, and is told."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from scholartools.tasks import score

FIXTURES = Path(__file__).parents[3] / "fixtures"
NAMELESS: list[Any] = [
    None, 5, True, [], {}, [None], [5], [[]], {"a": 1}, {"items": None}, {"items": 5}, {"items": [None]}, {"text": None}, {"items": [5, {"text": "one"}]},
]  # fmt: skip


def _record() -> dict[str, Any]:
    """The first paper of the fixtures, with two systems of each kind."""
    record: dict[str, Any] = {}
    for name in ("score-limitations", "score-judged", "summaries"):
        with (FIXTURES / f"{name}.jsonl").open() as lines:
            _merge(record, next(row for line in lines if (row := json.loads(line))["id"] == "bees"))
    record["explanations"] = [
        {"id": "e1", "text": "to see the effect"},
        {"id": "e2", "text": "to see which part matters"},
    ]
    record["claims"] = ["One claim here is made.", "A second claim is also made."]
    own = {"claims": ["One claim here is made.", "Another one."], "explanations": ["to see the effect", "nothing"]}
    for key, (first, second) in own.items():
        systems = (
            ("m", [{"id": "e1", "text": first}]),
            ("k", [{"id": "e1", "text": second}, {"id": "e2", "text": first}]),
        )
        record["generated"][key] = [{"system": system, "items": items} for system, items in systems]
    return record


def _merge(record: dict[str, Any], other: dict[str, Any]) -> None:
    for key, value in other.items():
        if isinstance(value, dict) and isinstance(record.get(key), dict):
            _merge(record[key], value)
        else:
            record[key] = copy.deepcopy(value)


def _values(record: dict[str, Any]) -> dict[tuple, Any]:
    found = score.score(copy.deepcopy(record))
    return {(one["metric"], one["system"], one.get("review")): one["values"] for one in found["scores"]}


def _lists(record: dict[str, Any]) -> list[tuple[str, str]]:
    groups = (("generated", record["generated"]), ("judgements", record["judgements"]))
    return [(key, name) for key, group in groups for name, entries in group.items() if isinstance(entries, list)]


RECORD = _record()


@pytest.mark.parametrize(("key", "name"), _lists(RECORD))
def test_a_nameless_entry_costs_no_system(key: str, name: str) -> None:
    right = _values(RECORD)
    assert right
    for entry in NAMELESS:
        for place in (0, 1, len(RECORD[key][name])):
            record = copy.deepcopy(RECORD)
            record[key][name].insert(place, entry)
            found = score.score(copy.deepcopy(record))
            values = {(one["metric"], one["system"], one.get("review")): one["values"] for one in found["scores"]}
            assert {owner: values.get(owner) for owner in right} == right, (entry, place)
            if key == "judgements" or values == right:
                assert "names no system" in json.dumps(found.get("errors")), (entry, place)
