"""Every command takes a record in which a key of the published schema is absent, null or empty, or refuses that record.

The keys come from the schema, the records from what the commands themselves make of a paper and its reviews, so that a
new key is tried as soon as a command writes it.
"""

from __future__ import annotations

import copy
import functools
import json
import operator
from collections.abc import Iterator
from typing import Any

import pytest
from support import everything, optional_keys
from support.claims import answer
from support.model_runs import MODEL
from support.run import ROOT, jsonl, st
from support.server import Server

Record = dict[str, Any]

CLAIMS = ROOT / "fixtures" / "claims.jsonl"
#: What each command adds or replaces; a key of ``judgements`` or ``generated`` by its path.
COMMANDS = {
    "st-extract-limits --merge": "limitations rejected",
    "st-claims select": "reviews",
    "st-claims extract": "claims rejected",
    "st-claims weaknesses --rater me": "annotations reviews rejected",
    "st-claims associate": "weaknesses rejected",
    "st-claims label": "weaknesses rejected",
    "st-facets": "facets",
    f"st-generate limitations --corpus {CLAIMS}": "generated.limitations",
    f"st-generate weaknesses --corpus {CLAIMS}": "generated.weaknesses",
    "st-generate experiments --input": "experiments_input",
    "st-generate explanations --system copy-input": "generated.explanations",
    "st-generate questions": "generated.questions warnings",
    "st-judge facets": "judgements.facets",
    "st-judge match": "judgements.match",
    "st-judge entail": "judgements.entail",
    "st-judge equation --system random": "judgements.equation",
    "st-judge review --system all --segment": "judgements.review reviews",
    "st-judge rate --baselines": "judgements.rate",
    "st-score verifications": "scores",
    "st-score": "scores",
}
QUICK = ("st-claims select", "st-claims label", "st-facets", "st-score verifications")
ASKING = ("st-facets", "st-claims extract", "st-claims associate")
#: Those that need the reviewer's and the model's side of a claim, or targets of one system; all ask a model.
OF_BOTH_SIDES = {
    "st-claims edit --targets gold --all": "weaknesses rejected",
    "st-claims verify --targets gold --labels gold --controls": "verifications rejected",
    "st-claims contamination": "contamination",
    "st-judge same-issue --controls": "judgements.same_issue",
    "st-judge specificity --targets gold --controls": "judgements.specificity",
}
ALWAYS = {"provenance", "errors"}


def made_by_commands() -> Record:
    """A paper with reviews, and what the built-in methods make of it."""
    data = CLAIMS.read_bytes().splitlines()[0] + b"\n"
    steps = (
        "st-extract-limits",
        "st-claims select",
        "st-claims extract",
        "st-claims weaknesses",
        "st-claims associate",
    )
    for line in (*steps, "st-claims label", "st-facets"):
        data = st(*line.split(), input=data).out
    return json.loads(data)


def parsed_paper() -> Record:
    """The LaTeX of a paper, cut to a few of each kind of part, with what stands in them left as it is."""
    paper = json.loads(st("st-parse", ROOT / "fixtures" / "paper" / "paper.tex").out)
    for key in ("references", "captions", "footnotes", "equations"):
        paper[key] = paper.get(key, [])[:2]
    return {**paper, "sections": paper["sections"][:5]}


@pytest.fixture(scope="module")
def bases() -> list[Record]:
    return [everything.whole_record(1), made_by_commands(), parsed_paper()]


def batch(bases: list[Record], is_required: bool = False) -> list[Record]:
    return [made for base in bases for made in optional_keys.variants(base, is_required)]


def check(line: str, records: list[Record], *more: str, env: dict[str, str] | None = None) -> None:
    """All records come out in their order, changed in the command's own keys alone; a fault is one line and an entry."""
    result = st(*line.split(), *more, input=jsonl(*records), env=env, is_described=False)
    assert "internal error" not in result.err, result.err
    assert result.status in (0, 1, 3), result.err
    assert len(result.records) == len(records)
    faults = [one for record in result.records for one in record.get("errors") or () if isinstance(one, dict)]
    assert not [one for one in faults if one.get("kind") == "internal"]
    own = {**COMMANDS, **OF_BOTH_SIDES}.get(line, "limitations rejected").split()
    for before, after in zip(records, result.records, strict=True):
        assert others(before, own) == others(after, own), before["variant"]


