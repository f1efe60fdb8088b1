"""autocalibrate: criteria drafted by a model from human scores (Liu et al. 2023b, arXiv 2309.13308)."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from scholartools.errors import ModelFault
from scholartools.llm.answers import Answer, Missing
from scholartools.llm.engine import Engine
from scholartools.llm.prompts import json_lines
from scholartools.llm.replies import ReplyFault
from scholartools.llm.task import ask, ask_all
from scholartools.llm.usage.forecast import WouldSend
from scholartools.metrics.statistics.correlation import Correlation, correlation
from scholartools.records import Record
from scholartools.tasks.judge.rate.asking import aspect_inputs
from scholartools.tasks.judge.rate.contract import Aspect, Item, PlainText, Prompt, Sampling
from scholartools.tasks.judge.rate.form_filling import CALIBRATED

_FREE = Sampling(temperature=1)
_DRAFT = Prompt("rate-draft-criteria", PlainText, _FREE)
_REFINE = Prompt("rate-refine-criteria", PlainText, _FREE)
PROMPTS = (_DRAFT, _REFINE)

# Criteria, and the keys of the calls that wrote them.
_Written = tuple[str, list[str]]


@dataclass(frozen=True)
class Search:
    """Options of the search for criteria.

    Attributes:
        sizes: numbers of scored texts per draft.
        trials: number of drafts per size.
        top: number of best drafts to refine.
        refinements: number of refinements of each.
        seed: random seed of the choice of texts.
    """

    sizes: tuple[int, ...] = (4, 8)
    trials: int = 3
    top: int = 2
    refinements: int = 2
    seed: int = 0


class Labelled(NamedTuple):
    """A text with its human score."""

    item: Item
    label: float


class Tried(NamedTuple):
    """Evaluated criteria: their scores, and the correlation of these with human scores.

    A text without a score is assumed to have the worst possible one; otherwise criteria that can score only few texts
    would have an advantage.
    """

    definition: str
    kind: str
    rho: float | None
    reason: str | None
    scores: list[float | None]
    calls: list[str]

    def record(self) -> Record:
        """Record for the criteria file."""
        made: Record = {"definition": self.definition, "kind": self.kind, "spearman": self.rho}
        made["n_unscored"] = self.scores.count(None)
        return {**made, **({"reason": self.reason} if self.reason else {})}


async def calibrate(engine: Engine, aspect: Aspect, golden: Sequence[Labelled], how: Search) -> Record:
    """Entry of the criteria file: the best definition, all evaluated definitions, and the keys of the calls.

    Unusable drafts are listed with their reasons under ``unusable``.

    Raises:
        ModelFault: the run must end, or no criteria have a defined correlation.
    """
    written, lost = await _draft_all(engine, aspect, golden, how)
    drafts = _distinct(written)
    tried = list(await asyncio.gather(*(_try(engine, aspect, golden, text, "draft", calls) for text, calls in drafts)))
    ranked = sorted(tried, key=_rank)[: how.top]
    refined = await asyncio.gather(*(_refine_all(engine, aspect, golden, one, how) for one in ranked))
    lost += [one for _, ones in refined for one in ones]
    rewritten = [pair for pairs, _ in refined for pair in pairs]
    texts = _distinct(rewritten, known={one.definition for one in tried})
    tried += await asyncio.gather(*(_try(engine, aspect, golden, text, "refined", calls) for text, calls in texts))
    best = min(tried, key=_rank, default=None)
    if best is None or (best.rho is None and not engine.settings.dry_run):
        why = best.reason if best else f"no draft can be used: {lost[0].reason}"
        raise ModelFault(f'no criteria for "{aspect.name}" can be had: {why}', kind="prepare")
    if best.rho is not None and best.rho <= 0:
        engine.warn_once(f'the best criteria for "{aspect.name}" have a correlation of {best.rho:.2f} with the labels')
    used = [
        *(calls for _, calls in (*written, *rewritten)),
        *(one.calls for one in lost),
        *(one.calls for one in tried),
    ]
    return {
        "definition": best.definition,
        "spearman": best.rho,
        "tried": [one.record() for one in tried],
        "unusable": [one.reason for one in lost],
        "calls": sorted({call for calls in used for call in calls}),
    }


def _rank(tried: Tried) -> float:
    return float("inf") if tried.rho is None else -tried.rho


async def _draft_all(
    engine: Engine, aspect: Aspect, golden: Sequence[Labelled], how: Search
) -> tuple[list[_Written], list[Missing]]:
    """Drafts, possibly with duplicates, and the reasons of unusable ones."""
    asked = []
    for size in how.sizes:
        for trial in range(how.trials):
            chosen = random.Random(f"{how.seed} {size} {trial}").sample(golden, min(size, len(golden)))
            inputs = {**aspect_inputs(aspect), "examples": show_labelled(chosen)}
            asked.append(_write(engine, _DRAFT, _without_definition(inputs), trial, f"Draft {size} {trial}"))
    return _split_lost(await asyncio.gather(*asked))


async def _refine_all(
    engine: Engine, aspect: Aspect, golden: Sequence[Labelled], tried: Tried, how: Search
) -> tuple[list[_Written], list[Missing]]:
    """Refinements of criteria from the texts with the largest errors, and the reasons of unusable ones."""
    pairs = [(score, one) for score, one in zip(tried.scores, golden, strict=True) if score is not None]
    worst = sorted(pairs, key=lambda pair: (-abs(pair[0] - pair[1].label), pair[1].item.fingerprint))[: max(how.sizes)]
    shown = json_lines(
        {"source": one.item.source, "text": one.item.text, "people": one.label, "by the criteria": score}
        for score, one in worst
    )
    inputs = {**_without_definition(aspect_inputs(aspect)), "criteria": tried.definition, "examples": shown}
    asked = [
        _write(engine, _REFINE, inputs, number, f"{tried.definition} refined {number}")
        for number in range(how.refinements)
    ]
    return _split_lost(await asyncio.gather(*asked))


def _split_lost(found: Sequence[_Written | Missing]) -> tuple[list[_Written], list[Missing]]:
    return [one for one in found if not isinstance(one, Missing)], [one for one in found if isinstance(one, Missing)]


def show_labelled(golden: Sequence[Labelled]) -> str:
    """Format scored texts for a prompt."""
    return json_lines({"source": one.item.source, "text": one.item.text, "score": one.label} for one in golden)


def _without_definition(inputs: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in inputs.items() if name != "definition"}


async def _write(
    engine: Engine, prompt: Prompt[PlainText], inputs: Mapping[str, str], sample: int, stand_in: str
) -> _Written | Missing:
    """Criteria written by a model, with the calls; or the reason of failure."""

    def read(reply: PlainText) -> str:
        if not reply.text.strip():
            raise ReplyFault("there are no criteria in it")
        return reply.text.strip()

    try:
        [answer] = await ask_all([ask(engine, prompt, inputs, read, sample=sample)])
    except WouldSend:
        return stand_in, []
    return answer if isinstance(answer, Missing) else (answer.value, list(answer.calls))


def _distinct(pairs: Sequence[_Written], known: set[str] = frozenset()) -> list[_Written]:  # type: ignore[assignment]
    found = {text: calls for text, calls in reversed(pairs) if text not in known}
    return list(reversed(found.items()))


async def _try(
    engine: Engine, aspect: Aspect, golden: Sequence[Labelled], definition: str, kind: str, calls: list[str]
) -> Tried:
    """Score the texts with criteria at temperature 0, and correlate with human scores."""
    spec = aspect.spec.model_copy(update={"definition": definition, "levels": {}})
    ratings = await asyncio.gather(*(CALIBRATED.rate(engine, aspect._replace(spec=spec), [one.item]) for one in golden))
    scores = [rating.score for [rating] in ratings]
    found = _correlate(scores, [one.label for one in golden], aspect)
    answers: list[Answer[Any] | Missing] = [answer for [rating] in ratings for answer in rating.answers]
    own = [*calls, *(call for answer in answers for call in answer.calls)]
    return Tried(definition, kind, found.value, found.reason, scores, own)


def _correlate(scores: Sequence[float | None], labels: Sequence[float], aspect: Aspect) -> Correlation:
    """Spearman's rho of scores and labels; a missing score counts as the end of the scale farther from the label."""
    low, high = aspect.scale
    if all(score is None for score in scores):
        return Correlation(None, 0, len(scores), "no text has a score by it")
    filled = [
        (high if label - low < high - label else low) if score is None else score
        for score, label in zip(scores, labels, strict=True)
    ]
    return correlation(filled, labels, "spearman")
