"""Pairs of formulas printed by sympy, with verdicts from its values: adversarial tests independent of our code.

Random expressions of sympy (numbers, undefined functions, sums, integrals, derivatives, steps; matrices; truth values;
sets) are rewritten by its rules or changed in one place, and printed in several notations. Whether two are equal is
determined from their values: with 30 digits at points of both signs, for matrices of two sizes, in all rows of a truth
table.
"""

from __future__ import annotations

import itertools
import random
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from typing import Any
from unittest import mock

import mpmath
import numpy as np
import sympy as sp
from support.equation_pairs import Pair
from sympy.logic import boolalg
from sympy.parsing.tests import test_latex as test_reading
from sympy.parsing.tests import test_latex_lark as test_grammar
from sympy.printing.tests import test_latex as test_printing

_REAL = sp.symbols("x z a b c alpha theta_0", real=True)
_WHOLE = sp.symbols("n m", integer=True, positive=True)
_BOUND = sp.symbols("k i", integer=True)
_FUNCTIONS = [sp.Function(name) for name in ("f", "g")]
_FAMILIES = [sp.IndexedBase(name) for name in ("u", "w")]
_TRUTHS = sp.symbols("p q r s")
_SETS = [sp.Symbol(name) for name in "ABC"]
_POINTS, _DIGITS = 24, 30

Expr = Any


class Unknown(Exception):
    """The values do not decide whether two expressions are equal."""


class TooLong(Exception):
    """sympy exceeded the time limit."""


def draw(seed: int) -> Pair | None:
    """A random pair; None if its verdict is unknown, or both formulas are printed identically."""
    source = random.Random(f"sympy {seed}")
    domain = source.choices(list(_DOMAINS), [8, 2, 1, 1])[0]
    make, rewrite, change, is_equal, around = _DOMAINS[domain]
    try:
        with _limit_time():
            one = make(source)
            is_changed = source.random() < 0.5
            names, other = [], one
            for _ in range(source.randint(1, 2)):
                name, other = rewrite(source, other)
                names.append(name)
            if is_changed:
                name, other = change(source, other)
                names.append(name)
            verdict = "same" if is_equal(one, other) else "different"
            printed = [_print(source, expression) for expression in (one, other)]
    except (Unknown, TooLong):
        return None
    except Exception:  # sympy fails on some of its own expressions
        return None
    frame = source.choice(around)
    if source.random() < 0.5:
        printed.reverse()
    pair = Pair(*(frame.replace("@", text) for text in printed), verdict, " ".join(names), f"sympy {domain}")
    return None if pair.positive == pair.alternative else pair


def iterate(count: int, seed: int) -> Iterator[Pair]:
    """``count`` random pairs, reproducible by the seed unless some exceed the time limit on a slow machine."""
    found = (draw(seed * 1_000_003 + place) for place in itertools.count())
    return itertools.islice((pair for pair in found if pair is not None), count)


def iterate_tests(count: int, seed: int) -> Iterator[Pair]:
    """Pairs from sympy's own tests: a formula as written and as printed, and ``count`` pairs with the same letters."""
    written = [
        (latex, expression)
        for tests in (test_reading, test_grammar)
        for rows in vars(tests).values()
        if isinstance(rows, list)
        for latex, expression in filter(lambda row: isinstance(row, tuple) and isinstance(row[0], str), rows)
    ]
    alike: dict[frozenset[Expr], list[tuple[str, Expr]]] = {}
    for latex, expression in [*written, *_printed_in_tests()]:
        if isinstance(expression, sp.Expr) and 0 < len(expression.free_symbols) < 4:
            alike.setdefault(frozenset(expression.free_symbols), []).append((latex, expression))
    for latex, expression in written:
        if latex != (printed := str(sp.latex(expression))):
            yield Pair(latex, printed, "same", "as printed", "tests of sympy")
    source = random.Random(seed)
    groups = [rows for rows in alike.values() if len(rows) > 1]
    for _ in range(count):
        (one, left), (other, right) = source.sample(source.choice(groups), 2)
        try:
            with _limit_time():
                verdict = "same" if equal_numbers(left, right) else "different"
        except Exception:  # not numeric, or without values
            continue
        if one != other:
            yield Pair(one, other, verdict, "of two tests", "tests of sympy")


