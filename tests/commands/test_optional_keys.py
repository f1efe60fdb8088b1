"""Every command takes a record in which a key of the published schema is absent, null or empty, or refuses that record.

The keys come from the schema, the records from what the commands themselves make of a paper and its reviews, so that a
new key is tried as soon as a command writes it.
"""

from __future__ import annotations

import copy
import functools
import json
import operator
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from support import everything, key_cases, optional_keys, varied
from support.claims import answer
from support.model_runs import MODEL
from support.run import ROOT, jsonl, st
from support.server import Server

from scholartools.errors import ScholartoolsError
from scholartools.tasks.annotate.kinds import find_kind

Record = dict[str, Any]

RELATED = ROOT / "fixtures" / "related" / "corpus.jsonl"
MADE = ("claims", "weaknesses", "annotations", "verifications", "limitations", "contamination", "facets")
#: Records that the lines below work on without a fault.
BASES: dict[str, Callable[[], Record]] = {
    "whole": lambda: everything.whole_record(1),
    "unjudged": lambda: everything.verified_record(1) | {"experiments_input": "x"},
    "bare": lambda: bare(),
    "limited": lambda: bare() | {"limitations": []},
    "in_batches": lambda: json.loads(varied.batch_rated(Path()).splitlines()[0]),
    "rated": lambda: json.loads(varied.judged_questions(Path()).splitlines()[0]),
    "question": lambda: json.loads(varied.equation_questions(Path()).splitlines()[0]),
}


def bare() -> Record:
    """A record of which no command has made anything."""
    record = {key: value for key, value in everything.verified_record(1).items() if key not in MADE}
    record["reviews"] = [
        {key: value for key, value in one.items() if key != "weaknesses_by"} for one in record["reviews"]
    ]
    return record


#: Tables of what the whole record holds.
WIDE_TABLES = ("papers", "claims", "weaknesses", "scores")


class Line(NamedTuple):
    """A command line and the record it works on.

    Attributes:
        reads: where in ``judgements``, ``generated`` and the like it looks; its other keys are tried as a whole.
        own: what it adds or replaces, by the path; None: it writes no records.
    """

    line: str
    base: str = "whole"
    reads: tuple[str, ...] = ()
    own: str | None = ""
    asks: bool = False


