"""Embedders by name, with a cache of the embeddings of recent texts."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from numpy import ndarray

    from scholartools.text.embeddings.sentence import Embedder
    from scholartools.text.embeddings.token import ContextualModel, TokenVectors

#: Name of an embedder, None for the default embedder, or an embedder object.
Source: TypeAlias = "str | Embedder | None"


def embedder(source: Source) -> Embedder:
    """Return the embedder with a name, or the given embedder unchanged."""
    from scholartools.text.embeddings import sentence

    return sentence.embedder(source) if source is None or isinstance(source, str) else source


def vectors(texts: Sequence[str], source: Source) -> ndarray:
    """Embed texts as an array (texts, dimensions); recent results of named embedders are cached."""
    import numpy as np

    if not texts or not (source is None or isinstance(source, str)):
        return embedder(source).vectors(texts)
    return np.stack([_cached_vector(text, source) for text in texts])


def contextual_model(spec: str) -> ContextualModel:
    """Contextual model for BERTScore, from ``MODEL:LAYER``."""
    from scholartools.text.embeddings import token

    return token.contextual_model(spec)


@functools.lru_cache(maxsize=64)
def token_vectors(text: str, spec: str) -> TokenVectors:
    """Contextual embeddings of the tokens of a text, cached for recent texts."""
    return contextual_model(spec).tokens(text)


@functools.lru_cache(maxsize=8192)
def _cached_vector(text: str, name: str | None) -> ndarray:
    return embedder(name).vectors([text])[0]


def n_truncated(texts: Sequence[str], source: Source, spec: str | None = None) -> int:
    """Count the texts that exceed the length limit of the embedder, or of the BERTScore model ``spec`` if given."""
    if not texts:
        return 0
    places = set(embedder(source).too_long(texts))
    if spec:
        places |= set(contextual_model(spec).too_long(texts))
    return len(places)
