"""One rating of a whole summary against the whole abstract: what the facet score is compared with.

"A Facet-aware Metric" (section 3.3) asks models for such a rating and does not say on which scale; here it is that of
method and result, 1..4, the finer of its two.
"""

from __future__ import annotations

from scholartools.errors import InputFault
from scholartools.llm.answers import Answer
from scholartools.llm.engine import Engine
from scholartools.llm.prompts import Prompt
from scholartools.llm.task import Found, ask, ask_all, finish
from scholartools.records import Record
from scholartools.tasks.judge.entries import (
    COMMAND,
    DetailedRating,
    Sampled,
    heading,
    take_medians,
    with_judgements,
)
from scholartools.tasks.shared.items import candidates, join_items, references

MAXIMUM = 4

_PROMPT = Prompt("judge-facets-vanilla", DetailedRating)


async def rate_overall(
    engine: Engine, record: Record, *, reference: str | None = None, candidate: str | None = None
) -> Record:
    """A copy of the record with an entry for each candidate under ``judgements.vanilla``: its rating, 1..4.

    A candidate without a word is rated 1 and not asked about. With several samples the rating is their median. One
    without a usable reply is null, with the reason, and the record then has one more of ``errors``.

    Args:
        reference: dotted path of the reference text, the abstract if not given.
        candidate: dotted path of the candidate texts, ``summaries`` if not given.

    Raises:
        InputFault: a side has no text, or one system has several entries.
        ModelFault: the run must end.
    """
    wanted, given = _texts_of_sides(record, reference or "abstract", candidate or "summaries")
    samples = range(engine.settings.samples)
    asked = [system for system, text in given.items() if text.strip()]
    answers = await ask_all(
        [_ask_rating(engine, wanted, given[system], sample) for system in asked for sample in samples]
    )
    ratings = take_medians(asked, answers, len(samples))
    entries = [
        {**heading(system, reference, candidate, engine.settings.model), **_make_judgement(ratings.get(system))}
        for system in given
    ]
    made = with_judgements(record, "vanilla", entries)
    named = zip((system for system in asked for _ in samples), answers)
    return finish(engine, COMMAND, "vanilla", Found(made, "ratings", named, [_PROMPT], {}, [wanted, given]))


def _texts_of_sides(record: Record, reference: str, candidate: str) -> tuple[str, dict[str, str]]:
    """The reference's text, and the candidates' by system; several texts of one side are joined by one space."""
    wanted = join_items(references(record, reference))
    if not wanted.strip():
        raise InputFault(f'"{reference}" is empty: a reference is needed to judge against', kind="missing-key")
    return wanted, {system: join_items(items) for system, items in candidates(record, candidate).items()}


async def _ask_rating(engine: Engine, reference: str, candidate: str, sample: int) -> Answer[int]:
    inputs = {"reference": reference, "candidate": candidate}
    return await ask(engine, _PROMPT, inputs, lambda reply: reply.rating, sample=sample)


def _make_judgement(rated: Sampled | None) -> Record:
    if rated is None:
        return {"rating": 1, "maximum": MAXIMUM, "reason": "no words in the candidate: rated 1 without a model call"}
    judged: Record = {"rating": rated.rating, "maximum": MAXIMUM}
    if rated.reason is not None:
        judged["reason"] = rated.reason
    return {**judged, "samples": rated.samples} if len(rated.samples) > 1 else judged
