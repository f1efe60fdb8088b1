"""Agreement of raters who each mark spans of text (CLAIMCHECK, section 3.4)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class SpanMatch:
    """Contribution of one item to the F1 of a pair.

    Attributes:
        edit: sum of the similarities of the assigned pairs of spans.
        exact: number of equal spans, each used once.
        n_first: number of spans of the first rater.
        n_second: number of spans of the second rater.
    """

    edit: float
    exact: int
    n_first: int
    n_second: int


@dataclass(frozen=True)
class SpanAgreement:
    """F1 over items and pairs of raters: ``2 * sum / (n_a + n_b)``, in 0..1, None with a reason if there are no
    spans.
    """

    edit: float | None
    exact: float | None
    n_spans: int
    n_items: int
    reason: str | None = None


def match(first: Sequence[str], second: Sequence[str]) -> SpanMatch:
    """Match the spans of one item by two raters, in the one-to-one assignment with the greatest sum of similarities.

    The similarity of two texts is ``1 - levenshtein / length of the longer``, in characters; two empty texts are equal.
    The exact count is independent of the assignment: the size of the multiset intersection.
    """
    exact = sum((Counter(first) & Counter(second)).values())
    # Sorted, so that the floating-point sum does not depend on the order of the spans.
    similarities = [similarity for _, _, similarity in assign(sorted(first), sorted(second))]
    return SpanMatch(math.fsum(similarities), exact, len(first), len(second))


def assign(first: Sequence[str], second: Sequence[str]) -> list[tuple[int, int, float]]:
    """Indexes of the texts assigned to each other, with their similarity, 0..1; the sum is maximal."""
    if not first or not second:
        return []
    import numpy as np
    from rapidfuzz.distance.Levenshtein import normalized_similarity
    from rapidfuzz.process import cdist
    from scipy.optimize import linear_sum_assignment

    # The hint means that some are nearly equal, as marks of one sentence are; it affects only speed.
    similarities = cdist(first, second, scorer=normalized_similarity, dtype=np.float64, score_hint=0.999)
    rows, columns = linear_sum_assignment(similarities, maximize=True)
    return [(int(row), int(column), float(similarities[row, column])) for row, column in zip(rows, columns)]


def pool_matches(matches: Sequence[SpanMatch], n_items: int | None = None) -> SpanAgreement:
    """F1 from summed matches: of one pair's items, or of several pairs (micro average).

    ``n_items`` is the number of items, if several pairs share items.
    """
    n_items = len(matches) if n_items is None else n_items
    n_spans = sum(one.n_first + one.n_second for one in matches)
    if not n_spans:
        return SpanAgreement(None, None, 0, n_items, "no item rated by both" if not matches else "no span was marked")
    edit = 2 * math.fsum(one.edit for one in matches) / n_spans
    return SpanAgreement(edit, 2 * sum(one.exact for one in matches) / n_spans, n_spans, n_items)
