"""Scores after a run in which every call failed: never a number of that run's system without a word on stderr."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from typing import Any

import click
import pytest
from support import claims, limits
from support.failed_runs import CASES, QUICK, UNSCORED, Case
from support.model_runs import MODEL
from support.run import Result, jsonl, st
from support.schema_replies import Drawing
from support.server import SENTENCE, Server, facets

from scholartools.commands.shared.man import load_command

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
