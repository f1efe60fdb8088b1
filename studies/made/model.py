"""A model that is simulated: it knows what is true of the made papers, and errs at a known rate.

It is told a question in the words of the prompts, and finds in them the texts that it knows.
"""

from __future__ import annotations

import json
import re
from typing import Any

import aaar
from aaar import fenced
from people import target_of
from support import raters
from support.server import completion
from world import (
    FACETS,
    KNOWS,
    TYPES,
    Weakness,
    claims,
    draw,
    facet_rated,
    facet_sentences,
    findings,
    labels_from,
    limitations,
    named_limitations,
    papers,
    question,
    questions,
    rated,
    review_text,
    said,
    summaries,
    weaknesses,
)

NUMBERED = re.compile(r'^(\d+): (".*")$', re.M)
JSON_TEXT = re.compile(r'^(".*")$', re.M)
#: How often the model's own criticism of a claim is the reviewer's (as in CLAIMCHECK 4.2).
SAME = {"same": 0.07, "similar": 0.2, "different": 0.73}


def prompt_of(body: dict[str, Any]) -> str:
    content = next(one["content"] for one in body["messages"] if one["role"] == "user")
    return content if isinstance(content, str) else "\n".join(part.get("text", "") for part in content)


def extract(prompt: str, _: Any) -> Any:
    """The claims of a piece, and a set-up that is none where there is one."""
    text = fenced(prompt)[1]
    found = [one for one in claims() if one in text]
    set_up = re.search(r"We collect \d+[^.]*\.", text)
    return {"claims": [*sorted(found, key=text.index), *([set_up[0]] if set_up else [])]}


def weakness_in(prompt: str) -> Weakness:
    return next(weaknesses()[text] for text in reversed(fenced(prompt)) if text in weaknesses())


def associate(prompt: str, run: Any) -> Any:
    chosen = target_of(weakness_in(prompt), "model", "targets", run)
    listed = {json.loads(text): int(number) for number, text in NUMBERED.findall(prompt)}
    targets = [{"number": listed[chosen], "text": chosen}] if chosen in listed else []
    return {"reasoning": "Made.", "targets": targets, "custom": None if targets else chosen}


def label(prompt: str, run: Any) -> Any:
    weakness = weakness_in(prompt)
    fresh = labels_from(draw("fresh", "model", weakness.text, run))
    made = {name: said("model", weakness.text, name, weakness.labels[name], fresh[name], run) for name in fresh}
    types = {name: name in made["types"] for name in TYPES}
    reasons = {f"reasoning_{name}": "Made." for name in ("objectivity", "agreement", "types")}
    rated = {"objectivity": made["objectivity"], "agreement": made["agreement"], "types": types}
    return {**reasons, **rated, **(edit(prompt, run) if "reasoning_edit" in prompt else {})}


def edit(prompt: str, _: Any) -> Any:
    return {
        "reasoning_edit": "Made.",
        "edited": f"{weakness_in(prompt).text} The authors should say where they show it.",
    }


def verify(prompt: str, run: Any) -> Any:
    """What the model itself holds against a claim: words that name the claim, and evidence that stands in the paper."""
    claim = json.loads(JSON_TEXT.findall(prompt)[-1])
    types = {name: name == draw("fault", claim, run).choice(list(TYPES)) for name in TYPES}
    said_of = f"By <text_0> it is too little to say: {claim}"
    return {"types": types, "evidence": [{"paper": 0, "label": "text_0", "quote": claim}], "reasoning": said_of}


def distil(prompt: str, _: Any) -> Any:
    claim = json.loads(JSON_TEXT.findall(prompt)[-1])
    number = sum(map(ord, weakness_in(prompt).text))
    return {
        "evidence": [{"paper": 0, "label": "text_0", "quote": claim}],
        "reasoning": f"By <text_0> nothing but one run stands behind this (made issue {number}).",
    }


def same_issue(prompt: str, _: Any) -> Any:
    """Between reviewer and model by the shares above; between two of reviewers (the controls) what is true."""
    _, first, second = fenced(prompt)
    if "made issue" in first and "made issue" in second:
        return {"verdict": "same" if first == second else "different"}
    return {"verdict": draw("same", *sorted(fenced(prompt))).choices(list(SAME), list(SAME.values()))[0]}


_ASPECT = re.compile(r"\b(?:aspect alone|one aspect|field|judged for|score for|aspect)[:\s]+\"?(problem|method|type)\b")


def write_question(prompt: str, _: Any) -> str:
    text = fenced(prompt)[0]
    paper = next(one for one in papers() if one.name in text)
    if "<elements>" in prompt:
        made = question(paper, "structured")
        parts = f"<problem>few labels</problem><method>{paper.name}</method><question>{made}</question>"
        return f"<thinking>Made.</thinking><research_question>{parts}</research_question>"
    return question(paper, "format" if "Can PROBLEM be solved" in prompt else "plain")


def judge(body: dict[str, Any]) -> str:
    """The reply to a prompt of st-judge rate or fit, by the rater of the tests, with scores of our own."""
    prompt = prompt_of(body)
    found = _ASPECT.search(prompt)
    run = (prompt[:30], prompt.splitlines()[-1][:40], body.get("seed"))  # methods err apart, and so do runs

    def score(text: str, _: int = 0) -> int:
        return rated("model", text, found[1], run) if found and text in questions() else 1

    raters.score_of = score
    return raters.rate(body["messages"], 0)


def label_facets(prompt: str, _: Any) -> Any:
    """The sentences of a text by their facet."""
    text, made = fenced(prompt)[0], dict[str, list[str]]((facet, []) for facet in FACETS)
    for sentence, (facet, _rating) in facet_sentences().items():
        if sentence in text:
            made[facet].append(sentence)
    return made


