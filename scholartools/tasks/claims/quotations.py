"""Verify quotations in replies: located ones become items with one span, the others are kept with a reason.

Every quotation of a reply is counted as kept, merged (same place as another) or rejected.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from scholartools.llm.replies import ReplyFault
from scholartools.records import Record
from scholartools.tasks.claims import replies
from scholartools.tasks.claims.mentions import TOO_SHORT, is_too_short
from scholartools.text.quotes import Match, Miss, locate_all

_LABEL = re.compile(r"(?i)^\s*(?:(?:target\s+)?claim|weakness|custom(?:\s+target)?(?:\s+claim)?)\s*\d*\s*[:.)]\s+")


class Piece(NamedTuple):
    """A stretch of a named text that a request is about: a whole review, or some paragraphs of a section."""

    name: str
    text: str
    start: int
    end: int

    @property
    def excerpt(self) -> str:
        """The text shown to the model."""
        return self.text[self.start : self.end]


class Located(NamedTuple):
    """The located quotations of a reply.

    Attributes:
        items: in the order of the text, each with ``text``, one span and ``match``, the kind of difference.
        rejected: quotations that were not located, with reasons.
        n_given: number of quotations.
        n_merged: number of quotations merged with another at the same place.
    """

    items: list[Record]
    rejected: list[Record]
    n_given: int
    n_merged: int


def strip_label(quote: str) -> str:
    """Remove a label such as "Claim 3:" that a model put before a quotation."""
    return _LABEL.sub("", quote, count=1)


def located_claims(reply: replies.Claims, piece: Piece) -> Located:
    """Locate the claims of a reply in a chunk of a paper."""
    return _locate_quotes([(quote, {}) for quote in reply.claims], piece)


def located_weaknesses(reply: replies.Weaknesses | replies.AllWeaknesses, piece: Piece) -> Located:
    """Locate the weaknesses of a reply in a review, with their groundedness."""
    return _locate_quotes([(one.quote, {"groundedness": one.groundedness}) for one in reply.weaknesses], piece)


def refuse_if_nothing_is_there(found: Located) -> None:
    """Check that at least one of the quotations is in the text.

    Raises:
        ReplyFault: none is; a reply without quotations is accepted.
    """
    if found.rejected and not found.items:
        first = found.rejected[0]["reason"]
        raise ReplyFault(f"none of the quotes is in the text, word for word; the first: {first}")


def _locate_quotes(quotes: Sequence[tuple[str, Record]], piece: Piece) -> Located:
    places = locate_all([strip_label(quote) for quote, _ in quotes], piece.excerpt)
    items: dict[tuple[int, int], Record] = {}
    rejected: list[Record] = []
    for (quote, more), place in zip(quotes, places):
        if isinstance(place, Miss) or is_too_short(strip_label(quote)):
            reason = place.reason if isinstance(place, Miss) else TOO_SHORT
            rejected.append({"text": quote, "in": piece.name, "reason": reason})
            continue
        span = (piece.start + place.start, piece.start + place.end)
        items.setdefault(span, _quoted_item(piece, place, span) | more)
    n_merged = len(quotes) - len(rejected) - len(items)
    return Located([items[span] for span in sorted(items)], rejected, len(quotes), n_merged)


def _quoted_item(piece: Piece, place: Match, span: tuple[int, int]) -> Record:
    start, end = span
    return {
        "text": piece.text[start:end],
        "spans": [{"in": piece.name, "start": start, "end": end}],
        "match": place.kind,
    }


def flag_overlaps(items: Sequence[Record]) -> None:
    """Add ``shares`` to items whose spans overlap: the ids of the others."""
    for item in items:
        mine = item["spans"][0]
        others = [
            other["id"]
            for other in items
            if other is not item
            and other["spans"][0]["in"] == mine["in"]
            and other["spans"][0]["start"] < mine["end"]
            and mine["start"] < other["spans"][0]["end"]
        ]
        if others:
            item["shares"] = others