def _printed_in_tests() -> list[tuple[str, Expr]]:
    """Formulas printed in the tests of sympy's printer, with their expressions."""
    found: list[tuple[str, Expr]] = []

    def note(expression: Expr, **settings: Any) -> str:
        printed = str(sp.latex(expression, **settings))
        found.append((printed, expression))
        return printed

    with mock.patch.object(test_printing, "latex", note):
        for name, test in vars(test_printing).items():
            if name.startswith("test_"):
                with suppress(Exception):  # tests that need packages which are not installed
                    test()
    return found


@contextmanager
def _limit_time(seconds: float = 4.0) -> Iterator[None]:
    def stop(*_: object) -> None:
        raise TooLong

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _print(source: random.Random, expression: Expr) -> str:
    """Print the expression in a random notation of sympy."""
    mul_symbol = source.choice([None, None, "dot", "times"])
    is_folded = source.random() < 0.4 and not expression.has(
        *_FUNCTIONS
    )  # sympy would print f(-1) as f-1, sin(ab) as sin a \\cdot b
    settings = {
        "fold_func_brackets": is_folded and mul_symbol is None,
        "fold_short_frac": source.random() < 0.2,
        "fold_frac_powers": source.random() < 0.3,
        "inv_trig_style": source.choice(["abbreviated", "full", "power"]),
        "ln_notation": source.random() < 0.3,
        "mul_symbol": mul_symbol,
        "root_notation": source.random() < 0.7,
        "mat_delim": source.choice(["[", "("]),
        "gothic_re_im": source.random() < 0.3,
        "parenthesize_super": source.random() < 0.5,
        "order": source.choice([None, "lex", "rev-lex", "none"]),
    }
    return str(sp.latex(expression, **settings))


# Numbers


def _number(source: random.Random) -> Expr:
    return source.choice(
        [sp.Integer(2), sp.Integer(3), sp.Integer(-1), sp.Rational(1, 2), sp.pi, sp.Integer(10), sp.Rational(-3, 4)]
    )


_ONE_ARGUMENT = [
    sp.sin, sp.cos, sp.tan, sp.exp, sp.log, sp.sqrt, sp.Abs, sp.floor, sp.ceiling, sp.sinh, sp.cosh, sp.tanh, sp.asin, sp.atan, sp.acos,
    sp.sec, sp.csc, sp.cot, sp.coth, sp.erf, sp.gamma, sp.sign, sp.cbrt, sp.exp, sp.sqrt, sp.log, sp.asinh, sp.frac, sp.erfc,
]  # fmt: skip
_OF_WHOLE = [
    sp.factorial, sp.factorial2, sp.subfactorial, sp.factorial,
]  # fmt: skip


def make_number(source: random.Random, depth: int | None = None) -> Expr:
    """A random expression of real numbers."""
    depth = source.randint(2, 4) if depth is None else depth
    if depth <= 0 or source.random() < 0.08:
        return _number(source) if source.random() < 0.25 else source.choice(_REAL + _WHOLE)
    return source.choices(_SHAPES, [weight for _, weight in _WEIGHTED])[0](source, depth - 1)


def _sum(source: random.Random, depth: int) -> Expr:
    return sum((make_number(source, depth) for _ in range(source.randint(2, 3))), sp.Integer(0))


def _product(source: random.Random, depth: int) -> Expr:
    return sp.Mul(*(make_number(source, depth) for _ in range(2)))


def _quotient(source: random.Random, depth: int) -> Expr:
    return make_number(source, depth) / make_number(source, depth)


def _power(source: random.Random, depth: int) -> Expr:
    exponents = [
        2,
        3,
        -1,
        -2,
        sp.Rational(1, 2),
        sp.Rational(1, 3),
        sp.Rational(-1, 2),
        sp.Rational(2, 3),
        _WHOLE[0],
        _REAL[0],
    ]
    return make_number(source, depth) ** source.choice(exponents)


def _function(source: random.Random, depth: int) -> Expr:
    return source.choice(_ONE_ARGUMENT)(make_number(source, depth))


