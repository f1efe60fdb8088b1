"""A wrong equation that a model proposes, as one change of the paper's: verified, named by the rule that makes it."""

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

OTHER = "other"  # the kind of a change that no rule makes
_SHORTEST, _LONGEST = 0.5, 2.0  # of a proposal, in lengths of the equation
_SIGN = re.compile(r"\\[A-Za-z]+|\\.|\d+|\s+|.", re.DOTALL)
_FENCES = (("{", "}"), ("\\left", "\\right"), ("\\begin", "\\end"))


class Proposal(Closed):
    """A wrong version of an equation, and what was changed."""

    latex: str
    change: str


class Original(NamedTuple):
    """An equation that wrong versions are wanted of.

    Attributes:
        latex: as it is written in options, with its ``tree``.
        slips: what the rules make of it.
        keep: the verdict that is enough, ``different`` or ``undecided``.
        engine: what checks that options compile, or None.
    """

    latex: str
    tree: Tree
    slips: Sequence[Edit]
    keep: str
    engine: str | None


def read_proposal(reply: Proposal, original: Original) -> Edit:
    """The change that a proposal makes.

    Raises:
        ReplyFault: it cannot be read, says the same or is not proven to differ, does not compile, is much longer or
            shorter, has another number of statements, or changes the side that is defined.
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
    """What comes before the first sign of equality or of another relation."""
    first = tree.statements[0]
    if first.kind != "chain" or first.parts[0] is EMPTY:
        return None
    return latex[first.parts[0].start : first.parts[0].end]


def _check_difference(original: Original, written: str) -> None:
    """Refuse a proposal that is not proven to be another equation, or that does not compile.

    Raises:
        ReplyFault: it is such.
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
    """The kind of the first slip at one place that makes another formula of one, else "other"."""
    for slip in (one for one in slips if one.op not in THROUGHOUT):
        try:
            if typeset(apply(latex, [slip])) == written:
                return slip.op
        except Unread:
            continue
    return OTHER


def find_change(latex: str, written: str) -> tuple[int, int, str]:
    """The least part of a typeset formula, from ``start`` to ``end``, that becomes something new in another.

    Both are cut into signs; what they share at both ends is left out, then as many signs are taken in again as it
    takes for braces and fences to be whole on both sides, and for the change to give exactly the other formula.
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
    """Whether what opens in some signs closes in them."""
    for opening, closing in _FENCES:
        depth = 0
        for sign in signs:
            depth += (sign == opening) - (sign == closing)
            if depth < 0:
                return False
        if depth:
            return False
    return True
