"""Extract the weaknesses that dispute claims, or all, as a model quotes them: one call per review.

In CLAIMCHECK, annotators mark those that dispute claims; in AAAR-1.0, a model copies all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scholartools.llm.answers import Answer, Missing
from scholartools.llm.engine import Engine
from scholartools.llm.prompts import Prompt
from scholartools.llm.task import Found, ask, ask_all
from scholartools.records import Record, read
from scholartools.tasks.claims import replies
from scholartools.tasks.claims.base import reviews_of
from scholartools.tasks.claims.context import head
from scholartools.tasks.claims.mentions import Places, mentions
from scholartools.tasks.claims.prompted.asking import finish_step, once_more, system_name
from scholartools.tasks.claims.quotations import (
    Located,
    Piece,
    located_weaknesses,
    refuse_if_nothing_is_there,
)
from scholartools.tasks.claims.weakness_sets import refuse_people_weaknesses, with_weaknesses

if TYPE_CHECKING:
    from scholartools.schemas.shapes import PaperRecord, Review

STEP = "weaknesses"
PROMPT = Prompt("claims-weaknesses", replies.Weaknesses)
PROMPT_ALL = Prompt("claims-weaknesses-all", replies.AllWeaknesses)

#: The ``kind`` of warnings of weaknesses found where reviewers praise or summarise.
NOT_CRITICAL = "not-critical"


async def weaknesses(engine: Engine, record: Record, *, rater: str | None = None, every: bool = False) -> Record:
    """Add ``weaknesses``, or a rater's set under ``annotations.weaknesses``, to a copy of the record.

    Each is a verbatim stretch of its review, with ``groundedness`` and ``mentions``. Quotations that are not in the
    review are stored under ``rejected`` with the reason. Those in a field for praise or a summary are kept, with a
    warning. Empty reviews cause no request. Weaknesses of an earlier run are removed, also from reviews without a
    usable reply, because another method may have found them.

    Args:
        engine: the engine of the requests.
        record: record with ``reviews``.
        rater: name of the set under ``annotations``; None for ``weaknesses``.
        every: request all weaknesses and questions; those that dispute no claim have no ``groundedness``.

    Raises:
        InputFault: no ``reviews``; human weaknesses would be replaced.
        ModelFault: the run must end.
    """
    by, prompt = system_name(engine, None), PROMPT_ALL if every else PROMPT
    reviews = reviews_of(record)
    refuse_people_weaknesses(record, rater)
    pieces = [Piece(f"review:{one['id']}", one["text"], 0, len(one["text"])) for one in reviews if one["text"].strip()]
    answers = await ask_all([_ask_quotes(engine, record, piece, prompt) for piece in pieces])
    is_answered = any(not isinstance(answer, Missing) for answer in answers) or not answers
    sets: dict[str, list[Record] | None] = {one["id"]: [] if is_answered else None for one in reviews}
    places = Places(record)
    for piece, answer in zip(pieces, answers):
        quoted = None if isinstance(answer, Missing) else answer.value.items
        of_review = None if quoted is None else [_new_weakness(item, piece, places, by) for item in quoted]
        sets[piece.name.removeprefix("review:")] = of_review
    made = with_weaknesses(record, list(sets.items()), rater, by)
    rejected = [entry for answer in answers if not isinstance(answer, Missing) for entry in answer.value.rejected]
    named = [(piece.name, answer) for piece, answer in zip(pieces, answers)]
    inputs = [head(record), [[one["id"], one["text"]] for one in reviews]]
    shown = {piece.name: piece.text for piece in pieces}
    located = [answer.value for answer in answers if not isinstance(answer, Missing)]
    counts = {"given": sum(one.n_given for one in located), "merged": sum(one.n_merged for one in located)}
    options = {"rater": rater}
    found = Found(made, "reviews", named, [prompt], options, inputs, counts)
    made = finish_step(engine, STEP, found, rejected, shown, rater)
    return _add_warnings(made, reviews, [item for one in sets.values() for item in one or ()], every)


async def _ask_quotes(engine: Engine, record: PaperRecord, piece: Piece, prompt: Prompt[Any]) -> Answer[Located]:
    check = once_more(refuse_if_nothing_is_there)

    def verify(reply: replies.Weaknesses | replies.AllWeaknesses) -> Located:
        found = located_weaknesses(reply, piece)
        check(found)
        return found

    return await ask(engine, prompt, {"about": head(record), "review": piece.excerpt}, verify)


def _new_weakness(item: Record, piece: Piece, places: Places, by: str) -> Record:
    span = item["spans"][0]
    found = mentions(piece.text, piece.name, span["start"], span["end"], places)
    return {"review": piece.name.removeprefix("review:"), "by": by, **item, "mentions": found}


def _add_warnings(made: Record, reviews: list[Review], items: list[Record], every: bool) -> Record:
    """Add warnings for weaknesses from fields of praise or summary, and for questions unless all are requested."""
    from scholartools.tasks.limits.in_reviews import field_kind

    kinds = {"silent"} if every else {"silent", "remark"}
    quiet = [
        (f"review:{review['id']}", field["start"], field["end"])
        for review in reviews
        for field in review.get("fields") or ()
        if field_kind(field["name"]) in kinds
    ]
    found = [
        {"kind": NOT_CRITICAL, "text": item["text"]}
        for item in items
        for span in item["spans"]
        if any(span["in"] == name and start <= span["start"] < end for name, start, end in quiet)
    ]
    kept = [one for one in read(made, "warnings") or () if one["kind"] != NOT_CRITICAL]
    return {**made, "warnings": [*kept, *found]} if found or read(made, "warnings") is not None else made
