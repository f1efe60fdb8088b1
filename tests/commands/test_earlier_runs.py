"""What a run gives does not depend on what an earlier run left under the same names, whatever of it fails."""

from __future__ import annotations

import copy

import pytest
from support import everything
from support.model_runs import MODEL
from support.raters import questions
from support.run import jsonl, st
from support.schema_replies import Drawing
from support.server import Server

#: Questions that bear the scores a model may give them.
RATED = questions("Why? [2] [0] [1]", "Can it? [1] [2]", "Is it? [0] [1] [2]", "How? [2] [0]")


def judged() -> dict:
    return everything.verified_record(1)


def question() -> dict:
    """A question of two options."""
    options = [{"id": f"o{n}", "latex": latex, "correct": not n, "origin": "paper"} for n, latex in enumerate("xy")]
    context = {"before": "We take", "after": "as is said.", "words": [2, 3], "masked": []}
    return {"id": "p#e1", "paper": "p", "context": context, "options": options, "order": ["o1", "o0"]}


def paper() -> dict:
    """A paper with experiments, and a text before the first of them."""
    texts = {"introduction": "Bees decline. Can hedges help?", "method": "We plant hedges.", "experiment": "We count."}
    sections = [
        {"id": f"s{n}", "heading": role.title(), "level": 1, "role": role, "text": text}
        for n, (role, text) in enumerate(texts.items())
    ]
    wanted = [{"id": "x1", "text": "Count them."}, {"id": "x2", "text": "Count again."}]
    return {
        "id": "p",
        "title": "Bees",
        "abstract": "Bees decline.",
        "sections": sections,
        "experiments": wanted,
        "limitations": [],
    }


# The command, its record, the key and task of what it makes; whether an earlier run was by the built-in method.
CASES = {
    "facets": (["st-judge", "facets"], judged, "judgements.facets", True),
    "vanilla": (["st-judge", "facets", "--vanilla"], judged, "judgements.vanilla", False),
    "match": (["st-judge", "match"], judged, "judgements.match", True),
    "entail": (["st-judge", "entail"], judged, "judgements.entail", True),
    "equation": (["st-judge", "equation"], question, "judgements.equation", False),
    "review": (["st-judge", "review"], judged, "judgements.review", False),
    "same-issue": (["st-judge", "same-issue"], judged, "judgements.same_issue", False),
    "specificity": (["st-judge", "specificity", "--targets", "gold"], judged, "judgements.specificity", False),
    "rate": (["st-judge", "rate", "--only", "problem", "--temperature", "1"], lambda: RATED, "judgements.rate", False),
    "experiments": (["st-generate", "experiments"], paper, "generated.experiments", False),
    "explanations": (["st-generate", "explanations"], paper, "generated.explanations", False),
    "weaknesses": (["st-generate", "weaknesses", "--system", "m"], paper, "generated.weaknesses", False),
    "limitations": (["st-generate", "limitations", "--system", "m"], paper, "generated.limitations", False),
    "questions": (
        ["st-generate", "questions", "--variant", "plain", "--system", "m"],
        paper,
        "generated.questions",
        False,
    ),
}
#: What fails of the later run: nothing, some of it, all.
LOST = (0.0, 0.4, 1.0)
QUICK = {"entail", "equation", "experiments"}
PARAMETERS = [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in CASES]


def run(line, record, more, model: Drawing, cache) -> dict:
    with Server(respond=model) as server:
        env = {**server.environment, "ST_CACHE": str(cache)}
        done = st(*line, *MODEL, *more, "--retries", "0", input=jsonl(record), env=env, is_described=False)
    assert done.status in (0, 1), done.err
    assert model.lost or done.status == 0, done.err
    return done.records[0]


def at(record: dict, path: str):
    key, task = path.split(".")
    return (record.get(key) or {}).get(task)


@pytest.mark.parametrize("name", PARAMETERS)
def test_what_an_earlier_run_left_is_in_no_later_result(tmp_path, name):
    line, make, path, is_builtin = CASES[name]
    earlier = [run(line, make(), ("--samples", "3"), Drawing(1), tmp_path / "earlier")]
    if is_builtin:
        earlier += st(*line, input=jsonl(make()), is_described=False).records
    assert all(at(one, path) for one in earlier)
    for lost in LOST:
        cache = tmp_path / f"later {lost}"
        fresh = run(line, make(), ("--samples", "2"), Drawing(2, lost), cache)
        for before in earlier:
            after = run(line, copy.deepcopy(before), ("--samples", "2"), Drawing(2, lost), cache)
            assert at(after, path) == at(fresh, path) != at(before, path)
            assert after.get("rejected") == fresh.get("rejected")
            assert after.get("errors") == fresh.get("errors")
