"""What would make a published number wrong without a word is refused, or left out and told."""

from __future__ import annotations

import pytest
from support.run import ABSTRACT, jsonl, st

EQUATION = {"judgements": {"equation": [{"system": "a", "options": [{"correct": True, "answer": True}]}]}}
ITEMS = {"generated": {"weaknesses": [{"system": "s", "items": ["small sample"]}]}}


def soft(*weaknesses, generated=None) -> dict:
    return {"id": "p", "weaknesses": list(weaknesses), "generated": generated or ITEMS["generated"]}


@pytest.mark.parametrize("option", [["--summary"], ["--table"], ["--summary", "--jobs", "2"]])
def test_a_record_that_had_failed_before_costs_no_summary(option):
    broken = {"id": "z", "errors": [{"command": "st-parse", "kind": "unreadable", "reason": "broken PDF"}]}
    result = st("st-score", "equations", *option, input=jsonl({"id": "a", **EQUATION}, broken))
    assert result.status in (0, 1) and "1 of 2 records had failed before" in result.err and result.out


def test_reviews_are_told_apart_by_number_as_by_name():
    def scores(one, two):
        weaknesses = [{"text": "small sample", "review": one}, {"text": "typos", "review": two}]
        return st("st-score", "soft", input=jsonl(soft(*weaknesses))).records[0]["scores"][0]["values"]

    assert scores(1, 2) == scores("1", "2") != scores("1", "1")


@pytest.mark.parametrize(
    "record",
    [
        soft("typos", generated={"weaknesses": [{"system": 1, "items": ["a b"]}, {"system": 2, "items": ["c d"]}]}),
        soft("typos", generated={"weaknesses": [{"System": "x", "items": ["a b"]}, {"System": "y", "items": ["c"]}]}),
        soft("", "the model is small"),
        soft({"text": "typos", "review": ["r1"]}),
    ],
)
def test_what_could_be_read_in_two_ways_is_refused(record):
    result = st("st-score", "soft", input=jsonl(record))
    assert result.status == 3 and "internal" not in result.err


def test_scores_of_earlier_runs_are_in_no_summary():
    record = {"id": "a", "abstract": ABSTRACT, "summaries": [{"system": "s", "text": "Dogs."}], **EQUATION}
    earlier = st("st-score", "text", input=jsonl(record)).records[0]
    assert {entry["metric"] for entry in earlier["scores"]} == {"text"}
    found = st("st-score", "equations", "--summary", input=jsonl(earlier)).records
    assert {entry["metric"] for entry in found} == {"equations"}


def test_a_record_that_is_there_twice_is_told():
    records = [{"id": name, **EQUATION} for name in "aba"] + [EQUATION, EQUATION]
    (found,) = st("st-score", "equations", "--summary", input=jsonl(*records)).records
    assert (found["n"], found["n_repeated"]) == (5, 1)
    assert b"1 of n are from duplicate records" in st("st-score", "--table", input=jsonl(*records)).out
    (alike,) = st("st-score", "equations", "--summary", input=jsonl(*records[:2])).records
    assert "n_repeated" not in alike


def test_an_empty_span_is_refused():
    record = {"id": "a", "claims": ["x", ""], "generated": {"claims": [{"system": "s", "items": ["x"]}]}}
    result = st("st-score", "spans", input=jsonl(record))
    assert result.status == 3 and "the reference has a span without text" in result.err


def test_words_of_one_character_are_told_for_what_they_are():
    record = {"id": "a", "abstract": "5", "summaries": [{"system": "s", "text": "5"}]}
    (entry,) = st("st-score", "text", input=jsonl(record)).records[0]["scores"]
    assert entry["values"]["token_f1"] == 1
    assert entry["reasons"]["count_cosine"] == "the reference has no word of two characters or more"


def test_ids_that_are_listed_are_in_the_signature():
    def listed(name):
        records = [{**soft("typos"), "id": f"{name}{number}"} for number in range(2)]
        return st("st-score", "soft", "--summary", "--itf-idf-items", input=jsonl(*records)).records[0]

    one, other = listed("p"), listed("q")
    assert one["papers"] != other["papers"] and one["signature"] != other["signature"]


def test_a_number_and_its_digits_are_two_parts_in_a_table():
    records = [{"id": "a", "v": 1, **EQUATION}, {"id": "b", "v": "1", **EQUATION}]
    table = st("st-score", "equations", "--by", "v", "--table", input=jsonl(*records)).out.decode()
    assert "a (1)" in table and 'a ("1")' in table


