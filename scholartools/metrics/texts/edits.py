"""How many characters or words two texts do not have in common, exactly, in time that grows with the difference.

rapidfuzz compares all of one text with all of the other, 64 places at a time. Where it is given how much they differ at
most, it looks near the diagonal alone. So that is guessed, and raised until it is right.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence

#: Length of the one times length of the other, from which on two texts are not compared: a few seconds of work.
MOST_COMPARED = 4 * 10**10

_FIRST_GUESS = 256
_WORTH = 8  # part of the length from which on looking near the diagonal saves little
_SURROGATES = range(0xD800, 0xE000)


def too_long(first: Sequence[Hashable], second: Sequence[Hashable]) -> str | None:
    """Why two sequences are not compared; None where they are."""
    if len(first) * len(second) <= MOST_COMPARED:
        return None
    side = round(MOST_COMPARED**0.5)
    return (
        f"the two are compared in the product of their lengths, {len(first):,} and {len(second):,}: "
        f"up to that of {side:,} and {side:,} is taken"
    )


def edit_distance(first: str, second: str) -> int:
    """Levenshtein's distance: the fewest insertions, deletions and substitutions of characters."""
    from rapidfuzz.distance import Levenshtein

    return Levenshtein.distance(*_with_small_codes(first, second), score_hint=_FIRST_GUESS)


def n_in_common(first: Sequence[Hashable], second: Sequence[Hashable]) -> int:
    """The length of the longest common subsequence of two texts, or of two lists of words."""
    from rapidfuzz.distance import LCSseq

    one, other = _with_small_codes(first, second)
    longer, missing = max(len(one), len(other)), abs(len(one) - len(other)) + _FIRST_GUESS
    while missing * _WORTH < longer:
        if found := LCSseq.similarity(one, other, score_cutoff=longer - missing):
            return found
        missing *= 4
    return LCSseq.similarity(one, other)


def _with_small_codes(first: Sequence[Hashable], second: Sequence[Hashable]) -> tuple[str, str]:
    """Two texts that are equal in the same places; rapidfuzz has a table for the first 256 characters."""
    if isinstance(first, str) and isinstance(second, str) and first.isascii() and second.isascii():
        return first, second
    counted = Counter(first)
    counted.update(second)
    codes = {value: chr(code if code < _SURROGATES.start else code + len(_SURROGATES))
             for code, (value, _) in enumerate(counted.most_common())}  # fmt: skip
    return "".join([codes[value] for value in first]), "".join([codes[value] for value in second])
