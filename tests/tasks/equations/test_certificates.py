"""Certificates: what is the same is never called different, nor the other way round, whoever asks and in what order."""

from __future__ import annotations

import gc
import json
import random
import tracemalloc
from dataclasses import dataclass, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.equation_pairs import iterate
from support.run import ROOT

from scholartools.tasks.equations import Unread, certify, parse, verify
from scholartools.tasks.equations.trees.typesetting import typeset

NOTATIONS = (ROOT / "fixtures" / "equation-notations.txt").read_text().splitlines()
PAIRS = [json.loads(line) for line in (ROOT / "fixtures" / "equation-pairs.jsonl").read_text().splitlines()]
OPPOSITE = {"same": "different", "different": "same"}


@dataclass(frozen=True)
class Formula:
    """A formula made for a test; each of its letters stands in it once, so that any change of one changes it."""

    kind: str
    text: str = ""
    parts: tuple[Formula, ...] = ()

    def latex(self) -> str:
        inner = [part.latex() for part in self.parts]
        if self.kind == "call":
            return f"{self.text}({inner[0]})"
        if self.kind == "sum":
            return f"\\sum_{{{self.text}=1}}^{{N}} {inner[0]}"
        patterns = {
            "letter": self.text,
            "number": self.text,
            "power": "{}^{{" + self.text + "}}",
            "plus": "{} + {}",
            "minus": "{} - {}",
            "times": "{} {}",
            "over": "\\frac{{{}}}{{{}}}",
            "root": "\\sqrt{{{}}}",
            "norm": "\\lVert {} \\rVert",
        }
        return patterns[self.kind].format(*inner) if self.parts else patterns[self.kind]

    def walk(self) -> list[Formula]:
        return [self, *(one for part in self.parts for one in part.walk())]

    def change(self, old: Formula, new: Formula) -> Formula:
        if self is old:
            return new
        return replace(self, parts=tuple(part.change(old, new) for part in self.parts))


LETTERS = [*"abcdfghklmpqrstuvwxyz", "\\alpha", "\\beta", "\\mu", "\\sigma", "\\mathbf{x}", "\\hat{y}", "\\theta_0"]


def make(source: random.Random, letters: list[str], depth: int, index: str = "") -> Formula:
    """A formula of some depth; within a sum, its letters have the sum's index."""
    if not depth:
        if source.random() < 0.15:
            return Formula("number", str(source.randint(2, 9)))
        letter = letters.pop()
        return Formula("letter", f"{letter}_{index}" if index and "_" not in letter else letter)
    kind = source.choice(["plus", "minus", "times", "over", "power", "root", "norm", "call", "sum", "bracket"])

    def part(index: str = index) -> Formula:
        return make(source, letters, depth - 1, index)

    if kind in ("plus", "minus", "bracket"):
        pair = Formula("plus" if kind == "bracket" else kind, "", (wrap(part()), wrap(part())))
        return Formula("call", "", (pair,)) if kind == "bracket" else pair
    if kind == "times":
        return Formula(kind, "", (wrap(part()), wrap(part())))
    if kind == "over":
        return Formula(kind, "", (part(), part()))
    if kind == "power":
        return Formula(kind, str(source.randint(2, 5)), (wrap(part()),))
    if kind == "sum" and not index:
        return Formula(kind, "i", (wrap(part("i")),))
    if kind == "call":
        return Formula(kind, source.choice(["\\exp", "\\sin", "\\operatorname{F}"]), (part(),))
    return Formula("root" if kind == "sum" else kind, "", (part(),))


def wrap(formula: Formula) -> Formula:
    """The formula in brackets, where it is more than a letter."""
    return formula if formula.kind in ("letter", "number", "call", "norm", "root") else Formula("call", "", (formula,))


def formula(seed: int, depth: int = 3) -> Formula:
    source = random.Random(seed)
    letters = source.sample(LETTERS, len(LETTERS))
    return make(source, letters, depth)


def changes(made: Formula, source: random.Random) -> Formula | None:
    """The formula with one thing changed, so that it says something else."""
    nodes = [one for one in made.walk() if one.kind in ("letter", "number", "power", "plus", "minus", "times")]
    if not nodes:
        return None
    node = source.choice(nodes)
    new = {
        "letter": replace(node, text="W"),
        "number": replace(node, text=str(int(node.text or 0) + 1) if node.kind == "number" else ""),
        "power": replace(node, text=str(int(node.text) + 1) if node.kind == "power" else ""),
        "plus": replace(node, kind="minus"),
        "minus": replace(node, kind="plus"),
        "times": replace(node, kind="plus", parts=node.parts),
    }[node.kind]
    if node.kind == "times":
        new = Formula("call", "", (new,))
    return made.change(node, new)


WRITTEN = (ROOT / "fixtures" / "equations-as-written.txt").read_text().splitlines()


def assert_verdict(verdicts: str, one: str, other: str) -> None:
    """Either order gets the same verdict, one of those that "|" parts."""
    forth, back = certify(one, other)["verdict"], certify(other, one)["verdict"]
    assert forth == back
    assert forth in verdicts.split("|")


@pytest.mark.parametrize("latex", WRITTEN)
def test_what_papers_write_is_read_and_printed(latex):
    assert certify(latex, latex + " .")["verdict"] == "same"
    written = typeset(latex)
    assert typeset(written) == written
    assert certify(latex, written)["verdict"] == "same"
    assert parse(latex).statements


SEEDS = st.integers(0, 10**6)


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: f"{pair['positive']} | {pair['alternative']}")
def test_no_pair_of_ours_is_judged_wrongly(pair):
    forth, back = certify(pair["positive"], pair["alternative"]), certify(pair["alternative"], pair["positive"])
    assert forth["verdict"] != OPPOSITE[pair["verdict"]], forth
    assert forth["verdict"] == back["verdict"]


