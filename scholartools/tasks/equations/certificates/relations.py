"""The algebra of relations: which are symmetric, and the names of mirrored relations.

Of a relation that is in no table here, it is not known whether a statement with exchanged sides has the same meaning.
"""

from __future__ import annotations

import re
from collections import Counter

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
EQUATED = v.DEFINITIONS | NEARLY | {"\\leftarrow"}


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
