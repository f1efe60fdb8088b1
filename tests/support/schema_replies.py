"""A mock model that answers a request with a random value of its JSON schema, seeded by prompt and sample."""

from __future__ import annotations

import hashlib
import json
import random
import re
from collections.abc import Callable
from typing import Any

from support.raters import is_asked, rate
from support.server import completion

NUMBERED = re.compile(r'^\{"id": (\d+), "text"', re.M)


def prompt_of(body: dict[str, Any]) -> str:
    """Text of all messages, without pictures."""
    parts = [message["content"] for message in body["messages"]]
    return "\n".join(part if isinstance(part, str) else part[0]["text"] for part in parts)


class Drawing:
    """``Server(respond=Drawing(...))``.

    Args:
        seed: seed of the replies.
        lost: share of prompts that always get a reply without JSON or a number.
        late: share of prompts that get such a reply only the first time.
    """

    def __init__(self, seed: int, lost: float = 0.0, late: float = 0.0) -> None:
        self.seed, self.lost, self.late = seed, lost, late

    def __call__(self, body: dict[str, Any], time: int) -> tuple[int, Any, dict[str, str]]:
        asked = f"{self.seed} {json.dumps(body['messages'], sort_keys=True)} {body.get('temperature')}"
        rng = random.Random(hashlib.sha256(asked.encode()).hexdigest())
        if (drawn := rng.random()) < self.lost or (time == 1 and drawn < self.lost + self.late):
            return 200, completion("I cannot say.", "stop"), {}
        choices = []
        for place in range(body.get("n", 1)):
            said = self._say(body, random.Random(f"{rng.random()} {body.get('seed')} {place}"))
            choices.append({**completion(said, "stop")["choices"][0], "index": place})
        return 200, {**completion("", "stop"), "choices": choices}, {}

    def _say(self, body: dict[str, Any], rng: random.Random) -> str:
        schema = ((body.get("response_format") or {}).get("json_schema") or {}).get("schema")
        if schema is None:
            return rate(body["messages"], rng.randrange(60)) if is_asked(body["messages"]) else f"Is it {words(rng)}?"
        ids = [int(number) for number in NUMBERED.findall(prompt_of(body))]
        return json.dumps(draw(schema, schema.get("$defs", {}), rng, ids))


def words(rng: random.Random) -> str:
    return f"{rng.choice(('the rain', 'a bee', 'no hedge'))} of {rng.randint(10, 999)}"


def sentence(rng: random.Random) -> str:
    return f"It names {words(rng)}."


def draw(
    kind: dict[str, Any], defs: dict[str, Any], rng: random.Random, ids: list[int],
    say: Callable[[random.Random], str] = sentence,
) -> Any:  # fmt: skip
    """Random value of a schema, with strings by ``say``; lists of items with ``id`` have one for each of ``ids``."""
    if "$ref" in kind:
        return draw(defs[kind["$ref"].rsplit("/", 1)[1]], defs, rng, ids, say)
    if "anyOf" in kind:
        return draw(kind["anyOf"][0], defs, rng, ids, say)
    if "enum" in kind or "const" in kind:
        return rng.choice(kind.get("enum") or [kind["const"]])
    if kind.get("type") == "array":
        made = [draw(kind["items"], defs, rng, ids, say) for _ in ids or range(2)]
        is_numbered = bool(made) and isinstance(made[0], dict) and "id" in made[0]
        return [{**one, "id": number} for one, number in zip(made, ids)] if is_numbered else made[:2]
    if kind.get("type") == "object":
        return {key: draw(one, defs, rng, ids, say) for key, one in kind.get("properties", {}).items()}
    if kind.get("type") == "boolean":
        return rng.random() < 0.5
    if kind.get("type") in ("integer", "number"):
        return rng.randint(int(kind.get("minimum", 1)), int(kind.get("maximum", 3)))
    return say(rng)
