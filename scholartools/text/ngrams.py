"""Runs of words: what two texts share that they would not share by chance."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

#: Words in a row that two texts are not expected to share by chance.
LENGTH = 8

_WORD = re.compile(r"\w+")


def ngrams(text: str, n: int = LENGTH) -> Iterator[tuple[str, tuple[int, int]]]:
    """The runs of ``n`` words of a text, in lower case, each with its place."""
    words = [(word.group().lower(), word.span()) for word in _WORD.finditer(text)]
    for first in range(len(words) - n + 1):
        run = words[first : first + n]
        yield " ".join(word for word, _ in run), (run[0][1][0], run[-1][1][1])


def count_shared(first: str, second: str, n: int = LENGTH) -> int:
    """How many different runs of ``n`` words two texts share."""
    return len({gram for gram, _ in ngrams(first, n)} & {gram for gram, _ in ngrams(second, n)})


def split_words_in_half(text: str) -> tuple[str, str, int]:
    """A text up to half of its words, what follows, and how many words there are in all."""
    words = list(_WORD.finditer(text))
    end = words[len(words) // 2 - 1].end() if len(words) > 1 else 0
    return text[:end], text[end:], len(words)


def longest_shared_run(first: str, second: str, known: Sequence[str] = ()) -> list[str]:
    """The longest run of words that two texts share and that no known text has; the first of equals.

    Every start is tried, so that the time grows with the product of the lengths.
    """
    words, others = ([word.group().lower() for word in _WORD.finditer(text)] for text in (first, second))
    have = [f" {' '.join(word.group().lower() for word in _WORD.finditer(text))} " for text in known]
    runs = sorted(_maximal_runs(words, others), key=lambda run: -(run[1] - run[0]))
    for start, end in runs:
        if not any(f" {' '.join(words[start:end])} " in text for text in have):
            return words[start:end]
    return []


def _maximal_runs(words: Sequence[str], others: Sequence[str]) -> Iterator[tuple[int, int]]:
    """The places in the first list of runs that the second has too and that are no part of a longer one."""
    before = [0] * (len(others) + 1)
    for place, word in enumerate(words):
        lengths = [0] * (len(others) + 1)
        for other, candidate in enumerate(others):
            if candidate == word:
                lengths[other + 1] = n = before[other] + 1
                if words[place + 1 : place + 2] != others[other + 1 : other + 2] or place + 1 == len(words):
                    yield place + 1 - n, place + 1
        before = lengths
