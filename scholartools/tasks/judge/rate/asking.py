"""Requests of methods: scores from a prompt, with one or several samples, also in a dry run.

In a dry run nothing is sent, and a method continues with stand-in replies, so that later requests are counted, too;
only the token counts of prompts built from such replies are estimates.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from scholartools.llm.answers import Answer, Missing
from scholartools.llm.engine import Engine
from scholartools.llm.prompts import Prompt
from scholartools.llm.task import ask, ask_all, ask_samples
from scholartools.llm.usage.forecast import WouldSend
from scholartools.tasks.judge.rate.contract import Aspect, Item, Method, PlainText, Rating
from scholartools.tasks.judge.rate.numbers import ANYWHERE, combine_samples, read_rating

Value = TypeVar("Value")


async def ask_values(
    engine: Engine,
    prompt: Prompt[Any],
    inputs: Mapping[str, str],
    read: Callable[[Any], Value],
    samples: int,
    stand_in: Value,
) -> list[Answer[Value] | Missing]:
    """Parse several replies to a prompt; a single unusable one is requested once more.

    Args:
        engine: the engine of the requests.
        prompt: the prompt, with ``inputs``.
        read: parses a reply, or raises ReplyFault.
        samples: number of replies.
        stand_in: value for each reply in a dry run.

    Raises:
        UsageFault: several samples at temperature 0.
        ModelFault: the run must end.
    """
    try:
        if samples > 1:
            return await ask_samples(engine, prompt, inputs, read, samples)
        return await ask_all([ask(engine, prompt, inputs, read)])
    except WouldSend:
        return [Answer(stand_in, [], None)] * samples


async def rate_by_prompt(
    method: Method,
    engine: Engine,
    prompt: Prompt[PlainText],
    aspect: Aspect,
    item: Item,
    inputs: Mapping[str, str],
    place: str = ANYWHERE,
) -> Rating:
    """Rate an item with a prompt whose reply has a line ``Rating: N``, or is the number.

    Args:
        method: determines the number of samples, and how they are parsed and combined.
        engine: the engine of the requests.
        prompt: the prompt, with ``inputs``.
        aspect: the aspect to rate.
        item: the item to rate.
        place: position of the rating in a longer reply: first or last line.
    """

    def read(reply: PlainText) -> tuple[float, str | None]:
        rating = read_rating(reply.text, aspect, method.how, place)
        return rating, reply.text if reply.unfit is None else None

    stand_in: tuple[float, str | None] = aspect.scale[0], ""
    answers = await ask_values(engine, prompt, inputs, read, method.n_samples, stand_in)
    rating = combine_samples([answer.value and answer.value[0] for answer in answers], answers, aspect, method.how)
    if place != ANYWHERE:
        rating.is_explained = rating.score is not None
        rating.explanation = next((answer.value[1] for answer in answers if answer.value is not None), None)
    return rating


def item_inputs(aspect: Aspect, item: Item) -> dict[str, str]:
    """Inputs common to prompts about one item."""
    return {**aspect_inputs(aspect), "source": item.source or "(nothing is shown beside it)", "candidate": item.text}


def aspect_inputs(aspect: Aspect) -> dict[str, str]:
    """Inputs that describe the task, the texts and the aspect."""
    criteria = aspect.criteria
    return {
        "task": criteria.task,
        "candidate_name": criteria.candidate_name,
        "source_name": criteria.source_name,
        "aspect": aspect.name,
        "definition": define(aspect),
        "low": f"{aspect.scale[0]:g}",
        "high": f"{aspect.scale[1]:g}",
    }


def define(aspect: Aspect) -> str:
    """Definition of an aspect, with the meanings of levels if the scale is the human one."""
    levels = aspect.spec.levels if aspect.is_peoples_scale else {}
    return "\n".join([aspect.spec.definition, *(f"{level}: {levels[level]}" for level in sorted(levels, key=float))])


def number_lines(lines: tuple[str, ...] | list[str]) -> str:
    """A numbered list."""
    return "\n".join(f"{number}. {line}" for number, line in enumerate(lines, 1))
