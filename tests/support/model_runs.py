"""Runs of commands with a mock model."""

from __future__ import annotations

from support.run import jsonl

# Share of each fault of a server that fails like real ones.
FAULTS = {name: 0.05 for name in ("429", "500", "drop", "cut", "fence", "prose", "invalid", "empty")}
MODEL = ("--model", "openai/mock")


def papers(count: int) -> bytes:
    return jsonl(
        *(
            {"id": f"p{n}", "abstract": f"Paper {n} asks why. We do {n} things. They work. So do more."}
            for n in range(count)
        )
    )


FAULTS = {name: 0.05 for name in ("429", "500", "drop", "cut", "fence", "prose", "invalid", "empty")}
