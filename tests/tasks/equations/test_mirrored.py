"""Squares of changes that alter counts: made where their opposites can be made, so that no count tells the truth."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from scholartools.tasks.equations.questions.making import Options, make_questions
from scholartools.tasks.equations.questions.shortcuts import option_tokens, runs_of
from scholartools.tasks.equations.questions.verifying import verify_record

N_SEEDS = 40


def paper(latex: str) -> dict:
    words = "The rate is known. "
    text = f"{words}{latex} and so on."
    span = {"in": "s1", "start": len(words), "end": len(words) + len(latex)}
    section = {"id": "s1", "text": text, "number": None, "heading": "One", "level": 1, "role": "method", "pages": []}
    return {"id": "p", "sections": [section], "equations": [{"id": "e1", "latex": latex, "span": span, "label": None}]}


def count_distinct(tokens: tuple[str, ...]) -> float:
    runs = [runs_of(tokens, size) for size in (1, 2, 3)]
    return sum(len(set(some)) for some in runs) / sum(map(len, runs))


@pytest.mark.slow
@pytest.mark.parametrize("latex", [r"r = \frac{T}{T + F}", r"K = A^k + A^{k - 1}"])
def test_over_many_draws_no_count_of_the_truth_is_on_one_side(latex):
    """Each seed draws a set of one equation: the truth is as often above as below the mean of its options."""
    sides: dict[str, Counter[int]] = {"length": Counter(), "distinct": Counter()}
    record = paper(latex)
    for seed in range(N_SEEDS):
        for question in make_questions(record, Options(seed=seed)).questions:
            assert verify_record(json.loads(json.dumps(question)))
            tokens = [option_tokens(option["latex"]) for option in question["options"]]
            [own] = [place for place, option in enumerate(question["options"]) if option["correct"]]
            for name, values in (("length", list(map(len, tokens))), ("distinct", list(map(count_distinct, tokens)))):
                gap = values[own] - sum(values) / len(values)
                sides[name][(gap > 1e-9) - (gap < -1e-9)] += 1
    for name, found in sides.items():
        assert found.total() >= N_SEEDS // 2, name
        more, less = found[1], found[-1]
        assert abs(more - less) <= 3 * (more + less + 1) ** 0.5, (name, found)  # three standard deviations of a coin


def test_an_equation_whose_changes_all_go_one_way_has_no_question():
    """Of one product of two letters nothing can be left out and put in with one effect on what is counted."""
    assert not make_questions(paper("y = a"), Options()).questions
