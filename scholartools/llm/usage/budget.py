"""Prices of calls, and limits that also hold for concurrent calls: each reserves its maximum cost before it is sent."""

from __future__ import annotations

import importlib.util
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from scholartools.cache.request import canonical_json
from scholartools.errors import ModelFault
from scholartools.money import usd
from scholartools.parameters import parameter

# Tokens of a typical image, for estimates.
_IMAGE_TOKENS = 2_000
# Tokens that a chat template may add to a prompt, e.g. a default system message, and to each message.
_TEMPLATE, _MESSAGE = 128, 16
_TIER = re.compile(r"input_cost_per_token_above_(\d+)k_tokens")


class Price(NamedTuple):
    """USD per token, and the limits of a model.

    Attributes:
        prompt: price of a prompt token; likewise ``completion`` and ``reasoning``.
        longest: maximum number of tokens of a reply, or None if unknown.
        window: maximum number of tokens of a prompt, or None if unknown.
        tiers: ``(tokens, prompt, completion)``: prices for calls with a prompt of more than ``tokens`` tokens.
    """

    prompt: float
    completion: float
    longest: int | None
    reasoning: float = 0.0
    window: int | None = None
    tiers: tuple[tuple[int, float, float], ...] = ()

    def of(self, prompt_tokens: int, completion_tokens: int, reasoning_tokens: int = 0) -> float:
        """The cost of a call in USD; ``reasoning_tokens`` are part of ``completion_tokens``."""
        prompt, completion = self.prompt, self.completion
        for tokens, dearer_prompt, dearer_completion in self.tiers:
            if prompt_tokens > tokens:
                prompt, completion = max(prompt, dearer_prompt), max(completion, dearer_completion)
        extra = max(self.reasoning - completion, 0.0) * min(reasoning_tokens, completion_tokens)
        return usd(prompt_tokens * prompt, completion_tokens * completion, extra)

    def maximum_cost(self, bound: Bound) -> float:
        """The maximum cost in USD of a call within a bound."""
        return self.of(bound.prompt, bound.reply, bound.reply)


class Bound(NamedTuple):
    """Upper bounds on the tokens of a call, for any tokenizer."""

    prompt: int
    reply: int


@cache
def price_of(model: str, *, in_batch: bool = False) -> Price | None:
    """The price of a model from litellm's table, which is read without importing litellm; None if unknown.

    Args:
        in_batch: whether to return the price of calls in a batch, which the table has only for some models.
    """
    entry = _price_entry(model) or {}
    if in_batch:
        longest = {name: value for name, value in entry.items() if name.startswith("max_")}
        entry = longest | {name.removesuffix("_batches"): entry[name] for name in entry if name.endswith("_batches")}
    if entry.get("input_cost_per_token") is None or entry.get("output_cost_per_token") is None:
        return None
    return Price(
        float(entry["input_cost_per_token"]),
        float(entry["output_cost_per_token"]),
        _whole_number(entry.get("max_output_tokens") or entry.get("max_tokens")),
        float(entry.get("output_cost_per_reasoning_token") or 0.0),
        _whole_number(entry.get("max_input_tokens")),
        tuple(_iter_tiers(entry)),
    )


def _whole_number(value: Any) -> int | None:
    return int(value) if isinstance(value, (int, float)) else None


def _iter_tiers(entry: Mapping[str, Any]) -> Iterator[tuple[int, float, float]]:
    for name, value in entry.items():
        if (found := _TIER.fullmatch(name)) and value is not None:
            other = entry.get(name.replace("input", "output", 1)) or 0.0
            yield 1000 * int(found[1]), float(value), float(other)


def provider_of(model: str) -> str | None:
    """The provider of a bare model name in litellm's table, or None."""
    return _price_table().get(model, {}).get("litellm_provider")


def near_names(model: str) -> list[str]:
    """Up to three model names of litellm's table that are most similar to this one."""
    import difflib

    provider = model.partition("/")[0]
    table = _price_table()
    own = [f"{provider}/{name}" for name, entry in table.items() if entry.get("litellm_provider") == provider]
    names = [name.replace(f"{provider}/{provider}/", f"{provider}/") for name in own] if "/" in model else list(table)
    return difflib.get_close_matches(model, dict.fromkeys(names), n=3, cutoff=0.6)


def takes_schema(model: str) -> bool:
    """Whether the model supports JSON schemas for replies, according to litellm's table."""
    return bool((_price_entry(model) or {}).get("supports_response_schema"))


