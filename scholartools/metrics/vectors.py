"""Cosine similarities between the rows of arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from numpy import ndarray


def similarities(first: ndarray, second: ndarray) -> ndarray:
    """Cosine similarities of every row of one array with every row of another: float64, (n, m), in -1..1.

    A zero row, such as that of an empty text, gets 0. Results are rounded to 12 decimals, since further ones depend on
    the order of additions, which differs between processors.

    Args:
        first: (n, d) vectors of any length.
        second: (m, d) vectors of any length.
    """
    import numpy as np

    return np.clip(np.round(unit_rows(first) @ unit_rows(second).T, 12), -1, 1)


def cosine(first: ndarray, second: ndarray) -> float:
    """Cosine similarity of two vectors, see :func:`similarities`."""
    return float(similarities(first[None], second[None])[0, 0])


def unit_rows(vectors: ndarray) -> ndarray:
    """Rows normalised to length 1, in float64; zero rows are unchanged."""
    import numpy as np

    exact = np.asarray(vectors, dtype=np.float64)
    lengths = np.linalg.norm(exact, axis=1, keepdims=True)
    return np.divide(exact, lengths, out=np.zeros_like(exact), where=lengths > 0)
