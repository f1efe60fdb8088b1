"""What the network of ``_facet_model.py`` sees of a text: the words, the cues and the places of its sentences.

The same functions serve training and labelling, so that both see the same numbers.
"""

from __future__ import annotations

import functools
import re
import zlib
from array import array
from bisect import bisect_right
from collections.abc import Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

from scholartools.tasks import _facet_cues as tables

if TYPE_CHECKING:
    import numpy as np

#: How many rows the table of words has. Words and endings share them by their hash.
KEYS = 25_000

_TOKEN = re.compile(r"[^\W\d_]+|[0-9][0-9.,\u00b7]*|[%=<>\u2264\u2265\u00b1:;?\u00a9]")
_DIGIT = re.compile("[0-9]")
_DIGITS = frozenset("0123456789")
_NUMBER = "#"
_FIRST, _LAST = "^", "$"
# Words of more letters share what is known of their endings, which are so many letters long.
_SHORT_WORD = 4
_ENDINGS = (3, 4)

# Cues that leave a sentence one label.
CERTAINLY_OTHER, CERTAINLY_CONCLUSION = -1, -2

# A sentence has a feature for each of these numbers of words that it reaches, and of numbers.
_WORDS = (9, 15, 25, 35)
_NUMBERS = (1, 2, 4, 8)
_SIZES = len(_WORDS) + len(_NUMBERS)
# Of a text: points along it, sentences told apart at each end, and the numbers of sentences told apart.
_POINTS = 8
_ENDS = 3
_COUNTS = (1, 2, 3, 5, 8, 12, 18)
_PLACES = _POINTS + 2 * _ENDS + len(_COUNTS)

#: Features of a sentence beside its words.
DENSE = _PLACES + _SIZES + len(tables.CUES)


class Sentence(NamedTuple):
    """What one sentence is by its own words.

    Attributes:
        tokens: of each different word the rows of the table that stand for it.
        cues: the cues in it, as indices of CUES or the constants above.
        words: how many words, numbers and marks it has, and ``numbers``: how many numbers.
    """

    tokens: list[array[int]]
    cues: set[int]
    words: int
    numbers: int


class Texts(NamedTuple):
    """The sentences of some texts, one text's after another's: n sentences, k keys in all.

    Attributes:
        keys: rows of the table of words, one sentence's after another's, shape (k,).
        starts: where each sentence's keys begin, shape (n,); each sentence has at least one.
        tokens: how many different words each sentence has, shape (n,).
        dense: the other features, 0 to 1, shape (n, DENSE).
        counts: how many sentences each text has.
    """

    keys: np.ndarray
    starts: np.ndarray
    tokens: np.ndarray
    dense: np.ndarray
    counts: list[int]


def read(sentence: str) -> Sentence:
    """The features of one sentence."""
    words = [_word(token) for token in _TOKEN.findall(sentence.lower())]
    shapes, rows, plain = zip((_FIRST, keys(_FIRST), _FIRST), *words)
    return Sentence([*dict(zip(shapes, rows)).values()], cues([*plain, _LAST]), len(words), plain.count(_NUMBER))


def assemble(texts: Sequence[Sequence[Sentence]]) -> Texts:
    """The features of the sentences of texts, each of which has at least one."""
    import numpy as np

    sentences = [*chain.from_iterable(texts)]
    rows = [b"".join(sentence.tokens) for sentence in sentences]
    sizes = np.array([0, *map(len, rows)])
    tokens = np.array([len(sentence.tokens) for sentence in sentences], dtype=np.float64)
    keys = np.frombuffer(b"".join(rows), dtype=np.intc)
    starts = sizes[:-1].cumsum() // keys.itemsize
    return Texts(keys, starts, tokens, dense(texts), [*map(len, texts)])


def dense(texts: Sequence[Sequence[Sentence]]) -> np.ndarray:
    """The features beside the words, shape (n, DENSE): of the places, of the sizes, of the cues."""
    import numpy as np

    places = np.vstack([(_places if len(text) <= _USUAL else _places.__wrapped__)(len(text)) for text in texts])
    found = np.zeros((len(places), DENSE))
    found[:, :_PLACES] = places
    sentences = enumerate(chain.from_iterable(texts))
    flags = [row * DENSE + column for row, sentence in sentences for column in _flags(*sentence[1:])]
    found.reshape(-1)[np.array(flags, dtype=np.intp)] = 1
    return found


# Words


@functools.lru_cache(maxsize=100_000)
def _word(token: str) -> tuple[str, array[int], str]:
    """A token as the table knows it, its rows there, and as phrases know it."""
    if token[0] not in _DIGITS:
        return token, keys(token), token
    shape = _DIGIT.sub("0", token)
    return shape, keys(shape), _NUMBER


@functools.lru_cache(maxsize=100_000)
def keys(shape: str) -> array[int]:
    """The row of a word, then those of its endings."""
    endings = [f"-{shape[-size:]}" for size in _ENDINGS] if len(shape) > _SHORT_WORD and shape[0].isalpha() else []
    return array("i", [zlib.crc32(text.encode()) % KEYS for text in (shape, *endings)])


# Cues


class _Node:
    """A place in the tree of phrases: the cues of the phrases that end here, and the words that go on."""

    __slots__ = ("cues", "longer")

    def __init__(self) -> None:
        self.cues: tuple[int, ...] = ()
        self.longer: dict[str, _Node] = {}


def cues(tokens: Sequence[str]) -> set[int]:
    """The cues of which at least one phrase stands in the tokens; the last token ends the sentence."""
    found: set[int] = set()
    phrases = _phrases()
    for place in [place for place, token in enumerate(tokens) if token in phrases]:
        node: _Node | None = phrases[tokens[place]]
        while node is not None:
            if node.cues:
                found.update(node.cues)
            place += 1
            node = node.longer.get(tokens[place])
    return found


@functools.cache
def _phrases() -> dict[str, _Node]:
    """The tree of all phrases, by their words."""
    root = _Node()
    _plant(root, CERTAINLY_OTHER, tables.CERTAINLY_OTHER)
    _plant(root, CERTAINLY_CONCLUSION, tables.CERTAINLY_CONCLUSION)
    for place, phrases in enumerate(tables.CUES.values()):
        _plant(root, place, phrases)
    return root.longer


def _plant(root: _Node, cue: int, phrases: str) -> None:
    for phrase in phrases.split(" | "):
        node = root
        for word in phrase.replace("-", " ").split():
            node = node.longer.setdefault(word, _Node())
        node.cues += (cue,)


# Places


def _flags(cues: set[int], words: int, numbers: int) -> list[int]:
    """The columns of the sizes a sentence reaches and of the cues it has."""
    return [
        *range(_PLACES, _PLACES + bisect_right(_WORDS, words)),
        *range(_PLACES + len(_WORDS), _PLACES + len(_WORDS) + bisect_right(_NUMBERS, numbers)),
        *[_PLACES + _SIZES + cue for cue in cues if cue >= 0],
    ]


_USUAL = 50


@functools.lru_cache(maxsize=_USUAL)
def _places(count: int) -> Any:
    """For each of ``count`` sentences: how near it is to each point along the text, ends, size of the text."""
    import numpy as np

    order = np.arange(count)
    along = (order + 0.5) / count * (_POINTS - 1)
    near = np.maximum(0, 1 - np.abs(along[:, None] - np.arange(_POINTS)))
    first = order[:, None] == np.arange(_ENDS)
    sizes = [count == _COUNTS[place] if place < 3 else count <= _COUNTS[place] for place in range(len(_COUNTS))]
    return np.hstack([near, first, first[::-1], np.tile(sizes, (count, 1))])
