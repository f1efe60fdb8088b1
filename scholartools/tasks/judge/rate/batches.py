"""batcheval: items of a pool rated together, in rounds whose batches are made of the last scores (Yuan et al. 2023)."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, NamedTuple

from pydantic import BeforeValidator, model_validator

from scholartools.llm.answers import Answer, Missing
from scholartools.llm.engine import Engine
from scholartools.llm.prompts import Prompt, json_lines
from scholartools.llm.replies import Closed, Reason, ReplyFault
from scholartools.llm.task import ask, ask_all, ask_samples
from scholartools.llm.usage.forecast import WouldSend
from scholartools.parameters import parameter
from scholartools.signature import fingerprint
from scholartools.tasks.judge.rate.asking import aspect_inputs
from scholartools.tasks.judge.rate.contract import Aspect, How, Item, Method, Rating, Sampling
from scholartools.tasks.judge.rate.numbers import combine_samples
from scholartools.tasks.shared.text_names import TextName


def _refuse_truth(value: Any) -> Any:
    if isinstance(value, bool):
        raise ValueError(f"{str(value).lower()} is no number")
    return value


_Number = BeforeValidator(_refuse_truth)


class LabelledScore(Closed):
    """The score of a label that a prompt shows."""

    label: Annotated[int, _Number]
    score: Annotated[float, _Number]


class _Scores(Closed):
    analysis: Reason
    scores: list[LabelledScore]

    @model_validator(mode="before")
    @classmethod
    def _analysis_comes_first(cls, value: Any) -> Any:
        if isinstance(value, dict) and next(iter(value), "analysis") != "analysis":
            raise ValueError("the scores stand before the analysis")
        return value


_PROMPT = Prompt("rate-batch", _Scores, Sampling(temperature=0.2, top_p=0.9))


class _Placement(NamedTuple):
    """An item's place in one round: its slot from 1, the others of the batch, its score or None."""

    slot: int
    mates: list[str]
    score: float | None
    answer: Answer[Any] | Missing
    size: int


class BatchEval(Method):
    """All items of a batch are analysed first, then scored in one reply; the mean over rounds."""

    name = "batcheval"
    source = "Yuan et al. 2023, arXiv 2401.00437"
    unit = "pool"
    needs = frozenset({"definition"})
    prompts = (_PROMPT,)

    @property
    def n_samples(self) -> int:
        """Of each batch one reply; the rounds are what is many."""
        return 1

    async def rate(self, engine: Engine, aspect: Aspect, items: Sequence[Item]) -> list[Rating]:
        """As :meth:`Method.rate`."""
        if len(items) == 1:
            engine.warn_once(f"batcheval rates a pool of one item, without a comparison ({parameter('batch_by')})")
        elif len(items) < self.how.batch_size:
            engine.warn_once(
                f"batcheval: a pool of {len(items)} items never fills a batch of {self.how.batch_size}, and all rounds "
                f"have the same batch: {parameter('batch_by')} rates several records together"
            )
        pool = fingerprint(sorted([*item[:2], item.paper, item.fingerprint] for item in items))
        placements: list[list[_Placement]] = [[] for _ in items]
        last: list[float | None] = [None] * len(items)
        for number in range(self.how.rounds):
            batches = compose(items, last, number, self.how)
            found = await asyncio.gather(*(self._rate_batch(engine, aspect, items, one, number) for one in batches))
            for place, placement in (pair for by_place in found for pair in by_place.items()):
                placements[place].append(placement)
                last[place] = last[place] if placement.score is None else placement.score
        return [_make_rating(aspect, self.how, pool, own) for own in placements]

    async def _rate_batch(
        self, engine: Engine, aspect: Aspect, items: Sequence[Item], batch: Sequence[int], number: int
    ) -> dict[int, _Placement]:
        """The placement of each item of a batch in a round, by its place in the pool."""
        labels = range(1, len(batch) + 1)

        def read(reply: _Scores) -> list[float]:
            return read_scores(reply.scores, labels)

        inputs = show_batch(aspect, [items[place] for place in batch])
        answer = await self._ask(engine, inputs, read, number, [aspect.scale[0]] * len(batch))
        low, high = aspect.scale
        names = [TextName(one.paper, one.system, one.id).long() for one in (items[place] for place in batch)]
        placements = {}
        for slot, place in zip(labels, batch, strict=True):
            score = None if answer.value is None else answer.value[slot - 1]
            own = answer if score is None or low <= score <= high else Missing("out of range", "reply", answer.calls)
            mates = [name for index, name in enumerate(names, 1) if index != slot]
            placements[place] = _Placement(slot, mates, score if own is answer else None, own, len(batch))
        return placements

    async def _ask(
        self, engine: Engine, inputs: Mapping[str, str], read: Any, number: int, stand_in: list[float]
    ) -> Answer[list[float]] | Missing:
        """The scores of a batch; with one round it is asked for once more where they cannot be read."""
        try:
            if self.how.rounds > 1:
                [answer] = await ask_samples(engine, _PROMPT, inputs, read, 1, first=number)
            else:
                [answer] = await ask_all([ask(engine, _PROMPT, inputs, read)])
        except WouldSend:
            return Answer(stand_in, [], None)
        return answer


