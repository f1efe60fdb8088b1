"""Sums of money without floating-point residue: three calls of 0.1 USD are within a limit of 0.3."""

from __future__ import annotations

import math


def usd(*amounts: float) -> float:
    """Sum of amounts in USD, rounded to 1e-12: exact below 4,000 USD, since no price per token has more digits."""
    return round(math.fsum(amounts), 12)
