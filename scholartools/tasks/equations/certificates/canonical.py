"""Canonical form of formulas, independent of the order of terms and sides, bound names and notation.

Products keep their order, because factors may be matrices; numbers move to the front.
"""

from __future__ import annotations

import hashlib
import math
import re
from fractions import Fraction
from functools import lru_cache, reduce

from scholartools.tasks.equations.certificates import relations
from scholartools.tasks.equations.trees import vocabulary as v
from scholartools.tasks.equations.trees.tree import EMPTY, Node

_MINUS = Node("number", "-1")
_ANY_ORDER = frozenset(["max", "min", "sup", "inf", "gcd"])
_EVEN = frozenset(["abs", "norm"])
_OPERATOR = re.compile(r"(?:\\(?:mathbf|boldsymbol|mathcal)\{)?[A-Z]\}?$|\\hat\{[A-Za-z]\}$")
_KEPT = 1024  # size of the caches of texts and canonical forms


@lru_cache(maxsize=_KEPT)
def spell(node: Node) -> str:
    """A node as text without spans: texts are equal if and only if the nodes are."""
    inner = " ".join(spell(part) for part in node.parts)
    return f"({node.kind}:{node.value} {inner})" if inner else f"{node.kind}:{node.value}"


def fingerprint(nodes: list[Node]) -> str:
    """Hash of canonical formulas, 12 hexadecimal digits."""
    return hashlib.sha256("\n".join(spell(node) for node in nodes).encode()).hexdigest()[:12]


@lru_cache(maxsize=_KEPT)
def canonical(node: Node) -> Node:
    """The canonical form of a formula."""
    return _make_canonical(node, {})


def _canonical_within(node: Node, bound: dict[Node, Node]) -> Node:
    """The canonical form of a node, with the canonical names of variables that are bound around it."""
    if node in bound:
        return bound[node]
    return _make_canonical(node, bound) if bound else canonical(node)


def _make_canonical(node: Node, bound: dict[Node, Node]) -> Node:
    if node.kind == "bind":
        return _bind(node, bound)
    parts = [_canonical_within(part, bound) for part in node.parts]
    kind = node.kind
    if kind == "number":
        return _number(Fraction(node.value))
    if kind == "neg":
        return _multiply([_MINUS, *parts])
    if kind == "add":
        return _add(parts)
    if kind == "mul":
        return _multiply(parts)
    if kind == "div":
        return _multiply([parts[0], _power(parts[1], _MINUS)])
    if kind == "pow":
        return _power(parts[0], parts[1])
    if kind == "relation":
        return _relation(node.value, parts)
    if kind == "binary" and node.value in v.COMMUTATIVE:
        return Node(kind, node.value, (*sorted(parts[:2], key=spell), *parts[2:]))
    if kind == "call":
        return _call(node.value, parts)
    return Node(kind, node.value, tuple(parts))


def negative(node: Node) -> Node:
    """The canonical negative of a canonical node."""
    return _multiply([_MINUS, node])


def _number(value: Fraction) -> Node:
    return Node("number", str(value))


def _is_number(node: Node) -> bool:
    return node.kind == "number"


def _add(parts: list[Node]) -> Node:
    terms = [term for part in parts for term in (part.parts if part.kind == "add" else (part,))]
    if any(term.value == v.DOTS for term in terms):  # the meaning of dots depends on the order
        return Node("add", v.DOTS, tuple(terms))
    total = sum((Fraction(term.value) for term in terms if _is_number(term)), Fraction(0))
    rest = [term for term in terms if not _is_number(term)]
    if total or not rest:
        rest.append(_number(total))
    return rest[0] if len(rest) == 1 else Node("add", "", tuple(sorted(rest, key=spell)))