@pytest.mark.parametrize("line", NOTATIONS)
def test_two_notations_for_one_thing_are_never_called_different(line):
    """Sets, intervals, indicators, norms, dots, distributions: an unknown sign has a value by its name, not its sense."""
    one, other = line.split(" ## ")
    assert "different" not in (certify(one, other)["verdict"], certify(other, one)["verdict"])


@pytest.mark.parametrize(("one", "other"), [
    ("y = \\max_i a_i", "y = \\min_i a_i"), ("y = \\sum_{i=1}^n a_i", "y = \\prod_{i=1}^n a_i"),
    ("y = f(x) + g(z)", "y = f(x)"), ("y = f(x)", "y = g(x)"), ("y = \\|a - b\\|_2", "y = \\|a + b\\|_2"),
    ("y = \\lfloor a \\rfloor", "y = \\lceil b \\rceil"), ("y = p(x, z)", "y = p(x, w)"), ("x \\in A", "x \\notin A"),
    ("y = \\sum_{i \\in S} a_i", "y = \\sum_{i \\in S} b_i"), ("y = \\mathbb{E}[x + z]", "y = \\mathbb{E}[x - z]"),
    ("y = x_t", "y = x_{t-1}"), ("L = \\frac{1}{|S|} \\sum_{s \\in S} l_s", "L = \\sum_{s \\in S} l_s"),
])  # fmt: skip
def test_slips_beside_signs_that_nobody_computes_are_still_different(one, other):
    assert certify(one, other)["verdict"] == certify(other, one)["verdict"] == "different"


@pytest.mark.parametrize(("one", "other"), [
    ("x = [a]_+", "x = a_+"), ("\\iint_S B dS = E", "\\iint_S B dE = E"), ("\\oint E dl = B", "\\oint E dB = B"),
])  # fmt: skip
def test_what_only_looks_like_another_name_is_not_the_same(one, other):
    """The positive part of a letter and another letter; what is integrated over, where the letter depends on it."""
    assert certify(one, other)["verdict"] != "same"


@pytest.mark.parametrize(("verdicts", "one", "other"), [
    ("undecided|different", "y = \\int_0^1 \\int_0^x x t^2 \\, dt \\, dx", "y = \\int_0^1 \\int_0^x t x^2 \\, dt \\, dx"),
    ("undecided|different", "y = \\int_0^t \\int_0^s e^{s-r} dr ds", "y = \\int_0^t \\int_0^s e^{r-s} dr ds"),
    ("undecided|different", "y = \\int_0^1\\int_0^2 f(x,t) dt dx", "y = \\int_0^1\\int_0^2 f(t,x) dt dx"),
    ("undecided|different", "y = \\int_0^1\\int_0^2 f(x,t) dt dx", "y = \\int_0^1\\int_0^2 f(x,t) dx dt"),
    ("undecided|different", "y = \\int_A\\int_B k(u,v) du dv", "y = \\int_A\\int_B k(v,u) du dv"),
    ("undecided", "y = \\iint_D k(u,v) du dv", "y = \\iint_D k(v,u) du dv"),
    ("undecided", "y = \\oint f(x) dx", "y = \\int f(x) dx"),
    ("undecided", "y = \\iiint f dV", "y = \\iint f dV"),
    ("undecided", "y = \\iint f dA", "y = \\int f dA"),
    ("same", "y = \\oiint_S f(x) dx + b", "y = b + \\oiint_S f(x) dx"),
    ("undecided", "X \\mathrel{\\mathpalette\\indep{\\perp}} Y", "X \\perp Y"),
    ("undecided", "y = \\cancel{x} + z", "y = z"),
    ("undecided", "y = \\upgamma x", "y = \\gamma x"),
    ("different", "y = \\upgamma x", "y = \\upgamma + x"),
    ("undecided", "y = \\int_0^1\\int_0^2 dt dx f(t,x)", "y = \\int_0^1\\int_0^2 dt dx f(x,t)"),
    ("same|undecided", "y = \\int_0^1\\int_0^2 f(x,t) dt dx", "y = \\int_0^2\\int_0^1 f(x,t) dx dt"),
    ("same", "y = \\int_0^1\\int_0^2 f(x,t) dt dx", "y = \\int_0^1\\int_0^2 f(u,v) dv du"),
    ("same", "y = \\int_0^1 \\int_0^x 2 x t^2 \\, dt \\, dx", "y = 2 \\int_0^1 \\int_0^x x t^2 \\, dt \\, dx"),
    ("same", "y = \\int_0^1 dx \\int_0^x dt \\, 2 x t^2", "y = 2 \\int_0^1 dx \\int_0^x dt \\, x t^2"),
    ("undecided", "P = 1 - (1 - p)^T", "P = p^T"),
    ("undecided", "S = \\frac{1-\\gamma^T}{1-\\gamma}", "S = \\frac{(1-\\gamma)^T}{1-\\gamma}"),
    ("undecided", "V = (1+r)^T c", "V = (1 + r^T) c"),
    ("different", "y = x^T w + b", "y = x^T w - b"),
    ("undecided", "y = a \\vee b \\wedge c", "y = (a \\vee b) \\wedge c"),
    ("undecided", "y = a \\vee b \\wedge c", "y = a \\vee (b \\wedge c)"),
    ("undecided", "y = a \\cup b \\cap c", "y = (a \\cup b) \\cap c"),
    ("undecided", "y = a \\cup b \\cap c", "y = a \\cup (b \\cap c)"),
    ("undecided", "y = A \\cup B \\setminus C", "y = (A \\cup B) \\setminus C"),
    ("undecided", "y = A \\cup B \\setminus C", "y = A \\cup (B \\setminus C)"),
    ("undecided", "y = A \\setminus B \\setminus C", "y = A \\setminus (B \\setminus C)"),
    ("undecided", "y = \\mathbb{E} X Z", "y = (\\mathbb{E} X) Z"),
    ("undecided", "y = \\mathbb{E} X Z", "y = \\mathbb{E} (X Z)"),
    ("undecided", "y = \\mathbb{E} X Z", "y = \\mathbb{E}[X Z]"),
    ("undecided", "y = a + b \\bmod c", "y = (a + b) \\bmod c"),
    ("undecided", "y = a + b \\bmod c", "y = a + (b \\bmod c)"),
    ("undecided", "y = a \\oplus b + c", "y = (a \\oplus b) + c"),
    ("undecided", "y = a \\oplus b + c", "y = a \\oplus (b + c)"),
    ("undecided", "y = a \\odot b c", "y = (a \\odot b) c"),
    ("undecided", "y = a \\odot b c", "y = a \\odot (b c)"),
    ("undecided", "y = a \\odot b \\otimes c", "y = (a \\odot b) \\otimes c"),
    ("undecided", "y = a \\odot b \\otimes c", "y = a \\odot (b \\otimes c)"),
    ("undecided", "y = a \\vee c \\wedge b \\vee d", "y = a \\vee (b \\wedge c) \\vee d"),
    ("same", "y = a \\vee b \\vee c", "y = (a \\vee b) \\vee c"),
    ("same|undecided", "y = 2ab \\times c", "y = 2a (b \\times c)"),
])  # fmt: skip
def test_where_readings_disagree_nothing_is_decided(verdicts, one, other):
    """Integrals within one another, T above a letter, operators without brackets: each reading must lead to the verdict."""
    assert_verdict(verdicts, one, other)


