"""How methods ask: scores by a prompt, once or several times, and what a dry run makes of it.

A dry run sends nothing, and a method goes on with replies that take the place of those it would get, so that what it
would ask later is counted too; only the number of tokens of what is made of such replies is a guess.
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
    """What is read in each of several replies to one prompt; one alone is asked for once more where it is unread.

    Args:
        engine: that is asked.
        prompt: and its ``inputs``.
        read: makes the value of a reply, or raises ReplyFault.
        samples: how many.
        stand_in: for each value, in a dry run.

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
    """The rating of one item by one prompt whose reply has a line ``Rating: N``, or is the number alone.

    Args:
        method: that asks; how many samples, and how they are read and combined, is set there.
        engine: that is asked.
        prompt: and its ``inputs``.
        aspect: that is rated.
        item: the same.
        place: of the line with the rating: in a reply that says more, the first or the last.
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
    """The inputs that prompts about one item share."""
    return {**aspect_inputs(aspect), "source": item.source or "(nothing is shown beside it)", "candidate": item.text}


def aspect_inputs(aspect: Aspect) -> dict[str, str]:
    """The inputs by which prompts say what is rated, beside what, and for what."""
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
    """The definition of an aspect, with the meaning of each level where the scale is people's."""
    levels = aspect.spec.levels if aspect.is_peoples_scale else {}
    return "\n".join([aspect.spec.definition, *(f"{level}: {levels[level]}" for level in sorted(levels, key=float))])


def number_lines(lines: tuple[str, ...] | list[str]) -> str:
    """A numbered list."""
    return "\n".join(f"{number}. {line}" for number, line in enumerate(lines, 1))
