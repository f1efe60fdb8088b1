"""Whether counting tells the paper's option: classifiers on sets whose truth can be found, and on sets where it cannot."""

from __future__ import annotations

import random

import pytest

from scholartools.tasks.equations.questions.attacks import guess
from scholartools.tasks.equations.questions.rules import DEFAULT_OPS, Slips
from scholartools.tasks.equations.questions.shortcut_table import Table
from scholartools.tasks.equations.questions.shortcuts import kinds_of, option_tokens
from scholartools.tasks.equations.questions.squares import Workshop, count_oddities
from scholartools.tasks.equations.questions.surroundings import Surroundings
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


def beside(formulas: list[str]) -> Surroundings:
    """What some formulas around an equation tell."""
    return Surroundings({"before": " ".join(f"\\[{typeset(one)}\\]" for one in formulas), "after": ""}, "")


def shares(questions: list[dict]) -> dict[str, float]:
    found = guess(questions, [[]] * len(questions))
    return {f"{one.family} {one.method}": sum(one.hits) / len(one.hits) for one in found}


@pytest.mark.slow
def test_classifiers_find_a_truth_that_is_always_the_longest_and_none_where_it_is_drawn():
    draw = random.Random(1)
    texts = ["x = a + b + c", "x = a + b", "x = a", "x = c d"]
    told = shares([question(number, texts, 0) for number in range(60)])
    assert set(told) == {
        f"{family} {method}"
        for family in ("surface", "distances", "context", "kinds", "all")
        for method in ("logistic", "trees")
    }
    assert told["surface logistic"] == told["all trees"] == 1.0
    drawn = shares([question(number, texts, draw.randrange(4)) for number in range(240)])
    assert all(0.1 < share < 0.42 for share in drawn.values()), drawn


def test_kinds_of_tokens():
    tokens = option_tokens(typeset(r"\hat{f}(x_i) \leq 12.5 \alpha + \operatorname{soft}(Y) \sum_k a / b \text{ if }"))
    assert " ".join(kinds_of(tokens)) == (
        "accent letter opening letter _ letter closing relation number Greek operator function opening letter closing "
        "big _ letter letter operator letter words"
    )


@pytest.mark.slow
def test_a_truth_in_the_order_in_which_the_papers_write_is_found_by_kinds_alone():
    """Each paper writes numbers before letters, with letters of its own: no run of tokens stands there twice."""
    draw = random.Random(2)
    letters = "abcdefghklmnpqrstuvw"
    questions, contexts = [], []
    for number in range(90):
        a, b, c, d = draw.sample(letters, 4)
        options = [f"x = {one} + {other}" for one in (f"3 {a}", f"{a} 3") for other in (f"7 {b}", f"{b} 7")]
        order = draw.sample(range(4), 4)
        questions.append(question(number, [options[place] for place in order], order.index(0)))
        contexts.append([option_tokens(f"y = 5 {c} + 8 {d}")])
    found = {f"{one.family} {one.method}": sum(one.hits) / len(one.hits) for one in guess(questions, contexts)}
    assert found["kinds logistic"] == found["kinds trees"] == 1.0
    assert found["surface logistic"] == 0.25 and found["context logistic"] < 0.45, found


def test_questions_of_one_paper_or_of_other_sizes_teach_nothing():
    one = [{**question(number, ["x = a", "x = b"], 0), "paper": "p"} for number in range(9)]
    assert not list(guess(one, [[]] * 9))
    mixed = [question(0, ["x = a", "x = b"], 0), question(1, ["x = a", "x = b", "x = c"], 0)]
    assert not list(guess(mixed, [[]] * 2))


@pytest.mark.parametrize("latex", FORMULAS)
def test_options_of_a_square_are_made_of_the_same_tokens_and_hold_no_more_oddities(latex):
    written = typeset(latex)
    slips = Slips(written, parse(written).statements).find(DEFAULT_OPS)
    workshop = Workshop(written, beside([]), 3, "q")
    found = list(workshop.squares(workshop.balanced_changes(slips), balanced=True))
    assert found
    for options in found:
        assert options[0].latex == written and len({option.latex for option in options}) == 4
        assert len({tuple(sorted(option_tokens(option.latex))) for option in options}) == 1
        assert len({len(option.latex) for option in options}) == 1
        assert all(count_oddities(option.latex) == count_oddities(written) for option in options)
        assert workshop.join(options[1].edits, options[2].edits)


@pytest.mark.slow
def test_where_the_text_around_attests_the_equation_its_rank_is_no_hint():
    """Of formulas around that hold runs of the equation, or of its changes, as many changes gain as lose."""
    written = typeset(r"y_i = a_i b_j + c_j d_k e_i - f_j g_k")
    slips = Slips(written, parse(written).statements).find(DEFAULT_OPS)
    around = [r"a_i b_j", r"c_k d_j", r"b_i", r"a_j", r"d_j", r"c_i"]
    gains = losses = 0
    for seed in range(40):
        workshop = Workshop(written, beside(around), seed, "q")
        for options in workshop.squares(workshop.balanced_changes(slips), balanced=True):
            steps = [sum(one.attested) - sum(options[0].attested) for one in options[1:3]]
            gains += sum(step > 1e-9 for step in steps)
            losses += sum(step < -1e-9 for step in steps)
    assert gains + losses >= 40 and abs(gains - losses) <= 0.2 * (gains + losses)


@pytest.mark.slow
def test_where_the_text_around_is_written_in_the_order_of_the_equation_kinds_are_no_hint():
    """Of changes that alter how often runs of kinds stand around, as many gain as lose; nothing else stands there."""
    written = typeset(r"y = 2 a + b 3 - \frac{c}{5} + \frac{7}{d} - f g^2 + h^2 k")
    slips = Slips(written, parse(written).statements).find(DEFAULT_OPS)
    around = [r"8 p + q 9", r"\frac{r}{4}", r"\frac{6}{s}", r"t u^6", r"v^8 w"]
    steps = []
    for seed in range(8):
        workshop = Workshop(written, beside(around), seed, "q")
        for options in workshop.squares(workshop.balanced_changes(slips), balanced=True):
            steps += [sum(one.usual) - sum(options[0].usual) for one in options[1:3]]
    gains, losses = sum(step > 1e-9 for step in steps), sum(step < -1e-9 for step in steps)
    assert gains + losses >= 40 and abs(gains - losses) <= 0.2 * (gains + losses), (gains, losses, len(steps))


def test_hide_attested_takes_only_what_the_text_around_tells_nothing_of():
    written = typeset(FORMULAS[2])
    slips = Slips(written, parse(written).statements).find(DEFAULT_OPS)
    workshop = Workshop(written, beside([written]), 0, "q", hides=True)
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
