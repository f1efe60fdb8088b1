"""Extraction quality: an extracted text compared with the gold text (BAGELS, section 3.3, table 2)."""

from __future__ import annotations

from collections import Counter

from scholartools.metrics.texts.overlap import (
    cosine_of_counts,
    fuzzy_ratio,
    plain_words,
    token_overlap,
)
from scholartools.metrics.values import Value


def extraction_quality(gold: str, extracted: str) -> dict[str, Value]:
    r"""``precision``, ``recall``, ``f1``, ``cosine`` and ``ratio`` in 0..1; the paper prints them times 100.

    Words are runs of ``\w`` in the lower-cased text, counted with multiplicity; the cosine is that of the counts; the
    ratio is rapidfuzz's ratio of the unchanged texts. Several items must be joined into one text first, since human
    gold extracts are unsegmented.
    """
    return {
        **token_overlap(gold, extracted)._asdict(),
        "cosine": cosine_of_counts(Counter(plain_words(gold)), Counter(plain_words(extracted))),
        "ratio": fuzzy_ratio(gold, extracted),
    }
