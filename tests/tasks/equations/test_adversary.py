"""Pairs whose truth is known by construction: an oracle that knows nothing of our reader, and rows of what once failed."""

from __future__ import annotations

import importlib.util
import json
import re
from collections import Counter

import pytest
from support import witness_reader
from support.equation_pairs import KINDS, draw, iterate, oracle
from support.run import ROOT

from scholartools.tasks.equations import certify, parse
from scholartools.tasks.equations.certificates import witness
from scholartools.tasks.equations.certificates.conventions import CONVENTIONS
from scholartools.tasks.equations.certificates.definitions import DEFINITIONS
from scholartools.tasks.equations.trees.meaning import Meaning, gather

OPPOSITE = {"same": "different", "different": "same"}


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: f"{kind.verdict} {kind.name}")
def test_the_oracle_agrees_with_each_kind(kind):
    assert oracle(kind) == kind.verdict


def test_there_are_kinds_enough_of_fields_enough():
    assert min(Counter(kind.verdict for kind in KINDS).values()) >= 60
    assert len({kind.field for kind in KINDS}) >= 30


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: f"{kind.verdict} {kind.name}")
def test_no_kind_gets_a_wrong_verdict(kind):
    for seed in range(2):
        pair = draw(seed, [kind])
        certificate = certify(pair.positive, pair.alternative)
        assert certificate["verdict"] != OPPOSITE[pair.verdict], (pair, certificate)


@pytest.mark.parametrize("row", CONVENTIONS, ids=lambda row: row.reason)
def test_a_convention_holds_for_its_example_and_not_for_its_counter_example(row):
    for one, other in (row.example, row.example[::-1]):
        assert certify(one, other)["verdict"] == "undecided", (one, other)
    assert certify(*row.counter)["verdict"] == "different", row.counter


@pytest.mark.parametrize("row", DEFINITIONS, ids=lambda row: row.spell_out.__name__)
def test_a_definition_makes_its_example_the_same_and_not_its_counter_example(row):
    for one, other in (row.example, row.example[::-1]):
        assert certify(one, other)["by"] == "definition", (one, other)
    assert certify(*row.counter)["verdict"] != "same", row.counter


READINGS = [
    [re.findall(r"`([^`]+)`", cell) for cell in line.split(" | ")[2:]]
    for line in (ROOT / "docs" / "certificates.md").read_text(encoding="utf-8").split("| what is in doubt |")[1].split("\n\n")[0].splitlines()[2:]
]  # fmt: skip


@pytest.mark.parametrize(("doubtful", "clear"), READINGS, ids=lambda pair: pair[0])
def test_each_reading_of_the_page_is_tried(doubtful, clear):
    for one, other in (doubtful, doubtful[::-1]):
        assert certify(one, other)["verdict"] == "undecided"
    assert certify(*clear)["verdict"] == "different"


def test_most_pairs_are_decided():
    verdicts = Counter(certify(pair.positive, pair.alternative)["verdict"] for pair in iterate(300, 1))
    assert verdicts["undecided"] < 0.4 * verdicts.total()


