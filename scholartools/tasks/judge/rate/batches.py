"""batcheval: rate items in batches, over rounds whose batches depend on previous scores (Yuan et al. 2023)."""

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
    """An item's result in one round: slot in the batch from 1, other members, and score or None."""

    slot: int
    mates: list[str]
    score: float | None
    answer: Answer[Any] | Missing
    size: int


class BatchEval(Method):
    """Analyses all items of a batch, then scores them in one reply; scores are averaged over rounds."""

    name = "batcheval"
    source = "Yuan et al. 2023, arXiv 2401.00437"
    unit = "pool"
    needs = frozenset({"definition"})
    prompts = (_PROMPT,)

    @property
    def n_samples(self) -> int:
        """One reply per batch; rounds take the place of samples."""
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
        """Results of the items of a batch in a round, by index in the pool."""
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
        """Scores of a batch; with a single round, an unusable reply is requested once more."""
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
    """Batches of a round, as indices of items, independent of the order of the input.

    With N items and batch size B there are N div B batches, and N mod B items form a smaller one: first those without a
    score, then random ones. The others are ranked by their last score, descending, and dealt out in turn. In the first
    round all scores are missing, so ranks are random. (As in the code of Yuan et al. 2023.)

    Args:
        items: items of the pool.
        last: last score of each item, None if missing.
        number: number of the round, from 0.
        how: options ``seed`` and ``batch_size``.
    """

    def chance(what: str, place: int) -> tuple[str, ...]:
        item = items[place]
        return fingerprint([how.seed, number, what, item.fingerprint]), item.fingerprint, item.paper, *item[:2]

    n_left, n_batches = len(items) % how.batch_size, len(items) // how.batch_size
    by_chance = sorted(range(len(items)), key=lambda place: (last[place] is not None, chance("left", place)))
    left, kept = by_chance[:n_left], by_chance[n_left:]
    scores = [math.inf if score is None else -score for score in last]  # in descending order, missing scores last
    ranks = sorted(kept, key=lambda place: (scores[place], _ties(items, place, number, how)))
    batches = [ranks[start::n_batches] for start in range(n_batches)] + ([left] if left else [])
    return [sorted(batch, key=lambda place: chance("slot", place)) for batch in batches]


def _ties(items: Sequence[Item], place: int, number: int, how: How) -> tuple[str, ...]:
    """Tie breaker between equal scores: the fingerprint, and random in the first round."""
    item = items[place]
    first = fingerprint([how.seed, "rank", item.fingerprint]) if not number else ""
    return first, item.fingerprint, item.paper, *item[:2]


def show_batch(aspect: Aspect, batch: Sequence[Item]) -> dict[str, str]:
    """Inputs of a prompt about several items; a common source is shown once."""
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
    """Scores of a reply in the order of the displayed labels.

    Raises:
        ReplyFault: a label is missing, duplicate or unknown, so that the assignment of the others is uncertain.
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
