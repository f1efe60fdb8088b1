"""How messages count things."""

from __future__ import annotations


def count_of(n: int, what: str) -> str:
    """A number of things: "1 item", "2 items"."""
    return f"{n} {what}" if n == 1 else f"{n} {what}s"