def _multiply(parts: list[Node]) -> Node:
    factors = [factor for part in parts for factor in (part.parts if part.kind == "mul" else (part,))]
    number = reduce(lambda a, b: a * b, (Fraction(one.value) for one in factors if _is_number(one)), Fraction(1))
    rest = [one for one in factors if not _is_number(one)]
    if not rest:
        return _number(number)
    if len(rest) == 1 and rest[0].kind == "add" and not rest[0].value and number == -1:
        return _add([_multiply([_MINUS, term]) for term in rest[0].parts])
    turned = next((place for place, one in enumerate(rest) if _is_commutator(one)), None)
    if number < 0 and turned is not None:
        indices, left, right = rest[turned].parts
        rest[turned], number = Node("call", "[]", (indices, right, left)), -number
    if number != 1:
        rest.insert(0, _number(number))
    return rest[0] if len(rest) == 1 else Node("mul", "", tuple(rest))


def _is_commutator(node: Node) -> bool:
    """Whether a node is a commutator: two capital letters, or letters with a hat, in square brackets."""
    pair = node.parts[1:] if node.kind == "call" and node.value == "[]" else ()
    return len(pair) == 2 and all(one.kind == "symbol" and _OPERATOR.match(one.value) for one in pair)


def _power(base: Node, exponent: Node) -> Node:
    if base == Node("symbol", "e"):
        return Node("call", "exp", (Node("list"), exponent))
    if _is_number(exponent):
        power = Fraction(exponent.value)
        if power == 1:
            return base
        if _is_number(base) and power.denominator == 1 and abs(power) <= 16 and Fraction(base.value) != 0:
            return _number(Fraction(base.value) ** int(power))
        if base.kind == "add" and power.denominator == 1 and power % 2 == 0:
            base = _either_sign(base)
    return Node("pow", "", (base, exponent))


def _either_sign(node: Node) -> Node:
    """The representative of a node and its negative, for even functions."""
    return min(node, negative(node), key=spell)


def _call(name: str, parts: list[Node]) -> Node:
    indices, arguments = parts[0], parts[1:]
    if name in ("floor", "ceil") and len(arguments) == 1 and _is_number(arguments[0]):
        value = Fraction(arguments[0].value)
        return _number(Fraction(math.floor(value) if name == "floor" else math.ceil(value)))
    if name in _EVEN:
        arguments = [_either_sign(one) if one.kind in ("add", "mul") else one for one in arguments]
    if name in _ANY_ORDER:
        arguments = sorted(arguments, key=spell)
    return Node("call", name, (indices, *arguments))


def _relation(value: str, parts: list[Node]) -> Node:
    names = value.split(" ")
    if set(names) <= {"="} or (len(names) == 1 and relations.is_symmetric(value)):
        return Node("relation", value, tuple(sorted(parts, key=spell)))
    parts = [one for group in relations.group_equal(names, parts) for one in sorted(group, key=spell)]
    either = [Node("relation", value, tuple(parts))]
    if (turned := relations.mirror(value)) is not None:
        groups = relations.group_equal(turned.split(" "), parts[::-1])
        either.append(Node("relation", turned, tuple(one for group in groups for one in sorted(group, key=spell))))
    return min(either, key=spell)


def _bind(node: Node, bound: dict[Node, Node]) -> Node:
    """The canonical form of a ``bind`` node; bound variables are named by their nesting depth."""
    start, end, condition, body, *variables = node.parts
    ends = [one if one is EMPTY else _canonical_within(one, bound) for one in (start, end)]
    inner = dict(bound)
    for variable in variables:
        inner[variable] = Node("symbol", f"#{len(inner)}")
    within = [one if one is EMPTY else _canonical_within(one, inner) for one in (condition, body)]
    made = Node("bind", node.value, (*ends, *within, *(inner[variable] for variable in variables)))
    if node.value == "\\int" and EMPTY not in ends and spell(ends[0]) > spell(ends[1]) and len(variables) < 2:
        return negative(Node("bind", node.value, (ends[1], ends[0], *made.parts[2:])))
    return made
