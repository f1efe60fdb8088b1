"""Papers and reviews with limitations."""

from __future__ import annotations

import json
import re

from support.server import SENTENCE

PAPER_TEXT = "Our sample is small. It comes from one school. We tested nouns only, which may matter. We are glad."


REVIEW_TEXT = "Weaknesses:\nOnly one school took part. The statistics are wrong."


def section(text: str, heading: str = "Limitations", role: str = "limitation", id: str = "s1") -> dict:
    return {"id": id, "number": None, "heading": heading, "level": 1, "role": role, "pages": [], "text": text}


def review(text: str = REVIEW_TEXT, id: str = "r1") -> dict:
    return {"id": id, "text": text}


def paper(*reviews: dict, text: str = PAPER_TEXT, id: str = "p", **more) -> dict:
    return {"id": id, "sections": [section(text)], "reviews": list(reviews), **more}


def fenced(messages) -> str:
    """Text between the two lines of the fence in a prompt."""
    prompt = messages[-1]["content"] if len(messages) == 2 else messages[1]["content"]
    [(_, text)] = re.findall(r"^(text-[0-9a-f]+)\n(.*?)\n\1$", prompt, re.S | re.M)
    return text


def items_of(*quoted) -> str:
    return json.dumps({"limitations": [{"title": title, "quotes": list(quotes)} for title, *quotes in quoted]})


def is_merge(messages) -> bool:
    return '"groups"' in messages[1]["content"]


def sentences(messages) -> str:
    """Reply with one limitation per sentence; to a request to merge items, merge the first two."""
    if is_merge(messages):
        return json.dumps({"groups": [[1, 2]] if fenced(messages).count("\n") else []})
    return items_of(*(("A title", one.strip()) for one in SENTENCE.findall(fenced(messages))))
