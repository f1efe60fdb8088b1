"""Cosine similarities between the rows of arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from numpy import ndarray


def similarities(first: ndarray, second: ndarray) -> ndarray:
    """Cosines of every row of one array with every row of another: float64, (n, m), in -1..1.

    A row of zeros, as an empty text has, gets 0 with everything. The 12th decimal is the last: further ones differ
    between kinds of processors, which add in another order.

    Args:
        first: (n, d) vectors of any length.
        second: (m, d) vectors of any length.
    """
    import numpy as np

    return np.clip(np.round(unit_rows(first) @ unit_rows(second).T, 12), -1, 1)


def cosine(first: ndarray, second: ndarray) -> float:
    """That of two vectors, as :func:`similarities` gives it."""
    return float(similarities(first[None], second[None])[0, 0])


def unit_rows(vectors: ndarray) -> ndarray:
    """The rows at length 1, in float64; a row of zeros stays one."""
    import numpy as np

    exact = np.asarray(vectors, dtype=np.float64)
    lengths = np.linalg.norm(exact, axis=1, keepdims=True)
    return np.divide(exact, lengths, out=np.zeros_like(exact), where=lengths > 0)
