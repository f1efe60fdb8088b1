"""``--shard I/N``: the outputs of all parts make the output of the whole, and what needs all records refuses a part."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from hypothesis import given
from hypothesis import strategies as strategy
from support import everything
from support.model_runs import MODEL
from support.run import ROOT, jsonl, st
from support.server import Server

from scholartools import io
from scholartools.commands.shared.man import COMMANDS, load_command
from scholartools.errors import InputFault, UsageFault
from scholartools.shards import Piece, Shard, lines_from, pieces_of

RELATED = ROOT / "fixtures" / "related" / "corpus.jsonl"
#: A line of each command that works record by record and asks no model; PAPERS are the papers of the test.
LINES = [
    "st-facets",
    "st-facets --text",
    "st-extract-limits --merge",
    "st-claims select --drop",
    "st-claims extract",
    "st-claims weaknesses --rater me",
    "st-claims associate",
    "st-claims label",
    "st-claims contamination --cut-off 2023-01-01",
    f"st-generate limitations --corpus {RELATED}",
    "st-generate weaknesses --corpus PAPERS",
    "st-generate experiments --input",
    "st-generate explanations --system copy-input",
    "st-generate questions",
    "st-judge facets",
    "st-judge match",
    "st-judge entail",
    "st-judge equation --system random",
    "st-judge review --system all --segment",
    "st-judge rate --baselines",
    "st-eqsynth questions",
    "st-eqsynth questions --verify",
    "st-eqsynth compare",
    "st-score",
    "st-score rate",
    "st-agree parse-score --reply id --range 0 9",
]
#: Those that work record by record, by asking a model alone: each in one line of the mock model.
ASKING = ["st-claims edit", "st-claims verify", "st-judge same-issue", "st-judge specificity"]
#: Lines whose result is of all records together.
WHOLE = [
    "st-score --summary",
    "st-score rate --summary",
    f"st-score rate --truth {ROOT}/fixtures/claims-ratings.jsonl",
    "st-facets --html",
    "st-judge match --summary",
    "st-eqsynth questions --table",
    "st-eqsynth questions --shortcuts",
]
#: Commands without the option.
WITHOUT = {
    "st-table",
    "st-view",
    "st-fetch merge",
    "st-judge fit",
    "st-judge mates",
    "st-judge pools",
    "st-judge sheet",
    "st-cache",
    "st-agree",
    "st-annotate",
    "st-fetch",
}


def command_of(line: str) -> str:
    program, task = f"{line} ".split(" ")[:2]
    is_task = task and not task.startswith("-") and line not in ("st-score rate",)
    return f"{program} {task}" if is_task else program


def all_commands() -> Iterator[tuple[str, click.Command]]:
    """Every command without tasks, and every task of the others, by what is typed."""
    for module in COMMANDS:
        program, command = f"st-{module.replace('_', '-')}", load_command(module)
        tasks = getattr(command, "commands", None)
        yield from ((f"{program} {task}", tasks[task]) for task in tasks) if tasks else [(program, command)]


def test_every_command_takes_a_part_or_has_no_such_option():
    having = {name for name, command in all_commands() if any("--shard" in one.opts for one in command.params)}
    assert having == {command_of(line) for line in [*LINES, *ASKING]} | {"st-parse"}
    others = {name for name, _ in all_commands()} - having
    assert {name for name in others if name not in WITHOUT and name.split()[0] not in WITHOUT} == set()


@pytest.fixture(scope="module")
def papers(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("papers") / "papers.jsonl"
    path.write_bytes(jsonl(*(everything.whole_record(seed, f"p{seed}") for seed in range(4))))
    return path


@pytest.fixture(scope="module")
def inputs(tmp_path_factory) -> dict[str, Path]:
    """What commands read that are not run on papers of every kind."""
    folder = tmp_path_factory.mktemp("inputs")
    fixtures = ROOT / "fixtures"
    equations = st("st-parse", fixtures / "paper").records[0]
    made = {
        "st-eqsynth questions": jsonl(*({**equations, "id": f"p{number}"} for number in range(4))),
        "st-eqsynth compare": b"".join((fixtures / "equation-pairs.jsonl").read_bytes().splitlines(True)[:20]),
        "st-generate limitations": (fixtures / "related" / "papers.jsonl").read_bytes(),
        "st-judge facets": st("st-facets", fixtures / "summaries.jsonl").out,
        "st-judge rate": (fixtures / "rated-questions.jsonl").read_bytes(),
        "st-score rate": st("st-judge", "rate", "--baselines", fixtures / "rated-questions.jsonl").out,
    }
    made["st-judge equation"] = st("st-eqsynth", "--compile", "off", input=made["st-eqsynth questions"]).out
    paths = {name: folder / f"{name.replace(' ', '-')}.jsonl" for name in made}
    for name, path in paths.items():
        path.write_bytes(made[name])
    return paths


@pytest.mark.slow
@pytest.mark.parametrize("line", LINES)
def test_parts_make_the_whole(line, papers, inputs):
    path = inputs["st-judge equation"] if "--verify" in line else inputs.get(line, inputs.get(command_of(line), papers))
    line = line.replace("PAPERS", str(papers))
    whole = st(*line.split(), path, is_described=False)
    assert whole.status in (0, 1) and whole.out.count(b"\n") >= 2
    parts = [st(*line.split(), "--shard", f"{number}/3", path, is_described=False) for number in (1, 2, 3)]
    assert b"".join(part.out for part in parts) == whole.out
    assert {part.status for part in parts} <= {0, 1}


def test_what_people_said_of_all_papers_refuses_a_part(papers, tmp_path):
    answers = tmp_path / "answers.jsonl"
    answers.write_bytes(jsonl({"paper": "p0", "weakness": "w1", "rater": "a", "label": "objectivity", "value": 5}))
    done = st("st-claims", "label", "--from", answers, "--shard", "1/2", papers)
    assert (done.status, done.out) == (2, b"") and "all records together" in done.err


@pytest.mark.parametrize("line", WHOLE)
def test_what_is_of_all_records_refuses_a_part(line, papers):
    done = st(*line.split(), "--shard", "1/2", papers)
    assert (done.status, done.out) == (2, b"") and done.err.count("\n") == 1
    assert "--shard: the result is of all records together" in done.err


def test_parts_that_ask_a_model_make_the_whole(papers, tmp_path):
    with Server() as server:
        env = {**server.environment, "ST_CACHE": str(tmp_path / "cache.sqlite")}
        whole = st("st-facets", *MODEL, papers, env=env, is_described=False)
        asked = server.requests
        parts = [st("st-facets", *MODEL, "--shard", f"{number}/2", papers, env=env) for number in (1, 2)]
        assert b"".join(part.out for part in parts) == whole.out and server.requests == asked > 0


def test_files_of_st_parse_are_parted_by_their_number(tmp_path):
    names = [tmp_path / f"{letter}.md" for letter in "abcde"]
    for name in names:
        name.write_text(f"# On {name.stem}\n\n## Abstract\n\nWe do {name.stem}.\n")
    whole = st("st-parse", *names)
    parts = [st("st-parse", "--shard", f"{number}/3", *names) for number in (1, 2, 3)]
    assert [len(part.records) for part in parts] == [1, 2, 2]
    assert b"".join(part.out for part in parts) == whole.out


@pytest.mark.parametrize("part", ["0/2", "3/2", "1", "1/0", "a/b", "1/2/3", "-1/2", "", "1/99999999999"])
def test_a_part_that_is_none(part, papers):
    done = st("st-facets", "--shard", part, papers)
    assert (done.status, done.out) == (2, b"") and ("I/N" if part else "--shard: the value is empty") in done.err


def test_what_cannot_be_cut(tmp_path, papers):
    table, packed = tmp_path / "a.csv", tmp_path / "a.jsonl.gz"
    table.write_text("id,abstract\na,We do.\n")
    packed.write_bytes(b"\x1f\x8b")
    for line, told in [
        ((), "GNU parallel"),
        (("-",), "GNU parallel"),
        ((table,), "JSON lines"),
        ((packed,), "cannot be split"),
    ]:
        done = st("st-facets", "--shard", "1/2", *line, input=papers.read_bytes())
        assert (done.status, done.out, done.err.count("\n")) == (2, b"", 1) and told in done.err
    assert st("st-facets", "--shard", "1/2", tmp_path / "none.jsonl").status == 3


@pytest.mark.parametrize("name", ["papers.jsonl", "link.jsonl"])
def test_a_part_does_not_take_the_place_of_the_whole_input(name, tmp_path):
    """The run on the next part would work on what the first one left."""
    path = tmp_path / "papers.jsonl"
    path.write_text('{"id":"a","abstract":"We do."}\n{"id":"b","abstract":"We do."}\n')
    (tmp_path / "link.jsonl").symlink_to(path)
    before = path.read_bytes()
    done = st("st-facets", "--shard", "1/2", path, "--output", tmp_path / name)
    assert (done.status, done.err.count("\n"), path.read_bytes()) == (2, 1, before) and "only this part" in done.err
    assert not list(tmp_path.glob("*.part"))


def test_more_parts_than_lines_leave_empty_outputs(tmp_path):
    path, out = tmp_path / "one.jsonl", tmp_path / "out.jsonl"
    path.write_text('{"id":"a","abstract":"We do."}\n')
    found = []
    for number in range(1, 1001):
        found += list(io.read_lines([str(path)], shard=Shard(number, 1000)))
    assert len(found) == 1
    assert (st("st-facets", "--shard", "9/9", path, "--output", out).status, out.read_bytes()) == (0, b"")


def test_a_part_without_a_usable_record_is_complete(tmp_path):
    """Other parts may be good: only the whole input can be unusable."""
    path, out = tmp_path / "bad.jsonl", tmp_path / "out.jsonl"
    path.write_text('{"id": 1\n{"id": 2\n')
    assert st("st-facets", path).status == 3
    for number in (1, 2):
        assert st("st-facets", "--shard", f"{number}/2", path, "--output", out).status == 1
        assert [json.loads(line)["errors"][0]["kind"] for line in out.read_text().splitlines()] == ["not-json"]


def test_places_of_a_later_part_are_bytes(tmp_path):
    path = tmp_path / "bad.jsonl"
    path.write_text('{"id":"a","abstract":"We do."}\n{"id":"b"\n')
    assert "bad.jsonl:byte 32: not JSON" in st("st-facets", "--shard", "2/2", path).err
    assert "bad.jsonl:2: not JSON" in st("st-facets", "--shard", "1/1", path).err


LONG = json.dumps({"id": "long", "text": "x" * 5_000_000}).encode() + b"\n"
FILES = {
    "blank lines": [b'\n\n{"id":"a"}\n \n\n{"id":"b"}\n\n'],
    "carriage returns": [b'{"id":"a"}\r\n{"id":"b"}\r\n\r\n{"id":"c"}\r\n'],
    "a long line": [b'{"id":"a"}\n', LONG + b'{"id":"z"}\n'],
    "a byte order mark": [b'\xef\xbb\xbf{"id":"a"}\n{"id":"b"}\n'],
    "no last line end": [b'{"id":"a"}\n{"id":"b"}', b'{"id":"c"}'],
    "an empty file": [b'{"id":"a"}\n', b"", b'{"id":"b"}\nno json\n'],
}


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("total", [1, 2, 7, 1000])
def test_each_line_is_in_one_part(name, total, tmp_path):
    paths = [tmp_path / f"{number}.jsonl" for number in range(len(FILES[name]))]
    for path, data in zip(paths, FILES[name], strict=True):
        path.write_bytes(data)
    names = [str(path) for path in paths]
    whole = [line.record for line in io.read_lines(names)]
    parts = [[line.record for line in io.read_lines(names, shard=Shard(n, total))] for n in range(1, total + 1)]
    assert list(itertools.chain(*parts)) == whole and whole


@given(
    strategy.lists(
        strategy.lists(strategy.sampled_from([b"\n", b"a", b"bb\n", b"\r\n", b"c" * 9]), max_size=12),
        min_size=1,
        max_size=4,
    ),
    strategy.integers(1, 40),
)
def test_a_cut_anywhere_loses_and_doubles_no_line(tmp_path_factory, texts, total):
    folder = tmp_path_factory.mktemp("cut")
    paths = [str(folder / str(number)) for number in range(len(texts))]
    for path, text in zip(paths, texts, strict=True):
        Path(path).write_bytes(b"".join(text))
    found = []
    for number in range(1, total + 1):
        for piece in pieces_of(paths, Shard(number, total)):
            with open(piece.path, "rb") as file:
                found += [(piece.path, start, raw) for start, raw in lines_from(file, piece)]
    wanted = []
    for path, text in zip(paths, texts, strict=True):
        start = 0
        for raw in b"".join(text).split(b"\n"):
            line = raw + b"\n" if start + len(raw) < len(b"".join(text)) else raw
            wanted += [(path, start, line)] if line else []
            start += len(line)
    assert found == wanted


def test_the_last_part_of_60_gigabytes_is_read_at_once(tmp_path):
    """A file with holes: reading what stands before the part would take minutes."""
    path = tmp_path / "large.jsonl"
    size = 60_000_000_000
    with open(path, "wb") as file:
        file.truncate(size)
        file.seek(size * 6 // 7 + 5)
        file.write(b'\n{"id":"a"}\n')
        file.seek(size - 12)
        file.write(b'\n{"id":"z"}\n')
    start, end = Shard(7, 7).bounds(size)
    assert next(iter(io.read_lines([str(path)], shard=Shard(7, 7)))).record == {"id": "a"}
    with open(path, "rb") as file:
        first = next(lines_from(file, Piece(str(path), start, end)))
    assert first == (size * 6 // 7 + 6, b'{"id":"a"}\n')


def test_a_line_without_end_is_refused_before_it_takes_all_memory(tmp_path, monkeypatch):
    monkeypatch.setattr("scholartools.shards.LONGEST_LINE", 1000)
    monkeypatch.setattr("scholartools.compression.LONGEST_LINE", 1000)
    path = tmp_path / "long.jsonl"
    path.write_bytes(b'{"id":"a"}\n{"id":"b"}\n' + b"x" * 3000)
    lines = io.read_lines([str(path)], shard=Shard(1, 2))
    assert [next(lines).record["id"] for _ in "ab"] == ["a", "b"]
    with pytest.raises(InputFault, match="long.jsonl:byte 23: a line of more than"):
        next(lines)
    assert list(io.read_lines([str(path)], shard=Shard(2, 2))) == []


def test_a_file_that_grows_ends_the_run(tmp_path):
    path = tmp_path / "grows.jsonl"
    path.write_text('{"id":"a"}\n{"id":"b"}\n')
    lines = io.read_lines([str(path)], shard=Shard(1, 1))
    assert next(lines).record == {"id": "a"}
    with path.open("a") as file:
        file.write('{"id":"c"}\n')
    assert next(lines).record == {"id": "b"}
    with pytest.raises(UsageFault, match="changed its size"):
        next(lines)