def _of_whole(source: random.Random, depth: int) -> Expr:
    n = source.choice(_WHOLE)
    if source.random() < 0.5:
        return source.choice(_OF_WHOLE)(n + source.choice([0, 0, 1]))
    two = source.choice([sp.binomial, sp.rf, sp.ff, sp.Mod])
    return two(source.choice([n, source.choice(_REAL), n + 1]), source.choice([2, 3, *_WHOLE]))


def _of_several(source: random.Random, depth: int) -> Expr:
    one, other = make_number(source, depth), make_number(source, depth - 1)
    return source.choice([
        lambda: sp.Max(one, other), lambda: sp.Min(one, other), lambda: sp.Max(one, other, 0), lambda: sp.atan2(one, other),
        lambda: sp.KroneckerDelta(*_WHOLE), lambda: sp.log(one, 2), lambda: sp.Piecewise((one, other > 0), (other, True)),
    ])()  # fmt: skip


def _of_paper(source: random.Random, depth: int) -> Expr:
    function = source.choice(_FUNCTIONS)
    return function(make_number(source, depth - 1))


def _big(source: random.Random, depth: int) -> Expr:
    k = source.choice(_BOUND)
    family = source.choice(_FAMILIES)
    term = source.choice([family[k], family[k] * make_number(source, depth - 1), k * source.choice(_REAL), family[k] ** 2,
                          source.choice(_REAL) ** k, family[k] + source.choice(_REAL), 1 / k, k**2])  # fmt: skip
    low, high = source.choice([(1, _WHOLE[0]), (0, _WHOLE[1]), (1, 4), (2, _WHOLE[0] + 1), (1, _WHOLE[0] - 1)])
    return source.choice([sp.Sum, sp.Sum, sp.Product])(term, (k, low, high))


def _calculus(source: random.Random, depth: int) -> Expr:
    x, t = _REAL[0], sp.Symbol("t", real=True)
    body = make_number(source, min(depth, 2))
    if source.random() < 0.5:
        variable = source.choice([x, _REAL[2]])
        if not body.has(variable):
            body = body * variable + sp.sin(variable)
        return sp.Derivative(body, variable, evaluate=False)
    body = body.subs(x, t)
    if not body.has(t):
        body = body * t
    ends = source.choice([(0, 1), (0, _REAL[2]), (_REAL[2], _REAL[3]), (1, 2)])
    return sp.Integral(body, (t, *ends))


def _evaluate_off(source: random.Random, depth: int) -> Expr:
    """A product or sum that sympy does not simplify."""
    one, other = make_number(source, depth), make_number(source, depth - 1)
    return source.choice([sp.Mul, sp.Add])(one, other, evaluate=False)


_WEIGHTED = [
    (_sum, 4), (_product, 4), (_quotient, 3), (_power, 3), (_function, 6), (_of_whole, 2), (_of_several, 3), (_of_paper, 2),
    (_big, 2), (_calculus, 2), (_evaluate_off, 1),
]  # fmt: skip
_SHAPES = [shape for shape, _ in _WEIGHTED]

_REWRITINGS: list[tuple[str, Callable[[Expr], Expr]]] = [
    ("expand", sp.expand), ("factor", sp.factor), ("together", sp.together), ("apart", lambda e: sp.apart(e)),
    ("cancel", sp.cancel), ("trigsimp", sp.trigsimp), ("powsimp", lambda e: sp.powsimp(e, force=True)),
    ("expand_log", lambda e: sp.expand_log(e, force=True)), ("logcombine", lambda e: sp.logcombine(e, force=True)),
    ("expand_trig", sp.expand_trig), ("as exp", lambda e: e.rewrite(sp.exp)), ("as sin", lambda e: e.rewrite(sp.sin)),
    ("as cos", lambda e: e.rewrite(sp.cos)), ("doit", lambda e: e.doit()), ("expand_func", sp.expand_func),
    ("as Piecewise", lambda e: e.rewrite(sp.Piecewise)), ("as Abs", lambda e: e.rewrite(sp.Abs)),
    ("as factorial", lambda e: e.rewrite(sp.factorial)), ("as gamma", lambda e: e.rewrite(sp.gamma)),
    ("as tan", lambda e: e.rewrite(sp.tan)), ("simplify", lambda e: sp.simplify(e)), ("collect", lambda e: sp.collect(e, _REAL[0])),
    ("radsimp", sp.radsimp), ("combsimp", sp.combsimp), ("shift sums", lambda e: _shift_sums(e)),
    ("nothing", lambda e: e), ("twice half", lambda e: sp.Mul(2, e, sp.Rational(1, 2), evaluate=False)),
    ("minus minus", lambda e: sp.Mul(-1, sp.expand(-e), evaluate=False)), ("expand_power", lambda e: sp.expand_power_base(e, force=True)),
    ("as floor", lambda e: e.rewrite(sp.floor)), ("as sign", lambda e: e.rewrite(sp.sign)),
    ("nsimplify", lambda e: e.xreplace({sp.Rational(1, 2): sp.Rational(1, 2)})), ("sqrtdenest", sp.sqrtdenest),
    ("as Sum", lambda e: e.rewrite(sp.Sum)), ("as Integral", lambda e: e.rewrite(sp.Integral)), ("hyperexpand", sp.hyperexpand),
]  # fmt: skip


