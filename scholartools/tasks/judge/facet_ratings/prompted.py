"""Rate by a model to what extent a summary has each facet of the abstract ("A Facet-aware Metric", 3.2 and 3.3).

One call per facet that both texts have. Background and conclusion are rated 1..3, method and result 1..4; the meanings
of the ratings are in ``prompts/judge-facets-*.txt``. Facets that the reference lacks have no rating, and those that
only the candidate lacks are rated 1, both without a call. Names of systems are hidden from the model.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from scholartools.llm.answers import Answer
from scholartools.llm.engine import Engine
from scholartools.llm.prompts import Prompt
from scholartools.llm.task import Found, ask, ask_all, finish
from scholartools.records import Record
from scholartools.signature import fingerprint
from scholartools.tasks.facets import compared
from scholartools.tasks.judge.entries import (
    COMMAND,
    BroadRating,
    DetailedRating,
    Sampled,
    heading,
    take_medians,
    with_judgements,
)
from scholartools.tasks.judge.facet_ratings.few_shot import (
    Example,
    format_examples,
    on_scale_of,
)
from scholartools.tasks.shared.items import tell_missing_summaries
from scholartools.vocabulary import FACETS

_BROAD = Prompt("judge-facets-broad", BroadRating)
_DETAILED = Prompt("judge-facets-detailed", DetailedRating)
_PROMPTS: dict[str, Prompt] = {
    "background": _BROAD, "method": _DETAILED, "result": _DETAILED, "conclusion": _BROAD,
}  # fmt: skip


class Pair(NamedTuple):
    """A facet of a candidate and of the reference; None if a text lacks it."""

    system: str
    facet: str
    reference: str | None
    candidate: str | None

    @property
    def is_comparable(self) -> bool:
        """Whether both texts have the facet."""
        return self.reference is not None and self.candidate is not None


async def facets(
    engine: Engine,
    record: Record,
    examples: Sequence[Example] = (),
    *,
    reference: str | None = None,
    candidate: str | None = None,
) -> Record:
    """Add an entry for each candidate under ``judgements.facets`` to a copy of the record.

    With several samples a rating is their median, and ``samples`` has all of them. A rating without a usable reply is
    null, with the reason; its facet is listed under ``missing`` and reported under ``errors``.

    Args:
        examples: in-context examples, used for facets on the same scale.
        reference: dotted path of custom facets of the reference; by default the abstract's in ``facets``.
        candidate: dotted path of custom facets of the candidates; by default those of ``summaries``.

    Raises:
        InputFault: a side has no facets, several sets for one text, or stale ones.
        ModelFault: the run must end.
    """
    pairs = pairs_of(record, reference, candidate)
    asked = [pair for pair in pairs if pair.is_comparable]
    samples = range(engine.settings.samples)
    answers = await ask_all([_ask_rating(engine, pair, examples, sample) for pair in asked for sample in samples])
    ratings = take_medians([(pair.system, pair.facet) for pair in asked], answers, len(samples))
    heads = [
        heading(system, reference, candidate, engine.settings.model)
        for system in dict.fromkeys(pair.system for pair in pairs)
    ]
    made = with_judgements(record, "facets", [_entry(head, pairs, ratings) for head in heads])
    if candidate is None:
        tell_missing_summaries(made, COMMAND, "facets")
    named = zip((pair.system for pair in asked for _ in samples), answers)
    shown = [example.model_dump() for example in examples]
    options = {"examples": fingerprint(shown) if shown else None}
    inputs = [list(pair) for pair in pairs]
    return finish(engine, COMMAND, "facets", Found(made, "ratings", named, [_BROAD, _DETAILED], options, inputs))


def _entry(head: Record, pairs: Sequence[Pair], ratings: Mapping[tuple[str, str], Sampled]) -> Record:
    """The entry of the candidate in ``head``."""
    own = [pair for pair in pairs if pair.system == head["system"]]
    return {**head, **judgement(own, [ratings.get((pair.system, pair.facet)) for pair in own])}


def pairs_of(record: Record, reference: str | None, candidate: str | None) -> list[Pair]:
    """Facets of all candidates, paired with those of the reference."""
    wanted = compared.reference(record, reference)
    return [
        Pair(system, facet, wanted[facet], given[facet])
        for system, given in compared.candidates(record, candidate).items()
        for facet in FACETS
    ]


async def _ask_rating(engine: Engine, pair: Pair, examples: Sequence[Example], sample: int) -> Answer[int]:
    inputs = {
        "facet": pair.facet,
        "examples": format_examples(on_scale_of(pair.facet, examples)),
        "reference": pair.reference or "",
        "candidate": pair.candidate or "",
    }
    return await ask(engine, _PROMPTS[pair.facet], inputs, lambda reply: reply.rating, sample=sample)


def judgement(pairs: Sequence[Pair], rated: Sequence[Sampled | None]) -> Record:
    """Ratings of one candidate, their fingerprint, and reasons for facets without a call or a usable reply."""
    reasons = {pair.facet: _reason_of(pair, one) for pair, one in zip(pairs, rated)}
    sides = ({pair.facet: pair.reference for pair in pairs}, {pair.facet: pair.candidate for pair in pairs})
    judged: Record = {
        "texts": compared.facets_mark(*sides),
        "ratings": {pair.facet: _rating_of(pair, one) for pair, one in zip(pairs, rated)},
        "reasons": {facet: reason for facet, reason in reasons.items() if reason is not None},
    }
    if missing := [pair.facet for pair, one in zip(pairs, rated) if one is not None and one.is_missing]:
        judged["missing"] = missing
    kept = {pair.facet: one.samples for pair, one in zip(pairs, rated) if one is not None}
    return {**judged, "samples": kept} if any(len(samples) > 1 for samples in kept.values()) else judged


def _rating_of(pair: Pair, rated: Sampled | None) -> int | float | None:
    if rated is not None:
        return rated.rating
    return None if pair.reference is None else 1


def _reason_of(pair: Pair, rated: Sampled | None) -> str | None:
    if rated is not None:
        return rated.reason
    if pair.reference is None:
        return f"no {pair.facet} in the reference"
    return f"no {pair.facet} in the candidate: rated 1 without a model call"
