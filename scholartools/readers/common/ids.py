"""What every format's reader puts into its records in the same way: ids and warnings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

Record = dict[str, Any]


def with_ids(letter: str, records: list[Record]) -> list[Record]:
    """The records with ids: the letter and 1, 2, 3 ..."""
    return [{"id": f"{letter}{index}", **record} for index, record in enumerate(records, 1)]


def with_caption_ids(captions: list[Record], number: Callable[[Record], str]) -> list[Record]:
    """Ids from kind and number (``table2``); a second one of that name gets a count.

    Args:
        number: reads the number out of a caption's label; empty where it has none.
    """
    seen: Counter[str] = Counter()
    named = []
    for caption in captions:
        name = f"{caption['kind']}{number(caption)}".casefold().rstrip(".")
        seen[name] += 1
        named.append({"id": name + (f"-{seen[name]}" if seen[name] > 1 else ""), **caption})
    return named


def last_number(caption: Record) -> str:
    """The letters, figures and inner dots of the last word of a caption's label."""
    return "".join(char for char in caption["label"].split()[-1] if char.isalnum() or char == ".").strip(".")


def new_warning(kind: str, text: str, page: int | None = None) -> Record:
    """A warning of the record."""
    return {"kind": kind, "page": page, "text": text}