def rewrite_number(source: random.Random, expression: Expr) -> tuple[str, Expr]:
    """Rewrite the expression by a rule of sympy, which need not hold for all numbers."""
    name, rule = source.choice(_REWRITINGS)
    return name, rule(expression)


def _shift_sums(expression: Expr) -> Expr:
    def shifted(one: Expr) -> Expr:
        (variable, low, high), *others = one.limits
        return one.func(one.function.subs(variable, variable - 1), (variable, low + 1, high + 1), *others)

    return expression.replace(lambda one: isinstance(one, sp.Sum | sp.Product), shifted)


_SWAPS = [
    (sp.sin, sp.cos), (sp.sinh, sp.cosh), (sp.Max, sp.Min), (sp.floor, sp.ceiling), (sp.Abs, lambda x: x), (sp.exp, lambda x: sp.exp(-x)),
    (sp.log, lambda x: sp.log(x) + 1), (sp.tan, sp.cot), (sp.gamma, sp.factorial), (sp.factorial, sp.factorial2), (sp.rf, sp.ff),
    (sp.asin, lambda x: 1 / sp.sin(x)), (sp.Sum, sp.Product), (sp.rf, lambda x, n: x**n), (sp.atan, lambda x: 1 / sp.tan(x)),
    (sp.factorial2, lambda x: sp.factorial(sp.factorial(x))),
]  # fmt: skip


def change_number(source: random.Random, expression: Expr) -> tuple[str, Expr]:
    """Change one part of the expression."""
    parts = list(sp.preorder_traversal(expression))
    parts = [one for one in parts if isinstance(one, sp.Expr) and not isinstance(one, sp.Idx | sp.IndexedBase)]
    part = source.choice(parts)
    options: list[tuple[str, Callable[[], Expr]]] = [
        ("negated", lambda: -part), ("doubled", lambda: 2 * part), ("plus one", lambda: part + 1),
        ("another letter", lambda: source.choice(_REAL)), ("reciprocal", lambda: 1 / part), ("absolute", lambda: sp.Abs(part)),
    ]  # fmt: skip
    options += [
        ("exchanged", lambda pair=pair: pair[1](*part.args))
        for pair in _SWAPS
        if isinstance(pair[0], type) and part.func == pair[0]
    ] * 3
    if part.is_Pow:
        options += [
            ("base and exponent", lambda: part.exp**part.base),
            ("exponent", lambda: part.base ** (part.exp + 1)),
        ]
    if part.is_Add and len(part.args) > 1:
        options += [
            ("a term less", lambda: part - part.args[0]),
            ("sign of a term", lambda: part - 2 * part.args[-1]),
        ] * 2
    if part.is_Mul and len(part.args) > 1:
        options += [("a factor less", lambda: part / part.args[0]), ("sum of factors", lambda: sp.Add(*part.args))]
    name, made = source.choice(options)
    return f"changed: {name}", expression.xreplace({part: made()}) if part != expression else made()


_BEHIND_FUNCTIONS = (
    lambda x: mpmath.sin(1.3 * x) + x * x / 3 + mpmath.mpf("0.7"),
    lambda x: mpmath.cos(0.9 * x) - x * x / 5 + x + mpmath.mpf("0.4"),
)


