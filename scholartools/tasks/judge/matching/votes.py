"""Decide from votes whether two limitations match (BAGELS, section 5.1 and appendix).

The paper uses three prompts in both orders and keeps consistent results, here meaning unanimous votes: see
:func:`verdict`. Missing votes are null and never count as an answer.
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
    """Decide by votes; None if missing votes could change the decision.

    Args:
        votes: at least one, each with ``match``: true, false or null.
        rule: ``all``: a match requires unanimous votes; a single no decides against it. ``majority``: a match requires
            more than half of all votes, including missing ones.
    """
    said = [vote["match"] for vote in votes]
    needed = len(said) if rule == "all" else len(said) // 2 + 1
    if said.count(True) >= needed:
        return True
    return False if said.count(True) + said.count(None) < needed else None


def inconsistent(votes: Sequence[Vote]) -> bool:
    """Whether there are both positive and negative votes."""
    return {True, False} <= {vote["match"] for vote in votes}


def majority(votes: Sequence[Record]) -> bool | None:
    """Majority of the available votes; None for a tie or without votes."""
    said = [vote["match"] for vote in votes if vote["match"] is not None]
    return None if 2 * sum(said) == len(said) else 2 * sum(said) > len(said)


def judge_pair(truth: Item, item: Item, votes: list[Record], rule: Rule) -> Record:
    """The pair as stored in the record; undecided pairs have a reason."""
    match = verdict(votes, rule)
    pair: Record = {"reference": truth.id, "candidate": item.id, "match": match, "votes": votes}
    if match is None:
        missing = [vote for vote in votes if vote["match"] is None]
        pair["reason"] = f"{share_of(len(missing), len(votes), 'vote', 'are')} missing: {missing[0]['reason']}"
    return pair
