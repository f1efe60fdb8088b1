"""Definitions of operators, with which undecided statements are compared again.

A definition can only show that two statements are the same, not that they differ. The exception are sums with dots: if
all dots can be replaced by sums, values decide as for explicit sums. Each row of the table has a pair that is the same
by the definition, and a pair that is not; tests check both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from scholartools.tasks.equations.certificates.canonical import canonical, spell
from scholartools.tasks.equations.trees import vocabulary as v
from scholartools.tasks.equations.trees.tree import EMPTY, Node

_NONE = Node("list")
_ONE, _TWO = Node("number", "1"), Node("number", "2")
_ENTROPIES = {"I": "H", "\\mathbb{I}": "\\mathbb{H}", "\\mathcal{I}": "\\mathcal{H}", "\\mathrm{I}": "\\mathrm{H}"}
_DISTRIBUTIONS = frozenset("pqPQ")
_ORDERS = frozenset("O \\mathcal{O} \\mathrm{O} \\tilde{O} \\tilde{\\mathcal{O}}".split())
_MEANS = ("\\mathbb{E}", "\\mathbf{E}", "\\mathrm{E}", "E")
_VARIANCES = frozenset(["Var", "\\mathbb{V}"])


class Definition(NamedTuple):
    """A definition as a rewriting of nodes; a pair that is the same by it; and a pair that is not."""

    spell_out: Callable[[Node, str], Node]
    example: tuple[str, str]
    counter: tuple[str, str]


def spell_out(node: Node, mean: str) -> Node:
    """Apply all definitions to a statement; ``mean`` is the name of expectations."""
    if not node.parts:
        return node
    node = Node(node.kind, node.value, tuple(spell_out(part, mean) for part in node.parts))
    for row in DEFINITIONS:
        node = row.spell_out(node, mean)
    return node


def name_of_mean(*statements: Node) -> str:
    """The name of expectations in statements; a default if they have none."""
    found = {one.value for node in statements for one in node.walk() if one.kind == "call"}
    return next((name for name in _MEANS if name in found), _MEANS[0])


def _sides_of_bar(arguments: tuple[Node, ...]) -> tuple[list[Node], list[Node]] | None:
    """The arguments before and after a single bar; None unless all are plain letters with distinct names."""
    bars = [place for place, one in enumerate(arguments) if one.kind == "tuple" and one.value == "|"]
    places = bars[0] if bars else len(arguments)
    middle = arguments[places].parts if bars else ()
    before, after = [*arguments[:places], *middle[:1]], [*middle[1:], *arguments[places + 1 :]]
    names = [one.value.rstrip("'") for one in (*before, *after)]
    is_plain = all(one.kind == "symbol" and one.value.isidentifier() for one in (*before, *after))
    return (before, after) if is_plain and len(bars) < 2 and len(set(names)) == len(names) else None


def _conditional(node: Node, _mean: str) -> Node:
    """A conditional probability as a ratio of joint ones, which are powers of 2 and thus positive numbers."""
    if node.kind != "call" or node.value not in v.PROBABILITIES:
        return node
    if (sides := _sides_of_bar(node.parts[1:])) is None:
        return node
    arguments = [sorted(one, key=spell) for one in ([*sides[0], *sides[1]], sides[1]) if one]
    first, *given = (Node("symbol", f"log {node.value}", (*node.parts[0].parts, *one)) for one in arguments)
    exponent = Node("add", "", (first, Node("neg", "", (given[0],)))) if given else first
    return Node("pow", "", (_TWO, exponent))


def _logarithm(node: Node, _mean: str) -> Node:
    """The logarithm of a power of two, for any base."""
    if node.kind != "call" or node.value not in ("log", "ln") or len(node.parts) != 2:
        return node
    inner = node.parts[1]
    if inner.kind != "pow" or inner.parts[0] != _TWO:
        return node
    return Node("mul", "", (inner.parts[1], Node("call", node.value, (node.parts[0], _TWO))))


def _growth(node: Node, _mean: str) -> Node:
    """An order of growth without a numeric factor."""
    if node.kind != "call" or node.value not in _ORDERS or len(node.parts) != 2:
        return node
    body = canonical(node.parts[1])
    if body.kind != "mul" or body.parts[0].kind != "number" or body.parts[0].value.startswith("-"):
        return node
    return Node("call", node.value, (node.parts[0], Node("mul", "", body.parts[1:])))


def _modulo(node: Node, _mean: str) -> Node:
    """A sum modulo a number, without terms equal to that number."""
    if node.kind != "binary" or node.value not in ("\\bmod", "\\mod") or node.parts[0].kind != "add":
        return node
    terms = tuple(one for one in node.parts[0].parts if one != node.parts[1])
    return Node("binary", node.value, (Node("add", "", terms), node.parts[1])) if terms else node


def _entropy(node: Node, _mean: str) -> Node:
    """Conditional entropies and mutual information in terms of joint entropies."""
    if node.kind != "call" or len(node.parts) < 2:
        return node
    is_mutual = node.value in _ENTROPIES and node.parts[1] == Node("symbol", ";") and len(node.parts) == 4
    if node.value not in _ENTROPIES.values() and not is_mutual:
        return node
    arguments = node.parts[2:] if is_mutual else node.parts[1:]
    if (sides := _sides_of_bar(arguments)) is None:
        return node
    if not is_mutual and any(one.value in _DISTRIBUTIONS for one in (*sides[0], *sides[1])):
        return node  # ``H(p, q)`` is a cross entropy
    name, ((*first, last), given) = _ENTROPIES.get(node.value, node.value), sides
    signed = [(1, [*first, last, *given]), (-1, given)]
    if is_mutual:
        signed = [(1, [*first, *given]), (1, [last, *given]), (-1, [*first, last, *given]), (-1, given)]
    terms = [(sign, Node("call", name, (node.parts[0], *sorted(one, key=spell)))) for sign, one in signed if one]
    parts = tuple(one if sign > 0 else Node("neg", "", (one,)) for sign, one in terms)
    return Node("add", "", parts) if len(parts) > 1 else parts[0]


def _variance(node: Node, mean: str) -> Node:
    if node.kind != "call" or node.value not in _VARIANCES or len(node.parts) != 2 or node.parts[0].parts:
        return node
    of_square = Node("call", mean, (_NONE, Node("pow", "", (node.parts[1], _TWO))))
    of_mean = Node("pow", "", (Node("call", mean, (_NONE, node.parts[1])), _TWO))
    return Node("add", "", (of_square, Node("neg", "", (of_mean,))))


def _constant_sum(node: Node, _mean: str) -> Node:
    """The sum of a constant over a set: the size of the set times the constant."""
    if node.kind != "bind" or node.value != "\\sum" or len(node.parts) != 5 or node.parts[:2] != (EMPTY, EMPTY):
        return node
    condition, body, variable = node.parts[2:]
    is_membership = condition.kind == "relation" and condition.value == "\\in" and condition.parts[0] == variable
    if not is_membership or condition.parts[1].kind != "symbol" or variable in body.walk():
        return node
    return Node("mul", "", (Node("call", "abs", (_NONE, condition.parts[1])), body))


def _exponential_series(node: Node, _mean: str) -> Node:
    """The sum of ``x^k / k!`` over all ``k`` from 0, as an exponential."""
    if node.kind != "bind" or node.value != "\\sum" or len(node.parts) != 5 or node.parts[0] != Node("number", "0"):
        return node
    body, variable = canonical(node.parts[3]), node.parts[4]
    if node.parts[1] != Node("symbol", "\\infty") or node.parts[2] is not EMPTY:
        return node
    for base in (one.parts[0] for one in body.walk() if one.kind == "pow" and one.parts[1] == variable):
        term = Node("div", "", (Node("pow", "", (base, variable)), Node("call", "!", (_NONE, variable))))
        if canonical(term) == body and variable not in base.walk():
            return Node("call", "exp", (_NONE, base))
    return node


def _dotted_sum(node: Node, _mean: str) -> Node:
    """The explicit sum that dots abbreviate, if the terms around the dots differ only by an index.

    The index starts at 0 or 1 and increases by one in the terms before the dots.
    """
    terms = node.parts
    dots = [place for place, one in enumerate(terms) if one.value == v.DOTS]
    if node.kind != "add" or len(dots) != 1 or not 0 < dots[0] == len(terms) - 2:
        return node
    first, last = terms[0], terms[-1]
    pairs = set(_places_apart(first, last))
    start, end = next(iter(pairs)) if len(pairs) == 1 else (EMPTY, EMPTY)
    if start not in _STARTS or end.kind not in ("symbol", "add") or end.value == v.DOTS:
        return node
    variable = Node("symbol", f"dots {sum(one.kind == 'bind' for one in first.walk())}")
    body = _put_where_apart(first, last, variable)
    for step, term in enumerate(terms[: dots[0]]):
        at = Node("number", str(int(start.value) + step))
        if canonical(_put_where_apart(first, last, at)) != canonical(term):
            return node
    return Node("bind", "\\sum", (start, end, EMPTY, body, variable))


_STARTS = (Node("number", "0"), _ONE)


def spell_dots(node: Node) -> Node:
    """Replace sums with dots in a statement by explicit sums, where possible."""
    if not node.parts:
        return node
    parts = tuple(map(spell_dots, node.parts))
    return _dotted_sum(Node(node.kind, node.value, parts, node.start, node.end), "")


def has_dots(node: Node) -> bool:
    """Whether a statement contains dots."""
    return any(one.value == v.DOTS for one in node.walk())


def _places_apart(first: Node, second: Node) -> Iterator[tuple[Node, Node]]:
    """Yield the pairs of smallest differing parts of two nodes."""
    if first.kind == second.kind and first.value == second.value and len(first.parts) == len(second.parts):
        for one, other in zip(first.parts, second.parts):
            yield from _places_apart(one, other)
    else:
        yield first, second


def _put_where_apart(first: Node, second: Node, new: Node) -> Node:
    """Replace each smallest part of the first node that differs from the second by ``new``."""
    if first == second:
        return first
    if first.kind == second.kind and first.value == second.value and len(first.parts) == len(second.parts):
        parts = (_put_where_apart(one, other, new) for one, other in zip(first.parts, second.parts))
        return Node(first.kind, first.value, tuple(parts))
    return new


DEFINITIONS = (
    Definition(
        _dotted_sum,
        ("y = a_1 + \\dots + a_n", "y = a_1 + a_2 + \\dots + a_n"),
        ("y = a_1 + a_2 + \\dots + a_n", "y = a_1 + a_3 + \\dots + a_n"),
    ),
    Definition(
        _exponential_series,
        ("y = \\sum_{k=0}^\\infty \\frac{a^k}{k!}", "y = e^a"),
        ("y = \\sum_{k=1}^\\infty \\frac{a^k}{k!}", "y = e^a"),
    ),
    Definition(
        _conditional, ("y = p(x \\mid z) p(z)", "y = p(z \\mid x) p(x)"), ("y = p(x \\mid z)", "y = p(z \\mid x)")
    ),
    Definition(
        _logarithm, ("y = \\log p(x, z)", "y = \\log p(x \\mid z) + \\log p(z)"), ("y = \\log p(x)", "y = 2 \\log p(x)")
    ),
    Definition(_growth, ("y = O(2n) + a", "y = a + O(n)"), ("y = O(n^2)", "y = O(n)")),
    Definition(_modulo, ("y = (a + m) \\bmod m", "y = a \\bmod m"), ("y = (a + 1) \\bmod m", "y = a \\bmod m")),
    Definition(_entropy, ("y = H(X) - H(X \\mid Y)", "y = I(Y; X)"), ("y = H(X \\mid Y)", "y = H(Y \\mid X)")),
    Definition(
        _variance,
        ("y = \\operatorname{Var}(X)", "y = \\mathbb{E}[X^2] - \\mathbb{E}[X]^2"),
        ("y = \\operatorname{Var}(X)", "y = \\mathbb{E}[X^2] + \\mathbb{E}[X]^2"),
    ),
    Definition(_constant_sum, ("y = \\sum_{k \\in S} a", "y = |S| a"), ("y = \\sum_{k \\in S} a_k", "y = |S| a_k")),
)
