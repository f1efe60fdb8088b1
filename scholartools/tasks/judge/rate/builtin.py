"""Baselines without a model: scores from length, word overlap, chance or a constant.

Methods should be compared with these.
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
        reason: reason for items without a score.
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
        """The human scale."""
        low, high = aspect.spec.scale
        return low, high

    def measure(self, aspect: Aspect, item: Item) -> float | None:
        """The score of one item."""
        raise NotImplementedError


class Count(Baseline):
    """A baseline that counts, on an unbounded scale."""

    def rating_scale(self, aspect: Aspect) -> None:
        """None, as counts are unbounded."""
        return


class Words(Count):
    """The number of words."""

    name = "words"

    def measure(self, aspect: Aspect, item: Item) -> float | None:
        """Number of words separated by whitespace."""
        return float(len(item.text.split()))


class Characters(Count):
    """The number of characters."""

    name = "chars"

    def measure(self, aspect: Aspect, item: Item) -> float | None:
        """Number of code points."""
        return float(len(item.text))


class RougeRecall(Baseline):
    """Share of the source's words that occur in the text."""

    name = "rouge1-recall"
    reason = "nothing with words is shown beside the text"

    def rating_scale(self, aspect: Aspect) -> tuple[float, float]:
        """Range of a share."""
        return 0, 1

    def parameters(self) -> Mapping[str, Any]:
        """Version of the library."""
        return {"rouge1-recall": library("rouge_score")}

    def measure(self, aspect: Aspect, item: Item) -> float | None:
        """ROUGE-1 recall without stemming."""
        return _recall(item.source, item.text)


@functools.lru_cache(4096)  # reused for all aspects of a text
def _recall(source: str, text: str) -> float | None:
    from scholartools.metrics.texts.overlap import Rouge

    found = Rouge()(source, text)
    return None if found is None else found["rouge1"].recall


class EmbeddingCosine(Baseline):
    """Cosine of the embeddings of source and text."""

    name = "embedding"
    reason = "nothing is shown beside the text"

    def rating_scale(self, aspect: Aspect) -> tuple[float, float]:
        """Range of a cosine."""
        return -1, 1

    def parameters(self) -> Mapping[str, Any]:
        """The default embedder."""
        from scholartools.text.embeddings.cached import embedder

        return {"embedding": embedder(None).name}

    def measure(self, aspect: Aspect, item: Item) -> float | None:
        """Cosine with the default embedder."""
        from scholartools.metrics.vectors import cosine
        from scholartools.text.embeddings.cached import vectors

        if not item.source.strip():
            return None
        return cosine(*vectors([item.source, item.text], None))


class Random(Baseline):
    """A random score of the scale, determined by seed and item."""

    name = "random"

    def measure(self, aspect: Aspect, item: Item) -> float | None:
        """Uniform over the values of the human scale."""
        low, high = aspect.spec.scale
        count = int((high - low) / aspect.spec.step + 1e-9) + 1
        drawn = int(fingerprint([self.how.seed, aspect.name, item.fingerprint]), 16) % count
        return low + drawn * aspect.spec.step


class Constant(Baseline):
    """The middle of the scale; correlations with it are undefined."""

    name = "constant"

    def measure(self, aspect: Aspect, item: Item) -> float | None:
        """Middle of the human scale."""
        low, high = aspect.spec.scale
        return (low + high) / 2


class MajorityLabel(Baseline):
    """The most frequent score among the examples of an aspect; ties are resolved by the lowest score."""

    name = "majority-label"
    needs = frozenset({"examples"})

    def measure(self, aspect: Aspect, item: Item) -> float | None:
        """Mode of the scores of the criteria's examples, which are from other papers."""
        counts = Counter(example.score for example in aspect.spec.examples or ())
        most = max(counts.values())
        return float(min(score for score, count in counts.items() if count == most))


BASELINES: tuple[Baseline, ...] = (
    Words(), Characters(), RougeRecall(), EmbeddingCosine(), Random(), Constant(), MajorityLabel()
)  # fmt: skip