LINES = [
    Line("st-facets", own="facets"),
    Line("st-extract-limits --merge", "bare", own="limitations rejected"),
    Line("st-claims select", own="reviews"),
    Line("st-claims extract", "bare", own="claims rejected"),
    Line("st-claims weaknesses", "bare", own="weaknesses reviews rejected"),
    Line("st-claims weaknesses --rater me", reads=("annotations",), own="annotations reviews rejected"),
    Line("st-claims associate", own="weaknesses rejected"),
    Line("st-claims label", own="weaknesses rejected"),
    Line(f"st-generate limitations --corpus {RELATED}", "limited", ("generated.limitations",), "generated.limitations"),
    Line("st-generate experiments --input", "bare", ("experiments_input",), "experiments_input"),
    Line("st-generate explanations --system copy-input", reads=("generated.explanations",), own="generated.explanations"),
    Line("st-generate questions", "bare", ("generated.questions",), "generated.questions warnings"),
    Line("st-judge facets", "unjudged", ("judgements.facets",), "judgements.facets"),
    Line("st-judge match", "whole", ("judgements.match", "generated.limitations"), "judgements.match"),
    Line("st-judge entail", "whole", ("judgements.entail", "generated.experiments"), "judgements.entail"),
    Line("st-judge review --system all --segment", "whole", ("judgements.review",), "judgements.review reviews"),
    Line("st-judge rate --baselines", "rated", ("judgements.rate", "generated.questions"), "judgements.rate"),
    Line("st-judge sheet", "rated", ("generated.questions",), None),
    Line("st-judge mates", "in_batches", ("judgements.rate",), None),
    Line("st-score", "whole", ("",), "scores"),
    Line("st-judge equation --system random", "question", ("judgements.equation",), "judgements.equation"),
    *(Line(f"st-table {name}", "whole", ("",), None) for name in WIDE_TABLES),
    Line("st-table ratings", "rated", ("judgements.rate", "generated.questions"), None),
    Line("st-table equations", "question", ("",), None),
    Line("st-score rate", "rated", ("judgements.rate", "generated.questions"), None),
    Line("st-facets", "unjudged", own="facets rejected", asks=True),
    Line("st-extract-limits", "bare", own="limitations rejected", asks=True),
    Line("st-claims select --topic bees", own="topic", asks=True),
    Line("st-claims extract", "bare", own="claims rejected", asks=True),
    Line("st-claims weaknesses", "bare", own="weaknesses reviews rejected warnings", asks=True),
    Line("st-claims associate --system m", "unjudged", own="weaknesses rejected", asks=True),
    Line("st-claims label --targets gold", "unjudged", own="weaknesses", asks=True),
    Line("st-claims edit --targets gold", "unjudged", own="weaknesses", asks=True),
    Line("st-claims verify --targets gold --labels gold --system m", "unjudged", own="verifications rejected", asks=True),
    Line("st-claims contamination", "bare", ("contamination",), "contamination", True),
    Line("st-generate weaknesses", "bare", ("generated.weaknesses",), "generated.weaknesses", True),
    Line("st-generate limitations", "limited", ("generated.limitations",), "generated.limitations", True),
    Line("st-generate experiments", "unjudged", ("generated.experiments",), "generated.experiments", True),
    Line("st-generate explanations", "unjudged", ("generated.explanations",), "generated.explanations", True),
    Line("st-generate questions", "bare", ("generated.questions",), "generated.questions warnings", True),
    Line("st-judge facets", "unjudged", ("judgements.facets",), "judgements.facets", True),
    Line("st-judge match --layout row", "unjudged", ("judgements.match", "generated.limitations"), "judgements.match", True),
    Line("st-judge entail", "unjudged", ("judgements.entail", "generated.experiments"), "judgements.entail", True),
    Line("st-judge review", "unjudged", ("judgements.review",), "judgements.review", True),
    Line("st-judge same-issue", "unjudged", ("judgements.same_issue",), "judgements.same_issue", True),
    Line("st-judge specificity --targets gold", "unjudged", ("judgements.specificity",), "judgements.specificity", True),
    Line("st-judge rate --only problem", "rated", ("judgements.rate", "generated.questions"), "judgements.rate", True),
]  # fmt: skip
#: Keys of which most commands read nothing: what is in them is tried with the commands that do.
NESTED = {
    "judgements",
    "generated",
    "scores",
    "annotations",
    "errors",
    "provenance",
    "experiments_input",
    "contamination",
}
#: What each command adds or replaces; a key of ``judgements`` or ``generated`` by its path.
COMMANDS = {one.line: one.own for one in LINES if one.own is not None}
QUICK = ("st-claims select", "st-claims label")
#: Those that need the reviewer's and the model's side of a claim, or targets of one system; all ask a model.
OF_BOTH_SIDES = {
    "st-claims edit --targets gold --all": "weaknesses rejected",
    "st-claims verify --targets gold --labels gold --controls": "verifications rejected",
    "st-claims contamination": "contamination",
    "st-judge same-issue --controls": "judgements.same_issue",
    "st-judge specificity --targets gold --controls": "judgements.specificity",
}
ALWAYS = {"provenance", "errors"}


def parsed_paper() -> Record:
    """The LaTeX of a paper, cut to a few of each kind of part, with what stands in them left as it is."""
    paper = json.loads(st("st-parse", ROOT / "fixtures" / "paper" / "paper.tex").out)
    for key in ("references", "captions", "footnotes", "equations"):
        paper[key] = paper.get(key, [])[:2]
    return {**paper, "sections": paper["sections"][:5]}


def batch(base: Record) -> list[Record]:
    return list(optional_keys.variants(base, is_required=True))


@functools.cache
def cases_of(base: str) -> list[key_cases.Case]:
    return list(key_cases.cases(BASES[base]()))


def tried_cases(line: Line) -> list[key_cases.Case]:
    """The cases of what a command may read."""
    wide = [one for one in cases_of(line.base) if "." not in one.path or one.path.split(".")[0] not in NESTED]
    return wide + [one for one in cases_of(line.base) if one not in wide and one.path.startswith(line.reads or ("-",))]


def results(out: bytes) -> Any:
    """What a command wrote, without what tells null from absent: nulls, digests, and the reason why a key is missing."""
    if not out.startswith(b"{"):
        return out
    return [without_nulls(json.loads(one)) for one in out.splitlines()]


def without_nulls(value: Any) -> Any:
    if isinstance(value, dict):
        dropped = (
            "signature",
            "provenance",
            *(("reason",) if value.get("kind") in ("missing-key", "missing-metric") else ()),
        )
        return {key: without_nulls(one) for key, one in value.items() if one is not None and key not in dropped}
    return [without_nulls(one) for one in value] if isinstance(value, list) else value


def check(line: Line, records: list[Record], words: list[str], env: dict[str, str] | None = None) -> None:
    """All records come out in their order, changed in the command's own keys alone; a fault is one line and an entry."""
    result = st(*words, input=jsonl(*records), env=env, is_described=False)
    assert "internal error" not in result.err, result.err
    assert result.status in (0, 1, 2, 3), result.err
    if line.own is None:
        return
    assert len(result.records) == len(records)
    faults = [one for record in result.records for one in record.get("errors") or () if isinstance(one, dict)]
    assert not [one for one in faults if one.get("kind") == "internal"]
    for before, after in zip(records, result.records, strict=True):
        assert others(before, line.own.split()) == others(after, line.own.split()), before["id"]