class _Family:
    """Indexed family of random numbers."""

    def __init__(self, name: str, seed: int) -> None:
        self.name, self.seed = name, seed

    def __getitem__(self, place: Any) -> Any:
        return _drawn(f"{self.name}[{mpmath.nstr(mpmath.mpf(place), 10)}]", self.seed, False)


def _drawn(name: str, seed: int, is_whole: bool) -> Any:
    source = random.Random(f"{name} {seed}")
    if is_whole:
        return source.randint(1, 6)
    kind = seed % 5
    if kind == 0:
        return mpmath.mpf(source.randint(-6, 6)) / 2
    if kind == 4:
        return mpmath.mpf(source.choice([-1, 1]) * source.randint(30, 500)) / 10
    number = mpmath.mpf(source.randint(1, 10**9)) / 4 / 10**8
    return number if kind in (1, 2) or source.random() < 0.5 else -number


def equal_numbers(one: Expr, other: Expr) -> bool:
    """Whether two expressions are equal at all points where both have a value.

    Raises:
        Unknown: there are too few such points, values differ only slightly, or only one expression has a value.
    """
    values = [_compute(_without_derivatives(expression)) for expression in (one, other)]
    n_equal = n_other = 0
    with mpmath.workdps(_DIGITS):
        for seed in range(_POINTS):
            found = [value(seed) for value in values]
            if None in found:
                n_other += found != [None, None]
                continue
            gap, size = abs(found[0] - found[1]), max(abs(found[0]), abs(found[1]))
            if size > 1e30:
                continue
            if gap > 1e-6 * size and gap > 1e-9:
                return False
            if gap > 1e-12 * max(size, 1):
                raise Unknown
            n_equal += 1
    if n_equal < 6 or n_other:
        raise Unknown
    return True


def _without_derivatives(expression: Expr) -> Expr:
    """Replace undefined functions by concrete ones, and evaluate derivatives."""
    spelled = [
        lambda x: sp.sin(sp.Rational(13, 10) * x) + x * x / 3 + sp.Rational(7, 10),
        lambda x: sp.cos(sp.Rational(9, 10) * x) - x * x / 5 + x + sp.Rational(2, 5),
    ]
    for function, body in zip(_FUNCTIONS, spelled):
        expression = expression.replace(function, body)
    return expression.replace(lambda one: isinstance(one, sp.Derivative | sp.Subs), lambda one: one.doit())


def _compute(expression: Expr) -> Callable[[int], Any]:
    """Function of a seed that returns the value at random points: real and finite, or None."""
    free = sorted(expression.free_symbols, key=str)
    families = [one for one in expression.atoms(sp.IndexedBase)]
    labels = {one.label for one in families}
    letters = [one for one in free if one not in labels and not isinstance(one, sp.Indexed | sp.IndexedBase)]
    computed = sp.lambdify([*letters, *families], expression, "mpmath", cse=False)

    def value(seed: int) -> Any:
        given = [_drawn(str(one), seed, bool(one.is_integer)) for one in letters]
        try:
            found = computed(*given, *(_Family(str(one), seed) for one in families))
            found = mpmath.mpmathify(found)
        except (
            ValueError,
            ZeroDivisionError,
            TypeError,
            OverflowError,
            NotImplementedError,
            mpmath.libmp.NoConvergence,
        ):
            return None
        if isinstance(found, mpmath.mpc):
            if abs(found.imag) > 1e-20 * max(1, abs(found.real)):
                return None
            found = found.real
        return found if mpmath.isfinite(found) else None

    return value


# Matrices


@cache
def _matrices() -> list[Expr]:
    n = sp.Symbol("n", integer=True, positive=True)
    return [sp.MatrixSymbol(name, n, n) for name in ("A", "B", "C", "M")]


