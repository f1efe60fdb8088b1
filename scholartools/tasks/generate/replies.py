"""How lists of texts that a model writes are verified: what of a list can be used, and why the rest cannot."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from scholartools.llm.replies import ReplyFault
from scholartools.llm.task import PartlyUsable
from scholartools.records import Record


def check_items(items: Sequence[Record], fault: Callable[[Record], str | None]) -> list[Record]:
    """The items of a reply; one that is empty, repeats an earlier one, or has a ``fault``, gets a ``reason``.

    Raises:
        PartlyUsable: some items have a reason.
        ReplyFault: all have.
    """
    seen: set[str] = set()
    made: list[Record] = []
    for number, item in enumerate(items, 1):
        plain = " ".join(item["text"].casefold().split())
        why = "has no text" if not plain else "repeats another" if plain in seen else fault(item)
        seen.add(plain)
        made.append({**item, "reason": f"item {number} {why}"} if why else item)
    lacks = [item["reason"] for item in made if "reason" in item]
    if lacks and len(lacks) == len(made):
        raise ReplyFault(lacks[0])
    if lacks:
        raise PartlyUsable(made, lacks)
    return made
