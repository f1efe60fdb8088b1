"""AAAR-1.0 on made data: what is true of plans, explanations, lists of weaknesses and reviews; the models and the people.

Three models answer, which err at rates of their own; a fourth judges.
"""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Callable
from typing import Any, NamedTuple

from sources import Experiment, equations, experiments, leaks, sources
from world import Paper, draw, papers, said, weaknesses


class Rates(NamedTuple):
    """How often a model errs about equations and reviews, names an experiment or a weakness, explains rightly."""

    errs: float
    finds: float
    explains: float


MODELS = {"made-small": Rates(0.4, 0.3, 0.3), "made-middle": Rates(0.3, 0.5, 0.6), "made-large": Rates(0.15, 0.7, 0.9)}
#: How often the judge of plans errs, and which part of the segments of reviews is deficient.
JUDGE_ERRS, DEFICIENT = 0.1, 0.3
LEVELS = {"A": 30, "B": 45, "C": 25}
N_NOVEL = 2
_FENCED = re.compile(r"^(text-[0-9a-f]+|paper-[0-9a-f]+)\n(.*?)\n\1$", re.S | re.M)


def fenced(prompt: str) -> list[str]:
    """The texts that a prompt shows."""
    return [text for _, text in _FENCED.findall(prompt)]


def rows(text: str) -> list[dict[str, Any]]:
    """The JSON objects of a list in a prompt."""
    return [json.loads(line) for line in text.splitlines() if line.startswith("{")]


def is_hit(share: float, *about: Any) -> bool:
    return draw(*about).random() < share


def paper_in(text: str) -> Paper:
    return next(one for one in papers() if re.search(rf"\b{one.name}\b", text))


def squeezed(latex: str) -> str:
    return re.sub(r"\s+", "", latex)


@functools.cache
def right_equations() -> set[str]:
    return {squeezed(one) for paper in sources() for one in equations(paper)}


def check_equation(prompt: str, model: str) -> Any:
    latex = fenced(prompt)[1]
    errs = is_hit(MODELS[model].errs, "equation", model, latex)
    return {"correct": (squeezed(latex) in right_equations()) != errs}


def find_leaks(prompt: str, _: str) -> Any:
    known = {one for paper in sources() for one in leaks(paper)}
    return {"leaking": [one["number"] for one in rows(fenced(prompt)[0]) if one["text"].strip() in known]}


@functools.cache
def plans(model: str) -> dict[str, Experiment | None]:
    """What a model plans, by its words: an experiment of the paper, or one that is new."""
    made: dict[str, Experiment | None] = {}
    for paper in sources():
        for number, one in enumerate(experiments(paper), 1):
            if is_hit(MODELS[model].finds, "plans", model, one.text):
                made[f"Put point {number} of {paper.name} to the test, as {model} would."] = one
        for number in range(N_NOVEL):
            made[f"Look at states of {paper.name} in the manner {number + 1} of {model}."] = None
    return made


def necessity(text: str) -> str:
    """How far a paper truly needs a plan of :func:`plans`."""
    return str(draw("level", text).choices(list(LEVELS), list(LEVELS.values()))[0])


def plan(prompt: str, model: str) -> Any:
    name = paper_in(fenced(prompt)[0]).name
    return {"experiments": [{"text": one} for one in plans(model) if f" of {name} " in one or f" {name}," in one]}


def entail(prompt: str, _: str) -> Any:
    """Whether the one experiment is in the list: a plan in people's, or one of people's in a list of plans."""
    listed, item = (rows(text) for text in fenced(prompt))
    known = {text: one.text for model in MODELS for text, one in plans(model).items() if one}
    others = {known.get(one["text"], one["text"]) for one in listed}
    text = item[0]["text"]
    errs = is_hit(JUDGE_ERRS, "judges", text, *sorted(one["text"] for one in listed))
    return {"entailed": (known.get(text, text) in others) != errs}


def explanation(of: Experiment, model: str, layout: str) -> str:
    """What a model says of an experiment: its reason in a few other words, or a phrase."""
    if is_hit(MODELS[model].explains, "explains", model, layout, of.text):
        return f"{of.why} So says {model}, by {layout}."
    return f"It is usual to do so, as {model} says by {layout} of the {of.heading.lower()}."


@functools.cache
def by_text() -> dict[str, Experiment]:
    return {one.text: one for paper in sources() for one in experiments(paper)}


def explain(prompt: str, model: str) -> Any:
    """Of one experiment, or of a list of them."""
    listed = rows(fenced(prompt)[1])
    made = [explanation(by_text()[one["text"]], model, "list" if "id" in one else "each") for one in listed]
    if "id" not in listed[0]:
        return {"explanation": made[0]}
    return {"explanations": [{"id": one["id"], "text": text} for one, text in zip(listed, made, strict=True)]}


def remark(paper: Paper) -> str:
    """What every model says of every part of a paper."""
    return f"A stronger baseline than those of {paper.name} is missing."


def found(paper: Paper, model: str) -> list[str]:
    """The weaknesses of reviews that a model names too."""
    named = [one for review in paper.reviews for one in review.weaknesses]
    return [f"As I see it: {one.text}" for one in named if is_hit(MODELS[model].finds, "finds", model, one.text)]