@pytest.mark.parametrize(("verdicts", "one", "other"), [
    ("different|undecided", "D_{\\mathrm{KL}}(p \\parallel q) = y", "D_{\\mathrm{KL}}(q \\parallel p) = y"),
    ("different|undecided", "X \\sim p", "p \\sim X"),
    ("same|undecided", "y = \\delta_{ij}", "y = \\delta_{ji}"),
    ("same|undecided", "a = g_{\\mu\\nu} x", "a = g_{\\nu\\mu} x"),
    ("different", "y = \\sqrt{\\lceil \\sin x \\rceil}", "y = \\sqrt{\\lceil \\cos x \\rceil}"),
    ("same|undecided", "y = \\sin(\\log\\lfloor x \\rfloor)", "y = \\cos(\\log\\lfloor x \\rfloor - \\frac{\\pi}{2})"),
    ("different|undecided", "y = \\min(\\log \\pi + (1 + n)!, \\frac{1}{\\tan^2 b})", "y = \\min(\\pi + (1 + n)!, \\frac{1}{\\tan^2 b})"),
    ("different|undecided", "y = \\max(x^2, -1 - a^2)", "y = \\max(x^2, -2 - a^2)"),
    ("same", "y = \\max(0, x)", "y = \\frac{x + |x|}{2}"),
    ("same", "y = \\sqrt{a - a}", "y = 0"),
    ("same|undecided", "y = \\sinh \\lceil z \\rceil", "y = \\frac{1}{2} e^{\\lceil z \\rceil} - \\frac{1}{2} e^{-\\lceil z \\rceil}"),
    ("same", "y = e^{\\lfloor x \\rfloor}", "y = \\exp(\\lfloor x \\rfloor)"),
    ("same", "y = x^{\\lfloor n / 2 \\rfloor}", "y = x \\cdot x^{\\lfloor n / 2 \\rfloor - 1}"),
    ("same|undecided", "y = (f g)^{(2)}", "y = f^{(2)} g + 2 f^{(1)} g^{(1)} + f g^{(2)}"),
    ("same|undecided", "y = (1 - p)^{(n - 1)}", "y = (1 - p)^{n - 1}"),
    ("same|undecided", "y = (a + 1)^{(2)}", "y = (a + 1)(a + 2)"),
    ("different", "y = (a + b)^{(n)}", "y = (a + b)^{(m)}"),
    ("same|undecided", "z = \\exp(i \\theta)", "z = \\cos\\theta + i \\sin\\theta"),
    ("same|undecided", "z = \\frac{e^{i x} - e^{-i x}}{2i}", "z = \\sin x"),
    ("same|undecided", "z = (a + i b)(a - i b)", "z = a^2 + b^2"),
    ("same|undecided", "z = \\frac{1}{i} x", "z = -i x"),
    ("different", "y = \\exp(-i \\omega t)", "y = \\exp(i \\omega t)"),
    ("same|undecided", "i^2 x = y", "-x = y"),
    ("same|undecided", "y = e^{i\\pi} x", "y = -x"),
    ("same|undecided", "y = e^{2 \\pi i n} x", "y = x"),
    ("same|undecided", "y = \\sinh(i x)", "y = i \\sin x"),
    ("same|undecided", "y = (1 + i)^2", "y = 2 i"),
    ("different", "X_k = \\sum_{n=0}^{N-1} x_n e^{-2\\pi i k n / N}", "X_k = \\sum_{n=0}^{N-1} x_n e^{2\\pi i k n / N}"),
    ("different", "y = \\frac{1}{1 + j \\omega R C}", "y = \\frac{1}{1 - j \\omega R C}"),
    ("same|undecided", "y = \\cos(n \\pi)", "y = (-1)^n"),
    ("same|undecided", "y = \\sin(n \\pi) + x", "y = x"),
    ("same|undecided", "y = \\lfloor (n + 1) / 2 \\rfloor", "y = \\lceil n / 2 \\rceil"),
    ("different|undecided", "y = \\cos(n \\pi)", "y = (-1)^{n+1}"),
    ("same|undecided", "y = T_{ij} x_i x_j", "y = T_{ji} x_i x_j"),
    ("same|undecided", "U^\\dagger U = I", "U^{-1} = U^\\dagger"),
    ("different|undecided", "e^{A + B} = C", "e^{A} e^{B} = C"),
    ("different|undecided", "a \\wedge b = w", "b \\wedge a = w"),
    ("same|undecided", "dx \\wedge dy = w", "-dy \\wedge dx = w"),
    ("same|undecided", "y = \\sin(90^\\circ - x)", "y = \\cos x"),
    ("same|undecided", "y = \\int_{-a}^{a} x^3 dx", "y = 0"),
    ("same|undecided", "y = \\frac{d}{dx} (\\sin^2 x + \\cos^2 x)", "y = 0"),
    ("same|undecided", "y = [x]", "y = \\lfloor x \\rfloor"),
    ("same|undecided", "x_{(1)} = m", "\\min_i x_i = m"),
    ("same|undecided", "p \\propto e^{-x + 1}", "p \\propto e^{-x}"),
    ("same|undecided", "\\int f dx = F + C", "\\int f dx = F + C + 1"),
    ("same|undecided", "s = \\frac{1}{n} \\sum_{i=1}^n (x_i - \\bar{x})^2", "s = \\frac{1}{n} \\sum_{i=1}^n x_i^2 - \\bar{x}^2"),
    ("different", "s = \\frac{1}{n} \\sum_{i=1}^n (x_i - \\bar{x})^2", "s = \\frac{1}{n-1} \\sum_{i=1}^n (x_i - \\bar{x})^2"),
    ("different|undecided", "|z|^2 = a", "z^2 = a"),
    ("different|undecided", "a = |z|", "a = \\sqrt{z^2}"),
    ("same", "a = |z|^2 b", "b |z|^2 = a"),
    ("different|undecided", "a \\overset{(a)}{\\leq} b", "b \\overset{(a)}{\\leq} a"),
    ("different|undecided", "a \\circledcirc b", "b \\circledcirc a"),
    ("same|undecided", "0 \\leq x y \\leq 1", "0 \\leq y x \\leq 1"),
    ("different|undecided", "0 \\leq x \\leq y \\leq 1", "0 \\leq y \\leq x \\leq 1"),
    ("same|undecided", "0 \\leq x \\leq |x|", "0 \\leq x \\leq 2|x|"),
    ("same", "y = 1\\,000", "y = 1000"),
    ("same", "y = 1{,}000", "y = 1000"),
    ("same", "y = 1{,}987", "y = 1987"),
    ("different", "y = 0{,}987", "y = 987"),
    ("same|undecided", "y = 0{,}987", "y = 0.987"),
    ("undecided", "y = 0\\,987", "y = 987"),
    ("undecided", "y = 0\\,987", "y = 0"),
    ("undecided", "y = 12{,}5", "y = 12, 5"),
    ("same|undecided", "y = 12{,}5", "y = 12.5"),
    ("undecided", "y = 12\\,5", "y = 60"),
    ("same|undecided", "\\tan x = a", "\\sin x = a \\cos x"),
    ("same|undecided", "\\tanh x = a", "\\sinh x = a \\cosh x"),
    ("same|undecided", "\\mathrm{sgn}(x) |x| = a", "x = a"),
    ("same|undecided", "a = n (n-1)!", "a = n!"),
    ("same|undecided", "a = x (n-1)!", "a = (n-1)! x"),
    ("different|undecided", "a = f(n)!", "a = f \\cdot n"),
    ("different", "y = 12\\,345 x", "y = 12 \\cdot 345 x"),
    ("same|undecided", "y = 1\\frac12", "y = \\frac32"),
    ("different|undecided", "y = 1\\frac12", "y = \\frac12"),
    ("different", "y = \\sum_{i=1}^{50} c", "y = \\sum_{i=1}^{60} c"),
    ("same", "y = \\sum_{i=1}^{20} c + a", "y = 20c + a"),
    ("undecided", "y = \\sum_{i=1}^{10000} c", "y = 9999c"),
    ("different|undecided", "y = \\sum_i c", "y = 3c"),
    ("different|undecided", "y = \\sum_{i=1}^{\\infty} c_i", "y = c_1 + c_2 + c_3"),
    ("same|undecided", "y = \\hat{y}_i", "y = \\hat{y_i}"),
    ("same|undecided", "y = \\mathrm{e}^x", "y = e^x"),
    ("same|undecided", "y \\overset{def}{=} x", "y = x"),
    ("same|undecided", "y = a_1 + \\dots + a_n", "y = a_1 + a_2 + \\dots + a_n"),
    ("different|undecided", "y = 1 + 2 + \\dots + n", "y = 1 + n + \\dots + 2"),
    ("same", "x = 1 \\quad z = 2", "z = 2 \\quad x = 1"),
    ("same", "x = 1, z = 2", "z = 2, x = 1"),
    ("same|undecided", "y = a, a = b", "y = b, a = b"),
    ("same|undecided", "x = 1, y = x", "x = 1, y = 1"),
    ("same", "y = \\lceil 3.5 \\rceil", "y = 4"),
    ("different|undecided", "y = \\lceil x - 1 \\rceil", "y = \\lfloor x \\rfloor"),
    ("different|undecided", "y = n!!", "y = (n!)!"),
    ("same|undecided", "F_1 = x", "\\mathrm{F1} = x"),
    ("same|undecided", "L = -\\sum_i y_i \\log p_i + (1-y_i) \\log(1-p_i)", "L = -\\sum_i [y_i \\log p_i + (1-y_i) \\log(1-p_i)]"),
    ("same|undecided", "y = \\int_0^1 f(1-t) dt", "y = \\int_0^1 f(t) dt"),
    ("different|undecided", "y = \\max(x, -100)", "y = x"),
    ("different|undecided", "y = \\max(x - 30, 0)", "y = 0"),
    ("different|undecided", "y = \\sqrt{x^2} + a", "y = x + a"),
    ("different|undecided", "y = \\prod_{i=2}^{7}(n-i)", "y = \\sum_{i=1}^n 0"),
    ("same", "a < b", "2a < 2b"),
    ("same", "a - b < c", "c > a - b"),
    ("different|undecided", "a < b", "-a < -b"),
    ("same|undecided", "v = f'(x)", "v = \\frac{d}{dx} f(x)"),
    ("same|undecided", "y = \\frac{d}{dt} (m v t)", "y = m v + m t \\dot v"),
    ("different|undecided", "y = \\hat{x} \\hat{p} + c", "y = \\hat{p} \\hat{x} + c"),
    ("same", "C = A \\cap (A \\cup B)", "C = A"),
    ("same|undecided", "y = \\sqrt{-a} \\sqrt{-b}", "y = \\sqrt{a b}"),
    ("different|undecided", "y = x^{1/3}", "y = |x|^{1/3}"),
    ("different|undecided", "y = \\log |x|", "y = \\log x"),
    ("different|undecided", "u - |v| = w", "u = w + v"),
    ("same", "y = \\log \\frac{a}{b}", "y = -\\log \\frac{b}{a}"),
    ("different|undecided", "y = \\sum_{i=1}^n |c_i| \\log b_i", "y = \\sum_{i=1}^n c_i \\log b_i"),
    ("same|undecided", "y = \\log 100", "y = 2"),
    ("same|undecided", "y = \\log x", "y = \\frac{\\log x}{\\log 10}"),
    ("same|undecided", "y = e + e^2", "y = e(1 + e)"),
    ("same|undecided", "y = 2 \\infty", "y = \\infty"),
    ("different|undecided", "F(z) = \\int \\frac{3}{z} dz", "F(z) = \\int \\frac{3}{t} dt"),
    ("same|undecided", "T(n) = 2T(n/2) + n", "T(2n) = 2T(n) + 2n"),
    ("same|undecided", "f(x^2) = 2f(x)", "f(x) = 2f(\\sqrt{x})"),
    ("different", "y = f(x - h)", "y = f(x + h)"),
    ("same", "y = \\mathbb{E}[X + Y]", "y = \\mathbb{E}[X] + \\mathbb{E}[Y]"),
    ("different|undecided", "y = \\mathbb{E}[X Y]", "y = X \\mathbb{E}[Y]"),
    ("different|undecided", "y = \\mathbb{E}_X[\\mathbb{E}_Y[X Y]]", "y = \\mathbb{E}_Y[X Y]"),
    ("same|undecided", "y = \\mathbb{E}_p[\\mathbb{E}_q[X]]", "y = \\mathbb{E}_q[X]"),
    ("undecided", "y = \\overset{n}{a} + b", "y = a^n + b"),
    ("undecided", "y = \\overset{n}{a} + b", "y = a + b"),
    ("undecided", "y = \\overset{n}{a} + b", "y = \\underset{n}{a} + b"),
    ("undecided", "y = \\overset{2}{x} + b", "y = x^2 + b"),
    ("undecided", "y = \\stackrel{2}{x} + b", "y = x^2 + b"),
    ("undecided", "y = \\overbrace{x}^{2} + b", "y = x^2 + b"),
    ("undecided", "y = \\overbrace{x}^{n} + b", "y = x + b"),
    ("undecided", "y = \\overbrace{x}^{\\text{new}} + b", "y = x + b"),
    ("undecided", "y = \\overbrace{x}^{\\text{new}} + b", "y = \\overbrace{x}^{\\text{old}} + b"),
    ("undecided", "y = \\overset{\\text{old}}{a} + b", "y = a + b"),
    ("undecided", "y = \\overset{T}{A} b", "y = A^T b"),
    ("undecided", "y = \\stackrel{\\circ}{A} b", "y = \\mathring{A} b"),
    ("undecided", "y = \\overset{-1}{A} b", "y = A^{-1} b"),
    ("undecided", "y = \\overset{(2)}{a} b", "y = a^{(2)} b"),
    ("undecided", "y = \\overset{i}{x} + b", "y = \\overset{j}{x} + b"),
    ("same", "y = \\overset{i}{x} + b", "y = b + \\overset{i}{x}"),
    ("different", "y = \\overset{i}{x} + b", "y = \\overset{i}{x} - b"),
    ("same", "y = \\overset{n}{\\max} a", "y = \\overset{n}{\\max} a"),
    ("different|undecided", "y = \\overbrace{a + b}^{n} c", "y = \\overbrace{a - b}^{n} c"),
    ("same", "y = \\underset{x}{\\operatorname{argmin}} f(x)", "y = \\operatorname{argmin}_x f(x)"),
    ("different|undecided", "\\left(\\frac{a}{p}\\right) = -1", "\\left(\\frac{p}{a}\\right) = -1"),
    ("different|undecided", "\\Bigl(\\frac{a}{p}\\Bigr) = 1", "a = p"),
    ("different|undecided", "(a/p) = 1", "(p/a) = 1"),
    ("different|undecided", "\\left(\\frac{a}{p}\\right) \\left(\\frac{p}{a}\\right) = s", "s = 1"),
    ("same", "\\left(\\frac{a}{p}\\right) = 1", "1 = \\left(\\frac{a}{p}\\right)"),
    ("same", "y = \\left(\\frac{a}{b}\\right) c", "y = \\frac{a c}{b}"),
    ("undecided", "c = a(b)", "c = ab"),
    ("undecided", "c = a(b)", "c = b(a)"),
    ("different", "y = \\phi(F(x))", "y = F(\\phi(x))"),
    ("same", "x := a + b", "x = a + b"),
    ("undecided", "x := x + 1", "x = x + 1"),
    ("undecided", "X \\stackrel{d}{=} Y", "X = Y"),
    ("same", "y = 5\\% x", "y = 0.05 x"),
    ("same", "y = \\operatorname{tr}(A B C)", "y = \\operatorname{tr}(C A B)"),
    ("different|undecided", "y = \\operatorname{tr}(A B C)", "y = \\operatorname{tr}(C B A)"),
    ("different|undecided", "y = \\operatorname{tr}(\\mathbf{I})", "y = 2"),
    ("different|undecided", "y = \\operatorname{sgn}(x) a", "y = a"),
    ("different", "y = \\frac{d^2}{dx^2} f(x)", "y = \\frac{d}{dx} f(x)"),
    ("same|undecided", "y = \\frac{d^2}{dx^2} f(x)", "y = f''(x)"),
    ("different", "C = A \\setminus B", "C = B \\setminus A"),
    ("undecided", "y = 1/n (a + b)", "y = \\frac{1}{n} (a + b)"),
    ("undecided", "y = 1/n(a + b)", "y = \\frac{1}{n(a + b)}"),
    ("undecided", "w = \\frac{\\partial}{\\partial z} z (y z + 1)", "w = 2 y z + 1"),
    ("undecided", "w = \\frac{\\partial}{\\partial z} z (y z + 1)", "w = y z + 1"),
    ("undecided", "w = \\frac{d}{dx} x \\sin x", "w = \\sin x"),
    ("undecided", "y = {2}^{(n)}", "y = 2^n"),
    ("different", "y = f^{-2}(x) + a", "y = f^{-2}(x) - a"),
    ("different|undecided", "y = f^{-2}(x)", "y = f^{-1}(x)"),
    ("different", "y = \\coth^{-2n^2}(b)", "y = \\coth^{-\\frac{1}{2n^2}}(b)"),
    ("undecided", "y = f^2(x)", "y = f(x)^2"),
    ("undecided", "y = f^2(x)", "y = f(f(x))"),
    ("undecided", "y = \\sin^2(x)", "y = \\sin(x)^2"),
    ("undecided", "y = \\cos \\theta / 2", "y = \\cos \\frac{\\theta}{2}"),
    ("undecided", "y = \\log p / q", "y = \\log \\frac{p}{q}"),
    ("undecided", "y = \\cos u / 2 + \\cos v / 2", "y = \\frac{1}{2} \\cos u + \\cos \\frac{v}{2}"),
    ("different", "y = \\cos u / 2 + \\cos v / 2", "y = \\cos u / 2 - \\cos v / 2"),
    ("different|undecided", "y = |A|", "y = |-A|"),
    ("different|undecided", "y = |\\mathbb{I}|", "y = |-\\mathbb{I}|"),
    ("different|undecided", "y = |2 A - 2 B|", "y = |2 B - 2 A|"),
    ("same|undecided", "Y = |B^T (M^T)^{-1}|", "Y = |B^T ((M^T)^{-1})^T|"),
    ("same|undecided", "Y = ((C + M) M)^2", "Y = ((M^T (C^T + M^T))^2)^T"),
    ("same", "Y = R^T W", "Y = R^\\top W"),
    ("different|undecided", "y = \\binom{a}{m}", "y = |\\binom{a}{m}|"),
    ("same", "y = \\binom{-a}{k}", "y = (-1)^k \\binom{a + k - 1}{k}"),
    ("different|undecided", "y = |\\delta_{mn}|", "y = 2 |\\delta_{mn}|"),
    ("same|undecided", "y = |\\delta_{mn}|", "y = \\delta_{mn}"),
    ("same", "Y \\Leftrightarrow (\\neg s)", "Y \\Leftrightarrow ((q \\Leftrightarrow s) \\Leftrightarrow \\neg q)"),
    ("same|undecided", "x = \\frac{-b \\pm \\sqrt{b^2 - 4ac}}{2a}", "a x^2 + b x + c = 0"),
    ("same", "a \\not< b", "a \\nless b"),
    ("same|undecided", "X_n \\xrightarrow{p} X", "X_n \\to_p X"),
    ("different", "X_n \\xrightarrow{p} X", "X_n \\xrightarrow{d} X"),
    ("undecided", "a \\leq_{(a)} b", "a \\leq_{(b)} b"),
    ("same|undecided", "dX_t = \\mu dt + \\sigma dW_t", "X_t = X_0 + \\int_0^t \\mu ds + \\int_0^t \\sigma dW_s"),
    ("undecided", "y = !m", "y = m!"),
    ("same", "y = 12{,}5 x", "y = 12.5 x"),
    ("same|undecided", "y = x_{1{,}2}", "y = x_{12}"),
    ("same", "y = \\frac{d}{dx} f(x)", "y = f'(x)"),
    ("different|undecided", "y = \\frac{d}{dx} f(2x)", "y = f'(2x)"),
    ("different", "x' = A x", "x = A x"),
    ("same|undecided", "y = (x^2)'", "y = 2 x"),
    ("same", "a = n (n-1)!", "a = n!"),
    ("different", "a = n (n-1)!", "a = (n (n-1))!"),
    ("undecided", "D(p \\| q) = y", "D(q \\| p) = y"),
    ("different", "D_{KL}(p \\| q) = y", "D_{KL}(q \\| p) = y"),
    ("undecided", "y = JSD(p \\| q)", "y = JSD(q \\| p)"),
    ("undecided", "y = \\lceil \\cot(m!) \\rceil", "y = \\lceil |\\cot(m!)| \\rceil"),
    ("same", "y = \\arg\\min_i -2 b_i", "y = \\arg\\max_i b_i"),
    ("same", "y = \\max_j (s_j + r)", "y = r + \\max_j s_j"),
    ("different", "y = \\max_j (-3 s_j)", "y = 3 \\min_j s_j"),
    ("different|undecided", "y = \\min_x \\max_z f(x, z)", "y = \\max_z \\min_x f(x, z)"),
    ("different|undecided", "y = \\max_x (f(x) + g(x))", "y = \\max_x f(x) + \\max_x g(x)"),
    ("undecided", "\\forall x : x = x", "\\exists x : x = x"),
    ("same", "Y = -[U, B]", "Y = [B, U]"),
    ("same", "y = \\sin(90^\\circ - x)", "y = \\cos x"),
    ("undecided", "y = 30^\\circ", "y = 30"),
    ("different|undecided", "y = \\det(2A)", "y = 4 \\det(A)"),
    ("undecided", "w = \\overline{\\overline{A}}", "w = \\overline{A}"),
    ("undecided", "w = \\overline{\\overline{u v}}", "w = \\overline{u v}"),
    ("undecided", "w = \\Re(\\Re(z))", "w = \\Re(z)"),
    ("different", "w = \\dot{\\dot{x}}", "w = \\dot{x}"),
    ("different", "w = \\bar{\\bar{x}} + a", "w = \\bar{\\bar{x}} + b"),
])  # fmt: skip
def test_what_once_was_wrong_or_is_written_to_fool_is_not(verdicts, one, other):
    forth, back = certify(one, other)["verdict"], certify(other, one)["verdict"]
    assert forth == back
    assert forth in verdicts.split("|")