@pytest.mark.parametrize(("verdicts", "one", "other"), [
    ("undecided", "p = \\operatorname{softmax}(z - \\max_j z_j)", "p = \\operatorname{softmax}(z - \\min_j z_j)"),
    ("undecided", "p = \\operatorname{softmax}(z + c)", "p = \\operatorname{softmax}(z)"),
    ("undecided", "y = \\operatorname{Var}(X - \\mu)", "y = \\operatorname{Var}(X)"),
    ("undecided", "y = \\operatorname{Var}(X - \\mu)", "y = \\operatorname{Var}(X + \\mu)"),
    ("undecided", "y = \\mathrm{Var}[X - \\mu]", "y = \\mathrm{Var}[X]"),
    ("undecided", "y = \\mathbb{V}[X - \\mu]", "y = \\mathbb{V}[X]"),
    ("same", "y = \\operatorname{sign}(\\sum_i w_i x_i)", "y = \\operatorname{sign}(2 \\sum_i w_i x_i)"),
    ("undecided", "R = \\mathcal{O}(d\\sqrt T + 1)", "R = \\mathcal{O}(d\\sqrt T)"),
    ("undecided", "R = O(n + 1)", "R = O(n)"),
    ("undecided", "R = \\Theta(n + 1)", "R = \\Theta(n)"),
    ("undecided", "R = \\Omega(2n)", "R = \\Omega(n)"),
    ("undecided", "R = o(2n)", "R = o(n)"),
    ("same", "R = \\tilde{O}(2n)", "R = \\tilde{O}(n)"),
    ("same", "R = \\tilde O(2n)", "R = \\tilde O(n)"),
    ("same", "R = \\widetilde{\\mathcal{O}}(2n)", "R = \\widetilde{\\mathcal{O}}(n)"),
    ("undecided", "R \\leq \\mathcal{O}\\left(\\frac{1}{n}\\right) + a", "R \\leq \\mathcal{O}\\left(\\frac{2}{n}\\right) + a"),
    ("undecided", "y = (x+n) \\bmod n", "y = (x-n) \\bmod n"),
    ("undecided", "a \\equiv b + n \\pmod n", "a \\equiv b - n \\pmod n"),
    ("undecided", "a \\equiv b \\pmod n", "a \\equiv b + n \\pmod n"),
    ("undecided", "a \\equiv b \\mod n", "a \\equiv b + n \\mod n"),
    ("undecided", "g = \\nabla_x(f(x)+c)", "g = \\nabla_x f(x)"),
    ("undecided", "g = \\nabla_x (f(x)+c)", "g = \\nabla_x (f(x) - c)"),
    ("undecided", "g = \\nabla (f(x)+c)", "g = \\nabla f(x)"),
    ("undecided", "y = \\frac{d}{dx}(f+c)", "y = \\frac{d}{dx}(f-c)"),
    ("undecided", "y = \\frac{d}{dx}(f(x)+c)", "y = \\frac{d}{dx} f(x)"),
    ("undecided", "y = \\frac{\\partial}{\\partial x}(f(x)+c)", "y = \\frac{\\partial f(x)}{\\partial x}"),
    ("undecided", "A = \\begin{pmatrix}1&0\\\\0&1\\end{pmatrix} B", "A = B"),
    ("undecided", "r = \\operatorname{corr}(aX, Y)", "r = \\operatorname{corr}(X, Y)"),
    ("undecided", "y = \\arcsin(-x)", "y = -\\arcsin(x)"),
    ("undecided", "y = \\Gamma(x+1)", "y = x \\Gamma(x)"),
    ("same", "y = \\mathrm{erf}(-x)", "y = -\\mathrm{erf}(x)"),
    ("undecided", "y = 1 - \\operatorname{sigmoid}(-x)", "y = \\operatorname{sigmoid}(x)"),
    ("undecided", "y = 1 - \\sigma(-x)", "y = \\sigma(x)"),
    ("undecided", "y = 1 - \\Phi(-x)", "y = \\Phi(x)"),
    ("undecided", "r = \\operatorname{rank}(2A)", "r = \\operatorname{rank}(A)"),
    ("undecided", "r = \\mathrm{rank} A", "r = \\mathrm{rank} 2A"),
    ("undecided", "s = \\operatorname{std}(x+c)", "s = \\operatorname{std}(x)"),
    ("undecided", "g = \\gcd(a, b-a)", "g = \\gcd(a, b)"),
    ("undecided", "d = \\operatorname{JSD}(p\\|q)", "d = \\operatorname{JSD}(q\\|p)"),
    ("undecided", "d = JSD(p\\|q)", "d = JSD(q\\|p)"),
    ("undecided", "d = D_{JS}(p\\|q)", "d = D_{JS}(q\\|p)"),
    ("undecided", "d = \\mathrm{JSD}(p, q) + a", "d = a + \\mathrm{JSD}(q, p)"),
    ("undecided", "c = a \\times b", "c = -(b \\times a)"),
    ("undecided", "c = a \\times b", "c = - b \\times a"),
    ("undecided", "c = a \\oplus a \\oplus b", "c = b"),
    ("undecided", "c = a \\oplus b \\oplus a", "c = b"),
    ("undecided", "c = \\|a \\times b\\|^2", "c = \\|b \\times a\\|^2"),
    ("undecided", "y = \\cot(x)", "y = 1/\\tan(x)"),
    ("same", "y = \\lfloor x + 1 \\rfloor", "y = \\lfloor x \\rfloor + 1"),
    ("undecided", "y = \\lceil x - 1 \\rceil", "y = \\lfloor x \\rfloor"),
    ("undecided", "y = \\text{ReLU}(2x)", "y = 2\\text{ReLU}(x)"),
    ("undecided", "y = \\det(2A)", "y = 4\\det(A)"),
    ("undecided", "y = \\operatorname{median}(x + c)", "y = \\operatorname{median}(x) + c"),
    ("undecided", "y = \\operatorname{median}(x + c) - c", "y = \\operatorname{median}(x)"),
    ("different", "y = f(x + 1)", "y = f(x)"),
    ("different", "y = a f(x) + b", "y = a f(x) - b"),
    ("different", "y = a + \\operatorname{softmax}(z)", "y = a - \\operatorname{softmax}(z)"),
    ("different", "y = 2 \\operatorname{Var}(X)", "y = 3 \\operatorname{Var}(X)"),
    ("different", "y = \\frac{a}{n} \\operatorname{softmax}(z)", "y = \\frac{n}{a} \\operatorname{softmax}(z)"),
    ("different", "y = \\log(1 + \\exp(-x))", "y = \\log(1 + \\exp(x))"),
    ("different", "y = \\tanh(w x + b)", "y = \\tanh(w x - b)"),
    ("different", "y = \\mathbb{E}[x + z]", "y = \\mathbb{E}[x - z]"),
])  # fmt: skip
def test_operators_with_a_name_that_nobody_computes_are_no_free_functions(verdicts, one, other):
    """softmax, Var, orders of growth, numbers modulo others: laws that no probe knows; free functions and what stands around are decided."""
    assert_verdict(verdicts, one, other)