def find_weaknesses(prompt: str, model: str) -> Any:
    """Those that fall to the part of the paper, and the remark."""
    paper = paper_in(fenced(prompt)[0])
    part, of = map(int, re.search(r"part (\d+) of (\d+) of a paper", prompt).groups())  # type: ignore[union-attr]
    own = [one for place, one in enumerate(found(paper, model)) if place % of == part - 1]
    return {"weaknesses": [{"text": one} for one in [*own, remark(paper)]]}


def merge(prompt: str, _: str) -> Any:
    numbers: dict[str, list[int]] = {}
    for one in rows(fenced(prompt)[0]):
        numbers.setdefault(one["text"], []).append(one["number"])
    return {"weaknesses": [{"text": text, "drafts": ones} for text, ones in numbers.items()]}


def reflect(prompt: str, _: str) -> Any:
    return {"weaknesses": [{"text": one["text"]} for one in rows(fenced(prompt)[1])]}


def copy_weaknesses(prompt: str, _: str) -> Any:
    """Every point of a review that is known, word for word."""
    text = fenced(prompt)[1]
    known = sorted((one for one in weaknesses() if one in text), key=text.index)
    return {"weaknesses": [{"quote": one, "groundedness": None} for one in known]}


def is_deficient(segment: str) -> bool:
    return is_hit(DEFICIENT, "deficient", segment.strip())


def why_deficient(segment: str) -> str:
    return f"Nothing in the paper bears out what it says: {segment.strip()[:40]}"


def label_segments(prompt: str, model: str) -> Any:
    made = []
    for one in rows(fenced(prompt)[1]):
        deficient = is_deficient(one["text"]) != is_hit(MODELS[model].errs, "labels", model, one["text"])
        told = why_deficient(one["text"]) if deficient else ""
        made.append({"id": one["id"], "reliable": not deficient, "explanation": told})
    return {"segments": made}


def select_segments(prompt: str, model: str) -> Any:
    chosen = [
        one
        for one in rows(fenced(prompt)[1])
        if is_deficient(one["text"]) != is_hit(MODELS[model].errs, "selects", model, one["text"])
    ]
    return {"deficient": [{"id": one["id"], "explanation": why_deficient(one["text"])} for one in chosen]}


#: By words of the prompt that no other has; a model that this file does not name answers none of them.
ANSWERS: dict[str, Callable[[str, str], Any]] = {
    "An equation stands at one place of a paper": check_equation,
    "Which of them give away the paper's own experiments": find_leaks,
    "Plan the experiments that its claims call for": plan,
    "Is the one covered by the list?": entail,
    "The authors make this experiment": explain,
    "The authors make these experiments": explain,
    "drafted a list of its weaknesses": reflect,
    "Several reviewers read the same text": merge,
    "Name the weaknesses that you would tell": find_weaknesses,
    "Find all weaknesses that the review sees": copy_weaknesses,
    "Judge every segment. Give each id": label_segments,
    "Name the deficient segments, and no others": select_segments,
}
#: Of the model that judges the plans of the others, and copies the points of reviews.
OF_JUDGE = {words: one for words, one in ANSWERS.items() if one in (entail, copy_weaknesses)}


def text_of(row: dict[str, Any], part: str) -> str:
    return str(next(one["text"] for one in row["shown"] if one["name"] == part))


def write_experiments(row: dict[str, Any], _: str) -> dict[str, Any]:
    """What a section reports; people discussed it until they agreed."""
    text = text_of(row, "section")
    own = [one for one in by_text().values() if one.report in text]
    if not own:
        return {"reports": False}
    return {
        "reports": True,
        "experiment": "\n".join(one.text for one in own),
        "explanation": "\n".join(one.why for one in own),
    }


def rate_necessity(row: dict[str, Any], rater: str) -> dict[str, Any]:
    text = text_of(row, "experiment")
    fresh = str(draw("fresh level", rater, text).choices(list(LEVELS), list(LEVELS.values()))[0])
    return {"necessity": said(rater, text, "necessity", necessity(text), fresh)}


def is_acceptable(text: str) -> bool:
    return not text.startswith("It is usual")


def accept(row: dict[str, Any], rater: str) -> dict[str, Any]:
    """Who errs says what is so as often as it is of the model's explanations."""
    text = text_of(row, "explanation")
    model = re.search(r"made-\w+", text)[0]  # type: ignore[index]
    fresh = is_hit(MODELS[model].explains, "fresh acceptance", rater, text)
    return {"acceptable": said(rater, text, "acceptable", is_acceptable(text), fresh)}


def label_deficient(row: dict[str, Any], rater: str) -> dict[str, Any]:
    segment = text_of(row, "segment")
    fresh = is_hit(DEFICIENT, "fresh deficiency", rater, segment)
    deficient = said(rater, segment.strip(), "deficient", is_deficient(segment), fresh)
    return {"deficient": deficient} | ({"explanation": why_deficient(segment)} if deficient else {})


FILL = {
    "experiments": write_experiments,
    "novel-experiments": rate_necessity,
    "explanations": accept,
    "segment-labels": label_deficient,
}
