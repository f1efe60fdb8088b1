"""The algebra of relations: which are symmetric, and the names of mirrored relations.

Of a relation that is in no table here, it is not known whether a statement with exchanged sides has the same meaning.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterator, Sequence

from scholartools.tasks.equations.trees import vocabulary as v
from scholartools.tasks.equations.trees.tree import EMPTY, Node

_LABELLED = re.compile(r"(\\(?:overset|underset|stackrel)\{.*\}\{|\\not)(.+?)(\}?)$")
_MIRRORED = v.FLIPPED | {after: before for before, after in v.FLIPPED.items()}
# Asymmetric relations, including those that are not computed.
_ONE_WAY = frozenset(_MIRRORED) | frozenset(["\\models", "\\vdash", "\\mapsto"])
_LETTER = re.compile(r"(?:[A-Za-z]|\\[A-Za-z]+)$")
_UNSTRUCK = {after: before for before, after in v.NEGATED.items()}
ORDERS = frozenset(["<", ">", "\\leq", "\\geq"])
# Relations that hold if their sides are equal. Two statements with such a relation differ if the equations of their
# sides differ. If the equations are the same, the statements may differ, because the sides may be ordered or only
# nearly equal.
NEARLY = frozenset(["\\approx", "\\simeq"])
# Relations that may hold with any positive factor.
UP_TO_FACTORS = frozenset("\\propto \\sim \\asymp \\lesssim \\gtrsim \\ll \\gg".split())
EQUATED = v.DEFINITIONS | NEARLY | {"\\leftarrow"}
# Relations between values. Any other relation may join statements, as in ``x = 1 \\Rightarrow y = 2``.
_OF_VALUES = frozenset(name for pair in v.FLIPPED.items() for name in pair if "arrow" not in name) | (
    ORDERS | NEARLY | frozenset(["=", "\\neq", "\\notin", "\\sim", "\\propto", "\\cong", "\\asymp"])
)
_LOGIC = frozenset(["\\vee", "\\wedge"])
# Signs before a statement: "not", and "necessarily" and "possibly" of modal logic.
_BEFORE = frozenset(["\\neg", "\\square", "\\Box", "\\Diamond", "\\lozenge"])
_MOST_ORDERS = 24  # maximum number of orders of equal sides that are tried


def unlabelled(name: str) -> str:
    """A relation without the label above or below it."""
    found = _LABELLED.match(name)
    return name if found is None or found[1] == "\\not" else found[2]


def label(name: str) -> str:
    """The label above or below a relation."""
    found = _LABELLED.match(name)
    return "" if found is None or found[1] == "\\not" else found[1].split("{", 1)[1].removesuffix("}{")


def label_differs(one: str, other: str) -> bool:
    """Whether a relation has different letters as indices, or an arrow different labels (modes of convergence)."""
    if unlabelled(one) != unlabelled(other) or not label(one) or not label(other) or label(one) == label(other):
        return False
    indices = [name.startswith("\\underset{") and _LETTER.match(label(name)) for name in (one, other)]
    return unlabelled(one) == "\\rightarrow" or (unlabelled(one) != "=" and all(indices))


def may_be_named_by_label(one: str, other: str) -> bool:
    """Whether only one relation has a label, which may mean the sign of the other, such as a mode of convergence."""
    plain = {unlabelled(one), unlabelled(other)}
    return bool(label(one)) != bool(label(other)) and not plain <= ORDERS | {"=", "\\neq"}


def is_symmetric(name: str) -> bool:
    """Whether a relation is symmetric; labels and ``\\not`` do not matter."""
    return unlabelled(name).removeprefix("\\not") in v.SYMMETRIC


def mirror_name(name: str) -> str | None:
    """The name of the mirrored relation; None if it is not known."""
    if is_symmetric(name):
        return name
    if name in _MIRRORED:
        return _MIRRORED[name]
    found = _LABELLED.match(name)
    if found is None or found[2] not in _MIRRORED:
        return None
    return f"{found[1]}{_MIRRORED[found[2]]}{found[3]}"


def mirror(value: str) -> str | None:
    """The relations of a chain read from right to left; None if one is not known."""
    names = [mirror_name(name) for name in reversed(value.split(" "))]
    return None if None in names else " ".join(names)  # type: ignore[arg-type]


def group_equal(names: Sequence[str], sides: Sequence[Node]) -> list[list[Node]]:
    """The sides of a chain in groups, within which the sides are equal and may have any order: ``a < b = c``."""
    groups = [[sides[0]]]
    for name, side in zip(names, sides[1:]):
        if name == "=" and _OF_VALUES.issuperset(names):
            groups[-1].append(side)
        else:
            groups.append([side])
    return groups


def reorder_equal(statement: Node) -> Iterator[Node]:
    """Yield a chain of several relations with its equal sides in each other order."""
    names = statement.value.split(" ")
    if len(set(names)) > 1:
        groups = group_equal(names, statement.parts)
        orders = itertools.product(*map(itertools.permutations, groups))
        found = (Node("relation", statement.value, tuple(itertools.chain(*order))) for order in orders)
        yield from itertools.islice(found, 1, _MOST_ORDERS)


def is_one_way(name: str) -> bool:
    """Whether a relation is asymmetric, so that exchanged sides change the meaning."""
    plain = unlabelled(name).removeprefix("\\not")
    return _UNSTRUCK.get(plain, plain) in _ONE_WAY


def are_equated(first: Node, second: Node) -> bool:
    """Whether two statements with the same relation equate two sides by definition, assignment or approximation.

    An arrow is excluded if it may be an implication of a logic program.
    """
    if first.kind != "relation" or first.value != second.value or first.value not in EQUATED:
        return False
    if len(first.parts) != 2 or len(second.parts) != 2 or EMPTY in (*first.parts, *second.parts):
        return False
    within = [one for statement in (first, second) for side in statement.parts for one in side.walk()]
    return first.value != "\\leftarrow" or not any(one.kind in ("relation", "binary", "tuple") for one in within)


def may_regroup(first: Node, second: Node) -> str | None:
    """Why two chains with different sides may have the same meaning; None if no reason is known.

    ``X \\to Y \\to Z`` may be a Markov chain, and ``\\parallel`` in ``R = P \\parallel Q`` a commutative operator.
    """
    names = set(first.value.split(" "))
    if names == {"\\rightarrow"} == set(second.value.split(" ")):
        sides = [
            [Counter(one for one in side.walk() if not one.parts) for side in node.parts] for node in (first, second)
        ]
        if sides[0] == sides[1]:
            return "a reaction or a rule may list what it holds in another way"
    if len(first.parts) < 3:
        return None
    if names <= {"\\rightarrow", "\\leftarrow"} and Counter(first.parts) == Counter(second.parts):
        return "a chain of arrows may be read from either end"
    letters = [{one.value for one in node.walk() if one.kind in ("symbol", "call")} for node in (first, second)]
    if letters[0] == letters[1] and not {*map(unlabelled, names)} <= v.RELATIONS - {"\\parallel"}:
        return "a relation whose laws are not known may join sides in any order"
    return None


def unjoin(statements: Sequence[Node]) -> list[Node]:
    """Statements without those relations, signs of logic and words that may join them, which stand between as words.

    ``x = 1 \\Rightarrow y = 2`` is read as a chain of four sides, and ``\\neg x = y`` as a product on the left side.
    """
    found: list[Node] = []
    is_bound = False
    for one in statements:
        is_bound = is_bound or one.value in v.QUANTIFIERS
        found += _unjoin(one, is_bound=is_bound)
    return found


def _unjoin(statement: Node, *, is_bound: bool) -> list[Node]:
    names = statement.value.split(" ")
    if statement.kind != "relation" or not _OF_VALUES & set(names):
        return [statement]
    if names == ["="] and statement.parts[0].kind == "symbol":  # the value of a letter may be a value of logic
        return [statement]
    sides = [_pieces(side, is_first=not place) for place, side in enumerate(statement.parts)]
    place = next((place for place, side in enumerate(statement.parts) if side.kind == "mul"), 0)
    if is_bound and statement.parts[place].kind == "mul" and set(names[:place]) <= _OF_VALUES - {"="}:
        letter, *rest = statement.parts[place].parts  # a letter, or the end of its range, before what holds for it
        sides[place] = [letter, Node("words"), _product(rest)]
    stream = [*sides[0]]
    for name, side in zip(names, sides[1:]):
        stream += [Node("sign" if name in _OF_VALUES else "words", name), *side]
    found: list[Node] = []
    for is_word, group in itertools.groupby(stream, lambda one: one.kind == "words"):
        parts = list(group)
        found += parts if is_word else [_chain(parts)]
    return found


def _chain(parts: list[Node]) -> Node:
    """A chain of sides and the signs between them; a side may be missing at either end."""
    sides = [one for one in parts if one.kind != "sign"]
    names = [one.value for one in parts if one.kind == "sign"]
    missing = (EMPTY,) * (len(names) + 1 - len(sides))
    return Node("relation", " ".join(names), (*sides, *missing)) if names else sides[0]


def _pieces(side: Node, *, is_first: bool) -> list[Node]:
    """The parts of a side between signs of logic and words, which stand between the parts as words."""
    if side.kind == "binary" and side.value in _LOGIC:
        left, right = side.parts[0], side.parts[1]
        return [*_pieces(left, is_first=is_first), Node("words", side.value), *_pieces(right, is_first=False)]
    if side.kind != "mul":
        return [side]
    found: list[Node] = []
    for is_word, group in itertools.groupby(enumerate(side.parts), lambda one: _is_word(*one, is_first=is_first)):
        parts = [part for _, part in group]
        found += [Node("words", one.value) for one in parts] if is_word else [_product(parts)]
    return found


def _is_word(place: int, factor: Node, *, is_first: bool) -> bool:
    """Whether a factor may be a word or a sign between statements, or a name before the first statement."""
    if factor.kind != "symbol" or factor.parts:
        return False
    if factor.value.startswith("\\"):
        return factor.value in _BEFORE
    is_prose = factor.value in v.WORDS or not factor.value.isalnum()
    return is_prose or (is_first and place == 0 and len(factor.value) > 1)


def _product(factors: list[Node]) -> Node:
    return factors[0] if len(factors) == 1 else Node("mul", "", tuple(factors))
