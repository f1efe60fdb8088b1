"""Variables put in the stead of others: what an operator runs over may be named by another of its points.

``\\int_{-\\infty}^\\infty f(x + c) dx`` is ``\\int_{-\\infty}^\\infty f(x) dx``, and what holds of ``f(x)`` for each
``x`` holds of ``f(-x)``. Nothing computes an integral without finite ends, a supremum, an expectation, or a sum over a
set. So the variable of one is replaced by whatever makes an argument, a base, an exponent or an index of it that of the
other: if the arguments are ``t(x)`` and ``s(u)``, and ``t`` can be solved, ``x`` is the solution of ``t(x) = s(u)``.
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
_MOST_WAYS = 48  # in which the variables of one statement are replaced
_MOST_FREE = 4  # letters that may stand for any value

_VALUES = frozenset("symbol add mul neg div pow call binary bind transpose derivative".split())

# How a variable is replaced, and the factor by which that stretches an integral.
_Way = tuple[Node, Node]


def substitute(first: Node, second: Node) -> Iterator[tuple[Node, Node]]:
    """The two statements with other variables in what binds them in one."""
    for one, other in ((first, second), (second, first)):
        for made in itertools.chain(_with_other_bound(one, other), _with_other_free(one, other)):
            yield made, other


def is_open(node: Node) -> bool:
    """Whether an operator binds variables, and is not computed over all of their values."""
    if node.kind != "bind" or len(node.parts) < 5 or node.value.startswith("arg") or is_computed(node):
        return False
    is_ended = EMPTY not in node.parts[:2] and all(
        one.value != v.ENDLESS for end in node.parts[:2] for one in end.walk()
    )
    return not (node.value in v.BIG and is_ended)


def _with_other_bound(one: Node, other: Node) -> Iterator[Node]:
    """A statement with other bound variables, as far as its operators are not those of the other statement."""
    sought = [node for node in other.walk() if is_open(node)]
    kept = set(map(canonical, sought))
    choices: list[list[tuple[Node, dict[Node, _Way]] | None]] = [
        [None] if canonical(node) in kept else [None, *_ways_to(node, sought)] for node in one.walk() if is_open(node)
    ]
    for chosen in itertools.islice(itertools.product(*choices), 1, _MOST_WAYS):
        yield from _rebuild_stretched(one, chosen)


def _ways_to(node: Node, sought: Sequence[Node]) -> list[tuple[Node, dict[Node, _Way]]]:
    """How the variables of an operator may be replaced by those of others of its name, each with that operator."""
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
    """What a variable may be, so that something that contains it is what is in another operator; itself first."""
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
    """Whether an operator may run over the negatives of what it runs over: over the line, or a set without bounds."""
    low, high, condition = node.parts[:3]
    is_line = high.value == v.ENDLESS and canonical(low) == canonical(Node("neg", "", (high,)))
    return is_line or (high is EMPTY and condition.value not in ORDERS)


def _stretch(way: Node, variable: Node) -> Node:
    """By how much something changes with a variable, without its sign."""
    line = _line(way, variable)
    slope = canonical(line[0]) if line is not None else Node("derivative", "d", (way, variable))
    return _ONE if slope in (_ONE, _MINUS) else Node("call", "abs", (Node("list"), slope))


def _frames(body: Node, variable: Node) -> list[Node]:
    """What contains a variable: the widest sums that it is a term of, and arguments, bases, exponents and indices."""
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
    """The factor and the term of what is a multiple of a variable, and a term; None for what is neither."""
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
    """A statement with the chosen variables; integrals stretched, or not: over groups and spheres they are not."""
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
    """A formula with others in the stead of its letters, all at once."""
    if node in new:
        return new[node]
    return Node(node.kind, node.value, tuple(_put(part, new) for part in node.parts)) if node.parts else node


def _with_other_free(one: Node, other: Node) -> Iterator[Node]:
    """A statement with something else in the stead of an argument that may have any value."""
    letters = [letter for letter in _arguments(one) if letter in _arguments(other)]
    for letter in letters[:_MOST_FREE]:
        if not (_is_any(one, letter) and _is_any(other, letter)):
            continue
        whole, target = (Node("bind", "any", (EMPTY, EMPTY, EMPTY, node, letter)) for node in (one, other))
        for way, _ in _solve(whole, letter, target)[1:]:
            sides = (side if side == letter else _put(side, {letter: way}) for side in one.parts)  # one names it alone
            yield Node(one.kind, one.value, tuple(sides))


def _arguments(statement: Node) -> list[Node]:
    """The letters in arguments of functions of the paper."""
    calls = (one for one in statement.walk() if one.kind == "call" and is_named_by_paper(one.value))
    return list(
        dict.fromkeys(one for call in calls for part in call.parts[1:] for one in part.walk() if one.kind == "symbol")
    )


def _is_any(statement: Node, letter: Node) -> bool:
    """Whether a statement may say something of each value of a letter: it gives no value to what is alone."""
    if statement.kind != "relation":
        return False
    signs = set(statement.value.split(" "))
    if ":" in signs or signs & ORDERS:
        return True
    holding = [side for side in statement.parts if letter in side.walk()]
    return len(holding) > 1 or any(side.kind == "number" for side in statement.parts)
