"""Evaluate formulas at pseudorandom numbers or matrices, derived from a hash of a seed and the names of letters.

Unknown functions are smooth functions derived from a hash of their names. Sums are computed over their whole range, and
are undefined if the range is too long or not an integer range. A sum, integral or limit without a range is a linear
functional: a sum over three points with drawn weights. Two formulas with different values at one seed differ, provided
that no digits were lost.
"""

from __future__ import annotations

import cmath
import hashlib
import itertools
import math
import struct
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache

from scholartools.tasks.equations.certificates import relations, values
from scholartools.tasks.equations.certificates.evidence import is_computed, is_second, letter_key
from scholartools.tasks.equations.certificates.tables import SIZE, Tables, probability
from scholartools.tasks.equations.certificates.values import (
    Matrix,
    Number,
    Undefined,
    Value,
)
from scholartools.tasks.equations.trees import vocabulary as v
from scholartools.tasks.equations.trees.tree import EMPTY, Node

STEPS = 60_000  # maximum number of nodes to evaluate for one value
WORK = 400_000  # the same for one certificate, about a second; a time would not be reproducible
_LONGEST_SUM = 200  # maximum number of terms of a sum; longer ones are undefined
_TINY = 1e-6  # smaller arguments lose their digits when added to numbers near 1
_ROUNDING = 1e-13  # whole numbers that are computed differ by less from the next integer
_STRAIGHT = 1e-4  # functions of smaller arguments, and powers with smaller exponents, look like straight lines
_EIGHT = struct.Struct(">8I").unpack
_POINTS = 3  # points of an integral, a limit, a sum over a set
# Kinds of logarithms and roots of numbers that are not positive: without a real value, or with a real value besides the
# principal one, so that it is not known which is meant.
NO_REAL, PRINCIPAL = 1, 2

_REAL_FUNCTIONS: dict[str, Callable[[Number], Number]] = {
    "exp": lambda x: cmath.exp(x) if isinstance(x, complex) else math.exp(x),
    "sin": lambda x: cmath.sin(x) if isinstance(x, complex) else math.sin(x),
    "cos": lambda x: cmath.cos(x) if isinstance(x, complex) else math.cos(x),
    "tan": lambda x: cmath.tan(x) if isinstance(x, complex) else math.tan(x),
    "sinh": lambda x: cmath.sinh(x) if isinstance(x, complex) else math.sinh(x),
    "cosh": lambda x: cmath.cosh(x) if isinstance(x, complex) else math.cosh(x),
    "tanh": lambda x: cmath.tanh(x) if isinstance(x, complex) else math.tanh(x),
    "erf": lambda x: math.erf(x) if isinstance(x, float) else _refuse(),
}


def _refuse() -> Number:
    """Raise Undefined, for functions that are computed for real numbers only."""
    raise Undefined


_WIDE = 30.0
_FEW = 4  # maximum number of numbers in a function with corners, which could combine to a large number
_FLAT = {"tanh": 12.0, "erf": 4.0, "exp": 700.0}  # arguments beyond which the functions are constant or overflow
LINEAR = frozenset(
    "\\nabla \\nabla^2 \\Delta \\partial E \\mathbb{E} \\mathbf{E} \\mathrm{E} tr Tr trace \\bar \\langle\\rangle "
    "diag mean avg vec".split()
)
IDENTITIES = frozenset(Node("symbol", name) for name in ("I", "\\mathbf{I}", "\\mathbb{I}", "\\mathrm{I}"))
IMAGINARY = frozenset(Node("symbol", name) for name in ("i", "j", "\\mathrm{i}", "\\mathrm{j}", "\\imath", "\\jmath"))
_CONSTANTS = {"\\pi": math.pi, "\\%": 0.01}
_BEND = (1 / 90, -3 / 20, 3 / 2, -49 / 18, 3 / 2, -3 / 20, 1 / 90)  # weights of seven values for the second derivative
_RISE = (-1 / 60, 3 / 20, -3 / 4, 0, 3 / 4, -3 / 20, 1 / 60)  # and for the first derivative
_MEANS = frozenset(["\\mathbb{E}"])
_SIGNS = frozenset(["sgn", "sign"])
_TRACES = frozenset(["tr", "Tr", "trace"])
_SQUARES = frozenset(["Var", "Cov", "\\mathbb{V}"])
_EXTREMES: dict[str, Callable] = {"max": max, "min": min, "sup": max, "inf": min, "argmax": max, "argmin": min}
_STEPS: dict[str, Callable[[float], int]] = {"floor": math.floor, "ceil": math.ceil}
_EXACT = frozenset(["!", "!!", "binom", "max", "min"]) | _SIGNS | _STEPS.keys()
# Functions that are computed from their arguments, so that their values cannot be chosen freely.
COMPUTED = (
    frozenset("log ln lg abs norm ! !! binom".split())
    | _REAL_FUNCTIONS.keys()
    | _EXTREMES.keys()
    | _STEPS.keys()
    | _SIGNS
    | _TRACES
    | {"det", "^\\circ"}
)
_PRODUCTS = frozenset(["\\times", "*", "\\otimes", "\\odot", "\\star", "\\bullet", "\\cdot", "\\diamond"])


@dataclass(frozen=True, slots=True)
class _Known:
    """The cached result of a node with lost digits or roots of negatives, or without a value."""

    value: Value | None
    lost: int
    branched: int


