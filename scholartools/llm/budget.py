"""What calls cost, and a limit that holds however many are in flight: money is set aside before a call is sent."""

from __future__ import annotations

import importlib.util
import math
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from scholartools.errors import ModelFault

_IMAGE_TOKENS = 2_000


class Price(NamedTuple):
    """USD per token, and the longest reply the model gives (None if not known)."""

    prompt: float
    completion: float
    longest: int | None

    def of(self, prompt_tokens: int, completion_tokens: int) -> float:
        """The cost of a call in USD."""
        return prompt_tokens * self.prompt + completion_tokens * self.completion


@cache
def price(model: str) -> Price | None:
    """The price of a model from the table litellm carries, read without importing it; None where it has none."""
    entry = _entry(model)
    if entry is None or "input_cost_per_token" not in entry or "output_cost_per_token" not in entry:
        return None
    longest = entry.get("max_output_tokens") or entry.get("max_tokens")
    return Price(
        float(entry["input_cost_per_token"]),
        float(entry["output_cost_per_token"]),
        int(longest) if isinstance(longest, (int, float)) else None,
    )


def takes_schema(model: str) -> bool:
    """Whether litellm's table says that the model takes a JSON schema for its reply."""
    return bool((_entry(model) or {}).get("supports_response_schema"))


def prompt_tokens(messages: Iterable[dict[str, Any]]) -> tuple[int, int]:
    """Tokens of a prompt without the model's tokenizer: a usual estimate (4 bytes each) and a safe one (2 bytes)."""
    size, images, count = 0, 0, 0
    for message in messages:
        count += 1
        content = message["content"]
        for part in [{"type": "text", "text": content}] if isinstance(content, str) else content:
            if part["type"] == "text":
                size += len(part["text"].encode())
            else:
                images += 1
    extra = 8 * count + _IMAGE_TOKENS * images
    return math.ceil(size / 4) + extra, math.ceil(size / 2) + extra


class Budget:
    """Calls and USD this run may still use. Reserve before a call is sent, settle after."""

    def __init__(self, max_cost: float | None, max_calls: int | None) -> None:
        self.max_cost = max_cost
        self.max_calls = max_calls
        self.calls = 0
        self.spent = 0.0
        self._reserved = 0.0
        self._in_flight = 0

    def reserve(self, most: float) -> float:
        """Set aside what a call costs at most, or refuse it.

        Raises:
            ModelFault: the limit would be passed; says how to go on.
        """
        if self.max_calls is not None and self.calls >= self.max_calls:
            raise ModelFault(
                f"--max-calls {self.max_calls} reached; what was answered is in the cache: "
                "run again with a higher limit to go on",
                kind="budget",
            )
        if self.max_cost is not None and self.spent + self._reserved + most > self.max_cost:
            raise ModelFault(
                f"--max-cost {self.max_cost:g} would be passed: {self.spent:.4f} USD spent, {self._reserved:.4f} in "
                f"flight, the next call may cost {most:.4f}; what was answered is in the cache: run again with a "
                "higher limit to go on",
                kind="budget",
            )
        self.calls += 1
        self._in_flight += 1
        self._reserved += most
        return most

    def may_free(self, most: float) -> bool:
        """Whether a call does not fit now, but may once calls in flight are settled."""
        if self.max_cost is None or not self._in_flight or self.spent + most > self.max_cost:
            return False
        return self.spent + self._reserved + most > self.max_cost

    def settle(self, reserved: float, cost: float) -> None:
        """Give back what was set aside and book what the call cost."""
        self._in_flight -= 1
        self._reserved = self._reserved - reserved if self._in_flight else 0.0
        self.spent += cost


@cache
def _table() -> dict[str, Any]:
    spec = importlib.util.find_spec("litellm")
    if spec is None or spec.origin is None:
        return {}
    path = Path(spec.origin).parent / "model_prices_and_context_window_backup.json"
    return orjson.loads(path.read_bytes()) if path.exists() else {}


def _entry(model: str) -> dict[str, Any] | None:
    """The table's line for a model: under its full name, else under its bare name where that is the same provider's."""
    table = _table()
    if model in table:
        return table[model]
    provider, _, name = model.partition("/")
    entry = table.get(name)
    return entry if entry is not None and entry.get("litellm_provider") == provider else None
