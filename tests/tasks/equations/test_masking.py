"""Formulas around an equation are masked where they tell its options apart, and where few masks are enough."""

from __future__ import annotations

import json
import random

import pytest
from support.bomb_records import EQUATIONS
from support.run import st

from scholartools.errors import ScholartoolsError
from scholartools.tasks.equations.questions.making import REPEATED, UNBALANCED, Options, make_questions
from scholartools.tasks.equations.questions.shortcuts import formulas_of, list_runs
from scholartools.tasks.equations.questions.verifying import digest, verify_record

TELLS = "tells options apart"
EQUATION = r"y_i = a_i b_j + c_j d_k e_i - f_j g_k"
WORDS = "count rate site year mean trap area hedge bloom frost".split()


def paper(rng: random.Random, n_formulas: int) -> dict:
    """A paper with one display between formulas that hold pieces of it, in the paper's order more often than not."""
    pieces = ["a_i b_j", "c_j d_k e_i", "d_k e_i", "f_j g_k", "b_j + c_j", "y_i = a_i", "e_i - f_j", "g_k", "c_j d_k"]
    wrong = ["a_j b_i", "c_k d_j e_i", "f_k g_j", "d_j e_i", "b_i + c_j"]
    shown = [rng.choice(pieces if rng.random() < 0.8 else wrong) for _ in range(n_formulas)]
    words = [f"{rng.choice(WORDS)} ${one}$ {rng.choice(WORDS)}" for one in shown]
    cut = rng.randrange(len(words) + 1)
    before, after = " ".join(words[:cut]), " ".join(words[cut:])
    text = f"{before} {EQUATION} {after}"
    span = {"in": "s1", "start": len(before) + 1, "end": len(before) + 1 + len(EQUATION)}
    own = {"number": None, "heading": "One", "level": 1, "role": "method", "pages": []}
    equation = {"id": "e1", "latex": EQUATION, "span": span, "label": None}
    return {"id": f"p{rng.random()}", "sections": [{"id": "s1", "text": text, **own}], "equations": [equation]}


def masks_of(question: dict) -> list[dict]:
    return [one for one in question["context"]["masked"] if one["why"] == TELLS]


def holders(question: dict, formulas: list[str]) -> list[str]:
    """The formulas that hold a run of two to four tokens which one option holds more often than another."""
    counts = [list_runs(option["latex"]) for option in question["options"]]
    telling = {run for count in counts for run in count if len({other[run] for other in counts}) > 1}
    return [one for one in formulas if telling & set(list_runs(one))]


@pytest.mark.slow
def test_where_masks_are_set_no_formula_that_is_shown_tells_and_each_masked_one_does():
    masked = 0
    for seed in range(12):
        record = paper(random.Random(seed), 14)
        text = record["sections"][0]["text"]
        bare = make_questions(record, Options(masks=0))
        made = make_questions(record, Options())
        if bare.questions:
            assert {**made.questions[0], "provenance": 0} == {**bare.questions[0], "provenance": 0}
        if bare.questions or not made.questions:
            continue
        question = made.questions[0]
        hidden = [text[one["start"] : one["end"]].strip("$") for one in masks_of(question)]
        assert 1 <= len(hidden) <= 10
        shown = formulas_of(f"{question['context']['before']} {question['context']['after']}")
        assert not holders(question, shown) and len(holders(question, hidden)) == len(hidden)
        assert verify_record(json.loads(json.dumps(question)))
        masked += 1
    assert masked >= 5


def test_more_masks_than_allowed_leave_an_equation_out():
    for seed in range(12):
        record = paper(random.Random(seed), 14)
        least = next((n for n in range(11) if make_questions(record, Options(masks=n)).questions), None)
        if least:
            question = make_questions(record, Options(masks=least)).questions[0]
            assert len(masks_of(question)) == least
            assert make_questions(record, Options(masks=least - 1)).skipped == {UNBALANCED: 1}
            return
    pytest.fail("no paper needed masks")


def test_a_formula_put_back_in_place_of_a_mask_is_found():
    for seed in range(12):
        record = paper(random.Random(seed), 14)
        made = make_questions(record, Options()).questions
        if made and masks_of(made[0]):
            question = json.loads(json.dumps(made[0]))
            place = masks_of(question)[0]
            formula = record["sections"][0]["text"][place["start"] : place["end"]]
            question["context"]["before"] += f" {formula}"
            question["digest"] = digest(question)
            with pytest.raises(ScholartoolsError, match="tells its options apart"):
                verify_record(question)
            return
    pytest.fail("no question had masks")


def test_masks_are_an_option_of_squares_by_rule():
    record = json.dumps(paper(random.Random(0), 14))
    for more in (["--design", "star"], ["--equivalents", "1"], ["--model", "openai/x"]):
        done = st("st-eqsynth", "--masks", "3", *more, input=record)
        assert done.status == 2 and "--masks" in done.err


def test_a_formula_that_gives_no_question_is_tried_in_three_places():
    """Each place costs as much as a page of prose: 666 of one formula took 5 seconds."""
    record = json.loads(EQUATIONS["the same"](6000).replace(b"x = y + 1", b"f(a)=g(b)"))
    made = make_questions(record, Options())
    assert not made.questions and made.skipped[REPEATED] == len(record["equations"]) - 3 > 300
