"""Two results of one signature are the same result: every option of a command is varied, on an input where it bites."""

from __future__ import annotations

import copy
import json
import re

import click
import pytest
from support.claims import SENTENCE, answer, fenced, targeted
from support.model_runs import MODEL
from support.pictures import png
from support.pictures import prompt_of as shown_prompt
from support.raters import questions, rate
from support.run import ROOT, jsonl, st
from support.server import Server

from scholartools.commands.shared.man import load_command

#: Options of all commands, and of how a model is asked, which say where, when and how fast; and how the input is read.
ELSEWHERE = {
    "help", "version", "output", "quiet", "on_error", "jobs", "progress", "chunk", "concurrency", "timeout", "retries",
    "max_cost", "max_calls", "dry_run", "replay", "no_cache", "refresh", "cache_namespace", "prompt_dir", "model",
    "response_format", "single_calls", "max_seconds", "max_memory", "input_format", "map",
}  # fmt: skip
CLAIMS = [json.loads(line) for line in (ROOT / "fixtures" / "claims.jsonl").read_text().splitlines()]
SUMMARIES = [json.loads((ROOT / "fixtures" / "summaries.jsonl").read_text().splitlines()[0])]


def illustrated(folder) -> dict:
    """A paper with claims, weaknesses, targets of two systems, and two pictures that its text names."""
    record = copy.deepcopy(targeted(CLAIMS[0], 2))
    record["captions"] = []
    for number in (1, 2):
        (folder / f"{number}.png").write_bytes(png(number))
        record["captions"].append({
            "id": f"figure{number}", "kind": "figure", "label": f"Figure {number}", "text": f"Figure {number}: It.",
            "page": 1, "image": str(folder / f"{number}.png"),
        })  # fmt: skip
    record["sections"] = [
        {**one, "text": f"{one['text']} See Figures 1 and 2."} if n == 0 else one
        for n, one in enumerate(record["sections"])
    ]
    return record


def say(messages: list[dict]) -> str:
    """What the model says to whatever is asked here."""
    prompt = shown_prompt(messages)
    if '{"background"' in prompt:
        first = SENTENCE.search(fenced(prompt)[0])[0].strip()
        return json.dumps({"background": [first], "method": ["It is not so."], "result": [], "conclusion": []})
    if '"groups"' in prompt:
        return json.dumps({"groups": [[1, 2]]})
    if re.search(r'"weaknesses": \[\{"text"', prompt):
        drafts = {"drafts": [1]} if '"drafts"' in prompt else {}
        return json.dumps({"weaknesses": [{"text": f"Weak {len(prompt)}.", **drafts}, {"text": "None.", **drafts}]})
    if "Rating: N" in prompt or "number alone" in prompt or "Write exactly" in prompt:
        return rate(messages, 0)
    return answer(messages)


RATE = ("st-judge", "rate", "--only", "problem", *MODEL)
#: Each command with the options that make the others bite, and its input.
CASES: dict[str, tuple[tuple[str, ...], str]] = {
    "claims extract": (("st-claims", "extract", *MODEL), "illustrated"),
    "claims weaknesses": (("st-claims", "weaknesses", *MODEL), "illustrated"),
    "claims associate": (("st-claims", "associate", "--system", "two", *MODEL), "illustrated"),
    "claims label": (("st-claims", "label", "--edit", *MODEL), "illustrated"),
    "claims edit": (("st-claims", "edit", *MODEL), "illustrated"),
    "claims verify": (("st-claims", "verify", *MODEL), "illustrated"),
    "claims extract alone": (("st-claims", "extract"), "illustrated"),
    "claims weaknesses alone": (("st-claims", "weaknesses"), "illustrated"),
    "claims associate alone": (("st-claims", "associate", "--system", "b"), "illustrated"),
    "claims label alone": (("st-claims", "label"), "illustrated"),
    "generate weaknesses": (("st-generate", "weaknesses", "--images", "figures,tables", *MODEL), "illustrated"),
    "judge rate": (RATE, "questions"),
    "judge rate by geval": ((*RATE, "--method", "geval"), "questions"),
    "facets": (("st-facets", *MODEL), "summaries"),
    "extract-limits": (("st-extract-limits",), "illustrated"),
}
#: Two for make test, the rest for make test-all.
QUICK = {"claims edit", "claims associate alone", "claims label alone"}
PARAMETERS = [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in CASES]


