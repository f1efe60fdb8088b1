"""Embedder that uses vectors supplied in a record, for example those of a published run."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from scholartools.errors import InputFault
from scholartools.signature import fingerprint

if TYPE_CHECKING:
    from numpy import ndarray

_SHOWN = 60


class PrecomputedVectors:
    """Look up vectors by text. A text without a vector is an error.

    Args:
        model: name of the model under which the record has the vectors.
        by_text: vectors by text, all of the same length; they need not be normalised.

    Raises:
        InputFault: vectors differ in length, or one is all zeros.
    """

    limit: int | None = None

    def __init__(self, model: str, by_text: Mapping[str, Sequence[float]]) -> None:
        self._model, self._by_text = model, by_text
        self._dimensions = len(next(iter(by_text.values()), ()))
        for text, vector in by_text.items():
            if len(vector) != self._dimensions or not any(vector):
                fault = f"{len(vector)} numbers, another {self._dimensions}" if any(vector) else "zeros alone"
                raise InputFault(f'"vectors.{model}": "{text[:_SHOWN]}" has {fault}', kind="invalid-key")

    @functools.cached_property
    def name(self) -> str:
        """Model name and fingerprint of the vectors."""
        return f"vectors:{self._model}@{fingerprint(self._by_text)}"

    def vectors(self, texts: Sequence[str]) -> ndarray:
        """An array (texts, dimensions) of float64, each row of length 1.

        Raises:
            InputFault: a text has no vector.
        """
        import numpy as np

        if missing := next((text for text in texts if text not in self._by_text), None):
            raise InputFault(f'"vectors.{self._model}" has no vector of "{missing[:_SHOWN]}"', kind="missing-key")
        made = np.array([self._by_text[text] for text in texts], dtype=np.float64).reshape(len(texts), self._dimensions)
        return made / np.linalg.norm(made, axis=1, keepdims=True)

    def too_long(self, texts: Sequence[str]) -> list[int]:
        """Always empty: truncation is unknown for vectors that were computed elsewhere."""
        return []