@pytest.mark.parametrize(("verdicts", "one", "other"), [
    ("undecided|same", "L = p(x|z)p(z)", "L = p(z|x)p(x)"),
    ("undecided|same", "p(x|z)p(z) = p(z|x)p(x)", "p(x|z) = \\frac{p(z|x)p(x)}{p(z)}"),
    ("same", "I(X;Y) = H(X) - H(X|Y)", "I(X;Y) = H(Y) - H(Y|X)"),
    ("same", "I = H(X) - H(X|Y)", "I = H(Y) - H(Y|X)"),
    ("undecided", "q = 1 - p(y=0|x)", "q = p(y=1|x)"),
    ("undecided", "L = \\sum_{z'} p(x|z')p(z')", "L = p(x)"),
    ("undecided", "L = \\frac{p(x|z)p(z)}{\\sum_{z'} p(x|z')p(z')}", "L = \\frac{p(x|z)p(z)}{p(x)}"),
    ("same", "L = \\log p(x|z) + \\log p(z)", "L = \\log p(z|x) + \\log p(x)"),
    ("same", "L = \\log p(x,z)", "L = \\log p(x|z) + \\log p(z)"),
    ("undecided", "L = \\sum_z p(z|x)", "L = \\sum_z p(z|y)"),
    ("different", "L = \\log p(x|z) + \\beta c", "L = \\log p(x|z) - \\beta c"),
    ("different", "L = p(x|z)", "L = p(z|x)"),
    ("different", "L = p(x|z) p(z)", "L = p(x|z) + p(z)"),
    ("undecided|same", "y = \\sum_{i=1}^n a_i", "y = \\sum_{i=1}^k a_i + \\sum_{i=k+1}^n a_i"),
    ("undecided|same", "y = \\prod_{i=1}^n a_i", "y = \\prod_{i=1}^k a_i \\prod_{i=k+1}^n a_i"),
    ("undecided|same", "y = \\sum_{s=t}^T r_s", "y = r_t + \\sum_{s=t+1}^T r_s"),
    ("undecided|same", "y = \\prod_{s=t}^T r_s", "y = r_t \\prod_{s=t+1}^T r_s"),
    ("undecided|same", "y = \\sum_{i=1}^{2n} a_i", "y = \\sum_{i=1}^{n} (a_{2i-1} + a_{2i})"),
    ("undecided|same", "y = \\prod_{i=1}^{2n} a_i", "y = \\prod_{i=1}^{n} a_{2i-1} a_{2i}"),
    ("undecided|same", "y = \\sum_{i=1}^n a_i", "y = a_1 + \\sum_{i=2}^n a_i"),
    ("undecided|same", "y = \\sum_{i=0}^{n} a_i", "y = \\sum_{i=0}^{n-1} a_i + a_n"),
    ("undecided|different", "y = \\sum_{i=1}^n a_i", "y = \\sum_{i=1}^k a_i - \\sum_{i=k+1}^n a_i"),
    ("different", "y = \\sum_{s=t}^T r_s", "y = \\sum_{s=t+1}^T r_s"),
    ("different", "y = \\sum_{i=1}^{n} a_i", "y = \\sum_{i=1}^{2n} a_i"),
    ("undecided", "v = 2\\begin{pmatrix}a\\\\b\\end{pmatrix}", "v = \\begin{pmatrix}2a\\\\2b\\end{pmatrix}"),
    ("undecided", "v = \\begin{pmatrix}a\\\\b\\end{pmatrix} + \\begin{pmatrix}c\\\\d\\end{pmatrix}", "v = \\begin{pmatrix}a + c\\\\b + d\\end{pmatrix}"),
    ("different", "v = \\begin{pmatrix}a\\\\b\\end{pmatrix}", "v = \\begin{pmatrix}a\\\\-b\\end{pmatrix}"),
    ("undecided", "v = 2 (a, b)", "v = (2a, 2b)"),
    ("undecided", "v = (a, b) + (c, d)", "v = (a + c, b + d)"),
    ("undecided", "v = \\langle 2a, b \\rangle", "v = 2 \\langle a, b \\rangle"),
    ("same|undecided", "y = \\mathbf{1}[x > c]", "y = \\mathbf{1}[x - c > 0]"),
    ("same|undecided", "y = \\mathbb{1}\\{x > c\\}", "y = \\mathbb{1}\\{-x < -c\\}"),
    ("same|undecided", "y = P(X>t)", "y = P(-X<-t)"),
    ("same|undecided", "y = \\Pr(X>t)", "y = \\Pr(X-t>0)"),
    ("undecided", "S = \\{x: ax=b\\}", "S = \\{x: 2ax=2b\\}"),
    ("undecided", "S = \\{x \\mid ax \\leq b\\}", "S = \\{x \\mid 2ax \\leq 2b\\}"),
    ("same|undecided", "y = 1 - \\mathbf{1}[x > c]", "y = \\mathbf{1}[x \\leq c]"),
    ("same|undecided", "f(x) = \\begin{cases} x & x \\ge 0 \\\\ 0 & x < 0 \\end{cases}", "f(x) = \\begin{cases} x & -x \\le 0 \\\\ 0 & -x > 0 \\end{cases}"),
    ("undecided", "f(x) = \\begin{cases} x & x > 0 \\\\ 0 & x \\le 0 \\end{cases}", "f(x) = \\begin{cases} x & x \\ge 0 \\\\ 0 & x < 0 \\end{cases}"),
    ("undecided", "f(x) = 2 \\begin{cases} x & x > 0 \\\\ 0 & x \\le 0 \\end{cases}", "f(x) = \\begin{cases} 2x & x > 0 \\\\ 0 & x \\le 0 \\end{cases}"),
    ("undecided", "f(x) = \\begin{cases} x & x > 0 \\\\ 0 & x \\le 0 \\end{cases} + c", "f(x) = \\begin{cases} x + c & x > 0 \\\\ c & x \\le 0 \\end{cases}"),
    ("undecided", "f(x) = \\begin{cases} x & x > 0 \\\\ -x & x \\le 0 \\end{cases}", "f(x) = |x|"),
    ("undecided", "f(x) = \\begin{cases} x & \\text{if } x > 0 \\\\ 0 & \\text{otherwise} \\end{cases}", "f(x) = \\begin{cases} x & \\text{if } x \\ge 0 \\\\ 0 & \\text{otherwise} \\end{cases}"),
    ("different", "f(x) = \\begin{cases} x & \\text{if } x > 0 \\\\ 0 & \\text{otherwise} \\end{cases}", "f(x) = \\begin{cases} 2x & \\text{if } x > 0 \\\\ 0 & \\text{otherwise} \\end{cases}"),
    ("different", "y = \\mathbf{1}[x > c] + a", "y = \\mathbf{1}[x > c] - a"),
])  # fmt: skip
def test_probabilities_sums_matrices_and_conditions_may_be_written_otherwise(verdicts, one, other):
    """Bayes and chain rule, sums that are cut, matrices entry by entry, cases, conditions multiplied through."""
    assert_verdict(verdicts, one, other)


