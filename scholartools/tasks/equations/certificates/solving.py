"""Compare equations without equal sides: solve the first for a letter, and test the second at the solution."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction

from scholartools.tasks.equations.certificates import values
from scholartools.tasks.equations.certificates.comparison import (
    SEEDS,
    VALID,
    Settings,
    Tally,
    evaluate,
    note,
)
from scholartools.tasks.equations.certificates.evidence import letter_key
from scholartools.tasks.equations.certificates.probes import COMPUTED, IDENTITIES, Probe, Setting
from scholartools.tasks.equations.certificates.values import Number, Value
from scholartools.tasks.equations.trees.tree import Node

Equation = tuple[Node, Node]

_STEPS = 20  # twice as many find 5% more roots, and cost half as much again
_FAILED = 4  # number of seeds without a root after which another letter is tried
_STARTS = (1.0, 0.3, 2.9, -0.4, -1.3, 6.0)  # multiples of the drawn value from which roots are sought
_TRIES = 4  # maximum number of letters that are tried
_NOUGHT = 1e-6  # smaller values at solutions may be zero
_FLAT = 1e-3  # a root with a smaller slope may be a double root, whose digits are inaccurate
_NAMED_NOUGHT = re.compile(r"\\(?:mathbf|boldsymbol|mathbb|mathrm|vec|underline)\{0\}$")


def transfer(first: Equation, second: Equation, settings: Settings, **changes: bool) -> tuple[Tally, str]:
    """Tally the sides of the second equation at solutions of the first; also return the letter that was solved for."""
    best, letter = Tally(), ""
    for node in _unknowns(first, second):
        if _is_called_otherwise(node, second):
            continue
        tally, is_solved = Tally(), False
        for seed in range(SEEDS):
            setting = settings.at(seed, **changes)
            if seed == _FAILED and not is_solved:
                break
            solved = _solve(first, node, setting)
            is_solved |= solved is not None
            if solved is None or values.size(solved) < _NOUGHT:  # a zero factor hides other factors
                continue
            probe = Probe(setting, {node: solved})
            sides = evaluate(probe, second[0]), evaluate(probe, second[1])
            if not all(side is not None and values.size(side.value) < _NOUGHT for side in sides):
                note(tally, seed, *sides)
            if tally.is_settled():
                break
        if tally.status != "unknown":
            return tally, node.value
    return best, letter


def solutions(first: Equation, second: Equation, settings: Settings) -> Iterator[tuple[Node, Value, Setting]]:
    """Yield letters with values that solve the first equation, and the settings of the other letters."""
    for node in _unknowns(first, second):
        if _is_called_otherwise(node, second):
            continue
        for seed in range(SEEDS // 3):
            setting = settings.at(seed, loose=True)
            solved = _solve(first, node, setting)
            if solved is not None:
                yield node, solved, setting


def _unknowns(first: Equation, second: Equation) -> Iterator[Node]:
    """Yield the letters and calls for which the first equation may be solved, the most promising first."""
    counts: Counter[str] = Counter(one.value for side in first for one in side.walk() if _is_unknown(one))
    everywhere = Counter(one.value for side in (*first, *second) for one in side.walk() if _is_unknown(one))
    alone = [side for side in first if _is_unknown(side) and counts[side.value] == 1]
    alone = [side for side in alone if everywhere[side.value] == 1 + _appearances(side, second)]
    letters = _free_letters(first)
    yield from alone[:2]
    shown = [one for one in letters if one not in alone]
    yield from sorted(shown, key=lambda one: (counts[one.value], one.value))[:_TRIES]


def _is_called_otherwise(node: Node, equation: Equation) -> bool:
    """Whether an equation has the function with other arguments, at which its value is not known."""
    calls = [one for side in equation for one in side.walk() if one.kind == "call" and one.value == node.value]
    return node.kind == "call" and any(one != node for one in calls)


def is_nought(node: Node) -> bool:
    """Whether a node is the number zero or a zero vector."""
    return (node.kind == "number" and float(Fraction(node.value)) == 0) or bool(_NAMED_NOUGHT.match(node.value))


def _is_unknown(node: Node) -> bool:
    if node in IDENTITIES or is_nought(node):
        return False
    return node.kind == "symbol" or (node.kind == "call" and node.value not in COMPUTED)


def _appearances(node: Node, equation: Equation) -> int:
    """The number of occurrences of a node in an equation."""
    return sum(one == node for side in equation for one in side.walk())


def _free_letters(equation: Equation) -> list[Node]:
    """The distinct letters without bound variables in them."""
    bound = {one for side in equation for node in side.walk() if node.kind == "bind" for one in node.parts[4:]}
    found = {
        one: None
        for side in equation
        for one in side.walk()
        if one.kind == "symbol" and _is_unknown(one) and one.value not in ("e", "\\pi") and not bound & set(one.walk())
    }
    return list(found)


def _solve(equation: Equation, node: Node, setting: Setting) -> Value | None:
    """The value of a letter or call at which an equation holds; None if not found."""
    if (equation, node) not in setting.roots:
        setting.roots[equation, node] = _find_root(equation, node, setting)
    return setting.roots[equation, node]


def _find_root(equation: Equation, node: Node, setting: Setting) -> Value | None:
    for this, other in (equation, equation[::-1]):
        if this == node and not any(one == node or one.value == node.value for one in other.walk()):
            side = evaluate(Probe(setting), other)
            return None if side is None or side.lost else side.value
    if node.kind != "symbol" or setting.matrices or letter_key(node) in setting.whole:
        return None
    return _secant(equation, node, setting)


def _gap(equation: Equation, node: Node, setting: Setting, at: Number) -> Number | None:
    """The difference of both sides at a value of a letter; None if undefined."""
    probe = Probe(setting, {node: values.simplify(at)})
    left, right = (evaluate(probe, side) for side in equation)
    if left is None or right is None or left.lost or right.lost:
        return None
    if isinstance(left.value, tuple) or isinstance(right.value, tuple):
        return None
    return left.value - right.value


def _secant(equation: Equation, node: Node, setting: Setting, factor: float = 1.0) -> Value | None:
    """A root of the difference of both sides by the secant method, started at a multiple of the drawn value."""
    start = evaluate(Probe(setting), node)
    if start is None or isinstance(start.value, tuple):
        return None
    before, after = start.value * factor, start.value * factor * 1.07 + 0.013
    gap_before, gap_after = (_gap(equation, node, setting, at) for at in (before, after))
    for _ in range(_STEPS):
        if gap_before is None or gap_after is None:
            return None
        slope = gap_after - gap_before
        if abs(gap_after) < 1e-13:
            return values.simplify(after) if abs(slope) >= _FLAT * abs(after - before) else None
        if slope == 0 or abs(after) > 1e6:
            return None
        before, after = after, after - gap_after * (after - before) / slope
        gap_before, gap_after = gap_after, _gap(equation, node, setting, after)
    return None


def may_have_other_roots(first: Equation, second: Equation, settings: Settings) -> bool:
    """Whether the first of two equations that agree at one root may have others at which the second does not hold.

    ``a^2 + b c = a b + a c`` holds for ``a = b``, as ``a^2 + b d = a b + a d`` does, but also for ``a = c``. A root at
    which a letter equals another one is no evidence, unless it is the only root.
    """
    for node in _free_letters(first):
        for seed in range(VALID):
            setting = settings.at(seed)
            if letter_key(node) in setting.whole or _is_linear(first, node, setting):
                continue
            drawn = [evaluate(Probe(setting), one) for one in _free_letters(first) if one != node]
            others = [one.value for one in drawn if one is not None and not isinstance(one.value, tuple)]
            for root in (_secant(first, node, setting, factor) for factor in _STARTS):
                if root is None or isinstance(root, tuple):
                    continue
                gap = _gap(second, node, setting, root)
                if any(abs(root - one) < _NOUGHT for one in others) or (gap is not None and abs(gap) > _NOUGHT):
                    return True
    return False


def _is_linear(equation: Equation, node: Node, setting: Setting) -> bool:
    """Whether the difference of both sides is linear in a letter, so that it has one root."""
    found = [_gap(equation, node, setting, at) for at in (0.4, 0.9, 1.4, 2.4)]
    if None in found:
        return False
    low, middle, high, last = found
    scale = 1e-9 * max(map(abs, found))  # type: ignore[arg-type]
    return max(abs(low - 2 * middle + high), abs(last - 3 * high + 2 * middle)) <= scale  # type: ignore[operator]


def are_numbers(equations: Sequence[Equation], settings: Settings) -> bool:
    """Whether all letters of equations are certainly numbers."""
    letters = (one for equation in equations for side in equation for one in side.walk() if one.kind == "symbol")
    return all(letter_key(one) in settings.base.scalars for one in letters)
