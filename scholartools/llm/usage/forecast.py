"""Forecast of a dry run: the calls that would be sent, their tokens and their costs."""

from __future__ import annotations

import math
from contextvars import ContextVar
from typing import Any

from scholartools.errors import ScholartoolsError
from scholartools.llm.usage import budget
from scholartools.llm.usage.counts import Counts
from scholartools.llm.usage.spending import Spending
from scholartools.parameters import parameter
from scholartools.wording import count_of

# Stage of the current questions, by which the forecast of a dry run is grouped.
STAGE: ContextVar[str] = ContextVar("stage", default="")
# Whether the current questions are asked in any case; if not, this depends on replies that a dry run does not have.
CERTAIN: ContextVar[bool] = ContextVar("certain", default=True)


class WouldSend(ScholartoolsError):
    """A dry run has reached a call, which it does not send."""

    kind = "dry-run"


class Forecast:
    """The calls that would be sent, each counted once."""

    def __init__(self, counts: Counts, spending: Spending) -> None:
        """``counts``: counts of the run, which are updated."""
        self._counts = counts
        self._spending = spending
        self._questions: set[bytes] = set()
        self._stages: dict[tuple[str, str], Counts] = {}
        self._is_bounded = True
        self._batch_price = spending.batch_price
        self._batch_bound = self._batch_prompts = 0.0  # USD, per call, as long prompts may have another price
        self._kept: dict[str, list[int]] = {}  # for each prompt, the tokens of its cached replies

    def __contains__(self, question: bytes) -> bool:
        return question in self._questions

    def add(self, questions: set[bytes], prompt: str, request: dict[str, Any]) -> None:
        """Count one call that would be sent for these questions."""
        self._questions |= questions
        self._add_bound(request)
        if not CERTAIN.get():
            self._counts.may_send += 1
            return
        usual = budget.estimate_prompt(request["messages"])
        price = self._spending.price
        of_stage = self._stages.setdefault((STAGE.get(), prompt), Counts())
        of_stage.answered += request["parameters"].get("n", 1)
        for counts in (self._counts, of_stage):
            counts.to_send += 1
            counts.prompt_tokens += usual
            if price is not None:
                counts.prompts_cost += price.of(usual, 0)
        if self._batch_price is not None:
            self._batch_prompts += self._batch_price.of(usual, 0)

    def _add_bound(self, request: dict[str, Any]) -> None:
        """Add the upper bound of a call."""
        if (bound := self._spending.bound_tokens(request)) is None:
            self._is_bounded = False
            return
        self._counts.bound_prompt_tokens += bound.prompt
        self._counts.bound_reply_tokens += bound.reply
        if (price := self._spending.price) is not None:
            self._counts.bound_cost += price.maximum_cost(bound)
        if self._batch_price is not None:
            self._batch_bound += self._batch_price.maximum_cost(bound)

    def learn(self, prompt: str, reply_tokens: int | None) -> None:
        """Add the length of a cached reply, from which the lengths of new replies are estimated."""
        if reply_tokens is not None:
            self._kept.setdefault(prompt, []).append(reply_tokens)

    def _likely_tokens(self) -> int | None:
        """Estimated tokens of all replies: the mean length of cached replies to the same prompt; None without these."""
        wanted: dict[str, int] = {}
        for (_, prompt), counts in self._stages.items():
            wanted[prompt] = wanted.get(prompt, 0) + counts.answered
        if not wanted.keys() <= self._kept.keys():
            return None
        return round(sum(n * sum(kept) / len(kept) for prompt, n in wanted.items() for kept in [self._kept[prompt]]))

    def sums(self) -> str:
        """One line of text: tokens and USD of prompts, likely replies and upper bound, and how to lower the bound."""
        counts, price = self._counts, self._spending.price
        likely = self._likely_tokens()
        replies = "not known (no reply to these prompts is in the cache)" if likely is None else _tokens(likely)
        likely_usd = None if price is None or likely is None else counts.prompts_cost + price.of(0, likely)
        bound = _tokens(counts.bound_prompt_tokens + counts.bound_reply_tokens) if self._is_bounded else "not known"
        bound_usd = counts.bound_cost if price is not None and self._is_bounded else None
        lower = parameter("max_tokens", "N") + (" lowers the bound" if self._is_bounded else " bounds them")
        more = f", up to {counts.may_send} more as the replies may be" if counts.may_send else ""
        return (
            f"{count_of(counts.to_send, 'call')} to send{more}; prompts: about {_tokens(counts.prompt_tokens)}"
            f"{_usd(counts.prompts_cost if price else None)}; likely replies: {replies}"
            f"{_usd(likely_usd, 'with the prompts ')}; "
            f"upper bound if each call is sent once: {bound}{_usd(bound_usd)}; {lower}"
        )

    def describe(self, model: str) -> dict[str, Any]:
        """Numbers of cached calls and of calls to send; tokens and USD of the latter."""
        counts, is_priced, is_bounded = self._counts, self._spending.price is not None, self._is_bounded
        return {
            "dry_run": {
                "model": model,
                "cached": counts.cached,
                "to_send": counts.to_send,
                **({"may_send": counts.may_send} if counts.may_send else {}),
                "estimate": {
                    "prompt_tokens": counts.prompt_tokens,
                    "prompt_usd": round(counts.prompts_cost, 6) if is_priced else None,
                },
                "likely": {"reply_tokens": self._likely_tokens()},
                "bound": {
                    "prompt_tokens": counts.bound_prompt_tokens if is_bounded else None,
                    "reply_tokens": counts.bound_reply_tokens if is_bounded else None,
                    "usd": math.ceil(counts.bound_cost * 1e6) / 1e6 if is_priced and is_bounded else None,
                },
                **({"batch": self._describe_batch()} if self._spending.part_size else {}),
            }
        }

    def _describe_batch(self) -> dict[str, Any]:
        """Cost of the same calls in batches, in USD; null if the price or the bound is unknown."""
        price = self._batch_price
        most = None if price is None or not self._is_bounded else math.ceil(self._batch_bound * 1e6) / 1e6
        usual = None if price is None else round(self._batch_prompts, 6)
        parts = math.ceil(self._counts.to_send / (self._spending.part_size or 1))
        return {"parts": parts, "prompt_usd": usual, "bound_usd": most}

    def describe_stage(self, stage: str) -> list[dict[str, Any]]:
        """The calls of a stage (:data:`STAGE`), by prompt."""
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


def _tokens(count: int) -> str:
    return f"{count / 1e6:,.1f} million tokens" if count >= 1_000_000 else f"{count:,} tokens"


def _usd(cost: float | None, what: str = "") -> str:
    return "" if cost is None else f" ({what}{cost:.4f} USD)"