def options_of(line: tuple[str, ...]) -> list[click.Option]:
    main = load_command(line[0].removeprefix("st-").replace("-", "_"))
    found = main.commands[line[1]] if isinstance(main, click.Group) else main
    return [one for one in found.params if isinstance(one, click.Option) and one.name not in ELSEWHERE]


def values_of(option: click.Option) -> list[tuple[str, ...]]:
    """Other values of an option, as arguments."""
    name = max(option.opts, key=len)
    if option.is_flag:
        return [(name,)]
    if isinstance(option.type, click.Choice):
        return [(name, value) for value in option.type.choices if value != option.default]
    if isinstance(option.type, (click.IntRange, click.types.IntParamType)):
        least = getattr(option.type, "min", None) or 0
        return [(name, str(value)) for value in (least, least + 1, 7, 60)]
    if isinstance(option.type, (click.FloatRange, click.types.FloatParamType)):
        return [(name, "0.1"), (name, "0.9")]
    if isinstance(option.type, (click.Path, click.File)):
        return []
    return [(name, value) for value in ("another", "abstract")]


def parts_of(result, command: str) -> list[tuple[str, str]]:
    """Of each record that the command made its signature, and the rest of it without provenance."""
    made = []
    for record in result.records:
        provenance = record.pop("provenance", None) or [{}]
        if provenance[-1].get("command") == command:
            made.append((provenance[-1]["signature"], json.dumps(record, sort_keys=True)))
    return made


@pytest.mark.parametrize("name", PARAMETERS)
def test_results_of_one_signature_are_one_result(tmp_path, name):
    line, kind = CASES[name]
    records = {"illustrated": [illustrated(tmp_path)], "questions": [questions("Why? [2]", "Can it? [1]")],
               "summaries": SUMMARIES}[kind]  # fmt: skip
    faults, n_varied = [], 0
    with Server(answer=say) as server:
        env = {**server.environment, "ST_CACHE": str(tmp_path / "cache.sqlite")}
        seen = dict(parts_of(st(*line, input=jsonl(*records), env=env), line[0]))
        assert seen, "the plain run has a result"
        for option in options_of(line):
            for more in values_of(option):
                done = st(*line, *more, input=jsonl(*records), env=env, is_described=False)
                if done.status not in (0, 1) or not done.out.startswith(b"{"):
                    continue
                for signature, rest in parts_of(done, line[0]):
                    n_varied += 1
                    if seen.setdefault(signature, rest) != rest:
                        faults.append(" ".join(more))
    assert not faults and n_varied


def test_facets_by_a_model_once_more_are_the_same(tmp_path):
    """What was rejected is there once, however often the command is run; and not beside the facets of another method."""
    with Server(answer=say) as server:
        env = {**server.environment, "ST_CACHE": str(tmp_path / "cache.sqlite")}
        runs = [st("st-facets", *MODEL, input=jsonl({**SUMMARIES[0], "rejected": OTHERS}), env=env).records]
        for _ in range(2):
            runs.append(st("st-facets", *MODEL, input=jsonl(*runs[-1]), env=env).records)
    texts = [[one["text"] for one in records[0]["rejected"]] for records in runs]
    assert texts[0] == texts[1] == texts[2] and texts[0][0] == "Other." and len(texts[0]) > 1
    assert [one["text"] for one in st("st-facets", input=jsonl(*runs[-1])).records[0]["rejected"]] == ["Other."]


OTHERS = [{"command": "st-claims", "step": "extract", "text": "Other.", "reason": "not in the text"}]
