"""The cue phrases of the tables as one tree, in which all are looked up at once."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from scholartools.tasks.facets import cues as tables

if TYPE_CHECKING:
    import numpy as np


# Cues that leave a sentence one label.
CERTAINLY_OTHER, CERTAINLY_CONCLUSION = -1, -2


class _Phrases(NamedTuple):
    """All phrases as a tree, whose nodes are numbered from 0, its root: m nodes, w different words.

    Attributes:
        words: the words in phrases, numbered from 1.
        first: the node each word leads to from the root, 0 where no phrase begins with it, shape (w + 1,).
        steps: all pairs of a node and a word that leads on from it, as ``node * (w + 1) + word``; in order, and an end.
        targets: the node each of these leads to.
        cues: of the phrases that end at each node, shape (m, the most there are); where fewer end, the number of CUES.
    """

    words: dict[str, int]
    first: np.ndarray
    steps: np.ndarray
    targets: np.ndarray
    cues: np.ndarray

    def after(self, nodes: np.ndarray, words: np.ndarray) -> np.ndarray:
        """The node that each word leads to from each node; 0 where no phrase goes on with it."""
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
