"""What a system gave and verification refused: it is under ``rejected`` of the record, and counts as given and wrong.

A passage with a place in its text was left out by a rule, or for want of a reply: it was not refused.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from scholartools.records import read

if TYPE_CHECKING:
    from scholartools.schemas.shapes import PaperRecord, Rejected

_WORD = re.compile(r"\w")
# Letters of a script in which nobody writes papers: words of them are in no reference.
_FIRST_LETTER, _N_LETTERS = 0x13000, 1_000


def count_refused_items(record: PaperRecord, path: str, system: str) -> int:
    """How many items of a generated list could not be used, but for those of a draft of which the list was made."""
    return sum(
        one.get("in") == path and one.get("system") == system and one.get("step") != "draft"
        for one in read(record, "rejected") or ()
    )


def refused_quotes(
    record: PaperRecord, command: str, step: str | None = None, system: str | None = None
) -> list[Rejected]:
    """What a step of a command quoted that occurs nowhere."""
    return [
        one
        for one in read(record, "rejected") or ()
        if (one["command"], one.get("step"), one.get("system")) == (command, step, system) and not one.get("span")
    ]


def count_refused_targets(quotes: Sequence[Rejected], weakness: str, n_orders: int) -> int:
    """How many targets were refused of a weakness: of several orders those that were given in each."""
    given = Counter(one["text"] for one in quotes if one.get("weakness") == weakness)
    return sum(count >= n_orders for count in given.values())


def foreign_words(texts: Sequence[str]) -> str:
    """Texts with as many words of the same lengths, equal where theirs are, that no other text has."""
    return _WORD.sub(lambda hit: chr(_FIRST_LETTER + ord(hit[0].lower()[0]) % _N_LETTERS), " ".join(texts))
