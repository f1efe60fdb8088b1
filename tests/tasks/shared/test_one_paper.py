"""Papers that were parsed apart under one name are not taken for one by whatever makes, counts or judges questions."""

from __future__ import annotations

import copy
import random

import pytest
from support.run import jsonl, st

CLUSTERED = ("st-score", "equations", "--cluster", "paper", "--summary")


def question(paper: str, title: str | None, number: int, latex: str, *, system: str = "m", right: bool = True) -> dict:
    truth = [True, False]
    options = [{"id": f"o{place}", "latex": f"{latex} + {place}", "correct": one} for place, one in enumerate(truth)]
    given = [{"id": one["id"], "correct": one["correct"], "answer": one["correct"] == right} for one in options]
    return {
        "id": f"{paper}#e{number}", "paper": paper, **({} if title is None else {"title": title}),
        "context": {"before": "", "after": ""}, "options": options, "order": ["o0", "o1"],
        "judgements": {"equation": [{"system": system, "options": given}]},
    }  # fmt: skip


@pytest.mark.parametrize(
    ("second", "why"),
    [
        (question("main", "Two", 7, "y"), 'titled "One" and "Two"'),  # no id is there twice
        (question("main", "One", 1, "y"), 'two questions have the id "main#e1"'),
        (question("main", None, 1, "y"), 'two questions have the id "main#e1"'),
    ],
)
def test_another_paper_of_one_name_is_refused_and_told(second, why):
    first = [question("main", "One", 1, "x"), question("main", "One", 2, "x"), question("other", "Three", 1, "x")]
    done = st(*CLUSTERED, input=jsonl(*first, second))
    assert done.status == 1 and why in done.err and '"main" names two papers' in done.err
    [told] = done.records
    assert told["values"]["accuracy"]["n"] == 3 and told["failed"] == 1


def test_one_question_may_stand_there_for_several_systems_and_be_certified_again():
    first = question("main", "One", 1, "x")
    again = copy.deepcopy(first)
    again["judgements"]["equation"][0]["system"] = "n"
    again["options"][1]["certificate"] = {"verdict": "different"}
    untitled = question("main", None, 2, "z")
    done = st(*CLUSTERED, input=jsonl(first, again, untitled))
    assert done.status == 0 and {one["system"] for one in done.records} == {"m", "n"}


def test_what_joins_nothing_by_paper_refuses_nothing():
    data = jsonl(question("main", "One", 1, "x"), question("main", "Two", 1, "y", right=False))
    [told] = st("st-score", "equations", "--summary", input=data).records
    assert told["corpus"]["accuracy"]["value"] == 0.5 and told["corpus"]["accuracy"]["n"] == 2
    parts = [{**question("main", "One", 1, latex), "kind": latex} for latex in ("x", "y")]
    assert st(*CLUSTERED, "--by", "kind", input=jsonl(*parts)).status == 0, "two designs of one question"


def test_questions_are_refused_just_where_names_collide():
    """Papers by lot, some of whose names are another's: what is kept is all of the paper that came first."""
    for seed in range(8):
        chance = random.Random(seed)
        papers = [(f"p{chance.randrange(4)}", f"Title {number}") for number in range(6)]
        first = {name: title for name, title in reversed(papers)}
        records = [question(name, title, chance.randrange(10**6), title) for name, title in papers for _ in range(2)]
        done = st(*CLUSTERED, input=jsonl(*records))
        kept = sum(first[one["paper"]] == one["title"] for one in records)
        assert done.status == int(kept < len(records)), f"seed {seed}"
        assert done.records[0]["values"]["accuracy"]["n"] == kept, f"seed {seed}"


def paper(latex: str, **more: object) -> dict:
    text = f"Text. {latex} More."
    section = {"id": "s1", "number": None, "heading": "One", "level": 1, "role": "method", "pages": [], "text": text}
    span = {"in": "s1", "start": 6, "end": 6 + len(latex)}
    return {"id": "main", "sections": [section], "equations": [{"id": "e1", "latex": latex, "span": span}], **more}


ONE, TWO = paper("h_t = a W_h h_{t-1} + b U x_t"), paper("y_i = c x_i - d z_{i+1}")


@pytest.mark.slow
@pytest.mark.parametrize("design", ["square", "star"])
def test_a_second_paper_of_one_id_gives_no_questions_of_the_same_ids(design):
    """Also where --jobs work on both at once, and where nothing differs: each question would be there twice."""
    options = ("--compile", "off", "--design", design, "--jobs", "2")
    alone = st("st-eqsynth", *options, input=jsonl(ONE)).records
    for second in (TWO, ONE):
        done = st("st-eqsynth", *options, input=jsonl(ONE, second, {**second, "id": "other"}))
        assert done.status == 1 and 'a paper with the id "main" came before' in done.err
        made = [record for record in done.records if not record.get("errors")]
        [refused] = [record for record in done.records if record.get("errors")]
        assert [record for record in made if record["paper"] == "main"] == alone
        assert refused["errors"][0]["kind"] == "duplicate" and refused["sections"] == second["sections"]


def test_a_paper_that_failed_before_does_not_take_the_id_of_one_that_did_not():
    failed = {"id": "main", "errors": [{"command": "st-parse", "kind": "no-text", "reason": "no text"}]}
    done = st("st-eqsynth", "--compile", "off", "--design", "star", input=jsonl(failed, ONE))
    assert "came before" not in done.err and any(record.get("paper") == "main" for record in done.records)


@pytest.mark.slow
@pytest.mark.parametrize("option", ["--table", "--shortcuts"])
def test_a_table_leaves_out_the_questions_of_another_paper_of_one_name(option):
    first = [question("main", "One", 1, "x"), question("other", "Three", 1, "x")]
    for second in (question("main", "Two", 7, "y"), question("main", "One", 1, "y")):
        done = st("st-eqsynth", option, input=jsonl(*first, second))
        assert done.status == 1 and '"main" names two papers' in done.err
        assert done.out == st("st-eqsynth", option, input=jsonl(*first)).out


def test_questions_of_another_paper_of_one_name_are_not_judged():
    data = jsonl(question("main", "One", 1, "x"), question("main", "Two", 7, "y"), question("main", "One", 1, "y"))
    done = st("st-judge", "equation", "--system", "all-positive", input=data)
    assert done.status == 1 and done.err.count('"main" names two papers') == 2
    assert [len(record["judgements"]["equation"]) for record in done.records] == [2, 1, 1]
    assert [bool(record.get("errors")) for record in done.records] == [False, True, True]


def test_no_call_is_made_for_a_question_of_another_paper_of_one_name():
    data = jsonl(question("main", "One", 1, "x"), question("main", "Two", 7, "y"))
    done = st("st-judge", "equation", "--model", "openai/none", "--dry-run", input=data)
    alone = st("st-judge", "equation", "--model", "openai/none", "--dry-run", input=data.splitlines()[0])
    assert done.out == alone.out and done.out and '"main" names two papers' in done.err
