"""The tasks of AAAR-1.0 from a LaTeX source and from a PDF to their tables, with pictures; replayed, the same bytes."""

from __future__ import annotations

import json
import re

import pytest
from support.pictures import pictures_of, prompt_of
from support.run import ROOT, jsonl, shell, st
from support.server import Server

PAPER = ROOT / "fixtures/paper"
REVIEW = "The intervals are never compared. Bad work. Why alpha?"
PLANTED = "In our experiments it outperforms all baselines by 4.2 points."

PLAN = (
    "st-generate experiments --model openai/mock --images figures{more} | st-judge entail --model openai/mock{more}"
    " | tee {records} | st-score entail --table"
)
EXPLAIN = (
    "st-generate explanations --model openai/mock --images figures --layout list{more}"
    " | st-generate explanations --system copy-input | tee {records} | st-score entail --table"
)
WEAK = (
    "st-generate weaknesses --model openai/mock --images figures,tables --reflect 1 --ensemble 2 --combine model"
    " --samples 3{more} | tee {records} | st-score soft --people --median-of openai/mock --cluster id --table"
)
CRITIQUE = (
    "st-judge review --model openai/mock{more} | st-judge review --system none | st-judge review --system all"
    " | tee {records} | st-score review --cluster id --table"
)


def numbered(text: str, key: str) -> list[int]:
    return [json.loads(line)[key] for line in re.findall(rf'^\{{"{key}": \d.*$', text, re.M)]


def answer(messages: list[dict]) -> str:
    """A reply in the form that each prompt asks for, drawn from what it shows."""
    text = prompt_of(messages)
    form = text.rsplit("{", 2)[-2] + text.rsplit("{", 1)[-1]
    if '"leaking"' in form:
        return json.dumps({"leaking": numbered(text, "number")[:1]})
    if '"experiments"' in form:
        return json.dumps({"experiments": [{"text": "Compare the intervals."}, {"text": "Vary the raters."}]})
    if '"entailed"' in form:
        return json.dumps({"entailed": "compare" in text.casefold()})
    if '"explanations"' in form:
        names = [json.loads(line)["id"] for line in re.findall(r'^\{"id": "x.*$', text, re.M)]
        return json.dumps({"explanations": [{"id": name, "text": f"To learn {name}."} for name in names]})
    if '"groups"' in form:
        return json.dumps({"groups": [numbered(text, "number")[-2:]]})
    if '"drafts"' in form:
        return json.dumps({"weaknesses": [{"text": "Only simulations.", "drafts": [1]}]})
    if '"weaknesses"' in form:
        part = (re.search(r"part (\d) of", text) or ["", "0"])[1]
        return json.dumps({"weaknesses": [{"text": f"Part {part} is vague."}, {"text": "Few raters."}]})
    ids = numbered(text, "id")
    if '"deficient"' in form:
        return json.dumps({"deficient": [{"id": ids[0], "explanation": "It compares four."}]})
    return json.dumps(
        {"segments": [{"id": n, "reliable": n != 2, "explanation": "Rude." if n == 2 else ""} for n in ids]}
    )


def annotated(record: dict, captions: list[dict]) -> dict:
    """The record with what people wrote, a figure of the method, and a sentence of results that must not be shown."""
    method = next(one for one in record["sections"] if one["role"] == "method")
    method["text"] += f" A rater is a vector of weights (Figure 0). {PLANTED}"
    figure = next(one for one in captions if one["kind"] == "figure")
    drawn = {**figure, "id": "figure0", "page": 1, "label": "Figure 0", "text": "Figure 0: How a rater knows."}
    cut = [(0, 33, True), (34, 43, True), (44, 54, False)]
    segments = [{"start": start, "end": end, "deficient": bad} for start, end, bad in cut]
    return {
        **record,
        "captions": [*captions, drawn],
        "experiments": [{"id": "x1", "text": "Compare four intervals."}, {"id": "x2", "text": "Vary the raters."}],
        "explanations": [{"id": "x2", "text": "To spend a budget."}, {"id": "x1", "text": "To find the best."}],
        "weaknesses": [
            {"id": "w1", "review": "r1", "text": "All studies are simulated."},
            {"id": "w2", "review": "r2", "text": "Few raters are studied."},
        ],
        "reviews": [{"id": "r1", "text": REVIEW, "segments": segments}],
    }


@pytest.fixture(scope="module", params=["tex", "pdf"])
def paper(request, tmp_path_factory) -> dict:
    """The fixture's paper from its LaTeX source or its PDF, with its pictures; those of tables are the PDF's."""
    folder = tmp_path_factory.mktemp("pictures")
    drawn = st("st-parse", "--figures", str(folder), str(PAPER / "paper.pdf")).records[0]
    images = {one["label"]: one["image"] for one in drawn["captions"]}
    parsed = st("st-parse", "--figures", str(folder / "own"), str(PAPER / f"paper.{request.param}")).records[0]
    assert all("image" in one for one in parsed["captions"] if one["kind"] == "figure")
    captions = [{"image": images[one["label"]], **one} for one in parsed["captions"] if one["label"] in images]
    assert len(captions) >= 9
    return annotated(parsed, captions)


@pytest.mark.slow
@pytest.mark.parametrize(("line", "has_pictures", "rows"), [
    (PLAN, True, ["openai/mock"]),
    (EXPLAIN, True, ["copy-input", "openai/mock"]),
    (WEAK, True, ["openai/mock#1", "openai/mock#3", "people", "the run openai/mock#"]),
    (CRITIQUE, False, ["none", "all", "either-no"]),
], ids=["experiments", "explanations", "weaknesses", "review"])  # fmt: skip
def test_from_a_paper_to_its_table_and_again_without_a_model(paper, line, has_pictures, rows, tmp_path):
    (tmp_path / "paper.jsonl").write_bytes(jsonl(paper))
    command = f"set -o pipefail; cat {tmp_path / 'paper.jsonl'} | {line}"
    first, second = tmp_path / "first.jsonl", tmp_path / "second.jsonl"
    cache = {"ST_CACHE": str(tmp_path / "cache.sqlite")}
    with Server({"fence": 0.2, "500": 0.1}, answer=answer) as server:
        done = shell(command.format(more="", records=first), env={**cache, **server.environment})
        asked = len(server.bodies)
    assert done.status == 0, done.err
    table = done.out.decode()
    assert all(row in table for row in rows), table
    assert asked and any(map(pictures_of, server.bodies)) == has_pictures
    if line in (PLAN, EXPLAIN):
        assert not [body for body in server.bodies if PLANTED in prompt_of(body["messages"])]
    again = shell(command.format(more=" --replay", records=second), env=cache)
    assert again.status == 0 and again.out == done.out, again.err
    assert len(first.read_bytes()) > 10_000 and first.read_bytes() == second.read_bytes()
