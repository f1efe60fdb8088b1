"""Which cases of a test function are run where not all are."""

from __future__ import annotations

from collections.abc import Sequence
from zlib import crc32

import pytest


def spread_cases(cases: Sequence[pytest.Item], most: int) -> list[pytest.Item]:
    """So many cases of a function, each with as many values of its parameters as possible that those before lack.

    Of cases with as many, that whose id has the least checksum: the first ones of a list are often alike.
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
    """Each parameter of a case with the number of its value."""
    return set(getattr(getattr(case, "callspec", None), "indices", {}).items())