def rate_facet(prompt: str, _: Any) -> Any:
    return {"rating": facet_rated("model", fenced(prompt)[-1])}


def rate_summary(prompt: str, _: Any) -> Any:
    """A rating of the whole, which errs as often as one of a facet does."""
    one = summaries()[fenced(prompt)[-1]]
    truth = min(4, 1 + one.overall // 25)
    return {"rating": said("model", one.text, "whole", truth, draw("whole", one.text).randint(1, 4))}


def mark_weaknesses(prompt: str, _: Any) -> Any:
    """The weaknesses of a review, word for word."""
    text = fenced(prompt)[1]
    found = [one for one in weaknesses() if one in text and not one.startswith("Some symbols")]
    return {"weaknesses": [{"quote": one, "groundedness": 4} for one in sorted(found, key=text.index)]}


def find_weaknesses(prompt: str, _: Any) -> Any:
    """What the model itself holds against the paper that it reads."""
    text = fenced(prompt)[0]
    paper = next(one for one in papers() if f"We present {one.name}," in text)
    return {"weaknesses": [{"text": one} for one in findings() if f"of {paper.name} " in one]}


def match(prompt: str, _: Any) -> Any:
    """Which of a list say the same as one statement; which of the two stands first differs."""
    listed, one = sorted(fenced(prompt), key=lambda text: not NUMBERED.search(text))
    lines = [json.loads(text) for _, text in NUMBERED.findall(listed)]
    alike = [n for n, other in enumerate(lines, 1) if other in (one, same_as(one)) or same_as(other) == one]
    return {"matches": alike}


def go_on(prompt: str, _: Any) -> Any:
    """How a review goes on, where the model knows it by heart; else words that fit any."""
    beginning = fenced(prompt)[0].partition("\n\n")[2]
    texts = [review_text(review) for paper in papers() for review in paper.reviews]
    known = next((text for text in texts if text.startswith(beginning)), None)
    if known and draw("knows", known).random() < KNOWS:
        return {"continuation": known[len(beginning) :].strip()}
    return {"continuation": "I would have liked to see more of everything, and less of the rest."}


def find_limitations(prompt: str, _: Any) -> Any:
    """The limitations that stand in a passage of a paper or a review."""
    text = fenced(prompt)[0]
    found = sorted({one for known in limitations().values() for one in known if one in text}, key=text.index)
    return {"limitations": [{"title": "made limitation", "quotes": [one]} for one in found]}


def name_limitations(prompt: str, _: Any) -> Any:
    """What a model says that the limitations of a paper are; what stands between its sentences tells the paper."""
    text, way = fenced(prompt)[0], "related" if "Passages from related papers" in prompt else "plain"
    name = next(one.name for one in papers() if re.search(rf"\b{one.name}\b", text))
    own = [one for one in named_limitations(way) if re.search(rf"\b{name}\b", one)]
    more = {"passages": []} if way == "related" else {}
    return {"limitations": [{"heading": "A made limitation", "text": one, **more} for one in own]}


def same_as(text: str) -> str | None:
    """The sentence of a reviewer or an author that says the same."""
    ways = (findings(), *map(named_limitations, ("plain", "related")))
    return next((way[text] for way in ways if text in way), None)


#: By words of the prompt that no other has.
ANSWERS = {
    "in which its authors speak of limitations": find_limitations,
    "stands a review of a paper, or a part of one": find_limitations,
    "stand numbered limitations of one paper": lambda prompt, _: {"groups": []},
    "Name the limitations of the work that follow": name_limitations,
    "Name the limitations of the paper.": name_limitations,
    "rate its relevance": lambda prompt, _: {"relevance": 9},
    "Rate its relevance": lambda prompt, _: {"relevance": 9},
    "Find the passages of the review that dispute": mark_weaknesses,
    "Name the weaknesses that you would tell": find_weaknesses,
    '{"matches": [N, ...]}': match,
    "Go on from exactly where": go_on,
    "Sort the text between the two lines": label_facets,
    "Each passage stands between two lines": rate_facet,
    "Each abstract stands between two lines": rate_summary,
    "Find every scientific claim": extract,
    "Which claims are targets": associate,
    "Label the weakness": label,
    "Rewrite the weakness": edit,
    "What is wrong with this claim?": verify,
    "Say in full what the weakness holds": distil,
    "Do the two raise the same issue": same_issue,
    "research question does this paper answer": write_question,
    "State the research question of this paper": write_question,
    "Find out which research question": write_question,
}


def respond(body: dict[str, Any], _: int) -> tuple[int, Any, dict[str, str]]:
    """The whole answer to a request; runs differ by their seed."""
    prompt = prompt_of(body)
    if raters.is_asked(body["messages"]):
        answer: Any = judge(body)
    else:
        is_one_of_three = body["model"] in aaar.MODELS
        known: dict[str, Any] = aaar.ANSWERS if is_one_of_three else ANSWERS | aaar.OF_JUDGE
        made = next((one for words, one in known.items() if words in prompt), None)
        if made is None:
            return 400, {"error": {"message": "the made model knows no such question"}}, {}
        answer = made(prompt, body["model"] if is_one_of_three else body.get("seed"))
    text = answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False)
    reply, n = completion(text, "stop"), body.get("n", 1)
    reply["choices"] = [{**reply["choices"][0], "index": place} for place in range(n)]
    words = [len(prompt) // 4, n * len(text) // 4]
    reply["usage"] = {"prompt_tokens": words[0], "completion_tokens": words[1], "total_tokens": sum(words)}
    return 200, reply, {}
