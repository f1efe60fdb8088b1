"""Embedders by name, and the vectors of texts seen lately."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from numpy import ndarray

    from scholartools.text.embeddings.sentence import Embedder
    from scholartools.text.embeddings.token import ContextualModel, TokenVectors

#: What embeds: the name of an embedder, None for the default, or one that is there already.
Source: TypeAlias = "str | Embedder | None"


def embedder(source: Source) -> Embedder:
    """The embedder of a name, or the one that is given."""
    from scholartools.text.embeddings import sentence

    return sentence.embedder(source) if source is None or isinstance(source, str) else source


def vectors(texts: Sequence[str], source: Source) -> ndarray:
    """The vectors of texts, (n, d); those of texts that a named embedder saw lately are not made again."""
    import numpy as np

    if not texts or not (source is None or isinstance(source, str)):
        return embedder(source).vectors(texts)
    return np.stack([_cached_vector(text, source) for text in texts])


def contextual_model(spec: str) -> ContextualModel:
    """The model and layer of BERTScore."""
    from scholartools.text.embeddings import token

    return token.contextual_model(spec)


@functools.lru_cache(maxsize=64)
def token_vectors(text: str, spec: str) -> TokenVectors:
    """The tokens of a text; those of texts seen lately are not made again."""
    return contextual_model(spec).tokens(text)


@functools.lru_cache(maxsize=8192)
def _cached_vector(text: str, name: str | None) -> ndarray:
    return embedder(name).vectors([text])[0]


def n_truncated(texts: Sequence[str], source: Source, spec: str | None = None) -> int:
    """How many texts are longer than the embedder reads, or the model of BERTScore where one is named."""
    if not texts:
        return 0
    places = set(embedder(source).too_long(texts))
    if spec:
        places |= set(contextual_model(spec).too_long(texts))
    return len(places)
