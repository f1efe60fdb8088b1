"""Stretches of text that state limitations, and their division into limitations; for papers and reviews."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from scholartools.tasks.limits import paper_cues, review_cues
from scholartools.text.repeats import remember_short
from scholartools.text.sentences import paragraphs, spans

Place = tuple[int, int]

_ITEM = re.compile(rf"(?i){paper_cues.ITEM}")
_LEAD = re.compile(r"(?i)\b(?:limitations|shortcomings|drawbacks|caveats|weaknesses|threats)\b")
_LEAD_WORDS = 14
_FUTURE = re.compile(rf"(?i){paper_cues.FUTURE}")
_NOTHING = [(reason, re.compile(rf"(?is){rule}")) for reason, rule in review_cues.NOTHING]
_GAP = re.compile(rf"(?i){paper_cues.GAP}")
_NAMED = re.compile(rf"(?i)\b{paper_cues.NAMES}\b")

_BULLET = re.compile(r"[\u2022\u25aa\u25e6\u2023\u2013\u00b7*-]\s")
_PROBLEM = re.compile(rf"(?i)\b(?:{paper_cues.NAMES}|{paper_cues.PROBLEMS})\b")

# Ordinals that mark list items.
_ORDINAL = re.compile(rf"(?i){paper_cues.ORDINAL}")
_MARK = re.compile(
    r"(?<!\S)(?:\(?(?P<label>\d{1,2}|[ivx]{1,4}|[a-h])\)(?=\s)"
    r"|(?P<ordinal>(?-i:First)|(?:(?<=[:;]\s)|(?<=[;,]\sand\s))(?:first|second|third|fourth|fifth))(?:ly)?,(?=\s))",
    re.IGNORECASE,
)
_SERIES = (
    tuple(map(str, range(1, 10))),
    ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii"),
    tuple("abcdefgh"),
    ("first", "second", "third", "fourth", "fifth"),
)
_CLOSED = re.compile(r"[;,.](?:\s+and)?\s*$")
_STATES = re.compile(r":\s+\S")

# Minimum length in characters of a sentence with two items ("1) a ; 2) a .").
_SHORTEST_LIST = 13

# Minimum words of an item inside a sentence, and minimum if a punctuation mark ends it.
_ITEM_WORDS, _CLOSED_ITEM_WORDS = 4, 2


class Block(NamedTuple):
    """A stretch of a text that states limitations; ``cue`` is None if a heading or field marks it."""

    start: int
    end: int
    heading: str | None
    cue: str | None


class Noise(NamedTuple):
    """A stretch of a text that was rejected as a limitation."""

    start: int
    end: int
    reason: str


class Found(NamedTuple):
    """Results for one text of a record.

    Attributes:
        name: name of the text in spans.
        blocks: disjoint, in order.
        noise: in order.
    """

    name: str
    text: str
    origin: Literal["author", "review"]
    blocks: list[Block]
    noise: list[Noise]


def cut_passage(text: str, block: Block) -> tuple[list[Place], list[Noise]]:
    """Limitations in a block, and sentences without one: future work, thanks, "None.".

    They are split at paragraphs and at sentences that start a list item; between the first and last numbered item, only
    at items. A paragraph or sentence that only announces limitations ("This study has several limitations.") is kept
    with them. Sentences without a limitation are kept between sentences of one limitation.
    """
    stretch = text[block.start : block.end]
    places = [
        piece for place in sentence_places(text, block.start, block.end) for piece in _divide_sentence(text, *place)
    ]
    starts = {block.start + start for start, _ in paragraphs(stretch)}
    numbered = [start for start, end in places if _ORDINAL.match(text, start, end)]
    if numbered:
        starts = {start for start in starts if not numbered[0] < start < numbered[-1]}
    kept: list[Place] = []
    noise: list[Noise] = []
    for group in _split_groups(text, places, starts):
        inner = _trim_group(text, group)
        kept += [(inner[0][0], inner[-1][1])] if inner else []
        stated = set(inner)
        outer = [(place, _idle_reason(text[slice(*place)])) for place in group if place not in stated]
        noise += [Noise(*place, reason) for place, reason in outer if reason]
    return kept, noise


def group_sentences(text: str, places: list[Place], starts: set[int]) -> list[Place]:
    """Group sentences into limitations, which begin at the starts and at list items."""
    return [(group[0][0], group[-1][1]) for group in _split_groups(text, places, starts)]


def _split_groups(text: str, places: list[Place], starts: set[int]) -> list[list[Place]]:
    groups: list[list[Place]] = []
    is_lead = False
    for start, end in places:
        begins = start in starts or _ITEM.match(text, start, end)
        if groups and (is_lead or not begins):
            groups[-1].append((start, end))
            is_lead = False
        else:
            groups.append([(start, end)])
            is_lead = announces_several(text[start:end]) and not _STATES.search(text, start, end)
    return groups


def _divide_sentence(text: str, start: int, end: int) -> list[Place]:
    """Split a sentence at the numbers of a list inside it ("1) ... 2) ...", "first, ...; second, ...")."""
    if end - start < _SHORTEST_LIST:
        return [(start, end)]
    marks = list(_MARK.finditer(text, start, end))
    labels = [(mark["label"] or mark["ordinal"]).lower() for mark in marks]
    if len(marks) < 2 or not any(labels == list(known[: len(labels)]) for known in _SERIES):
        return [(start, end)]
    cuts = [start, *(mark.start() for mark in marks[1:]), end]
    if not all(_is_item(text[mark.end() : last]) for mark, last in zip(marks, cuts[1:])):
        return [(start, end)]
    return [(first, first + len(text[first:last].rstrip())) for first, last in zip(cuts, cuts[1:])]


def _is_item(stretch: str) -> bool:
    """Whether the text after a number inside a sentence is long enough for an item."""
    is_closed = _CLOSED.search(stretch) is not None
    return len(stretch.split()) >= (_CLOSED_ITEM_WORDS if is_closed else _ITEM_WORDS)


def _trim_group(text: str, group: list[Place]) -> list[Place]:
    """Strip sentences without a limitation from both ends of a group."""
    kept = [number for number, place in enumerate(group) if not _idle_reason(text[slice(*place)])]
    return group[kept[0] : kept[-1] + 1] if kept else []


@remember_short
def _idle_reason(sentence: str) -> str | None:
    """Why a sentence under a heading of limitations states none; None if it may."""
    if _is_plan(sentence):
        return "it speaks of future work"
    return next((reason for reason, rule in _NOTHING if rule.match(sentence)), None)


def _is_plan(sentence: str) -> bool:
    """Whether a sentence only states future work, without a gap or a limitation."""
    return _FUTURE.search(sentence) is not None and not _GAP.search(sentence) and not _NAMED.search(sentence)


def announces_list(text: str, block: Block) -> bool:
    """Whether the last sentence of a block announces several limitations, or is an item of a list of these.

    Sentences that end with a colon or follow a bullet must name limitations, since lists have other uses.
    """
    start, end = sentence_places(text, block.start, block.end)[-1]
    sentence = text[start:end]
    if sentence.endswith(":") or _BULLET.match(sentence):
        return _PROBLEM.search(sentence) is not None
    return announces_several(sentence) or opens_item(text, start, end)


@remember_short
def announces_several(sentence: str) -> bool:
    """Whether a sentence announces several limitations."""
    if sentence.endswith(":"):
        return True
    return len(sentence.split()) <= _LEAD_WORDS and _LEAD.search(sentence) is not None


def sentence_places(text: str, start: int, end: int) -> list[Place]:
    """Offsets of the sentences in a stretch."""
    return [(start + first, start + last) for first, last in spans(text[start:end])]


def opens_item(text: str, start: int, end: int) -> bool:
    """Whether a stretch starts a list item."""
    return _ITEM.match(text, start, end) is not None
