"""Extraction by a model: it quotes the limitations in a block, and the quotations are located.

As in BAGELS, section 3.2, step 2: noise is dropped, the rest is split into limitations, and nothing is rephrased.
"""

from __future__ import annotations

import functools
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from scholartools.llm.replies import Closed, Items
from scholartools.records import Record, spans_text
from scholartools.tasks.limits.passages import Block, Found, Place
from scholartools.text.sentences import spans

if TYPE_CHECKING:
    from scholartools.llm.answers import Answer
    from scholartools.llm.engine import Engine

#: Limitations of a passage, without ids, and quotations that are not in it.
Quotations = tuple[list[Record], list[Record]]

#: Kinds of differences between a quotation and its source, in ascending order.
_KINDS = ("exact", "whitespace", "typography", "case", "edited")


class Quoted(Closed, extra="forbid"):
    """One limitation as a model gives it: a few words for it, and passages copied from the text."""

    title: str
    quotes: list[str]


class Reply(Closed, extra="forbid"):
    """What a model is asked for; under another key limitations would be lost."""

    limitations: Items[Quoted]


@functools.cache
def prompt_of(origin: str) -> Any:
    """The prompt for blocks of papers ("author") or of reviews ("review")."""
    from scholartools.llm.prompts import Prompt

    return Prompt(f"limits-{origin}", Reply)


async def ask_about(engine: Engine, command: str, found: Found, block: Block) -> Answer[Quotations]:
    """Request the model's quotations from a block.

    If none of the quotations is in the block, the request is repeated with this as the reason; the second reply is
    accepted even if all its quotations are rejected.
    """
    from scholartools.llm.replies import ReplyFault
    from scholartools.llm.task import ask

    is_told = False

    def verify(reply: Reply) -> Quotations:
        nonlocal is_told
        items, rejected = _locate_quotes(engine.settings.model, command, found, block, reply)
        if rejected and not items and not is_told:
            is_told = True
            raise ReplyFault(f"none of the quotes is in the text, word for word; the first: {rejected[0]['reason']}")
        return items, rejected

    return await ask(engine, prompt_of(found.origin), {"text": found.text[block.start : block.end]}, verify)


def _locate_quotes(model: str, command: str, found: Found, block: Block, reply: Reply) -> Quotations:
    """Items in the order of the text, each with its located quotations, and the rejected ones."""
    from scholartools.text.quotes.location import Miss, locate_all

    quotes = [quote for one in reply.limitations for quote in one.quotes]
    places = iter(locate_all(quotes, found.text[block.start : block.end]))
    items, rejected = [], []
    for one in reply.limitations:
        title = " ".join(one.title.split()) or None
        matches = []
        for quote, place in zip(one.quotes, places):
            if isinstance(place, Miss):
                entry = {"command": command, "in": found.name, "title": title, "text": quote, "reason": place.reason}
                rejected.append(entry)
            else:
                matches.append((block.start + place.start, block.start + place.end, place.kind))
        if matches:
            items.append(_quoted_item(model, found, block, title, _join_matches(found.text, matches)))
    items.sort(key=lambda item: [(span["start"], span["end"]) for span in item["spans"]])
    return items, rejected


def _quoted_item(model: str, found: Found, block: Block, title: str | None, runs: list[tuple[int, int, str]]) -> Record:
    located = [
        {"in": found.name, "start": start, "end": end} | ({} if kind == "exact" else {"match": kind})
        for start, end, kind in runs
    ]
    return {
        "id": "",
        "origin": found.origin,
        "mode": "explicit" if block.cue is None else "implicit",
        "by": model,
        "heading": block.heading,
        "title": title,
        "text": spans_text(found.text, located),
        "spans": located,
    }


def _join_matches(text: str, matches: Sequence[tuple[int, int, str]]) -> list[tuple[int, int, str]]:
    """Merge matches that overlap or are separated by whitespace only."""
    runs: list[tuple[int, int, str]] = []
    for start, end, kind in sorted(matches):
        if runs and not text[runs[-1][1] : start].strip():
            first, last, before = runs[-1]
            runs[-1] = (first, max(last, end), max(before, kind, key=_KINDS.index))
        else:
            runs.append((start, end, kind))
    return runs


def flag_shared(items: Sequence[Record], sources: Mapping[str, str]) -> None:
    """Add ``shares`` to items with a sentence in common: the ids of the others."""
    sentences: dict[str, list[Place]] = {}
    users: dict[tuple[str, int], list[str]] = {}
    used: list[list[tuple[str, int]]] = []
    for item in items:
        keys = []
        for span in item["spans"]:
            name = span["in"]
            if name not in sentences:
                sentences[name] = spans(sources[name])
            keys += [(name, number) for number in _touched_sentences(sentences[name], span["start"], span["end"])]
        used.append(keys)
        for key in dict.fromkeys(keys):
            users.setdefault(key, []).append(item["id"])
    for item, keys in zip(items, used):
        others = {other for key in keys for other in users[key]} - {item["id"]}
        if others:
            item["shares"] = [one["id"] for one in items if one["id"] in others]


def _touched_sentences(sentences: list[Place], start: int, end: int) -> range:
    """Indices of the sentences that a span touches."""
    first = bisect_right(sentences, start, key=lambda place: place[1])
    return range(first, bisect_left(sentences, end, key=lambda place: place[0]))