@dataclass(frozen=True)
class Setting:
    """How letters are assigned values.

    Attributes:
        seed: seed of the hash.
        matrices: letters that are not known to be numbers are matrices.
        signed: letters may be negative.
        kin: letters that differ only by their indices have the same sign.
        loose: functions have their usual properties (expectations are linear, ``max`` is the maximum); else they are
            arbitrary functions of their arguments.
        means: linear functions are the identity, as expectations of constants; needs ``loose``.
        apart: the variables of multiple or nested integrals have different ranges.
        long: integers are larger than by default.
        few: integers are 0, 1 or 2, so that sums have few terms or none.
        wide: all numbers are larger than by default.
        grid: numbers are halves of small integers, to reach the steps of floors.
        unit: letters are between 0 and 1, where more logarithms and roots are real.
        salt: salt of the hash, derived from the formulas, so that nobody can write a formula for a seed.
        whole: letters that are integers, such as limits of sums.
        counts: calls that are integers, such as ``|S|`` as a limit of a sum.
        scalars: letters that are numbers even with ``matrices``.
        imaginary: ``i`` and ``j`` are the root of -1 unless they are indices.
        odd: odd roots of negative numbers are negative numbers.
        even: matrices have an even number of rows, so that determinants do not change with the sign of a matrix.
        base: base of ``log`` without an explicit base; 0 if not known.
        euler: ``e`` is the base of exponentials also without an exponent.
        tables: tables from which probabilities are computed; None if these are ordinary functions.
        given: values of letters that are not drawn by name; also in ``known``.
        known: cache of values of nodes at this setting, shared by all probes.
        drawn: cache of drawn numbers.
        roots: cache of solutions of equations for a letter.
    """

    seed: int
    matrices: bool = False
    signed: bool = False
    kin: bool = False
    loose: bool = False
    means: bool = False
    apart: bool = False
    long: bool = False
    few: bool = False
    wide: bool = False
    grid: bool = False
    unit: bool = False
    even: bool = False
    salt: str = ""
    whole: frozenset[str] = frozenset()
    counts: frozenset[Node] = frozenset()
    scalars: frozenset[str] = frozenset()
    imaginary: bool = False
    odd: bool = False
    base: float = 0.0
    euler: bool = False
    tables: Tables | None = None
    given: Mapping[Node, Value] = field(default_factory=dict, compare=False, repr=False)
    known: dict[Node, Value | _Known] = field(default_factory=dict, compare=False, repr=False)
    drawn: dict[str, tuple[float, ...]] = field(default_factory=dict, compare=False, repr=False)
    roots: dict[tuple[tuple[Node, Node], Node], Value | None] = field(default_factory=dict, compare=False, repr=False)


def _letters_of(node: Node) -> frozenset[Node]:
    """The letters and calls on which the value of a formula depends; cached in the node."""
    if node.needs is None:
        found = {one for one in node.walk() if one.kind in ("symbol", "call")}
        means = [one for one in found if one.kind == "symbol" and one.value.startswith("\\bar{")]
        object.__setattr__(node, "needs", frozenset(found | {_without_bar(one) for one in means}))
    return node.needs  # type: ignore[return-value]


@lru_cache(maxsize=512)
def _holds_letter(node: Node, letter: Node) -> bool:
    return letter in node.walk()


def _without_bar(node: Node) -> Node:
    return Node("symbol", node.value.removeprefix("\\bar{")[:-1], node.parts)


# Methods that evaluate the kinds of nodes.
_KINDS = "empty words symbol add mul neg signed div transpose pow call binary tuple relation derivative bind"
_WAYS = {kind: f"_{kind}" for kind in _KINDS.split()}


class Exhausted(Exception):
    """A certificate needs the evaluation of more than :data:`WORK` nodes."""


# The number of nodes that may still be evaluated, as the only element of a list.
_WORK: ContextVar[list[int]] = ContextVar("work", default=[sys.maxsize])  # noqa: B039


@contextmanager
def limit_work() -> Iterator[None]:
    """Limit evaluation within the context to :data:`WORK` nodes; cached values do not count.

    Raises:
        Exhausted: more nodes are evaluated.
    """
    token = _WORK.set([WORK])
    try:
        yield
    finally:
        _WORK.reset(token)


