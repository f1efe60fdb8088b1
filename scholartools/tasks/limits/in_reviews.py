"""Find the critical parts of reviews, and reject noise in them.

A part is critical if a field of the form or a heading in the text says so ("Weaknesses:", "Cons", "W1."). In a review
without either, critical sentences are found by keywords. Strengths, summaries and scores are never taken; questions and
remarks on writing only on request.
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

# Maximum length in characters of noise; longer sentences are always kept.
_LONGEST_NOISE = 400


class _Part(NamedTuple):
    """A stretch of a review; kind: "critical", "remark" (questions, writing), "other", or None (unknown)."""

    start: int
    end: int
    heading: str | None
    kind: str | None


def find_in_reviews(reviews: Sequence[Review], remarks: bool = False) -> list[Found]:
    """Critical parts of each review, and in parts of unknown kind the sentences with a keyword.

    With ``remarks``, also questions and remarks on writing.
    """
    return [
        _blocks_and_noise(f"review:{review['id']}", review["text"], list(_critical_parts(review, remarks)), remarks)
        for review in reviews
    ]


def passages_for_model(reviews: Sequence[Review]) -> list[Found]:
    """Critical parts of each review, and all parts of unknown kind."""
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
    """Limitations in a block, split at paragraphs, list items and enumerations; noise sentences are separate."""
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


# Critical parts


def _critical_parts(review: Review, remarks: bool = False) -> Iterator[_Part]:
    """Parts of a review that are or may be critical, and remarks on request, in order."""
    text = review["text"]
    for part in _critical_answers(review, remarks):
        inner = list(_divide_part(text, part))
        has_critical = any(one.kind == "critical" for one in inner)
        for one in inner:
            if one.kind == "critical" or (one.kind == "remark" and remarks) or (one.kind is None and not has_critical):
                yield one


def _critical_answers(review: Review, remarks: bool) -> list[_Part]:
    """Answers of the form that are or may be critical; the whole review without a form."""
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
    """Split a part at its headings and labels, which are removed."""
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
    """Parts as blocks, without those that have no letter; an empty cue marks parts that may be critical."""
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
    """Sentences of a paragraph with a keyword, each with its continuation.

    With ``remarks``, questions are treated like sentences with a keyword.
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
            is_open = word is not None  # questions have no continuation
        elif is_open and (goes_on or not _turns_away(text[start:end])):
            passages[-1] = passages[-1]._replace(end=end)
        else:
            is_open = False
    return passages, noise


@remember_short
def _turns_away(sentence: str) -> bool:
    """Whether a sentence turns from criticism to praise or summary."""
    return _PRAISE.search(sentence) is not None or _SUMMARY.match(sentence) is not None


# Noise and list items


@remember_short
def _noise_reason(sentence: str) -> str | None:
    """Why a sentence is noise; None if it is a limitation."""
    if not any(map(str.isalpha, sentence)):
        return "it has no words"
    if len(sentence) > _LONGEST_NOISE:
        return None
    return next((reason for reason, rule in _NOISE if rule.match(sentence)), None)


def _announced_kind(sentence: str) -> str | None:
    return "it only announces" if sentence.endswith(":") else None


def _iter_pieces(text: str, start: int, end: int) -> Iterator[Place]:
    """Paragraphs and top-level list items in them, without markers, including nested lists."""
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
