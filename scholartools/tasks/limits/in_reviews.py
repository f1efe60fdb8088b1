"""The limitations that reviewers state: the critical parts of their reviews, and what in them is noise.

A part is critical where a field of the form or a heading inside the text says so ("Weaknesses:", "Cons", "W1."). In a
review of which neither says so, critical sentences are found by keywords. What is under strengths, summary or a
score is never taken; questions and remarks on writing only where they are asked for.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from scholartools.tasks.limits import review_cues
from scholartools.tasks.limits.passages import (
    Block,
    Found,
    Noise,
    Place,
    group_sentences,
    sentence_places,
)
from scholartools.text.repeats import remember_short
from scholartools.text.sentences import paragraphs

if TYPE_CHECKING:
    from scholartools.schemas.shapes import Review

_FIELDS = [(kind, re.compile(pattern)) for kind, pattern in review_cues.FIELDS]
_ORNAMENT = r"[^\S\n]{0,8}[#>*_\[(\u2022-]{0,4}[^\S\n]{0,4}(?:\d{1,2}[.)][^\S\n]{0,4})?[*_]{0,3}"
_AFTER = r"[*_\])]{0,3}[^\S\n]{0,4}(?:[:.][*_]{0,3}(?=\s|$)|[\u2013\u2014-](?=\s)|$)"
_HEADING = re.compile(
    rf"(?im)(?:^|(?<=[.!?]\s)){_ORNAMENT}(?:(?P<critical>{review_cues.CRITICAL_HEADINGS})"
    rf"|(?P<remark>{review_cues.REMARK_HEADINGS})|(?P<other>{review_cues.OTHER_HEADINGS}))"
    rf"{review_cues.HEADING_TAIL}{_AFTER}"
)
_LINE = re.compile(
    rf"(?im)^[^\S\n]{{0,8}}(?![^\n]{{0,100}}\b(?:{review_cues.OTHER_LINE}|{review_cues.REMARK_LINE})[^\S\n]+(?:and|&)\b)"
    rf"(?:(?P<critical>[^\n.:]{{0,80}}\b(?:{review_cues.CRITICAL_LINE})\b[^\n.:]{{0,40}})"
    rf"|(?P<remark>[^\n.:]{{0,80}}\b(?:{review_cues.REMARK_LINE})\b[^\n.:]{{0,40}})"
    rf"|(?P<other>[^\n.:]{{0,80}}\b(?:{review_cues.OTHER_LINE})\b[^\n.:]{{0,40}})):[^\S\n]*$"
)
_LABEL = re.compile(
    rf"(?m)(?:^|(?<=[.!?]\s)){_ORNAMENT}(?:(?P<critical>{review_cues.CRITICAL_LABELS})"
    rf"|(?P<remark>{review_cues.REMARK_LABELS})|(?P<other>{review_cues.OTHER_LABELS}))"
    r"(?:[*_\])]{0,3}[^\S\n]{0,2}[:.)\u2013\u2014-][*_]{0,3}|[*_\])]{1,3})(?=\s)"
)
_MARKER = re.compile(rf"(?m)^(?P<indent>[^\S\n]{{0,12}}){review_cues.MARKER}[^\S\n]*")
_CRITIQUE = re.compile(rf"(?i)(?<!\w)(?:{review_cues.CRITIQUE})(?!\w)")
_ASKS = re.compile(r"\?(?=\W*$)")
_PRAISE = re.compile(rf"(?i){review_cues.PRAISE}")
_SUMMARY = re.compile(rf"(?i)\W*{review_cues.SUMMARY}")
_GOES_ON = re.compile(rf"(?i){review_cues.GOES_ON}")
_NOISE = [(reason, re.compile(rf"(?is){rule}")) for reason, rule in review_cues.NOISE]

# A longer sentence is not noise, whatever it begins with, in characters.
_LONGEST_NOISE = 400


class _Part(NamedTuple):
    """A stretch of a review; its kind is "critical", "remark" (questions, writing), "other", or None: nothing says."""

    start: int
    end: int
    heading: str | None
    kind: str | None


def find_in_reviews(reviews: Sequence[Review], remarks: bool = False) -> list[Found]:
    """For each review its critical parts, and in parts of which nothing says so the sentences with a keyword.

    With remarks there are parts of questions and of remarks on writing too, and sentences that ask.
    """
    return [
        _blocks_and_noise(f"review:{review['id']}", review["text"], list(_critical_parts(review, remarks)), remarks)
        for review in reviews
    ]


def passages_for_model(reviews: Sequence[Review]) -> list[Found]:
    """For each review its critical parts, and all of the parts of which nothing says whether they are."""
    return [
        Found(
            f"review:{review['id']}",
            review["text"],
            "review",
            _blocks_of(review["text"], list(_critical_parts(review))),
            [],
        )
        for review in reviews
    ]


def cut_criticism(text: str, block: Block) -> tuple[list[Place], list[Noise]]:
    """The limitations of a block, cut at paragraphs, list items and enumerations; sentences that are noise apart."""
    places: list[Place] = []
    noise: list[Noise] = []
    run: list[Place] = []
    starts: set[int] = set()
    for first, last in _iter_pieces(text, block.start, block.end):
        starts.add(first)
        for start, end in sentence_places(text, first, last):
            if reason := _noise_reason(text[start:end]):
                noise.append(Noise(start, end, reason))
                places += group_sentences(text, run, starts)
                run = []
            else:
                run.append((start, end))
    return [*places, *group_sentences(text, run, starts)], noise


# Where reviewers are critical


def _critical_parts(review: Review, remarks: bool = False) -> Iterator[_Part]:
    """The parts of a review that are or may be critical, and those of remarks where these are wanted, in order."""
    text = review["text"]
    for part in _critical_answers(review, remarks):
        inner = list(_divide_part(text, part))
        has_critical = any(one.kind == "critical" for one in inner)
        for one in inner:
            if one.kind == "critical" or (one.kind == "remark" and remarks) or (one.kind is None and not has_critical):
                yield one


def _critical_answers(review: Review, remarks: bool) -> list[_Part]:
    """The answers of the form that are or may be critical; the whole review where there is no form."""
    fields = sorted(review.get("fields") or (), key=lambda field: field["start"])
    if not fields:
        return [_Part(0, len(review["text"]), None, None)]
    kinds = [field_kind(field["name"]) for field in fields]
    wanted = {"critical", "open"} if {"critical", "open"} & set(kinds) else {"other"}
    wanted |= {"remark"} if remarks else set()
    return [
        _Part(
            field["start"],
            field["end"],
            _display_name(field["name"]) if kind in {"critical", "remark"} else None,
            kind if kind in {"critical", "remark"} else None,
        )
        for field, kind in zip(fields, kinds)
        if kind in wanted
    ]


def field_kind(name: str) -> str:
    return next((kind for kind, pattern in _FIELDS if pattern.search(name)), "other")


def _display_name(name: str) -> str:
    words = name.replace("_", " ").strip()
    return words[:1].upper() + words[1:]


def _divide_part(text: str, part: _Part) -> Iterator[_Part]:
    """A part divided at the headings and labels in it, without these."""
    found = (pattern.finditer(text, part.start, part.end) for pattern in (_LINE, _HEADING, _LABEL))
    marks = sorted(itertools.chain(*found), key=lambda mark: mark.start())
    ends = [*(mark.start() for mark in marks), part.end]
    yield part._replace(end=ends[0])
    heading = part.heading
    for mark, end in zip(marks, ends[1:]):
        kind = mark.lastgroup or "other"
        if mark.re is not _LABEL:
            heading = None if kind == "other" else mark[kind]
        yield _Part(mark.end(), max(mark.end(), end), heading, kind)


def _blocks_of(text: str, parts: Sequence[_Part]) -> list[Block]:
    """The parts as blocks, without those that hold no letter; what may be critical is marked by an empty cue."""
    return [
        Block(part.start, part.end, part.heading, "" if part.kind is None else None)
        for part in parts
        if any(map(str.isalpha, text[part.start : part.end]))
    ]


def _blocks_and_noise(name: str, text: str, parts: list[_Part], remarks: bool) -> Found:
    blocks: list[Block] = []
    noise: list[Noise] = []
    for block in _blocks_of(text, parts):
        if block.cue is None:
            blocks.append(block)
            continue
        for first, last in _iter_pieces(text, block.start, block.end):
            passages, dropped = _keyword_passages(text, sentence_places(text, first, last), remarks)
            blocks += passages
            noise += dropped
    return Found(name, text, "review", blocks, noise)


def _keyword_passages(text: str, places: list[Place], remarks: bool) -> tuple[list[Block], list[Noise]]:
    """The sentences of a paragraph with a keyword, each with those after it, up to one that turns to other things.

    With remarks a sentence that asks is as one with a keyword.
    """
    passages: list[Block] = []
    noise: list[Noise] = []
    is_open = False
    for start, end in places:
        word = _CRITIQUE.search(text, start, end)
        cue = word or (_ASKS.search(text, start, end) if remarks else None)
        goes_on = _GOES_ON.match(text, start, end) is not None and not _SUMMARY.match(text, start, end)
        if word is not None and (reason := _noise_reason(text[start:end]) or _announced_kind(text[start:end])):
            noise.append(Noise(start, end, reason))
            is_open = False
        elif cue is not None and not (is_open and goes_on):
            passages.append(Block(start, end, None, cue.group()))
            is_open = word is not None  # nothing goes on with a question
        elif is_open and (goes_on or not _turns_away(text[start:end])):
            passages[-1] = passages[-1]._replace(end=end)
        else:
            is_open = False
    return passages, noise


@remember_short
def _turns_away(sentence: str) -> bool:
    """Whether a sentence turns from criticism to praise, or says what the paper does."""
    return _PRAISE.search(sentence) is not None or _SUMMARY.match(sentence) is not None


# What is noise, and where items begin


@remember_short
def _noise_reason(sentence: str) -> str | None:
    """Why a sentence is noise, None where it is a limitation."""
    if not any(map(str.isalpha, sentence)):
        return "it has no words"
    if len(sentence) > _LONGEST_NOISE:
        return None
    return next((reason for reason, rule in _NOISE if rule.match(sentence)), None)


def _announced_kind(sentence: str) -> str | None:
    return "it only announces" if sentence.endswith(":") else None


def _iter_pieces(text: str, start: int, end: int) -> Iterator[Place]:
    """Paragraphs, and the items of lists in them, without their bullets and numbers but with the lists inside them."""
    for first, last in paragraphs(text[start:end]):
        first, last = start + first, start + last
        marks = list(_MARKER.finditer(text, max(start, text.rfind("\n", 0, first) + 1), last))
        marks = [mark for mark in marks if len(mark["indent"]) <= len(marks[0]["indent"])]
        ends = [*(mark.start() for mark in marks), last]
        yield from _trim_piece(text, min(first, ends[0]), ends[0])
        for mark, stop in zip(marks, ends[1:]):
            yield from _trim_piece(text, mark.end(), stop)


def _trim_piece(text: str, start: int, end: int) -> Iterator[Place]:
    piece = text[start:end]
    if body := piece.strip():
        begin = start + len(piece) - len(piece.lstrip())
        yield begin, begin + len(body)
