"""Features of the network of ``network.py``: the words, cues and positions of the sentences of a text.

Training and labelling use the same functions.
"""

from __future__ import annotations

import functools
from array import array
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from scholartools.tasks.facets import cues as tables
from scholartools.tasks.facets.lexicon import (
    IN_PHRASES,
    IS_NUMBER,
    NUMBER_TYPE,
    Lexicon,
    load_lexicon,
)
from scholartools.tasks.facets.phrases import load_phrases

if TYPE_CHECKING:
    import numpy as np


# Thresholds of the features for the number of words and of numerals in a sentence.
_WORDS = (9, 15, 25, 35)
_NUMBERS = (1, 2, 4, 8)
_SIZES = len(_WORDS) + len(_NUMBERS)
# Features of the position in a text: interpolation points, sentences distinguished at each end, sizes of the text.
_POINTS = 8
_ENDS = 3
_COUNTS = (1, 2, 3, 5, 8, 12, 18)
#: Number of position features of a sentence, and number of all features other than its words.
PLACES = _POINTS + 2 * _ENDS + len(_COUNTS)
DENSE = PLACES + _SIZES + len(tables.CUES)


class Texts(NamedTuple):
    """Concatenated sentences of several texts: n sentences, d distinct ones with k distinct words in total.

    Attributes:
        words: lexicon numbers of the words, concatenated over the distinct sentences, shape (k,).
        starts: start of each distinct sentence in ``words``, shape (d,); each has at least its start and end token.
        tokens: number of distinct words of each distinct sentence, with the start token, shape (d,).
        kinds: index of the distinct sentence of each sentence, shape (n,).
        places: position features of each sentence, 0 to 1, shape (n, PLACES).
        said: other features of each distinct sentence, 0 to 1, shape (d, DENSE - PLACES).
        certain: cues that determine the label of a sentence, by sentence index.
        counts: number of sentences of each text.
        lexicon: lexicon of the word numbers.
    """

    words: np.ndarray
    starts: np.ndarray
    tokens: np.ndarray
    kinds: np.ndarray
    places: np.ndarray
    said: np.ndarray
    certain: dict[int, set[int]]
    counts: list[int]
    lexicon: Lexicon

    @property
    def dense(self) -> np.ndarray:
        """All features of each sentence other than its words, shape (n, DENSE)."""
        import numpy as np

        return np.hstack([self.places, self.said.take(self.kinds, axis=0)])


def assemble_features(texts: Sequence[Sequence[str]]) -> Texts:
    """Compute the features of texts: at least one text, each with at least one sentence."""
    import numpy as np

    lexicon = load_lexicon()
    numbers_of: dict[str, int] = {}
    kinds = np.array([numbers_of.setdefault(sentence, len(numbers_of)) for text in texts for sentence in text])
    read = [lexicon.read(sentence) for sentence in numbers_of]
    sizes = np.array([*map(len, read)]) // array(NUMBER_TYPE).itemsize
    rows = np.repeat(np.arange(len(sizes), dtype=np.int64), sizes)
    words = np.frombuffer(b"".join(read), NUMBER_TYPE)
    counts = [*map(len, texts)]
    facts = lexicon.facts()
    numbers = np.add.reduceat(facts[:, IS_NUMBER].take(words), sizes.cumsum() - sizes)
    flags, certain = _cue_flags(facts[:, IN_PHRASES].take(words), rows)
    said = np.hstack([_reached_limits(sizes - 2, _WORDS), _reached_limits(numbers, _NUMBERS), flags])
    along = np.vstack([*map(_position_features, counts)])
    words, different = _different_words(words, rows)
    starts = different.cumsum() - different
    places = {place: certain[kind] for place, kind in enumerate(kinds.tolist()) if kind in certain}
    return Texts(words, starts, different - 1.0, kinds, along, said, places, counts, lexicon)


def token_rows(sentence: str) -> list[array[int]]:
    """For each distinct word of a sentence, its rows in the embedding table: of the word and of its endings."""
    lexicon = load_lexicon()
    words = array(NUMBER_TYPE, lexicon.read(sentence))[:-1]
    return [lexicon.rows[word] for word in dict.fromkeys(words)]


def find_cues(sentence: str) -> set[int]:
    """Cues with at least one phrase in a sentence, as indices of CUES or the constants of ``phrases``.

    Used by the training of the network (``make facet-model``), which corrects labels by them.
    """
    known = assemble_features([[sentence]])
    return {*known.dense[0, -len(tables.CUES) :].nonzero()[0].tolist(), *known.certain.get(0, ())}


def _reached_limits(values: np.ndarray, limits: tuple[int, ...]) -> np.ndarray:
    return values[:, None] >= limits


def _different_words(words: np.ndarray, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Distinct words of each sentence and their number; ``rows``: sentence index of each word."""
    import numpy as np

    pairs = (rows << _ROW_BITS) + words
    pairs.sort()
    pairs = pairs[np.append(True, pairs[1:] != pairs[:-1])]
    return pairs & ((1 << _ROW_BITS) - 1), np.bincount(pairs >> _ROW_BITS)


def _cue_flags(words: np.ndarray, rows: np.ndarray) -> tuple[np.ndarray, dict[int, set[int]]]:
    """Cue indicators of the sentences, shape (n, cues), and the cues that determine the label of a sentence.

    Args:
        words: phrase numbers of the words; ``rows``: their sentence indices.
    """
    import numpy as np

    phrases = load_phrases()
    # One more column for "no cue"; the cues that determine a label have negative indices and so are the last columns.
    flags = np.zeros((rows[-1] + 1, len(tables.CUES) + 3))
    begun = phrases.first[words]
    places = begun.nonzero()[0]
    ends, nodes = places, begun[places]
    following = np.append(words, 0)
    while len(nodes):
        flags[rows[ends][:, None], phrases.cues[nodes]] = 1
        ends = ends + 1
        nodes = phrases.after(nodes, following[ends])
        ends, nodes = ends[nodes > 0], nodes[nodes > 0]
    certain: dict[int, set[int]] = {}
    for row, column in np.argwhere(flags[:, -2:]).tolist():
        certain.setdefault(row, set()).add(column - 2)
    return flags[:, : len(tables.CUES)], certain


_ROW_BITS = 32


def _position_features(count: int) -> np.ndarray:
    """Position features of ``count`` sentences: closeness to each interpolation point, ends, size of the text."""
    return _usual_places(count) if count <= _USUAL else _usual_places.__wrapped__(count)


_USUAL = 50


@functools.lru_cache(maxsize=_USUAL)
def _usual_places(count: int) -> Any:
    import numpy as np

    order = np.arange(count)
    along = (order + 0.5) / count * (_POINTS - 1)
    near = np.maximum(0, 1 - np.abs(along[:, None] - np.arange(_POINTS)))
    first = order[:, None] == np.arange(_ENDS)
    sizes = [count == _COUNTS[place] if place < 3 else count <= _COUNTS[place] for place in range(len(_COUNTS))]
    return np.hstack([near, first, first[::-1], np.tile(sizes, (count, 1))])
