"""Overlap of words between two texts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple


class Overlap(NamedTuple):
    """Precision, recall and F1 in 0..1, as rouge-score gives them: 0 where the two texts share nothing."""

    precision: float
    recall: float
    f1: float


ROUGE = ("rouge1", "rouge2", "rougeL")


class Rouge:
    """ROUGE-1, ROUGE-2 and ROUGE-L by the rouge-score package (Lin 2004), no stemming unless asked.

    One instance serves many pairs: making it is what costs time.
    """

    def __init__(self, *, stemmer: bool = False) -> None:
        from rouge_score.rouge_scorer import RougeScorer

        self._scorer = RougeScorer(list(ROUGE), use_stemmer=stemmer)

    def __call__(self, reference: str, candidate: str) -> dict[str, Overlap] | None:
        """Scores by name; None where the reference has no word, so that recall is undefined."""
        if not words(reference):
            return None
        return {name: Overlap(*map(float, score)) for name, score in self._scorer.score(reference, candidate).items()}


def words(text: str) -> list[str]:
    """The words ROUGE counts: lower-cased runs of a-z and 0-9, unstemmed (rouge-score's own tokenizer)."""
    from rouge_score.tokenize import tokenize

    return tokenize(text, None)


def ngrams(tokens: Sequence[str], n: int) -> Counter[tuple[str, ...]]:
    """The n-grams of a list of words, with how often each occurs."""
    return Counter(zip(*(tokens[i:] for i in range(n))))


def recall(reference: Counter, candidate: Counter) -> float:
    """The share of the reference's n-grams (with repeats) that are in the candidate; 0 for an empty reference."""
    total = reference.total()
    return (reference & candidate).total() / total if total else 0.0
