"""Whether counting tells the paper's option: classifiers on sets whose truth can be found, and on sets where it cannot."""

from __future__ import annotations

import random

import pytest

from scholartools.tasks.equations.questions.attacks import guess
from scholartools.tasks.equations.questions.edits import are_apart
from scholartools.tasks.equations.questions.rules import DEFAULT_OPS, Slips
from scholartools.tasks.equations.questions.shortcut_table import Table
from scholartools.tasks.equations.questions.shortcuts import Habits, option_tokens
from scholartools.tasks.equations.questions.squares import Workshop, count_oddities
from scholartools.tasks.equations.trees.parser import parse
from scholartools.tasks.equations.trees.typesetting import typeset

FORMULAS = [
    r"s(x) = \sqrt{\frac{\sum_{j=1}^n (x_j - \bar{x})^2}{n-1}}",
    r"h_t = \sigma(W_h h_{t-1} + U x_t)",
    r"x_i = a_{i+1}^{T} b + \frac{c_i^{2}}{d}",
    r"\hat{y}_i = \bar{z}^T f(a, b) g(u)",
    r"L = \frac{1}{2} \sum_{i=1}^n w_i (y_i - f(x_i))^2 + \lambda \|w\|^2",
]


def question(number: int, options: list[str], truth: int) -> dict:
    """A question of one of six papers."""
    shown = [{"id": f"o{place}", "latex": latex, "correct": place == truth} for place, latex in enumerate(options)]
    return {"id": str(number), "paper": f"p{number % 6}", "options": shown, "context": {"before": "", "after": ""}}


def shares(questions: list[dict]) -> dict[str, float]:
    found = guess(questions, [Habits([])] * len(questions))
    return {f"{one.family} {one.method}": sum(one.hits) / len(one.hits) for one in found}


@pytest.mark.slow
def test_classifiers_find_a_truth_that_is_always_the_longest_and_none_where_it_is_drawn():
    draw = random.Random(1)
    texts = ["x = a + b + c", "x = a + b", "x = a", "x = c d"]
    told = shares([question(number, texts, 0) for number in range(60)])
    assert set(told) == {
        f"{family} {method}"
        for family in ("surface", "distances", "context", "all")
        for method in ("logistic", "trees")
    }
    assert told["surface logistic"] == told["all trees"] == 1.0
    drawn = shares([question(number, texts, draw.randrange(4)) for number in range(240)])
    assert all(0.1 < share < 0.42 for share in drawn.values()), drawn


def test_questions_of_one_paper_or_of_other_sizes_teach_nothing():
    one = [{**question(number, ["x = a", "x = b"], 0), "paper": "p"} for number in range(9)]
    assert not list(guess(one, [Habits([])] * 9))
    mixed = [question(0, ["x = a", "x = b"], 0), question(1, ["x = a", "x = b", "x = c"], 0)]
    assert not list(guess(mixed, [Habits([])] * 2))


@pytest.mark.parametrize("latex", FORMULAS)
def test_options_of_a_square_are_made_of_the_same_tokens_and_hold_no_more_oddities(latex):
    written = typeset(latex)
    slips = Slips(written, parse(written).statements).find(DEFAULT_OPS)
    workshop = Workshop(written, Habits([]), 3, "q")
    found = list(workshop.squares(workshop.balanced_changes(slips), balanced=True))
    assert found
    for options in found:
        assert options[0].latex == written and len({option.latex for option in options}) == 4
        assert len({tuple(sorted(option_tokens(option.latex))) for option in options}) == 1
        assert len({len(option.latex) for option in options}) == 1
        assert all(count_oddities(option.latex) == count_oddities(written) for option in options)
        assert all(are_apart(a, b) for a in options[1].edits for b in options[2].edits)


def test_where_the_text_around_attests_the_equation_its_rank_is_no_hint():
    """Of formulas around that hold runs of the equation, or of its changes, as many changes gain as lose."""
    written = typeset(r"y_i = a_i b_j + c_j d_k e_i - f_j g_k")
    slips = Slips(written, parse(written).statements).find(DEFAULT_OPS)
    around = [r"a_i b_j", r"c_k d_j", r"b_i", r"a_j", r"d_j", r"c_i"]
    gains = losses = 0
    for seed in range(40):
        workshop = Workshop(written, Habits([option_tokens(typeset(one)) for one in around]), seed, "q")
        for options in workshop.squares(workshop.balanced_changes(slips), balanced=True):
            steps = [sum(one.attested) - sum(options[0].attested) for one in options[1:3]]
            gains += sum(step > 1e-9 for step in steps)
            losses += sum(step < -1e-9 for step in steps)
    assert gains + losses >= 40 and abs(gains - losses) <= 0.2 * (gains + losses)


def test_hide_attested_takes_only_what_the_text_around_tells_nothing_of():
    written = typeset(FORMULAS[2])
    slips = Slips(written, parse(written).statements).find(DEFAULT_OPS)
    workshop = Workshop(written, Habits([option_tokens(written)]), 0, "q", hides=True)
    for options in workshop.squares(workshop.balanced_changes(slips), balanced=True):
        assert options[1].attested == options[2].attested == options[0].attested


def test_the_table_names_classifiers_with_intervals_and_warns_of_what_is_learned():
    table = Table(learns=True)
    for number in range(60):
        table.add(question(number, ["x = a + b + c", "x = a + b", "x = a", "x = c d"], 0))
    text = "\n".join(table.lines())
    assert "surface, logistic" in text and "100.0 to 100.0%" in text and "chance" in text
    warned = " ".join(table.warnings())
    assert "learned" in warned and "all, trees" in warned