@pytest.mark.parametrize(("verdict", "one", "other"), [
    ("same", r"\max(1/2, 1/4)", r"\frac{1}{2}"),
    ("different", r"\max(1/2, 1/4)", r"\frac{1}{4}"),
    ("same", r"y = \max(6, 2.5)", "y = 6"),
    ("different", r"y = \max(6, 2.5)", "y = 2.5"),
    ("same", r"y = \max(x, \frac{1}{2})", r"y = \frac{x + \frac12 + |x - \frac12|}{2}"),
    ("undecided", r"y = \max(x, -50)", "y = x"),
])  # fmt: skip
def test_extremes_of_numbers_are_worked_out_and_others_need_a_point_for_each_argument(verdict, one, other):
    assert certify(one, other)["verdict"] == verdict
    assert certify(other, one)["verdict"] == verdict


@pytest.mark.parametrize(("one", "other", "risk"), [
    ("y = \\exp(i \\pi x)", "y = -\\exp(x)", "imaginary unit"), ("y = \\bar{x} + a", "y = \\bar{x} - a", "mean"),
    ("y = \\cos(180^\\circ + a)", "y = \\cos(90^\\circ + a)", "degrees"),
])  # fmt: skip
def test_what_letters_may_stand_for_is_told_as_a_risk(one, other, risk):
    assert any(text.startswith(f"{risk}:") for text in certify(one, other)["risk"])
    assert not certify("y = \\sum_{i} a_i + b", "y = \\sum_{i} a_i - b")["risk"]


