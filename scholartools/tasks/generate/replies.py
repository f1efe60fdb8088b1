"""Validate lists of texts in replies: usable items, and reasons for the others; assumed lists for dry runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from scholartools.llm.answers import PartlyUsable
from scholartools.llm.replies import ReplyFault
from scholartools.records import Record

# Mean number of items of a reviewer's list, and words per item (AAAR-1.0, table 11).
_ITEMS, _WORDS = 5, 39


def check_items(
    items: Sequence[Record], fault: Callable[[Record], str | None], *, keep_repeats: bool = False
) -> list[Record]:
    """Validate the items of a reply.

    Items without a letter or digit, repetitions, and items with a ``fault`` get a ``reason``.

    Args:
        keep_repeats: whether repetitions are valid.

    Raises:
        PartlyUsable: some items have a reason.
        ReplyFault: all have a reason.
    """
    seen: set[str] = set()
    made: list[Record] = []
    for number, item in enumerate(items, 1):
        plain = plain_text(item["text"])
        is_repeat = plain in seen and not keep_repeats
        is_empty = not any(char.isalnum() for char in plain)
        why = "has no text" if is_empty else "repeats another" if is_repeat else fault(item)
        seen.add(plain)
        made.append({**item, "reason": f"item {number} {why}"} if why else item)
    lacks = [item["reason"] for item in made if "reason" in item]
    if lacks and len(lacks) == len(made):
        raise ReplyFault(lacks[0])
    if lacks:
        raise PartlyUsable(made, lacks)
    return made


def plain_text(text: str) -> str:
    """Case-folded text with normalised whitespace, to detect repetitions."""
    return " ".join(text.casefold().split())


def assume_items(shown: str) -> list[Record]:
    """Assumed list for a chunk in a dry run: excerpts with the mean number and length of reviewers' items."""
    words = shown.split()
    starts = [place * len(words) // _ITEMS for place in range(_ITEMS)]
    return [{"text": " ".join(words[start : start + _WORDS])} for start in starts]
