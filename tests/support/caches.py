"""Caches with given replies."""

from __future__ import annotations

import random

from scholartools.cache import (
    Cache,
    Reply,
    call_key,
)


def request(text: str = "hello", **more):
    return {"model": "openai/m", "messages": [{"role": "user", "content": text}], **more}


def keep(cache: Cache, text: str, said: str = "yes", prompt: str = "facets", model: str = "openai/m", **reply) -> bytes:
    asked = {**request(text), "model": model}
    cache.put(call_key(asked), asked, Reply(said, **{"finish": "stop", **reply}), prompt)
    return call_key(asked)


def noise(number: int) -> str:
    return random.Random(number).randbytes(3000).hex()
