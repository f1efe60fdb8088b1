"""Write limitations with a model: a draft for each chunk of the paper, then a merged list (BAGELS, section 4).

With passages of related papers, the model first rates the relevance of each, and names the passages that a limitation
is based on. Quoted text is fenced, and passages and drafts are JSON lines, so that the content of one cannot be
mistaken for another.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from pydantic import Field

from scholartools.llm.answers import Answer, Missing, PartlyUsable
from scholartools.llm.engine import Engine
from scholartools.llm.prompts import Prompt, json_lines
from scholartools.llm.replies import Closed, Items, ReplyFault
from scholartools.llm.task import ask, ask_all_or_assume
from scholartools.records import Record
from scholartools.tasks.generate.replies import assume_items

LEAST, MOST = 1, 10


class _Item(Closed):
    heading: str
    text: str


class _RelatedItem(_Item):
    passages: list[str]


class _CombinedItem(_Item):
    drafts: list[int]


class Drafts(Closed):
    """The limitations of a piece."""

    limitations: Items[_Item]


class RelatedDrafts(Closed):
    """The limitations of a piece, each with the passages it draws on."""

    limitations: Items[_RelatedItem]


class Combined(Closed):
    """The limitations of the whole, each with the drafts it is made of."""

    limitations: Items[_CombinedItem]


class Relevance(Closed):
    """How far a passage helps."""

    relevance: int = Field(strict=True, json_schema_extra={"enum": list(range(LEAST, MOST + 1))})


PLAIN: Prompt[Drafts] = Prompt("generate-limitations", Drafts)
RELATED: Prompt[RelatedDrafts] = Prompt("generate-limitations-related", RelatedDrafts)
COMBINE: Prompt[Combined] = Prompt("generate-combine", Combined)
RELEVANCE: Prompt[Relevance] = Prompt("generate-relevance", Relevance)
PROMPTS: tuple[Prompt, ...] = (PLAIN, COMBINE)
RELATED_PROMPTS: tuple[Prompt, ...] = (RELATED, RELEVANCE)


class Written(NamedTuple):
    """Result of a model for one paper.

    Attributes:
        items: each with ``text``, ``heading`` or None, and with passages the ids of those used; None if no list was
            obtained.
        answers: the answers to all requests.
        rejected: unusable items, each with ``reason``.
        missing: chunks without a usable reply, each with ``piece`` (from 1) and ``reason``.
        drafts: the drafts of all chunks, if they could not be merged.
        reason: reason why there are no items.
    """

    items: list[Record] | None
    answers: list[Answer[Any] | Missing]
    rejected: list[Record]
    missing: list[Record]
    drafts: list[Record] | None = None
    reason: str | None = None


async def rate_relevance(
    engine: Engine, summary: str, passages: Sequence[Record], sample: int
) -> list[Answer[int] | Missing]:
    """Rate the relevance of each passage to a paper, 1..10, with one call per passage; a dry run assumes 10."""

    def verify(reply: Relevance) -> int:
        if not LEAST <= reply.relevance <= MOST:
            raise ReplyFault(f"the relevance is a whole number from {LEAST} to {MOST}")
        return reply.relevance

    inputs = ({"paper": summary, "passage": _passage(passage)} for passage in passages)
    return await ask_all_or_assume([ask(engine, RELEVANCE, each, verify, sample=sample) for each in inputs], MOST)


async def write_limitations(engine: Engine, pieces: Sequence[str], passages: Sequence[Record], sample: int) -> Written:
    """Request limitations: one call per chunk, and one to merge several drafts."""
    questions = [_draft_piece(engine, pieces, place, passages, sample) for place in range(len(pieces))]
    answers = await ask_all_or_assume(questions, [{**one, "heading": None} for one in assume_items(pieces[0])])
    found = [item for answer in answers for item in answer.value or ()]
    missing: list[Record] = [
        {"piece": number, "reason": one.reason} for number, one in enumerate(answers, 1) if isinstance(one, Missing)
    ]
    drafts, rejected = _usable_items(found), _unusable_items(found)
    if not drafts and missing:
        return Written(None, answers, rejected, missing, reason=missing[0]["reason"])
    if len(pieces) == 1 or not drafts:
        return Written(drafts, answers, rejected, missing)
    [whole] = await ask_all_or_assume([_combine_drafts(engine, drafts, sample)], drafts)
    if isinstance(whole, Missing):
        reason = f"no one list of the drafts: {whole.reason}"
        return Written(None, [*answers, whole], rejected, missing, drafts, reason)
    rejected = [{**item, "is_draft": True} for item in rejected] + _unusable_items(whole.value)
    return Written(_usable_items(whole.value), [*answers, whole], rejected, missing)


def _usable_items(items: Sequence[Record]) -> list[Record]:
    return [item for item in items if "reason" not in item]


def _unusable_items(items: Sequence[Record]) -> list[Record]:
    return [item for item in items if "reason" in item]


async def _draft_piece(
    engine: Engine, pieces: Sequence[str], place: int, passages: Sequence[Record], sample: int
) -> Answer[list[Record]]:
    inputs = {"part": f"{place + 1} of {len(pieces)}", "paper": pieces[place]}
    if not passages:
        return await ask(engine, PLAIN, inputs, lambda reply: _items(reply.limitations), sample=sample)
    shown = json_lines({key: one[key] for key in ("id", "heading", "text")} for one in passages)
    known = [one["id"] for one in passages]

    def verify(reply: RelatedDrafts) -> list[Record]:
        return _items(reply.limitations, lambda item: _check_names(item.passages, known, "passage"))

    return await ask(engine, RELATED, {**inputs, "passages": shown}, verify, sample=sample)


async def _combine_drafts(engine: Engine, drafts: Sequence[Record], sample: int) -> Answer[list[Record]]:
    """Merge the drafts into one list; each item has the passages of its drafts."""
    shown = json_lines({"number": n, "heading": one["heading"], "text": one["text"]} for n, one in enumerate(drafts, 1))

    def passages(item: _CombinedItem) -> list[str] | None:
        made_of = _check_names(item.drafts, range(1, len(drafts) + 1), "draft")
        if not made_of:
            raise ReplyFault(f'"{item.heading}" names no draft that it is made of')
        lists = [drafts[number - 1].get("passages") for number in made_of]
        named = dict.fromkeys(name for names in lists for name in names or ())
        return list(named) if any(names is not None for names in lists) else None

    return await ask(
        engine, COMBINE, {"drafts": shown}, lambda reply: _items(reply.limitations, passages), sample=sample
    )


def _items(items: Iterable[_Item], passages: Callable[..., list[str] | None] = lambda _: None) -> list[Record]:
    """Convert the items of a reply to records.

    Raises:
        PartlyUsable: some items have no text, or invalid references by ``passages``: they have a ``reason``.
        ReplyFault: this holds for all items.
    """
    made = [_make_record(place, item, passages) for place, item in enumerate(items, 1)]
    lacks = [item["reason"] for item in _unusable_items(made)]
    if not lacks:
        return made
    if len(lacks) == len(made):
        raise ReplyFault(lacks[0])
    raise PartlyUsable(made, lacks)


def _make_record(place: int, item: _Item, passages: Callable[..., list[str] | None]) -> Record:
    record: Record = {"text": item.text.strip(), "heading": item.heading.strip() or None}
    if not record["text"]:
        return {**record, "reason": f"limitation {place} has no text"}
    try:
        drawn_on = passages(item)
    except ReplyFault as fault:
        return {**record, "reason": fault.reason}
    return record if drawn_on is None else {**record, "passages": drawn_on}


def _check_names(named: Sequence, known: Sequence, what: str) -> list:
    """Validate the references of an item and remove duplicates.

    Raises:
        ReplyFault: an unknown reference.
    """
    for name in named:
        if name not in known:
            raise ReplyFault(f"there is no {what} {json.dumps(name, ensure_ascii=False)[:60]}")
    return list(dict.fromkeys(named))


def _passage(passage: Record) -> str:
    return f"{passage['heading']}\n\n{passage['text']}" if passage["heading"] else passage["text"]
