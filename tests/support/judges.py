"""A mock judge whose ratings depend on the prompt."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable

from scholartools.cache import Reply
from scholartools.llm.engine import Engine
from scholartools.llm.settings import Settings
from scholartools.tasks.judge.facet_ratings.prompted import facets


class Model:
    """Answers every prompt by a function of it, and records the requests."""

    def __init__(self, answer: Callable[[str], str]) -> None:
        self.answer = answer
        self.requests: list[dict] = []

    @property
    def prompts(self) -> list[str]:
        return [request["messages"][1]["content"] for request in self.requests]

    async def send(self, request: dict, timeout: float) -> Reply:
        self.requests.append(request)
        return Reply(self.answer(request["messages"][-1]["content"]), "stop")

    async def close(self) -> None:
        pass

    def engine(self, **settings) -> Engine:
        return Engine(Settings("openai/mock", cache=False, **settings), None, connect=lambda *_: self)


def passages(prompt: str) -> list[str]:
    return [text for _, text in re.findall(r"^(text-[0-9a-f]+)\n(.*?)\n\1$", prompt, re.S | re.M)]


REFERENCE = {
    "background": "Bees decline.",
    "method": "We count marked bees.",
    "result": "Hedges add 38% bees.",
    "conclusion": None,
}


CANDIDATE = {
    "background": "Bees matter.",
    "method": None,
    "result": "Hedges add bees.",
    "conclusion": "So plant hedges.",
}


def record(**summaries: dict[str, str | None]) -> dict:
    """A record with given facets, whose texts are the concatenated facets."""
    parts = {"abstract": REFERENCE, **{f"summary:{system}": parts for system, parts in summaries.items()}}
    whole = {name: " ".join(part for part in facets.values() if part) for name, facets in parts.items()}

    def extract(name: str, part: str | None) -> dict | None:
        if part is None:
            return None
        start = whole[name].index(part)
        return {"text": part, "spans": [{"in": name, "start": start, "end": start + len(part)}]}

    return {
        "id": "r",
        "abstract": whole["abstract"],
        "summaries": [
            {"system": name.removeprefix("summary:"), "text": text}
            for name, text in whole.items()
            if name != "abstract"
        ],
        "facets": [
            {"in": name, "by": "hand", **{facet: extract(name, part) for facet, part in facets.items()}}
            for name, facets in parts.items()
        ],
    }


def judged(model: Model, data: dict, examples=(), **settings) -> dict:
    return asyncio.run(facets(model.engine(**settings), data, examples))