BATCHEVAL = BatchEval()


def compose(items: Sequence[Item], last: Sequence[float | None], number: int, how: How) -> list[list[int]]:
    """The batches of a round, as places of items; what the order of the input is changes nothing.

    With N items and size B there are N div B batches, and N mod B items are left for a small one: those without a score
    first, then by chance. The others are ranked by their last score, the highest first, and dealt out in turn. Nobody
    has a score in the first round, so that its ranks are by chance. (Yuan et al. 2023, as their code does it.)

    Args:
        items: of the pool.
        last: score of each, None where it has none.
        number: of the round, from 0.
        how: whose ``seed`` and ``batch_size`` hold.
    """

    def chance(what: str, place: int) -> tuple[str, ...]:
        item = items[place]
        return fingerprint([how.seed, number, what, item.fingerprint]), item.fingerprint, item.paper, *item[:2]

    n_left, n_batches = len(items) % how.batch_size, len(items) // how.batch_size
    by_chance = sorted(range(len(items)), key=lambda place: (last[place] is not None, chance("left", place)))
    left, kept = by_chance[:n_left], by_chance[n_left:]
    scores = [math.inf if score is None else -score for score in last]  # the highest first, those without one last
    ranks = sorted(kept, key=lambda place: (scores[place], _ties(items, place, number, how)))
    batches = [ranks[start::n_batches] for start in range(n_batches)] + ([left] if left else [])
    return [sorted(batch, key=lambda place: chance("slot", place)) for batch in batches]


def _ties(items: Sequence[Item], place: int, number: int, how: How) -> tuple[str, ...]:
    """What decides between equal scores: the fingerprint; in the first round, where all are equal, chance."""
    item = items[place]
    first = fingerprint([how.seed, "rank", item.fingerprint]) if not number else ""
    return first, item.fingerprint, item.paper, *item[:2]


def show_batch(aspect: Aspect, batch: Sequence[Item]) -> dict[str, str]:
    """The inputs of a prompt about several items; a source that all share is shown once."""
    sources = {item.source for item in batch}
    shared = sources.pop() if len(sources) == 1 else None
    lines = [
        {"label": label, **({"source": item.source} if shared is None else {}), "text": item.text}
        for label, item in enumerate(batch, 1)
    ]
    return {
        **aspect_inputs(aspect),
        "count": str(len(batch)),
        "source": shared or "(each text has its own source beside it)",
        "texts": json_lines(lines),
    }


def read_scores(given: Sequence[LabelledScore], labels: range) -> list[float]:
    """The scores of a reply in the order of the labels that were shown.

    Raises:
        ReplyFault: a label is missing, doubled, or was not shown: whose the others are cannot be known then.
    """
    if sorted(one.label for one in given) != list(labels):
        raise ReplyFault(f"a score for each label from 1 to {len(labels)} is needed, once")
    scores = {one.label: one.score for one in given}
    return [scores[label] for label in labels]


def _make_rating(aspect: Aspect, how: How, pool: str, placements: Sequence[_Placement]) -> Rating:
    answers = [placement.answer for placement in placements]
    values = [placement.score for placement in placements]
    rating = combine_samples(values, answers, aspect, how)
    rating.made_of, rating.shares = "rounds", [1 / placement.size for placement in placements]
    rating.batch = {
        "pool": pool,
        "round_scores": values,
        "slots": [placement.slot for placement in placements],
        "mates": [placement.mates for placement in placements],
    }
    return rating
