"""The log of a run's calls: every reply that the cache keeps, sums as st-cache has them, nothing that is secret."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from support.model_runs import FAULTS, MODEL, papers
from support.pages import Tree
from support.run import jsonl, st
from support.server import Server

SECRET = "sk-very-secret-key-0123456789"


@pytest.fixture(scope="module")
def run(tmp_path_factory) -> dict:
    """Records of a model that fails as real ones do, and what the cache says of the calls."""
    folder = tmp_path_factory.mktemp("log")
    with Server({**FAULTS, "empty": 0.1, "refusal": 0.1, "invalid": 0.2}, heals=False) as server:
        environment = {**server.environment, "ST_CACHE": str(folder / "calls.sqlite"), "OPENAI_API_KEY": SECRET}
        made = st("st-facets", *MODEL, "--retries", "1", input=papers(40), env=environment)
    kept = {"ST_CACHE": environment["ST_CACHE"], "OPENAI_API_KEY": SECRET}
    page = st("st-view", "--log", input=made.out, env=kept)
    assert page.status == 0, page.err
    return {"made": made, "env": kept, "page": page.out.decode(), "tree": Tree(page.out.decode())}


def calls_of(run: dict) -> list[dict]:
    keys = {
        key
        for record in run["made"].records
        for name in ("provenance", "errors")
        for step in record.get(name) or ()
        for key in step.get("calls") or ()
    }
    return [entry for key in sorted(keys) for entry in st("st-cache", "show", key, env=run["env"]).records]


@pytest.mark.slow
def test_each_reply_and_prompt_stands_on_the_page(run):
    said = " ".join(" ".join(text.split()) for _, text in run["tree"].texts)
    entries = calls_of(run)
    assert len(entries) > 40
    for entry in entries:
        assert " ".join(entry["reply"]["text"].split()) in said
        for message in entry["request"]["messages"]:
            assert " ".join(message["content"].split()) in said


def test_sums_are_those_of_the_cache(run):
    group = json.loads(st("st-cache", "stats", env=run["env"]).out)["groups"][0]
    cells = run["tree"].row("facets, openai/mock")
    replies = [entry["reply"] for entry in calls_of(run) if entry["reply"]["finish"] != "no-reply"]
    assert cells[0] == "40"
    assert sum(map(int, cells[1:5])) == 40
    assert cells[5] == str(len(replies))
    assert cells[6:8] == [str(group["prompt_tokens"]), str(group["completion_tokens"])]


def test_outcomes_are_counted_from_outside(run):
    made = run["made"].records
    failed = sum(bool(record.get("errors")) for record in made)
    keys = [sum(len(step.get("calls") or ()) for step in record.get("provenance") or ()) for record in made]
    second = sum(n > 1 and not record.get("errors") for n, record in zip(keys, made))
    cells = run["tree"].row("facets, openai/mock")
    assert [cells[3], cells[4]] == [str(second), str(failed)]
    reasons = Counter(error["reason"] for record in made for error in record.get("errors") or ())
    for reason, n in reasons.items():
        told = {name: cells for name, cells in run["tree"].rows() if reason in name}
        assert list(told.values()) == [[str(n)]]


def test_secrets_never_stand_on_the_page(run, tmp_path):
    """A model that says the key, and a prompt that holds it."""
    told = papers(1).replace(b"asks why", f"asks why {SECRET}".encode())
    with Server(answer=lambda prompt: f'{{"background": ["{SECRET}"], "x": "{SECRET}"}}') as server:
        environment = {**server.environment, "ST_CACHE": str(tmp_path), "OPENAI_API_KEY": SECRET}
        made = st("st-facets", *MODEL, input=told, env=environment)
        page = st("st-view", "--log", input=made.out, env=environment)
    assert SECRET.encode() not in page.out
    assert b"$OPENAI_API_KEY" in page.out


def test_same_files_and_cache_make_the_same_bytes_and_folders_the_same_articles(run, tmp_path):
    assert st("st-view", "--log", input=run["made"].out, env=run["env"]).out.decode() == run["page"]
    st("st-view", "--log", "--split", "15", "--output", tmp_path / "pages", input=run["made"].out, env=run["env"])
    pages = sorted((tmp_path / "pages").iterdir())
    assert [page.name for page in pages] == ["index.html", *(f"papers-{n:04}.html" for n in (1, 2, 3))]
    assert Tree(pages[0].read_text()).row("facets, openai/mock") == run["tree"].row("facets, openai/mock")
    articles = [text.partition("</article>")[0] for page in pages for text in page.read_text().split("<article")[1:]]
    assert articles == [text.partition("</article>")[0] for text in run["page"].split("<article")[1:]]


def test_replies_that_the_cache_lacks_are_told_as_one(run, tmp_path):
    st("st-cache", "import", env={"ST_CACHE": str(tmp_path)}, input=st("st-cache", "export", env=run["env"]).out)
    unknown = {"id": "q", "provenance": [{**run["made"].records[0]["provenance"][0], "calls": ["0" * 64, "1" * 64]}]}
    page = st("st-view", "--log", input=jsonl(unknown), env=run["env"])
    assert page.status == 1
    assert page.err.count("has no reply to 2 calls") == 1
    assert b"the cache has no reply" in page.out


def test_a_record_without_calls_and_a_cache_that_is_none(run, tmp_path):
    page = st("st-view", "--log", input=jsonl({"id": "a", "title": "Plain"}), env=run["env"])
    assert page.status == 0
    assert b"No model was called for this record." in page.out
    assert st("st-view", "--log", input=run["made"].out, env={"ST_CACHE": str(tmp_path / "no.sqlite")}).status == 4


def test_a_call_is_named_by_a_key(run):
    wrong = {"id": "q", "provenance": [{**run["made"].records[0]["provenance"][0], "calls": ["../x"]}]}
    page = st("st-view", "--log", input=jsonl(wrong), env=run["env"])
    assert page.status == 3
    assert "names a call by an invalid key: ../x" in page.err


def test_a_report_has_the_same_costs_and_counts_what_the_cache_lacks(run, tmp_path):
    page = Tree(st("st-view", "--report", "--costs", input=run["made"].out, env=run["env"]).out.decode())
    cells = [text for where, text in page.texts if " td." in where]
    place = cells.index("facets")
    assert cells[place + 1 : place + 5] == ["openai/mock", *run["tree"].row("facets, openai/mock")[5:8]]
    first = run["made"].records[0]
    assert (
        str(len({key for one in run["made"].records for step in one.get("provenance") or () for key in step["calls"]}))
        in cells
    )
    unknown = jsonl({"id": "q", "provenance": [{**first["provenance"][0], "calls": ["0" * 64]}]})
    told = st("st-view", "--report", "--costs", input=unknown, env=run["env"])
    assert told.status == 1
    assert "has no reply to 1 call of these" in told.err


def test_two_models_and_the_order_of_records_change_no_sum(tmp_path):
    """The same command with another model, and a call that one record names as made and another as failed."""
    with Server() as server:
        kept = {**server.environment, "ST_CACHE": str(tmp_path)}
        first = st("st-facets", "--model", "openai/one", input=papers(3), env=kept).out
        made = st("st-facets", "--model", "openai/two", input=first, env=kept)
    page = Tree(st("st-view", "--log", input=made.out, env=kept).out.decode())
    assert [page.row(f"facets, openai/{name}")[0] for name in ("one", "two")] == ["3", "3"]
    record = made.records[0]
    step = record["provenance"][0]
    failed = {"id": "x", "errors": [{"command": "st-facets", "kind": "reply", "reason": "no", "calls": step["calls"]}]}
    rows = [
        Tree(st("st-view", "--log", input=jsonl(*given), env=kept).out.decode()).row("facets, openai/one")
        for given in ([record, failed], [failed, record])
    ]
    assert rows[0] == rows[1]
    assert rows[0][:5] == ["2", "1", "0", "0", "1"]
