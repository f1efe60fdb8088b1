"""Whether a model knows the reviews of a paper: it continues each review from its first half.

Text that is identical in the hidden half, and could not be copied from the paper or the first half, was most likely in
the training data. CLAIMCHECK has no such test; its papers were public before its models were trained.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from scholartools.llm.answers import Answer, Missing, refuse_all_missing
from scholartools.llm.engine import Engine
from scholartools.llm.prompts import Prompt
from scholartools.llm.task import Found, ask, ask_all
from scholartools.records import Record, read, without
from scholartools.tasks.claims import replies
from scholartools.tasks.claims.base import paper_texts, reviews_of
from scholartools.tasks.claims.cut_off import STEP
from scholartools.tasks.claims.entries import replace_entry
from scholartools.tasks.claims.marks import reviews_mark
from scholartools.tasks.claims.prompted.asking import finish_step, system_name
from scholartools.text.ngrams import longest_shared_run, split_words_in_half

if TYPE_CHECKING:
    from scholartools.schemas.shapes import Review

PROMPT = Prompt("claims-contamination", replies.Continuation)

#: Minimum words of a review, so that half of it suffices as a prompt.
LEAST_WORDS = 40


class _Half(NamedTuple):
    """A review split into the half that is shown and the hidden half."""

    id: str
    shown: str
    hidden: str
    n_hidden: int


async def contamination(
    engine: Engine, record: Record, *, system: str | None = None, mark: Callable[[Record], Record] | None = None
) -> Record:
    """Add an entry of the model under ``contamination`` to a copy of the record, with one call per review.

    ``longest`` is the length in words of the longest run that the continuation shares with the hidden half and that
    occurs neither in the paper nor in the first half. It is null, with the reason, for reviews of fewer than
    :data:`LEAST_WORDS` words, for which no request is made, and without a usable reply.

    Args:
        engine: the engine of the requests.
        record: record with ``reviews``.
        system: name of the entry, by default the model.
        mark: applied to the record first: see :func:`~scholartools.tasks.claims.cut_off.mark_side`.

    Raises:
        InputFault: no ``reviews``.
        ScholartoolsError: no review got a usable reply.
        ModelFault: the run must end.
    """
    by = system_name(engine, None)
    record = record if mark is None else mark(record)
    name = system or by
    reviews = reviews_of(record)
    halves = {one["id"]: _split_review(one) for one in reviews}
    asked = [half for half in halves.values() if half is not None]
    title = read(record, "title") or "(no title)"
    answers = await ask_all([_ask_continuation(engine, title, half) for half in asked])
    refuse_all_missing("reviews", answers, lambda: without(record, "contamination", name))
    known = [*paper_texts(record).values(), title]
    measured = {half.id: _measure_answer(half, answer, known) for half, answer in zip(asked, answers)}
    short = {"longest": None, "run": None, "reason": f"the review has fewer than {LEAST_WORDS} words"}
    continued = [{"review": id_, **measured.get(id_, short)} for id_ in halves]
    entry = {"system": name, "by": by, "texts": reviews_mark(reviews), "reviews": continued}
    made = {**record, "contamination": replace_entry(read(record, "contamination"), entry)}
    named = [(f"{half.id} {name}", answer) for half, answer in zip(asked, answers)]
    inputs = [title, [[one["id"], one["text"]] for one in reviews]]
    return finish_step(engine, STEP, Found(made, "reviews", named, [PROMPT], {"system": name}, inputs))


def _split_review(review: Review) -> _Half | None:
    """Halves of a review; None if it is too short."""
    shown, hidden, n_words = split_words_in_half(review["text"])
    return _Half(review["id"], shown, hidden, n_words - n_words // 2) if n_words >= LEAST_WORDS else None


async def _ask_continuation(engine: Engine, title: str, half: _Half) -> Answer[str]:
    inputs = {"title": title, "beginning": half.shown, "words": str(half.n_hidden)}
    return await ask(engine, PROMPT, inputs, lambda reply: reply.continuation)


def _measure_answer(half: _Half, answer: Answer[str] | Missing, known: list[str]) -> Record:
    if isinstance(answer, Missing):
        return {"longest": None, "run": None, "hidden": half.n_hidden, "reason": answer.reason}
    run = longest_shared_run(answer.value, half.hidden, [*known, half.shown])
    return {"longest": len(run), "run": " ".join(run) or None, "hidden": half.n_hidden}