class Probe:
    """Evaluates formulas at one setting; ``lost`` and ``branched`` record lost digits and roots of negative numbers."""

    keeps = True  # whether values are cached for other probes

    def __init__(self, setting: Setting, given: Mapping[Node, Value] | None = None) -> None:
        self.setting = setting
        self.bound: dict[Node, Value] = dict(given or {})
        self.lost = 0
        self.branched = 0
        self.steps = 0
        self._work = _WORK.get()
        self.n_integrals = 0  # number of enclosing integrals
        self.outcome = ""  # current outcome of an expectation
        self._drawn = setting.drawn
        self._known = setting.known
        self._cells: dict[int, dict[tuple[int, ...], float]] = {}

    def value(self, node: Node) -> Value:
        """The value of a formula.

        Raises:
            Undefined: the formula has no value at this setting.
        """
        if node.kind == "number":
            return _parse_number(node.value)
        if not self.keeps:
            return self._evaluate(node)
        if self.bound:
            if node.kind == "symbol" and (given := self.bound.get(node)) is not None:
                return given
            if not _letters_of(node).isdisjoint(self.bound):
                return self._evaluate(node)
        if self.outcome or (self.n_integrals and self.setting.apart):
            return self._evaluate(node)
        found = self._known.get(node)
        if found is None:
            found = self._learn(node)
        if not isinstance(found, _Known):
            return found
        self.lost |= found.lost
        self.branched |= found.branched
        if found.value is None:
            raise Undefined
        return found.value

    def _learn(self, node: Node) -> Value | _Known:
        """Evaluate a node that does not depend on bound variables, and cache the result."""
        lost, branched = self.lost, self.branched
        self.lost = self.branched = 0
        value: Value | None
        try:
            value = self._evaluate(node)
        except Undefined:
            value = None
        found: Value | _Known
        if value is None or self.lost or self.branched:
            found = _Known(value, self.lost, self.branched)
        else:
            found = value
        self.lost, self.branched = lost, branched
        self._known[node] = found
        return found

    def _evaluate(self, node: Node) -> Value:
        self.steps += 1
        self._work[0] -= 1
        if self._work[0] < 0:
            raise Exhausted
        if self.steps > STEPS:
            raise Undefined
        try:
            value = getattr(self, _WAYS[node.kind])(node)
            return value if value.__class__ is float else values.simplify(value)
        except (OverflowError, ZeroDivisionError, ValueError):
            raise Undefined from None

    def values(self, nodes: Sequence[Node]) -> list[Value]:
        """The values of several formulas."""
        return [self.value(node) for node in nodes]

    def draw(self, name: str, count: int = 4) -> tuple[float, ...]:
        """Pseudorandom numbers in (0.3, 1.9), derived from a hash of the seed and a name; at most 8."""
        found = self._drawn.get(name)
        if found is None:
            digest = hashlib.blake2b(f"{self.setting.salt}{self.setting.seed}|{name}".encode(), digest_size=32).digest()
            found = self._drawn[name] = tuple([0.3 + 1.6 * part / 2**32 for part in _EIGHT(digest)])
        return found[:count]

    def _draw_matrix(self, name: str) -> Matrix:
        return (*self.draw(name, 8), *self.draw(f"{name} at the end", 1))  # type: ignore[return-value]

    def labels_of(self, letter: Node) -> list[float] | None:
        """The values of a table variable; None if the letter is not one."""
        tables = self.setting.tables
        return tables.labels(letter, lambda name: self.draw(name)[0]) if tables else None

    def cells(self, table: int) -> dict[tuple[int, ...], float]:
        """The cells of a table at this setting."""
        tables = self.setting.tables
        if table not in self._cells and tables is not None:
            self._cells[table] = tables.cells(table, self.setting.seed, lambda name: self.draw(name)[0])
        return self._cells[table]

    def _place(self, letter: Node) -> tuple[int, int]:
        """The axis of a table variable, and the index of its current value.

        Raises:
            Undefined: the variable has a value that is not in the table.
        """
        assert self.setting.tables is not None
        axis = self.setting.tables.axis(letter)
        assert axis is not None
        if letter.value in self.setting.tables.indexed:
            return axis, int(_as_number(self.value(letter.parts[0])).real) % SIZE
        labels, value = self.labels_of(letter) or [], self.value(letter)
        if value not in labels:
            raise Undefined
        return axis, labels.index(value)  # type: ignore[arg-type]

    def opaque(self, name: str, arguments: Sequence[Value]) -> Value:
        """An arbitrary smooth function of the arguments, derived from its name."""
        name = f"{name}/{len(arguments)}"
        for one in arguments:
            if one.__class__ is tuple:
                return self._opaque_matrix(name, arguments)
        total: Number = self.draw(name)[0]
        crossed: Number = 0.0
        for place, argument in enumerate(arguments):
            assert not isinstance(argument, tuple)
            a, b, c = self.draw(f"{name}.{place}", 3)
            near = _near(argument)
            self.lost |= 0 < abs(near) < _TINY
            total += a * near + b * near * near
            crossed = crossed + c * near
        return total + 0.5 * crossed * crossed * crossed

    def _opaque_matrix(self, name: str, arguments: Sequence[Value]) -> Value:
        total: Value = self._draw_matrix(name)
        crossed: Value = 0.0
        for place, argument in enumerate(arguments):
            near = _near_matrix(values.as_matrix(argument))
            self.lost |= 0 < values.size(near) < _TINY
            left, right = self._draw_matrix(f"{name}.{place}<"), self._draw_matrix(f"{name}.{place}>")
            total = values.plus(total, values.multiply(values.multiply(left, near), right))
            crossed = values.plus(crossed, values.multiply(values.multiply(right, near), left))
        return values.plus(total, values.multiply(crossed, crossed))

    def _empty(self, node: Node) -> Value:
        return self.draw("nothing")[0]

    def _words(self, node: Node) -> Value:
        return self.draw(f"words {node.value}")[0]

    def _symbol(self, node: Node) -> Value:
        setting, name = self.setting, node.value
        if (found := self.bound.get(node)) is not None:
            return found
        if setting.given and node in setting.given:
            return setting.given[node]
        if setting.tables and (labels := self.labels_of(node)):
            return labels[0]
        if not node.parts and (constant := self._constant(node)) is not None:
            return constant
        if setting.loose and name.startswith("\\bar{"):
            return self._loose_mean(node)
        key = letter_key(node)
        if node.parts:
            name += "_" + ",".join(map(_spell_value, self._index_values(node)))
        if key in setting.whole:
            return self._draw_whole(name)
        return self._letter(f"{name}{self.outcome}", scalar=key in setting.scalars)

    def _constant(self, node: Node) -> Number | None:
        """The conventional value of a letter without indices; None if it has none in this setting."""
        setting, name = self.setting, node.value
        if name in _CONSTANTS:
            return _CONSTANTS[name]
        if name == v.ENDLESS:
            return 2 + self.draw(name)[0]
        if setting.euler and name == EULER.value:
            return math.e
        if setting.imaginary and node in IMAGINARY and name not in setting.whole:
            return 1j
        return 1.0 if setting.loose and node in IDENTITIES else None

    def _index_values(self, node: Node) -> list[Value]:
        """The values of indices, which do not depend on the outcome of an expectation."""
        if not node.parts:
            return []
        before, self.outcome = self.outcome, ""
        try:
            return self.values(node.parts)
        finally:
            self.outcome = before

    def _draw_whole(self, name: str) -> float:
        """An integer from 2 to 7; from 8 to 12 if ``long`` or ``wide``; 0, 1 or 2 if ``few``."""
        is_great = self.setting.long or self.setting.wide
        least, count = (0, 3) if self.setting.few else (8, 5) if is_great else (2, 6)
        return float(least + int(self.draw(name)[0] * 1e6) % count)

    def _loose_mean(self, node: Node) -> Value:
        """The mean of a letter with a bar, linear as the mean of an expression is."""
        return values.multiply(self._as_mean("\\bar", []), self.value(_without_bar(node)))

    def _as_mean(self, name: str, indices: list[Value]) -> Value:
        """The factor that represents a linear function."""
        return 1.0 if self.setting.means else self.opaque(f"{name}|linear", indices)

    def _letter(self, name: str, *, scalar: bool) -> Value:
        setting = self.setting
        if setting.matrices and not scalar:
            return tuple([part * self._sign(part) for part in self._draw_matrix(name)])  # type: ignore
        drawn = self.draw(name, 8)
        sign = self._sign(self.draw(f"sign of {name.split('_')[0]}")[0] if setting.kin else drawn[4])
        if setting.grid:
            return sign * (1 + int(drawn[0] * 1e6) % 6) / 2
        if setting.unit:
            return (drawn[0] - 0.2) / 1.8
        return drawn[0] * sign * (_WIDE if setting.wide else 1.0)

    def _sign(self, by: float) -> float:
        return 1.0 if not self.setting.signed or int(by * 1e6) % 2 else -1.0

    def _add(self, node: Node) -> Value:
        for part in node.parts:
            if part.value == v.DOTS:
                return self.opaque("dots", self.values(node.parts))
        total, lost = values.add(self.values(node.parts))
        self.lost |= lost
        return total

    def _mul(self, node: Node) -> Value:
        if _negated(node) is not None:
            return self._bits_value(node)
        result: Value = 1.0
        for part in node.parts:
            result = values.multiply(result, self.value(part))
        values.size(result)
        return result

    def _neg(self, node: Node) -> Value:
        return values.multiply(-1.0, self.value(node.parts[0]))

    def _signed(self, node: Node) -> Value:
        factor = self.draw("plus-minus")[0] * (1 if node.value == "\\pm" else -1)
        return values.multiply(factor, self.value(node.parts[0]))

    def _div(self, node: Node) -> Value:
        above, below = self.values(node.parts)
        return values.multiply(above, values.invert(below))

    def _transpose(self, node: Node) -> Value:
        inner = self.value(node.parts[0])
        if isinstance(inner, tuple) or not self.setting.loose:
            return values.transpose(inner)
        return inner

    def _pow(self, node: Node) -> Value:
        base = node.parts[0]
        exponent = self.value(node.parts[1])
        if base == EULER:
            return self._calculus_function("exp", exponent)
        found = self.value(base)
        self.lost |= values.FAINT if found == 0 and _letters_of(node.parts[1]) else 0  # 1 if the exponent is 0
        return self._power(found, exponent)

    def _power(self, base: Value, exponent: Value) -> Value:
        if isinstance(base, tuple) or isinstance(exponent, tuple):
            if isinstance(base, tuple) and not isinstance(exponent, tuple) and values.is_whole(exponent):
                return values.power_of_matrix(base, _parse_integer(exponent))
            return self.opaque("power", [base, exponent])
        if values.is_whole(exponent):
            count = _parse_integer(exponent)
            self.lost |= values.FAINT if abs(exponent - count) > _ROUNDING else 0  # type: ignore[operator]
            return base**count if count >= 0 else 1 / base**-count
        if base == 0:
            if isinstance(exponent, complex) or exponent < 0:
                raise Undefined
            return 0.0
        self.lost |= values.FAINT if abs(exponent) < _STRAIGHT else 0
        if isinstance(base, complex) or base < 0:
            odd = _odd_root(exponent)
            if odd and self.setting.odd and isinstance(base, float) and isinstance(exponent, float):
                return abs(base) ** exponent * (-1 if round(exponent * odd) % 2 else 1)
            self.branched |= NO_REAL if odd is None and isinstance(exponent, float) else PRINCIPAL
        return base**exponent

    def _calculus_function(self, name: str, argument: Value) -> Value:
        """The value of an elementary function."""
        if isinstance(argument, tuple):
            return self.opaque(name, [argument])
        self.lost |= abs(argument) > _FLAT.get(name, 1e4)
        self.lost |= values.FAINT if 0 < abs(argument) < _STRAIGHT else 0
        return _REAL_FUNCTIONS[name](argument)

    def _logarithm(self, argument: Value, base: Sequence[Value]) -> Value:
        if isinstance(argument, tuple) or any(isinstance(one, tuple) for one in base):
            return self.opaque("log", [*base, argument])
        if argument == 0:
            raise Undefined
        if isinstance(argument, complex) or argument < 0:
            self.branched |= NO_REAL
        result: Number = cmath.log(argument) if self.branched else math.log(argument)  # type: ignore[arg-type]
        return result if not base else result / cmath.log(base[0])  # type: ignore[arg-type, operator]

    def _call(self, node: Node) -> Value:
        if node in self.bound:  # the unknown of a solved equation
            return self.bound[node]
        if self.setting.tables and (table := self.setting.tables.find(node)) is not None:
            return probability(node, self.cells(table), self._place)
        if _negated(node) is not None:
            return self._bits_value(node)
        name = node.value
        if name in _MEANS and len(node.parts) == 2 and not node.parts[0].parts and node.parts[1].kind != "tuple":
            return self._expect(node)
        indices, arguments = self._index_values(node.parts[0]), self.values(node.parts[1:])
        if node in self.setting.counts:
            return self._draw_whole(f"{name} of {' '.join(_spell_value(one) for one in (*indices, *arguments))}")
        if not indices and (exact := self._exact_call(node, arguments)) is not None:
            return exact
        if len(arguments) == 1 and name in _REAL_FUNCTIONS and not indices:
            return self._calculus_function(name, arguments[0])
        if len(arguments) == 1 and name in ("log", "ln", "lg"):
            base: Sequence[Value] = indices if indices or name != "lg" else [10.0]
            if name == "log" and not base and self.setting.base:
                base = [self.setting.base]
            elif name == "log" and not base and not self.setting.loose:  # any base
                base = [10 * self.draw("base of log")[0]]
            return self._logarithm(arguments[0], base)
        if name in ("abs", "norm") and len(arguments) == 1:
            return self._magnitude(node, indices, arguments[0])
        if len(arguments) == 1 and not indices and (way := _OF_ONE.get(name)) is not None:
            return way(self, arguments[0])
        if self.setting.loose and (found := self._loose_call(name, indices, arguments)) is not None:
            return found
        if name in _EXTREMES:
            return self._symmetric(name, indices, arguments)
        return self._free_call(name, indices, arguments)

    def _free_call(self, name: str, indices: list[Value], arguments: list[Value]) -> Value:
        """An unknown function; a prime denotes its derivative."""
        if name.endswith("'") and len(arguments) == 1 and isinstance(arguments[0], float):
            return self._primed(name.rstrip("'"), name.count("'"), indices, arguments[0])
        return self.opaque(f"{name}|{len(indices)}", [*indices, *arguments])

    def _primed(self, name: str, order: int, indices: list[Value], at: float) -> Value:
        """The first or second derivative of an unknown function by finite differences; higher ones are arbitrary."""
        name += f"|{len(indices)}"
        if order > 2:
            return self.opaque(f"{order} times {name}", [*indices, at])
        step, weights = ((1e-3, _RISE), (1e-2, _BEND))[order - 1]
        near = [self.opaque(name, [*indices, at + (place - 3) * step]) for place in range(7)]
        return sum(weight * one for weight, one in zip(weights, near)) / step**order  # type: ignore[operator, misc]

    def _exact_call(self, node: Node, arguments: list[Value]) -> Value | None:
        """The exact value of a factorial, binomial, sign, floor, ceiling, maximum or minimum; None if not computed."""
        name = node.value
        if name not in _EXACT:
            return None
        numbers = [one for one in arguments if isinstance(one, float)]
        if len(numbers) != len(arguments):
            return None
        if name in ("!", "!!") and all(map(values.is_whole, numbers)):
            if not all(0 <= one < 30 for one in numbers):
                raise Undefined
            return float(math.prod(range(round(numbers[0]), 0, -len(name))))
        if name == "binom" and len(numbers) == 2 and values.is_whole(numbers[1]):
            if not 0 <= numbers[1] < 30:
                raise Undefined
            return math.prod((numbers[0] - place) / (place + 1) for place in range(round(numbers[1])))
        if name in _SIGNS and len(numbers) == 1:
            return float((numbers[0] > 0) - (numbers[0] < 0))
        if name in _STEPS and len(numbers) == 1 and self._is_exact(node):
            return float(_STEPS[name](numbers[0]))
        return _EXTREMES[name](numbers) if name in ("max", "min") and self._is_exact(node) else None

    def _is_exact(self, node: Node) -> bool:
        """Whether a function with corners or steps is computed: if ``loose``, or if its corners can be reached.

        Values of letters cannot reach corners next to large or small numbers.
        """
        if self.setting.loose or not any(
            one.kind in ("symbol", "call", "bind") for one in node.walk() if one is not node
        ):
            return True
        numbers = [abs(_parse_number(one.value)) for one in node.walk() if one.kind == "number"]
        return all(one == 0 or 0.3 <= one <= 3 for one in numbers) and len(numbers) <= _FEW

    def _loose_call(self, name: str, indices: list[Value], arguments: list[Value]) -> Value | None:
        """The value of a call whose function has its usual properties; None if these are not known."""
        plain = not indices and all(isinstance(one, float) for one in arguments)
        if plain and name in ("max", "min", "sup", "inf"):
            return _EXTREMES[name](arguments)
        if name in LINEAR and len(arguments) == 1:
            return values.multiply(self._as_mean(name, indices), arguments[0])
        if name == "\\langle\\rangle" and len(arguments) == 2:
            return values.multiply(self.opaque(name, indices), values.multiply(*arguments))
        if name in _SQUARES and len(arguments) == 1:
            square = values.multiply(arguments[0], arguments[0])
            return values.multiply(self.opaque(f"{name}|linear", indices), square)
        if plain and name in ("!", "binom"):
            return _combine(name, arguments)  # type: ignore[arg-type]
        if len(arguments) == 1 and name in ("\\{\\}", "\\{.", "index") and not indices:
            return arguments[0]
        return None

    def _magnitude(self, node: Node, indices: list[Value], argument: Value) -> Value:
        """An absolute value or a norm: an even function of its argument."""
        name = node.value
        if isinstance(argument, tuple):
            square = self._even(argument)
            return self.opaque(f"{name}|{len(indices)}", [*indices, square])
        if name == "abs" and not indices and isinstance(argument, float) and self._is_exact(node):
            return abs(argument)
        if self.setting.loose:
            size = abs(argument)
            usual = not indices or (name == "norm" and indices == [2.0])
            return size if usual else values.multiply(self.opaque(name, indices), size)
        return self.opaque(f"{name}|{len(indices)}", [*indices, argument * argument])

    def _expect(self, node: Node) -> Value:
        """An expectation: the mean over outcomes, in each of which letters have other values.

        All letters are random, because equality for random letters includes constants. If ``loose``, all are constants.
        """
        body = node.parts[1]
        if self.setting.loose:
            return values.multiply(self._as_mean(node.value, []), self.value(body))
        weights = [self.draw(f"{node.value} {outcome}")[0] for outcome in range(_POINTS)]
        total: Value = 0.0
        before = self.outcome
        try:
            for outcome, weight in enumerate(weights):
                self.outcome = f" in {node.value} {outcome}"
                total = values.plus(total, values.multiply(weight / sum(weights), self.value(body)))
        finally:
            self.outcome = before
        return total

    def _trace(self, argument: Value) -> Value:
        """A trace times a drawn factor, so that identities of small matrices do not hold by accident."""
        return self.draw("trace")[0] * sum(values.as_matrix(argument)[::4])

    def _determinant(self, argument: Value) -> Value:
        """A drawn power of a determinant: multiplicative, but without identities that only small matrices have.

        Only the absolute value is known if the number of rows is even, where ``-A`` has the determinant of ``A``.
        """
        found = values.determinant(values.as_matrix(argument))
        if isinstance(found, complex) or found == 0:
            raise Undefined
        power = abs(found) ** self.draw("determinant")[0]
        return power if self.setting.even else math.copysign(power, found)

    def _even(self, matrix: Matrix) -> Number:
        """A number that stays the same if the matrix changes its sign."""
        return _as_number(values.multiply(values.multiply(matrix, self._draw_matrix("even")), matrix))

    def _symmetric(self, name: str, indices: Sequence[Value], arguments: Sequence[Value]) -> Value:
        """A symmetric function of the arguments."""
        total: Value = 0.0
        for argument in arguments:
            total = values.plus(total, self.opaque(f"{name}|each", [argument]))
        return self.opaque(f"{name}|all", [*indices, total, float(len(arguments))])

    def _bits(self, node: Node, atoms: dict[int, Node]) -> int:
        """A formula of sets or truth values, evaluated on 128 drawn elements or cases as bits.

        Two formulas in a few letters agree on all bits only if they are equal by the laws of sets.
        """
        if node.kind == "binary" and node.value in _OF_BITS and len(node.parts) == 2:
            left, right = (self._bits(part, atoms) for part in node.parts)
            return _OF_BITS[node.value](left, right)
        if (inner := _negated(node)) is not None:
            return ~self._bits(inner, atoms) & _ALL_BITS
        if node.kind == "relation" and node.value in _IMPLIED:
            left, right = (self._bits(part, atoms) for part in node.parts)
            return _IMPLIED[node.value](left, right)
        if node in _KNOWN_BITS:
            return _KNOWN_BITS[node]
        name = f"bits {_spell_value(self.value(node))}"
        found = sum(int(part * 1e9) % 2**16 << 16 * place for place, part in enumerate(self.draw(name, 8)))
        atoms.setdefault(found, node)
        return found

    def _bits_value(self, node: Node) -> Value:
        atoms = {bits: constant for constant, bits in _KNOWN_BITS.items() if constant.value != "\\bot"}
        found = self._bits(node, atoms)
        return self.value(atoms[found]) if found in atoms else self.draw(f"set {found}")[0]

    def _binary(self, node: Node) -> Value:
        if node.value in _OF_BITS and len(node.parts) == 2:
            return self._bits_value(node)
        arguments = self.values(node.parts)
        left, right, label = arguments[0], arguments[1], arguments[2:]
        if node.value in v.COMMUTATIVE:
            return self._symmetric(node.value, label, [left, right])
        if self.setting.loose and node.value in _PRODUCTS:
            product = values.multiply(left, right)
            plain = node.value in ("\\times", "*") and not label
            return product if plain else values.multiply(self.opaque(node.value, label), product)
        return self.opaque(node.value, [left, right, *label])

    def _tuple(self, node: Node) -> Value:
        return self.opaque(f"tuple {node.value}", self.values(node.parts))

    def _relation(self, node: Node) -> Value:
        if node.value in _IMPLIED:
            return self._bits_value(node)
        sides = self.values(node.parts)
        if node.value in relations.ORDERS and len(sides) == 2:
            less, more = sides if node.value in ("<", "\\leq") else sides[::-1]
            gap = values.plus(more, values.multiply(-1.0, less))
            return self.opaque("below" if node.value in ("<", ">") else "not above", [gap])
        if len(sides) == 2 and relations.is_symmetric(node.value):
            return self._symmetric(f"relation {node.value}", [], sides)
        turned = relations.mirror(node.value)
        if turned is not None and turned < node.value:
            return self.opaque(f"relation {turned}", sides[::-1])
        return self.opaque(f"relation {node.value}", sides)

    def _derivative(self, node: Node) -> Value:
        if is_second(node) and (bend := self._second_slope(node.parts[0], node.parts[1].parts[0])) is not None:
            return bend
        if len(node.parts) == 2 and (slope := self._slope(*node.parts)) is not None:
            return slope
        body, *variables = self.values(node.parts)
        if self.setting.loose:
            return values.multiply(self.opaque(f"d{node.value}", variables), body)
        return self.opaque(f"derivative {node.value}", [body, *variables])

    def _slope(self, body: Node, variable: Node) -> Value | None:
        """A derivative by finite differences of two step sizes, whose difference estimates the error."""
        if variable.kind != "symbol" or not _holds_letter(body, variable):
            return None
        at = self.value(variable)
        if isinstance(at, tuple):
            return None
        found = []
        for step in (1e-3, 2e-3):
            near = [self._value_at(body, variable, at + k * step) for k in (-2, -1, 1, 2)]
            if any(isinstance(one, tuple) for one in near):
                return None
            slope = (near[0] - 8 * near[1] + 8 * near[2] - near[3]) / (12 * step)  # type: ignore[operator]
            found.append(self._round(slope, max(map(abs, near)) / step))  # type: ignore[arg-type]
        self.lost |= abs(found[0] - found[1]) > 1e-8 * max(1.0, abs(found[0]))
        return found[0]

    def _second_slope(self, body: Node, variable: Node) -> Value | None:
        """The second derivative by finite differences of two step sizes."""
        at = self.value(variable)
        if isinstance(at, tuple):
            return None
        found = []
        for step in (1e-2, 2e-2):
            near = [self._value_at(body, variable, at + k * step) for k in range(-3, 4)]
            if any(isinstance(one, tuple) for one in near):
                return None
            total = sum(weight * one for weight, one in zip(_BEND, near))  # type: ignore[operator, misc]
            found.append(self._round(total, max(map(abs, near))) / step**2)  # type: ignore[arg-type]
        self.lost |= abs(found[0] - found[1]) > 1e-8 * max(1.0, abs(found[0]))
        return found[0]

    def _round(self, value: Number, largest: float) -> Number:
        """A sum of numbers up to ``largest``: zero if it is rounding error, and lost if few digits remain."""
        self.lost |= 1e-13 * largest < abs(value) < 1e-7 * largest
        return value if abs(value) > 1e-13 * largest else 0.0

    def _value_at(self, body: Node, variable: Node, at: Value) -> Value:
        kept = {variable: self.bound.get(variable)}
        self.bound[variable] = at
        try:
            return self.value(body)
        finally:
            self._restore(kept)

    def _integrate(self, body: Node, variable: Node, low: float, high: float) -> Value | None:
        """The integral between two numbers by two Gauss rules, whose difference estimates the error."""
        found: list[Number] = []
        for rule in _GAUSS:
            total: Number = 0.0
            largest = 0.0
            for place, weight in rule:
                one = self._value_at(body, variable, low + (high - low) * place)
                if isinstance(one, tuple):
                    return None
                total += weight * one
                largest = max(largest, abs(one))
            found.append((high - low) * self._round(total, largest))
        self.lost |= abs(found[0] - found[1]) > 1e-9 * max(1e-3, abs(found[0]))
        return found[1]

    def _bind(self, node: Node) -> Value:
        start, end, condition, body, *variables = node.parts
        ends = [None if one is EMPTY else self.value(one) for one in (start, end)]
        if is_computed(node) and all(isinstance(one, float) for one in ends):
            whole = self._integrate(body, variables[0], *ends)  # type: ignore[arg-type]
            if whole is not None:
                return whole
        if not variables:
            return self._unbound(node, [one for one in ends if one is not None])
        return self._add_up(node, ends)

    def _add_up(self, node: Node, ends: list[Value | None]) -> Value:
        """The value of an operator over the points of its variables."""
        _, end, condition, body, *variables = node.parts
        turned = node.value == "\\int" and len(variables) == 1 and _is_turned(ends)
        if node.value in v.BIG and any(one.value == v.ENDLESS for one in end.walk()):
            ends[1] = None
        points = self._points(node.value, ends[::-1] if turned else ends)
        ranges = [self._shift_points(node, variable, points) for variable in variables]
        terms: list[tuple[Number, Value]] = []
        self.n_integrals += node.value in v.INTEGRALS
        kept = {variable: self.bound.get(variable) for variable in variables}
        try:
            for choice in itertools.product(*ranges):
                for variable, (place, _) in zip(variables, choice):
                    self.bound[variable] = self._at_point(node, variable, place)
                weight: Number = math.prod(one for _, one in choice) * (-1 if turned else 1)
                if condition is not EMPTY:
                    weight = weight * self._weight(node.value, condition)
                terms.append((weight, self.value(body)))
        finally:  # the same probe continues after an undefined side
            self.n_integrals -= node.value in v.INTEGRALS
            self._restore(kept)
        return self._gather_parts(node.value, terms, ends if node.value not in ("\\sum", "\\prod") else [])

    def _restore(self, kept: Mapping[Node, Value | None]) -> None:
        """Restore the values that variables had before they were bound."""
        for variable, before in kept.items():
            self.bound.pop(variable, None)
            if before is not None:
                self.bound[variable] = before

    def _shift_points(
        self, node: Node, variable: Node, points: list[tuple[Value, Number]]
    ) -> list[tuple[Value, Number]]:
        """The points of a variable; with ``apart``, shifted by its name.

        Different variables may have different ranges.
        """
        if labels := self.labels_of(variable):
            return [(label, 1.0) for label in labels]
        is_several = len(node.parts) > 5 or any(one.value in v.INTEGRALS for one in node.parts[3].walk())
        is_open = node.value in v.INTEGRALS and (is_several or self.n_integrals)
        is_sum = node.value in v.BIG and node.parts[1] is EMPTY
        if not self.setting.apart or not (is_open or is_sum):
            return points
        by = self.draw(f"apart {node.value} {variable.value}")[0]
        return [(values.plus(at, by), weight) for at, weight in points]

    def _at_point(self, node: Node, variable: Node, place: Value) -> Value:
        """The value of a bound variable at a point: a drawn matrix if the variable may be a matrix."""
        if not self.setting.matrices or node.parts[0] is not EMPTY or _is_index(variable, node.parts[3]):
            return place
        return self._draw_matrix(f"matrix at {_spell_value(place)}")

    def _weight(self, name: str, condition: Node) -> Number:
        """The weight of a condition at the current values of the bound variables."""
        if condition.value == "\\in" and self.labels_of(condition.parts[0]):  # all values of the variable
            return 1.0
        found = _as_number(self.value(condition))
        if name == "\\prod":
            digest = self.draw(f"whole {_spell_value(found)}")[0]
            return 1 + int(digest * 1e6) % 3
        return found

    def _unbound(self, node: Node, ends: list[Value]) -> Value:
        """The value of an operator without bound variables."""
        condition = [] if node.parts[2] is EMPTY else [self.value(node.parts[2])]
        body = self.value(node.parts[3])
        if self.setting.loose or node.value in v.INTEGRALS:
            return values.multiply(self.opaque(f"unbound {node.value}", [*ends, *condition]), body)
        return self.opaque(f"unbound {node.value}", [*ends, *condition, body])

    def _points(self, name: str, ends: list[Value | None]) -> list[tuple[Value, Number]]:
        """The points of a bound variable, with their weights; three of a range without two finite ends."""
        low, high = ends
        if name in v.BIG or name.startswith("family"):
            if isinstance(low, float) and isinstance(high, float):
                return [(place, 1.0) for place in _range(low, high)]
            if isinstance(low, float) and values.is_whole(low):
                return [(low + self._step(place), self._weigh(name, place)) for place in range(_POINTS)]
        given = [one for one in ends if one is not None]
        found: list[tuple[Value, Number]] = []
        for place in range(_POINTS):
            drawn, by = self.draw(f"point {place}", 2)
            if isinstance(low, float) and isinstance(high, float):
                at: Value = low + (high - low) * (drawn - 0.3) / 1.6
            else:  # a variable of an unknown range may be negative
                at = self._sign(by) * (_as_number(self.opaque(f"point {place}", given)) if given else drawn)
            weight = _as_number(self.opaque(f"weight {place}", given))
            found.append((at, weight if name not in v.BIG else self._weigh(name, place)))
        return found

    def _step(self, place: int) -> int:
        """The distance of a point from the start of an endless range of whole numbers: at most 3, 7 or 11."""
        return 4 * place + int(self.draw(f"step {place}")[0] * 1e6) % 4

    def _weigh(self, name: str, place: int) -> float:
        """The weight of a point of an infinite sum or product, or of one without a range."""
        drawn = self.draw(f"weight {place} of {name}")[0]
        return 1.0 + int(drawn * 1e6) % 3 if name == "\\prod" else drawn

    def _gather_parts(self, name: str, terms: list[tuple[Number, Value]], ends: Sequence[Value | None]) -> Value:
        """Combine the weighted terms of an operator."""
        if name == "\\prod":
            result: Value = 1.0
            for weight, value in terms:
                result = values.multiply(result, self._power(value, float(weight)))  # type: ignore[arg-type]
            return result
        if name in _EXTREMES and self.setting.loose and all(isinstance(one, float) for _, one in terms):
            return self._extreme(name, [one for _, one in terms], [weight for weight, _ in terms])  # type: ignore
        linear = name in ("\\sum", "\\lim") or name in v.INTEGRALS or name in LINEAR
        if linear or (self.setting.loose and name == "lim"):
            weighted = [values.multiply(weight, value) for weight, value in terms]
            total, lost = values.add(weighted) if weighted else (0.0, False)
            self.lost |= lost
            return total
        each = [self.opaque(f"{name}|each", [weight, value]) for weight, value in terms]
        total = values.add(each)[0] if each else 0.0
        return self.opaque(f"{name}|all", [total, *(one for one in ends if one is not None)])

    def _extreme(self, name: str, found: list[float], weights: list[Number]) -> Value:
        best = _EXTREMES[name](found)
        if name.startswith("arg"):
            return self.draw(f"{found.index(best)} of {_spell_value(weights[0])}")[0]
        return best


