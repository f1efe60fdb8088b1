"""Similarity of claims and weaknesses, on a scale comparable across papers."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

_WORD = re.compile(r"[^\W_]+")
_ENDINGS = re.compile(r"(?:ations?|ings?|ments?|ness|edly|ally|ies|ers?|ed|es|ly|al|s|e|y)$")
_SHORTEST_STEM = 3
_STOP = frozenset(
    """
    a about above after all also although an and any are as at author authors be been being between both but by
    can claim claimed claims could did do does done due each even for from further had has have he her his how
    however i if in into is it its itself just made make may me might more most much must my no nor not of off
    on one only onto or other our out over own paper same say says section she should show shown shows so some
    stated statement such than that the their them then there these they this those through to too two under up
    upon us use used using very was we were what when where whether which while who why will with without would
    yet you your
    """.split()
)


class Similarity(NamedTuple):
    """Similarity of two texts.

    Attributes:
        cosine: cosine of the embeddings, -1..1.
        shared: share of the word weights of the first text that the second shares, 0..1.
    """

    cosine: float
    shared: float

    @property
    def score(self) -> float:
        """Mean of both."""
        return round((self.cosine + self.shared) / 2, 6)


def stems(text: str) -> set[str]:
    """Stemmed words of a text, without stop words."""
    words = {word for word in _WORD.findall(text.lower()) if word not in _STOP}
    return {_stem_word(word) for word in words if len(word) > 1 or word.isdigit()}


class Claims:
    """Texts to compare others with; stores their embeddings and word weights.

    Weights decrease with document frequency: words that all claims of a paper share do not discriminate.

    Attributes:
        name: libraries with versions: part of every signature.
    """

    def __init__(self, texts: Sequence[str], embedder_name: str | None = None) -> None:
        from scholartools.text.embeddings.sentence import embedder

        self._embedder = embedder(embedder_name)
        self._vectors = self._embedder.vectors(texts).astype("float64")
        self._stems = [sorted(stems(text)) for text in texts]
        counts = Counter(stem for one in self._stems for stem in one)
        self._weights = {stem: math.log(1 + len(texts) / count) for stem, count in counts.items()}
        self.name = self._embedder.name

    def similarities(self, other: str) -> list[Similarity]:
        """Similarity of each of the texts to another."""
        if not self._stems:
            return []
        cosines = self._vectors @ self._embedder.vectors([other])[0].astype("float64")
        wanted = stems(other)
        return [
            Similarity(round(float(cosine), 6), self._shared_weight(one, wanted))
            for one, cosine in zip(self._stems, cosines)
        ]

    def _shared_weight(self, one: Sequence[str], wanted: set[str]) -> float:
        total = math.fsum(self._weights[stem] for stem in one)
        both = math.fsum(self._weights[stem] for stem in one if stem in wanted)
        return round(both / total, 6) if total else 0.0


def _stem_word(word: str) -> str:
    if word.isdigit():
        return word
    short = _ENDINGS.sub("", word)
    return short if len(short) >= _SHORTEST_STEM else word
