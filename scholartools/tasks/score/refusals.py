"""Outputs of a system that verification rejected, from ``rejected`` of the record; they count as false positives.

Rejected passages with a span do occur in their text: a rule, or a missing reply, excluded them. They do not count.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from scholartools.records import Entry, read
from scholartools.tasks.claims.base import COMMAND as CLAIMS
from scholartools.tasks.claims.base import entry_of

if TYPE_CHECKING:
    from scholartools.schemas.shapes import PaperRecord, Rejected

LIMITS = "st-extract-limits"
#: Command and step that make each list of quotations.
_QUOTATIONS = {"limitations": (LIMITS, None), "claims": (CLAIMS, "extract"), "generated.claims": (CLAIMS, "extract")}
_WORD = re.compile(r"\w")
# Letters of a script in which no papers are written, so that no reference has words in it (Egyptian hieroglyphs).
_FIRST_LETTER, _N_LETTERS = 0x13000, 1_000


def count_refused_items(record: PaperRecord, path: str, system: str) -> int:
    """Number of rejected items of a list, excluding those of drafts from which the list was made.

    Of a list of quotations, these are the quotations that occur nowhere in the text.
    """
    if path in _QUOTATIONS:
        return len(refused_quotes(record, *_QUOTATIONS[path], system if path.startswith("generated.") else None))
    return sum(
        one.get("in") == path and one.get("system") == system and one.get("step") != "draft"
        for one in read(record, "rejected") or ()
    )


def refused_quotes(
    record: PaperRecord, command: str, step: str | None = None, system: str | None = None
) -> list[Rejected]:
    """The quotations by a step of a command that occur nowhere in the text."""
    return [
        one
        for one in read(record, "rejected") or ()
        if (one["command"], one.get("step"), one.get("system")) == (command, step, system) and not one.get("span")
    ]


def refused_targets(record: PaperRecord, system: str) -> dict[str, list[str]]:
    """A system's targets that do not occur in the paper, by weakness; with several orders, only those given in each."""
    quotes = refused_quotes(record, CLAIMS, "associate", system)
    found: dict[str, list[str]] = {}
    for weakness in read(record, "weaknesses") or ():
        entry: Entry = entry_of(weakness, "targets", {"system": system}) or {}
        given = Counter(one["text"] for one in quotes if one.get("weakness") == weakness["id"])
        n_orders = len(entry.get("votes") or [entry])
        if texts := [text for text, count in given.items() if count >= n_orders]:
            found[weakness["id"]] = texts
    return found


def foreign_words(texts: Sequence[str]) -> str:
    """Map texts to words in an unused script, so that no other text shares them; equal words stay equal."""
    return _WORD.sub(lambda hit: chr(_FIRST_LETTER + ord(hit[0].lower()[0]) % _N_LETTERS), " ".join(texts))
