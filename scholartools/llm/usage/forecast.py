"""What a dry run finds: the calls that would be sent, their tokens and their price."""

from __future__ import annotations

import math
from contextvars import ContextVar
from typing import Any

from scholartools.errors import ScholartoolsError
from scholartools.llm.usage import budget
from scholartools.llm.usage.counts import Counts
from scholartools.llm.usage.spending import Spending

# On whose behalf questions are asked, for the forecast of a dry run.
STAGE: ContextVar[str] = ContextVar("stage", default="")


class WouldSend(ScholartoolsError):
    """A dry run came to a call that it does not send."""

    kind = "dry-run"


class Forecast:
    """The calls that a dry run does not send, each once."""

    def __init__(self, counts: Counts, spending: Spending) -> None:
        """``counts`` are those of the run."""
        self._counts = counts
        self._spending = spending
        self._questions: set[bytes] = set()
        self._stages: dict[tuple[str, str], Counts] = {}
        self._is_bounded = True

    def __contains__(self, question: bytes) -> bool:
        return question in self._questions

    def add(self, questions: set[bytes], prompt: str, request: dict[str, Any]) -> None:
        """Count one call, by which these questions would be asked."""
        self._questions |= questions
        usual = budget.estimate_prompt(request["messages"])
        price = self._spending.price
        of_stage = self._stages.setdefault((STAGE.get(), prompt), Counts())
        of_stage.answered += request["parameters"].get("n", 1)
        for counts in (self._counts, of_stage):
            counts.to_send += 1
            counts.prompt_tokens += usual
            if price is not None:
                counts.prompts_cost += price.of(usual, 0)
        if (bound := self._spending.bound_tokens(request)) is None:
            self._is_bounded = False
            return
        self._counts.bound_prompt_tokens += bound.prompt
        self._counts.bound_reply_tokens += bound.reply
        if price is not None:
            self._counts.bound_cost += price.maximum_cost(bound)

    def describe(self, model: str) -> dict[str, Any]:
        """The calls in the cache and not; tokens and USD of those that would be sent."""
        counts, is_priced, is_bounded = self._counts, self._spending.price is not None, self._is_bounded
        return {
            "dry_run": {
                "model": model,
                "cached": counts.cached,
                "to_send": counts.to_send,
                "estimate": {
                    "prompt_tokens": counts.prompt_tokens,
                    "prompt_usd": round(counts.prompts_cost, 6) if is_priced else None,
                },
                "bound": {
                    "prompt_tokens": counts.bound_prompt_tokens if is_bounded else None,
                    "reply_tokens": counts.bound_reply_tokens if is_bounded else None,
                    "usd": math.ceil(counts.bound_cost * 1e6) / 1e6 if is_priced and is_bounded else None,
                },
            }
        }

    def describe_stage(self, stage: str) -> list[dict[str, Any]]:
        """The calls of the questions that were asked under :data:`STAGE`, prompt by prompt."""
        return [
            {
                "prompt": prompt,
                "calls": counts.to_send,
                "replies": counts.answered,
                "prompt_tokens": counts.prompt_tokens,
                "prompt_usd": round(counts.prompts_cost, 6) if self._spending.price else None,
            }
            for (of, prompt), counts in self._stages.items()
            if of == stage
        ]
