"""Equations, definitions, assignments and approximations none of whose sides are equal, against roots found apart.

The oracle knows nothing of our reader: it solves one of two drawn equations for each of its letters by bisection, and
looks whether the other one holds there.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest

from scholartools.tasks.equations import certify
from scholartools.tasks.equations.certificates.relations import EQUATED

RELATIONS = ["=", *sorted(one for one in EQUATED if "overset" not in one)]
LETTERS = "a b c u v w a_i a_j b_i \\alpha \\beta \\hat{c} \\theta_t \\theta_{t-1} r".split()
OPPOSITE = {"same": "different", "different": "same"}
Values = dict[str, float]


@dataclass(frozen=True)
class Term:
    """What is written, what it comes to, and its letters in their order."""

    latex: str
    value: Callable[[Values], float]
    letters: tuple[str, ...]


def letter(name: str) -> Term:
    return Term(name, lambda values: values[name], (name,))


def join(op: str, one: Term, other: Term) -> Term:
    letters = one.letters + other.letters
    if op == "+":
        return Term(f"{one.latex} + {other.latex}", lambda x: one.value(x) + other.value(x), letters)
    if op == "-":
        return Term(f"{one.latex} - ({other.latex})", lambda x: one.value(x) - other.value(x), letters)
    if op == "*":
        return Term(f"({one.latex}) ({other.latex})", lambda x: one.value(x) * other.value(x), letters)
    if op == "star":
        return Term(f"2 * ({one.latex}) * ({other.latex})", lambda x: 2 * one.value(x) * other.value(x), letters)
    return Term(f"\\frac{{{one.latex}}}{{{other.latex}}}", lambda x: one.value(x) / other.value(x), letters)


def wrap(op: str, one: Term) -> Term:
    if op == "exp":
        return Term(f"\\exp({one.latex})", lambda x: math.exp(one.value(x)), one.letters)
    if op == "square":
        return Term(f"({one.latex})^2", lambda x: one.value(x) ** 2, one.letters)
    if op == "half":
        return Term(f"\\frac{{1}}{{2}} ({one.latex})", lambda x: one.value(x) / 2, one.letters)
    if op in FUNCTIONS:
        return Term(f"{op}({one.latex})", lambda x: increase(op, one.value(x)), one.letters)
    return Term(f"-({one.latex})", lambda x: -one.value(x), one.letters)


MARKS = ["exp", "square", "half", "minus"]
# Functions of the paper in other fonts: each may be any, so that some that grow show what differs.
FUNCTIONS = ["\\mathcal{F}", "\\mathcal{G}_a", "\\mathbf{f}", "\\mathfrak{m}"]


def increase(name: str, at: float) -> float:
    place = FUNCTIONS.index(name)
    return (0.7 + 0.2 * place) * at + 0.3 * math.sin(at + place) + 0.2


def grow(source: random.Random, names: list[str], style: str) -> Term:
    """A formula of all of some letters, each once."""
    if len(names) == 1:
        made = letter(names[0])
    else:
        cut = source.randrange(1, len(names))
        way = source.choice(["star", "star", "+", "-"] if style == "stars" else "+-*/+*")
        made = join(way, grow(source, names[:cut], style), grow(source, names[cut:], style))
    marks = FUNCTIONS if style == "functions" else ["half", "minus"] if style == "stars" else MARKS
    return wrap(source.choice(marks), made) if source.random() < (0.4 if style == "functions" else 0.2) else made


def draw_pair(seed: int) -> tuple[str, tuple[Term, Term], tuple[Term, Term]]:
    """A relation, and the sides of two statements with it."""
    source = random.Random(seed)
    names = source.sample(LETTERS, source.randint(3, 5))
    cut = source.choice([1, 1, 2])
    style = source.choice(["plain", "plain", "functions", "stars"])
    seeds = source.random(), source.random()

    def make(some: list[str]) -> tuple[Term, Term]:
        return grow(random.Random(seeds[0]), some[:cut], style), grow(random.Random(seeds[1]), some[cut:], style)

    first = left, right = make(names)
    way = source.choice(["exchange", "exchange", "cycle", "other", "add", "times", "swap", "minus", "exp", "solve"])
    beside = letter(source.choice([*names, "q"]))
    if way == "exchange":
        one, other = source.sample(range(len(names)), 2)
        names[one], names[other] = names[other], names[one]
        second = make(names)
    elif way == "cycle":
        second = make([*names[1:], names[0]])
    elif way == "other":
        seeds = source.random(), source.random()
        second = make(names)
    elif way == "add":
        second = join("-", left, beside), join("-", right, beside)
    elif way == "times":
        second = join("*", beside, left), join("*", right, beside)
    elif way == "swap":
        second = wrap("minus", right), wrap("minus", left)
    elif way == "solve":  # a is b times c, and b is a over c
        second = (letter(names[0]), join("*", letter(names[1]), letter(names[2])))
        first = (letter(names[1]), join("/", letter(names[0]), letter(names[2])))
    else:
        second = wrap(way, left), wrap(way, right)
    return source.choice(RELATIONS), first, second


def roots(equation: tuple[Term, Term], name: str, values: Values) -> Iterator[Values]:
    """Values at which an equation holds, with another value of one letter."""

    def gap(at: float) -> float:
        try:
            return equation[0].value({**values, name: at}) - equation[1].value({**values, name: at})
        except (OverflowError, ZeroDivisionError):
            return math.nan

    places = [0.05 * place for place in range(-80, 81) if place]
    for low, high in zip(places, places[1:]):
        if not gap(low) * gap(high) < 0:
            continue
        for _ in range(70):
            middle = (low + high) / 2
            low, high = (low, middle) if gap(low) * gap(middle) <= 0 else (middle, high)
        if abs(gap(low)) < 1e-9:  # else a pole
            yield {**values, name: low}


def find_truth(first: tuple[Term, Term], second: tuple[Term, Term]) -> str | None:
    """Whether each of two equations holds where the other does; None where no root is found."""
    source = random.Random(str([one.latex for one in (*first, *second)]))
    letters = list(dict.fromkeys(one for side in (*first, *second) for one in side.letters))
    found = 0
    for this, other in ((first, second), (second, first)):
        for _ in range(3):
            values = {one: source.uniform(0.3, 2.0) * source.choice([1, 1, -1]) for one in letters}
            for name in dict.fromkeys((*this[0].letters, *this[1].letters)):
                for point in roots(this, name, values):
                    if abs(point[name]) < 1e-6:
                        continue  # a factor that is zero hides what is beside it
                    try:
                        one, two = other[0].value(point), other[1].value(point)
                    except (OverflowError, ZeroDivisionError):
                        continue
                    found += 1
                    if abs(one - two) > 1e-4 * max(1.0, abs(one), abs(two)):
                        return "different"
    return "same" if found > 3 else None


def judge(seed: int) -> tuple[str | None, str, tuple[str, str]]:
    """The truth of a drawn pair, our verdict, and the pair."""
    relation, first, second = draw_pair(seed)
    one, other = (f"{sides[0].latex} {relation} {sides[1].latex}" for sides in (first, second))
    return find_truth(first, second), certify(one, other)["verdict"], (one, other)


@pytest.mark.parametrize("part", [0, *(pytest.param(part, marks=pytest.mark.slow) for part in (1, 2, 3))])
def test_statements_differ_only_where_the_equations_of_their_sides_do(part):
    judged = [judge(place) for place in range(part * 50, part * 50 + 50)]
    wrong = [one for one in judged if one[0] is not None and one[1] == OPPOSITE[one[0]]]
    assert not wrong, wrong[:3]
    assert sum(one[1] == one[0] == "different" for one in judged) > 10
