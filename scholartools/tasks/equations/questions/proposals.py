"""Verify a wrong equation that a model proposes, and convert it to an edit with the kind of a matching rule."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from scholartools.llm.replies import Closed, ReplyFault
from scholartools.tasks.equations.certificates.certify import DIFFERENT, SAME, certify
from scholartools.tasks.equations.questions import compiling
from scholartools.tasks.equations.questions.edits import Edit, apply
from scholartools.tasks.equations.trees.parser import Tree, parse
from scholartools.tasks.equations.trees.tree import EMPTY, Unread
from scholartools.tasks.equations.trees.typesetting import typeset
from scholartools.tasks.shared.questions import THROUGHOUT

OTHER = "other"  # kind of edits that no rule makes
_SHORTEST, _LONGEST = 0.5, 2.0  # length of a proposal relative to the equation
_SIGN = re.compile(r"\\[A-Za-z]+|\\.|\d+|\s+|.", re.DOTALL)
_FENCES = (("{", "}"), ("\\left", "\\right"), ("\\begin", "\\end"))


class Proposal(Closed):
    """A wrong version of an equation, and what was changed."""

    latex: str
    change: str


class Original(NamedTuple):
    """An equation for which wrong versions are requested.

    Attributes:
        latex: typeset LaTeX; ``tree`` is its tree.
        slips: edits by rule.
        keep: verdict that suffices, ``different`` or ``undecided``.
        engine: engine that checks whether options compile, or None.
    """

    latex: str
    tree: Tree
    slips: Sequence[Edit]
    keep: str
    engine: str | None


def read_proposal(reply: Proposal, original: Original) -> Edit:
    """The edit that a proposal makes.

    Raises:
        ReplyFault: the proposal cannot be parsed, is the same or not proven different, does not compile, is much longer
            or shorter, has another number of statements, or changes the defined side.
    """
    try:
        written = typeset(reply.latex)
        tree = parse(written)
    except Unread as error:
        raise ReplyFault(f'"latex" cannot be read: {error.reason}') from None
    if not _SHORTEST <= len(written) / len(original.latex) <= _LONGEST:
        raise ReplyFault('"latex" is not about as long as the equation')
    if len(tree.statements) != len(original.tree.statements):
        raise ReplyFault('"latex" does not have as many statements as the equation')
    if _defined_side(written, tree) != _defined_side(original.latex, original.tree):
        raise ReplyFault("the side that the equation defines was changed")
    _check_difference(original, written)
    start, end, new = find_change(original.latex, written)
    kind = name_kind(original.latex, original.slips, written)
    return Edit(start, end, new, kind, reply.change.strip())


def _defined_side(latex: str, tree: Tree) -> str | None:
    """The LaTeX before the first relation; None if there is none."""
    first = tree.statements[0]
    if first.kind != "chain" or first.parts[0] is EMPTY:
        return None
    return latex[first.parts[0].start : first.parts[0].end]


def _check_difference(original: Original, written: str) -> None:
    """Reject a proposal that is not proven different, or that does not compile.

    Raises:
        ReplyFault: the proposal is rejected.
    """
    verdict = certify(original.latex, written)["verdict"]
    if verdict == SAME:
        raise ReplyFault('"latex" says the same as the equation')
    if verdict not in (DIFFERENT, original.keep):
        raise ReplyFault('it cannot be shown that "latex" says something else than the equation; change something else')
    [compiled] = compiling.check([written], original.engine)
    if compiled["ok"] is False:
        raise ReplyFault(f'"latex" does not compile: {compiled["log"]}')


def name_kind(latex: str, slips: Sequence[Edit], written: str) -> str:
    """The kind of the first single edit by rule that gives the formula ``written``, else "other"."""
    for slip in (one for one in slips if one.op not in THROUGHOUT):
        try:
            if typeset(apply(latex, [slip])) == written:
                return slip.op
        except Unread:
            continue
    return OTHER


def find_change(latex: str, written: str) -> tuple[int, int, str]:
    """The smallest edit (start, end, replacement) that converts one typeset formula to another.

    Both are split into signs. The common prefix and suffix are removed; then the span is widened until braces and
    fences are balanced on both sides, and the edit gives exactly the other formula.
    """
    one, other = _SIGN.findall(latex), _SIGN.findall(written)
    shortest = min(len(one), len(other))
    before = next((n for n in range(shortest) if one[n] != other[n]), shortest)
    after = next((n for n in range(shortest - before) if one[-1 - n] != other[-1 - n]), shortest - before)
    for widened in range(before + after + 1):
        for left in range(max(0, widened - after), min(before, widened) + 1):
            first, last = before - left, after - (widened - left)
            old, new = one[first : len(one) - last], other[first : len(other) - last]
            start, end = len("".join(one[:first])), len(latex) - len("".join(one[len(one) - last :]))
            if _is_whole(old) and _is_whole(new) and _makes(latex, (start, end, "".join(new).strip()), written):
                return start, end, "".join(new).strip()
    return 0, len(latex), written


def _makes(latex: str, change: tuple[int, int, str], written: str) -> bool:
    start, end, new = change
    try:
        return typeset(apply(latex, [Edit(start, end, new, OTHER)])) == written
    except Unread:
        return False


def _is_whole(signs: Sequence[str]) -> bool:
    """Whether braces, fences and environments are balanced."""
    for opening, closing in _FENCES:
        depth = 0
        for sign in signs:
            depth += (sign == opening) - (sign == closing)
            if depth < 0:
                return False
        if depth:
            return False
    return True
