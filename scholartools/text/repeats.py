"""Skip the repetitions of highly repetitive text, and map offsets in the shortened text back.

A short sentence repeated twenty thousand times has as many sentences as a book. Where a result depends only on the
local context, it is the same in each repetition, so it is computed for a few of them only.
"""

from __future__ import annotations

import functools
from bisect import bisect_left
from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeVar

# Upper bound in characters on the unit searched for: longer units cost no more than prose.
_LONGEST_UNIT = 120

# What is kept at each end of a repetitive stretch: characters and units, more than the context that sentence
# segmentation examines; without whitespace, more than the length at which the middle of a run is masked.
_KEPT, _KEPT_UNITS, _KEPT_RUN = 100, 4, 600

# Distance between the positions that are tested for repetition, and number of characters that must recur there.
_STEP = 300
_SAME = 2 * _LONGEST_UNIT

# A unit must contain other characters than these: a run of them is read to its end, whatever its length.
_RUNS = frozenset(".!?\u2026\"')]}\u201d\u2019\u00bb*")

# Size of the cache of sentence results, and maximum length in characters of cached sentences.
_REMEMBERED, _SHORT = 256, 80

_Said = TypeVar("_Said")


class Cut(NamedTuple):
    """A removed stretch: ``times`` units of ``size`` characters, at offset ``place`` of the shortened text."""

    place: int
    size: int
    times: int


def without_repeats(text: str) -> tuple[str, list[Cut]]:
    """Shorten long repetitive stretches of a text; return the shortened text and the cuts, in order."""
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
    """Length of the unit that repeats from an offset on; 0 if none, or if it consists of marks that form one run.

    A unit with a blank line is accepted too, because a blank line ends a run.
    """
    again = text.find(text[at : at + _SAME], at + 1, at + _LONGEST_UNIT + _SAME)
    unit = text[at:again] if again > 0 else ""
    signs = [sign for sign in unit if not sign.isspace()]
    is_ended = "\n\n" in 2 * unit or not _RUNS.issuperset(signs)
    return len(unit) if signs and is_ended else 0


def _end_of_stretch(text: str, at: int, size: int) -> int:
    """End of a stretch with period ``size`` that starts at ``at``."""
    end, step = at + size, _SAME
    while step:
        if text[end : end + step] == text[end - size : end - size + step] and end + step <= len(text):
            end, step = end + step, 2 * step
        else:
            step //= 2
    return end


def restore_repeats(places: Sequence[tuple[int, int]], cuts: Sequence[Cut]) -> list[tuple[int, int]]:
    """Map sorted, disjoint spans in the shortened text to the whole text, including every repetition."""
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
    """Cache the results of a function of a sentence, for short sentences only.

    Short sentences dominate the number of sentences in a long text, and repetitive text has few distinct ones.
    """
    remembered = functools.lru_cache(maxsize=_REMEMBERED)(function)

    @functools.wraps(function)
    def said(sentence: str) -> _Said:
        return remembered(sentence) if len(sentence) <= _SHORT else function(sentence)

    return said
