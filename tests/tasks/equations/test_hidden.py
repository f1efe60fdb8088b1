"""Differences that few numbers show: beyond the first terms of a sum, at negative numbers, in larger matrices.

The oracle computes the two sides of a pair from Python code at the numbers for which they differ.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from support.run import ROOT

from scholartools.tasks.equations import certify

# Pairs whose sides have the same values for small numbers or matrices; the two sides in Python differ beyond.
HIDDEN = [
    ("y = \\sum_{k=0}^\\infty k^3 x^k", "y = \\sum_{k=0}^\\infty (3 k^2 - 2 k) x^k", lambda: 3**3, lambda: 3 * 3**2 - 6),
    ("y = \\sum_{k=0}^\\infty k (k-1)(k-2) a_k x^k", "y = \\sum_{k=0}^\\infty k (k-1)(k-2) b_k x^k", lambda: 6, lambda: 12),
    ("y = \\prod_{k=1}^\\infty (1 + (k-1)(k-2)(k-3) x)", "y = 1", lambda: 1 + 6, lambda: 1),
    ("y = \\binom{n}{20} + x", "y = \\binom{n}{25} + x", lambda: math.comb(30, 20), lambda: math.comb(30, 25)),
    ("y = \\sum_{i=1}^n \\binom{i}{15} a_i + b", "y = b", lambda: math.comb(15, 15), lambda: 0),
    ("y = \\prod_{i=0}^{20} (n - i) + n!", "y = n!", lambda: math.prod(21 - i for i in range(21)), lambda: 0),
    ("y = \\lfloor \\frac{1}{1 + x^2} \\rfloor", "y = 0", lambda: math.floor(1 / (1 + 0)), lambda: 0),
    ("y = x + \\sum_{i=1}^n \\lfloor \\frac{i}{3 \\cdot 3 \\cdot 2} \\rfloor", "y = x", lambda: 18 // 18, lambda: 0),
    ("y = \\sum_x |x| p(x)", "y = \\sum_x x p(x)", lambda: abs(-1), lambda: -1),
    ("y = \\int_{-\\infty}^\\infty \\max(x, 0) p(x) dx", "y = \\int_{-\\infty}^\\infty x p(x) dx",
     lambda: max(-1, 0), lambda: -1),
]  # fmt: skip
# Pairs that are equal for all 2 x 2 matrices, as functions of three matrices.
SMALL = [
    ("(A - A^\\top)(B - B^\\top)", "(B - B^\\top)(A - A^\\top)",
     lambda a, b, c: (a - a.T) @ (b - b.T), lambda a, b, c: (b - b.T) @ (a - a.T)),
    ("(A - A^\\top)^2 C", "C (A - A^\\top)^2",
     lambda a, b, c: (a - a.T) @ (a - a.T) @ c, lambda a, b, c: c @ (a - a.T) @ (a - a.T)),
    ("(A B - B A)^2 C", "C (A B - B A)^2",
     lambda a, b, c: (a @ b - b @ a) @ (a @ b - b @ a) @ c, lambda a, b, c: c @ (a @ b - b @ a) @ (a @ b - b @ a)),
]  # fmt: skip


@pytest.mark.parametrize(("one", "other", "value", "beside"), HIDDEN)
def test_what_differs_only_beyond_small_numbers_is_not_the_same(one, other, value, beside):
    assert value() != beside()
    assert "same" not in (certify(one, other)["verdict"], certify(other, one)["verdict"])


@pytest.mark.parametrize(("one", "other", "value", "beside"), SMALL)
def test_what_is_equal_for_small_matrices_only_is_not_the_same(one, other, value, beside):
    drawn = np.random.default_rng(0)
    for size in (2, 3):
        matrices = drawn.uniform(-1, 1, (3, size, size))
        assert np.allclose(value(*matrices), beside(*matrices)) == (size == 2)
    assert certify(f"Y = {one}", f"Y = {other}")["verdict"] != "same"


@pytest.mark.parametrize(("one", "other"), [
    ("y = x + O(h)", "y = x - O(h)"), ("y = (1 + o(1)) x", "y = (1 - o(1)) x"), ("T(n) = 2^{O(n)}", "T(n) = 3^{O(n)}"),
    ("A = (a_{ij})", "A = (a_{kl})"), ("S = \\{a_n\\}", "S = \\{a_k\\}"), ("D = \\mathrm{diag}(a_i)", "D = \\mathrm{diag}(a_j)"),
    ("X_n \\xrightarrow{d} X", "X_m \\xrightarrow{d} X"), ("F = \\mathcal{F}[f(x)](k)", "F = \\mathcal{F}[f(t)](k)"),
    ("y = u(2 t)", "y = u(t)"), ("y = 1 - u(t)", "y = u(-t)"), ("y = \\delta[n]^2", "y = \\delta[n]"),
    ("y = \\int_0^\\infty \\int_0^\\infty f(x + z) dx dz", "y = \\int_0^\\infty t f(t) dt"),
    ("C = 2^{A \\cap B}", "C = 2^A \\cap 2^B"), ("y = \\log^2 x", "y = \\log (\\log x)"), ("\\min_x f(x)", "\\max_x -f(x)"),
    ("R = 8 \\, \\mathrm{J \\, mol^{-1}}", "R = 8 \\, \\mathrm{J/mol}"), ("y = B(a, b)", "y = B(a + 1, b) + B(a, b + 1)"),
    ("y = x + \\Phi^{-1}(1 - a) s", "y = x - \\Phi^{-1}(a) s"),
    ("y = \\mathbb{E}[\\mathbb{E}[X \\mid Y]^2]", "y = \\mathbb{E}[X \\mathbb{E}[X \\mid Y]]"),
    ("y = \\epsilon_{ijk} a_j b_k", "y = -\\epsilon_{ijk} a_k b_j"),
])  # fmt: skip
def test_what_may_say_the_same_is_not_different(one, other):
    assert "different" not in (certify(one, other)["verdict"], certify(other, one)["verdict"])


@pytest.mark.slow
def test_no_pair_of_a_visitor_gets_a_wrong_verdict():
    text = (ROOT / "tests" / "support" / "equation-visitors.txt").read_text(encoding="utf-8")
    rows = [line.split(" ;; ") for line in text.splitlines()[1:]]
    wrong = {"same": {"different"}, "different": {"same"}, "unsure": {"same", "different"}}
    found = [certify(*row[1:])["verdict"] for row in rows]
    assert [row for row, verdict in zip(rows, found) if verdict in wrong[row[0]]] == []
    assert len([one for one in found if one != "undecided"]) > 0.25 * len(rows)
