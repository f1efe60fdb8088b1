"""A mock model for the actions of st-claims and its judges."""

from __future__ import annotations

import json
import re

TYPES = ("insufficient", "contradictory", "novelty", "clarity", "related_work", "other")
SENTENCE = re.compile(r"[^.!?\n]+[.!?]")
NUMBERED = re.compile(r'^(\d+): (".*")$', re.M)


def prompt_of(messages: list[dict]) -> str:
    """Text of the user's message, without pictures."""
    content = next(message["content"] for message in messages if message["role"] == "user")
    return content if isinstance(content, str) else content[0]["text"]


def fenced(prompt: str, word: str = "text") -> list[str]:
    return [hit[2] for hit in re.finditer(rf"^({word}-[0-9a-f]+)\n(.*?)\n\1$", prompt, re.S | re.M)]


def answer(messages: list[dict]) -> str:
    """Reply of the mock to each action: sentences of the prompt's text, the first claim of a list, medium values."""
    prompt = prompt_of(messages)
    if "Find every scientific claim" in prompt:
        sentences = [one.strip() for one in SENTENCE.findall(fenced(prompt)[1])]
        return json.dumps({"claims": [*sentences[::2], "Nothing of the kind stands in the paper at all."]})
    if "dispute a claim or a result" in prompt:
        lines = [line.strip("- ") for line in fenced(prompt)[1].splitlines() if "claim" in line or "not" in line]
        return json.dumps({"weaknesses": [{"quote": line, "groundedness": 4} for line in lines]})
    if "Which claims are targets" in prompt:
        listed = [(int(number), json.loads(text)) for number, text in NUMBERED.findall(prompt)]
        number, text = listed[0]
        return json.dumps({"reasoning": "r", "targets": [{"number": number, "text": text}], "custom": None})
    if "Do the two raise the same issue" in prompt:
        return json.dumps({"verdict": "similar"})
    if "more specific feedback" in prompt:
        return json.dumps({"more_specific": "first"})
    if "Go on from exactly where" in prompt:
        return json.dumps({"continuation": "It is all well known, is it not?"})
    if "broadly about" in prompt:
        return json.dumps({"relevant": "rain" in prompt})
    return assessed(prompt)


def targeted(record: dict, n: int = 2) -> dict:
    """A record of the fixture with its gold claims, its first ``n`` gold weaknesses, and their targets by "gold"."""
    keys = ("id", "review", "text", "spans", "groundedness")
    weaknesses = [{key: one[key] for key in keys} for one in record["gold"]["weaknesses"][:n]]
    texts = {claim["id"]: claim for claim in record["gold"]["claims"]}
    for weakness, gold in zip(weaknesses, record["gold"]["weaknesses"]):
        items = [
            {"claim": name, "custom": False, "text": texts[name]["text"], "spans": texts[name]["spans"]}
            for name in gold["targets"]
        ]
        weakness["targets"] = [{"system": "gold", "by": "anna", "items": items}]
    claims = [{**claim, "by": "anna"} for claim in record["gold"]["claims"]]
    return {**record, "claims": claims, "weaknesses": weaknesses}


def is_asked(messages: list[dict]) -> bool:
    """Whether the prompt is one of st-claims or of its judges."""
    asked = (
        '{"claims": [',
        '{"weaknesses": [{',
        '"targets": [{"number"',
        '"reasoning_',
        '"types": {',
        '"reasoning": "..."',
        '{"continuation"',
    )
    return any(form in prompt_of(messages) for form in (*asked, '{"verdict"', '{"more_specific"', '{"relevant": true'))


def assessed(prompt: str) -> str:
    types = {name: name == "insufficient" for name in TYPES}
    if "What is wrong with this claim" in prompt or "Say in full" in prompt:
        quote = SENTENCE.search(fenced(prompt, "paper")[0])[0].strip()
        evidence = [{"paper": 0, "label": "text_0", "quote": quote}]
        said = {"evidence": evidence, "reasoning": "By <text_0> it is too little."}
        return json.dumps({"types": types, **said} if "What is wrong" in prompt else said)
    labels = {"reasoning_objectivity": "a", "objectivity": 4, "reasoning_agreement": "b", "agreement": 2}
    labels |= {"reasoning_types": "c", "types": types}
    edit = {"reasoning_edit": "d", "edited": "Table 9 should say more."}
    if '"objectivity": 3' not in prompt:
        return json.dumps(edit)
    return json.dumps(labels | edit if "edited" in prompt else labels)