_OF_ONE: dict[str, Callable[[Probe, Value], Value]] = {
    **dict.fromkeys(_TRACES, Probe._trace),
    "det": Probe._determinant,
    "^\\circ": lambda probe, angle: values.multiply(math.pi / 180, angle),
}
_ALL_BITS = 2**128 - 1
_AND, _OR = (lambda one, other: one & other), (lambda one, other: one | other)
_WITHOUT = lambda one, other: one & ~other  # noqa: E731
_OF_BITS: dict[str, Callable[[int, int], int]] = {
    **dict.fromkeys(("\\cap", "\\wedge"), _AND), **dict.fromkeys(("\\cup", "\\vee"), _OR),
    **dict.fromkeys(("\\setminus", "\\backslash"), _WITHOUT), "\\veebar": lambda one, other: one ^ other,
}  # fmt: skip
# Implications and equivalences, computed as truth values.
_HELD: dict[str, Callable[[int, int], int]] = {
    **dict.fromkeys(("\\Leftrightarrow", "\\leftrightarrow"), lambda one, other: ~(one ^ other) & _ALL_BITS),
    **dict.fromkeys(("\\Rightarrow", "\\rightarrow"), lambda one, other: (~one | other) & _ALL_BITS),
    **dict.fromkeys(("\\Leftarrow", "\\leftarrow"), lambda one, other: (one | ~other) & _ALL_BITS),
}  # fmt: skip
_IMPLIED = _HELD | {
    f"\\not{name}": lambda one, other, holds=holds: ~holds(one, other) & _ALL_BITS for name, holds in _HELD.items()
}


