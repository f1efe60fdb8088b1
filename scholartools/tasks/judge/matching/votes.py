"""From votes to a judgement: when two limitations match (BAGELS, section 5.1 and its appendix).

The paper asks with three prompts and in both orders, and keeps what is consistent. Here that means all votes: see
:func:`verdict`. A vote that is missing is null and never becomes an answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, get_args

from scholartools.records import Record
from scholartools.tasks.shared.items import Item
from scholartools.wording import share_of

if TYPE_CHECKING:
    from scholartools.schemas.shapes import Vote

Rule = Literal["all", "majority"]
RULES: tuple[str, ...] = get_args(Rule)

Order = Literal["reference-first", "candidate-first"]
ORDERS: tuple[Order, ...] = get_args(Order)


def verdict(votes: Sequence[Record], rule: Rule) -> bool | None:
    """Whether the votes make a match; None where votes that are missing might decide it.

    Args:
        votes: at least one, each with ``match``: true, false or null.
        rule: ``all``: a match where every vote says so; one no is enough against it. ``majority``: a match where more
            than half of all votes say so, those that are missing included; half is no match.
    """
    said = [vote["match"] for vote in votes]
    needed = len(said) if rule == "all" else len(said) // 2 + 1
    if said.count(True) >= needed:
        return True
    return False if said.count(True) + said.count(None) < needed else None


def inconsistent(votes: Sequence[Vote]) -> bool:
    """Whether some votes say yes and others no."""
    return {True, False} <= {vote["match"] for vote in votes}


def majority(votes: Sequence[Record]) -> bool | None:
    """What most of the votes that could be had say; None where they are split in halves or there are none."""
    said = [vote["match"] for vote in votes if vote["match"] is not None]
    return None if 2 * sum(said) == len(said) else 2 * sum(said) > len(said)


def judge_pair(truth: Item, item: Item, votes: list[Record], rule: Rule) -> Record:
    """The pair as the record has it; with the reason where it has no judgement."""
    match = verdict(votes, rule)
    pair: Record = {"reference": truth.id, "candidate": item.id, "match": match, "votes": votes}
    if match is None:
        missing = [vote for vote in votes if vote["match"] is None]
        pair["reason"] = f"{share_of(len(missing), len(votes), 'vote', 'are')} missing: {missing[0]['reason']}"
    return pair
