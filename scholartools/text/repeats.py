"""Text that repeats itself over a long stretch, and how places found in a shorter one lead back to it.

A foreign text of one short sentence, twenty thousand times, has as many sentences as a book. Where what is found at a
place depends only on what is around it, the same is found in each repetition, and it is sought in a few of them.
"""

from __future__ import annotations

import functools
from bisect import bisect_left
from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeVar

# Repetitions of more characters are not sought: their sentences are as long as those of prose.
_LONGEST_UNIT = 120

# How much of a stretch is left at each of its ends: more characters, and repetitions of it, than anything that finds
# sentences looks around it; without whitespace, more than a run that they blot the middle of.
_KEPT, _KEPT_UNITS, _KEPT_RUN = 100, 4, 600

# A stretch is sought at places so far from each other, by so many characters that come again.
_STEP = 300
_SAME = 2 * _LONGEST_UNIT

# What a repetition must hold something else of: a run of these is looked through to its end, whatever its length.
_RUNS = frozenset(".!?\u2026\"')]}\u201d\u2019\u00bb*")

# Sentences of which it is remembered what was said of them, and of how many characters.
_REMEMBERED, _SHORT = 256, 80

_Said = TypeVar("_Said")


class Cut(NamedTuple):
    """Repetitions left out of a text: ``times`` times ``size`` characters before ``place`` of what is left."""

    place: int
    size: int
    times: int


def without_repeats(text: str) -> tuple[str, list[Cut]]:
    """A text without most of what repeats itself over thousands of characters, and what was cut out, in order."""
    parts: list[str] = []
    cuts: list[Cut] = []
    copied = removed = at = 0
    while at + _SAME < len(text):
        size = _repeated_size(text, at)
        if not size:
            at += _STEP
            continue
        end = _end_of_stretch(text, at, size)
        kept = _KEPT + _KEPT_UNITS * size if any(map(str.isspace, text[at : at + size])) else _KEPT_RUN
        times = (end - at - 2 * kept) // size
        if times < 1:
            at = max(at + _STEP, end - _SAME)
            continue
        place = at + kept
        parts.append(text[copied:place])
        cuts.append(Cut(place - removed, size, times))
        copied = place + times * size
        removed += times * size
        at = end
    return "".join([*parts, text[copied:]]) if parts else text, cuts


def _repeated_size(text: str, at: int) -> int:
    """How many characters repeat themselves from a place on; 0 where none do, or none that end a run of marks.

    A blank line ends whatever is before it, too.
    """
    again = text.find(text[at : at + _SAME], at + 1, at + _LONGEST_UNIT + _SAME)
    unit = text[at:again] if again > 0 else ""
    signs = [sign for sign in unit if not sign.isspace()]
    is_ended = "\n\n" in 2 * unit or not _RUNS.issuperset(signs)
    return len(unit) if signs and is_ended else 0


def _end_of_stretch(text: str, at: int, size: int) -> int:
    """Where a stretch ends that goes on as it began ``size`` characters before."""
    end, step = at + size, _SAME
    while step:
        if text[end : end + step] == text[end - size : end - size + step] and end + step <= len(text):
            end, step = end + step, 2 * step
        else:
            step //= 2
    return end


def restore_repeats(places: Sequence[tuple[int, int]], cuts: Sequence[Cut]) -> list[tuple[int, int]]:
    """The places of the whole text, by those found in what was left of it; both in order, none overlapping."""
    if not cuts:
        return list(places)
    starts = _restore_points([start for start, _ in places], cuts)
    return list(zip(starts, _restore_points([end for _, end in places], cuts)))


def _restore_points(points: Sequence[int], cuts: Sequence[Cut]) -> list[int]:
    restored: list[int] = []
    first = removed = 0
    for place, size, times in cuts:
        last = bisect_left(points, place, first)
        restored += [point + removed for point in points[first:last]]
        unit = points[last : bisect_left(points, place + size, last)]
        restored += [point + more for more in range(removed, removed + times * size, size) for point in unit]
        first, removed = last, removed + times * size
    return [*restored, *(point + removed for point in points[first:])]


def remember_short(function: Callable[[str], _Said]) -> Callable[[str], _Said]:
    """A function of a sentence that says of a short one that came shortly before what it said then.

    Short sentences are many for the length of a text, and where a text repeats itself they are few different ones.
    """
    remembered = functools.lru_cache(maxsize=_REMEMBERED)(function)

    @functools.wraps(function)
    def said(sentence: str) -> _Said:
        return remembered(sentence) if len(sentence) <= _SHORT else function(sentence)

    return said
