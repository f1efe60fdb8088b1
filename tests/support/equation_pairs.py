"""Pairs of equations whose verdict is known by construction, and an oracle that is independent of our reader.

``equation-kinds.txt`` lists kinds of equivalent and of different pairs: two templates in LaTeX, each with its value as
a Python expression. A random pair is made from one or two kinds, with random letters, contexts and spellings. The
oracle evaluates both Python expressions at random assignments: real numbers, integers, matrices, finite sets, truth
values, random variables over five outcomes, probability tables.
"""

from __future__ import annotations

import hashlib
import math
import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

_LETTERS = (
    "a b c u v w z r \\alpha \\beta \\mu \\sigma \\theta \\lambda \\gamma \\rho \\mathbf{x} \\hat{y} \\eta".split()
)
_MATRICES = "A B C U V W Q R \\mathbf{A} \\mathbf{B} \\mathbf{U} \\mathbf{W}".split()
_FUNCTIONS = "f g h F G \\phi \\psi \\varphi".split()
_SIZES = "n m N M K".split()
_INDICES = "i j k l".split()
_POOLS = {**dict.fromkeys("fgh", _FUNCTIONS), **dict.fromkeys("nm", _SIZES), **dict.fromkeys("ijk", _INDICES)}
# Contexts in which different values make different statements.
_AROUND = {
    "real": ["y = @", "@ = y", "y = (@) + \\kappa", "y = \\kappa - (@)", "y = \\frac{@}{\\kappa}", "y = \\kappa \\left( @ \\right)",
             "y = \\exp(@)", "y \\leq @", "y_0 = @", "\\delta(\\tau) = @", "y = \\frac{1}{2} (@)^3", "y > \\kappa + (@)"],
    "matrix": ["Y = @", "@ = Y", "Y = (@) + Z", "Y = Z (@)"],
    "set": ["Y = @", "@ = Y"], "logic": ["Y = @", "@ = Y"],
}  # fmt: skip
_STATEMENTS = frozenset(["fact", "relation", "logicfact"])


@dataclass(frozen=True)
class Kind:
    """One line of ``equation-kinds.txt``."""

    verdict: str
    name: str
    field: str
    domain: str
    latex: tuple[str, str]
    python: tuple[str, str]


@dataclass(frozen=True)
class Pair:
    """Two formulas, and whether they are equivalent by construction."""

    positive: str
    alternative: str
    verdict: str
    kind: str
    field: str


def read_kinds() -> list[Kind]:
    """Read ``equation-kinds.txt``."""
    text = (Path(__file__).parent / "equation-kinds.txt").read_text(encoding="utf-8")
    lines = [line.split(" ;; ") for line in text.splitlines() if line and not line.startswith("#")]
    return [Kind(*cells[:4], *(tuple(one.split(" ## ")) for one in cells[4:])) for cells in lines]  # type: ignore[arg-type]


KINDS = read_kinds()


def draw(seed: int, kinds: list[Kind] | None = None) -> Pair:
    """A random pair by its seed."""
    source = random.Random(seed)
    kind = source.choice(kinds or KINDS)
    latex = list(fill(kind, source))
    name = kind.name
    if kind.domain not in _STATEMENTS:
        if kind.domain.startswith("real") and source.random() < 0.25:
            other = source.choice([one for one in KINDS if one.domain == kind.domain and one.verdict == "same"])
            beside = fill(other, source)
            latex = [f"({one}) + ({more})" for one, more in zip(latex, beside)]
            name = f"{name} beside {other.name}"
        around = source.choice(_AROUND.get(kind.domain, _AROUND["real"]))
        latex = [around.replace("@", one) for one in latex]
    if source.random() < 0.5:
        latex.reverse()
    return Pair(_spell(latex[0], source), _spell(latex[1], source), kind.verdict, name, kind.field)


def iterate(count: int, seed: int) -> Iterator[Pair]:
    """``count`` random pairs, reproducible by the seed."""
    return (draw(seed * 1_000_003 + place) for place in range(count))


def fill(kind: Kind, source: random.Random) -> tuple[str, str]:
    """Both templates of a kind with random letters in their placeholders."""
    text = " ".join(kind.latex)
    taken = set(re.findall(r"\\?[A-Za-z]+", re.sub(r"@[A-Za-z]", " ", text)))
    names: dict[str, str] = {}
    for place in sorted(set(re.findall(r"@([A-Za-z])", text))):
        pool = _POOLS.get(place, _MATRICES if place.isupper() else _LETTERS)
        free = [one for one in pool if one not in taken and one not in names.values()]
        names[place] = source.choice(free)
    return tuple(re.sub(r"@([A-Za-z])", lambda found: names[found[1]], one) for one in kind.latex)  # type: ignore[return-value]


def _spell(latex: str, source: random.Random) -> str:
    """The formula with random changes of spelling in TeX."""
    if source.random() < 0.3:
        latex = re.sub(
            r"(?<!\\left)(?<!\\right)([()])", lambda one: ("\\left" if one[0] == "(" else "\\right") + one[0], latex
        )
        latex = latex.replace("\\left\\left", "\\left").replace("\\right\\right", "\\right")
        latex = re.sub(r"\\left *\\left", r"\\left", re.sub(r"\\right *\\right", r"\\right", latex))
    if source.random() < 0.3:
        latex = latex.replace(" = ", " \\, = \\; ").replace(" + ", " \\! + ")
    if source.random() < 0.2:
        latex = latex.replace("\\frac{", "\\dfrac{").replace("\\leq ", "\\le ")
    return latex + source.choice(["", "", " .", ","])


