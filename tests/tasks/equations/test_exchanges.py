"""Letters that change places throughout: which may, and that the set made of a formula is as well made of its options."""

from __future__ import annotations

import itertools
import random
from functools import lru_cache

import pytest

from scholartools.tasks.equations.questions.edits import apply, are_apart
from scholartools.tasks.equations.questions.rules import DEFAULT_OPS, Slips
from scholartools.tasks.equations.questions.shortcuts import Habits, kinds_of, option_tokens
from scholartools.tasks.equations.questions.squares import Workshop, count_oddities
from scholartools.tasks.equations.questions.surroundings import Surroundings
from scholartools.tasks.equations.trees.parser import parse
from scholartools.tasks.equations.trees.typesetting import typeset
from scholartools.tasks.shared.questions import EXCHANGE

NOTHING = Surroundings({"before": "", "after": ""}, "")
FORMULAS = [
    r"\mathbf{M} = \mathbf{XA}",
    r"y = a b^2 + c \frac{a}{u}",
    r"h_i = \sum_{j=1}^{n} w_{ij} x_j + b_i c",
    r"\Phi(\mathbf{h}) = W \mathbf{h} + V \mathbf{b}",
    r"L_{\text{train}} = 2 L_{\text{test}} + 3 \hat{q}",
    r"f(x) = g(x) + \int p(t) dt",
]


def workshop_of(latex: str, seed: int = 0) -> tuple[Workshop, list]:
    """The formula in a text that tells nothing, and its slips of this kind."""
    written = typeset(latex)
    slips = Slips(written, parse(written).statements).find({EXCHANGE})
    return Workshop(written, NOTHING, seed, "q"), slips


def exchanged(latex: str) -> dict[str, set[frozenset[str]]]:
    """What each exchange makes of a formula, with the letters that change places."""
    workshop, slips = workshop_of(latex)
    found = {}
    for change in workshop.balanced_changes(slips):
        letters = {frozenset([workshop.latex[one.start : one.end], one.new]) for one in change}
        found[typeset(apply(workshop.latex, change))] = letters
    return found


def random_formula(draw: random.Random) -> str:
    """A sum of products of letters with scripts and numbers, some of which stand more than once."""
    letters = draw.sample("abchkpquvwxyzABCMW", draw.randint(3, 6)) + draw.sample(["\\eta", "\\rho", "\\mu"], 1)

    def factor() -> str:
        letter = draw.choice(letters)
        return draw.choice([letter, f"{letter}_i", f"{letter}^2", f"\\frac{{{letter}}}{{{draw.choice(letters)}}}"])

    terms = [" ".join(factor() for _ in range(draw.randint(1, 3))) for _ in range(draw.randint(1, 4))]
    return f"{draw.choice(letters)} = " + " + ".join(terms)


def generated(count: int) -> list[str]:
    draw = random.Random(5)
    return [random_formula(draw) for _ in range(count)]


@pytest.mark.parametrize(
    ("latex", "pairs"),
    [
        (r"\mathbf{M} = \mathbf{XA}", ["M X", "M A", "X A"]),
        (r"y = a_i + b_j", ["y a", "y b", "a b", "i j"]),
        (r"y = \sum_{i=1}^n x_i + k", ["y x", "y k", "x k"]),
        (r"y = f(a) + g(b)", ["f g", "y a", "y b", "a b"]),
        (r"A_{max} = \hat{v} + \mathbf{y}", ["A v"]),
        (r"u = \int f(x) dx", []),
        (r"L_{\text{in}} = L_{\text{out}}", ["in out"]),
        (r"y = 2 x^3 + 5", ["y x", "2 5"]),
    ],
)
def test_letters_change_places_with_those_of_one_use_and_font(latex, pairs):
    found = {frozenset(pair) for letters in exchanged(latex).values() for pair in letters}
    assert found == {frozenset(pair.split()) for pair in pairs}


@pytest.mark.parametrize("latex", [*FORMULAS, *generated(40)])
def test_an_exchange_leads_back_and_keeps_kinds_of_letters_and_repetitions(latex):
    written = typeset(latex)
    own = Habits([]).attestation(option_tokens(written))
    for made, letters in exchanged(latex).items():
        assert exchanged(made).get(written) == letters
        assert Habits([]).attestation(option_tokens(made)) == pytest.approx(own)
        if all(len({kinds_of((one,)) for one in pair}) == 1 for pair in letters):
            assert kinds_of(option_tokens(made)) == kinds_of(option_tokens(written))


@lru_cache
def squares_of(latex: str) -> set[frozenset[str]]:
    """All sets of four options that exchanges make of a formula."""
    workshop, slips = workshop_of(latex)
    singles = workshop.find_singles(workshop.balanced_changes(slips))
    assert len({one.latex for one in singles}) == len(singles)
    assert all(sorted(option_tokens(one.latex)) == sorted(option_tokens(workshop.latex)) for one in singles)
    return {
        frozenset(one.latex for one in options) for options in workshop.complete(itertools.combinations(singles, 2))
    }


@pytest.mark.parametrize("latex", [*FORMULAS[:2], *FORMULAS[3:], *generated(8)])
def test_a_set_of_exchanges_is_made_of_each_of_its_options_alike(latex):
    """So nothing that is counted in the options, and no way in which they are made, tells which was there first."""
    for options in sorted(squares_of(latex), key=sorted)[:6]:
        assert all(options in squares_of(option) for option in options)


def test_two_exchanges_that_share_a_letter_make_a_square():
    """Each option is one exchange from two others, and two from the third."""
    found = squares_of("y = a b^2 + c")
    shared = [options for options in found if "y = ab^2 + c" in options and all(one[0] == "y" for one in options)]
    assert len(shared) == 6
    for options in shared:
        for option in options:
            assert len(set(exchanged(option)) & (options - {option})) == 2


def test_a_letter_in_another_font_stays():
    workshop, slips = workshop_of(r"y = \mathbf{x} \mathbf{z} + x u")
    bold, plain = (
        next(change for change in workshop.balanced_changes(slips) if {one.new for one in change} == set(letters))
        for letters in ("xz", "xu")
    )
    assert typeset(apply(workshop.latex, bold)) == r"y = \mathbf{z}\mathbf{x} + xu"
    assert all(are_apart(one, other) for one in bold for other in plain)
    assert typeset(apply(workshop.latex, workshop.join(bold, plain))) == r"y = \mathbf{z}\mathbf{x} + ux"
    workshop, slips = workshop_of(r"y = \mathbf{x} \mathbf{z} \mathbf{v} + x")
    one, other = (
        next(change for change in workshop.balanced_changes(slips) if {edit.new for edit in change} == set(letters))
        for letters in ("xz", "xv")
    )
    assert typeset(apply(workshop.latex, workshop.join(one, other))).endswith("+ x")


def test_no_script_is_left_without_its_letter():
    written = typeset("y = a b^2 + c")
    slips = Slips(written, parse(written).statements).find(DEFAULT_OPS)
    workshop = Workshop(written, NOTHING, 3, "q")
    made = [
        option.latex
        for options in workshop.squares(workshop.balanced_changes(slips), balanced=True)
        for option in options
    ]
    assert made and not any(" ^" in one or one.startswith("^") for one in made)
    assert count_oddities("y = ^2b + ac")["script"] == 1 and count_oddities("y = {}^2b + ac")["script"] == 0
