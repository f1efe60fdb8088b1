"""Split long texts into chunks of a bounded number of words, at section and sentence boundaries.

Words are separated by whitespace. Every word of a text is in exactly one chunk, and the order is kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from scholartools.text.sentences import spans

_WORD = re.compile(r"\S+")


def n_words(text: str) -> int:
    """Number of words in a text."""
    return len(text.split())


def split_words(text: str, limit: int) -> list[str]:
    """Split a text into chunks of at most ``limit`` words each.

    Chunks end at sentence boundaries and have similar lengths, so that the last is not much shorter. Sentences longer
    than the limit are split between words. A blank text has no chunks.
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
    """The leading sentences of a text that fit in ``limit`` words; empty if the first sentence is longer."""
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
    """Group adjacent parts greedily, so that each group has at most ``limit`` words.

    Args:
        sizes: words of each part; a part longer than the limit forms its own group.
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
    """Offsets of the sentences; sentences longer than ``limit`` words are split into stretches of that many."""
    for start, end in spans(text):
        words = [word.span() for word in _WORD.finditer(text, start, end)]
        for first in range(0, len(words), limit):
            stretch = words[first : first + limit]
            yield stretch[0][0], stretch[-1][1]
