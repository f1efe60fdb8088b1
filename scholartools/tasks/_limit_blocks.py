"""Stretches of a text that state limitations, and how they are cut into limitations: what both sides share."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from scholartools.tasks import _limit_cues as cues
from scholartools.text.sentences import paragraphs, spans

Place = tuple[int, int]

_ITEM = re.compile(rf"(?i){cues.ITEM}")
_LEAD = re.compile(r"(?i)\b(?:limitations|shortcomings|drawbacks|caveats|weaknesses|threats)\b")
_LEAD_WORDS = 14


class Block(NamedTuple):
    """A stretch of one text that states limitations; ``cue`` is None where a heading or a field says so."""

    start: int
    end: int
    heading: str | None
    cue: str | None


class Noise(NamedTuple):
    """A stretch of one text that looked like a limitation."""

    start: int
    end: int
    reason: str


class Found(NamedTuple):
    """What was found in one text of a record.

    Attributes:
        name: of the text, as spans name it.
        blocks: in order, never overlapping.
        noise: in order.
    """

    name: str
    text: str
    origin: Literal["author", "review"]
    blocks: list[Block]
    noise: list[Noise]


def cut(text: str, block: Block) -> list[Place]:
    """The limitations of a block: whole sentences, cut at paragraphs and where a sentence opens as an item of a list.

    A paragraph or a sentence that only announces ("This study has several limitations.") stays with what it announces.
    """
    starts = {block.start + start for start, _ in paragraphs(text[block.start : block.end])}
    return grouped(text, sentences(text, block.start, block.end), starts)


def grouped(text: str, places: list[Place], starts: set[int]) -> list[Place]:
    """Sentences joined to limitations: one begins at each of the starts, and at the opening of an item."""
    groups: list[Place] = []
    is_lead = False
    for start, end in places:
        begins = start in starts or _ITEM.match(text, start, end)
        if groups and (is_lead or not begins):
            groups[-1] = (groups[-1][0], end)
            is_lead = False
        else:
            groups.append((start, end))
            is_lead = _announces(text[start:end])
    return groups


def _announces(sentence: str) -> bool:
    if sentence.endswith(":"):
        return True
    return len(sentence.split()) <= _LEAD_WORDS and _LEAD.search(sentence) is not None


def sentences(text: str, start: int, end: int) -> list[Place]:
    """The sentences of a stretch, as places in the text."""
    return [(start + first, start + last) for first, last in spans(text[start:end])]


def opens_item(text: str, start: int, end: int) -> bool:
    """Whether a stretch opens as an item of a list."""
    return _ITEM.match(text, start, end) is not None
