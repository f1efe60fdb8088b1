"""Approximate string search: the places of a text that nearly equal a given string.

Short pieces of the string that occur unchanged in the text vote for its start (seed and extend); the ends of the best
places are then moved to the word boundaries with the fewest edits. Seeds of :data:`SEED` characters are contiguous, so
at least one is unchanged if there is less than one edit per :data:`SEED` characters.
"""

from __future__ import annotations

import heapq
import itertools
import re
from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

#: Characters per seed; maximum of seeds per string, of occurrences per seed, and of places that are aligned.
SEED, MOST_SEEDS, MOST_HITS, MOST_PLACES = 8, 100, 200, 5

_WORD = re.compile(r"\w+|[^\w\s]")


class Place(NamedTuple):
    """A place in a text and its distance: edits divided by the length of the longer string, 0..1."""

    distance: float
    start: int
    end: int


class _Hit(NamedTuple):
    """A seed that occurs in the text: its offset in the string and in the text."""

    inner: int
    outer: int


def near_places(needle: str, text: str) -> list[Place]:
    """Places of the text that resemble the needle, nearest first, with ends at word boundaries.

    Ends can be ambiguous ("the" before the place may be included or not); the two best candidates of each end are
    tried.
    """
    found = {place for hits in _best_groups(needle, text) for place in _candidate_places(needle, text, hits)}
    return sorted(found)


def _best_groups(needle: str, text: str) -> list[list[_Hit]]:
    """Group the hits by the start of the needle that they imply; return the largest groups."""
    width = max(32, len(needle) // 4)
    groups: dict[int, list[_Hit]] = defaultdict(list)
    for hit in _find_hits(needle, text):
        slot = (hit.outer - hit.inner) // width
        groups[slot].append(hit)
        groups[slot + 1].append(hit)
    ranked = sorted(((len({hit.inner for hit in hits}), hits) for hits in groups.values()), key=lambda pair: -pair[0])
    return [hits for votes, hits in ranked[:MOST_PLACES] if votes * 4 >= ranked[0][0]]


def _find_hits(needle: str, text: str) -> Iterator[_Hit]:
    length = min(SEED, len(needle))
    for inner in range(0, len(needle) - length + 1, max(length, len(needle) // MOST_SEEDS)):
        piece = needle[inner : inner + length]
        outer = text.find(piece)
        for _ in range(MOST_HITS):
            if outer < 0:
                break
            yield _Hit(inner, outer)
            outer = text.find(piece, outer + 1)


def _candidate_places(needle: str, text: str, hits: list[_Hit]) -> Iterator[Place]:
    from rapidfuzz.distance import Levenshtein

    first, last = _end_hits(hits)
    length = min(SEED, len(needle))
    starts = _start_places(needle[: first.inner + length], text, first.outer + length)
    ends = _end_places(needle[last.inner :], text, last.outer)
    for start, end in itertools.product(starts, ends):
        if start < end:
            yield Place(Levenshtein.normalized_distance(needle, text[start:end]), start, end)


def _end_hits(hits: list[_Hit]) -> tuple[_Hit, _Hit]:
    """The first and last hit; where a seed occurs several times, the hit closest to the median shift."""
    shifts = sorted(hit.outer - hit.inner for hit in hits)
    middle = shifts[len(shifts) // 2]
    return (
        min(hits, key=lambda hit: (hit.inner, abs(hit.outer - hit.inner - middle))),
        min(hits, key=lambda hit: (-hit.inner, abs(hit.outer - hit.inner - middle))),
    )


def _start_places(head: str, text: str, end: int) -> list[int]:
    """Candidate start offsets, given that the first part of the needle ends at ``end``."""
    shortest, longest = _length_range(head)
    begins = [word.start() for word in _WORD.finditer(text, max(0, end - longest), end)]
    return _fewest_edits(head, {begin: text[begin:end] for begin in begins if end - begin >= shortest})


def _end_places(tail: str, text: str, start: int) -> list[int]:
    """Candidate end offsets, given that the last part of the needle starts at ``start``."""
    shortest, longest = _length_range(tail)
    ends = [word.end() for word in _WORD.finditer(text, start, start + longest)]
    return _fewest_edits(tail, {end: text[start:end] for end in ends if end - start >= shortest})


def _length_range(part: str) -> tuple[int, int]:
    """Bounds on the length of a part of the needle in the text."""
    slack = len(part) // 8 + 24
    return len(part) - slack, len(part) + slack


def _fewest_edits(part: str, choices: dict[int, str]) -> list[int]:
    """The two candidates whose texts have the smallest edit distance to a part of the needle.

    Args:
        choices: sorted offsets, each with the text between it and a fixed position (before or after all of them).

    One character more changes the edit distance by at most one. So a candidate between two others has at least the
    distance that :func:`_fewest_between` gives, and is only computed if this can still beat the second best.
    """
    from rapidfuzz.distance import Levenshtein

    most, offsets = len(part) // 3 + 24, list(choices)
    edits: dict[int, int] = {}

    def ask(at: int) -> int:
        choice = offsets[at]
        edits[choice] = Levenshtein.distance(part, choices[choice], score_cutoff=most)
        return edits[choice]

    last = len(offsets) - 1
    if last < 1:
        return offsets
    best = sorted([ask(0), ask(last)])
    stretches = [(_fewest_between(best[0], best[1], offsets[last] - offsets[0]), 0, last)]
    while stretches and stretches[0][0] <= best[1]:
        _, first, end = heapq.heappop(stretches)
        if end - first > 1:
            middle = (first + end) // 2
            best = sorted([*best, ask(middle)])[:2]
            for low, high in ((first, middle), (middle, end)):
                bound = _fewest_between(edits[offsets[low]], edits[offsets[high]], offsets[high] - offsets[low])
                heapq.heappush(stretches, (bound, low, high))
    return sorted(edits, key=lambda choice: (edits[choice], abs(len(choices[choice]) - len(part)), choice))[:2]


def _fewest_between(one: int, other: int, length: int) -> float:
    """Lower bound on the distance of candidates between two that have these distances and are ``length`` apart."""
    return (one + other - length) / 2
