"""Tables of joint probabilities, from which all probabilities of a formula are computed consistently.

Each random variable has a few values, and each combination of values a probability. ``p(x | z)`` is the sum of the
cells with the values of ``x`` and ``z``, divided by the sum of the cells with the value of ``z``. Some tables are
Bayesian networks in which not all variables are connected, so that independence assumptions hold in some of them.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from scholartools.tasks.equations.certificates.values import Undefined
from scholartools.tasks.equations.trees.tree import Node

SIZE = 2  # number of values of a variable
GENERAL = 2  # number of seeds at which all variables depend on each other
Draw = Callable[[str], float]
_AND, _OR, _WITHOUT = ("\\cap", "\\wedge"), ("\\cup", "\\vee"), ("\\setminus", "\\backslash")


@dataclass(frozen=True)
class Tables:
    """The calls that are probabilities with their tables, and the letters that are variables.

    Attributes:
        families: table number of each function, keyed by name and indices.
        variables: variables of all tables; their order is that of the axes.
        indexed: names of variables whose index selects their value.
        indices: indices whose sums run over the values of a variable.
    """

    families: tuple[tuple[tuple[str, Node], int], ...]
    variables: tuple[Node, ...]
    indexed: frozenset[str]
    indices: frozenset[Node]

    def find(self, call: Node) -> int | None:
        """The table of a call; None if it is not a probability."""
        return dict(self.families).get((call.value, call.parts[0])) if call.kind == "call" else None

    def holds(self, node: Node) -> bool:
        """Whether the value of a letter or call comes from a table."""
        return self.find(node) is not None or self.axis(node) is not None

    def axis(self, letter: Node) -> int | None:
        """The axis of a variable; None if the letter is not one."""
        if letter.value in self.indexed and letter.parts:
            letter = Node("symbol", letter.value)
        return self.variables.index(letter) if letter in self.variables else None

    def labels(self, letter: Node, draw: Draw) -> list[float] | None:
        """The values of a variable; None if the letter has none."""
        place = self.axis(letter)
        if place is None or letter.value in self.indexed:
            return [float(value) for value in range(SIZE)] if letter in self.indices else None
        return [value + draw(f"label of {self.variables[place].value} {place}") for value in range(SIZE)]

    def cells(self, table: int, seed: int, draw: Draw) -> dict[tuple[int, ...], float]:
        """The probabilities of all cells: each variable is conditional on its predecessors in the network."""
        order = sorted(range(len(self.variables)), key=lambda place: draw(f"order {table} {place}"))
        edges = {
            pair for pair in itertools.combinations(order, 2) if seed < GENERAL or draw(f"edge {table} {pair}") > 1.1
        }
        found = {}
        for cell in itertools.product(range(SIZE), repeat=len(order)):
            found[cell] = 1.0
            for place, variable in enumerate(order):
                before = [f"{one}={cell[one]}" for one in order[:place] if (one, variable) in edges]
                weights = [draw(f"table {table} {variable}={value} {before}") for value in range(SIZE)]
                found[cell] *= weights[cell[variable]] / sum(weights)
        return found


def sides_of_bar(call: Node) -> tuple[list[Node], list[Node]]:
    """The events of a probability, and its conditions."""
    before: list[Node] = []
    after: list[Node] = []
    for part in call.parts[1:]:
        if part.kind == "tuple" and part.value == "|" and len(part.parts) == 2 and not after:
            before.append(part.parts[0])
            after.append(part.parts[1])
        else:
            (after or before).append(part)
    return before, after


def operands(event: Node) -> Sequence[Node]:
    """The operands of a set or logical operation on events; empty for other events."""
    if event.kind == "binary" and event.value in _AND + _OR + _WITHOUT and len(event.parts) == 2:
        return event.parts
    if is_complement(event):
        return event.parts[:1]
    if is_negated(event):
        return event.parts[1:]
    return ()


def is_complement(event: Node) -> bool:
    """Whether an event is written as a letter with a raised c."""
    return event.kind == "pow" and event.parts[0].kind == "symbol" and event.parts[1] in _COMPLEMENTS


def is_negated(event: Node) -> bool:
    """Whether an event is written with a negation sign."""
    return event.kind == "mul" and event.parts[0] == Node("symbol", "\\neg") and len(event.parts) == 2


_COMPLEMENTS = (Node("symbol", "c"), Node("symbol", "C"), Node("symbol", "\\complement"))


def occurs(event: Node, is_at: Callable[[Node], bool]) -> bool:
    """Whether an event occurs, given the truth values of its letters."""
    inner = operands(event)
    if not inner:
        return is_at(value_of(event))
    found = [occurs(one, is_at) for one in inner]
    if event.value in _AND:
        return all(found)
    if event.value in _OR:
        return any(found)
    return found[0] and not found[1] if event.value in _WITHOUT else not found[0]


def probability(call: Node, cells: dict[tuple[int, ...], float], place_of: Callable[[Node], tuple[int, int]]) -> float:
    """The value of a probability, given the axis and the value index of each letter.

    Raises:
        Undefined: the condition has probability 0.
    """
    before, after = sides_of_bar(call)
    places = {letter: place_of(letter) for letter in letters_of([*before, *after])}
    whole = found = 0.0
    for cell, weight in cells.items():
        is_at = {letter: cell[axis] == value for letter, (axis, value) in places.items()}.__getitem__
        if all(occurs(one, is_at) for one in after):
            whole += weight
            found += weight * all(occurs(one, is_at) for one in before)
    if not whole:
        raise Undefined
    return found / whole


def letters_of(events: Sequence[Node]) -> list[Node]:
    """The distinct letters of events; of ``X = x``, only ``x``."""
    found: dict[Node, None] = {}
    for event in events:
        inner = operands(event)
        found |= dict.fromkeys(letters_of(inner) if inner else [value_of(event)])
    return list(found)


def value_of(event: Node) -> Node:
    """The letter that denotes the value in an event: ``x`` of ``X = x``."""
    return event.parts[1] if event.kind == "relation" and event.value == "=" and len(event.parts) == 2 else event
