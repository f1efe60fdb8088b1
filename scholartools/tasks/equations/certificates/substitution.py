"""Change of variables in operators and in statements that hold for all values of a letter.

``\\int_{-\\infty}^\\infty f(x + c) dx`` is ``\\int_{-\\infty}^\\infty f(x) dx``, and a statement about ``f(x)`` for all
``x`` also holds for ``f(-x)``. Integrals without finite limits, suprema, expectations and sums over sets are not
computed. Instead, the variable of one statement is replaced so that an argument, base, exponent or index equals that of
the other: if these are ``t(x)`` and ``s(u)``, and ``t`` is linear, ``x`` is the solution of ``t(x) = s(u)``.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence

from scholartools.tasks.equations.certificates.canonical import canonical
from scholartools.tasks.equations.certificates.evidence import is_computed
from scholartools.tasks.equations.certificates.notation import is_named_by_paper
from scholartools.tasks.equations.certificates.relations import ORDERS
from scholartools.tasks.equations.trees import vocabulary as v
from scholartools.tasks.equations.trees.tree import EMPTY, Node

_ZERO, _ONE, _MINUS = Node("number", "0"), Node("number", "1"), Node("number", "-1")
_MOST_WAYS = 48  # maximum number of substitutions in one statement
_MOST_FREE = 4  # maximum number of free letters that are substituted

_VALUES = frozenset("symbol add mul neg div pow call binary bind transpose derivative".split())

# The replacement of a variable, and the factor by which it scales an integral.
_Way = tuple[Node, Node]


def substitute(first: Node, second: Node) -> Iterator[tuple[Node, Node]]:
    """Yield the two statements with substituted variables in one of them."""
    for one, other in ((first, second), (second, first)):
        for made in itertools.chain(_with_other_bound(one, other), _with_other_free(one, other)):
            yield made, other


def is_open(node: Node) -> bool:
    """Whether an operator binds variables, and probes do not compute it over all of their values."""
    if node.kind != "bind" or len(node.parts) < 5 or node.value.startswith("arg") or is_computed(node):
        return False
    is_ended = EMPTY not in node.parts[:2] and all(
        one.value != v.ENDLESS for end in node.parts[:2] for one in end.walk()
    )
    return not (node.value in v.BIG and is_ended)


def _with_other_bound(one: Node, other: Node) -> Iterator[Node]:
    """Yield a statement with substituted bound variables in the operators that the other statement does not have."""
    sought = [node for node in other.walk() if is_open(node)]
    kept = set(map(canonical, sought))
    choices: list[list[tuple[Node, dict[Node, _Way]] | None]] = [
        [None] if canonical(node) in kept else [None, *_ways_to(node, sought)] for node in one.walk() if is_open(node)
    ]
    for chosen in itertools.islice(itertools.product(*choices), 1, _MOST_WAYS):
        yield from _rebuild_stretched(one, chosen)


def _ways_to(node: Node, sought: Sequence[Node]) -> list[tuple[Node, dict[Node, _Way]]]:
    """Substitutions of the variables of an operator by those of operators of the same kind, each with its target."""
    found: list[tuple[Node, dict[Node, _Way]]] = []
    for target in sought:
        if target.value != node.value or len(target.parts) != len(node.parts):
            continue
        each = [[(variable, way) for way in _solve(node, variable, target)] for variable in node.parts[4:]]
        found += [
            (target, dict(choice)) for choice in itertools.product(*each) if any(x != way[0] for x, way in choice)
        ]
    return found


def _solve(node: Node, variable: Node, target: Node) -> list[_Way]:
    """Replacements of a variable that make an expression of it equal one of the target; first the variable itself."""
    found: dict[Node, _Way] = {variable: (variable, _ONE)}
    there = [(one, new) for new in target.parts[4:] for one in _frames(target.parts[3], new)]
    for frame in _frames(node.parts[3], variable):
        solved = _line(frame, variable)
        if solved is None:
            continue
        slope, rest = solved
        for one, new in there:
            reached = one if rest is _ZERO else Node("add", "", (one, Node("neg", "", (rest,))))
            way = reached if slope == _ONE else Node("div", "", (reached, slope))
            found.setdefault(canonical(way), (way, _stretch(way, new)))
    turned = [Node("neg", "", (new,)) for new in target.parts[4:] if _is_balanced(target)]
    return list({**found, **{canonical(one): (one, _ONE) for one in turned}}.values())


def _is_balanced(node: Node) -> bool:
    """Whether the range of an operator may be symmetric: the real line, or a set without bounds."""
    low, high, condition = node.parts[:3]
    is_line = high.value == v.ENDLESS and canonical(low) == canonical(Node("neg", "", (high,)))
    return is_line or (high is EMPTY and condition.value not in ORDERS)


def _stretch(way: Node, variable: Node) -> Node:
    """The absolute derivative of a replacement with respect to a variable."""
    line = _line(way, variable)
    slope = canonical(line[0]) if line is not None else Node("derivative", "d", (way, variable))
    return _ONE if slope in (_ONE, _MINUS) else Node("call", "abs", (Node("list"), slope))


def _frames(body: Node, variable: Node) -> list[Node]:
    """Expressions of a variable: maximal linear ones, and arguments, bases, exponents and indices."""
    found: list[Node] = [variable]

    def gather(node: Node, *, is_slot: bool) -> None:
        if variable not in node.walk():
            return
        line = _line(node, variable)
        if line is not None or (is_slot and node.kind in _VALUES):
            found.append(node)
        if line is None:
            is_holder = node.kind in ("call", "pow", "symbol", "transpose", "list", "tuple")
            for part in node.parts:
                gather(part, is_slot=is_holder)

    gather(body, is_slot=False)
    return list(dict.fromkeys(found))


def _line(node: Node, variable: Node) -> tuple[Node, Node] | None:
    """Slope and intercept of an expression that is linear in a variable; None for others."""
    if node == variable:
        return _ONE, _ZERO
    holding = [part for part in node.parts if variable in part.walk()]
    if len(holding) != 1 or node.kind not in ("add", "neg", "mul", "div"):
        return None
    inner = _line(holding[0], variable)
    if inner is None or (node.kind == "div" and holding[0] is not node.parts[0]):
        return None
    slope, rest = inner
    if node.kind == "add":
        others = tuple(part for part in node.parts if part is not holding[0])
        return slope, Node("add", "", (*others, rest)) if others else rest

    def around(part: Node) -> Node:
        return Node(node.kind, node.value, tuple(part if one is holding[0] else one for one in node.parts))

    return around(slope), rest if rest is _ZERO else around(rest)


def _rebuild_stretched(statement: Node, chosen: Sequence[tuple[Node, dict[Node, _Way]] | None]) -> Iterator[Node]:
    """Yield a statement with the chosen substitutions, with and without the scale factors of integrals.

    Integrals over groups and spheres have none.
    """
    stretched = _rebuild(statement, iter(chosen), is_stretched=True)
    plain = _rebuild(statement, iter(chosen), is_stretched=False)
    yield stretched
    if plain != stretched:
        yield plain


def _rebuild(node: Node, chosen: Iterator[tuple[Node, dict[Node, _Way]] | None], *, is_stretched: bool) -> Node:
    choice = next(chosen) if is_open(node) else None
    parts = tuple(_rebuild(part, chosen, is_stretched=is_stretched) for part in node.parts)
    if choice is None:
        return Node(node.kind, node.value, parts) if parts else node
    target, ways = choice
    body = _put(parts[3], {variable: way for variable, (way, _) in ways.items()})
    if is_stretched and node.value in v.INTEGRALS:
        body = Node("mul", "", (body, *(stretch for _, stretch in ways.values())))
    return Node("bind", node.value, (*target.parts[:3], body, *target.parts[4:]))


def _put(node: Node, new: Mapping[Node, Node]) -> Node:
    """Replace letters of a formula simultaneously."""
    if node in new:
        return new[node]
    return Node(node.kind, node.value, tuple(_put(part, new) for part in node.parts)) if node.parts else node


def _with_other_free(one: Node, other: Node) -> Iterator[Node]:
    """Yield a statement with a replacement for an argument that may have any value."""
    letters = [letter for letter in _arguments(one) if letter in _arguments(other)]
    for letter in letters[:_MOST_FREE]:
        if not (_is_any(one, letter) and _is_any(other, letter)):
            continue
        whole, target = (Node("bind", "any", (EMPTY, EMPTY, EMPTY, node, letter)) for node in (one, other))
        for way, _ in _solve(whole, letter, target)[1:]:
            sides = (side if side == letter else _put(side, {letter: way}) for side in one.parts)  # the name
            yield Node(one.kind, one.value, tuple(sides))


def _arguments(statement: Node) -> list[Node]:
    """The letters in arguments of functions that the paper defines."""
    calls = (one for one in statement.walk() if one.kind == "call" and is_named_by_paper(one.value))
    return list(
        dict.fromkeys(one for call in calls for part in call.parts[1:] for one in part.walk() if one.kind == "symbol")
    )


def _is_any(statement: Node, letter: Node) -> bool:
    """Whether a statement may hold for all values of a letter."""
    if statement.kind != "relation":
        return False
    signs = set(statement.value.split(" "))
    if ":" in signs or signs & ORDERS:
        return True
    holding = [side for side in statement.parts if letter in side.walk()]
    return len(holding) > 1 or any(side.kind == "number" for side in statement.parts)
