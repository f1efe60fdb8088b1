"""Scores weighted by token probabilities (G-Eval, section 2)."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

from scholartools.errors import ModelFault, UsageFault
from scholartools.llm.answers import Missing
from scholartools.llm.engine import Engine
from scholartools.parameters import parameter
from scholartools.tasks.judge.rate.asking import ask_values
from scholartools.tasks.judge.rate.contract import Aspect, How, PlainText, Prompt, Rating
from scholartools.tasks.judge.rate.numbers import find_rating

# Tolerance for log probabilities above 0, sums of probabilities above 1, and repeated values of a token.
_ROUNDING = 1e-3
# End-of-sequence token, which is not part of the reply.
_END = re.compile(r"\s*(?:<[^<>\s]*>\s*)?")


def scores_of(aspect: Aspect) -> list[int]:
    """Integer scores of a scale; empty if a score has more than one digit, and may be several tokens."""
    low, high = aspect.scale
    step = aspect.spec.step if aspect.is_peoples_scale else 1
    whole = all(float(number).is_integer() for number in (low, high, step))
    return list(range(int(low), int(high) + 1, int(step))) if whole and low >= 0 and high <= 9 else []


def check_scale(aspect: Aspect) -> None:
    """Check that the scores of a scale are single tokens.

    Raises:
        UsageFault: they are not.
    """
    if not scores_of(aspect):
        low, high = aspect.scale
        reason = f'the scale {low:g} to {high:g} of "{aspect.name}" has scores of more than one token'
        raise UsageFault(f"{parameter('weights', 'logprobs')}: {reason}; use {parameter('weights', 'samples')}")


async def rate_by_tokens(
    how: How, engine: Engine, prompt: Prompt[PlainText], aspect: Aspect, inputs: Mapping[str, str]
) -> Rating:
    """Rate an item by one reply and the probabilities at the token of its score.

    Raises:
        ModelFault: the provider returns no probabilities; there is no fallback to another method.
    """

    def read(reply: PlainText) -> tuple[PlainText, Sequence[tuple[int, int]]]:
        return reply, find_rating(reply.text, aspect, how)[1]

    try:
        [answer] = await ask_values(engine, prompt, inputs, read, 1, _stand_in(aspect))
    except ModelFault as fault:
        if fault.kind != "parameter":
            raise
        raise _without_logprobs(fault.reason) from None
    made = Rating(None, aspect.scale, "logprobs", answers=[answer])
    if isinstance(answer, Missing) and answer.kind == "refused" and "logprob" in answer.reason:
        raise _without_logprobs(answer.reason)
    if answer.value is None:
        made.reason = answer.reason  # type: ignore[union-attr]
        made.unparsed = {str(made.reason): 1}
        return made
    reply, places = answer.value
    if reply.logprobs is None:
        raise _without_logprobs("the replies tell no log probabilities")
    at = find_token(reply.text, places, reply.logprobs)
    if isinstance(at, str):
        made.reason = at
        return made
    return weigh(made, aspect, at, how.min_mass)


def _stand_in(aspect: Aspect) -> tuple[PlainText, Sequence[tuple[int, int]]]:
    """Stand-in reply of a dry run: the lowest score with probability 1."""
    score = f"{aspect.scale[0]:g}"
    return PlainText(text=score, logprobs=[{"token": score, "logprob": 0.0}]), [(0, len(score))]


def find_token(
    text: str, places: Sequence[tuple[int, int]], tokens: Sequence[Mapping[str, Any]]
) -> Mapping[str, Any] | str:
    """The token of the score parsed from a reply; else the reason why it is ambiguous.

    Args:
        text: the reply, with which the joined tokens must end; thinking may precede it.
        places: start and end offsets of the score.
        tokens: tokens of the reply, each with ``token``, ``logprob`` and ``top_logprobs``.
    """
    if len(places) != 1:
        return "the score stands at several places of the reply"
    spelled = [str(token.get("token")) for token in tokens]
    end = len(spelled)
    wanted, said = text.rstrip(), "".join(spelled).rstrip()
    while not said.endswith(wanted):
        if not end or not _END.fullmatch(spelled[end - 1]):
            return "the tokens do not spell the reply"
        end -= 1
        said = said.removesuffix(spelled[end].rstrip()).rstrip()
    start, stop = (len(said) - len(wanted) + place for place in places[0])
    place = 0
    for token, name in zip(tokens, spelled):
        if place <= start and stop <= place + len(name):
            is_alone = stop - start == 1 and _spell_token(name) == said[start:stop]
            return token if is_alone else "the token of the score spells more than one digit"
        place += len(name)
    return "the score is spelled by several tokens"


def weigh(made: Rating, aspect: Aspect, at: Mapping[str, Any], min_mass: float) -> Rating:
    """Set the score: the mean of the scale's scores weighted by their normalised probabilities.

    Args:
        made: rating without a score.
        aspect: aspect with the scale.
        at: the token of the score, with ``logprob`` and ``top_logprobs``.
        min_mass: minimum sum of the probabilities before normalisation.
    """
    seen = _probabilities(at)
    if isinstance(seen, str):
        made.reason = seen
        return made
    wanted = {str(number) for number in scores_of(aspect)}
    shares: dict[str, float] = {}
    for token in sorted(seen):
        if (name := _spell_token(token)) in wanted:
            shares[name] = shares.get(name, 0.0) + seen[token]
    made.mass = min(math.fsum(shares.values()), 1.0)
    if made.mass:
        total = math.fsum(shares.values())
        made.distribution = {name: shares[name] / total for name in sorted(shares)}
    if made.mass < min_mass or not made.distribution:
        made.reason = f"the scores of the scale have a probability of {made.mass:.3g}, and {min_mass:g} is the least"
        return made
    made.score = math.fsum(int(name) * share for name, share in made.distribution.items())
    return made


def _probabilities(at: Mapping[str, Any]) -> dict[str, float] | str:
    """Probability of each alternative token, without duplicates; else the reason why they are invalid.

    The chosen token is often repeated among the alternatives, possibly with a rounding difference.
    """
    others = at.get("top_logprobs") or []
    told = [one for one in (at, *(others if isinstance(others, list) else [])) if isinstance(one, dict)]
    seen: dict[str, float] = {}
    for one in told:
        token, logprob = str(one.get("token")), one.get("logprob")
        if not isinstance(logprob, (int, float)) or not logprob <= _ROUNDING:
            return "the log probabilities are no numbers up to 0"
        less, more = sorted((math.exp(min(logprob, 0.0)), seen.get(token, 0.0)))
        if less > _ROUNDING and more - less > _ROUNDING:
            return f"the token {json.dumps(token)} is told twice with other probabilities"
        seen[token] = more
    if (mass := math.fsum(seen.values())) > 1 + _ROUNDING:
        return f"the probabilities sum to {mass:.4g}, which is above 1"
    return seen


def _spell_token(token: str) -> str:
    """Text of a token without spaces and Markdown marks, which some tokenizers join to a digit."""
    return token.strip().strip("*_`")


def _without_logprobs(reason: str) -> ModelFault:
    return ModelFault(
        f"{parameter('weights', 'logprobs')}: {reason}; use {parameter('weights', 'samples')}", kind="parameter"
    )
