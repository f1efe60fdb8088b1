"""Long texts in pieces of a bounded number of words, cut where sections and sentences end.

A word is what is between white space. Nothing is left out: every word of a text is in one piece, in order.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from scholartools.text.sentences import spans

_WORD = re.compile(r"\S+")


def n_words(text: str) -> int:
    """How many words a text has."""
    return len(text.split())


def split_words(text: str, limit: int) -> list[str]:
    """The pieces of a text, each of at most ``limit`` words and as it is in the text.

    Pieces end where sentences do, and are of about one length, so that no short one is left over. A sentence that is
    longer than the limit is cut between words. A blank text has no pieces.
    """
    total = n_words(text)
    if total <= limit:
        return [text.strip()] if total else []
    aim = -(-total // -(-total // limit))
    pieces: list[str] = []
    begin, last, size = 0, 0, 0
    for start, end in _iter_steps(text, limit):
        more = n_words(text[start:end])
        if size and (size >= aim or size + more > limit):
            pieces.append(text[begin:last])
            size = 0
        if not size:
            begin = start
        last, size = end, size + more
    return [*pieces, text[begin:last]]


def first_words(text: str, limit: int) -> str:
    """The first sentences of a text that have at most ``limit`` words; nothing where the first one has more."""
    if n_words(text) <= limit:
        return text.strip()
    filled = last = 0
    for start, end in spans(text):
        filled += n_words(text[start:end])
        if filled > limit:
            break
        last = end
    return text[:last].strip()


def pack_sizes(sizes: Sequence[int], limit: int) -> list[range]:
    """Neighbours put together: groups of as many as have at most ``limit`` words in all.

    Args:
        sizes: words of each; one that has more than the limit is a group of its own.
    """
    groups: list[range] = []
    filled = 0
    for place, size in enumerate(sizes):
        if groups and filled + size <= limit:
            groups[-1] = range(groups[-1].start, place + 1)
            filled += size
        else:
            groups.append(range(place, place + 1))
            filled = size
    return groups


def _iter_steps(text: str, limit: int) -> Iterator[tuple[int, int]]:
    """The sentences of a text, those that are too long in stretches of ``limit`` words."""
    for start, end in spans(text):
        words = [word.span() for word in _WORD.finditer(text, start, end)]
        for first in range(0, len(words), limit):
            stretch = words[first : first + limit]
            yield stretch[0][0], stretch[-1][1]
