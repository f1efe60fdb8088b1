"""Two results of one signature are the same result: every option of a command is varied, on an input where it bites."""

from __future__ import annotations

import copy
import json
import random
import re
from collections.abc import Callable

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
#: Each command that asks a model with the options that make the others bite, and its input.
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
    """Of each record and each result that the command made its signature, and the rest of it without provenance."""
    made = []
    for record in result.records:
        provenance = record.pop("provenance", None) or [{}]
        if provenance[-1].get("command") == command:
            made.append((provenance[-1]["signature"], json.dumps(record, sort_keys=True)))
        made += [(one.pop("signature"), json.dumps(one, sort_keys=True)) for one in [record, *record.get("scores", ())]
                 if str(one.get("signature")).startswith(command)]  # fmt: skip
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


# Commands that ask no model: each option changes a signature, or it is known why it changes no result.


def rated() -> bytes:
    """Ratings of which each key has a namesake ("item_2") with other values, so that it matters which one is named."""
    rng = random.Random(1)
    rows = [
        {"item": f"i{i}", "rater": rater, "label": label, "value": max(1, min(5, i % 5 + 1 + rng.randint(-1, 1)))}
        for i in range(18) for label in ("clear", "new") for rater in ("anna", "ben", "judge") if i % 7 or rater != "ben"
    ]  # fmt: skip
    other = {"anna": "b", "ben": "j", "judge": "judge"}
    for place, row in enumerate(rows):
        row |= {"item_2": f"{row['item']}x", "rater_2": other[row["rater"]], "label_2": row["label"].upper()}
        row |= {"row": place, "value_2": 6 - row["value"] if place % 3 else 1, "paper": f"p{int(row['item'][1:]) // 3}"}
    rows[5]["value"] = "NA"
    return jsonl(*rows)


def measured(*, methods: tuple[str, ...] = ("close", "far"), runs: int = 1, unrated: bool = False) -> bytes:
    """Scores of methods beside people's, with namesakes of the keys, in long form."""
    rng = random.Random(2)
    return jsonl(*(
        {"item": f"i{i}", "item_2": f"j{i}", "method": method, "method_2": method * 2, "run": f"r{run}", "paper": f"p{i // 3}",
         "run_2": f"q{run}", "score_2": rng.random(), "even": i % 2,
         "score": "NA" if i == 7 else (i % 5) / 8 * (1 if method == "close" else 0.2) + rng.random() / 2,
         "human": None if unrated and i % 3 == 0 else i % 5, "human_2": None if unrated and i % 3 == 0 else rng.randint(0, 2),
         "words": rng.randint(5, 50), "words_2": rng.randint(5, 50), "year": 2000 + i, "system": f"s{i % 4}", "venue": "v",
         "tokens": rng.randint(10, 99), "tokens_2": 7, "cost": rng.random(), "cost_2": 1.0, "seen_in_fit": i == 23}
        for i in range(24) for method in methods for run in range(runs)
    ))  # fmt: skip


COLUMNS = ("--x", "score", "--y", "human", "--method", "method", "--item", "item")
EVEN = ("--x", "score", "--y", "even", "--method", "method", "--item", "item")
ONE = ("--x", "score", "--y", "human", "--item", "item")
ALT = ("--epsilon", "0.3", "--min-items", "3")
#: Other values of options that are names of keys, values of records, or several words.
NAMED = {
    "item": ["item_2"], "rater": ["rater_2"], "label": ["label_2"], "value": ["value_2"], "cluster": ["paper"],
    "where": ["label=clear", "even=0"], "missing": ["3", "0"], "judge": ["ben"], "without": ["judge"], "order": ["5,4,3,2,1"],
    "raters": ["value,value_2", "value,value_2,row"], "level_of": ["clear=ordinal"], "x": ["score_2"], "y": ["human_2"], "method": ["method_2"],
    "each": ["venue"], "by": ["system"], "within": ["paper"], "control": ["words"], "compare": ["close far"],
    "keep": ["year"], "group": ["paper"], "of": ["words_2"], "tokens": ["tokens_2"], "cost": ["cost_2"], "run": ["run_2"],
    "bins": ["4", "truth"], "x_range": ["0 3"], "y_range": ["0 5"], "median_of": ["r"], "runs": ["a,b"],
    "reference": ["abstract"], "candidate": ["summaries"], "itf_idf_threshold": ["none"], "median_by": ["f1"],
}  # fmt: skip
#: Options that others must stand beside.
BESIDE = {
    "order": ("--level", "ordinal"), "resamples": ("--interval", "bootstrap"), "seed": ("--interval", "bootstrap"),
    "raters": ("--item", "row"), "keep": ("--items",),
}  # fmt: skip
NEEDS_CI = {"resamples", "interval", "confidence", "seed", "cluster", "compare"}
#: Why an option changes no signature.
NEUTRAL = {
    "table": "the same results for people",
    "levels summary": "the ratings that stand there without it have no signature",
}  # fmt: skip


