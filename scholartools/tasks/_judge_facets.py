"""How far a summary has each facet of the abstract, as a model rates it ("A Facet-aware Metric", sections 3.2 and 3.3).

One call for each facet that both texts have. Background and conclusion are rated 1..3, method and result 1..4; the
meanings of the ratings stand in ``prompts/judge-facets-*.txt``. What needs no model gets none: a facet that the
reference lacks has no rating, one that only the candidate lacks is rated 1. The model sees no system's name.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from scholartools.llm.engine import Engine
from scholartools.llm.task import Answer, Prompt, ask, sign, together
from scholartools.records import Record
from scholartools.signature import fingerprint
from scholartools.tasks import _judge_sides
from scholartools.tasks._judge_base import COMMAND, BroadRating, DetailedRating, heading, middle, with_judgements
from scholartools.tasks._judge_examples import Example, on_scale_of, written
from scholartools.vocabulary import FACETS

_BROAD = Prompt("judge-facets-broad", BroadRating)
_DETAILED = Prompt("judge-facets-detailed", DetailedRating)
_PROMPTS: dict[str, Prompt] = {
    "background": _BROAD, "method": _DETAILED, "result": _DETAILED, "conclusion": _BROAD,
}  # fmt: skip


class Pair(NamedTuple):
    """One facet of a candidate beside the reference's; None where a text lacks it."""

    system: str
    facet: str
    reference: str | None
    candidate: str | None

    @property
    def asked(self) -> bool:
        """Whether there is something to compare."""
        return self.reference is not None and self.candidate is not None


async def facets(
    engine: Engine,
    record: Record,
    examples: Sequence[Example] = (),
    *,
    reference: str | None = None,
    candidate: str | None = None,
) -> Record:
    """A copy of the record with an entry for each candidate under ``judgements.facets``.

    With several samples a rating is their median, and ``samples`` keeps them all.

    Args:
        examples: shown to the model before the pair to rate, each with the facets of its scale.
        reference: dotted path of a user's own facets of the reference; the abstract's in ``facets`` if not given.
        candidate: likewise of the candidates; those of ``summaries``.

    Raises:
        InputFault: a side has no facets, several of one text, or those of another text.
        ScholartoolsError: a pair got no usable reply.
        ModelFault: the run must end.
    """
    pairs = pairs_of(record, reference, candidate)
    asked = [pair for pair in pairs if pair.asked]
    samples = range(engine.settings.samples)
    answers = await together([_rated(engine, pair, examples, sample) for pair in asked for sample in samples])
    each = iter(answers)
    ratings = {(pair.system, pair.facet): [next(each).value for _ in samples] for pair in asked}
    entries = []
    for system in dict.fromkeys(pair.system for pair in pairs):
        head = heading(system, reference, candidate, engine.settings.model)
        own = [pair for pair in pairs if pair.system == system]
        entries.append({**head, **judgement(own, [ratings.get((system, pair.facet)) for pair in own])})
    made = with_judgements(record, "facets", entries)
    shown = [example.model_dump() for example in examples]
    inputs = fingerprint([[list(pair) for pair in pairs], shown])
    sign(engine, made, COMMAND, [_BROAD, _DETAILED], answers, inputs)
    made["provenance"][-1]["examples"] = fingerprint(shown) if shown else None
    return made


def pairs_of(record: Record, reference: str | None, candidate: str | None) -> list[Pair]:
    """All facets of all candidates beside the reference's."""
    wanted = _judge_sides.reference(record, reference)
    return [
        Pair(system, facet, wanted[facet], given[facet])
        for system, given in _judge_sides.candidates(record, candidate).items()
        for facet in FACETS
    ]


async def _rated(engine: Engine, pair: Pair, examples: Sequence[Example], sample: int) -> Answer[int]:
    inputs = {
        "facet": pair.facet,
        "examples": written(on_scale_of(pair.facet, examples)),
        "reference": pair.reference or "",
        "candidate": pair.candidate or "",
    }
    return await ask(engine, _PROMPTS[pair.facet], inputs, lambda reply: reply.rating, sample=sample)


def judgement(pairs: Sequence[Pair], samples: Sequence[list[int] | None]) -> Record:
    """The ratings of one candidate, and for a facet that nobody was asked about the reason."""
    judged: Record = {
        "ratings": {pair.facet: _rating(pair, sampled) for pair, sampled in zip(pairs, samples)},
        "reasons": {pair.facet: _reason(pair) for pair in pairs if not pair.asked},
    }
    kept = {pair.facet: sampled for pair, sampled in zip(pairs, samples) if sampled is not None}
    return {**judged, "samples": kept} if any(len(sampled) > 1 for sampled in kept.values()) else judged


def _rating(pair: Pair, samples: list[int] | None) -> int | float | None:
    if samples is not None:
        return middle(samples)
    return None if pair.reference is None else 1


def _reason(pair: Pair) -> str:
    if pair.reference is None:
        return f"no {pair.facet} in the reference"
    return f"no {pair.facet} in the candidate: 1 without asking"
