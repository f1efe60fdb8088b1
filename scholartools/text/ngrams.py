"""Word n-grams, to detect text that two documents share."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

#: Length in words at which a shared n-gram is unlikely to be chance.
LENGTH = 8

_WORD = re.compile(r"\w+")


def ngrams(text: str, n: int = LENGTH) -> Iterator[tuple[str, tuple[int, int]]]:
    """Lower-case word n-grams of a text, each with its start and end offsets."""
    words = [(word.group().lower(), word.span()) for word in _WORD.finditer(text)]
    for first in range(len(words) - n + 1):
        run = words[first : first + n]
        yield " ".join(word for word, _ in run), (run[0][1][0], run[-1][1][1])


def count_shared(first: str, second: str, n: int = LENGTH) -> int:
    """Number of distinct n-grams of ``n`` words that two texts share."""
    return len({gram for gram, _ in ngrams(first, n)} & {gram for gram, _ in ngrams(second, n)})


def split_words_in_half(text: str) -> tuple[str, str, int]:
    """Split a text after half of its words; also return the total number of words."""
    words = list(_WORD.finditer(text))
    end = words[len(words) // 2 - 1].end() if len(words) > 1 else 0
    return text[:end], text[end:], len(words)


def longest_shared_run(first: str, second: str, known: Sequence[str] = ()) -> list[str]:
    """Longest run of words shared by two texts but by no known text; the first one if several are equally long."""
    words, *others = ([word.group().lower() for word in _WORD.finditer(text)] for text in (first, second, *known))
    shared, *have = (_shared_lengths(words, other) for other in others)
    best = (0, 0)
    for end, length in enumerate(shared, 1):
        is_whole = end == len(words) or shared[end] <= length  # no longer run continues after it
        if is_whole and length > best[1] - best[0] and not any(lengths[end - 1] >= length for lengths in have):
            best = (end - length, end)
    return words[slice(*best)]


def _shared_lengths(words: Sequence[str], others: Sequence[str]) -> list[int]:
    """For each word, length of the longest run that ends there and also occurs in the other list."""
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
    """Suffix automaton of a list of words (Blumer et al. 1985): represents all its runs in linear time and space.

    Returns:
        For each state: the transitions by word, the suffix link (-1 for the initial state), and the length of its
            longest run.
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