def key_steps(value: Any, steps: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path of every key of a value, and of the first two members of its lists."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield (*steps, key)
            yield from key_steps(inner, (*steps, key))
    elif isinstance(value, list):
        for place, inner in enumerate(value[:2]):
            yield from key_steps(inner, (*steps, place))


def question_variants(question: Record) -> Iterator[Record]:
    """A question once for each key that it holds, and each way."""
    for *outer, key in [steps for steps in key_steps(question) if steps[0] != "provenance"]:
        for way in optional_keys.WAYS:
            made = copy.deepcopy(question)
            optional_keys.change(functools.reduce(operator.getitem, outer, made), key, way)
            yield {**made, "variant": f"{[*outer, key]} {way}"}


def others(record: Record, own: list[str]) -> Record:
    """What of a record is not a command's."""
    left = {key: value for key, value in record.items() if key not in ALWAYS and key not in own}
    for path in own:
        outer, _, inner = path.partition(".")
        if inner and isinstance(left.get(outer) or {}, dict):
            left[outer] = {key: value for key, value in (left.get(outer) or {}).items() if key != inner}
    return left


def sweep(line: Line, cases: list[key_cases.Case], env: dict[str, str] | None = None) -> None:
    """Absent and null give the same; empty values and made ones give a result or a fault that is told."""
    words = [*line.line.split(), *(("--retries", "0", *varied.MODEL) if line.asks else ())]
    plain = st(*words, input=jsonl(BASES[line.base]()), env=env, is_described=False)
    assert plain.status in (0, 1), plain.err
    absent, null = (st(*words, input=jsonl(*group), env=env, is_described=False) for group in
                    ([one.absent for one in cases], [one.null for one in cases]))  # fmt: skip
    for done in (absent, null):
        assert "internal" not in done.err and done.status in (0, 1, 3), done.err
    assert results(absent.out) == results(null.out)
    check(line, [other for one in cases for other in one.others], words, env)


@pytest.mark.slow
@pytest.mark.parametrize("line", [one for one in LINES if one.line in QUICK and not one.asks], ids=lambda one: one.line)
def test_keys_at_the_top_of_a_record(line):
    sweep(line, [one for one in tried_cases(line) if "." not in one.path])


@pytest.mark.slow
@pytest.mark.parametrize("line", LINES, ids=lambda one: f"{one.line} {'model' * one.asks}")
def test_optional_keys(line, tmp_path):
    """Those too that no command has written: a value is made of their schema."""
    if not line.asks:
        return sweep(line, tried_cases(line))
    with Server(respond=varied.Mindful()) as server:
        return sweep(line, tried_cases(line), {**server.environment, "ST_CACHE": str(tmp_path / "cache")})


@pytest.mark.slow
def test_the_schema_says_which_keys_are_tried():
    tried = {one.path for base in BASES for one in cases_of(base)}
    assert {
        "sections.number",
        "sections.pages",
        "reviews.claim_related",
        "weaknesses.targets.by",
        "source.sha256",
    } <= tried
    schema_keys = set(optional_keys.schema()["properties"]) - {"id"}
    assert schema_keys <= {path.split(".")[0] for path in tried}
    assert len(tried) >= 400


@pytest.mark.slow
@pytest.mark.parametrize("line", [one for one in LINES if not one.asks], ids=lambda one: one.line)
def test_required_keys(line):
    check(line, batch(BASES[line.base]()), line.line.split())


@pytest.mark.slow
@pytest.mark.parametrize("line", OF_BOTH_SIDES)
@pytest.mark.parametrize("is_required", [False, True])
def test_keys_of_what_both_sides_say_of_a_claim(line, is_required, tmp_path):
    base = everything.verified_record(1)
    with Server(answer=answer) as server:
        env = {**server.environment, "ST_CACHE": str(tmp_path / "cache")}
        assert not st(*line.split(), *MODEL, input=jsonl(base), env=env).records[0].get("errors")
        assert server.requests, "the record is one about which something is asked"
        tried = Line(line, own=OF_BOTH_SIDES[line])
        records = list(optional_keys.variants(base, is_required))
        check(tried, records, [*line.split(), *MODEL, "--retries", "0"], env)


def asked_about() -> Record:
    """A record with limitations at their places, and with verifications that have evidence."""
    record = everything.verified_record(1)
    record["limitations"] = st("st-extract-limits", input=jsonl(bare() | {"reviews": LIMITED})).records[0][
        "limitations"
    ]
    for one in record["verifications"]:
        one["evidence"] = [{"label": "text_0", "text": "Soil", "spans": [{"in": "abstract", "start": 0, "end": 4}]}]
    return record


LIMITED = [{"id": "r1", "text": "A limitation of the work is that the sample is small."}]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["limits-check", "same-issue", "verifications"])
def test_keys_of_what_people_are_asked_about(name):
    """Absent and null make the same items, and whatever stands there a list of them or a refusal."""

    def items(record: Record) -> list[str] | None:
        try:
            return [f"{one.paper} {one.id} {one.parts}" for one in find_kind(name).items(record)]
        except ScholartoolsError:
            return None

    base = asked_about()
    assert items(base)
    for case in key_cases.cases(base):
        assert items(case.absent) == items(case.null), case.path
        for other in case.others:
            items(other)
    for record in optional_keys.variants(base, is_required=True):
        items(record)


