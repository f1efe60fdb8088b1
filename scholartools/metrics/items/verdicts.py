"""Shares of verdicts: which of two texts is more specific, whether two texts name the same issue (CLAIMCHECK, 4.2,
4.3).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from scholartools.metrics.values import Value

WINNERS = ("revised", "tie", "original")
ISSUES = ("same", "similar", "different")


def shares(verdicts: Sequence[str | None], names: Sequence[str]) -> dict[str, Value]:
    """Share of each verdict among the pairs with a verdict, in 0..1; the shares sum to 1.

    ``undecided`` is the share of all pairs that have no verdict; they do not count in the other shares.
    """
    known = [verdict for verdict in verdicts if verdict is not None]
    none = "no pair has a verdict"
    found = {name: Value(known.count(name) / len(known)) if known else Value(None, none) for name in names}
    undecided = Value((len(verdicts) - len(known)) / len(verdicts)) if verdicts else Value(None, "no pair")
    return {**found, "undecided": undecided}


def sign_test(n_wins: int, n_losses: int) -> Value:
    """Exact two-sided p of the sign test; ties do not count (Dixon 1946)."""
    n = n_wins + n_losses
    if not n:
        return Value(None, "no win and no loss")
    tail = sum(math.comb(n, k) for k in range(min(n_wins, n_losses) + 1))
    return Value(min(1.0, 2 * tail / 2**n))
