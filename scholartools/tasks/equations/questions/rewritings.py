"""Rewritings by rule that keep the meaning of a formula, which a certificate must confirm."""

from __future__ import annotations

from scholartools.tasks.equations.questions.edits import Edit
from scholartools.tasks.equations.trees.tree import EMPTY, Node

_NAMES = "ijkhlmnstuv"


def find_rewritings(latex: str, statements: tuple[Node, ...]) -> list[Edit]:
    """The possible rewritings of a typeset formula, in the order of their offsets."""
    found = {edit for statement in statements for node in statement.walk() for edit in _rewrite_node(node, latex)}
    found |= {edit for statement in statements for edit in _swap_sides(statement, latex)}
    return sorted(edit for edit in found if edit.new != latex[edit.start : edit.end])


def _rewrite_node(node: Node, latex: str) -> list[Edit]:
    if node.kind == "add":
        return _commute_factors(node, latex)
    return _rename_letters(node, latex) if node.kind == "big" else []


def _swap_sides(statement: Node, latex: str) -> list[Edit]:
    """Exchange the sides of an equation."""
    if statement.kind != "chain" or statement.value != "=" or EMPTY in statement.parts:
        return []
    left, right = (latex[part.start : part.end] for part in statement.parts)
    return [Edit(statement.start, statement.end, f"{right} = {left}", "swap-sides")]


def _commute_factors(node: Node, latex: str) -> list[Edit]:
    """Exchange two adjacent terms, each with its sign."""
    found = []
    for place, (one, other) in enumerate(zip(node.parts, node.parts[1:])):
        if "sign" in (one.kind, other.kind) or (place and one.kind != other.kind):
            continue
        start = one.start
        terms = [_term_with_sign(other, latex), _term_with_sign(one, latex)]
        first = terms[0].removeprefix("+ ") if not place else terms[0].removeprefix("+ ").removeprefix("- ")
        found.append(Edit(start, other.end, f"{first} {terms[1]}", "commute-sum"))
    return found


def _term_with_sign(node: Node, latex: str) -> str:
    if node.kind == "minus":
        inner = node.parts[0]
        return f"- {latex[inner.start : inner.end]}"
    return f"+ {latex[node.start : node.end]}"


def _rename_letters(node: Node, latex: str) -> list[Edit]:
    """Rename the index of a sum."""
    lower = node.parts[0]
    variable = lower.parts[0] if lower.kind == "chain" else lower
    if variable.kind != "symbol" or len(variable.value) > 1:
        return []
    used = {one.value for one in node.walk()}
    place = [one for one in node.walk() if one.kind == "symbol" and one.value == variable.value and one.end]
    found = []
    for name in (name for name in _NAMES if name not in used and name not in latex):
        text = latex[node.start : node.end]
        for one in sorted(place, key=lambda one: -one.start):
            text = text[: one.start - node.start] + name + text[one.end - node.start :]
        found.append(Edit(node.start, node.end, text, "rename-bound"))
    return found[:3]
