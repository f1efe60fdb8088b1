"""Verify the claims that a model chose for a weakness, against the candidates and the paper (CLAIMCHECK, 4.1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from scholartools.llm.replies import ReplyFault
from scholartools.records import Record
from scholartools.tasks.claims.base import chosen_claim
from scholartools.tasks.claims.mentions import final_end, locate_passage
from scholartools.tasks.claims.quotations import strip_label
from scholartools.tasks.claims.replies import Association
from scholartools.text.quotes import Match, fold_text, locate

if TYPE_CHECKING:
    from scholartools.schemas.shapes import Claim, Span, Target

#: Replies that models give for a custom target in place of null.
_NO_TARGET = ("none", "none.", "null", "n/a")


class Choice(NamedTuple):
    """The verified targets of a reply.

    Attributes:
        items: targets, candidates first.
        ranks: list number of each chosen candidate.
        rejected: a custom target that is not in the paper.
        was_candidate: whether the custom target equals a candidate.
        reasoning: as given; None if it is unusable.
    """

    items: list[Target]
    ranks: list[int]
    rejected: list[Record]
    was_candidate: bool
    reasoning: str | None


def verify_choice(
    reply: Association, candidates: Sequence[Claim], named: Mapping[str, str], review: str, most: int
) -> Choice:
    """Verify the targets of a reply.

    Args:
        reply: the reply of the model.
        candidates: claims in the order in which they were shown, numbered from 1.
        named: the texts of the paper in which custom targets are located.
        review: the text of the review, from which a custom target must not be taken.
        most: maximum number of targets, the custom one included.

    Raises:
        ReplyFault: a number does not exist, does not match its text or is duplicate, or there are too many targets.
    """
    ranks = [_checked_rank(one.number, strip_label(one.text), candidates) for one in reply.targets]
    if twice := [rank for rank, count in Counter(ranks).items() if count > 1]:
        raise ReplyFault(f"number {twice[0]} is named twice")
    custom = strip_label(reply.custom or "").strip()
    if custom.casefold() in _NO_TARGET:
        custom = ""
    if len(ranks) + bool(custom) > most:
        raise ReplyFault(f"there are {len(ranks) + bool(custom)} targets, the custom one included: at most {most}")
    items = [chosen_claim(candidates[rank - 1]) for rank in ranks]
    if not custom:
        return Choice(items, ranks, [], False, reply.reasoning)
    if (rank := _same_candidate(custom, candidates)) is not None:
        new = [] if rank in ranks else [rank]
        items += [chosen_claim(candidates[rank - 1]) for rank in new]
        return Choice(items, [*ranks, *new], [], True, reply.reasoning)
    item, reason = _custom_target(custom, candidates, named, review)
    if item is None:
        return Choice(items, ranks, [{"text": custom, "reason": reason}], False, reply.reasoning)
    return Choice([*items, item], ranks, [], False, reply.reasoning)


def _same_candidate(text: str, candidates: Sequence[Claim]) -> int | None:
    """Number of the candidate with a text; None if there is none."""
    wanted = fold_text(text)
    return next((rank for rank, claim in enumerate(candidates, 1) if fold_text(claim["text"]) == wanted), None)


def _checked_rank(number: int, text: str, candidates: Sequence[Claim]) -> int:
    """Return the number if it matches the text."""
    if not 1 <= number <= len(candidates):
        raise ReplyFault(f"there is no claim {number}: the list has {len(candidates)}")
    wanted = fold_text(text)
    if fold_text(candidates[number - 1]["text"]) != wanted:
        other = _same_candidate(text, candidates)
        told = f"that of claim {other}" if other else "in the list nowhere"
        raise ReplyFault(f"the text given for claim {number} is {told}")
    return number


def _custom_target(
    text: str, candidates: Sequence[Claim], named: Mapping[str, str], review: str
) -> tuple[Target | None, str]:
    """Locate a custom target, or give the reason why it is rejected."""
    place = locate_passage(text, named)
    if isinstance(place, str):
        is_reviewers = isinstance(locate(text, review), Match)
        reason = "it stands in the review, not in the paper" if is_reviewers else place
        return None, f"custom target: {reason}"
    said: Span = {"in": place.name, "start": place.match.start, "end": place.match.end}
    source = named[place.name]
    span: Span = {**said, "end": final_end(source, said["start"], said["end"])}
    item: Target = {"claim": None, "custom": True, "text": source[said["start"] : span["end"]], "spans": [span]}
    around = [claim["id"] for claim in candidates if _holds_span(claim["spans"][0], said)]
    if around:
        item["inside"] = around[0]
    return item, ""


def _holds_span(outer: Span, inner: Span) -> bool:
    return outer["in"] == inner["in"] and outer["start"] <= inner["start"] and inner["end"] <= outer["end"]
