"""For each command and task that calls a model: a command line, its input, and the metrics of its results."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, NamedTuple

from support import everything
from support.claims import targeted
from support.raters import questions
from support.run import ROOT

Record = dict[str, Any]


def judged() -> Record:
    return everything.verified_record(1)


def paper() -> Record:
    """A paper with claims, weaknesses, their targets by "gold", limitations, and sections before its experiments."""
    record = targeted(json.loads((ROOT / "fixtures" / "claims.jsonl").read_text().splitlines()[0]))
    record["limitations"] = [
        {
            "id": "l1",
            "text": "Few raters.",
            "spans": [{"in": "more-limitation", "start": 0, "end": 11}],
            "origin": "author",
            "mode": "explicit",
            "by": "h",
        }
    ]
    record["experiments"] = [{"id": "x1", "text": "Count them."}, {"id": "x2", "text": "Count again."}]
    record["explanations"] = [{"id": "x1", "text": "To know."}, {"id": "x2", "text": "To be sure."}]
    texts = {
        "introduction": "Bees decline. Can hedges help?",
        "experiment": "We count. " * 9,
        "limitation": "Few raters.",
    }
    record["sections"] += [
        {"id": f"more-{role}", "heading": role.title(), "level": 1, "role": role, "text": text}
        for role, text in texts.items()
    ]
    return {**record, "gold": {**record["gold"], "limitations": record["limitations"]}}


def equations() -> Record:
    """A paper with one equation."""
    latex, text = "y = a + b c - \\frac{d}{e}", "Let $a b c d e$ be. "
    span = {"in": "s1", "start": len(text), "end": len(text) + len(latex)}
    section = {"id": "s1", "heading": "One", "level": 1, "role": "method", "text": f"{text}{latex} More of $y$."}
    return {"id": "p", "title": "T", "sections": [section], "equations": [{"id": "e1", "latex": latex, "span": span}]}


def question() -> Record:
    """A question with two options."""
    options = [{"id": f"o{n}", "latex": latex, "correct": not n, "origin": "paper"} for n, latex in enumerate("xy")]
    context = {"before": "We take", "after": "as is said.", "words": [2, 3], "masked": []}
    return {"id": "p#e1", "paper": "p", "context": context, "options": options, "order": ["o1", "o0"]}


class Case(NamedTuple):
    """A command line that calls a model, its input, the metrics of its results, and a command to run before these."""

    line: str
    make: Callable[[], Record]
    metrics: str
    between: str = ""


#: Cases by command and task, with the metrics that depend on the model's replies.
CASES = {
    "judge facets": Case("st-judge facets", judged, "facets"),
    "judge match": Case("st-judge match", judged, "match"),
    "judge entail": Case("st-judge entail", judged, "entail"),
    "judge equation": Case("st-judge equation", question, "equations"),
    "judge review": Case("st-judge review", judged, "review"),
    "judge rate": Case("st-judge rate --only problem", lambda: questions("Why? [2]", "Can it? [1]"), "rate"),
    "judge same-issue": Case("st-judge same-issue", judged, "same-issue"),
    "judge specificity": Case("st-judge specificity --targets gold", judged, "specificity"),
    "generate limitations": Case("st-generate limitations --system one", paper, "match", "st-judge match"),
    "generate weaknesses": Case("st-generate weaknesses --system one", paper, "soft"),
    "generate experiments": Case("st-generate experiments --system one", paper, "entail", "st-judge entail"),
    "generate explanations": Case("st-generate explanations --system one", paper, "entail"),
    "generate questions": Case(
        "st-generate questions --variant structured --system one", paper, "rate", "st-judge rate --baselines"
    ),
    "eqsynth questions": Case(
        "st-eqsynth questions --compile off", equations, "equations", "st-judge equation --system random"
    ),
    "claims extract": Case("st-claims extract --system one", paper, "spans"),
    "claims weaknesses": Case("st-claims weaknesses --rater one", paper, "weaknesses"),
    "claims associate": Case("st-claims associate --system one", paper, "targets"),
    "claims label": Case("st-claims label --edit --system one", paper, "edits"),
    "claims edit": Case("st-claims edit --system one", paper, "edits"),
    "claims verify": Case("st-claims verify --system one", paper, "verifications"),
    "claims contamination": Case("st-claims contamination --system one", paper, "contamination"),
    "facets": Case("st-facets", judged, "facets support"),
    "extract-limits": Case("st-extract-limits --reach paper", paper, "extraction"),
}
#: Tasks with a model that have no metric in st-score, with the reason.
UNSCORED = {
    "claims select": "it chooses reviews",
    "judge fit": "it chooses what st-judge rate asks",
}
QUICK = {"judge equation", "claims edit", "judge rate"}
