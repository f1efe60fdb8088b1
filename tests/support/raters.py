"""A model that rates: it reads what stands between the fences, and says the number that the text itself bears."""

from __future__ import annotations

import json
import re
from typing import Any

FENCED = re.compile(r"^(text-[0-9a-f]+)\n(.*?)\n\1$", re.S | re.M)
BEARS = re.compile(r"\[(\d)\]")


def is_asked(messages: list[dict[str, Any]]) -> bool:
    """Whether a prompt is one of st-judge rate or fit."""
    marks = (
        "Rating: N",
        "number alone",
        "Write down criteria",
        "Write the criteria anew",
        '"label"',
        "Write exactly",
        "Name exactly",
    )
    return any(mark in prompt_of(messages) for mark in marks)


def prompt_of(messages: list[dict[str, Any]]) -> str:
    return next(message["content"] for message in messages if message["role"] == "user")


def fenced(messages: list[dict[str, Any]]) -> list[str]:
    """The texts that a prompt quotes, in their order."""
    return [text for _, text in FENCED.findall(prompt_of(messages))]


def score_of(text: str, number: int = 0) -> int:
    """The score that a text bears, ``[2]``; of several the one with the number of the sample; else one of its length."""
    borne = BEARS.findall(text) or [str(1 + len(text) % 2)]
    return int(borne[number % len(borne)])


def rate(messages: list[dict[str, Any]], number: int) -> str:
    """The reply to any prompt of st-judge rate, for the sample of a number."""
    prompt = prompt_of(messages)
    if count := re.search(r"exactly (\d+) steps", prompt):
        return "\n".join(f"{n}. Look at part {n} of both texts." for n in range(1, int(count[1]) + 1))
    if count := re.search(r"exactly (\d+) parts", prompt):
        parts = [
            {"name": f"part {n}", "definition": f"How well part {n} is done."} for n in range(1, int(count[1]) + 1)
        ]
        return json.dumps({"parts": parts})
    if "Write down criteria" in prompt or "Write the criteria anew" in prompt:
        return f"Whether it is long. {len(prompt)}"
    if "each by itself" in prompt:
        score = min(score_of(fenced(messages)[-1], number), highest(prompt))
        return json.dumps({"scores": [{"label": part["label"], "score": score} for part in batch_of(prompt)]})
    if batch_of(prompt):
        return rate_batch(prompt)
    score = min(score_of(fenced(messages)[-1], number), highest(prompt))
    if "First write your analysis" in prompt:
        return f"The text says much of what the source says.\nRating: {score}"
    if "The first line of your reply" in prompt:
        return f"Rating: {score}\nIt says much of what the source says."
    return str(score) if "number alone" in prompt else f"Rating: {score}"


def batch_of(prompt: str) -> list[dict[str, Any]]:
    """The labelled texts of a prompt about several."""
    return [json.loads(line) for line in re.findall(r'^\{"label": .*\}$', prompt, re.M)]


def highest(prompt: str) -> int:
    """The highest score of the scale that a prompt names; 9 where it names none."""
    found = re.search(r"from\s[\d.]+\sto\s(\d+)", prompt)
    return int(found[1]) if found else 9


def rate_batch(prompt: str) -> str:
    """The scores of a batch, by label."""
    texts = batch_of(prompt)
    scores = [
        {"label": text["label"], "score": min(score_of(text["text"]), highest(prompt))} for text in reversed(texts)
    ]
    return json.dumps({"analysis": "They differ.", "scores": scores})


def questions(*texts: str, name: str = "p1", system: str = "s", **more: Any) -> dict[str, Any]:
    """A paper with questions of one system."""
    items = [{"id": f"q{place}", "text": text} for place, text in enumerate(texts, 1)]
    return {
        "id": name,
        "title": f"Bees of {name}",
        "abstract": f"Bees decline. Can hedges of {name} bring them back? We plant hedges.",
        "sections": [
            {"id": "s1", "heading": "Introduction", "level": 1, "role": "introduction", "text": f"{name}: why bees."}
        ],
        "generated": {"questions": [{"system": system, "items": items}]},
        **more,
    }
