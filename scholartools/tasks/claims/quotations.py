"""Replies with quotations, verified: what is located becomes an item with one span, the rest is kept with its reason.

Of what a reply gives, everything is in one of three lists: kept, merged (the same place twice), rejected.
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
_KINDS = ("exact", "whitespace", "typography", "case", "edited")


class Piece(NamedTuple):
    """A stretch of a named text that a question is about: all of a review, some paragraphs of a section."""

    name: str
    text: str
    start: int
    end: int

    @property
    def excerpt(self) -> str:
        """What is shown to a model."""
        return self.text[self.start : self.end]


class Located(NamedTuple):
    """What became of the quotations of a reply.

    Attributes:
        items: in the order of the text, each with ``text``, one span and ``match``, how the quotation differs from it.
        rejected: the others, each with its reason.
        n_given: how many there were.
        n_merged: how many were of the place of another.
    """

    items: list[Record]
    rejected: list[Record]
    n_given: int
    n_merged: int


def strip_label(quote: str) -> str:
    """A quotation without what a model put before it, such as "Claim 3:"."""
    return _LABEL.sub("", quote, count=1)


def located_claims(reply: replies.Claims, piece: Piece) -> Located:
    """The claims of a reply in a piece of a paper."""
    return _locate_quotes([(quote, {}) for quote in reply.claims], piece)


def located_weaknesses(reply: replies.Weaknesses | replies.AllWeaknesses, piece: Piece) -> Located:
    """The weaknesses of a reply in a review, each with its groundedness."""
    return _locate_quotes([(one.quote, {"groundedness": one.groundedness}) for one in reply.weaknesses], piece)


def refuse_if_nothing_is_there(found: Located) -> None:
    """Tell a model that none of what it quotes is in the text.

    Raises:
        ReplyFault: it is so; for a reply that quotes nothing it is not.
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
    """Give ``shares`` to items whose spans overlap: the ids of the others."""
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