@pytest.mark.parametrize(("verdicts", "one", "other"), [
    ("undecided|same", "y = \\sum_{i=1}^n (a_i + b_i)", "y = \\sum_{i=1}^k (a_i + b_i) + \\sum_{j=k+1}^n (a_j + b_j)"),
    ("same", "y = \\Pr(A|B) \\Pr(B)", "y = \\Pr(B|A)\\Pr(A)"),
    ("same", "y = \\Pr[A \\mid B] \\Pr[B]", "y = \\Pr[B \\mid A]\\Pr[A]"),
    ("undecided", "y = P(A \\cap B)", "y = P(A|B) P(B)"),
    ("undecided", "y = p_\\theta(x|z)p(z)", "y = p_\\theta(z|x)p_\\theta(x)"),
    ("undecided", "y = \\mathbb{E}[X]", "y = \\mathbb{E}[\\mathbb{E}[X|Y]]"),
    ("same", "y = \\mathbb{H}(X) - \\mathbb{H}(X|Y)", "y = \\mathbb{H}(Y) - \\mathbb{H}(Y|X)"),
    ("undecided", "y = \\mathcal{N}(x; \\mu, \\sigma^2)", "y = \\mathcal{N}(\\mu; x, \\sigma^2)"),
    ("undecided", "y = \\mathcal{N}(x | \\mu, \\sigma^2)", "y = \\mathcal{N}(\\mu | x, \\sigma^2)"),
    ("undecided", "y = \\text{softmax}\\left(\\frac{QK^T + c}{\\sqrt{d}}\\right) V", "y = \\text{softmax}\\left(\\frac{QK^T}{\\sqrt{d}}\\right) V"),
    ("same|undecided", "y = \\arg\\max_x f(x)", "y = \\arg\\max_x 2 f(x)"),
    ("same|undecided", "y = \\arg\\max_x f(x)", "y = \\arg\\min_x -f(x)"),
    ("same|undecided", "y = \\operatorname*{arg\\,max}_x f(x)", "y = \\operatorname*{arg\\,max}_x \\log f(x)"),
    ("undecided", "y = \\mathop{\\mathrm{argmax}}_x f(x)", "y = \\mathop{\\mathrm{argmax}}_x (f(x) + c)"),
    ("same", "y = \\max(a, b)", "y = -\\min(-a, -b)"),
    ("same", "y = \\operatorname{sgn} (2x)", "y = \\operatorname{sgn} (x)"),
    ("undecided", "y = \\operatorname{Cov}(X + c, Y)", "y = \\operatorname{Cov}(X, Y)"),
    ("same", "y = \\mathrm{tr}(AB)", "y = \\mathrm{tr}(BA)"),
    ("same|undecided", "y = \\det(AB)", "y = \\det(A)\\det(B)"),
    ("undecided", "y = |AB|", "y = |BA|"),
    ("same", "x = a \\mod n", "x = (a + n) \\mod n"),
    ("undecided", "x = \\operatorname{mod}(a, n)", "x = \\operatorname{mod}(a+n, n)"),
    ("same", "x = \\int_0^1 \\int_0^1 f(x) g(y) dx dy", "x = \\int_0^1 \\int_0^1 f(y) g(x) dx dy"),
    ("undecided|different", "A^T B = C", "A B^T = C"),
    ("undecided", "y = \\mathbf{x}^T \\mathbf{w}", "y = \\mathbf{w}^T \\mathbf{x}"),
    ("undecided", "\\nabla \\cdot (f + c) = g", "\\nabla \\cdot f = g"),
    ("undecided", "y = \\nabla_x \\log (c f(x))", "y = \\nabla_x \\log f(x)"),
    ("undecided", "y = \\|x\\|_2^2", "y = x^T x"),
    ("undecided", "y = \\lim_{n} (f(n) + c)", "y = \\lim_n f(n) + c"),
    ("undecided", "y = \\partial_x (u + c)", "y = \\partial_x u"),
    ("undecided", "y = \\frac{\\partial (u + c)}{\\partial x}", "y = \\frac{\\partial u}{\\partial x}"),
    ("undecided", "y = a \\cdot (b \\times c)", "y = (a \\times b) \\cdot c"),
    ("undecided", "y = \\begin{bmatrix} a & b \\end{bmatrix} \\begin{bmatrix} c \\\\ d \\end{bmatrix}", "y = ac + bd"),
    ("undecided", "y = \\left| \\begin{matrix} a & b \\\\ c & d \\end{matrix} \\right|", "y = \\left| \\begin{matrix} a & c \\\\ b & d \\end{matrix} \\right|"),
    ("undecided", "y = \\left\\{ \\begin{array}{ll} x & x > 0 \\\\ 0 & x \\le 0 \\end{array} \\right.", "y = \\left\\{ \\begin{array}{ll} x & x \\ge 0 \\\\ 0 & x < 0 \\end{array} \\right."),
])  # fmt: skip
def test_other_laws_leave_a_pair_undecided(verdicts, one, other):
    """Bayes' rule of events, products of matrices, constants within derivatives, arguments of extremes."""
    assert_verdict(verdicts, one, other)


def test_half_of_our_pairs_which_are_hard_are_decided():
    decided = [certify(pair["positive"], pair["alternative"])["verdict"] != "undecided" for pair in PAIRS]
    assert sum(decided) > 0.5 * len(PAIRS)


@pytest.mark.parametrize("seed", range(500))
def test_a_changed_formula_is_never_the_same(seed):
    made = formula(seed)
    changed = changes(made, random.Random(seed))
    if changed is None:
        return
    certificate = certify(f"Y = {made.latex()}", f"Y = {changed.latex()}")
    assert certificate["verdict"] != "same", (made.latex(), changed.latex())


