"""Compare two statements about probabilities by tables of joint probabilities.

Conditional probabilities are related by Bayes' rule, so that independently drawn values prove nothing. Two statements
differ if one holds for a table and the other does not. Each function may have a separate table (``p`` and ``q``), or
several functions share one (``p_X`` and ``p_{X | Y}``): the statements must differ in both cases. Formulas with parts
that a table cannot evaluate are not compared.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from scholartools.tasks.equations.certificates import tables, witness
from scholartools.tasks.equations.certificates.bounds import find_truth
from scholartools.tasks.equations.certificates.canonical import spell
from scholartools.tasks.equations.certificates.comparison import CLEAR, Settings
from scholartools.tasks.equations.certificates.probes import Probe
from scholartools.tasks.equations.certificates.tables import Tables
from scholartools.tasks.equations.trees import vocabulary as v
from scholartools.tasks.equations.trees.tree import EMPTY, Node

_MOST = 6  # maximum number of variables of a table
_SEEDS = 12  # number of tables that are tried
_INFINITE = (Node("neg", "", (Node("symbol", "\\infty"),)), Node("symbol", "\\infty"))
_PLAIN_KINDS = frozenset("symbol number add mul neg div pow call bind list relation empty".split())
_CALLS = frozenset("exp log ln".split())
_DRESS = re.compile(
    r"\\(?:hat|bar|tilde|vec|mathbf|boldsymbol|mathrm|mathcal|mathbb|mathsf|bm|dot|overline|underline)\b"
)


@dataclass(frozen=True)
class Comparison:
    """Whether two statements can be evaluated by tables, and settings at which they differ, or None."""

    is_read: bool
    apart: Settings | None


@lru_cache(maxsize=16)
def compare(first: Node, second: Node) -> Comparison:
    """Whether one of two statements holds for tables for which the other does not.

    They are not proven different if, with separate or shared tables, both hold at a point and too few points differ.
    """
    is_relation = first.kind == second.kind == "relation"
    if not is_relation or not any(map(_has_condition, first.walk() + second.walk())):
        return Comparison(False, None)
    is_read, found = False, None
    for one in _read(first, second):
        settings = Settings([first], [second])
        settings.base = replace(settings.base, tables=one)
        n_apart, n_both = _count_truths(first, second, settings)
        if n_both and n_apart < CLEAR:
            return Comparison(True, None)
        is_read, found = True, found or (settings if n_apart >= CLEAR else None)
    return Comparison(is_read, found)


def _count_truths(first: Node, second: Node, settings: Settings) -> tuple[int, int]:
    """The numbers of tables for which only one statement holds, up to ``CLEAR``, and for which both hold."""
    apart: set[int] = set()
    both: set[int] = set()
    for setting, given in witness.find_points(first, second, settings, _SEEDS):
        probe = Probe(setting, given)
        holds = find_truth(probe, first), find_truth(probe, second)
        if None not in holds and any(holds):
            (both if all(holds) else apart).add(setting.seed)
        if len(apart) == CLEAR:
            break
    return len(apart), len(both)


def find_witness(first: Node, second: Node) -> dict[str, Any] | None:
    """A point at which the statements differ, with its probability tables; None if they are not proven different."""
    settings = compare(first, second).apart
    return witness.find(first, second, settings, _SEEDS) if settings else None


def _has_condition(node: Node) -> bool:
    return _is_probability(node) and bool(tables.sides_of_bar(node)[1])


def _is_probability(node: Node) -> bool:
    return node.kind == "call" and node.value in v.DENSITIES


def _read(first: Node, second: Node) -> Iterator[Tables]:
    """Yield the tables of two statements: separate ones for all functions, and shared ones; none if not possible."""
    calls = list(dict.fromkeys(one for node in (first, second) for one in node.walk() if _is_probability(one)))
    variables = _variables(calls, first, second)
    if variables is None:
        return
    indexed = frozenset(one.value for one in variables if _is_index_bound(one, first, second))
    indices = _summed_indices(indexed, first, second)
    axes = tuple(dict.fromkeys(Node("symbol", one.value) if one.value in indexed else one for one in variables))
    if not _are_told_apart(axes, calls, indexed) or indices is None or len(axes) > _MOST:
        return
    if not all(_is_read(node, axes, indexed, node) for node in (first, second)):
        return
    families = list(dict.fromkeys((one.value, one.parts[0]) for one in calls))
    alone = list(range(len(families)))
    shared = _share(families, calls)
    for numbers in (alone,) if shared == alone else (alone, shared):
        yield Tables(tuple(zip(families, numbers)), axes, indexed, indices)


def _share(families: Sequence[tuple[str, Node]], calls: Sequence[Node]) -> list[int]:
    """The table of each function if functions share tables unless they have the same arguments."""
    arguments = [
        {frozenset(map(spell, one.parts[1:])) for one in calls if (one.value, one.parts[0]) == family}
        for family in families
    ]
    found: list[int] = []
    for place, held in enumerate(arguments):
        taken = {number for at, number in enumerate(found) if held & arguments[at]}
        found.append(min(set(found) - taken, default=place))
    return found


def _variables(calls: Sequence[Node], first: Node, second: Node) -> list[Node] | None:
    """The variables of probabilities; None if an argument is not a variable."""
    found: dict[Node, None] = {}
    named: set[tuple[str, str]] = set()
    for call in calls:
        before, after = tables.sides_of_bar(call)
        letters = tables.letters_of([*before, *after])
        if len(call.parts) < 2 or len(set(letters)) < len(letters) or not all(map(_is_letter, letters)):
            return None
        found |= dict.fromkeys(letters)
        for event in (one for part in call.parts[1:] for one in part.walk() if one.kind == "relation"):
            if event.value != "=" or event.parts[0].kind != "symbol" or event.parts[0].parts:
                return None
            named.add((event.parts[0].value, event.parts[1].value))
    names, values = {one for one, _ in named}, {one for _, one in named}
    is_one_to_one = len(names) == len(values) == len(named)
    return list(found) if is_one_to_one and not names & {one.value for one in found} else None


def _is_letter(node: Node) -> bool:
    """Whether a node is a letter with at most one index: a letter, a number, or a sum of these."""
    if node.kind != "symbol" or node.value in (";", v.DOTS, "\\cdot", "\\infty", "\\emptyset", "\\Omega"):
        return False
    return len(node.parts) < 2 and all(
        part.kind in ("symbol", "number")
        or (part.kind == "add" and all(one.kind in ("symbol", "number", "neg") for one in part.parts))
        for part in node.parts
    )


def _is_index_bound(letter: Node, first: Node, second: Node) -> bool:
    """Whether a sum or a product is over the index of a letter."""
    bound = {one for node in (first, second) for part in node.walk() if part.kind == "bind" for one in part.parts[4:]}
    return bool(bound & {one for part in letter.parts for one in part.walk()})


def _summed_indices(indexed: frozenset[str], first: Node, second: Node) -> frozenset[Node] | None:
    """The indices over which sums without limits run; None if one of them also has a sum with limits."""
    found: set[Node] = set()
    for node in (one for statement in (first, second) for one in statement.walk() if one.kind == "bind"):
        held = {part for one in node.walk() if one.kind == "symbol" and one.value in indexed for part in one.parts}
        if node.parts[:3] == (EMPTY,) * 3 and node.value == "\\sum" and set(node.parts[4:]) <= held:
            found |= set(node.parts[4:])
    ended = {
        variable
        for statement in (first, second)
        for one in statement.walk()
        if one.kind == "bind" and one.parts[:3] != (EMPTY,) * 3
        for variable in one.parts[4:]
    }
    return None if found & ended else frozenset(found)


def bare(name: str) -> str:
    """A letter in lower case, without fonts, accents and marks."""
    return re.sub(r"[{}'^* ]", "", _DRESS.sub("", name)).lower()


def _are_told_apart(axes: Sequence[Node], calls: Sequence[Node], indexed: frozenset[str]) -> bool:
    """Whether all variables are clearly distinct, unlike ``x`` and ``X``, ``z`` and ``z'``, or ``x`` and ``x_i``."""
    for one, other in itertools.combinations(axes, 2):
        if bare(one.value) == bare(other.value) and (one.value != other.value or not one.parts or not other.parts):
            return False
    for call in calls:
        letters = tables.letters_of([event for side in tables.sides_of_bar(call) for event in side])
        names = [one.value for one in letters if one.value in indexed]
        if len(set(names)) < len(names) or any(len(one.parts) != 1 for one in letters if one.value in indexed):
            return False
    return not {bare(one.value) for one in axes} & {bare(call.value) for call in calls}