@pytest.fixture(scope="module")
def questions() -> list[Record]:
    paper = st("st-parse", ROOT / "fixtures" / "paper" / "paper.tex").out
    return st("st-eqsynth", "--seed", "1", "--compile", "off", input=paper).records


@pytest.mark.slow
@pytest.mark.parametrize("option", ["--table", "--shortcuts"])
def test_a_damaged_question_does_not_take_the_table_of_the_others(option, questions):
    result = st("st-eqsynth", option, input=jsonl(*questions, *question_variants(questions[0])), is_described=False)
    assert "internal error" not in result.err, result.err
    assert result.status in (0, 1), result.err
    assert b"accuracy" in result.out or b"shortcut" in result.out


@pytest.mark.parametrize("key", ["latex", "correct"])
@pytest.mark.parametrize("way", ["absent", "null"])
def test_an_option_without_what_is_counted_leaves_its_question_out(key, way, questions):
    damaged = copy.deepcopy(questions[0])
    damaged["id"] = "damaged"
    optional_keys.change(damaged["options"][0], key, way)
    result = st("st-eqsynth", "--table", input=jsonl(*questions, damaged), is_described=False)
    assert result.out == st("st-eqsynth", "--table", input=jsonl(*questions)).out
    assert result.status == 1
    assert f'has no "{key}"' in result.err


@pytest.mark.slow
def test_keys_of_questions_that_are_verified(questions):
    result = st("st-eqsynth", "--verify", input=jsonl(*question_variants(questions[0])), is_described=False)
    assert "internal error" not in result.err, result.err
    assert result.status == 1


@pytest.mark.slow
@pytest.mark.parametrize("is_required", [False, True])
def test_keys_of_papers_that_questions_are_made_of(is_required):
    papers = list(optional_keys.variants(parsed_paper(), is_required))
    result = st("st-eqsynth", "--seed", "1", "--compile", "off", input=jsonl(*papers), is_described=False)
    assert "internal error" not in result.err, result.err
    assert result.status in (0, 1, 3), result.err


def test_keys_of_pairs_that_are_compared():
    pair = {"id": "p", "positive": "y = x + 1", "alternative": "y = x - 1", "title": "T"}
    result = st("st-eqsynth", "compare", input=jsonl(*question_variants(pair)), is_described=False)
    assert "internal error" not in result.err, result.err
    assert result.status == 1
    assert len(result.records) == 12


@pytest.mark.parametrize("command", ["st-facets", "st-claims extract", "st-extract-limits"])
def test_pages_that_are_null_are_as_if_they_were_not_there(command):
    base = BASES["bare"]()
    nulls = {**base, "sections": [{**one, "pages": None} for one in base["sections"]]}
    absent, null = (st(*command.split(), input=jsonl(one)) for one in (base, nulls))
    assert absent.status == null.status == 0
    assert without_nulls(absent.records[0]) == without_nulls(null.records[0])


@pytest.mark.parametrize("key", ["start", "end"])
def test_a_judged_segment_with_one_of_its_ends_has_no_place(key):
    record = everything.whole_record(1)
    plain = st("st-score", "review", input=jsonl(record), is_described=False)
    for system in record["judgements"]["review"]:
        for review in system["reviews"]:
            for segment in review["segments"]:
                segment[key] = 1
    scored = st("st-score", "review", input=jsonl(record), is_described=False)
    assert (scored.status, scored.err) == (0, plain.err)
    assert [one["values"] for one in scored.records[0]["scores"]] == [
        one["values"] for one in plain.records[0]["scores"]
    ]


@pytest.mark.slow
@pytest.mark.parametrize("key", ["round_scores", "slots", "mates"])
def test_a_batch_of_uneven_rounds_is_refused(key):
    records = [json.loads(one) for one in varied.batch_rated(Path()).splitlines()]
    others = st("st-judge", "mates", input=jsonl(*records[1:]), is_described=False)
    records[0]["judgements"]["rate"][1]["batch"][key].pop()
    done = st("st-judge", "mates", input=jsonl(*records), is_described=False)
    assert (done.status, done.out) == (1, others.out)
    assert "different numbers of rounds" in done.err