def lines_of(option: click.Option, line: tuple[str, ...]) -> list[tuple[str, ...]]:
    """The line with other values of an option, in place of the one that it has, and what they need beside them."""
    key, name = str(option.name), max(option.opts, key=len)
    is_choice = isinstance(option.type, click.Choice)
    beside = BESIDE.get(key, ())
    if beside and beside[0] not in {one for other in options_of(line) for one in other.opts}:
        beside = ()
    if key in NEEDS_CI and line[1] in ("coefficients", "spans", "correlate") and "--ci" not in line:
        beside = ("--ci", *beside)
    others = (
        [(name, *value.split(" ")) for value in NAMED[key]] if key in NAMED and not is_choice else values_of(option)
    )
    if name in line and not option.is_flag:
        place = line.index(name)
        return [(*line[:place], *other, *line[place + len(other) :]) for other in others]
    return [(*line, *beside, *other) for other in others]


#: Lines of one command, with their inputs: each of its options is signed on one of them at least.
ALONE: dict[str, list[tuple[tuple[str, ...], Callable[[], bytes]]]] = {
    **{
        stat: [(("st-agree", stat), rated)] for stat in ("coefficients", "report", "icc", "majority", "effect", "power")
    },
    "alt-test": [
        (("st-agree", "alt-test", "--judge", "judge", *ALT), rated),
        (("st-agree", "alt-test", "--judge", "value_2", "--item", "row", "--raters", "value,value_2", *ALT), rated),
    ],
    "correlate": [(("st-agree", "correlate", *COLUMNS), measured)],
    "errors": [
        (("st-agree", "errors", *EVEN), measured),
        (("st-agree", "errors", *EVEN, "--items"), measured),
        (("st-agree", "errors", *EVEN, "--signed"), measured),
    ],
    "bias": [(("st-agree", "bias", *COLUMNS, "--of", "words"), measured)],
    "efficiency": [(("st-agree", "efficiency", *COLUMNS, "--tokens", "tokens", "--cost", "cost"), measured)],
    "levels": [(("st-agree", "levels", *ONE, "--summary"), lambda: measured(methods=("close",)))],
    "conformal": [
        (("st-agree", "conformal", *ONE, "--confidence", "0.5"), lambda: measured(methods=("close",), unrated=True))
    ],
    "mean": [(("st-agree", "mean", *ONE), lambda: measured(methods=("close",), unrated=True))],
    "runs": [(("st-agree", "runs", "--run", "run", *COLUMNS), lambda: measured(runs=2))],
}


@pytest.mark.slow
@pytest.mark.parametrize("name", ALONE)
def test_every_option_is_signed_or_changes_no_result(name):
    """So a new option is in a signature, or it stands in :data:`NEUTRAL` with the reason."""
    faults, signed, options = [], set(), set()
    for line, make_input in ALONE[name]:
        data = make_input()
        seen = dict(parts_of(st(*line, input=data, is_described=False), line[0]))
        plain = set(seen)
        assert plain, "the plain run has a result"
        for option in options_of(line):
            options.add(option.name)
            for other in lines_of(option, line):
                done = st(*other, input=data, is_described=False)
                if done.status not in (0, 1) or not done.out.startswith(b"{"):
                    continue
                for signature, rest in parts_of(done, line[0]):
                    if signature not in plain:
                        signed.add(option.name)
                    if seen.setdefault(signature, rest) != rest:
                        faults.append(" ".join(other))
    unsigned = {key for key in options - signed if not {key, f"{name} {key}"} & NEUTRAL.keys()}
    assert (faults, unsigned) == ([], set())


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