def estimate_prompt(messages: Iterable[Mapping[str, Any]]) -> int:
    """Estimated tokens of a prompt: one per 4 bytes, as is typical of English. Other texts may have more."""
    texts, images, _ = _split_messages(messages)
    return math.ceil(sum(len(canonical_json(text)) for text in texts) / 4) + _IMAGE_TOKENS * images


def most_prompt_tokens(request: Mapping[str, Any], window: int | None) -> int | None:
    """Upper bound on the prompt tokens of a request: a token has at least one byte.

    It counts the bytes of the whole request, including the response format, and an allowance for the server's chat
    template. Images have no such bound, so that the model's ``window`` is added for them; None if that is unknown.
    """
    texts, images, count = _split_messages(request["messages"])
    if images and window is None:
        return None
    sent = {**request, "messages": texts}
    return len(canonical_json(sent)) + _TEMPLATE + _MESSAGE * count + (window or 0) * bool(images)


def _split_messages(messages: Iterable[Mapping[str, Any]]) -> tuple[list[Any], int, int]:
    """The messages without their images, and the number of images and of messages."""
    texts, images, count = [], 0, 0
    for message in messages:
        count += 1
        content = message["content"]
        if isinstance(content, list):
            kept = [part for part in content if part["type"] == "text"]
            images += len(content) - len(kept)
            content = kept
        texts.append({**message, "content": content})
    return texts, images, count


class Budget:
    """Limits on the calls and USD of a run. Reserve before a call is sent, settle afterwards.

    Attributes:
        calls: number of calls sent so far; ``in_flight`` of them are not settled.
        spent: USD of the settled calls; ``reserved``: maximum USD of the others.
    """

    def __init__(self, max_cost: float | None, max_calls: float | None) -> None:
        self.max_cost = max_cost
        self.max_calls = max_calls
        self.calls = 0
        self.spent = 0.0
        self.reserved = 0.0
        self.in_flight = 0

    def fits(self, most: float) -> bool:
        """Whether a call with a maximum cost of ``most`` USD may be sent now."""
        if self.max_calls is not None and self.calls >= self.max_calls:
            return False
        return self.max_cost is None or usd(self.spent, self.reserved, most) <= self.max_cost

    def reserve(self, most: float) -> float:
        """Reserve the maximum cost of a call.

        Raises:
            ModelFault: a limit would be exceeded; the message says how to continue.
        """
        if self.max_calls is not None and self.calls >= self.max_calls:
            raise ModelFault(
                f"{parameter('max_calls')} {self.max_calls} reached; the replies so far are in the cache: "
                "run again with a higher limit to continue",
                kind="budget",
            )
        if self.max_cost is not None and usd(self.spent, self.reserved, most) > self.max_cost:
            raise ModelFault(
                f"{parameter('max_cost')} {self.max_cost:g} would be exceeded: {self.spent:.4f} USD spent, "
                f"{self.reserved:.4f} in flight, the next call may cost {most:.4f}; "
                "the replies so far are in the cache: run again with a higher limit to continue",
                kind="budget",
            )
        self.calls += 1
        self.in_flight += 1
        self.reserved = usd(self.reserved, most)
        return most

    def may_free(self, most: float) -> bool:
        """Whether a call does not fit now, but may fit once calls in flight are settled."""
        if self.max_cost is None or not self.in_flight or usd(self.spent, most) > self.max_cost:
            return False
        return usd(self.spent, self.reserved, most) > self.max_cost

    def settle(self, reserved: float, cost: float) -> None:
        """Replace the reservation of a call by its actual cost."""
        self.in_flight -= 1
        self.reserved = usd(self.reserved, -reserved) if self.in_flight else 0.0
        self.spent = usd(self.spent, cost)


@cache
def _price_table() -> dict[str, Any]:
    spec = importlib.util.find_spec("litellm")
    if spec is None or spec.origin is None:
        return {}
    path = Path(spec.origin).parent / "model_prices_and_context_window_backup.json"
    return orjson.loads(path.read_bytes()) if path.exists() else {}


def _price_entry(model: str) -> dict[str, Any] | None:
    """The table's entry of a model: by its full name, else by its bare name if the provider is the same."""
    table = _price_table()
    if model in table:
        return table[model]
    provider, _, name = model.partition("/")
    entry = table.get(name)
    return entry if entry is not None and entry.get("litellm_provider") == provider else None
