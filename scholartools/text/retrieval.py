"""Passages for a query: by the words they share (BM25) and by what they mean (embeddings), the two averaged.

The retrieval of BAGELS (section 4): each of the two scores is scaled to 0..1 over the passages that may be found, and
their mean ranks them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from scholartools.signature import library

if TYPE_CHECKING:
    from numpy import ndarray

    from scholartools.text.embeddings.sentence import Embedder

# Scores are shown, and compared, to so many digits: what a processor does to the last ones decides nothing.
_DIGITS = 6
# Vectors in double at once.
_BLOCK = 4096


class Hit(NamedTuple):
    """A passage that was found: its place among the texts, and its scores, each 0..1."""

    place: int
    bm25: float
    dense: float
    both: float


class Index:
    """Texts that can be searched; made once, it holds their words and vectors and not the texts themselves.

    Attributes:
        name: what finds, with versions: part of every signature.
    """

    def __init__(self, texts: Sequence[str], embedder: Embedder) -> None:
        self._embedder = embedder
        self._vectors = embedder.vectors(texts)
        self._words = _build_bm25(texts)
        self.name = f"{library('bm25s')}/{embedder.name}"

    def search(self, query: str, places: Sequence[int], *, top: int, dense_weight: float = 0.5) -> list[Hit]:
        """The best passages for a query, the best first; of equal ones the first of the texts first.

        Args:
            query: of any length; a word that it has twice counts once.
            places: of the texts that may be found. Scores are scaled over these: the best has 1, the worst 0; where all
                are alike, all have 0. How rare a word is, BM25 takes from all the texts.
            top: how many are wanted at most.
            dense_weight: of the embeddings' score, 0..1; the rest is BM25's.
        """
        import numpy as np

        if not places:
            return []
        chosen = np.asarray(places, dtype=np.intp)
        bm25 = _scale_to_unit(self._bm25_scores(query)[chosen])
        dense = _scale_to_unit(self._cosines_with(query)[chosen])
        both = np.round((1 - dense_weight) * bm25 + dense_weight * dense, _DIGITS)
        order = np.lexsort((chosen, -both))[:top]
        return [Hit(int(chosen[at]), float(bm25[at]), float(dense[at]), float(both[at])) for at in order]

    def _cosines_with(self, query: str) -> ndarray:
        """In double, to 12 decimals: the last digits of a sum differ between kinds of processors."""
        import numpy as np

        wanted = self._embedder.vectors([query])[0].astype(np.float64)
        blocks = range(0, len(self._vectors), _BLOCK)
        found = [self._vectors[start : start + _BLOCK].astype(np.float64) @ wanted for start in blocks]
        return np.concatenate(found).round(12)

    def _bm25_scores(self, query: str) -> ndarray:
        import numpy as np

        words = list(dict.fromkeys(_index_tokens([query])[0]))
        if self._words is None or not words:
            return np.zeros(len(self._vectors), dtype=np.float64)
        return self._words.get_scores(words).astype(np.float64)


def _build_bm25(texts: Sequence[str]) -> Any:
    """BM25 as Lucene has it, k1 = 1.5, b = 0.75; None where no text has a word."""
    import bm25s

    words = _index_tokens(texts) if texts else []
    if not any(words):
        return None
    index = bm25s.BM25(k1=1.5, b=0.75, method="lucene")
    index.index(words, show_progress=False)
    return index


def _index_tokens(texts: Sequence[str]) -> Any:
    """Words of two letters or more in lower case, without the commonest of English."""
    import bm25s

    return bm25s.tokenize(list(texts), stopwords="en", return_ids=False, show_progress=False)


def _scale_to_unit(scores: ndarray) -> ndarray:
    """Scores stretched over 0..1, in double and rounded."""
    import numpy as np

    scores = scores.astype(np.float64)
    low, high = scores.min(), scores.max()
    return np.round((scores - low) / (high - low), _DIGITS) if high > low else np.zeros_like(scores)