@pytest.mark.parametrize(("one", "other"), [
    ("|@|", "@"), ("\\sqrt{@^2}", "@"), ("\\log |@|", "\\log @"), ("\\max(@, 0)", "@"), ("|@|^3", "@^3"), ("|@ \\nu|", "@ \\nu"),
])  # fmt: skip
def test_what_is_equal_for_positive_numbers_alone_is_the_same_for_no_letter(one, other):
    for side in ("y", "w"):
        for letter in "a b c d r s t u v x \\alpha \\beta \\mu \\lambda \\rho \\theta".split():
            pair = [f"{side} = {text.replace('@', letter)}" for text in (one, other)]
            assert certify(*pair)["verdict"] != "same", pair


# Values that are negative in one narrow place alone, or for great numbers alone, and what hides their sign.
NARROW = ["@(@ - 1)", "(@ - 0.9)(@ - 0.6)", "(@ - 0.6)(@ - 0.4)", "(@ - 1.5)(@ - 1.7)", "(@ + 1.1)^2 - 0.01", "30 - @",
          "@^2 + \\nu^2 - 0.5", "(@ - \\nu)^2 - 0.01"]  # fmt: skip
HIDING = [("|P|", "P"), ("\\max(P, 0)", "P"), ("\\sqrt{P^2}", "P"), ("(P^4)^{1/4}", "P"), ("\\log(P^2)", "2 \\log P"),
          ("\\mathrm{sgn}(P) P", "P"), ("|P \\mu|", "P |\\mu|"), ("\\log |P|", "\\log P")]  # fmt: skip