def make_matrix(source: random.Random, depth: int | None = None) -> Expr:
    """A random expression of square matrices, or their trace or determinant."""
    if depth is None:
        inner = make_matrix(source, source.randint(1, 3))
        return source.choice([lambda: inner, lambda: inner, lambda: sp.Trace(inner), lambda: sp.Determinant(inner)])()
    if depth <= 0:
        return source.choice(_matrices())
    one, other = make_matrix(source, depth - 1), make_matrix(source, depth - 1)
    return source.choice([
        lambda: one + other, lambda: one * other, lambda: one * other, lambda: one.T, lambda: one.I, lambda: one - other,
        lambda: 2 * one, lambda: sp.Symbol("a", real=True) * one, lambda: one + sp.Identity(one.shape[0]), lambda: one**2,
        lambda: sp.Inverse(one) * other,
    ])()  # fmt: skip


def rewrite_matrix(source: random.Random, expression: Expr) -> tuple[str, Expr]:
    """Rewrite the expression by a rule for matrices."""
    rules: list[tuple[str, Callable[[Expr], Expr]]] = [
        ("doit", lambda e: e.doit()), ("expand", sp.expand), ("transposed twice", lambda e: e.T.T if e.is_Matrix else e),
        ("transposed inside", lambda e: sp.Transpose(e.T.doit()) if e.is_Matrix else e), ("nothing", lambda e: e),
        ("inverted inside", lambda e: e.replace(lambda one: isinstance(one, sp.Inverse), _invert_product)),
        ("trace turned", lambda e: e.replace(lambda one: isinstance(one, sp.Trace), _turn_trace)),
    ]  # fmt: skip
    name, rule = source.choice(rules)
    return name, rule(expression)


def _invert_product(one: Expr) -> Expr:
    factors = [part for part in one.arg.args if getattr(part, "is_Matrix", False)] if one.arg.is_MatMul else [one.arg]
    return sp.MatMul(*(sp.Inverse(part) for part in reversed(factors))) if len(factors) == len(one.arg.args) else one


def _turn_trace(one: Expr) -> Expr:
    if not one.arg.is_MatMul:
        return one
    return sp.Trace(sp.MatMul(*one.arg.args[1:], one.arg.args[0]))


def change_matrix(source: random.Random, expression: Expr) -> tuple[str, Expr]:
    """Change one part of the expression, or reverse its factors."""
    parts = [one for one in sp.preorder_traversal(expression) if getattr(one, "is_Matrix", False)]
    part = source.choice(parts)
    options: list[tuple[str, Callable[[], Expr]]] = [
        ("negated", lambda: -part), ("transposed", lambda: sp.Transpose(part)), ("another matrix", lambda: source.choice(_matrices())),
    ]  # fmt: skip
    if part.is_MatMul:
        options += [("turned", lambda: sp.MatMul(*reversed(part.args)))] * 3
    name, made = source.choice(options)
    return f"changed: {name}", expression.xreplace({part: made()}) if part != expression else made()


def equal_matrices(one: Expr, other: Expr) -> bool:
    """Whether two expressions are equal for random matrices of two sizes.

    Raises:
        Unknown: the values have different shapes, or an expression cannot be evaluated.
    """
    for seed in range(6):
        numbers = np.random.default_rng(seed)
        size = 2 + seed % 2
        given = {str(letter): numbers.normal(size=(size, size)) for letter in _matrices()} | {"a": 0.3 + seed}
        found = [_value_of_matrix(expression, given, size) for expression in (one, other)]
        if np.shape(found[0]) != np.shape(found[1]):
            raise Unknown
        if not np.allclose(found[0], found[1], rtol=1e-6, atol=1e-8):
            return False
    return True


def _value_of_matrix(expression: Expr, given: dict[str, Any], size: int) -> Any:
    def value(one: Expr) -> Any:
        if isinstance(one, sp.MatrixSymbol) or one.is_Symbol:
            return given[str(one)]
        if isinstance(one, sp.Identity):
            return np.eye(size)
        if isinstance(one, sp.ZeroMatrix):
            return np.zeros((size, size))
        if one.is_number:
            return float(one)
        parts = [value(part) for part in one.args]
        name = type(one).__name__
        if name in ("MatAdd", "Add"):
            return sum(parts[1:], parts[0])
        if name in ("MatMul", "Mul"):
            found = parts[0]
            for part in parts[1:]:
                found = found @ part if np.ndim(found) == np.ndim(part) == 2 else found * part
            return found
        if name == "MatPow":
            return np.linalg.matrix_power(parts[0], round(parts[1]))
        if name == "Pow":
            return parts[0] ** parts[1]
        known = {
            "Transpose": lambda m, *_: m.T,
            "Inverse": lambda m, *_: np.linalg.inv(m),
            "Trace": np.trace,
            "Determinant": np.linalg.det,
        }
        if name not in known:
            raise Unknown
        return known[name](*parts)

    try:
        return value(expression)
    except np.linalg.LinAlgError:
        raise Unknown from None


