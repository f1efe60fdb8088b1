"""Hybrid retrieval of passages: a weighted mean of a lexical (BM25) and a dense (embedding) score.

The retrieval of BAGELS (section 4): each score is scaled to 0..1 over the retrievable passages, and the passages are
ranked by the mean.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from scholartools.signature import library

if TYPE_CHECKING:
    from numpy import ndarray

    from scholartools.text.embeddings.sentence import Embedder

# Decimals to which scores are rounded before ranking, so that differences between processors do not matter.
_DIGITS = 6
# Vectors converted to double precision at a time.
_BLOCK = 4096


class Hit(NamedTuple):
    """A retrieved passage: its index among the texts, and its scores, each 0..1."""

    place: int
    bm25: float
    dense: float
    both: float


class Index:
    """Search index over texts; stores their tokens and vectors, not the texts.

    Attributes:
        name: retrieval libraries with versions: part of every signature.
    """

    def __init__(self, texts: Sequence[str], embedder: Embedder) -> None:
        self._embedder = embedder
        self._vectors = embedder.vectors(texts)
        self._words = _build_bm25(texts)
        self.name = f"{library('bm25s')}/{embedder.name}"

    def search(self, query: str, places: Sequence[int], *, top: int, dense_weight: float = 0.5) -> list[Hit]:
        """The best passages for a query, in descending order; ties in the order of the texts.

        Args:
            query: any length; repeated words count once.
            places: indices of the texts to search. Scores are scaled over these: 1 for the best, 0 for the worst; all 0
                if they are equal. BM25 takes document frequencies from all texts of the index.
            top: maximum number of results.
            dense_weight: weight of the embedding score, 0..1; BM25 has the rest.
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
        """Cosines in double precision, rounded to 12 decimals: the last digits differ between processors."""
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
    """BM25 in Lucene's variant, k1 = 1.5, b = 0.75; None if no text has a token."""
    import bm25s

    words = _index_tokens(texts) if texts else []
    if not any(words):
        return None
    index = bm25s.BM25(k1=1.5, b=0.75, method="lucene")
    index.index(words, show_progress=False)
    return index


def _index_tokens(texts: Sequence[str]) -> Any:
    """Lower-case words of two or more letters without English stop words."""
    import bm25s

    return bm25s.tokenize(list(texts), stopwords="en", return_ids=False, show_progress=False)


def _scale_to_unit(scores: ndarray) -> ndarray:
    """Min-max scale scores to 0..1, in double precision and rounded."""
    import numpy as np

    scores = scores.astype(np.float64)
    low, high = scores.min(), scores.max()
    return np.round((scores - low) / (high - low), _DIGITS) if high > low else np.zeros_like(scores)