def key_steps(value: Any, steps: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path of every key of a value, and of the first two members of its lists."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield (*steps, key)
            yield from key_steps(inner, (*steps, key))
    elif isinstance(value, list):
        for place, inner in enumerate(value[:2]):
            yield from key_steps(inner, (*steps, place))


def question_variants(question: Record) -> Iterator[Record]:
    """A question once for each key that it holds, and each way."""
    for *outer, key in [steps for steps in key_steps(question) if steps[0] != "provenance"]:
        for way in optional_keys.WAYS:
            made = copy.deepcopy(question)
            optional_keys.change(functools.reduce(operator.getitem, outer, made), key, way)
            yield {**made, "variant": f"{[*outer, key]} {way}"}


def others(record: Record, own: list[str]) -> Record:
    """What of a record is not a command's."""
    left = {key: value for key, value in record.items() if key not in ALWAYS and key not in own}
    for path in own:
        outer, _, inner = path.partition(".")
        if inner and isinstance(left.get(outer) or {}, dict):
            left[outer] = {key: value for key, value in (left.get(outer) or {}).items() if key != inner}
    return left


@pytest.mark.parametrize("line", QUICK)
def test_optional_keys_of_a_record_with_every_input_of_scores(line):
    check(line, batch([everything.whole_record(1)]))


@pytest.mark.slow
def test_the_schema_says_which_keys_are_tried(bases):
    tried = {steps for base in bases for steps in optional_keys.key_places(base)}
    assert {("sections", "number"), ("reviews", "claim_related"), ("weaknesses", "targets", "by")} <= tried
    assert len(tried) >= 80
    assert {record["variant"].split()[1] for record in batch(bases)} == set(optional_keys.WAYS)


@pytest.mark.slow
@pytest.mark.parametrize("line", COMMANDS)
def test_optional_keys(line, bases):
    check(line, batch(bases))


@pytest.mark.slow
@pytest.mark.parametrize("line", COMMANDS)
def test_required_keys(line, bases):
    check(line, batch(bases, is_required=True))


@pytest.mark.slow
@pytest.mark.parametrize("shape", [["st-score", "--summary"], ["st-score", "rate"]])
@pytest.mark.parametrize("is_required", [False, True])
def test_commands_that_write_other_records(shape, is_required, bases):
    result = st(*shape, input=jsonl(*batch(bases, is_required)), is_described=False)
    assert "internal" not in result.err, result.err
    assert result.status in (0, 1, 3), result.err


@pytest.mark.slow
@pytest.mark.parametrize("line", ASKING)
def test_optional_keys_where_a_model_is_asked(line, bases, tmp_path):
    with Server(heals=False) as server:
        env = {**server.environment, "ST_CACHE": str(tmp_path / "cache")}
        check(line, batch(bases), *MODEL, "--retries", "0", env=env)


@pytest.mark.slow
@pytest.mark.parametrize("line", OF_BOTH_SIDES)
@pytest.mark.parametrize("is_required", [False, True])
def test_keys_of_what_both_sides_say_of_a_claim(line, is_required, tmp_path):
    base = everything.verified_record(1)
    with Server(answer=answer) as server:
        env = {**server.environment, "ST_CACHE": str(tmp_path / "cache")}
        assert not st(*line.split(), *MODEL, input=jsonl(base), env=env).records[0].get("errors")
        assert server.requests, "the record is one about which something is asked"
        check(line, batch([base], is_required), *MODEL, "--retries", "0", env=env)


@pytest.fixture(scope="module")
def questions() -> list[Record]:
    paper = st("st-parse", ROOT / "fixtures" / "paper" / "paper.tex").out
    return st("st-eqsynth", "--seed", "1", "--compile", "off", input=paper).records


@pytest.mark.parametrize("option", ["--table", "--shortcuts"])
def test_a_damaged_question_does_not_take_the_table_of_the_others(option, questions):
    result = st("st-eqsynth", option, input=jsonl(*questions, *question_variants(questions[0])), is_described=False)
    assert "internal error" not in result.err, result.err
    assert result.status in (0, 1), result.err
    assert b"accuracy" in result.out or b"shortcut" in result.out


@pytest.mark.parametrize("key", ["latex", "correct"])
@pytest.mark.parametrize("way", ["absent", "null"])
def test_an_option_without_what_is_counted_leaves_its_question_out(key, way, questions):
    damaged = copy.deepcopy(questions[0])
    damaged["id"] = "damaged"
    optional_keys.change(damaged["options"][0], key, way)
    result = st("st-eqsynth", "--table", input=jsonl(*questions, damaged), is_described=False)
    assert result.out == st("st-eqsynth", "--table", input=jsonl(*questions)).out
    assert result.status == 1
    assert f'has no "{key}"' in result.err


@pytest.mark.slow
def test_keys_of_questions_that_are_verified(questions):
    result = st("st-eqsynth", "--verify", input=jsonl(*question_variants(questions[0])), is_described=False)
    assert "internal error" not in result.err, result.err
    assert result.status == 1


@pytest.mark.slow
@pytest.mark.parametrize("is_required", [False, True])
def test_keys_of_papers_that_questions_are_made_of(is_required):
    papers = list(optional_keys.variants(parsed_paper(), is_required))
    result = st("st-eqsynth", "--seed", "1", "--compile", "off", input=jsonl(*papers), is_described=False)
    assert "internal error" not in result.err, result.err
    assert result.status in (0, 1, 3), result.err


def test_keys_of_pairs_that_are_compared():
    pair = {"id": "p", "positive": "y = x + 1", "alternative": "y = x - 1", "title": "T"}
    result = st("st-eqsynth", "compare", input=jsonl(*question_variants(pair)), is_described=False)
    assert "internal error" not in result.err, result.err
    assert result.status == 1
    assert len(result.records) == 12
