"""Scores after a run in which every call failed: never a number of that run's system without a word on stderr."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import click
import pytest
from support import claims, everything, limits
from support.claims import targeted
from support.model_runs import MODEL
from support.raters import questions
from support.run import ROOT, Result, jsonl, st
from support.schema_replies import Drawing
from support.server import SENTENCE, Server, facets

from scholartools.commands.shared.man import load_command

Record = dict[str, Any]


def judged() -> Record:
    return everything.verified_record(1)


def paper() -> Record:
    """A paper with targets of "gold", its own claims and weaknesses, and a text before its experiments."""
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
    """A paper of one equation."""
    latex, text = "y = a + b c - \\frac{d}{e}", "Let $a b c d e$ be. "
    span = {"in": "s1", "start": len(text), "end": len(text) + len(latex)}
    section = {"id": "s1", "heading": "One", "level": 1, "role": "method", "text": f"{text}{latex} More of $y$."}
    return {"id": "p", "title": "T", "sections": [section], "equations": [{"id": "e1", "latex": latex, "span": span}]}


def question() -> Record:
    """A question of two options."""
    options = [{"id": f"o{n}", "latex": latex, "correct": not n, "origin": "paper"} for n, latex in enumerate("xy")]
    context = {"before": "We take", "after": "as is said.", "words": [2, 3], "masked": []}
    return {"id": "p#e1", "paper": "p", "context": context, "options": options, "order": ["o1", "o0"]}


class Case(NamedTuple):
    """A line that asks a model, its input, what is run between it and the scores, and the metrics of its results."""

    line: str
    make: Callable[[], Record]
    metrics: str
    between: str = ""


#: By command and task; the metrics are those whose numbers are of what the model said.
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
#: Tasks of a model of which st-score gives no number, with the reason.
UNSCORED = {
    "claims select": "it chooses reviews",
    "judge fit": "it chooses what st-judge rate asks",
}
QUICK = {"judge equation", "claims edit", "judge rate"}
PARAMETERS = [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in CASES]
#: How every call fails: the server breaks, or says nothing of use.
FAILURES: dict[str, dict[str, Any]] = {
    "broken": {"status": 500, "body": {"error": {"message": "broken"}}},
    "useless": {"answer": lambda _: "I cannot say."},
}


def tasks_of_models() -> Iterator[str]:
    for command in ("judge", "generate", "claims", "eqsynth", "facets", "extract_limits"):
        main = load_command(command)
        for name, one in main.commands.items() if isinstance(main, click.Group) else [("", main)]:
            if any(option.name == "model" for option in one.params):
                yield f"{command.replace('_', '-')} {name}".strip()


def test_every_task_of_a_model_is_tried():
    assert {*tasks_of_models()} == CASES.keys() | UNSCORED.keys()


def model(name: str) -> dict[str, Any]:
    """A server that says something of use to the questions of a case."""
    if name.startswith("claims"):
        return {"answer": claims.answer}
    if name == "extract-limits":
        return {
            "answer": lambda messages: limits.items_of(("One", SENTENCE.search(limits.fenced(messages))[0].strip()))
        }
    if name == "generate questions":
        tags = "<problem>p</problem><method>m</method><question>Can p be solved by m?</question>"
        return {"answer": lambda _: f"<thinking>So.</thinking><research_question>{tags}</research_question>"}
    if name == "eqsynth questions":
        wrong = itertools.cycle(["y = a - b c - \\frac{d}{e}", "y = a + b c - \\frac{e}{d}"])
        return {"answer": lambda _: json.dumps({"latex": next(wrong), "change": "Another."})}
    return {"answer": facets} if name == "facets" else {"respond": Drawing(1)}


def run(case: Case, server: dict[str, Any], cache: Any) -> tuple[Result, bytes]:
    """The result of the line, and the records after what is run between it and the scores."""
    with Server(**server) as asked:
        env = {**asked.environment, "ST_CACHE": str(cache)}
        done = st(*case.line.split(), *MODEL, "--retries", "0", input=jsonl(case.make()), env=env, is_described=False)
        assert asked.requests
    return done, st(*case.between.split(), input=done.out, is_described=False).out if case.between else done.out


def numbers_in(result: Result) -> list[float]:
    """The values of scores, and the scores of rows."""
    entries = [one["values"] for record in result.records for one in record.get("scores") or ()]
    rows = [record["score"] for record in result.records if "score" in record]
    return [number for number in [*(v for one in entries for v in one.values()), *rows] if number is not None]


@pytest.mark.parametrize("name", PARAMETERS)
def test_no_number_after_a_run_that_failed_wholly_stands_without_a_word(tmp_path, name):
    case = CASES[name]
    done, sound = run(case, model(name), tmp_path / "sound")
    for metric in case.metrics.split():
        scored = st("st-score", metric, input=sound, is_described=False)
        assert done.status == 0 and scored.status == 0 and numbers_in(scored), (done.err, scored.err)
    for kind, server in FAILURES.items():
        done, failed = run(case, server, tmp_path / kind)
        assert done.status in (1, 4) and done.err, "the run says that it failed"
        for metric in case.metrics.split():
            for more in ((), ("--summary",), ("--table",)):
                scored = st("st-score", metric, *more, input=failed, is_described=False)
                if (name, kind) == ("judge equation", "useless"):  # what cannot be read counts as wrong, as published
                    assert b"unparsed" in scored.out
                    continue
                assert scored.err.startswith("st-score: "), (kind, more, scored.out)
                assert scored.status in (1, 3) or (scored.status == 0 and not failed) or metric == "rate", scored.err
                if metric == "rate" and not more:
                    assert not numbers_in(scored)
