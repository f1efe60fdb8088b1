"""A score weighted by the probabilities that a model gave the tokens which spell it (G-Eval, section 2)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from scholartools.errors import ModelFault, UsageFault
from scholartools.llm.answers import Missing
from scholartools.llm.engine import Engine
from scholartools.parameters import parameter
from scholartools.tasks.judge.rate.asking import ask_values
from scholartools.tasks.judge.rate.contract import Aspect, How, PlainText, Prompt, Rating
from scholartools.tasks.judge.rate.numbers import read_rating

# What stands before the highest score where a reply names it behind its own.
_BEFORE_END = ("/", "of")
# A log probability may be above 0 by so much.
_ROUNDING = 1e-3


def scores_of(aspect: Aspect) -> list[int]:
    """The whole scores of a scale; none where some score is more than one digit, and so may be several tokens."""
    low, high = aspect.scale
    step = aspect.spec.step if aspect.is_peoples_scale else 1
    whole = all(float(number).is_integer() for number in (low, high, step))
    return list(range(int(low), int(high) + 1, int(step))) if whole and low >= 0 and high <= 9 else []


def check_scale(aspect: Aspect) -> None:
    """Refuse a scale whose scores are not one token each.

    Raises:
        UsageFault: it is such a scale.
    """
    if not scores_of(aspect):
        low, high = aspect.scale
        reason = f'the scale {low:g} to {high:g} of "{aspect.name}" has scores of more than one token'
        raise UsageFault(f"{parameter('weights', 'logprobs')}: {reason}; use {parameter('weights', 'samples')}")


async def rate_by_tokens(
    how: How, engine: Engine, prompt: Prompt[PlainText], aspect: Aspect, inputs: Mapping[str, str]
) -> Rating:
    """The rating of one item by one reply and the probabilities at the token of its score.

    Raises:
        ModelFault: the provider tells no probabilities; another way is never taken silently.
    """

    def read(reply: PlainText) -> tuple[str, list[dict[str, Any]] | None]:
        return f"{read_rating(reply.text, aspect, how):g}", reply.logprobs

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
    score, tokens = answer.value
    if tokens is None:
        raise _without_logprobs("the replies tell no log probabilities")
    return weigh(made, aspect, score, tokens, how.min_mass)


def _stand_in(aspect: Aspect) -> tuple[str, list[dict[str, Any]] | None]:
    """What a dry run reads in the place of a reply: the lowest score, sure."""
    score = f"{aspect.scale[0]:g}"
    return score, [{"token": score, "logprob": 0.0}]


def weigh(made: Rating, aspect: Aspect, score: str, tokens: Sequence[Mapping[str, Any]], min_mass: float) -> Rating:
    """The rating with its score: the mean of the scale's scores by their probabilities, which are made to sum to 1.

    Args:
        made: without a score.
        aspect: whose scale counts.
        score: that the reply spells; the last token that does is looked at, but for the end of the scale in "4/4".
        tokens: of the reply, each with ``token``, ``logprob`` and ``top_logprobs``.
        min_mass: what the probabilities must sum to before.
    """
    at = _find_score(tokens, score)
    if at is None:
        made.reason = "no token spells the score"
        return made
    wanted = {str(number) for number in scores_of(aspect)}
    seen = _probabilities(at)
    if seen is None:
        made.reason = "the log probabilities are no numbers up to 0"
        return made
    shares: dict[str, float] = {}
    for token, probability in sorted(seen):
        if (name := _spell_token(token)) in wanted:
            shares[name] = shares.get(name, 0.0) + probability
    made.mass = math.fsum(shares.values())
    if made.mass:
        made.distribution = {name: shares[name] / made.mass for name in sorted(shares)}
    if made.mass < min_mass or not made.distribution:
        made.reason = f"the scores of the scale have a probability of {made.mass:.3g}, and {min_mass:g} is the least"
        return made
    made.score = math.fsum(int(name) * share for name, share in made.distribution.items())
    return made


def _probabilities(at: Mapping[str, Any]) -> set[tuple[str, float]] | None:
    """The different tokens at a place with their probabilities; None where the provider tells no such numbers."""
    others = at.get("top_logprobs") or []
    told = [one for one in (at, *(others if isinstance(others, list) else [])) if isinstance(one, dict)]
    logprobs = [one.get("logprob") for one in told]
    if not all(isinstance(one, (int, float)) and one <= _ROUNDING for one in logprobs):
        return None
    return {(str(one.get("token")), math.exp(min(one["logprob"], 0.0))) for one in told}


def _find_score(tokens: Sequence[Mapping[str, Any]], score: str) -> Mapping[str, Any] | None:
    """The last token that spells a score and does not follow "/" or "of", as the end of the scale does."""
    found, before = None, ""
    for token in tokens:
        spelled = _spell_token(str(token.get("token")))
        if spelled == score and not before.endswith(_BEFORE_END):
            found = token
        before = spelled or before
    return found


def _spell_token(token: str) -> str:
    """What a token spells, without spaces and the marks of Markdown that some tokenizers join to a digit."""
    return token.strip().strip("*_`")


def _without_logprobs(reason: str) -> ModelFault:
    return ModelFault(
        f"{parameter('weights', 'logprobs')}: {reason}; use {parameter('weights', 'samples')}", kind="parameter"
    )
