"""Number phrases in messages."""

from __future__ import annotations


def count_of(n: int, what: str, several: str | None = None) -> str:
    """A count with its noun: "1 item", "2 items"; ``several`` is an irregular plural."""
    return f"{n} {what}" if n == 1 else f"{n} {several or f'{what}s'}"


_OF_ONE = {"are": "is", "have": "has", "were": "was"}


def share_of(n: int, total: int, what: str, verb: str) -> str:
    """A share of a total with its verb: "1 of 3 items is", "2 of 3 items are"; ``verb`` is given in the plural."""
    return f"{n} of {count_of(total, what)} {_OF_ONE[verb] if n == 1 else verb}"