def test_most_changed_formulas_are_told_to_be_different():
    pairs = [(formula(seed), changes(formula(seed), random.Random(seed))) for seed in range(200)]
    verdicts = [certify(f"Y = {a.latex()}", f"Y = {b.latex()}")["verdict"] for a, b in pairs if b is not None]
    assert verdicts.count("different") > 0.9 * len(verdicts)


@given(SEEDS)
@settings(max_examples=80)
def test_other_ways_to_write_it_are_the_same(seed):
    text = formula(seed).latex()
    assert certify(f"Y = {text}", f"{text} = Y")["verdict"] == "same"
    assert certify(f"Y = 1 + {text}", f"Y = {text} + 1")["verdict"] == "same"
    assert certify(
        f"Y = {text}", f"Y = \\, {text.replace('(', chr(92) + 'left( ').replace(')', chr(92) + 'right)')} ."
    )["verdict"] == ("same")
    assert certify(f"Y = {text}", f"Y = {text.replace('_i', '_{j}').replace('i=1', 'j = 1')}")["verdict"] == "same"
    assert certify(f"Y = {text}", f"Y = {text.replace(chr(92) + 'frac', chr(92) + 'dfrac')}")["by"] == "tokens"


@given(SEEDS, SEEDS)
@settings(max_examples=60)
def test_the_verdict_does_not_depend_on_the_order_of_the_two(one, other):
    first, second = formula(one, 2).latex(), formula(other, 2).latex()
    assert certify(f"Y = {first}", f"Y = {second}")["verdict"] == certify(f"Y = {second}", f"Y = {first}")["verdict"]


@pytest.mark.parametrize("latex", [
    r"\lVert (a) \lVert k \rVert \rVert", r"\lvert a \lvert b \rvert \rvert x", r"\lvert P(A | B) \rvert",
])  # fmt: skip
def test_bars_within_bars_keep_their_sides(latex):
    assert parse(typeset(latex)).statements == parse(latex).statements
    assert typeset(r"\lVert a \rVert + \bigl|b\bigr|") == r"\|a\|+|b|"


@given(SEEDS)
@settings(max_examples=80)
def test_a_formula_in_the_one_style_is_read_as_the_same_tree(seed):
    latex = f"Y = {formula(seed).latex()}"
    assert parse(typeset(latex)).statements == parse(latex).statements


@given(SEEDS)
@settings(max_examples=60)
def test_each_letter_of_a_tree_stands_at_its_place(seed):
    latex = f"Y = {formula(seed).latex()}"
    for statement in parse(latex).statements:
        for node in statement.walk():
            if node.kind in ("symbol", "number") and node.end:
                assert node.value in latex[node.start : node.end].replace(" ", "")  # "6 7" prints 67
            for part in node.parts:
                assert not part.end or node.start <= part.start <= part.end <= node.end


PIECES = st.sampled_from(
    "x y i 1 2 + - = < \\leq , ; ( ) [ ] { } ^ _ & \\\\ | \\| || ' ! / \\cdot \\frac \\sum \\int \\sqrt \\left( \\right) "
    "\\left. \\begin{cases} \\end{cases} \\text{if} \\mathrm{d} \\partial \\nabla \\max \\exp \\hat \\rm \\over \\foo "
    "\\langle \\rangle \\mathbin \\underset \\not \\operatorname{E} \\forall \\mid : \\, $ % \\".split(" ")
)


@given(st.lists(PIECES, max_size=25), st.lists(PIECES, max_size=25))
@settings(max_examples=400)
def test_whatever_is_asked_there_is_an_answer(one, other):
    first, second = " ".join(one), " ".join(other)
    assert certify(first, second)["verdict"] in ("same", "different", "undecided")
    try:
        parse(first)
    except Unread as error:
        assert error.reason


@given(st.lists(PIECES, max_size=12), st.integers(0, 11))
@settings(max_examples=300)
def test_no_token_is_passed_over(pieces, place):
    """A letter put in anywhere makes another formula, or one that cannot be read."""
    other = [*pieces[:place], "Q", *pieces[place:]]
    if any(piece in ("%", "\\not") for piece in pieces) or "\\" in pieces:
        return
    first, second = " ".join(pieces), " ".join(other)
    if first.split() != second.split():
        assert certify(first, second)["verdict"] != "same", (first, second)


def test_a_certificate_is_verified_by_computing_it_again():
    certificate = certify("y = a + b", "y = a - b")
    assert (certificate["verdict"], certificate["by"]) == ("different", "probe")
    assert verify("y = a + b", "y = a - b", certificate) is None
    assert '"witness"' in (
        verify("y = a + b", "y = a - 2b", certificate | {"tree": certify("y = a + b", "y = a - 2b")["tree"]}) or ""
    )
    assert verify("y = a + b", "y = b + a", certificate) is not None
    forged = certificate | {"witness": certificate["witness"] | {"positive": 1.0}}
    assert "witness" in (verify("y = a + b", "y = a - b", forged) or "")


@pytest.mark.parametrize(
    ("latex", "kind"),
    [
        ("x = \\foo{y}", "unknown macro"),
        ("x = (y", "brackets"),
        ("x = \\left( y", "fences"),
        ("x = {y", "braces"),
        ("x_i_j = Y", "double subscript"),
        ("x = \\begin{foo} y \\end{foo}", "unknown environment"),
        ("x = y +", "incomplete"),
        ("x = \\frac{1}", "incomplete"),
        ("", "empty"),
        ("{" * 99 + "x" + "}" * 99, "too deep"),
        ("x + " * 2000 + "y", "too long"),
    ],
)
def test_what_cannot_be_read_is_refused_with_the_reason(latex, kind):
    with pytest.raises(Unread) as error:
        parse(latex)
    assert error.value.kind == kind
    assert certify(latex, "x = Y")["verdict"] == "undecided"


