"""coascore: score sub-aspects, then the aspect given these scores (Gong and Mao 2023)."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace

from pydantic import Field

from scholartools.llm.answers import Missing
from scholartools.llm.engine import Engine
from scholartools.llm.prompts import json_lines
from scholartools.llm.replies import Closed, ReplyFault
from scholartools.schemas.criteria import SubAspect
from scholartools.tasks.judge.rate.asking import ask_values, aspect_inputs, item_inputs, rate_by_prompt
from scholartools.tasks.judge.rate.batches import LabelledScore, read_scores
from scholartools.tasks.judge.rate.contract import (
    ONE_CALL,
    Aspect,
    How,
    Item,
    Method,
    PlainText,
    Prompt,
    Rating,
    Sampling,
)
from scholartools.tasks.judge.rate.form_filling import draft_once
from scholartools.tasks.judge.rate.numbers import combine_samples

_GREEDY = Sampling(temperature=0)


class _Part(Closed):
    name: str = Field(min_length=1)
    definition: str = Field(min_length=1)


class _Parts(Closed):
    parts: list[_Part]


class _PartScores(Closed):
    scores: list[LabelledScore]


_DRAFT = Prompt("rate-parts", _Parts, _GREEDY)
_PART = Prompt("rate-part", PlainText, _GREEDY, has_value=True)
_PART_LIST = Prompt("rate-part-list", _PartScores, _GREEDY)
_WHOLE = Prompt("rate-coascore", PlainText, _GREEDY, has_value=True)


class CoAScore(Method):
    """A model names sub-aspects, scores each, and then scores the aspect with these as context."""

    name = "coascore"
    source = "Gong and Mao 2023, arXiv 2312.10355"
    needs = frozenset({"definition"})
    prompts = (_DRAFT, _PART, _WHOLE)

    def with_how(self, how: How) -> Method:
        """As :meth:`Method.with_how`; selects the prompts."""
        made = super().with_how(how)
        made.prompts = (_DRAFT, _PART_LIST if how.coa == ONE_CALL else _PART, _WHOLE)
        return made

    def lacks(self, aspect: Aspect) -> str | None:
        """As :meth:`Method.lacks`."""
        return None if aspect.spec.sub_aspects else "sub_aspects"

    async def prepare(self, engine: Engine, aspect: Aspect) -> Aspect:
        """Draft missing sub-aspects."""
        if not self.lacks(aspect):
            return aspect
        return await draft_sub_aspects(engine, aspect, self.how.sub_aspects)

    async def rate(self, engine: Engine, aspect: Aspect, items: Sequence[Item]) -> list[Rating]:
        """As :meth:`Method.rate`."""
        return [await self._rate_item(engine, aspect, item) for item in items]

    async def _rate_item(self, engine: Engine, aspect: Aspect, item: Item) -> Rating:
        inputs = item_inputs(aspect, item)
        subs = list(aspect.spec.sub_aspects or ())
        if self.how.coa == ONE_CALL:
            rated = await self._rate_parts(engine, aspect, inputs, subs)
        else:
            rated = await asyncio.gather(*(self._rate_part(engine, aspect, item, inputs, sub) for sub in subs))
        scores = {sub.name: rating.score for sub, rating in zip(subs, rated, strict=True)}
        answers = [answer for rating in rated for answer in rating.answers]
        if all(score is None for score in scores.values()):
            reason = f"no sub-aspect has a score: {rated[0].reason}"
            return Rating(None, aspect.scale, reason=reason, sub_scores=scores, answers=answers)
        told = {"sub_scores": "\n".join(_tell_score(sub, scores[sub.name]) for sub in subs)}
        whole = await rate_by_prompt(self, engine, _WHOLE, aspect, item, inputs | told)
        whole.sub_scores, whole.answers = scores, [*answers, *whole.answers]
        return whole

    async def _rate_part(
        self, engine: Engine, aspect: Aspect, item: Item, inputs: Mapping[str, str], sub: SubAspect
    ) -> Rating:
        named = {"part": sub.name, "definition": sub.definition}
        return await rate_by_prompt(self, engine, _PART, aspect, item, {**inputs, **named})

    async def _rate_parts(
        self, engine: Engine, aspect: Aspect, inputs: Mapping[str, str], subs: Sequence[SubAspect]
    ) -> list[Rating]:
        """Ratings of all sub-aspects by one prompt; the answers are attached to the first."""
        labels = range(1, len(subs) + 1)
        low, high = aspect.scale

        def read(reply: _PartScores) -> list[float]:
            return read_scores(reply.scores, labels)

        lines = [{"label": n, "name": sub.name, "definition": sub.definition} for n, sub in enumerate(subs, 1)]
        own = {name: text for name, text in inputs.items() if name != "definition"}
        asked = {**own, "parts": json_lines(lines)}
        answers = await ask_values(engine, _PART_LIST, asked, read, self.n_samples, [low] * len(subs))
        made = []
        for place in range(len(subs)):
            read_in = [
                Missing("out of range", "reply", answer.calls)
                if answer.value is not None and not low <= answer.value[place] <= high
                else answer
                for answer in answers
            ]
            values = [None if answer.value is None else answer.value[place] for answer in read_in]
            rating = combine_samples(values, read_in, aspect, self.how)
            made.append(rating if place == 0 else replace(rating, answers=()))
        return made


COASCORE = CoAScore()


async def draft_sub_aspects(engine: Engine, aspect: Aspect, count: int) -> Aspect:
    """Draft sub-aspects by a model from the definition.

    Raises:
        NotPrepared: no reply is usable.
    """
    inputs = {**aspect_inputs(aspect), "count": str(count)}
    stand_in = [SubAspect(name=f"part {number}", definition="A part.") for number in range(count)]
    return await draft_once(
        engine, aspect, _DRAFT, inputs, lambda reply: _read_parts(reply, count), "sub_aspects", stand_in
    )


def _read_parts(reply: _Parts, count: int) -> list[SubAspect]:
    names = [part.name for part in reply.parts]
    if len(names) != count or len(set(names)) != count:
        raise ReplyFault(f"{count} parts with names of their own are needed, and there are {len(set(names))}")
    return [SubAspect(name=part.name, definition=part.definition) for part in reply.parts]


def _tell_score(sub: SubAspect, score: float | None) -> str:
    return f"{sub.name} ({sub.definition}): {'no score' if score is None else f'{score:g}'}"