# The empty set and falsehood have no bits, truth has all.
_KNOWN_BITS = {Node("symbol", "\\emptyset"): 0, Node("symbol", "\\bot"): 0, Node("symbol", "\\top"): _ALL_BITS}


def _negated(node: Node) -> Node | None:
    """The operand of a negation; None for other nodes."""
    if node.kind == "mul":
        is_not = node.parts[0].value == "\\neg" and all(one == _NOT for one in node.parts[:-1])
        if is_not and len(node.parts) > 2:
            return Node("mul", "", node.parts[1:])
    else:
        is_not = node.value == "\\neg" and node.kind == "call" and len(node.parts) == 2 and not node.parts[0].parts
    return node.parts[1] if is_not else None


_NOT = Node("symbol", "\\neg")
EULER = Node("symbol", "e")


def is_of_sets(node: Node) -> bool:
    """Whether a node is a formula of sets or truth values, which are computed as bits."""
    is_joined = node.kind == "binary" and node.value in _OF_BITS
    return is_joined or (node.kind == "relation" and node.value in _IMPLIED) or _negated(node) is not None


def _odd_root(exponent: Value) -> int | None:
    """The odd denominator of an exponent, with which powers of negative numbers are real; None if there is none."""
    if not isinstance(exponent, float):
        return None
    return next((odd for odd in (3, 5, 7, 9, 15) if values.is_whole(exponent * odd)), None)


