"""What letters commonly name (signs, steps, probabilities, densities), against values that obey these laws.

The oracle knows nothing of our reader: each form is given with its value in Python, where exponents of -1 are whole
numbers, weights add up to 1, and steps are 0 or 1. All pairs of the forms of a law are judged.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable
from types import SimpleNamespace

import pytest
from support.run import ROOT

from scholartools.tasks.equations import certify

OPPOSITE = {"same": "different", "different": "same"}
Form = tuple[str, Callable[[SimpleNamespace], float]]


def values(seed: int) -> SimpleNamespace:
    source = random.Random(seed)
    drawn = {letter: source.uniform(0.3, 2.0) * source.choice([-1, 1]) for letter in "abcx"}
    weights = [source.uniform(0.1, 1.0) for _ in range(5)]
    places = [source.uniform(-2, 2) for _ in weights]
    whole = {letter: source.randrange(-9, 10) for letter in "stuv"}
    share = [one / sum(weights) for one in weights]
    return SimpleNamespace(**drawn, **whole, p=share, X=places, m=source.uniform(-1, 1), h=source.uniform(0.1, 0.9))


def mean(at: SimpleNamespace, function: Callable[[float], float]) -> float:
    return sum(weight * function(place) for weight, place in zip(at.p, at.X))


def normal(x: float, m: float, s: float) -> float:
    return math.exp(-((x - m) ** 2) / (2 * s)) / math.sqrt(2 * math.pi * s)


def entropy(p: float) -> float:
    return -p * math.log(p) - (1 - p) * math.log(1 - p)


LAWS: dict[str, list[Form]] = {
    "signs": [
        ("y = (-1)^{s} a", lambda at: (-1) ** at.s * at.a),
        ("y = (-1)^{-s} a", lambda at: (-1) ** at.s * at.a),
        ("y = (-1)^{3 s} a", lambda at: (-1) ** at.s * at.a),
        ("y = (-1)^{s + 1} a", lambda at: -((-1) ** at.s) * at.a),
        ("y = -(-1)^{s - 2} a", lambda at: -((-1) ** at.s) * at.a),
        ("y = (-1)^{2 s} a", lambda at: at.a),
        ("y = (-1)^{s + t} a", lambda at: (-1) ** (at.s + at.t) * at.a),
        ("y = (-1)^{s - t} a", lambda at: (-1) ** (at.s - at.t) * at.a),
        ("y = \\frac{a}{(-1)^{s}}", lambda at: (-1) ** at.s * at.a),
        ("a = (-1)^{s} y", lambda at: (-1) ** at.s * at.a),
        ("a = 2 (-1)^{s} y", lambda at: (-1) ** at.s * at.a / 2),
        ("a = b + (-1)^{s} y", lambda at: (-1) ** at.s * (at.a - at.b)),
    ],
    "steps": [
        ("y = \\theta(x) a", lambda at: (at.x > 0) * at.a),
        ("y = \\theta(x)^2 a", lambda at: (at.x > 0) * at.a),
        ("y = a \\theta(x) \\theta(x)", lambda at: (at.x > 0) * at.a),
        ("y = \\theta(x) a^2", lambda at: (at.x > 0) * at.a**2),
        ("y = \\theta(x) a + b", lambda at: (at.x > 0) * at.a + at.b),
        ("y = \\theta(x)^3 a - b", lambda at: (at.x > 0) * at.a - at.b),
    ],
    "weights": [
        ("y = \\sum_i p_i (x_i - c)", lambda at: mean(at, lambda x: x - at.c)),
        ("y = \\sum_i p_i x_i - c", lambda at: mean(at, lambda x: x) - at.c),
        ("y = \\sum_i p_i x_i + c", lambda at: mean(at, lambda x: x) + at.c),
        ("y = \\sum_i p_i (x_i + 2 c)", lambda at: mean(at, lambda x: x + 2 * at.c)),
        ("y = \\sum_i p_i (x_i - c)^2", lambda at: mean(at, lambda x: (x - at.c) ** 2)),
        ("y = \\sum_i p_i x_i^2 - 2 c \\sum_i p_i x_i + c^2", lambda at: mean(at, lambda x: (x - at.c) ** 2)),
        ("y = \\sum_{i=1}^n p_i (1 - p_i)", lambda at: sum(one * (1 - one) for one in at.p)),
        ("y = 1 - \\sum_{i=1}^n p_i^2", lambda at: 1 - sum(one**2 for one in at.p)),
        ("y = \\sum_{i=1}^n p_i^2 - 1", lambda at: sum(one**2 for one in at.p) - 1),
    ],
    "densities": [
        ("y = \\mathcal{N}(x; m, a)", lambda at: normal(at.x, at.m, at.h)),
        ("y = \\mathcal{N}(x - m; 0, a)", lambda at: normal(at.x, at.m, at.h)),
        ("y = \\mathcal{N}(m \\mid x, a)", lambda at: normal(at.x, at.m, at.h)),
        ("y = \\mathcal{N}(m; x, a) + b", lambda at: normal(at.x, at.m, at.h) + at.b),
        ("y = \\mathcal{N}(x; m, a) - b", lambda at: normal(at.x, at.m, at.h) - at.b),
    ],
    "entropies": [
        ("y = H(p)", lambda at: entropy(at.h)),
        ("y = H(1 - p)", lambda at: entropy(at.h)),
        ("y = H(p) + b", lambda at: entropy(at.h) + at.b),
        ("y = H(1 - p) - b", lambda at: entropy(at.h) - at.b),
    ],
    "complements": [
        ("y = p q + a", lambda at: at.h * (1 - at.h) + at.a),
        ("y = p (1 - p) + a", lambda at: at.h * (1 - at.h) + at.a),
        ("y = p q - a", lambda at: at.h * (1 - at.h) - at.a),
        ("y = p - p^2 - a", lambda at: at.h - at.h**2 - at.a),
    ],
    "logistic": [
        ("y = 2 \\sigma(2 x) - 1", lambda at: math.tanh(at.x)),
        ("y = \\tanh x", lambda at: math.tanh(at.x)),
        ("y = \\frac{1}{1 + e^{-2 x}}", lambda at: 1 / (1 + math.exp(-2 * at.x))),
        ("y = \\sigma(2 x)", lambda at: 1 / (1 + math.exp(-2 * at.x))),
        ("y = \\sigma(2 x) + a", lambda at: 1 / (1 + math.exp(-2 * at.x)) + at.a),
        ("y = \\sigma(2 x) - a", lambda at: 1 / (1 + math.exp(-2 * at.x)) - at.a),
    ],
}  # fmt: skip


@pytest.mark.parametrize("law", LAWS)
def test_no_verdict_denies_what_a_letter_commonly_names(law):
    verdicts = []
    for (one, value), (other, beside) in itertools.permutations(LAWS[law], 2):
        points = [values(seed) for seed in range(20)]
        truth = "same" if all(math.isclose(value(at), beside(at), rel_tol=1e-9) for at in points) else "different"
        verdicts.append(certify(one, other)["verdict"])
        assert verdicts[-1] != OPPOSITE[truth], (one, other)
    assert "different" in verdicts


@pytest.mark.slow
def test_no_pair_of_a_reader_of_many_fields_gets_a_wrong_verdict():
    text = (ROOT / "tests" / "support" / "equation-readers.txt").read_text(encoding="utf-8")
    rows = [line.split(" ;; ") for line in text.splitlines()[1:]]
    found = [certify(*row[1:])["verdict"] for row in rows]
    assert [row for row, verdict in zip(rows, found) if verdict == OPPOSITE[row[0]]] == []
    assert len([one for one in found if one != "undecided"]) > 0.3 * len(rows)
