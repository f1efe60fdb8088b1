"""Extract the claims that a model quotes: one request for the abstract, the others for groups of paragraphs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from scholartools.llm.answers import Answer, Missing, refuse_all_missing
from scholartools.llm.engine import Engine
from scholartools.llm.prompts import Prompt
from scholartools.llm.task import Found, ask, ask_all
from scholartools.records import Record, without
from scholartools.tasks.claims import replies
from scholartools.tasks.claims.base import with_rejected
from scholartools.tasks.claims.context import head
from scholartools.tasks.claims.entries import with_claims
from scholartools.tasks.claims.prompted.asking import finish_step, once_more, system_name
from scholartools.tasks.claims.quotations import (
    Located,
    Piece,
    flag_overlaps,
    located_claims,
    refuse_if_nothing_is_there,
)
from scholartools.tasks.claims.sources import sources_of
from scholartools.text.chunks import n_words, pack_sizes
from scholartools.text.sentences import paragraphs

if TYPE_CHECKING:
    from scholartools.schemas.shapes import PaperRecord

STEP = "extract"
PROMPT = Prompt("claims-extract", replies.Claims)

#: Words per chunk; the paper does not report its value.
CHUNK_WORDS = 1_000


async def extract(
    engine: Engine,
    record: Record,
    *,
    roles: Sequence[str] | None = None,
    captions: bool = False,
    chunk_words: int = CHUNK_WORDS,
    system: str | None = None,
) -> Record:
    """Add the claims that a model quotes to a copy of the record, one call per chunk: ``claims``, or a system's list.

    Every claim is a verbatim stretch of its chunk; repeated quotations are merged. Quotations that are not found, and
    chunks without a usable reply, are stored under ``rejected`` with the reason.

    Args:
        roles: roles of sections that are read; None for all but references and acknowledgements.
        captions: whether captions are included.
        chunk_words: maximum words per chunk of whole paragraphs of a section; a longer paragraph forms a chunk.
        system: name under ``generated.claims`` where the claims are stored; None for ``claims``.

    Raises:
        InputFault: neither ``abstract`` nor ``sections``.
        ScholartoolsError: no piece got a usable reply.
        ModelFault: the run must end.
    """
    by = system_name(engine, None)
    sources = sources_of(record, _wanted_roles(record, roles), captions)
    pieces = [piece for source in sources for piece in _split_pieces(*source, chunk_words)]
    answers = await ask_all([_ask_quotes(engine, record, piece) for piece in pieces])
    cleared = with_rejected(without(record, "generated.claims" if system else "claims", system), STEP, [], system)
    refuse_all_missing("pieces", answers, lambda: cleared)
    found = [answer.value for answer in answers if not isinstance(answer, Missing)]
    made = with_claims(record, _numbered_claims(found, by), by, system)
    named = [(piece.name, answer) for piece, answer in zip(pieces, answers)]
    rejected = [entry for piece, answer in zip(pieces, answers) for entry in _rejected_quotes(piece, answer)]
    options = {"roles": roles, "captions": captions, "chunk_words": chunk_words, "system": system}
    inputs, shown = [list(one) for one in sources], {name: text for name, text, _ in sources}
    counts = {"given": sum(one.n_given for one in found), "merged": sum(one.n_merged for one in found)}
    done = Found(made, "pieces", named, [PROMPT], options, inputs, counts)
    return finish_step(engine, STEP, done, rejected, shown, system)


def _numbered_claims(found: Sequence[Located], by: str) -> list[Record]:
    """The claims of all chunks with ids, in the order of the paper; overlapping ones reference each other."""
    items = [item for one in found for item in one.items]
    items = [{"id": f"c{number}", "by": by, **item} for number, item in enumerate(items, 1)]
    flag_overlaps(items)
    return items


def _wanted_roles(record: PaperRecord, roles: Sequence[str] | None) -> Sequence[str]:
    from scholartools.vocabulary import ROLES

    return roles or [role for role in ROLES if role not in ("reference", "acknowledgement")]


def _split_pieces(name: str, text: str, role: str, words: int) -> Iterator[Piece]:
    """Chunks of a text, in order; an abstract is one chunk."""
    places = list(paragraphs(text))
    if role == "abstract" and places:
        places = [(places[0][0], places[-1][1])]
    for group in pack_sizes([n_words(text[start:end]) for start, end in places], words):
        yield Piece(name, text, places[group.start][0], places[group.stop - 1][1])


async def _ask_quotes(engine: Engine, record: PaperRecord, piece: Piece) -> Answer[Located]:
    check = once_more(refuse_if_nothing_is_there)

    def verify(reply: replies.Claims) -> Located:
        found = located_claims(reply, piece)
        check(found)
        return found

    return await ask(engine, PROMPT, {"about": head(record), "text": piece.excerpt}, verify)


def _rejected_quotes(piece: Piece, answer: Answer[Located] | Missing) -> list[Record]:
    if not isinstance(answer, Missing):
        return answer.value.rejected
    span = {"in": piece.name, "start": piece.start, "end": piece.end}
    return [{"text": piece.excerpt, "span": span, "reason": f"no usable reply about this piece: {answer.reason}"}]
