"""Two results of one signature are the same result: every option of every command is varied, on an input where it bites."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import click
import pytest
from support import preloaded, varied
from support.claims import SENTENCE, fenced, prompt_of
from support.model_runs import MODEL
from support.run import BIN, ROOT, Result, jsonl, st
from support.server import Server

COMMANDS = {" ".join(words): command for words, command in varied.command_paths()}


class Tried(NamedTuple):
    """One command line that differs from a plain one in an option.

    Attributes:
        option: its name in Python.
        is_signed: whether a result has a signature that the plain line does not give.
        bites: whether such a result is another result beside its signature.
        is_seen: whether standard output, standard error or a file that is written are other ones.
        is_same: whether standard output is the same to the byte, but for a signature that says the option.
        fault: two results of one signature that are not the same.
    """

    option: str
    args: tuple[str, ...]
    status: int
    is_signed: bool
    bites: bool
    is_seen: bool
    is_same: bool
    fault: tuple[str, str] | None
    err: str


def values_of(name: str, option: click.Option, args: tuple[str, ...]) -> list[str]:
    """Other values of an option than a line has, as words of a command line."""
    key, long = str(option.name), max(option.opts, key=len)
    if option.is_flag:
        return varied.VALUES.get(f"{name} {key}", [""])
    if isinstance(option.type, click.Choice):
        now = args[args.index(long) + 1] if long in args else option.default
        return [value for value in option.type.choices if value != now]
    for known in (f"{name} {key}", key):
        if known in varied.VALUES:
            return varied.VALUES[known]
    if isinstance(option.type, (click.IntRange, click.types.IntParamType)):
        least = getattr(option.type, "min", None) or 0
        return [str(value) for value in (least, least + 1, 7)]
    return ["0.1", "0.9"] if isinstance(option.type, (click.FloatRange, click.types.FloatParamType)) else []


def arguments(line: varied.Line, folder: Path) -> tuple[str, ...]:
    return tuple(str(one).replace("{f}", str(folder)) for one in line.args)


def lines_of(name: str, option: click.Option, line: varied.Line, folder: Path) -> Iterator[tuple[str, ...]]:
    """The line with other values of an option, in place of the one that it has, and what they need beside them."""
    long = max(option.opts, key=len)
    plain = arguments(line, folder)
    for value in values_of(name, option, plain):
        beside, _, words = value.rpartition("|")
        other = (long, *words.format(f=folder).split())
        args = plain
        if long in args and not option.is_flag:
            place = args.index(long)
            args = (*args[:place], *args[place + len(other) :])
        if beside.startswith("without "):
            _, left_out, count = beside.split()
            place = args.index(left_out) if left_out in args else len(args)
            args, beside = (*args[:place], *args[place + int(count) :]), ""
        if beside.split()[:1] and beside.split()[0] in args:
            beside = ""
        yield (*args, *beside.format(f=folder).split(), *other)


def parts_of(result: Result, command: str) -> list[tuple[tuple[str, ...], str]]:
    """Of each record and each result that the command made: whose it is and its signature, and the rest without provenance."""
    made = []
    for line in result.out.splitlines():
        try:
            record = json.loads(line)
        except ValueError:  # a table
            continue
        if not isinstance(record, dict):
            continue
        name = str(record.get("id"))
        provenance = record.pop("provenance", None) or [{}]
        assert all(has_one_shape(one) for one in provenance), provenance
        own = [one["signature"] for one in provenance if one.get("command") == command]
        if own:
            made.append(((name, "", *own), json.dumps(without_calls(record), sort_keys=True)))
        for one in [record, *(record.get("scores") or ()), record.get("value_parsed") or {}]:
            if str(one.get("signature")).startswith(command):
                key = (name, str(one.get("system")), str(one.get("item")), one.pop("signature"))
                made.append((key, json.dumps(one, sort_keys=True)))
    return made


#: The keys that each entry of ``provenance`` has, and what each has where a model was asked, or may have.
KEYS = {"command", "version", "signature", "method", "options", "input"}
OF_MODEL = {"model", "prompts", "parameters", "response_formats", "endpoints", "calls"}


def has_one_shape(entry: dict[str, Any]) -> bool:
    """Whether an entry of ``provenance`` has the keys that those of all commands have."""
    keys = KEYS | (OF_MODEL if entry.get("method") == "model" else set())
    has_tasks = f"{entry.get('command')}" not in COMMANDS
    return not entry or keys | ({"task"} if has_tasks else set()) == entry.keys() - {"counts", "sampling", "answers"}


def without_calls(value: Any) -> Any:
    """A value without the names and the prices of the calls that it was made of."""
    if isinstance(value, dict):
        return {key: without_calls(inner) for key, inner in value.items() if key not in ("calls", "usage")}
    return [without_calls(inner) for inner in value] if isinstance(value, list) else value


def vary(name: str, folder: Path) -> Iterator[Tried]:
    """Each line of a command with each value of each of its options."""
    varied.files(folder)
    command = name.split()[0]
    has_asked = False
    mind = varied.Mindful()
    with Server(respond=mind) as server:
        path = os.pathsep.join([str(folder / "bin"), str(BIN), os.environ["PATH"]])
        env = {**server.environment, "ST_CACHE": str(folder / "cache.sqlite"), "PATH": path}
        for line in varied.LINES[name]:
            data, mind.mood = line.make(folder), ""
            plain = st(*arguments(line, folder), input=data, env=env, is_described=False)
            assert plain.status in (0, 1), (line.args, plain.err)
            plainly = shown(plain, folder)
            made = parts_of(plain, command)
            seen, seen_plainly = dict(made), tuple(rest for _, rest in made)
            signatures, rests = set(seen), set(seen_plainly)
            for option in COMMANDS[name].params:
                if not isinstance(option, click.Option) or option.name in varied.ELSEWHERE:
                    continue
                if line.only and option.name not in line.only.split():
                    continue
                if option.name in varied.ASKING and line.asks and has_asked:
                    continue
                mind.mood = "other" if option.name == "cache_namespace" else ""
                beside = {"PYTHONPATH": str(folder / "lib")} if option.name in ("embedder", "bertscore") else {}
                for args in lines_of(name, option, line, folder):
                    done = st(*args, input=data, env=env | beside, is_described=False)
                    parts = parts_of(done, command) if done.status in (0, 1) else []
                    new = [rest for signature, rest in parts if signature not in signatures]
                    faults = [(seen[one], rest) for one, rest in parts if seen.setdefault(one, rest) != rest]
                    is_seen = done.status in (0, 1) and shown(done, folder) != plainly
                    bites = bool(new) and {rest for _, rest in parts} != rests
                    yield Tried(
                        str(option.name),
                        args,
                        done.status,
                        bool(new),
                        bites,
                        is_seen,
                        done.out == plain.out or bool(parts) and tuple(rest for _, rest in parts) == seen_plainly,
                        next(iter(faults), None),
                        done.err,
                    )
            has_asked = has_asked or line.asks


def shown(result: Result, folder: Path) -> tuple[bytes, str, list[bytes]]:
    """What a person sees, without times and counts, and what files are written, which are removed."""
    written = sorted(path for path in (folder / "written").rglob("*") if path.is_file())
    files = [f"{path.relative_to(folder)}\n".encode() + path.read_bytes() for path in written]
    shutil.rmtree(folder / "written")
    (folder / "written").mkdir()
    return re.sub(rb'"provenance":.*', b"", result.out), re.sub(r"[\d.:/]+", "", result.err), files


#: Commands whose output is no result with a signature.
UNSIGNED = {
    "st-agree plot": "a figure of results that have their own; those of --kind have theirs in --data",
    "st-judge fit": "a criteria file, which says under `fitted` what it was made of",
    "st-judge pools": "the records as they are, in an order",
    "st-judge sheet": "a table that people fill in",
    "st-table": "a table of records that have their own",
}
#: Options that change what is seen and no result.
SHOWN = {
    "table": "the same results for people", "csv": "the same as a table", "text": "the records for people", "html": "the same",
    "outline": "the same", "listing": "a list of the metrics", "st-judge match summary": "the report alone",
    "st-agree levels summary": "the ratings that stand there without it have no signature",
    "st-agree parse-score value": "the key at which the score stands",
    "st-claims associate people": "what people say stands under their names, and is no result of a command",
    "st-claims label people": "the same", "st-claims label subjectivity": "the same", "st-claims weaknesses people": "the same",
    "st-generate experiments show_input": "what a model would be shown, in place of what it says",
    **dict.fromkeys([f"st-eqsynth questions {one}" for one in ("table", "shortcuts", "verify")], "of questions that are made"),
    "st-generate experiments max_images": "a paper with more pictures fails",
    "st-generate explanations max_images": "the same", "st-generate weaknesses max_images": "the same",
    "st-eqsynth questions max_chars": "an equation that is longer has no question",
    "st-eqsynth questions require": "a paper with fewer questions fails",
    "st-eqsynth questions rows": "of these equations, others have no question either",
    "st-eqsynth questions all_aligned": "the model of the test lets no question pass",
    "st-judge review segment": "a review that is not cut yet is refused without it",
}  # fmt: skip
#: Options with whatever value of which the result is the same to the byte, if the value is taken at all.
INERT = {
    **dict.fromkeys(
        [f"st-agree {stat} item" for stat in ("correlate", "runs", "bias", "efficiency", "plot")],
        "the same items have other names; items that share one are refused",
    ),
    **dict.fromkeys(
        [*(f"st-claims {step} samples" for step in ("select", "extract", "weaknesses", "associate", "label", "edit", "verify",
                                                    "contamination")), "st-extract-limits samples"],
        "more than 1 is refused: the task has one answer",
    ),
    "st-judge rate pool_limit": "a larger pool is refused",
    "st-generate questions response_format": "the questions are asked for as text whatever it is",
    "st-judge rate response_format": "the same, but for the tables of batcheval",
}  # fmt: skip
#: Options that the test cannot give; each with the reason.
UNSEEN = {} if shutil.which("tesseract") else {"ocr": "needs Tesseract"}


def reason_of(name: str, key: str, table: dict[str, str]) -> str | None:
    return table.get(f"{name} {key}", table.get(key))


@pytest.fixture(autouse=True)
def forked(monkeypatch):
    """Thousands of lines are run: each as a fork, whatever the other tests do."""
    monkeypatch.setattr(preloaded, "is_wanted", True)
    monkeypatch.setattr(preloaded, "n_interpreters", 0)


def test_every_command_has_its_lines():
    # Those of st-cache list, move and remove replies; those of st-annotate and st-fetch are varied in their own tests.
    # A page of st-view is no result: it has no signature.
    others = {name for name in COMMANDS if name.startswith(("st-cache ", "st-annotate ", "st-fetch ", "st-view"))}
    assert COMMANDS.keys() - others == varied.LINES.keys()


#: For make test; the rest for make test-all.
QUICK = {"st-agree icc", "st-agree majority"}


@pytest.mark.parametrize(
    "name", [one if one in QUICK else pytest.param(one, marks=pytest.mark.slow) for one in varied.LINES]
)
def test_results_of_one_signature_are_one_result(tmp_path, name):
    """And each option is shown to matter: its results are others under another signature, or it is known why not."""
    bitten, seen, inert, faults = set(), set(), set(), []
    for tried in vary(name, tmp_path):
        assert "internal error" not in tried.err, tried
        faults += [tried] if tried.fault else []
        bitten |= {tried.option} if tried.bites else set()
        seen |= {tried.option} if tried.is_seen else set()
        if reason_of(name, tried.option, INERT) and " needs " not in tried.err:
            assert tried.is_same or tried.status == 2, tried
            inert.add(tried.option)
    assert not faults
    options = {str(one.name) for one in COMMANDS[name].params if isinstance(one, click.Option)} - varied.ELSEWHERE
    proven = bitten | inert | (seen if name in UNSIGNED else {one for one in seen if reason_of(name, one, SHOWN)})
    assert {one for one in options - proven if not reason_of(name, one, UNSEEN)} == set()
    assert {one for one in proven if f"{name} {one}" in UNSEEN} == set(), "a reason that is none"


def test_facets_by_a_model_once_more_are_the_same(tmp_path):
    """What was rejected is there once, however often the command is run; and not beside the facets of another method."""
    with Server(answer=quoted_once) as server:
        env = {**server.environment, "ST_CACHE": str(tmp_path / "cache.sqlite")}
        runs = [st("st-facets", *MODEL, input=jsonl({**SUMMARY, "rejected": OTHERS}), env=env).records]
        for _ in range(2):
            runs.append(st("st-facets", *MODEL, input=jsonl(*runs[-1]), env=env).records)
    texts = [[one["text"] for one in records[0]["rejected"]] for records in runs]
    assert texts[0] == texts[1] == texts[2] and texts[0][0] == "Other." and len(texts[0]) > 1
    assert [one["text"] for one in st("st-facets", input=jsonl(*runs[-1])).records[0]["rejected"]] == ["Other."]


OTHERS = [{"command": "st-claims", "step": "extract", "text": "Other.", "reason": "not in the text"}]


def quoted_once(messages: list[dict]) -> str:
    """A reply of which one passage is in the text and one is not."""
    first = SENTENCE.search(fenced(prompt_of(messages))[0])[0].strip()
    return json.dumps({"background": [first], "method": ["It is not so."], "result": [], "conclusion": []})


SUMMARY = json.loads((ROOT / "fixtures" / "summaries.jsonl").read_text().splitlines()[0])


#: Texts of a record that the prompts of a task show, and that were not among what its signature was made of.
SHOWN_TEXTS = [
    ("st-claims extract", ("title",)), ("st-claims associate", ("title",)), ("st-claims associate", ("sections", 0, "heading")),
    ("st-claims label", ("reviews", 0, "text")), ("st-claims edit", ("reviews", 0, "text")),
]  # fmt: skip


@pytest.mark.parametrize(("name", "path"), SHOWN_TEXTS)
def test_what_a_model_was_shown_has_a_part_in_the_signature(tmp_path, name, path):
    """A question with another text in it is another question, and what is made of its reply another result."""
    varied.files(tmp_path)
    (line, *_) = [one for one in varied.LINES[name] if one.asks]
    records = [json.loads(one) for one in line.make(tmp_path).splitlines()]
    with Server(respond=varied.Mindful()) as server:
        env = {**server.environment, "ST_CACHE": str(tmp_path / "cache.sqlite")}
        made = []
        for more in ("", "", " More of it."):
            holder = records[0]
            for key in path[:-1]:
                holder = holder[key]
            holder[path[-1]] += more
            done = st(*arguments(line, tmp_path), input=jsonl(*records), env=env, is_described=False)
            assert done.status in (0, 1), done.err
            made.append(done.records[0]["provenance"][-1]["signature"])
    assert made[0] == made[1] != made[2]
