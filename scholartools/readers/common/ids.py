"""Ids and warnings of records, which the readers of all formats write in the same way."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

Record = dict[str, Any]

_SIGN = re.compile(r"[^\W_]")
_QUOTED = 8  # number of missing words that a warning quotes


def with_ids(letter: str, records: list[Record]) -> list[Record]:
    """Add ids to records: the letter and 1, 2, 3 ..."""
    return [{"id": f"{letter}{index}", **record} for index, record in enumerate(records, 1)]


def with_caption_ids(captions: list[Record], number: Callable[[Record], str]) -> list[Record]:
    """Add ids of kind and number (``table2``) to captions; repeated ids get a counter (``table2-2``).

    Args:
        number: returns the number in the label of a caption; empty if it has none.
    """
    seen: Counter[str] = Counter()
    named = []
    for caption in captions:
        name = f"{caption['kind']}{number(caption)}".casefold().rstrip(".")
        seen[name] += 1
        named.append({"id": name + (f"-{seen[name]}" if seen[name] > 1 else ""), **caption})
    return named


def last_number(caption: Record) -> str:
    """The letters, digits and inner dots of the last word of a caption's label."""
    return "".join(char for char in caption["label"].split()[-1] if char.isalnum() or char == ".").strip(".")


def left_out_words(kinds: Mapping[str, str]) -> list[Record]:
    """A warning with the number of words that the record lacks and the first of them; empty if it lacks none.

    Args:
        kinds: the omitted texts, by a description ("of tables").
    """
    words = {where: list(filter(_SIGN.search, text.split())) for where, text in kinds.items()}
    told = [f"{len(found):,} word{'s' * (len(found) > 1)} {where}" for where, found in words.items() if found]
    first = " ".join([word for found in words.values() for word in found][:_QUOTED])
    said = f'{" and ".join(told)} are in no part of the record: "{first} ..."'
    return [new_warning("text-missing", said)] if told else []


def new_warning(kind: str, text: str, page: int | None = None) -> Record:
    """A warning for a record; ``page`` counts from 1."""
    return {"kind": kind, "page": page, "text": text}
