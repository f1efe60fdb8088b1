"""Floors without a model: what length, shared words, chance or a constant would score. They are no ratings.

A method that does not do better than these has told nothing that these do not tell.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from scholartools.llm.engine import Engine
from scholartools.signature import fingerprint, library
from scholartools.tasks.judge.rate.contract import Aspect, Item, Method, Rating


class Floor(Method):
    """A method whose score is a function of the item alone."""

    source = "a floor, no rating"
    is_builtin = True

    async def rate(self, engine: Engine | None, aspect: Aspect, items: Sequence[Item]) -> list[Rating]:  # type: ignore[override]
        """As :meth:`Method.rate`, without a model."""
        return [self.measure(aspect, item) for item in items]

    def measure(self, aspect: Aspect, item: Item) -> Rating:
        """The rating of one item."""
        raise NotImplementedError


class Words(Floor):
    """The number of words."""

    name = "words"

    def measure(self, aspect: Aspect, item: Item) -> Rating:
        """Words are what stands between spaces."""
        return Rating(float(len(item.text.split())), None)


class Characters(Floor):
    """The number of characters."""

    name = "chars"

    def measure(self, aspect: Aspect, item: Item) -> Rating:
        """Of the text as it stands, in code points."""
        return Rating(float(len(item.text)), None)


class RougeRecall(Floor):
    """The share of the source's words that the text has."""

    name = "rouge1-recall"

    def parameters(self) -> Mapping[str, Any]:
        """The library that counts."""
        return {"rouge1-recall": library("rouge_score")}

    def measure(self, aspect: Aspect, item: Item) -> Rating:
        """ROUGE-1 recall, no stemmer."""
        recall = _recall(item.source, item.text)
        return Rating(recall, (0, 1), reason="nothing with words is shown beside the text" if recall is None else None)


@functools.lru_cache(4096)  # the aspects of one text
def _recall(source: str, text: str) -> float | None:
    from scholartools.metrics.texts.overlap import Rouge

    found = Rouge()(source, text)
    return None if found is None else found["rouge1"].recall


class EmbeddingCosine(Floor):
    """The cosine of the embeddings of source and text."""

    name = "embedding"

    def parameters(self) -> Mapping[str, Any]:
        """The default embedder."""
        from scholartools.text.embeddings.cached import embedder

        return {"embedding": embedder(None).name}

    def measure(self, aspect: Aspect, item: Item) -> Rating:
        """By the default embedder."""
        from scholartools.text.embeddings.cached import vectors

        if not item.source.strip():
            return Rating(None, (-1, 1), reason="nothing is shown beside the text")
        first, second = vectors([item.source, item.text], None)
        return Rating(float(first @ second), (-1, 1))


class Random(Floor):
    """A score of the scale by chance: by the seed and the item, wherever it stands."""

    name = "random"

    def measure(self, aspect: Aspect, item: Item) -> Rating:
        """All scores of people's scale are equally likely."""
        low, high = aspect.spec.scale
        count = int((high - low) / aspect.spec.step + 1e-9) + 1
        drawn = int(fingerprint([self.how.seed, aspect.name, item.fingerprint]), 16) % count
        return Rating(low + drawn * aspect.spec.step, (low, high))


class Constant(Floor):
    """The middle of the scale, always: every correlation with it is undefined."""

    name = "constant"

    def measure(self, aspect: Aspect, item: Item) -> Rating:
        """Of people's scale."""
        low, high = aspect.spec.scale
        return Rating((low + high) / 2, (low, high))


class MajorityLabel(Floor):
    """The most frequent score among the aspect's examples, the lowest of several such."""

    name = "majority-label"
    needs = frozenset({"examples"})

    def measure(self, aspect: Aspect, item: Item) -> Rating:
        """Of the examples in the criteria, which are of other papers."""
        low, high = aspect.spec.scale
        counts = Counter(example.score for example in aspect.spec.examples or ())
        most = max(counts.values())
        return Rating(float(min(score for score, count in counts.items() if count == most)), (low, high))


FLOORS: tuple[Floor, ...] = (
    Words(), Characters(), RougeRecall(), EmbeddingCosine(), Random(), Constant(), MajorityLabel()
)  # fmt: skip
