"""Methods with one prompt per rating: direct, geval, analyze-rate and rate-explain.

docs/questions.md describes the published versions and the differences.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from scholartools.errors import ModelFault, UsageFault
from scholartools.llm.answers import Missing
from scholartools.llm.engine import Engine
from scholartools.llm.replies import ReplyFault
from scholartools.parameters import parameter
from scholartools.schemas.criteria import AspectCriteria, Criteria
from scholartools.tasks.judge.rate.asking import ask_values, aspect_inputs, item_inputs, number_lines, rate_by_prompt
from scholartools.tasks.judge.rate.contract import Aspect, How, Item, Method, PlainText, Prompt, Rating, Sampling
from scholartools.tasks.judge.rate.numbers import ANYWHERE, FIRST, LAST
from scholartools.tasks.judge.rate.token_scores import check_scale, rate_by_tokens

_SAMPLED = Sampling(temperature=1, top_p=1)
_GREEDY = Sampling(temperature=0)
_DIRECT = Prompt("rate-direct", PlainText, _GREEDY, has_value=True)
_STEPS = Prompt("rate-steps", PlainText, _GREEDY)
_GEVAL = Prompt("rate-geval", PlainText, _SAMPLED, has_value=True)
_GEVAL_TOKENS = replace(_GEVAL, sampling=Sampling(temperature=1, top_p=1, logprobs=True, top_logprobs=20))
_ANALYZE = Prompt("rate-analyze", PlainText, _SAMPLED, has_value=True)
_EXPLAIN = Prompt("rate-explain", PlainText, _SAMPLED, has_value=True)
_NO_STEPS = "Read both texts and compare them in the light of the definition."


class NotPrepared(ModelFault):
    """A model did not provide what a method needs for an aspect.

    Attributes:
        answer: the reason, with the keys of the calls.
    """

    kind = "prepare"

    def __init__(self, reason: str, key: str, answer: Missing) -> None:
        super().__init__(f'{reason}; put "{key}" into the criteria')
        self.answer = answer


class Direct(Method):
    """A single score between two anchors, with the aspect and its definition (Wang et al. 2023).

    Anchors missing in the criteria are taken from the levels of the scale's ends, or else only say that it is the worst
    or best score.
    """

    name = "direct"
    source = "Wang et al. 2023, arXiv 2303.04048"
    needs = frozenset({"definition"})
    scale = (0, 100)
    prompts = (_DIRECT,)

    async def rate(self, engine: Engine, aspect: Aspect, items: Sequence[Item]) -> list[Rating]:
        """As :meth:`Method.rate`."""
        low, high = aspect.spec.scale
        levels = {float(level): text for level, text in aspect.spec.levels.items()}
        anchors = {
            "worst": aspect.spec.low or levels.get(low) or "the worst score.",
            "best": aspect.spec.high or levels.get(high) or "the best score.",
        }
        return [
            await rate_by_prompt(self, engine, _DIRECT, aspect, item, item_inputs(aspect, item) | anchors)
            for item in items
        ]


class Calibrated(Direct):
    """Like direct, with criteria fitted to human scores (Liu et al. 2023b)."""

    name = "autocalibrate"
    source = "Liu et al. 2023b (AutoCalibrate), arXiv 2309.13308"

    def check(self, aspect: Aspect) -> None:
        """As :meth:`Method.check`; also requires fitted criteria."""
        super().check(aspect)
        if not _calibrated_definition(aspect.spec):
            reason = f'no criteria were made for "{aspect.name}": run st-judge fit autocalibrate first'
            raise UsageFault(f"{parameter('method', self.name)}: {reason}")

    def aspect(self, criteria: Criteria, spec: AspectCriteria) -> Aspect:
        """As :meth:`Method.aspect`, with the fitted definition."""
        made = _calibrated_definition(spec)
        own = spec.model_copy(update={"definition": made, "levels": {}}) if made else spec
        return super().aspect(criteria, own)


def _calibrated_definition(spec: AspectCriteria) -> str | None:
    return ((spec.fitted or {}).get("autocalibrate") or {}).get("definition")


class _ByStep(Method):
    """Methods with evaluation steps, which a model drafts once per aspect if the criteria have none."""

    needs = frozenset({"definition"})
    scale = (1, 5)
    samples = 20
    form: Prompt[PlainText]
    place = ANYWHERE

    def lacks(self, aspect: Aspect) -> str | None:
        """As :meth:`Method.lacks`."""
        return None if aspect.spec.steps or not self.how.use_steps else "steps"

    async def prepare(self, engine: Engine, aspect: Aspect) -> Aspect:
        """Draft missing steps."""
        return await draft_steps(engine, aspect, self.how.steps) if self.lacks(aspect) else aspect

    async def rate(self, engine: Engine, aspect: Aspect, items: Sequence[Item]) -> list[Rating]:
        """As :meth:`Method.rate`."""
        steps = number_lines(aspect.spec.steps) if aspect.spec.steps and self.how.use_steps else _NO_STEPS
        return [
            await rate_by_prompt(
                self, engine, self.form, aspect, item, {**item_inputs(aspect, item), "steps": steps}, self.place
            )
            for item in items
        ]


class GEval(_ByStep):
    """Steps, then only the score: mean of samples, or of scores weighted by token probabilities."""

    name = "geval"
    source = "Liu et al. 2023a (G-Eval), arXiv 2303.16634"
    prompts = (_STEPS, _GEVAL)
    form = _GEVAL

    def with_how(self, how: How) -> Method:
        """As :meth:`Method.with_how`; steps are always used."""
        made = super().with_how(replace(how, use_steps=True))
        if how.weights == "logprobs":
            made.samples, made.prompts = 1, (_STEPS, _GEVAL_TOKENS)
        return made

    def check(self, aspect: Aspect) -> None:
        """As :meth:`Method.check`; with probabilities also requires scores of one token."""
        super().check(aspect)
        if self.how.weights == "logprobs":
            check_scale(aspect)
            if self.n_samples > 1:
                together = f"{parameter('weights', 'logprobs')} and {parameter('samples', self.n_samples)}"
                raise UsageFault(f"{together} cannot be used together: the probabilities come from one reply")

    async def rate(self, engine: Engine, aspect: Aspect, items: Sequence[Item]) -> list[Rating]:
        """As :meth:`Method.rate`."""
        if self.how.weights != "logprobs":
            return await super().rate(engine, aspect, items)
        steps = number_lines(aspect.spec.steps or [])
        inputs = [{**item_inputs(aspect, item), "steps": steps} for item in items]
        return [await rate_by_tokens(self.how, engine, _GEVAL_TOKENS, aspect, one) for one in inputs]


class AnalyzeRate(_ByStep):
    """An analysis, then the rating: mean of samples (Chiang and Lee 2023)."""

    name = "analyze-rate"
    source = "Chiang and Lee 2023, arXiv 2310.05657"
    prompts = (_STEPS, _ANALYZE)
    form, place = _ANALYZE, LAST


class RateExplain(_ByStep):
    """The rating, then an explanation: mean of samples (Chiang and Lee 2023)."""

    name = "rate-explain"
    source = "Chiang and Lee 2023, arXiv 2310.05657"
    prompts = (_STEPS, _EXPLAIN)
    form, place = _EXPLAIN, FIRST


DIRECT, CALIBRATED, GEVAL, ANALYZE_RATE, RATE_EXPLAIN = Direct(), Calibrated(), GEval(), AnalyzeRate(), RateExplain()


async def draft_steps(engine: Engine, aspect: Aspect, count: int) -> Aspect:
    """Draft evaluation steps by a model from the definition.

    Raises:
        NotPrepared: no reply is usable.
    """
    inputs = {**aspect_inputs(aspect), "count": str(count)}
    stand_in = [f"Step {number}" for number in range(count)]
    return await draft_once(engine, aspect, _STEPS, inputs, lambda reply: read_list(reply, count), "steps", stand_in)


async def draft_once(
    engine: Engine, aspect: Aspect, prompt: Prompt, inputs: dict[str, str], read: Any, key: str, stand_in: Any
) -> Aspect:
    """Complete an aspect by a model, once per run.

    Raises:
        NotPrepared: no reply is usable.
    """
    [answer] = await ask_values(engine, prompt, inputs, read, 1, stand_in)
    if isinstance(answer, Missing):
        raise NotPrepared(f'the {key} of "{aspect.name}" cannot be had: {answer.reason}', key, answer)
    spec = aspect.spec.model_copy(update={key: answer.value})
    return aspect._replace(spec=spec, made=[*aspect.made, answer])


def read_list(reply: PlainText, count: int) -> list[str]:
    """Entries of a numbered list with exactly ``count`` entries.

    Raises:
        ReplyFault: the number differs.
    """
    import re

    lines = re.split(r"(?m)^[^\S\n]*+(?:\*\*)?\d+[.)]\s+", reply.text)[1:]
    entries = [" ".join(line.split()) for line in lines if line.strip()]
    if len(entries) != count:
        raise ReplyFault(f"a numbered list of {count} is needed, and this has {len(entries)}")
    return entries