def idle_changes(nodes: Sequence[Node], scalars: frozenset[str]) -> frozenset[str]:
    """Which of ``loose`` (with ``means``), ``apart``, ``even`` and ``matrices`` do not affect values of formulas."""
    found = {"loose", "means", "apart", "even", "matrices"}
    for one in (part for node in nodes for part in node.walk()):
        if one.value == "det":
            found.discard("even")
        if _hangs_on_laws(one):
            found -= {"loose", "means"}
        if one.kind == "symbol" and letter_key(one) not in scalars and one.value not in _CONSTANTS.keys() | {v.ENDLESS}:
            found.discard("matrices")
        elif one.kind == "bind":
            if one.value in v.INTEGRALS or one.parts[1] is EMPTY:
                found.discard("apart")
            if one.parts[0] is EMPTY:
                found.discard("matrices")
    return frozenset(found)


def _hangs_on_laws(node: Node) -> bool:
    """Whether the value of a node may depend on usual properties of functions."""
    if node.kind == "symbol":
        return node.value.startswith("\\bar{") or node in IDENTITIES
    if node.kind == "call":
        is_plain = node.value in ("ln", "lg", *_REAL_FUNCTIONS) or is_of_sets(node)
        name = node.value.rstrip("'")
        is_free = (len(name) == 1 or name in v.LETTERS) and name not in LINEAR | {"!"}
        return not is_plain and not is_free
    if node.kind == "bind":
        return node.value not in ("\\sum", "\\prod", "\\int") or len(node.parts) < 5
    return node.kind == "derivative" or (node.kind == "binary" and node.value in _PRODUCTS)


