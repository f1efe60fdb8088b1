"""Conditions that fix letters, so that different expressions may be equal wherever the conditions hold.

``(-1)^n`` is 1 if n is even, ``x^2`` is ``x`` for x in {0, 1}, and ``\\delta_{ij} a_i`` is ``\\delta_{ij} a_j``.
Bounds, and sets that are a letter or all numbers, leave letters free: smooth functions that differ also differ there.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from scholartools.tasks.equations.certificates import comparison, relations, values
from scholartools.tasks.equations.certificates.canonical import canonical, spell
from scholartools.tasks.equations.certificates.evidence import COMMONLY_WHOLE
from scholartools.tasks.equations.certificates.identities import outermost
from scholartools.tasks.equations.certificates.notation import is_named_by_paper
from scholartools.tasks.equations.trees import vocabulary as v
from scholartools.tasks.equations.trees.tree import EMPTY, Node

_WHOLE_SETS = frozenset(["\\mathbb{Z}", "\\mathbb{N}"])
_SMALL_SETS = frozenset(["\\mathbb{F}", "\\mathbb{B}", "O", "U"])  # fields, truth values, groups of matrices
_JOINS = frozenset(["\\times", "\\cup", "\\cap", "\\setminus"])
_MEMBERSHIPS = frozenset(["\\in", "\\notin", "\\subset", "\\subseteq"])
_TRUTH = frozenset("\\mathbb{1} \\mathbf{1} \\mathbb{I} \\mathbf{I} \\mathrm{1} 1 I [] \\chi".split())
_DELTAS = frozenset(["\\delta", "\\delta^"])
_LONE_LETTER = re.compile(r"(?<![A-Za-z])[A-Za-z](?![A-Za-z])")
_CLEAR = 2  # minimum number of points within bounds at which values differ


@dataclass
class _Fixed:
    """Letters that conditions restrict.

    Attributes:
        letters: letters that may have few values.
        whole: letters that are integers.
        ordered: letters in ``bounds``.
    """

    letters: set[str] = field(default_factory=set)
    whole: set[str] = field(default_factory=set)
    ordered: set[str] = field(default_factory=set)
    bounds: list[Node] = field(default_factory=list)

    def add(self, condition: Node) -> None:
        """Add a condition; words may restrict the letters among them in any way."""
        if condition.kind == "relation":
            self._add_relation(condition)
        elif condition.kind in ("tuple", "list"):
            for part in condition.parts:
                self.add(part)
        elif condition.kind == "words":
            self.letters |= set(_LONE_LETTER.findall(condition.value))
        elif condition.kind != "symbol" or condition.value.isalpha():
            self.letters |= _names_of(condition)

    def _add_relation(self, condition: Node) -> None:
        names = condition.value.split(" ")
        names = names[: names.index(":")] if ":" in names else names
        held = _names_of(condition) if len(names) == len(condition.parts) - 1 else set()
        for name, (left, right) in zip(names, itertools.pairwise(condition.parts)):
            letters = _names_of(left)
            if name in relations.ORDERS:
                letters |= _names_of(right)
                self.ordered |= letters
                self.letters |= letters & COMMONLY_WHOLE if len(held) == 1 else set()
                self.bounds.append(Node("relation", name, (left, right)))
            elif name in _MEMBERSHIPS:
                self._add_membership(letters, right)
            elif name == "\\sim":
                self.letters |= letters if len(right.value.strip("\\")) > 1 and right.value.isalpha() else set()
            elif name == "\\mid":
                self.whole |= letters | _names_of(right)
            elif name != "\\neq":
                self.letters |= letters | _names_of(right)

    def _add_membership(self, letters: set[str], of: Node) -> None:
        head = of.value.rstrip("^")
        if of.kind == "pow" or (of.kind == "binary" and of.value in _JOINS):
            for part in of.parts if of.kind == "binary" else of.parts[:1]:
                self._add_membership(letters, part)
        elif of.kind == "symbol" and not (head in _SMALL_SETS or (head in _WHOLE_SETS and of.parts)):
            self.whole |= letters if head in _WHOLE_SETS else set()
        elif of.kind == "call" and of.value in ("()", "[]", "(]", "[)") and len(of.parts) == 3:
            self.ordered |= letters
        elif of.kind == "call" and (of.value == "[]" or any(one.value == v.DOTS for one in of.parts)):
            self.whole |= letters
        elif of.kind != "call" or not is_named_by_paper(of.value) or of.value in _SMALL_SETS:
            self.letters |= letters


def may_agree(conditions: Sequence[Node], pair: tuple[Node, Node]) -> bool:
    """Whether two different values may be equal where the conditions hold."""
    fixed = _Fixed()
    for condition in conditions:
        fixed.add(condition)
    names = _names_of(pair[0]) | _names_of(pair[1])
    if fixed.ordered & names and any(map(comparison.tells_signs, pair)) and not _differ_within(fixed.bounds, pair):
        return True
    if fixed.whole & names and any(map(comparison.has_period, pair)):
        return True
    return _holds_fixed(fixed.letters, pair)


def _holds_fixed(letters: set[str], pair: tuple[Node, Node]) -> bool:
    """Whether fixed letters occur as values, or distinguish two letters or calls of the same name."""
    units = [Counter(_units(value)) for value in pair]
    if any(one.kind == "symbol" and one.value in letters for found in units for one in found):
        return True
    apart = [*(units[0] - units[1]), *(units[1] - units[0])]
    names = Counter(one.value for one in {*units[0], *units[1]} if one.parts)
    return any(names[one.value] > 1 and letters & _names_of(one) for one in apart)


def _differ_within(bounds: Sequence[Node], pair: tuple[Node, Node]) -> bool:
    """Whether two values differ at points at which the bounds hold."""
    settings = comparison.Settings(pair[:1], pair[1:])
    sides = [side for bound in bounds for side in bound.parts]
    n_apart = 0
    for seed, changes in itertools.product(range(comparison.SEEDS), ({}, {"signed": True}, {"unit": True})):
        found = comparison.evaluate_all(settings.at(seed, **changes), [*pair, *sides])
        if found is None or not all(isinstance(one, float) for one in found):
            continue
        one, other, *ends = found
        lows_and_highs = zip(bounds, ends[::2], ends[1::2])
        holds = all((low < high) == (bound.value in ("<", "\\leq")) for bound, low, high in lows_and_highs)  # type: ignore[operator]
        n_apart += holds and values.compare(one, other) is False
    return n_apart >= _CLEAR


def _names_of(node: Node) -> set[str]:
    """The letters in a node, including single letters in words."""
    letters = {one.value for one in node.walk() if one.kind == "symbol"}
    return letters | {name for one in node.walk() if one.kind == "words" for name in _LONE_LETTER.findall(one.value)}


def _units(value: Node) -> Iterator[Node]:
    """Yield the letters with their indices, and the calls of functions of the paper, in a value."""
    if value.kind == "symbol" or (value.kind == "call" and is_named_by_paper(value.value)):
        yield value
    else:
        for part in value.parts:
            yield from _units(part)


def may_agree_beside(statements: Sequence[Node], place: int, other: Node) -> bool:
    """Whether the other statements of a formula may make two different statements equal."""
    own = statements[place]
    apart = [Counter(one.parts) - Counter(two.parts) for one, two in ((own, other), (other, own))]
    pair = Node("tuple", "", (*apart[0],)), Node("tuple", "", (*apart[1],))
    beside = [one for index, one in enumerate(statements) if index != place]
    if any(one.kind == "words" and _says_much(one.value) for one in beside):
        beside += [Node("words", one.value) for one in beside if one.kind == "symbol"]
    return bool(beside) and may_agree([one for one in beside if one.kind != "symbol"], pair)


def _says_much(words: str) -> bool:
    """Whether words may restrict the letters next to them, as ``for even`` does."""
    told = [one for one in re.findall(r"[a-z]+", words.removeprefix("\\text").lower()) if len(one) > 1]
    return any(one not in v.WORDS for one in told)


def may_agree_within(first: Node, second: Node) -> bool:
    """Whether a condition within two different statements may make them equal.

    This is a condition of a sum or an extremum, a prefix such as "x in S:", or a factor that is zero elsewhere.
    """
    for one, other in zip(outermost(first, _is_bound), outermost(second, _is_bound)):
        bodies = one.parts[3], other.parts[3]
        same = _conditions_of(one) == _conditions_of(other) and bodies[0] != bodies[1]
        if same and (may_agree(_conditions_of(one), bodies) or may_agree_within(*bodies)):
            return True
    if _says_of_what(first) and may_agree([first], (first, second)):
        return True
    found = [list(outermost(canonical(node), _is_picked)) for node in (first, second)]
    spelled = [set(map(spell, one)) for one in found]
    lost, new = ([one for one in found[at] if spell(one) not in spelled[1 - at]] for at in (0, 1))
    return any(_may_be_picked(one, lost, new) for one in (*lost, *new))


def _says_of_what(statement: Node) -> bool:
    """Whether a statement begins with its domain: ``x in {0, 1}: f(x) = x``."""
    if statement.kind != "relation":
        return False
    names = statement.value.split(" ")
    return ":" in names[1:] and set(names[: names.index(":")]) <= _MEMBERSHIPS | relations.ORDERS


def _is_bound(node: Node) -> bool:
    return node.kind == "bind" and bool(_conditions_of(node))


def _conditions_of(bind: Node) -> list[Node]:
    """The conditions of a ``bind`` node; without an upper limit ``i = j`` is one, except for integrals."""
    start, end, condition, _, *variables = bind.parts
    found = [condition] if condition is not EMPTY else []
    is_equal = bind.value not in v.INTEGRALS and end is EMPTY and start.kind not in ("empty", "number")
    return found + [Node("relation", "=", (one, start)) for one in variables if is_equal]


def _picks(factor: Node) -> bool:
    """Whether a factor is zero unless letters are equal or a condition holds: a delta or an indicator."""
    if factor.kind == "symbol":
        return bool(factor.parts) and factor.value in _DELTAS | _TRUTH
    is_truth = factor.value in _TRUTH and any(part.kind == "relation" for part in factor.parts)
    return factor.kind == "call" and (factor.value in _DELTAS or is_truth)


def _is_picked(node: Node) -> bool:
    """Whether a product has a delta or an indicator as a factor."""
    if node.kind != "mul":
        return False
    spread = [one for one in node.parts if one == Node("symbol", "\\delta")]
    return any(map(_picks, node.parts)) or (bool(spread) and any(one.kind == "add" for one in node.parts))


def _may_be_picked(product: Node, lost: Sequence[Node], new: Sequence[Node]) -> bool:
    """Whether the delta or indicator of a product may remove its difference from products of the other statement."""
    picking = [one for one in product.parts if _picks(one)] or [one for one in product.parts if one.kind == "add"]
    rest = [one for one in product.parts if one not in picking]
    letters = set().union(*map(_names_of, picking)) - _DELTAS
    if not lost or not new:
        return bool(letters & set().union(*map(_names_of, rest), set()))
    alike = [one for one in (*lost, *new) if one is not product and all(part in one.parts for part in picking)]
    others = [[part for part in one.parts if part not in picking] for one in alike]
    return any(_holds_fixed(letters, (Node("mul", "", (*rest,)), Node("mul", "", (*other,)))) for other in others)
