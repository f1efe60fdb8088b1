"""Rules that probes do not compute, by which two statements with different values may have the same meaning.

Probes do not compute operators, expectations, limits and infinite sums. If two statements differ both within such a
part and around it, or only one has it, a rule may derive one from the other.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterator

from scholartools.tasks.equations.certificates.canonical import canonical, negative, spell
from scholartools.tasks.equations.certificates.evidence import all_computed, stands_for_any
from scholartools.tasks.equations.trees import vocabulary as v
from scholartools.tasks.equations.trees.tree import EMPTY, Node

_OPERATORS = ("\\nabla", "\\partial")
_MEANS = frozenset("\\mathbb{E} \\mathbf{E} \\mathrm{E} E Var Cov \\mathbb{V} Pr \\Pr \\mathbb{P} tr Tr det".split())
_HOLE = Node("symbol", "hole")
_ONE = Node("number", "1")
_GREATEST = frozenset(["max", "sup", "argmax"])
_EXTREMES = {name: name for name in _GREATEST} | {"min": "max", "inf": "sup", "argmin": "argmax"}
_RISING = frozenset(["log", "ln", "exp"])
_MOST_NAMES = 3  # maximum number of letters that are renamed


def may_follow_by_rule(first: Node, second: Node) -> str | None:
    """The rule by which one statement may follow from the other; None if none is known."""
    if _stands_alone(first) != _stands_alone(second):
        return "an operator stands without what it is applied to"
    one, other = canonical(first), canonical(second)
    if "\\Delta" in letters(first) ^ letters(second):
        return "a difference may be written with a Delta"
    if _factors_joint(one, other) or _factors_joint(other, one):
        return "a joint probability may be written as a product"
    if _scales(first, second):
        return "what is proportional may have another factor"
    if _names_anew(one, other):
        return "what is defined may only have another name"
    if _abbreviates(first, second) or _abbreviates(second, first):
        return "a letter may stand for what the other spells out"
    if _transposes_grid(one, other):
        return "a matrix may only be written as its transpose"
    computed = all_computed([first, second])
    for is_part, reason in _PARTS:
        if computed and is_part is _is_calculus and not _has_means([one, other]):
            continue
        if changes_in_and_around(one, other, is_part):
            return reason
    return None


def _names_anew(first: Node, second: Node) -> bool:
    """Whether only one side differs, which is a letter that does not occur in the other statement."""
    if first.kind != "relation" or second.kind != "relation" or first.value != second.value:
        return False
    lost, new = (Counter(one.parts) - Counter(other.parts) for one, other in ((first, second), (second, first)))
    sides = [*lost.elements(), *new.elements()]
    alike = Counter(first.parts) & Counter(second.parts)
    if len(sides) != 2 or any(side.kind != "symbol" for side in sides) or any(side.kind == "symbol" for side in alike):
        return False
    return sides[0].value not in letters(second) and sides[1].value not in letters(first)


def _abbreviates(first: Node, second: Node) -> bool:
    """Whether a statement has a new letter instead of several letters of the other."""
    lost, new = letters(second) - letters(first), letters(first) - letters(second)
    counts = [sum(one.kind == "symbol" for one in node.walk()) for node in (first, second)]
    return bool(new) and len(lost) > len(new) and counts[0] < counts[1]


def _factors_joint(first: Node, second: Node) -> bool:
    """Whether one statement has a joint probability and the other more calls, which may be its factors."""
    joint = [_joint_calls(node) for node in (first, second)]
    counts = [sum(one.kind == "call" for one in node.walk()) for node in (first, second)]
    return bool(joint[0] - joint[1]) and counts[0] < counts[1]


def _joint_calls(node: Node) -> set[Node]:
    """Calls of probabilities with several arguments before a bar, or without a bar."""
    calls = (one for one in node.walk() if one.kind == "call" and one.value in v.DENSITIES)
    return {one for one in calls if len(one.parts) > 2 and one.parts[1].kind != "tuple"}


def _scales(first: Node, second: Node) -> bool:
    """Whether one of two proportionalities has all factors of the other on each side, and possibly more."""
    if first.value != "\\propto" or second.value != "\\propto":
        return False
    sides = [[Counter(map(spell, _factors_of(canonical(side)))) for side in one.parts] for one in (first, second)]
    return any(all(small <= great for small, great in zip(one, other)) for one, other in (sides, sides[::-1]))


def _factors_of(node: Node) -> tuple[Node, ...]:
    return node.parts if node.kind == "mul" else (node,)


def _stands_alone(node: Node) -> Counter[str]:
    """Count the operators without an operand."""
    found: Counter[str] = Counter()
    for one in node.walk():
        if one.kind == "symbol" and one.value in _OPERATORS:
            found[one.value] += 1
        elif one.kind == "derivative" and one.parts[0] is EMPTY:
            found["derivative"] += 1
    return found


def _transposes_grid(first: Node, second: Node) -> bool:
    """Whether two statements have different matrices and different numbers of transposes."""
    counts = [sum(one.kind == "transpose" for one in node.walk()) for node in (first, second)]
    grids = [
        Counter(spell(one) for one in node.walk() if one.kind == "call" and one.value in v.GRIDS)
        for node in (first, second)
    ]
    return counts[0] != counts[1] and grids[0] != grids[1]


def _has_means(nodes: list[Node]) -> bool:
    return any(one.value in _MEANS for node in nodes for one in node.walk())


def _is_calculus(node: Node) -> bool:
    if node.kind == "bind":
        return node.value in v.INTEGRALS or node.value in ("lim", "limsup", "liminf") or node.value in _MEANS
    named = node.kind == "call" and (node.value in _MEANS or node.value.startswith(_OPERATORS))
    return named or node.kind == "derivative"


def _is_endless(node: Node) -> bool:
    """Whether a sum or product is infinite."""
    if node.kind != "bind" or node.value not in ("\\sum", "\\prod"):
        return False
    start, end, condition = node.parts[:3]
    ends = any(one.value == "\\infty" for one in end.walk())
    return ends or (end is EMPTY and start is not EMPTY) or condition.value in ("\\geq", ">")


_PARTS: list[tuple[Callable[[Node], bool], str]] = [
    (_is_calculus, "an expectation, a derivative or an integral may have been worked out in part"),
    (_is_endless, "terms of an endless sum may have been moved"),
]


def changes_in_and_around(first: Node, second: Node, is_part: Callable[[Node], bool]) -> bool:
    """Whether two statements differ both within parts of a kind and around them, or in limits and bodies of these."""
    parts = [list(outermost(node, is_part)) for node in (first, second)]
    spelled = [Counter(map(spell, found)) for found in parts]
    if spelled[0] == spelled[1]:
        return False
    around = [spell(canonical(leave_out(node, is_part))) for node in (first, second)]
    return around[0] != around[1] or _changes_ends_and_body(*parts)


def outermost(node: Node, is_part: Callable[[Node], bool]) -> Iterator[Node]:
    """Yield the outermost parts of a kind."""
    if is_part(node):
        yield node
    else:
        for part in node.parts:
            yield from outermost(part, is_part)


def leave_out(node: Node, is_part: Callable[[Node], bool]) -> Node:
    """Replace each part of a kind by a placeholder."""
    if is_part(node):
        return _HOLE
    if not node.parts:
        return node
    return Node(node.kind, node.value, tuple(leave_out(part, is_part) for part in node.parts))


def _changes_ends_and_body(first: list[Node], second: list[Node]) -> bool:
    """Whether both the limits and the bodies of integrals, limits and sums differ."""
    left, right = ([one for one in found if one.kind == "bind"] for found in (first, second))
    ends = [Counter(" ".join(map(spell, one.parts[:3])) for one in found) for found in (left, right)]
    bodies = [Counter(spell(one.parts[3]) for one in found) for found in (left, right)]
    return ends[0] != ends[1] and bodies[0] != bodies[1]


def differentiate_logarithms(node: Node) -> Node:
    """Replace derivatives of ``log u`` by the derivative of ``u`` divided by ``u``."""
    if not node.parts:
        return node
    node = Node(node.kind, node.value, tuple(differentiate_logarithms(part) for part in node.parts))
    place = {"call": 1, "derivative": 0}.get(node.kind)
    is_operator = node.kind == "derivative" or node.value.startswith(("\\nabla", "\\partial"))
    if place is None or not is_operator or len(node.parts) <= place:
        return node
    inner = node.parts[place]
    if inner.kind != "call" or inner.value not in ("log", "ln") or len(inner.parts) != 2 or inner.parts[0].parts:
        return node
    argument = inner.parts[1]
    derived = Node(node.kind, node.value, (*node.parts[:place], argument, *node.parts[place + 1 :]))
    return Node("div", "", (derived, argument))


def normalise_extremes(node: Node) -> Node:
    """Normalise extrema over an index to maxima of the terms that depend on it, without numeric factors.

    ``\\min_i (c - 2 a_i)`` becomes ``c - 2 \\max_i a_i``, and the argmax of ``\\log p`` that of ``p``.
    """
    parts = tuple(map(normalise_extremes, node.parts))
    if node.kind == "bind" and parts[2].kind == "tuple" and parts[2].value == ",":
        parts = _order_conditions(parts)
    made = Node(node.kind, node.value, parts, node.start, node.end) if parts else node
    if node.kind != "bind" or node.value not in _EXTREMES or len(parts) < 5:
        return made
    (*ends, body), variables = parts[:4], parts[4:]
    body = canonical(body) if node.value in _GREATEST else negative(canonical(body))
    terms = body.parts if body.kind == "add" and not body.value else (body,)
    held = [term for term in terms if any(one in variables for one in term.walk())]
    if not held:
        return made
    factor, rest = _without_factor(held[0] if len(held) == 1 else Node("add", "", tuple(held)))
    name = _EXTREMES[node.value]
    if name == "argmax":
        while rest.kind == "call" and rest.value in _RISING and len(rest.parts) == 2 and not rest.parts[0].parts:
            rest = rest.parts[1]
        return Node("bind", name, (*ends, rest, *variables))
    greatest = Node("mul", "", (factor, Node("bind", name, (*ends, rest, *variables))))
    found = Node("add", "", (*(term for term in terms if term not in held), greatest))
    return found if node.value in _GREATEST else Node("neg", "", (found,))


def _order_conditions(parts: tuple[Node, ...]) -> tuple[Node, ...]:
    """Sort the conditions of an operator and its variables, independently of the names of the variables."""
    variables = parts[4:]
    blank = dict.fromkeys((one.value for one in variables), _HOLE.value)
    conditions = sorted(parts[2].parts, key=lambda one: (spell(canonical(_with_names(one, blank))), one.start))
    named = [one for condition in conditions for one in condition.walk() if one in variables]
    return (*parts[:2], Node("tuple", ",", tuple(conditions)), parts[3], *dict.fromkeys((*named, *variables)))


def _without_factor(node: Node) -> tuple[Node, Node]:
    """Split a canonical product into a positive number and the rest."""
    number = node.parts[0] if node.kind == "mul" and node.parts[0].kind == "number" else _ONE
    size = number.value.removeprefix("-")
    if size == "1":
        return _ONE, node
    rest = Node("mul", "", node.parts[1:]) if len(node.parts) > 2 else node.parts[1]
    return Node("number", size), negative(rest) if number.value.startswith("-") else rest


def rename(first: Node, second: Node) -> Iterator[Node]:
    """Yield the second statement with letters that only it has renamed to letters that only the first has.

    The letters must occur in several places, because errors are in one place, or the statements share no letter.
    """
    left, right = letters(canonical(first)), letters(canonical(second))
    lost, new = sorted(left - right), sorted(right - left)
    if not lost or len(lost) != len(new) or len(lost) > _MOST_NAMES:
        return
    if left & right and not all(_stands_often(first, name) for name in lost):
        return
    for names in itertools.permutations(lost):
        yield _with_names(second, dict(zip(new, names)))


def shift(first: Node, second: Node) -> Iterator[Node]:
    """Yield the second statement with an index of both shifted by one or two everywhere.

    The index must be a term of a sum such as ``i + 1``, and occur in several indices or have an arbitrary name.
    """
    indices = [_index_parts(node) for node in (first, second)]
    beside = {one.value for part in sum(indices, []) if part.kind == "add" for one in part.parts}
    for name in sorted(beside & letters(first) & letters(second)):
        count = sum(any(one.value == name for one in part.walk()) for part in indices[1])
        if count > 1 or stands_for_any(second, name):
            for step in ("1", "-1", "2", "-2"):
                moved = Node("add", "", (Node("symbol", name), Node("number", step)))
                yield _with_node(second, Node("symbol", name), moved)


def scale(first: Node, second: Node) -> Iterator[Node]:
    """Yield the second statement with a letter that occurs in several calls replaced by an argument of these.

    ``T(n) = 2T(n/2)`` is ``T(2n) = 2T(n)``, and ``f(x+h) = f(x)`` is ``f(x) = f(x-h)``.
    """
    arguments = [set(part for call in _paper_calls(node) for part in call.parts[1:]) for node in (first, second)]
    held = [
        Counter(letter for call in _paper_calls(node) for letter in _letters_within(call)) for node in (first, second)
    ]
    bound = {part for node in (first, second) for one in node.walk() if one.kind == "bind" for part in one.parts[4:]}
    letters = [letter for letter in held[0].keys() - bound if min(held[0][letter], held[1][letter]) > 1]
    for letter in sorted(letters, key=spell):
        for part in sorted(arguments[0] | arguments[1], key=spell):
            within = set(part.walk())
            if part != letter and letter in within and part.kind != "tuple" and not within & bound:
                yield _with_node(second, letter, part)
                yield from (_with_node(second, letter, one) for one in _inverses(part, letter))


def define_function(first: Node, second: Node) -> bool:
    """Whether two statements define the same function at the same letters, and do not use it elsewhere.

    Then a substitution for an argument cannot make them equal.
    """
    if first.kind != "relation" or second.kind != "relation" or first.value != second.value:
        return False
    defined = first.parts[0]
    if defined.kind != "call" or defined != second.parts[0] or defined not in _paper_calls(defined):
        return False
    if any(one.kind not in _PLAIN_ARGUMENTS for part in defined.parts[1:] for one in part.walk()):
        return False
    held = [one.value.rstrip("'") for node in (first, second) for one in node.walk()]
    return len(first.parts) == len(second.parts) == 2 and held.count(defined.value) == 2


_PLAIN_ARGUMENTS = frozenset("symbol number tuple list relation".split())


def _inverses(part: Node, letter: Node) -> Iterator[Node]:
    """Yield the inverse replacement: the letter for which a sum, product, power or quotient of it equals the letter."""
    others = tuple(one for one in part.parts if one != letter)
    if part.kind == "add" and len(others) == len(part.parts) - 1:
        yield Node("add", "", (letter, *(Node("neg", "", (one,)) for one in others)))
    if part.kind == "mul" and len(others) == len(part.parts) - 1:
        yield Node("div", "", (letter, Node("mul", "", others)))
    if part.kind == "pow" and part.parts[0] == letter:
        yield Node("pow", "", (letter, Node("div", "", (Node("number", "1"), part.parts[1]))))
    if part.kind == "div" and part.parts[0] == letter:
        yield Node("mul", "", (part.parts[1], letter))


def _letters_within(call: Node) -> set[Node]:
    return {one for part in call.parts[1:] for one in part.walk() if one.kind == "symbol" and not one.parts}


def _paper_calls(statement: Node) -> set[Node]:
    """The calls of functions with a single letter as their name."""
    return {one for one in statement.walk() if one.kind == "call" and (len(one.value) == 1 or one.value in v.LETTERS)}


def _index_parts(statement: Node) -> list[Node]:
    """The indices of all letters and functions."""
    named = (one.parts[0] if one.kind == "call" else one for one in statement.walk() if one.kind in ("call", "symbol"))
    return [part for one in named for part in one.parts]


def _with_node(node: Node, old: Node, new: Node) -> Node:
    if node == old:
        return new
    return Node(node.kind, node.value, tuple(_with_node(part, old, new) for part in node.parts)) if node.parts else node


def letters(node: Node) -> set[str]:
    """The names of letters, except bound variables."""
    bound = {part for one in node.walk() if one.kind == "bind" for part in one.parts[4:]}
    return {one.value for one in node.walk() if one.kind == "symbol" and one not in bound}


def _stands_often(statement: Node, name: str) -> bool:
    """Whether a letter occurs in several places, or all sides without it are numbers."""
    sides = statement.parts if statement.kind == "relation" else (statement,)
    count = sum(one.kind == "symbol" and one.value == name for one in statement.walk())
    others = [side for side in sides if not any(one.value == name for one in side.walk())]
    return count > 1 or all(side.kind == "number" for side in others)


def _with_names(node: Node, names: dict[str, str]) -> Node:
    parts = tuple(_with_names(part, names) for part in node.parts)
    if node.kind == "symbol" and node.value in names:
        return Node("symbol", names[node.value], parts)
    return Node(node.kind, node.value, parts) if parts else node