def _combine(name: str, arguments: list[float]) -> float:
    """A factorial or binomial coefficient of real numbers."""
    n = math.gamma(arguments[0] + 1)
    return n if name == "!" else n / (math.gamma(arguments[1] + 1) * math.gamma(arguments[0] - arguments[1] + 1))


@lru_cache(maxsize=512)
def _is_index(variable: Node, body: Node) -> bool:
    """Whether a bound variable occurs in an index or an exponent."""
    letters = (one for one in body.walk() if one.kind in ("symbol", "pow"))
    return any(variable in part.walk() for one in letters for part in one.parts[one.kind == "pow" :])


def _is_turned(ends: Sequence[Value | None]) -> bool:
    """Whether the lower limit of an integral exceeds the upper one."""
    low, high = ends
    return isinstance(low, float) and isinstance(high, float) and low > high


def _as_number(value: Value) -> Number:
    """A number, or a linear combination of the entries of a matrix."""
    if not isinstance(value, tuple):
        return value
    return sum(weight * one for weight, one in zip((1, 0.7, 0.3, 0.9, 1.1, 0.4, 0.6, 0.2, 1.3), value))


def _near(value: Number) -> Number:
    """Compress a value logarithmically, to keep functions of it neither flat nor steep."""
    size = abs(value)
    return value * (math.log1p(size) / size) if size else 0.0


