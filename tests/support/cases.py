"""Selection of some cases of a parametrized test function."""

from __future__ import annotations

from collections.abc import Sequence
from zlib import crc32

import pytest


def spread_cases(cases: Sequence[pytest.Item], most: int) -> list[pytest.Item]:
    """Select ``most`` cases greedily, each with the largest number of parameter values that no earlier one has.

    Ties are resolved by a checksum of the case's id, since the first cases of a list are often alike.
    """
    rest = sorted(cases, key=lambda item: crc32(item.nodeid.encode()))
    kept: list[pytest.Item] = []
    shown: set[tuple[str, int]] = set()
    while rest and len(kept) < most:
        best = max(rest, key=lambda item: len(_values_of(item) - shown))
        rest.remove(best)
        kept.append(best)
        shown |= _values_of(best)
    return kept


def _values_of(case: pytest.Item) -> set[tuple[str, int]]:
    """Pairs of parameter name and index of its value."""
    return set(getattr(getattr(case, "callspec", None), "indices", {}).items())
