"""What the network of ``_facet_model.py`` sees of a text: the words, the cues and the places of its sentences.

The same functions serve training and labelling, so that both see the same numbers.
"""

from __future__ import annotations

import functools
import re
import threading
import zlib
from array import array
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from scholartools.tasks import _facet_cues as tables

if TYPE_CHECKING:
    import numpy as np

#: How many rows the table of words has. Words and endings share them by their hash.
KEYS = 25_000
#: The row after them all, where a word has fewer.
NO_KEY = KEYS

_TOKEN = re.compile(r"[^\W\d_]+|[0-9][0-9.,\u00b7]*|[%=<>\u2264\u2265\u00b1:;?\u00a9]")
# What may stand around a word and is none; after a digit some of it would be part of the number.
_AROUND = "()[].,\"'\u201c\u201d\u2018\u2019"
# Numbers are told apart by their shape.
_ANY_DIGIT = "0"
_DIGITS = str.maketrans("123456789", 9 * _ANY_DIGIT)
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


class Texts(NamedTuple):
    """The sentences of some texts, one text's after another's: n sentences, k different words of each in all.

    Attributes:
        words: numbers in the lexicon, one sentence's after another's, shape (k,).
        starts: where each sentence's words begin, shape (n,); each sentence has at least two, its start and its end.
        tokens: how many different words each sentence has, its start with them, shape (n,).
        dense: the other features, 0 to 1, shape (n, DENSE).
        certain: the cues that leave a sentence one label, by the number of the sentence.
        counts: how many sentences each text has.
        lexicon: which words these are.
    """

    words: np.ndarray
    starts: np.ndarray
    tokens: np.ndarray
    dense: np.ndarray
    certain: dict[int, set[int]]
    counts: list[int]
    lexicon: _Lexicon


def assemble(texts: Sequence[Sequence[str]]) -> Texts:
    """The features of the sentences of texts: at least one text, and in each at least one sentence."""
    import numpy as np

    lexicon = _lexicon()
    read = [lexicon.read(sentence) for text in texts for sentence in text]
    sizes = np.array([*map(len, read)]) // array(_NUMBER_TYPE).itemsize
    rows = np.repeat(np.arange(len(sizes), dtype=np.int64), sizes)
    words = np.frombuffer(b"".join(read), _NUMBER_TYPE)
    counts = [*map(len, texts)]
    facts = lexicon.facts()
    numbers = np.add.reduceat(facts[:, _IS_NUMBER].take(words), sizes.cumsum() - sizes)
    flags, certain = _flags(facts[:, _IN_PHRASES].take(words), rows)
    dense = [np.vstack([*map(_places, counts)]), _reached(sizes - 2, _WORDS), _reached(numbers, _NUMBERS), flags]
    words, different = _different(words, rows)
    starts = different.cumsum() - different
    return Texts(words, starts, different - 1.0, np.hstack(dense), certain, counts, lexicon)


def tokens(sentence: str) -> list[array[int]]:
    """Of each different word of a sentence the rows of the table that stand for it: its own, those of its endings."""
    lexicon = _lexicon()
    words = array(_NUMBER_TYPE, lexicon.read(sentence))[:-1]
    return [lexicon.rows[word] for word in dict.fromkeys(words)]


def cues(sentence: str) -> set[int]:
    """The cues of which at least one phrase stands in a sentence, as indices of CUES or the constants above."""
    known = assemble([[sentence]])
    return {*known.dense[0, -len(tables.CUES) :].nonzero()[0].tolist(), *known.certain.get(0, ())}


def _reached(values: np.ndarray, limits: tuple[int, ...]) -> np.ndarray:
    return values[:, None] >= limits