def _near_matrix(value: Matrix) -> Matrix:
    size = values.size(value)
    factor = math.log1p(size) / size if size else 0.0
    return values.multiply(factor, value)  # type: ignore[return-value]


def _range(low: float, high: float) -> list[float]:
    """The numbers from ``low`` to ``high`` in steps of 1.

    Raises:
        Undefined: the range is too long, not a whole number of steps, or more than one step reversed.
    """
    if abs(high - low - round(high - low)) > 1e-9 or not -1 - 1e-9 <= high - low < _LONGEST_SUM:
        raise Undefined
    return [low + step for step in range(round(high - low) + 1)]


def _gauss(count: int) -> list[tuple[float, float]]:
    """Points and weights of the Gauss-Legendre rule on (0, 1), by Newton's method on the Legendre polynomial."""
    found = []
    for place in range(count):
        x = math.cos(math.pi * (place + 0.75) / (count + 0.5))
        slope = 1.0
        for _ in range(50):
            before, p = 1.0, x
            for degree in range(2, count + 1):
                before, p = p, ((2 * degree - 1) * x * p - (degree - 1) * before) / degree
            slope = count * (x * p - before) / (x * x - 1)
            x -= p / slope
        found.append(((1 + x) / 2, 1 / ((1 - x * x) * slope * slope)))
    return found


_GAUSS = (_gauss(9), _gauss(12))


@lru_cache(maxsize=512)
def _parse_number(text: str) -> float:
    """Parse a decimal number or a fraction."""
    return float(Fraction(text)) if "/" in text else float(text)


def _parse_integer(value: Value) -> int:
    assert isinstance(value, float)
    if abs(value) > 64:
        raise Undefined
    return round(value)


def _spell_value(value: Value) -> str:
    """A value with 9 significant digits, as part of a name."""
    if isinstance(value, tuple):
        return "[" + " ".join(_spell_value(part) for part in value) + "]"
    if isinstance(value, complex):
        return f"{value.real:.9g}{value.imag:+.9g}i"
    return f"{value + 0.0:.9g}"