@pytest.mark.parametrize("value", NARROW)
@pytest.mark.parametrize(("hidden", "shown"), HIDING)
def test_a_sign_that_is_met_at_few_points_alone_is_not_lost(hidden, shown, value):
    for letter in "a b c r s t u v w x p q \\alpha \\beta \\theta \\eta".split():
        for side in ("y", "U_1", "\\gamma", "\\delta(\\tau)"):
            pair = [f"{side} = {text.replace('P', f'({value})').replace('@', letter)}" for text in (hidden, shown)]
            assert certify(*pair)["verdict"] != "same", pair


@pytest.mark.parametrize(("one", "other"), [
    ("y = \\sqrt{a^2 - 60 a + 900}", "y = 30 - a"),
    ("y = \\sqrt{(30 - a)(30 - b)}", "y = \\sqrt{30 - a} \\sqrt{30 - b}"),
    ("\\delta(\\tau) = |\\binom{r}{2}|", "\\delta(\\tau) = \\binom{r}{2}"),
])  # fmt: skip
def test_great_numbers_are_met_where_roots_tell_signs(one, other):
    assert certify(one, other)["verdict"] != "same"


@pytest.mark.parametrize(("one", "other"), [
    ("\\sum_{i=1}^@ \\lfloor \\frac{1}{@} \\rfloor", "0"),
    ("\\sum_{i=1}^@ \\binom{1}{@}", "0"),
    ("x \\binom{1}{@} + \\sum_{i=1}^@ i", "\\frac{@(@ + 1)}{2}"),
    ("\\prod_{i=1}^@ (i - 2)", "0"),
    ("\\lfloor \\frac{1}{@!} \\rfloor", "0"),
    ("\\binom{2}{@}", "\\binom{2}{@}^2"),
    ("\\sum_{i=1}^@ a_i + \\binom{1}{@} b", "\\sum_{i=1}^@ a_i"),
])  # fmt: skip
def test_what_holds_for_all_whole_numbers_but_one_is_not_the_same(one, other):
    for letter in "n m k N M K T".split():
        for side in ("y", "U_1", "\\delta(\\tau)"):
            pair = [f"{side} = {text.replace('@', letter)}" for text in (one, other)]
            assert certify(*pair)["verdict"] != "same", pair


