"""A point at which one of two statements holds and the other does not, serialised for independent checks.

A point has a value for each letter, keyed by its LaTeX name and the values of its indices (``x[2]``), the values of
each unknown function at the arguments that occur, and the points of each sum without a range. The statements are added
as trees, so that no LaTeX parser is needed to evaluate them: see :func:`spell_tree`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from scholartools.tasks.equations.certificates import solving, values
from scholartools.tasks.equations.certificates.bounds import find_truth
from scholartools.tasks.equations.certificates.comparison import SEEDS, Settings, evaluate, shows_matrices
from scholartools.tasks.equations.certificates.probes import COMPUTED, EULER, Probe, Setting, is_of_sets
from scholartools.tasks.equations.certificates.relations import ORDERS
from scholartools.tasks.equations.certificates.values import Value
from scholartools.tasks.equations.trees import vocabulary as v
from scholartools.tasks.equations.trees.tree import EMPTY, Node

# Functions of numbers that a checker computes itself; the values of all other calls are recorded.
_WORKED_OUT = frozenset("exp log ln sin cos tan sinh cosh tanh max min floor ceil ! !! binom abs".split())
# Operators that a checker computes over recorded points.
_OVER_POINTS = frozenset(["\\sum", "\\prod", "max", "min", "sup", "inf", "lim", "\\lim"]) | v.INTEGRALS
_SIGNS = {"add": "+", "mul": "*", "neg": "-", "div": "/", "pow": "^", "transpose": "T"}
_TRUTHS = ORDERS | {"=", "\\neq"}
_MOST = 300  # maximum number of function values in a witness


class Recorder(Probe):
    """A probe that records each drawn value."""

    keeps = False

    def __init__(self, setting: Setting, given: dict[Node, Value] | None = None) -> None:
        super().__init__(setting, given)
        self.given = dict(given or {})
        self.letters: dict[str, Value] = {}
        self.calls: dict[str, list[Any]] = {}
        self.ranges: dict[str, list[list[float]]] = {}

    def _symbol(self, node: Node) -> Value:
        found = super()._symbol(node)
        if node not in self.bound or node in self.given:
            indices = [self.value(part) for part in node.parts]
            self.letters[node.value + (f"[{','.join(map(_short, indices))}]" if indices else "")] = found
        return found

    def _note(self, name: str, indices: Sequence[Node], arguments: Sequence[Node], found: Value) -> Value:
        """Record the value of a function; its indices come before a semicolon."""
        given: list[Any] = [write(self.value(one)) for one in indices]
        given += [";"] if given else []
        given += [write(self.value(one)) for one in arguments]
        self.calls.setdefault(f"{name} {given}", [name, given, write(found)])
        return found

    def _evaluate(self, node: Node) -> Value:
        """Evaluate a node; values that a checker cannot compute are recorded with the values of their arguments."""
        found = super()._evaluate(node)
        if node.kind in ("empty", "words"):
            self.letters[_bare_name(node)] = found
        elif _is_noted(node):
            self._note(_noted_name(node), (), node.parts, found)
        return found

    def _signed(self, node: Node) -> Value:
        self.letters[node.value] = super()._signed(Node("signed", node.value, (Node("number", "1"),)))
        return super()._signed(node)

    def _call(self, node: Node) -> Value:
        found = super()._call(node)
        if self.setting.tables and self.setting.tables.find(node) is not None:
            return found
        indices, arguments = node.parts[0].parts, node.parts[1:]
        is_plain = node not in self.setting.counts and not indices and node not in self.given
        if is_plain and node.value in _WORKED_OUT and not any(isinstance(self.value(one), tuple) for one in arguments):
            return found
        return self._note(node.value, indices, arguments, found)

    def _calculus_function(self, name: str, argument: Value) -> Value:
        found = super()._calculus_function(name, argument)
        if isinstance(argument, tuple):
            self.calls.setdefault(f"{name} {argument}", [name, [write(argument)], write(found)])
        return found

    def _add_up(self, node: Node, ends: list[Value | None]) -> Value:
        found = super()._add_up(node, ends)
        condition, variable = node.parts[2], node.parts[4]
        whole = ends[1] is not None and condition is EMPTY and node.value in v.BIG
        if node.value in _OVER_POINTS and len(node.parts) == 5 and not (whole and ends[0] is not None):
            shown = ",".join("" if one is None else _short(one) for one in ends)
            name = f"{node.value}_{variable.value}[{shown}]"
            before = self.bound.get(variable)
            points = []
            for at, weight in self._shift_points(node, variable, self._points(node.value, ends)):
                place = self.bound[variable] = self._at_point(node, variable, at)
                whole_weight = weight if condition is EMPTY else weight * self._weight(node.value, condition)
                points.append([write(place), write(whole_weight)])
            self._restore({variable: before})
            self.ranges[name] = points if self.ranges.get(name, points) == points else []
        return found


def spell_tree(node: Node) -> Any:
    """Serialise a statement as JSON: numbers, names of letters, and lists of an operator and its operands.

    A letter with indices is ``["_", name, ...]``, a function ``["()", name, [indices], ...]``, a chain
    ``["chain", "= <", ...]``, a sum ``["over", sign, lower limit, upper limit, condition, body, variable]`` and a
    derivative ``["d", body, variable]``. Parts that a checker cannot compute are functions with recorded values.

    Raises:
        Undefined: a node can be computed only by a probe.
    """
    if node.kind == "number":
        number = Fraction(node.value)
        return int(number) if number.denominator == 1 else float(number)
    if node.kind in ("empty", "words"):
        return _bare_name(node)
    parts = list(node.parts)
    if node.kind == "call":
        return ["()", node.value, [spell_tree(one) for one in parts[0].parts], *map(spell_tree, parts[1:])]
    if node.kind == "bind":
        if node.value not in _OVER_POINTS or len(parts) != 5:
            raise values.Undefined
        return ["over", node.value, *(None if one is EMPTY else spell_tree(one) for one in parts)]
    spelled = list(map(spell_tree, parts))
    if node.kind == "symbol":
        return ["_", node.value, *spelled] if spelled else node.value
    if node.kind == "signed":
        return ["*", node.value, *spelled]
    if node.kind == "derivative" and _is_slope(node):
        return ["d", *spelled]
    if node.kind == "pow" and parts[0] == EULER:
        return ["()", "exp", [], spelled[1]]
    return ["()", _noted_name(node), [], *spelled] if _is_noted(node) else [_SIGNS[node.kind], *spelled]


def spell_statements(*statements: Node) -> list[Any] | None:
    """The statements as JSON trees, each a chain; None if one cannot be written."""
    chains = [(one.value, one.parts) if one.kind == "relation" else ("", (one,)) for one in statements]
    try:
        return [["chain", names, *map(spell_tree, sides)] for names, sides in chains]
    except values.Undefined:
        return None


def _noted_name(node: Node) -> str:
    """The name under which the values of an operator are recorded, as in the trees."""
    return f"{node.kind} {node.value}".strip()


def _bare_name(node: Node) -> str:
    """The name of a node without a letter: the text of words, or an empty string."""
    return node.value if node.kind == "words" else ""


def _is_noted(node: Node) -> bool:
    """Whether the value of a node is recorded: neither arithmetic nor a call, a sum with dots, or a set formula."""
    if node.kind in _SIGNS:
        return is_of_sets(node) or (node.kind == "add" and any(one.value == v.DOTS for one in node.parts))
    return node.kind in ("binary", "tuple", "relation", "list") or (node.kind == "derivative" and not _is_slope(node))


def _is_slope(node: Node) -> bool:
    """Whether a node is a first derivative with respect to a letter of its body."""
    return len(node.parts) == 2 and node.parts[1].kind == "symbol" and node.parts[1] in node.parts[0].walk()


def find(first: Node, second: Node, settings: Settings, seeds: int = SEEDS // 3) -> dict[str, Any] | None:
    """Find a point at which the statements differ, and their truth values there; None if no seed shows one.

    Only equalities and orders have computed truth values; for other relations see :func:`find_sides`.
    """
    if (first.kind == "relation") != (second.kind == "relation"):
        return None
    for setting, given in find_points(first, second, settings, seeds):
        if _show(Probe(setting, given), first, second) is None:  # a caching probe is faster than a recorder
            continue
        recorder = Recorder(setting, given)
        shown = _show(recorder, first, second)
        written = _written(recorder, shown) if shown is not None else None
        if written is not None:
            return written
    return None


def find_points(
    first: Node, second: Node, settings: Settings, seeds: int
) -> Iterator[tuple[Setting, dict[Node, Value]]]:
    """Yield points at which truth values are computed; none if a relation has no computed truth value."""
    names = {name for one in (first, second) if one.kind == "relation" for name in one.value.split(" ")}
    if EMPTY not in (*first.parts, *second.parts) and names <= _TRUTHS:
        yield from _tries(first, second, settings, seeds)


def _written(probe: Recorder, shown: dict[str, Any]) -> dict[str, Any] | None:
    point = {name: write(value) for name, value in sorted(probe.letters.items())}
    found = {"point": point, "calls": list(probe.calls.values()), "ranges": probe.ranges, **shown, **_tables(probe)}
    return found if len(probe.calls) <= _MOST else None


def _tables(probe: Recorder) -> dict[str, Any]:
    """The probability tables: cells for each function, and values for each variable."""
    tables = probe.setting.tables
    if tables is None:
        return {}
    axes = [[spell_tree(one), [] if one.value in tables.indexed else probe.labels_of(one)] for one in tables.variables]
    cells = [
        [name, [spell_tree(one) for one in indices.parts], list(probe.cells(table).values())]
        for (name, indices), table in tables.families
    ]
    return {"tables": {"axes": axes, "cells": cells}}


def find_sides(first: Node, second: Node, sides: Sequence[int], settings: Settings) -> dict[str, Any] | None:
    """Find a point at which a side of one statement and a side of the other have different values."""
    for seed in range(SEEDS):
        probe = Recorder(settings.at(seed, loose=True))
        found = [evaluate(probe, statement.parts[place]) for statement, place in zip((first, second), sides)]
        if any(one is None or one.lost for one in found):
            continue
        if values.compare(*(one.value for one in found if one is not None)) is False:
            for side in (*first.parts, *second.parts):  # record the values in all sides
                evaluate(probe, side)
            return _written(probe, {"sides": list(sides)})
    return None


def _show(probe: Probe, first: Node, second: Node) -> dict[str, Any] | None:
    """The differing truth values of statements or values of expressions at a point; None if they do not differ."""
    if first.kind != "relation":
        sides = [evaluate(probe, one) for one in (first, second)]
        if any(one is None or one.lost for one in sides):
            return None
        both = [one.value for one in sides if one is not None]
        return {"values": [write(one) for one in both]} if values.compare(*both) is False else None
    holds = [find_truth(probe, one) for one in (first, second)]
    return {"holds": holds} if None not in holds and holds[0] != holds[1] else None


def _tries(first: Node, second: Node, settings: Settings, seeds: int) -> Iterator[tuple[Setting, dict[Node, Value]]]:
    """Yield candidate points: as drawn, with a side that is a single letter or call set, and solved."""
    tables = settings.base.tables
    shown = shows_matrices(*(side for side in (*first.parts, *second.parts) if side.kind != "symbol"))
    for matrices in (False, True) if shown and not tables else (False,):
        for seed in range(seeds):
            setting = settings.at(seed, loose=True, signed=bool(seed % 2), matrices=matrices)
            yield setting, {}
            for node in dict.fromkeys((*first.parts, *second.parts)):
                is_free = node.kind == "symbol" or (node.kind == "call" and node.value not in COMPUTED)
                is_free = is_free and not (tables and tables.holds(node))
                if is_free and not _is_called_otherwise(node, first, second) and first.kind == "relation":
                    for target in _targets(setting, node, (*first.parts, *second.parts)):
                        yield setting, {node: target}
    if first.value == second.value == "=" and len(first.parts) == len(second.parts) == 2 and not tables:
        ways = [(first.parts, second.parts), (second.parts, first.parts)]
        for one, other in ways:
            for node, value, setting in solving.solutions(one, other, settings):  # type: ignore[arg-type]
                yield setting, {node: value}


def _is_called_otherwise(node: Node, *statements: Node) -> bool:
    """Whether a function also occurs with other arguments, which may have the same value."""
    calls = (one for statement in statements for one in statement.walk() if one.kind == node.kind == "call")
    return any(one.value == node.value and one != node for one in calls)


def _targets(setting: Setting, node: Node, sides: Sequence[Node]) -> list[Value]:
    """Values to try for a side that is a single letter or call: those of other sides, between and beyond them."""
    probe = Probe(setting)
    found = [evaluate(probe, side) for side in sides if side != node]
    numbers = [one.value for one in found if one is not None]
    reals = [one for one in numbers if isinstance(one, float)]
    between = [(one + other) / 2 for one, other in zip(reals, reals[1:])]
    return [*numbers, *between, *(one + 1 for one in reals), *(one - 1 for one in reals)]


def write(value: Value) -> Any:
    """A value for JSON: a number, a list of the rows of a matrix, or a pair under ``complex``."""
    if isinstance(value, tuple):
        return [list(map(write, value[row : row + 3])) for row in (0, 3, 6)]
    if isinstance(value, complex):
        return {"complex": [value.real, value.imag]}
    return value


def _short(value: Value) -> str:
    return f"{value + 0.0:.6g}" if isinstance(value, float) else str(write(value))
