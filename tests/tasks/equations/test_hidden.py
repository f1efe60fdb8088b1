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
    ("y = \\sum_{i=1}^n a_i", "y = \\sum_{i=1}^n a_i + \\prod_{j=0}^9 (n - j)", lambda: 0, lambda: math.factorial(10)),
    ("y = \\sum_{k=0}^n (-1)^k \\binom{n}{k}", "y = 0", lambda: math.comb(0, 0), lambda: 0), ("y = 0^n", "y = 0", lambda: 0**0, lambda: 0),
    # Functions of small arguments look like straight lines.
    ("y = \\sin(10^{-8} x)", "y = 10^{-8} x", lambda: math.sin(1), lambda: 1),
    ("y = \\tanh(10^{-9} x)", "y = \\sin(10^{-9} x)", lambda: math.tanh(1), lambda: math.sin(1)),
    ("y = \\cos(10^{-5} x) + z", "y = 1 + z", lambda: math.cos(1), lambda: 1),
    ("y = e^{10^{-12} x}", "y = 1", lambda: math.e, lambda: 1), ("y = a^{10^{-12}}", "y = 1", lambda: (1e30)**1e-12, lambda: 1),
    ("y = a^{2 + 10^{-11}}", "y = a^2", lambda: (1e10)**(2 + 1e-11), lambda: (1e10)**2),
    ("y = \\frac{1}{1 - 10^{-5} x}", "y = 1 + 10^{-5} x", lambda: 1 / (1 - 0.5), lambda: 1 + 0.5),
    # The sign of a determinant depends on the number of rows.
    ("d = \\det(-A)", "d = -\\det(A)", lambda: np.linalg.det(-np.eye(2)), lambda: -np.linalg.det(np.eye(2))),
    ("d = \\det(A - B)", "d = -\\det(B - A)", lambda: np.linalg.det(np.eye(2)), lambda: -np.linalg.det(-np.eye(2))),
    ("\\det(A - \\lambda I) = p", "\\det(\\lambda I - A) = -p", lambda: np.linalg.det(np.eye(2)), lambda: -np.linalg.det(-np.eye(2))),
    # Signs of logic join relations, not their middle sides.
    ("a < b \\land b < c", "a < b \\lor b < c", lambda: 1 < 2 and 2 < 1, lambda: 1 < 2 or 2 < 1),
    ("P(a < X \\land X < b) = c", "P(a < X \\lor X < b) = c", lambda: 1 < 2 and 2 < 1, lambda: 1 < 2 or 2 < 1),
    ("P(X < a \\cup Y < b) = c", "P(X < Y \\cup a < b) = c", lambda: 1 < 2 or 0 < 1, lambda: 1 < 0 or 2 < 1),
    ("A \\subseteq B \\land B \\subseteq C", "A \\subseteq B \\lor B \\subseteq C",
     lambda: {1} <= {1, 2} and {1, 2} <= {1}, lambda: {1} <= {1, 2} or {1, 2} <= {1}),
    ("a \\mid b \\land b \\mid c", "a \\mid b \\lor b \\mid c", lambda: 4 % 2 == 0 and 5 % 4 == 0, lambda: 4 % 2 == 0 or 5 % 4 == 0),
    # Bars of other kinds.
    ("a \\nmid b", "a \\mid b", lambda: 4 % 2 != 0, lambda: 4 % 2 == 0),
    ("a \\nmid b \\mid c", "a \\mid b \\nmid c", lambda: 3 % 2 != 0 and 6 % 3 == 0, lambda: 3 % 2 == 0 and 6 % 3 != 0),
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
    ("y = \\log \\prod_{x \\in S} f(x)", "y = \\sum_{x \\in S} \\log f(x)"), ("y = \\prod_i e^{-a_i}", "y = \\exp(-\\sum_i a_i)"),
    ("y = \\prod_{x \\in S} 2 f(x)", "y = 2^{|S|} \\prod_{x \\in S} f(x)"), ("y = \\prod_i 2 a_i", "y = 2^n \\prod_i a_i"),
    ("y = \\sum_{x \\in S} (f(x) + c)", "y = c |S| + \\sum_{x \\in S} f(x)"), ("y = \\sum_i (a_i + c)", "y = n c + \\sum_i a_i"),
    ("d = \\det(-A)", "d = \\det(A)"), ("\\det(A - \\lambda I) = p", "\\det(\\lambda I - A) = p"), ("d = |-\\mathbf{A}|", "d = -|\\mathbf{A}|"),
    ("y = \\frac{1}{|I|} \\sum_{i \\in I} (a_i - c)", "y = \\frac{1}{|I|} \\sum_{i \\in I} a_i - c"),
    ("y = \\sum_t (a_t - c)", "y = \\sum_t a_t - T c"), ("y = \\#S + \\sum_{x \\in S} f(x)", "y = \\sum_{x \\in S} (1 + f(x))"),
    ("y = \\sum_i \\sum_j (a_i + b_j)", "y = m \\sum_i a_i + n \\sum_j b_j"), ("d = \\log |2 \\pi \\Sigma|", "d = k \\log(2 \\pi) + \\log |\\Sigma|"),
    ("\\|x + \\mathbf{1}\\|^2 = d", "\\|x\\|^2 + 2 \\mathbf{1}^\\top x + n = d"),
    ("c = \\langle x, y \\rangle", "c = \\overline{\\langle y, x \\rangle}"),
])  # fmt: skip
def test_what_may_say_the_same_is_not_different(one, other):
    assert "different" not in (certify(one, other)["verdict"], certify(other, one)["verdict"])