@pytest.mark.parametrize(("one", "other"), [
    ("y = \\frac{1}{n - 1} \\sum_{i=1}^n (x_i - c)^2", "y = \\sum_{i=1}^n \\frac{(x_i - c)^2}{n - 1}"),
    ("y = \\frac{\\sum_{i=1}^n x_i}{n (n - 1) (n - 2)}", "y = \\frac{1}{n (n - 1) (n - 2)} \\sum_{i=1}^n x_i"),
    ("y = \\sum_{i=2}^{n-1} a_i + a_1 + a_n", "y = \\sum_{i=1}^n a_i"),
    ("y = \\sum_{i=1}^{n-1} \\sum_{j=i+1}^n a_{ij}", "y = \\sum_{j=2}^n \\sum_{i=1}^{j-1} a_{ij}"),
])  # fmt: skip
def test_what_has_no_value_for_small_numbers_may_be_the_same(one, other):
    assert certify(one, other)["verdict"] == "same"


@pytest.mark.slow
def test_no_pair_that_was_written_to_fool_it_gets_a_wrong_verdict():
    lines = (ROOT / "tests" / "support" / "equation-hostile.txt").read_text(encoding="utf-8").splitlines()[1:]
    rows = [line.split(" ;; ") for line in lines]
    assert len(rows) >= 290
    wrong = [row for row in rows for pair in (row[1:], row[:0:-1]) if certify(*pair)["verdict"] == OPPOSITE[row[0]]]
    assert wrong == []


