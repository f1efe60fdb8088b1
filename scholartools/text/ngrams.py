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
    """The longest run of words that two texts share and that no known text has; the first of equals."""
    words, *others = ([word.group().lower() for word in _WORD.finditer(text)] for text in (first, second, *known))
    shared, *have = (_shared_lengths(words, other) for other in others)
    best = (0, 0)
    for end, length in enumerate(shared, 1):
        is_whole = end == len(words) or shared[end] <= length  # no longer run goes on behind it
        if is_whole and length > best[1] - best[0] and not any(lengths[end - 1] >= length for lengths in have):
            best = (end - length, end)
    return words[slice(*best)]


def _shared_lengths(words: Sequence[str], others: Sequence[str]) -> list[int]:
    """For each word, of how many words the longest run is that ends with it and occurs in the others too."""
    following, links, lengths = _automaton(others)
    found, state, length = [], 0, 0
    for word in words:
        while state and word not in following[state]:
            state = links[state]
            length = lengths[state]
        if word in following[state]:
            state, length = following[state][word], length + 1
        found.append(length)
    return found


def _automaton(words: Sequence[str]) -> tuple[list[dict[str, int]], list[int], list[int]]:
    """The suffix automaton of a list of words (Blumer et al. 1985): all its runs, in time and space of its length.

    Returns:
        Of each state, the states that words lead to, the state of the longest suffix that occurs elsewhere too (-1 for
        the first), and the length of its longest run.
    """
    following: list[dict[str, int]] = [{}]
    links, lengths, last = [-1], [0], 0
    for word in words:
        new, state = len(links), last
        following.append({})
        links.append(0)
        lengths.append(lengths[last] + 1)
        while state >= 0 and word not in following[state]:
            following[state][word] = new
            state = links[state]
        if state >= 0:
            target = following[state][word]
            if lengths[target] != lengths[state] + 1:
                copy = len(links)
                following.append(dict(following[target]))
                links.append(links[target])
                lengths.append(lengths[state] + 1)
                while state >= 0 and following[state].get(word) == target:
                    following[state][word] = copy
                    state = links[state]
                links[target] = target = copy
            links[new] = target
        last = new
    return following, links, lengths