@pytest.mark.parametrize(("one", "other"), [
    ("\\sum_k' a_k = s", "\\sum_k a_k = s"), ("x = ((t))", "x = t"), ("x_{(1)} = a", "x_1 = a"), ("N[v] = S", "N(v) = S"),
    ("x = \\left(\\!\\binom{n}{k}\\!\\right)", "x = \\binom{n}{k}"), ("G = K_{m,n}", "G = K_{mn}"), ("x_{i \\cdot j} = a", "x_{ij} = a"),
    ("x \\downarrow 0", "x \\uparrow 0"), ("d = 2020\\text{-}01\\text{-}02", "d = 2020\\text{-}02\\text{-}01"),
    ("\\mathbf{a} \\cdot \\mathbf{b} = c", "\\mathbf{a} \\mathbf{b} = c"), ("P = \\frac{TP}{TP + FP}", "P = \\frac{T}{T + F}"),
    ("P = \\frac{tp}{tp + fp}", "P = \\frac{t}{t + f}"), ("y = rate - tear", "y = 0"), ("x = 5.0(1)", "x = 5.0"), ("s = 3\\text{ of }4", "s = 4\\text{ of }3"),
    ("5'\\text{-ATG-}3'", "3'\\text{-ATG-}5'"), ("y = H(p, q)", "y = H(q, p)"), ("w = \\mathrm{sgn}(x)^2 + a", "w = 1 + a"),
    ("w = \\frac{1}{u^\\dagger A u}", "w = \\frac{1}{u A u^\\dagger}"), ("w = \\frac{1}{a \\text{ minus } b}", "w = \\frac{1}{b \\text{ minus } a}"),
])  # fmt: skip
def test_marks_and_names_that_are_easily_overlooked_count(one, other):
    assert "same" not in (certify(one, other)["verdict"], certify(other, one)["verdict"])


@pytest.mark.parametrize(("one", "other"), [
    ("a \\leq b = c", "a \\leq c = b"), ("y = F_{n+1}", "y = F_n + F_{n-1}"), ("(1 - L) y_t = w_t", "y_t - y_{t-1} = w_t"),
    ("H_n = \\sum_{k=1}^n \\frac{1}{k}", "H_n = H_{n-1} + \\frac{1}{n}"), ("y = N(-d)", "y = 1 - N(d)"), ("y = J_{-n}(x)", "y = (-1)^n J_n(x)"),
    ("y = W(x) e^{W(x)}", "y = x"), ("y = \\Phi(0)", "y = \\frac12"), ("y = B_0", "y = 1"), ("y = R_{abcd}", "y = -R_{bacd}"),
    ("y = F_{\\mu\\nu}", "y = -F_{\\nu\\mu}"), ("y = 5\\text{‰}", "y = 0.005"), ("(2)\\; a = b", "a = b"), ("MSE = RMSE^2", "RMSE = \\sqrt{MSE}"),
    ("y = α x", "y = \\alpha x"), ("x = \\mathtt{0x1F}", "x = 31"), ("y = 1.5\\text{e-}3", "y = 1.5 \\cdot 10^{-3}"), ("y = v(ab)", "y = v(a) + v(b)"),
    ("P(\\bar{A}) = 1 - p", "P(A) = p"), ("E = 1 \\, \\mathrm{J}", "E = 1 \\, \\mathrm{N \\, m}"), ("ij = k", "ji = -k"),
    ("y = \\left(1/N \\left(v + u\\right) - \\cos x/2\\right) + \\left(\\cos z/2\\right)", "y = (\\frac{1}{N} (v + u) - \\cos\\frac{x}{2}) + (\\frac{1}{2}\\cos z)"),
    ("x = \\left(\\!\\binom{n}{k}\\!\\right)", "x = \\binom{n+k-1}{k}"),
    ("n = 10 \\, \\mathrm{k}", "n = 10{,}000"), ("w = 36 \\, \\mathrm{km/h} + a", "w = 10 \\, \\mathrm{m/s} + a"), ("z \\sim q(z | x)", "z \\sim q(\\cdot | x)"),
    ("y = \\sigma(X)", "y = \\sigma(-X + 2)"), ("A^+ = C", "A^{-1} = C"), ("x_{2n} = y", "x_{n \\cdot 2} = y"), ("y \\sim 1 + x", "y \\sim x"),
    ("y = x \\quad (1)", "y = x \\quad (2)"), ("y = x + a", "y = x + a \\quad \\square"), ("y = x + a", "y = x + a \\quad \\text{a.s.}"),
    ("x \\lesssim y", "2 x \\lesssim y"), ("y = \\surd x", "y = \\sqrt{x}"), ("y = H(p, q) + a", "y = a + H(q, p)"), ("E = mc^{\\mathrm{2}}", "E = mc^2"),
    ("H = \\sum_{\\langle i,j \\rangle} a_i a_j - h \\sum_i a_i", "H = \\sum_{\\langle i,j \\rangle} a_i a_j - h \\sum_j a_j"),
    ("w = 2 \\{f, g\\} + r", "w = -2 \\{g, f\\} + r"), ("w = 2 \\epsilon_{ijk} a_j b_k + r", "w = -2 \\epsilon_{jik} a_j b_k + r"), ("w = 2 x' y + r", "w = 2 y' x + r"),
    ("w = \\frac{c}{a_i b_i}", "w = \\frac{c}{\\sum_i a_i b_i}"), ("w = \\frac{a}{exp(x)}", "w = \\frac{a}{e^x}"), ("y = \\left. x \\right. + a", "y = x + a"),
    ("y = \\left. G \\middle/ 1 + G \\right.", "y = \\frac{G}{1 + G}"), ("y = a \\text{-} b", "y = a - b"),
])  # fmt: skip
def test_laws_and_notes_that_are_easily_overlooked_may_make_formulas_equal(one, other):
    assert "different" not in (certify(one, other)["verdict"], certify(other, one)["verdict"])