@pytest.mark.parametrize(("latex", "plain"), [
    ("y = x^{} z", "y = xz"), ("\\frac{\\partial^{} u}{\\partial t^{}} = \\alpha_{}", "\\frac{\\partial u}{\\partial t} = \\alpha"),
    ("y = a_{}^{2} {}^{3} b", "y = a^2{}^3b"),
])  # fmt: skip
def test_an_empty_script_prints_nothing(latex, plain):
    """Its braces were dropped alone, which made the next letter the script."""
    assert typeset(latex) == plain
    assert certify(latex, plain)["verdict"] in ("same", "undecided")


@pytest.mark.parametrize(
    ("verdict", "one", "other"),
    [
        ("same", r"a + c \prec_\pi b", r"b \succ_\pi c + a"),
        ("different", r"a \prec_\pi b", r"b \prec_\pi a"),
        ("different", r"a \prec_\pi b", r"a \prec_\sigma b"),
        ("undecided", r"a \prec_\pi b", r"a \prec b"),
        ("undecided", r"a \sim_R b", r"b \sim_R a"),
        ("same", r"(u + v) \times_{a} y = z", r"z = (v + u) \times_{a} y"),
        ("undecided", r"x \times_{a} y = z", r"y \times_{a} x = z"),
        ("undecided", r"x \times_{a} y = z", r"x \times_{b} y = z"),
        ("undecided", r"x \times_{a} y = z", r"x \times y = z"),
        ("same", r"y = \smashoperator[r]{\sum_{i = 1}^n} x_i", r"y = \sum_{i = 1}^n x_i"),
        ("different", r"y = \smashoperator{\sum_{i = 1}^n} x_i", r"y = \sum_{i = 1}^{n + 1} x_i"),
        ("same", r"y = \frac{\splitfrac{a + b}{+ c}}{d}", r"y = \frac{a + b + c}{d}"),
        ("different", r"y = \frac{\splitfrac{a + b}{- c}}{d}", r"y = \frac{a + b + c}{d}"),
        ("same", r"P(\exists x : a + b = x) = 1", r"P(\exists x : b + a = x) = 1"),
        ("undecided", r"P(\exists x : f(x) = 0) = 1", r"P(\exists y : f(y) = 0) = 1"),
        ("undecided", r"P(\exists x : f(x) = 0) = 1", r"P(\forall x : f(x) = 0) = 1"),
        ("undecided", r"P(\forall x \exists y : f = 0) = 1", r"P(\exists y \forall x : f = 0) = 1"),
        ("undecided", r"\forall x \exists y, f(x, y) = 0", r"\exists y \forall x, f(x, y) = 0"),
        ("different", r"a = b \text{ if } c = d", r"c = d \text{ if } a = b"),
        ("same", r"a = b \text{ if } c = d", r"b = a \text{ if } d = c"),
        ("same", r"a = b \text{ and } c = d", r"c = d \text{ and } a = b"),
        ("same", r"a = b, c = d", r"c = d, a = b"),
    ],
)
def test_indices_of_signs_quantifiers_and_words_between_statements(verdict, one, other):
    assert certify(one, other)["verdict"] == verdict
    assert certify(other, one)["verdict"] == verdict
    assert typeset(typeset(one)) == typeset(one)


@pytest.mark.parametrize(
    "latex",
    [
        r"y = B \otimes_{i=1}^n A_i",
        r"y = B \otimes_{i=1} A_i",
        r"y = \smashoperator{a + b}",
        r"y = \smashoperator{\sum_{i}x} y",
        r"y = \splitfrac{a}{b}",
        r"y = \smashoperator",
        r"y = (\forall)",
    ],
)
def test_an_index_that_runs_over_something_and_braces_of_another_use_are_not_read(latex):
    with pytest.raises(Unread):
        parse(latex)


@pytest.mark.slow
@pytest.mark.parametrize(("terms", "verdict"), [(12, "different"), (90, "undecided")])
def test_what_takes_too_many_steps_is_undecided_at_the_same_step_each_time(terms, verdict):
    total = f"\\sum_{{i=1}}^{{{terms}}} \\sum_{{j=1}}^{{{terms}}}"
    found = [certify(f"y = {total} a_{{ij}} b_j", f"y = {total} a_{{ji}} b_j") for _ in range(2)]
    assert found[0]["verdict"] == verdict and found[0] == found[1]
    if verdict == "undecided":
        assert found[0]["reason"] == "more than 400000 steps to evaluate"


def test_what_was_given_up_takes_nothing_from_the_next_certificate():
    pair = "y = \\sum_{i=1}^{60} a_i b_i", "y = \\sum_{i=1}^{60} a_i"
    before = certify(*pair)
    total = "\\sum_{i=1}^{150} \\sum_{j=1}^{150}"
    assert certify(f"y = {total} a_i b_j", f"y = {total} b_j a_i")["verdict"] == "undecided"
    assert certify(*pair) == before and before["verdict"] == "different"


def test_a_letter_whose_index_has_no_value_stops_no_certificate():
    equation = r"PE_{(pos, 2i)} = sin(pos/10000^{2i/d_{model}})"
    assert certify(equation, equation.replace("PE", "iPE"))["verdict"] != "same"


@pytest.mark.slow
def test_memory_does_not_grow_with_the_number_of_certificates():
    sizes = []
    tracemalloc.start(1)
    for place, pair in enumerate(iterate(700, 901), 1):
        certify(pair.positive, pair.alternative)
        if place in (200, 700):
            gc.collect()
            sizes.append(tracemalloc.get_traced_memory()[0])
    tracemalloc.stop()
    assert sizes[1] < sizes[0] + 2**21