@pytest.mark.slow
def test_no_formula_that_another_program_prints_gets_a_wrong_verdict():
    pytest.importorskip("sympy")
    from support import sympy_pairs

    pairs = list(sympy_pairs.iterate(250, 1))
    verdicts = [certify(pair.positive, pair.alternative)["verdict"] for pair in pairs]
    assert [pair for pair, verdict in zip(pairs, verdicts) if verdict == OPPOSITE[pair.verdict]] == []
    assert verdicts.count("undecided") < 0.6 * len(verdicts)
    assert len({pair.field for pair in pairs}) == 4


@pytest.mark.slow
def test_no_pair_of_the_tests_of_another_program_gets_a_wrong_verdict():
    pytest.importorskip("sympy")
    from support import sympy_pairs

    pairs = list(sympy_pairs.iterate_tests(1500, 1))
    verdicts = [certify(pair.positive, pair.alternative)["verdict"] for pair in pairs]
    assert [pair for pair, verdict in zip(pairs, verdicts) if verdict == OPPOSITE[pair.verdict]] == []
    assert verdicts.count("undecided") < 0.5 * len(verdicts) > 400


def load_verifier():
    """The program of the documentation that checks witnesses; it shares no code with the package."""
    spec = importlib.util.spec_from_file_location("verify_certificates", ROOT / "docs" / "verify_certificates.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
def test_another_program_finds_the_witnesses_to_show_what_they_say():
    verifier = load_verifier()
    found: Counter[str] = Counter()
    read: Counter[str] = Counter()
    for pair in iterate(300, 5):
        certificate = certify(pair.positive, pair.alternative)
        if certificate["verdict"] == "different":
            result = verifier.check(certificate)
            found[result if result in ("checked", "failed") else "unread"] += 1
            result = witness_reader.check((pair.positive, pair.alternative), certificate)
            read[result if result in ("checked", "failed") else "unread"] += 1
    assert not found["failed"] and not read["failed"]
    assert found["checked"] > 0.9 * found.total()
    assert read["checked"] > 0.7 * read.total()


def test_the_program_that_others_run_is_short():
    lines = (ROOT / "docs" / "verify_certificates.py").read_text().splitlines()
    assert len(lines) < 200
    assert {line.split()[1] for line in lines if line.startswith(("import", "from"))} == {
        "json", "math", "re", "sys", "functools", "itertools", "numpy"
    }  # fmt: skip


@pytest.mark.parametrize(("one", "other"), [
    ("y = M!!", "y = (M!)!"),
    ("y = n!", "y = 2 n!"),
    ("y = \\lfloor x \\rfloor", "y = \\lceil x \\rceil"),
    ("y = \\|x\\|", "y = 2\\|x\\|"),
    ("y = \\int_0^1 f(t) dt", "y = \\int_0^2 f(t) dt"),
    ("y = \\frac{d}{dx} x^3", "y = x^2"),
    ("y = \\max_i a_i + b", "y = \\max_i a_i - b"),
    ("Y = (A B)^\\top", "Y = A^\\top B^\\top"),
    ("a_0 + a_1 x^2 = 0", "a_0 + a_1 x^3 = 0"),
])  # fmt: skip
def test_a_witness_of_each_kind_is_computed(one, other):
    certificate = certify(one, other)
    assert certificate["verdict"] == "different"
    assert load_verifier().check(certificate) == "checked"


@pytest.mark.parametrize(("one", "other", "is_shown"), [
    ("a \\overset{(a)}{\\leq} b", "b \\overset{(a)}{\\leq} a", True),
    ("A \\prec_\\pi B", "B \\prec_\\pi A", True),
    ("a <= b", "b <= a", True),
    ("X_n \\xrightarrow{d} X", "X \\xrightarrow{d} X_n", True),
    ("a = b", "b = a", False),
    ("x \\sim y", "y \\sim x", False),
    ("a \\leq b", "b \\geq a", False),
    ("a \\stackrel{d}{=} b", "b \\stackrel{d}{=} a", False),
    ("a + b \\leq b + a", "b + a \\leq a + b", False),
    ("a < b < c", "b < c < a", False),
])  # fmt: skip
def test_the_other_program_sees_sides_exchanged_around_what_holds_one_way_alone(one, other, is_shown):
    trees = witness.spell_statements(*(parse_alone(latex) for latex in (one, other)))
    assert (load_verifier().check({"witness": {"trees": trees}}) == "checked") == is_shown


def parse_alone(latex):
    """The only statement of a formula, as certificates read it."""
    tree = parse(latex)
    return Meaning(gather(tree.statements), tree.statements[0]).read(tree.statements[0])


def test_a_forged_witness_fails_and_a_tree_of_another_formula_is_not_traced(tmp_path, capsys):
    certificate = certify("y = a + b", "y = a - b")
    record = {"positive": "y = a + b", "alternative": "y = a - b", "certificate": certificate}
    alike = {**certificate, "witness": {**certificate["witness"], "trees": certificate["witness"]["trees"][:1] * 2}}
    records = [record, {**record, "alternative": "y = a + b"}, {**record, "certificate": alike}]
    (tmp_path / "pairs.jsonl").write_text("".join(json.dumps(one) + "\n" for one in records))
    assert load_verifier().main([str(tmp_path / "pairs.jsonl")]) == 1
    assert "2 checked, 1 failed, 0 unread, 1 traced" in capsys.readouterr().out
    assert witness_reader.check(("y = a + b", "b + a = y"), certificate) == "failed"