@pytest.mark.parametrize(("verdict", "one", "other"), [
    ("same", "a \\leq b = c", "a \\leq c = b"), ("different", "a \\leq b = c", "a \\leq b = d"), ("same", "y = AB + AC", "y = AC + AB"),
    ("same", "F_1 = \\frac{2PR}{P + R}", "F_1 = \\frac{2}{1/P + 1/R}"),
    ("same", "PV = nRT", "nRT = PV"), ("different", "y = F_{n+1} + F_n", "y = F_{n+1} - F_n"), ("different", "y = w_{ij}", "y = w_{ji}"),
    ("different", "y = N(d) + a", "y = a"), ("same", "C = (AB)^\\top", "C = B^\\top A^\\top"), ("same", "y = E[X]", "y = E(X)"),
    ("same", "\\det(A - \\lambda I) = 0", "\\det(\\lambda I - A) = 0"), ("same", "y = 10^{-5} x + z", "z = y - 10^{-5} x"),
    ("same", "y = \\sum_{k=0}^n x^k", "y = \\frac{1 - x^{n+1}}{1 - x}"), ("same", "f = A \\cap B = C", "f = B \\cap A = C"),
    ("different", "y = \\prod_{x \\in S} f(x)", "y = \\prod_{x \\in S} g(x)"), ("different", "y = \\prod_i (1 - a_i)", "y = \\prod_i (1 + a_i)"),
    ("different", "y = \\sum_i a_i + n", "y = \\sum_i a_i + m"), ("different", "d = \\det(A) + c", "d = \\det(A) - c"),
])  # fmt: skip
def test_what_resembles_hidden_differences_is_still_decided(verdict, one, other):
    assert certify(one, other)["verdict"] == certify(other, one)["verdict"] == verdict


@pytest.mark.slow
@pytest.mark.parametrize(("name", "least"), [
    ("equation-visitors.txt", 0.25), ("equation-blind.txt", 0.25), ("equation-sceptics.txt", 0.33), ("equation-bindings.txt", 0.2),
    ("equation-outsiders.txt", 0.25), ("equation-marks.txt", 0.05), ("equation-newcomers.txt", 0.3), ("equation-contexts.txt", 0.02),
])  # fmt: skip
def test_no_pair_of_a_visitor_gets_a_wrong_verdict(name, least):
    text = (ROOT / "tests" / "support" / name).read_text(encoding="utf-8")
    rows = [line.split(" ;; ") for line in text.splitlines()[1:]]
    wrong = {"same": {"different"}, "different": {"same"}, "unsure": {"same", "different"}}
    found = [certify(*row[1:])["verdict"] for row in rows]
    assert [row for row, verdict in zip(rows, found) if verdict in wrong[row[0]]] == []
    assert len([one for one in found if one != "undecided"]) > least * len(rows)