def _is_read(node: Node, axes: Sequence[Node], indexed: frozenset[str], statement: Node) -> bool:
    """Whether all parts of a statement can be evaluated with tables."""
    if _is_probability(node):
        return True
    if node.kind not in _PLAIN_KINDS or (node.kind == "relation" and node is not statement):
        return False
    if node.kind == "call" and node.value not in _CALLS and not _is_free_call(node):
        return False
    if node.kind == "symbol":
        is_variable = node in axes or node.value in indexed
        return is_variable or bare(node.value) not in {bare(one.value) for one in axes}
    if node.kind == "bind" and not _is_read_sum(node, axes):
        return False
    parts = (*node.parts[:2], node.parts[3]) if node.kind == "bind" else node.parts
    return all(_is_read(one, axes, indexed, statement) for one in parts)


def _is_free_call(node: Node) -> bool:
    """Whether a call is of an unknown function with a single letter as its name."""
    name = node.value.rstrip("'")
    return (
        len(name) == 1
        and name.isalpha()
        and name not in "EHIDV"
        and not any(part.kind == "tuple" for part in node.parts)
    )


def _is_read_sum(node: Node, axes: Sequence[Node]) -> bool:
    """Whether a sum is over all values of variables, or over an index."""
    start, end, condition, _, *bound = node.parts
    if node.value not in ("\\sum", "\\prod", "\\int") or not bound:
        return False
    if set(bound) & set(axes):
        is_whole = (start, end) in ((EMPTY, EMPTY), _INFINITE)
        is_member = condition.value == "\\in" and condition.parts[0] in bound and condition.parts[1].kind == "symbol"
        return set(bound) <= set(axes) and is_whole and (condition is EMPTY or is_member) and node.value != "\\prod"
    return condition is EMPTY and node.value != "\\int"