def _different(words: np.ndarray, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The different words of each sentence, and how many they are; ``rows``: the number of each word's sentence."""
    import numpy as np

    pairs = (rows << _ROW_BITS) + words
    pairs.sort()
    pairs = pairs[np.append(True, pairs[1:] != pairs[:-1])]
    return pairs & ((1 << _ROW_BITS) - 1), np.bincount(pairs >> _ROW_BITS)


def _flags(words: np.ndarray, rows: np.ndarray) -> tuple[np.ndarray, dict[int, set[int]]]:
    """Which sentence has which cue, shape (n, cues), and the cues of a sentence that are certain.

    Args:
        words: what each word is in phrases; ``rows``: the number of its sentence.
    """
    import numpy as np

    phrases = _phrases()
    # After the cues a column for none of them; the certain ones are negative, and so stand last.
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


# Words

# What is known of a word: the rows of the table that stand for it, NO_KEY where it has fewer, and these columns.
_N_KEYS = 1 + len(_ENDINGS)
_IN_PHRASES, _IS_NUMBER = _N_KEYS, _N_KEYS + 1

# Of the number of a word, in an array and beside the number of its sentence.
_NUMBER_TYPE = "i"
_ROW_BITS = 32


class _Lexicon(dict[str, bytes]):
    """Numbers for words, by what stands between two spaces of a text: most of that stood in an earlier text.

    The numbers of the words in a chunk are the bytes of an array: many are joined sooner than lists are.

    Attributes:
        rows: of each word those of the table that stand for it.
        size: characters looked up.
    """

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[array[int]] = []
        self.size = 0
        self._words: dict[str, int] = {}
        self._fresh: list[list[int]] = []
        self._facts, self._summed = _Rows(), _Rows()
        self._adding = threading.Lock()
        self._start = self._bytes([self._add(_FIRST, _FIRST, _keys(_FIRST))])
        self._end = self._bytes([self._add(_LAST, _LAST, array("i"))])

    def __missing__(self, chunk: str) -> bytes:
        plain = chunk if chunk.isalpha() else _plain(chunk)
        if plain != chunk:
            numbers = self[plain]
        else:
            with self._adding:
                numbers = self._bytes(map(self._number, _TOKEN.findall(chunk)))
        self.size += len(chunk)
        self[chunk] = numbers
        return numbers

    def read(self, sentence: str) -> bytes:
        """The words of a sentence, between its start and its end."""
        return b"".join([self._start, *map(self.__getitem__, sentence.lower().split()), self._end])

    def facts(self) -> np.ndarray:
        """What is known of each word, shape (words, columns)."""
        import numpy as np

        with self._adding:
            if self._fresh:
                self._facts.add(np.array(self._fresh, dtype=np.intc))
                self._fresh = []
            return self._facts.rows()

    def summed(self, table: np.ndarray) -> np.ndarray:
        """Of each word the sum of its rows of a table, always the same one: shape (words, width)."""
        import numpy as np

        with self._adding:
            keys = self._facts.rows()[self._summed.count :, :_N_KEYS]
            if len(keys):
                self._summed.add(table.take(keys, axis=0).sum(axis=1, dtype=np.int32))
            return self._summed.rows()

    def _bytes(self, numbers: Iterable[int]) -> bytes:
        return array(_NUMBER_TYPE, numbers).tobytes()

    def _number(self, token: str) -> int:
        if token in self._words:
            return self._words[token]
        return self._add(token, _NUMBER if token[0] == _ANY_DIGIT else token, _keys(token))

    def _add(self, token: str, plain: str, keys: array[int]) -> int:
        """Give a word the next number; ``plain``: as phrases know it."""
        number = self._words[token] = len(self.rows)
        self.rows.append(keys)
        none = [NO_KEY] * (_N_KEYS - len(keys))
        self._fresh.append([*keys, *none, _phrases().words.get(plain, 0), plain == _NUMBER])
        return number


def _plain(chunk: str) -> str:
    """A chunk of the same words: any digit for each digit, and without marks around it."""
    plain = chunk.translate(_DIGITS)
    word = plain.strip(_AROUND)
    return word if word[-1:].isalpha() else plain


class _Rows:
    """An array that grows by rows; it has room for twice as many, so that they are seldom copied."""

    def __init__(self) -> None:
        self.count = 0
        self._room: Any = None

    def add(self, rows: np.ndarray) -> None:
        """Put rows after those that are there."""
        import numpy as np

        needed = self.count + len(rows)
        if self._room is None:
            self._room = np.empty((0, *rows.shape[1:]), rows.dtype)
        if needed > len(self._room):
            before, self._room = self.rows(), np.empty((2 * needed, *rows.shape[1:]), rows.dtype)
            self._room[: self.count] = before
        self._room[self.count : needed] = rows
        self.count = needed

    def rows(self) -> Any:
        """The rows so far."""
        return () if self._room is None else self._room[: self.count]


def _lexicon() -> _Lexicon:
    """The words seen so far; a new lexicon is begun when they take too much room."""
    if _lexicons().size > _MOST_CHARACTERS:
        _lexicons.cache_clear()
    return _lexicons()


_lexicons = functools.cache(_Lexicon)
_MOST_CHARACTERS = 1_000_000


def _keys(shape: str) -> array[int]:
    """The row of a word, then those of its endings."""
    endings = [f"-{shape[-size:]}" for size in _ENDINGS] if len(shape) > _SHORT_WORD and shape[0].isalpha() else []
    return array("i", [zlib.crc32(text.encode()) % KEYS for text in (shape, *endings)])


# Phrases


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
def _phrases() -> _Phrases:
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


# Places


def _places(count: int) -> np.ndarray:
    """For each of ``count`` sentences: how near it is to each point along the text, ends, size of the text."""
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
