"""All signs of a formula turned at once: what that keeps, and that the set made of it is as well made of its options."""

from __future__ import annotations

import itertools
import random
from collections import Counter

import pytest

from scholartools.tasks.equations.questions.making import Options, make_questions
from scholartools.tasks.equations.questions.rules import DEFAULT_OPS, Slips
from scholartools.tasks.equations.questions.shortcuts import Habits, kinds_of, option_tokens
from scholartools.tasks.equations.questions.squares import Workshop
from scholartools.tasks.equations.questions.surroundings import Surroundings
from scholartools.tasks.equations.questions.verifying import verify_record
from scholartools.tasks.equations.trees.parser import parse
from scholartools.tasks.equations.trees.typesetting import typeset
from scholartools.tasks.shared.questions import SIGNS

NOTHING = Surroundings({"before": "", "after": ""}, "")


def turned(latex: str) -> tuple[Workshop, list]:
    """The formula in a text that tells nothing, and the change of its signs."""
    written = typeset(latex)
    slips = Slips(written, parse(written).statements).find(DEFAULT_OPS)
    workshop = Workshop(written, NOTHING, 0, "q")
    return workshop, workshop.turned_signs(slips)


def random_formula(draw: random.Random) -> str:
    """A sum of products with scripts in which signs stand too, some of them within brackets or a fraction."""

    def term(depth: int) -> str:
        letter = draw.choice("abcpquvw")
        if depth and draw.random() < 0.4:
            return draw.choice([f"{letter} ({total(depth - 1)})", f"\\frac{{{letter}}}{{{total(depth - 1)}}}"])
        return draw.choice([letter, f"{letter}_{{i + 1}}", f"{letter}^{{k - 1}}", f"2 {letter}"])

    def total(depth: int) -> str:
        terms = [term(depth) for _ in range(draw.randint(2, 3))]
        signs = (f" {draw.choice('+-')} " for _ in terms)
        return "".join(part for pair in zip(terms, signs) for part in pair).rstrip(" +-")

    return f"y = {total(2)}"


@pytest.mark.parametrize(
    ("latex", "wrong"),
    [
        ("y = a + b", ["y = a - b"]),
        ("y = a - b + c", ["y = a + b - c"]),
        ("y = -a + b", ["y = -a - b"]),
        ("y = x_{i + 1} - x_i", ["y = x_{i + 1} + x_i"]),
        (r"y = \sum_{i = 1}^{n - 1} x_i (1 - x_i)", [r"y = \sum_{i = 1}^{n - 1} x_i (1 + x_i)"]),
        (r"y = e^{a - b} c", []),
        (r"y = a \pm b", []),
    ],
)
def test_signs_between_terms_are_turned_all_at_once_and_those_in_scripts_stay(latex, wrong):
    workshop, changes = turned(latex)
    assert [one.latex for one in workshop.find_singles(changes)] == list(map(typeset, wrong))


def test_turned_signs_lead_back_and_keep_all_that_is_counted_but_which_sign_is_which():
    draw = random.Random(7)
    tried = 0
    for latex in (random_formula(draw) for _ in range(150)):
        workshop, changes = turned(latex)
        for made in workshop.find_singles(changes):
            back, again = turned(made.latex)
            assert workshop.latex in [one.latex for one in back.find_singles(again)]
            before, after = option_tokens(workshop.latex), option_tokens(made.latex)
            assert kinds_of(before) == kinds_of(after) and len(made.latex) == len(workshop.latex)
            own = [Habits([]).attestation(tokens) for tokens in (before, after)]
            assert own[0] == pytest.approx(own[1]) or {"^", "_"} & set(before)
            tried += 1
    assert tried > 100


def paper(latex: str, words: str) -> dict:
    text = f"{words} {latex} {words}"
    span = {"in": "s1", "start": len(words) + 1, "end": len(words) + 1 + len(latex)}
    section = {"id": "s1", "text": text, "number": None, "heading": "One", "level": 1, "role": "method", "pages": []}
    return {"id": "p", "sections": [section], "equations": [{"id": "e1", "latex": latex, "span": span, "label": None}]}


def test_an_equation_with_one_other_balanced_change_has_a_question_of_both_signs():
    """Without turned signs counts would differ; two of four options have each sign, and all certificates hold."""
    latex = r"\mathcal{H}(q, p) = U(q) + K(p)"
    made = make_questions(paper(latex, "The mean is known."), Options())
    without = make_questions(paper(latex, "The mean is known."), Options(ops=DEFAULT_OPS - {SIGNS}))
    for other in without.questions:
        assert len({tuple(sorted(option_tokens(option["latex"]))) for option in other["options"]}) > 1
    assert len(made.questions) == 1
    question = made.questions[0]
    ops = Counter(frozenset(edit["op"] for edit in option.get("edits", ())) for option in question["options"])
    assert sum(SIGNS in kinds for kinds in ops) == 2 and ops[frozenset([SIGNS])] == 1
    signs = Counter("".join(sign for sign in option["latex"] if sign in "+-") for option in question["options"])
    assert sorted(signs.values()) == [2, 2]
    assert verify_record(question)


def test_at_most_one_of_two_changes_is_of_signs():
    for latex in ("y = (a + b)(c - d)", "y = a + b - c + d"):
        for question in make_questions(paper(latex, "No formula."), Options()).questions:
            kinds = [Counter(edit["op"] for edit in option.get("edits", ())) for option in question["options"]]
            for one, other in itertools.combinations(kinds, 2):
                assert not (set(one) == {SIGNS} and set(other) == {SIGNS})