class Letter(float):
    """A number that is also an indexed family of numbers, ``a(i)``, and a smooth function, ``f.of(x)``."""

    seed: str

    @staticmethod
    def drawn(name: str, seed: str, low: float, high: float) -> Letter:
        found = Letter(low + (high - low) * _share(f"{seed}{name}"))
        found.seed = f"{seed}{name}"
        return found

    low, high = 0.3, 2.0

    def __call__(self, *indices: float) -> float:
        return self.low + (self.high - self.low) * _share(f"{self.seed}{indices}")

    def of(self, *arguments: float) -> float:
        total = _share(self.seed)
        for place, one in enumerate(arguments):
            total += math.sin((1 + _share(f"{self.seed}{place}")) * one + place) + 0.3 * (place + 1) * one * one
        return total


def _share(text: str) -> float:
    return int.from_bytes(hashlib.md5(text.encode()).digest()[:6], "big") / 2**48


def _integral(low: float, high: float, body: Callable[[float], float]) -> float:
    places, weights = np.polynomial.legendre.leggauss(40)
    half = (high - low) / 2
    return half * sum(weight * body(low + half * (place + 1)) for place, weight in zip(places, weights))


def _slope(body: Callable[[float], float], at: float, step: float = 1e-3) -> float:
    f = [body(at + k * step) for k in (-2, -1, 1, 2)]
    return (f[0] - 8 * f[1] + 8 * f[2] - f[3]) / (12 * step)


def _double_factorial(n: int) -> int:
    return math.prod(range(n, 0, -2))


def _softmax(values: np.ndarray) -> np.ndarray:
    return np.exp(values) / np.exp(values).sum()


_COMMON: dict[str, Any] = {
    "S": lambda low, high, body: sum(body(i) for i in range(round(low), round(high) + 1)),
    "P": lambda low, high, body: math.prod(body(i) for i in range(round(low), round(high) + 1)),
    "I": _integral, "D": _slope, "D2": lambda body, at: _slope(lambda x: _slope(body, x), at),
    "fact": math.factorial, "dfact": _double_factorial, "binom": math.comb, "inv": np.linalg.inv, "trace": np.trace,
    "norm": np.linalg.norm, "det": np.linalg.det, "argmax": np.argmax, "argmin": np.argmin, "softmax": _softmax,
    "sign": np.sign, "KL": lambda p, q: float((p / p.sum() * np.log(p / p.sum() / (q / q.sum()))).sum()),
    **{name: getattr(math, name) for name in "exp log sqrt sin cos tan tanh floor ceil erf gamma".split()},
}  # fmt: skip
_NAMES = "abcfghuvwxyz"


def assign(domain: str, seed: int) -> dict[str, Any]:
    """Random values of all names in the Python expressions of a kind."""
    source = np.random.default_rng(seed)
    low, high = {"real+": (0.3, 2.0), "real01": (0.05, 0.95), "small": (0.05, 0.9)}.get(domain, (-2.0, 2.0))
    found = {**_COMMON, **{one: Letter.drawn(one, f"{domain}{seed}", low, high) for one in _NAMES}}
    for one in _NAMES:
        found[one].low, found[one].high = low, high
    found |= {"n": int(source.integers(3, 6)), "m": int(source.integers(6, 8)), "i": 2, "j": 3, "k": 1}
    found |= {"V": source.normal(size=4), "W": source.normal(size=4), "R": source.integers(0, 2, (2, 2))}
    if domain == "whole":
        found |= {one: int(source.integers(1, 9)) for one in "abc"}
    if domain in ("fact", "relation"):
        found |= {one: float(source.choice([-2, -1, -0.5, 0, 0.5, 1, 2, 3])) for one in "abc"}
    if domain == "matrix":
        found |= {one: source.normal(size=(3, 3)) for one in "ABC"}
    if domain == "set":
        found |= {one: frozenset(k for k in range(6) if source.random() < 0.5) for one in "ABC"}
    if domain.startswith("logic"):
        found |= {one: np.bool_(source.random() < 0.5) for one in "ABC"}
    if domain == "random":
        weights = source.dirichlet(np.ones(5))
        found |= {one: source.normal(size=5) for one in "XYZ"} | {"E": lambda x: float((weights * x).sum())}
    if domain == "table":
        table = source.dirichlet(np.ones(12)).reshape(3, 4)
        entropy = lambda p: float(-(p * np.log(p)).sum())  # noqa: E731
        found |= {"T": table, "H": entropy}
    return found


def oracle(kind: Kind) -> str:
    """``same`` if the Python of a kind agrees at all assignments, else ``different``; ``no value`` at too few."""
    agreements = disagreements = 0
    for seed in range(400 if kind.domain in _STATEMENTS | {"logic", "set"} else 25):
        names = assign(kind.domain, seed)
        try:
            one, other = (eval(text, dict(names)) for text in kind.python)
        except (ZeroDivisionError, OverflowError):
            continue
        equal = _are_equal(one, other)
        agreements += equal
        disagreements += not equal
    if agreements + disagreements < 5:
        return "no value"
    return "different" if disagreements else "same"


def _are_equal(one: Any, other: Any) -> bool:
    if isinstance(one, np.ndarray) or isinstance(other, np.ndarray):
        return bool(np.allclose(one, other, rtol=1e-7, atol=1e-9))
    if isinstance(one, (bool, np.bool_, frozenset)):
        return bool(one == other)
    return math.isclose(one, other, rel_tol=1e-7, abs_tol=1e-9)
