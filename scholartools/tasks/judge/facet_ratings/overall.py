"""Rate a whole summary against the whole abstract: a baseline for the facet score.

"A Facet-aware Metric" (section 3.3) requests such a rating without giving the scale; here it is the scale of method and
result, 1..4, the finer of the two.
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
    """Add an entry for each candidate with a rating of 1..4 under ``judgements.vanilla`` to a copy of the record.

    An empty candidate is rated 1 without a call. With several samples the rating is their median. A candidate without a
    usable reply has a null rating, with the reason, and is reported under ``errors``.

    Args:
        reference: dotted path of the reference text, by default the abstract.
        candidate: dotted path of the candidate texts, by default ``summaries``.

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
    """The reference text, and candidate texts by system; several texts of a side are joined by spaces."""
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
