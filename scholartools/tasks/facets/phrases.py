"""Cue phrases as a trie, in which all phrases are matched in parallel."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from scholartools.tasks.facets import cues as tables

if TYPE_CHECKING:
    import numpy as np


# Cues that determine the label of a sentence.
CERTAINLY_OTHER, CERTAINLY_CONCLUSION = -1, -2


class _Phrases(NamedTuple):
    """Trie of all phrases, with nodes numbered from the root 0: m nodes, w distinct words.

    Attributes:
        words: numbers of the words in phrases, from 1.
        first: child of the root for each word, 0 if none, shape (w + 1,).
        steps: sorted edges, encoded as ``node * (w + 1) + word``, with a sentinel.
        targets: child that each edge leads to.
        cues: cues of the phrases that end at each node, shape (m, maximum number), padded with the number of CUES.
    """

    words: dict[str, int]
    first: np.ndarray
    steps: np.ndarray
    targets: np.ndarray
    cues: np.ndarray

    def after(self, nodes: np.ndarray, words: np.ndarray) -> np.ndarray:
        """Child of each node for each word; 0 if there is none."""
        pairs = nodes * len(self.first) + words
        places = self.steps.searchsorted(pairs)
        return self.targets[places] * (self.steps[places] == pairs)


@functools.cache
def load_phrases() -> _Phrases:
    import numpy as np

    steps: dict[tuple[int, str], int] = {}
    ends: dict[int, list[int]] = {0: []}
    for cue, phrases in _phrases_of_cues():
        for phrase in phrases.split(" | "):
            node = 0
            for word in phrase.replace("-", " ").split():
                node = steps.setdefault((node, word), len(ends))
                ends.setdefault(node, [])
            ends[node].append(cue)
    words = {word: number for number, word in enumerate(dict.fromkeys(word for _, word in steps), 1)}
    pairs = sorted((node * (len(words) + 1) + words[word], target) for (node, word), target in steps.items())
    pairs.append((len(ends) * (len(words) + 1), 0))
    most, none = max(map(len, ends.values())), len(tables.CUES)
    first = np.zeros(len(words) + 1, dtype=np.intp)
    found = _Phrases(
        words,
        first,
        np.array([step for step, _ in pairs]),
        np.array([target for _, target in pairs]),
        np.array([[*own, *[none] * (most - len(own))] for own in ends.values()]),
    )
    first[:] = found.after(first, np.arange(len(first)))
    return found


def _phrases_of_cues() -> Iterator[tuple[int, str]]:
    yield CERTAINLY_OTHER, tables.CERTAINLY_OTHER
    yield CERTAINLY_CONCLUSION, tables.CERTAINLY_CONCLUSION
    yield from enumerate(tables.CUES.values())
