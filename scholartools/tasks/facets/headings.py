"""Headings of structured abstracts ("Methods:"): where they are, and which labels the sentences below may have."""

from __future__ import annotations

import functools
import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import pairwise

from scholartools.tasks.facets import cues
from scholartools.tasks.facets.facet_sets import LABELS

Sentence = tuple[str, int, int]


Allowed = tuple[int, ...]


Span = tuple[int, int]


ANY: Allowed = tuple(range(len(LABELS)))


OTHER: Allowed = (LABELS.index("other"),)


_CAPITALISED = re.compile(r"[A-Z][A-Za-z]+")


_LOOK_BACK = 8


_MARKS = re.compile(r"(?:\(?\d{1,2}[.)]|[*_#(\[]{1,3})\s?$")


# "" is the start of the text.
_ENDS = frozenset(["", *".!?:;)]}\"'\u201d\u2019%*\u2026\n\r"])


def find_headings(text: str) -> list[tuple[int, Allowed]]:
    """Where each heading starts and which labels it allows; none, unless they name at least two facets."""
    first_words = _heading_first_words()
    if sum(map(first_words.__contains__, map(str.lower, _CAPITALISED.findall(text)))) < 2:
        return []
    found = []
    read_to = 0
    for word in _CAPITALISED.finditer(text):
        if word.start() < read_to or word.group().lower() not in first_words:
            continue
        if match := _heading_patterns()[0].match(text, word.start()):
            read_to = match.end()
            start = _heading_start(text, match)
            if start is not None:
                found.append((start, _named_by(match.group())))
    facets = {allowed for _, allowed in found if len(allowed) == 1 and allowed != OTHER}
    return found if len(facets) >= 2 else []


def _heading_start(text: str, match: re.Match[str]) -> int | None:
    """Where a heading begins with its number or marks; None where words of a sentence only look like one."""
    window = text[max(0, match.start() - _LOOK_BACK) : match.start()]
    before = _MARKS.sub("", window)
    sentence_ended = before.rstrip(" \t")[-1:] in _ENDS or before.isspace()
    is_loud = match.group().isupper() and text.startswith(":", match.end())
    return match.start() - len(window) + len(before) if sentence_ended or is_loud else None


def _named_by(heading: str) -> Allowed:
    """The labels a heading allows: those of each name in it."""
    names = _heading_names()
    return tuple(sorted({names[name.lower()] for name in _heading_patterns()[1].findall(heading)}))


def _names(words: str) -> list[str]:
    return words.split(" | ")


@functools.cache
def _heading_names() -> dict[str, int]:
    """What each name in a heading stands for: an index of LABELS."""
    return {name: LABELS.index(facet) for facet, names in cues.HEADINGS.items() for name in _names(names)}


@functools.cache
def _heading_first_words() -> frozenset[str]:
    """The words a heading may begin with."""
    return frozenset(re.split(r"[ ']", name)[0] for name in (*_heading_names(), *_names(cues.HEADING_QUALIFIERS)))


@functools.cache
def _heading_patterns() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """A heading with what must follow it, and one name in it."""
    names = sorted(_heading_names(), key=len, reverse=True)
    qualifiers = _names(cues.HEADING_QUALIFIERS)
    one = (
        rf"(?:(?:{'|'.join(qualifiers)})\s)?(?:{'|'.join(names)})\b"
        r"(?:\s(?:of|for)\s(?:the|this|our)\s(?:study|review|trial|paper|work|research))?"
    )
    joined = rf"{one}(?:(?:,?\s(?:and|&)\s|,\s|\s?/\s?){one}){{0,4}}"
    follows = (
        r"(?=[ \t*_\])]{0,3}(?::|\.(?:\s|$)|\|)|[ \t]{0,3}(?:[-\u2013\u2014]\s|\u2014|\r?\n)|[*_\])]{1,3}\s|\s[A-Z0-9])"
    )
    return re.compile(f"(?i:{joined}){follows}"), re.compile(rf"\b(?i:{'|'.join(names)})\b")


def is_broken(text: str, places: Iterable[Span], breaks: Sequence[int]) -> list[Span]:
    """The sentences, broken where a heading begins inside one."""
    if not breaks:
        return list(places)
    parts: list[Span] = []
    for start, end in places:
        inside = breaks[bisect_right(breaks, start) : bisect_right(breaks, end - 1)]
        cuts = [start, *inside, end]
        parts += ((first, first + len(text[first:last].rstrip())) for first, last in pairwise(cuts))
    return parts


def label_under_headings(places: Sequence[Span], headings: Sequence[tuple[int, Allowed]]) -> list[Allowed]:
    """The labels each sentence may have by the heading above it."""
    starts = [start for start, _ in headings]
    allowed = [ANY, *(named for _, named in headings)]
    return [allowed[bisect_right(starts, start)] for start, _ in places]
