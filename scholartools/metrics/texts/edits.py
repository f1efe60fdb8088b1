"""Exact edit distances and common subsequences of two texts, in time that grows with their difference.

rapidfuzz compares the whole texts, 64 positions at a time. If it is given an upper bound on the difference, it searches
only near the diagonal. The bound is guessed, and raised until it holds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence

#: Product of the lengths above which texts are not compared: a few seconds of work.
MOST_COMPARED = 4 * 10**10

_FIRST_GUESS = 256
_WORTH = 8  # if the bound exceeds this fraction of the length, the search near the diagonal saves little
_SURROGATES = range(0xD800, 0xE000)


def too_long(first: Sequence[Hashable], second: Sequence[Hashable]) -> str | None:
    """Reason why two sequences are too long to be compared; None if they are not."""
    if len(first) * len(second) <= MOST_COMPARED:
        return None
    side = round(MOST_COMPARED**0.5)
    return (
        f"the two are compared in the product of their lengths, {len(first):,} and {len(second):,}: "
        f"up to that of {side:,} and {side:,} is taken"
    )


def edit_distance(first: str, second: str) -> int:
    """Levenshtein distance: the minimum number of insertions, deletions and substitutions of characters."""
    from rapidfuzz.distance import Levenshtein

    return Levenshtein.distance(*_with_small_codes(first, second), score_hint=_FIRST_GUESS)


def n_in_common(first: Sequence[Hashable], second: Sequence[Hashable]) -> int:
    """Length of the longest common subsequence of two texts, or of two lists of words."""
    from rapidfuzz.distance import LCSseq

    one, other = _with_small_codes(first, second)
    longer, missing = max(len(one), len(other)), abs(len(one) - len(other)) + _FIRST_GUESS
    while missing * _WORTH < longer:
        if found := LCSseq.similarity(one, other, score_cutoff=longer - missing):
            return found
        missing *= 4
    return LCSseq.similarity(one, other)


def _with_small_codes(first: Sequence[Hashable], second: Sequence[Hashable]) -> tuple[str, str]:
    """Recode two sequences, keeping equality, with the most frequent values first: rapidfuzz is fast for codes below
    256.
    """
    if isinstance(first, str) and isinstance(second, str) and first.isascii() and second.isascii():
        return first, second
    counted = Counter(first)
    counted.update(second)
    codes = {value: chr(code if code < _SURROGATES.start else code + len(_SURROGATES))
             for code, (value, _) in enumerate(counted.most_common())}  # fmt: skip
    return "".join([codes[value] for value in first]), "".join([codes[value] for value in second])
