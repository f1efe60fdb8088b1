"""What every format's reader puts into its records in the same way: ids and warnings."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

Record = dict[str, Any]

_SIGN = re.compile(r"[^\W_]")
_QUOTED = 8  # words that are left out


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


def left_out_words(kinds: Mapping[str, str]) -> list[Record]:
    """A warning of how many words are in no part of the record, with the first of them; none where there are none.

    Args:
        kinds: the texts, by what they are of ("of tables").
    """
    words = {where: list(filter(_SIGN.search, text.split())) for where, text in kinds.items()}
    told = [f"{len(found):,} word{'s' * (len(found) > 1)} {where}" for where, found in words.items() if found]
    first = " ".join([word for found in words.values() for word in found][:_QUOTED])
    said = f'{" and ".join(told)} are in no part of the record: "{first} ..."'
    return [new_warning("text-missing", said)] if told else []


def new_warning(kind: str, text: str, page: int | None = None) -> Record:
    """A warning of the record."""
    return {"kind": kind, "page": page, "text": text}
