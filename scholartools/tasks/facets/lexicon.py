"""Cached lexicon: numbers of words and of their endings."""

from __future__ import annotations

import functools
import re
import threading
import zlib
from array import array
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
from scholartools.tasks.facets.phrases import load_phrases

#: Rows of the embedding table. Words and endings share them by hashing.
KEYS = 25_000


#: Padding row, for words with fewer rows.
NO_KEY = KEYS


_TOKEN = re.compile(r"[^\W\d_]+|[0-9][0-9.,\u00b7]*|[%=<>\u2264\u2265\u00b1:;?\u00a9]")


# Characters around a word that are not part of it; after a digit some of them belong to the number.
_AROUND = "()[].,\"'\u201c\u201d\u2018\u2019"


# Numbers are reduced to their shape.
_ANY_DIGIT = "0"


_DIGITS = str.maketrans("123456789", 9 * _ANY_DIGIT)


_NUMBER = "#"


_FIRST, _LAST = "^", "$"


# Words with more letters also have features for their endings, of these lengths.
_SHORT_WORD = 4


_ENDINGS = (3, 4)


# Columns of the facts about a word: its embedding rows, padded with NO_KEY, then these.
_N_KEYS = 1 + len(_ENDINGS)


IN_PHRASES, IS_NUMBER = _N_KEYS, _N_KEYS + 1


# Array type of word numbers.
NUMBER_TYPE = "i"


class Lexicon(dict[str, bytes]):
    """Word numbers of whitespace-separated chunks, cached, since most chunks recur in other texts.

    The numbers in a chunk are stored as the bytes of an array, because these concatenate faster than lists.

    Attributes:
        rows: embedding rows of each word.
        size: characters of the cached chunks.
    """

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[array[int]] = []
        self.size = 0
        self._words: dict[str, int] = {}
        self._fresh: list[list[int]] = []
        self._facts, self._summed = _Rows(), _Rows()
        self._adding = threading.Lock()
        self._start = self._pack_numbers([self._add_word(_FIRST, _FIRST, _word_rows(_FIRST))])
        self._end = self._pack_numbers([self._add_word(_LAST, _LAST, array("i"))])

    def __missing__(self, chunk: str) -> bytes:
        is_word = chunk.isalpha()
        plain = chunk if is_word else _plain_chunk(chunk)
        if plain != chunk:
            numbers = self[plain]
        else:
            with self._adding:
                numbers = self._pack_numbers(map(self._number_of, [chunk] if is_word else _TOKEN.findall(chunk)))
        self.size += len(chunk)
        self[chunk] = numbers
        return numbers

    def read(self, sentence: str) -> bytes:
        """Word numbers of a sentence, with its start and end token."""
        return b"".join([self._start, *map(self.__getitem__, sentence.lower().split()), self._end])

    def facts(self) -> np.ndarray:
        """Facts about each word, shape (words, columns)."""
        import numpy as np

        with self._adding:
            if self._fresh:
                self._facts.add(np.array(self._fresh, dtype=np.intc))
                self._fresh = []
            return self._facts.rows()

    def sum_rows(self, table: np.ndarray) -> np.ndarray:
        """Sum of the embedding rows of each word, shape (words, width); ``table`` must be the same in every call."""
        import numpy as np

        with self._adding:
            keys = self._facts.rows()[self._summed.count :, :_N_KEYS]
            if len(keys):
                self._summed.add(table.take(keys, axis=0).sum(axis=1, dtype=np.int32))
            return self._summed.rows()

    def _pack_numbers(self, numbers: Iterable[int]) -> bytes:
        return array(NUMBER_TYPE, numbers).tobytes()

    def _number_of(self, token: str) -> int:
        if token in self._words:
            return self._words[token]
        return self._add_word(token, _NUMBER if token[0] == _ANY_DIGIT else token, _word_rows(token))

    def _add_word(self, token: str, plain: str, keys: array[int]) -> int:
        """Assign the next number to a word; ``plain``: its form in phrases."""
        number = self._words[token] = len(self.rows)
        self.rows.append(keys)
        none = [NO_KEY] * (_N_KEYS - len(keys))
        self._fresh.append([*keys, *none, load_phrases().words.get(plain, 0), plain == _NUMBER])
        return number


def _plain_chunk(chunk: str) -> str:
    """Normalise a chunk: digits to one digit, surrounding punctuation removed."""
    plain = chunk.translate(_DIGITS)
    word = plain.strip(_AROUND)
    return word if word[-1:].isalpha() else plain


class _Rows:
    """Growing array of rows; capacity is doubled, so that copies are rare."""

    def __init__(self) -> None:
        self.count = 0
        self._room: Any = None

    def add(self, rows: np.ndarray) -> None:
        """Append rows."""
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
        """The rows added so far."""
        return () if self._room is None else self._room[: self.count]


def load_lexicon() -> Lexicon:
    """The current lexicon; replaced by an empty one when it exceeds the memory limit."""
    if _lexicons().size > _MOST_CHARACTERS:
        _lexicons.cache_clear()
    return _lexicons()


_lexicons = functools.cache(Lexicon)


_MOST_CHARACTERS = 1_000_000


def _word_rows(shape: str) -> array[int]:
    """Row of a word, then rows of its endings."""
    endings = [f"-{shape[-size:]}" for size in _ENDINGS] if len(shape) > _SHORT_WORD and shape[0].isalpha() else []
    return array("i", [zlib.crc32(text.encode()) % KEYS for text in (shape, *endings)])