# Truth values and sets


def make_truth(source: random.Random, depth: int | None = None) -> Expr:
    """A random formula of logic."""
    depth = source.randint(2, 3) if depth is None else depth
    if depth <= 0:
        return source.choice(_TRUTHS)
    one, other = make_truth(source, depth - 1), make_truth(source, depth - 1)
    kinds = [sp.And, sp.Or, sp.And, sp.Or, sp.Implies, sp.Equivalent, sp.Xor]
    return source.choice([lambda: source.choice(kinds)(one, other), lambda: sp.Not(one)])()


def rewrite_truth(source: random.Random, expression: Expr) -> tuple[str, Expr]:
    """Rewrite the formula by a rule of logic."""
    name, rule = source.choice([
        ("nnf", lambda e: boolalg.to_nnf(e, simplify=False)), ("cnf", boolalg.to_cnf), ("dnf", boolalg.to_dnf), ("nothing", lambda e: e),
        ("simplified", boolalg.simplify_logic), ("twice not", lambda e: sp.Not(boolalg.to_nnf(sp.Not(e)), evaluate=False)),
    ])  # fmt: skip
    return name, rule(expression)


def change_truth(source: random.Random, expression: Expr) -> tuple[str, Expr]:
    """Change one part of the formula."""
    part = source.choice(list(sp.preorder_traversal(expression)))
    swaps = {sp.And: sp.Or, sp.Or: sp.And, sp.Xor: sp.Or, sp.Equivalent: sp.Implies}
    made = (
        swaps[part.func](*part.args)
        if part.func in swaps
        else part.args[1] >> part.args[0]
        if part.func == sp.Implies
        else sp.Not(part)
    )
    return "changed: a part", expression.xreplace({part: made}) if part != expression else made


def equal_truths(one: Expr, other: Expr) -> bool:
    """Whether two formulas have the same truth table.

    Raises:
        Unknown: a formula has no letters.
    """
    if not one.free_symbols or not other.free_symbols:
        raise Unknown
    rows = (dict(zip(_TRUTHS, row)) for row in itertools.product([True, False], repeat=len(_TRUTHS)))
    return all(bool(one.subs(row)) == bool(other.subs(row)) for row in rows)


def make_set(source: random.Random) -> Expr:
    """A random formula of sets, made like a formula of logic."""
    return _as_set(source, 2)


@cache
def _set_letters() -> list[Expr]:
    return [sp.MatrixSymbol(name, 1, 1) for name in ("A", "B", "C")]


def _as_set(source: random.Random, depth: int) -> Expr:
    if depth <= 0:
        return source.choice(_TRUTHS[:3])
    one, other = _as_set(source, depth - 1), _as_set(source, depth - 1)
    return source.choice(
        [lambda: sp.And(one, other), lambda: sp.Or(one, other), lambda: sp.And(one, sp.Not(other), evaluate=False)]
    )()


_STATEMENTS = [
    "y = @",
    "@ = y",
    "y = @",
    "y \\leq @",
    "\\frac{y}{\\kappa} = @",
    "y = \\kappa - \\left(@\\right)",
    "\\mu(\\kappa) = @",
]
_DOMAINS: dict[str, tuple[Any, ...]] = {
    "numbers": (make_number, rewrite_number, change_number, equal_numbers, _STATEMENTS),
    "matrices": (make_matrix, rewrite_matrix, change_matrix, equal_matrices, ["Y = @", "@ = Y"]),
    "logic": (
        make_truth,
        rewrite_truth,
        change_truth,
        equal_truths,
        ["Y = @", "@ = Y", "Y \\Leftrightarrow \\left(@\\right)"],
    ),
    "sets": (make_set, rewrite_truth, change_truth, equal_truths, ["Y = @", "@ = Y"]),
}
