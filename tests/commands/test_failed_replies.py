"""A run in which a model gives nothing usable of a record: what an earlier run made does not stand for its result."""

from __future__ import annotations

import json

import pytest
from support import claims, limits
from support.model_runs import MODEL
from support.run import ROOT, jsonl, st
from support.server import SENTENCE, Server, facets

PAPER = json.loads((ROOT / "fixtures" / "claims.jsonl").read_text().splitlines()[0])

# The command, the key it writes, and what of an earlier run is to stay beside.
CASES = {
    "facets": (["st-facets"], "facets", None),
    "limits": (["st-extract-limits", "--reach", "paper"], "limitations", None),
    "claims": (["st-claims", "extract"], "claims", None),
    "claims of a system": (["st-claims", "extract", "--system", "one"], "generated.claims", "other"),
    "topic": (["st-claims", "select", "--topic", "rain"], "topic", None),
    "contamination": (["st-claims", "contamination", "--system", "one"], "contamination", "other"),
}


def said_well(messages: list[dict]) -> str:
    """A usable reply to each, with a quotation that is nowhere where there may be one."""
    if '"limitations": [' in str(messages):
        return limits.items_of(("One", SENTENCE.search(limits.fenced(messages))[0].strip()), ("Two", "Nowhere at all."))
    return claims.answer(messages) if claims.is_asked(messages) else facets(messages)


def at(record: dict, path: str):
    for key in path.split("."):
        record = (record or {}).get(key)
    return record


@pytest.mark.parametrize("name", CASES)
def test_what_an_earlier_run_made_goes(tmp_path, name):
    (command, *args), path, beside = CASES[name]
    env = {"ST_CACHE": str(tmp_path / "earlier")}
    earlier = PAPER
    with Server(answer=said_well) as server:
        for system in ([["--system", beside]] if beside else []) + [[]]:
            done = st(command, *args, *system, *MODEL, input=jsonl(earlier), env={**server.environment, **env})
            [earlier] = done.records
    assert at(earlier, path), "there is something to go"
    with Server(answer=lambda _: "I cannot.") as server:
        env = {**server.environment, "ST_CACHE": str(tmp_path / "cache")}
        failed = st(command, *args, *MODEL, input=jsonl(earlier), env=env)
    [record] = failed.records
    assert failed.status == 1 and record["errors"][-1]["command"] == command
    left = at(record, path)
    assert [entry["system"] for entry in left] == [beside] if beside else left is None
    assert not [one for one in record.get("rejected") or () if one["command"] == command and "system" not in one]
    assert {key: value for key, value in record.items() if key not in ("errors", "rejected", path.split(".")[0])} == {
        key: value for key, value in earlier.items() if key not in ("errors", "rejected", path.split(".")[0])
    }