def test_an_item_judged_twice_is_refused():
    judged = {"system": "s", "candidates": [{"id": "e1", "entailed": True}] * 2, "references": []}
    result = st("st-score", "entail", input=jsonl({"id": "a", "judgements": {"entail": [judged]}}))
    assert result.status == 3 and "duplicate" in result.err


def test_an_item_of_two_clusters_is_refused():
    def record(system, paper):
        options = [{"correct": True, "answer": system == "a"}]
        return {"id": "i", "paper": paper, "judgements": {"equation": [{"system": system, "options": options}]}}

    result = st(
        "st-score", "equations", "--compare", "a", "b", "--cluster", "paper", "--table",
        input=jsonl(record("a", "c0"), record("b", "d1")),
    )  # fmt: skip
    assert result.status == 3 and "cluster" in result.err


def test_what_failed_is_in_the_signature_of_a_summary():
    good = {"id": "a", **EQUATION}
    whole, less = (
        st("st-score", "equations", "--summary", input=jsonl(good, *more)).records[0] for more in ([], [{"id": "b"}])
    )
    assert (whole["failed"], less["failed"]) == (0, 1) and whole["signature"] != less["signature"]


@pytest.mark.parametrize("spec", ["roberta-large", ":3", "roberta-large:", "roberta-large:-1", "roberta-large:٣"])
def test_bertscore_needs_a_model_and_a_layer(spec):
    result = st("st-score", "text", "--bertscore", spec, input=jsonl({"id": "a"}))
    assert (result.status, result.err.count("\n")) == (2, 1) and "MODEL:LAYER" in result.err


@pytest.mark.parametrize("other", ["\u200b", " ", "\ufeff", "upper"])
@pytest.mark.parametrize("what", ["system", "domain", "paper", "id"])
def test_names_that_look_alike_are_told_in_a_summary(what, other):
    """A system of two writings is two columns of few papers, a cluster of two gives an interval that is too narrow."""

    def record(n: int, changed: str = "") -> dict:
        names = {"system": "m", "domain": "nlp", "paper": f"p{n // 2}", "id": f"r{n}"}
        if changed:
            names[changed] = names[changed].upper() if other == "upper" else names[changed] + other
        summaries = [{"system": names.pop("system"), "text": "Bees are few."}, {"system": "k", "text": "Rain."}]
        return {**names, "abstract": "Bees are few in hedges.", "summaries": summaries}

    line = ("st-score", "text", "--summary", "--by", "domain", "--cluster", "paper", "--compare", "m", "k")
    whole = [record(n) for n in range(8)]
    plain = st(*line, input=jsonl(*whole))
    assert plain.status == 0 and "differ only" not in plain.err, plain.err
    changed = [*whole, record(1 if what == "id" else 9, what)]
    told = st(*line, input=jsonl(*changed)).err
    named = {"system": "systems", "domain": "parts", "paper": "clusters", "id": "items"}[what]
    if what == "paper":
        changed = [*whole, {**record(9), "paper": record(1, "paper")["paper"]}]
        told = st(*line, input=jsonl(*changed)).err
    assert f"{named} differ only in white space" in told, told


@pytest.mark.parametrize("whose", ["abstract", "summary:a"])
def test_facets_and_their_ratings_are_those_of_the_whole_text(whose):
    """A sentence was appended to a text whose facets had been rated: its facet score stood as before."""
    summaries = [{"system": name, "text": f"{ABSTRACT} We thank {name}."} for name in "ab"]
    made = st("st-facets", input=jsonl({"id": "p", "abstract": ABSTRACT, "summaries": summaries}))
    (judged,) = st("st-judge", "facets", input=made.out).records
    assert st("st-score", "facets", input=jsonl(judged)).status == 0
    more = " Nothing of this holds."
    if whose == "abstract":
        changed = {**judged, "abstract": judged["abstract"] + more}
    else:
        changed = {**judged, "summaries": [{**summaries[0], "text": summaries[0]["text"] + more}, summaries[1]]}
    done = st("st-score", "facets", input=jsonl(changed))
    assert done.status != 0 and f'the facets of "{whose}" are those of another text' in done.err
    scores = {one["system"]: one["values"]["overall.score"] for one in done.records[0].get("scores", ())}
    assert scores.get("a") is None and (whose == "abstract") == (scores.get("b") is None)
    assert st("st-judge", "facets", input=jsonl(changed)).status == 3
    for one in changed["facets"]:
        del one["texts"]
    assert st("st-score", "facets", input=jsonl(changed)).status == 0, "records of earlier versions have no fingerprint"
