"""Sums of money without what binary fractions leave over: three calls of 0.1 USD are within a limit of 0.3."""

from __future__ import annotations

import math


def usd(*amounts: float) -> float:
    """The sum of amounts in USD, to a trillionth: exact below 4,000 USD, for no price of a token has more digits."""
    return round(math.fsum(amounts), 12)
