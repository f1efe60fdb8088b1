"""Baselines without a model: what length, shared words, chance or a constant would score. They are no ratings.

A method that does not do better than these has added nothing to these.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from scholartools.llm.engine import Engine
from scholartools.signature import fingerprint, library
from scholartools.tasks.judge.rate.contract import Aspect, Item, Method, Rating


class Baseline(Method):
    """A method whose score is a function of the item alone.

    Attributes:
        reason: why an item has no score, where it has none.
    """

    source = "a baseline, no rating"
    is_builtin = True
    reason = ""

    async def rate(self, engine: Engine | None, aspect: Aspect, items: Sequence[Item]) -> list[Rating]:  # type: ignore[override]
        """As :meth:`Method.rate`, without a model."""
        scores = [self.measure(aspect, item) for item in items]
        scale = self.rating_scale(aspect)
        return [Rating(score, scale, reason=self.reason if score is None else None) for score in scores]

    def rating_scale(self, aspect: Aspect) -> tuple[float, float] | None:
        """People's scale."""
        low, high = aspect.spec.scale
        return low, high

    def measure(self, aspect: Aspect, item: Item) -> float | None:
        """The score of one item."""
        raise NotImplementedError


class Count(Baseline):
    """A baseline that counts, without end."""

    def rating_scale(self, aspect: Aspect) -> None:
        """None: there is no highest count."""
        return


class Words(Count):
    """The number of words."""

    name = "words"

    def measure(self, aspect: Aspect, item: Item) -> float | None:
        """Words are what is between spaces."""
        return float(len(item.text.split()))


class Characters(Count):
    """The number of characters."""

    name = "chars"

    def measure(self, aspect: Aspect, item: Item) -> float | None:
        """Of the text as it is, in code points."""
        return float(len(item.text))


class RougeRecall(Baseline):
    """The share of the source's words that the text has."""

    name = "rouge1-recall"
    reason = "nothing with words is shown beside the text"

    def rating_scale(self, aspect: Aspect) -> tuple[float, float]:
        """A share."""
        return 0, 1

    def parameters(self) -> Mapping[str, Any]:
        """The library that counts."""
        return {"rouge1-recall": library("rouge_score")}

    def measure(self, aspect: Aspect, item: Item) -> float | None:
        """ROUGE-1 recall, no stemmer."""
        return _recall(item.source, item.text)


@functools.lru_cache(4096)  # the aspects of one text
def _recall(source: str, text: str) -> float | None:
    from scholartools.metrics.texts.overlap import Rouge

    found = Rouge()(source, text)
    return None if found is None else found["rouge1"].recall


class EmbeddingCosine(Baseline):
    """The cosine of the embeddings of source and text."""

    name = "embedding"
    reason = "nothing is shown beside the text"

    def rating_scale(self, aspect: Aspect) -> tuple[float, float]:
        """Of a cosine."""
        return -1, 1

    def parameters(self) -> Mapping[str, Any]:
        """The default embedder."""
        from scholartools.text.embeddings.cached import embedder

        return {"embedding": embedder(None).name}

    def measure(self, aspect: Aspect, item: Item) -> float | None:
        """By the default embedder."""
        from scholartools.metrics.vectors import cosine
        from scholartools.text.embeddings.cached import vectors

        if not item.source.strip():
            return None
        return cosine(*vectors([item.source, item.text], None))


class Random(Baseline):
    """A score of the scale by chance: by the seed and the item, wherever it is."""

    name = "random"

    def measure(self, aspect: Aspect, item: Item) -> float | None:
        """All scores of people's scale are equally likely."""
        low, high = aspect.spec.scale
        count = int((high - low) / aspect.spec.step + 1e-9) + 1
        drawn = int(fingerprint([self.how.seed, aspect.name, item.fingerprint]), 16) % count
        return low + drawn * aspect.spec.step


class Constant(Baseline):
    """The middle of the scale, always: every correlation with it is undefined."""

    name = "constant"

    def measure(self, aspect: Aspect, item: Item) -> float | None:
        """Of people's scale."""
        low, high = aspect.spec.scale
        return (low + high) / 2


class MajorityLabel(Baseline):
    """The most frequent score among the aspect's examples, the lowest of several such."""

    name = "majority-label"
    needs = frozenset({"examples"})

    def measure(self, aspect: Aspect, item: Item) -> float | None:
        """Of the examples in the criteria, which are of other papers."""
        counts = Counter(example.score for example in aspect.spec.examples or ())
        most = max(counts.values())
        return float(min(score for score, count in counts.items() if count == most))


BASELINES: tuple[Baseline, ...] = (
    Words(), Characters(), RougeRecall(), EmbeddingCosine(), Random(), Constant(), MajorityLabel()
)  # fmt: skip
