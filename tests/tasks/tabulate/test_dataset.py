"""A data set for others: what `datasets` loads from the folder is what the records have, and the card says what it is."""

from __future__ import annotations

import contextlib
import json
import signal
import subprocess
import sys
import time

import pytest
import yaml
from support import filled
from support.model_runs import MODEL, papers
from support.run import BIN, environment, jsonl, st
from support.server import Server

from scholartools.table_files.types import KINDS
from scholartools.tables import rows
from scholartools.tasks.tabulate.descriptions import TABLES

pytest.importorskip("pyarrow")

RECORDS = [
    {**filled.filled_record(seed, f"p{seed}"), "part": part, "license": license}
    for seed, (part, license) in enumerate(
        [("train", "CC BY 4.0"), ("test", None), ("train", "| <b>`x`</b> |\n# y\n---\n[a](b)"), ("no", " ")]
    )
]
for record in RECORDS:  # a signature and a licence are texts of others, too
    record["provenance"][0] |= {
        "model": "$(touch x)`\n```\n# y",
        "command": "st-x; rm",
        "signature": "a|b input=1 \x1b[0m",
    }
LOAD = (
    "import json, sys\nfrom datasets import get_dataset_config_names, load_dataset\n"
    "folder = sys.argv[1]\n"
    "for name in get_dataset_config_names(folder):\n"
    "    for split, data in load_dataset(folder, name).items():\n"
    "        print(json.dumps([name, split, data.column_names, data.to_list()]))\n"
)


# What is told of records that failed has a test of its own.
pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")


def made(folder, *args, data=None):
    data = b"".join(map(filled.line, RECORDS)) if data is None else data
    return st("st-table", "dataset", *args, "--output", folder, input=data, is_described=False)


def contents(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def card_of(folder):
    """The front matter and the page behind it."""
    _, front, page = (folder / "README.md").read_text().split("---\n", 2)
    return yaml.safe_load(front), page


@pytest.mark.slow
def test_datasets_loads_the_rows_of_the_records(tmp_path):
    pytest.importorskip("datasets")
    result = made(tmp_path / "d", "--split", "part")
    assert result.status == 0, result.err
    env = environment(HF_HUB_OFFLINE="1", HF_HOME=str(tmp_path / "hf"))
    done = subprocess.run(
        [sys.executable, "-c", LOAD, str(tmp_path / "d")], capture_output=True, env=env, cwd=tmp_path, check=False
    )
    assert done.returncode == 0, done.stderr.decode()[-2000:]
    found = {(name, split): (columns, data) for name, split, columns, data in map(json.loads, done.stdout.splitlines())}
    assert {name for name, _ in found} == {*TABLES, "licenses"}
    for name in TABLES:
        for split in ("train", "test", "no"):
            wanted = list(rows(name, [record for record in RECORDS if record["part"] == split]))
            assert found.get((name, split)) == ((list(wanted[0]), wanted) if wanted else None), (name, split)
    said = [row for split in ("train", "test", "no") for row in found["licenses", split][1]]
    assert said == [
        {"id": "p0", "license": "CC BY 4.0"}, {"id": "p2", "license": RECORDS[2]["license"]},
        {"id": "p1", "license": None}, {"id": "p3", "license": None},
    ]  # fmt: skip


def test_a_table_without_rows_is_left_out_and_told(tmp_path):
    pytest.importorskip("datasets")
    result = made(tmp_path / "d", "papers", "claims", data=jsonl({"id": "a", "title": "T"}))
    assert result.status == 0 and "no rows: none of 1 record has claims" in result.err
    env = environment(HF_HUB_OFFLINE="1", HF_HOME=str(tmp_path / "hf"))
    done = subprocess.run([sys.executable, "-c", LOAD, str(tmp_path / "d")], capture_output=True, env=env, check=False)
    assert done.returncode == 0, done.stderr.decode()[-2000:]
    assert [(name, len(data)) for name, _, _, data in map(json.loads, done.stdout.splitlines())] == [
        ("papers", 1), ("licenses", 1)
    ]  # fmt: skip


def test_the_card_names_every_file_and_counts_its_rows(tmp_path):
    from pyarrow import parquet

    assert made(tmp_path / "d", "--split", "part").status == 0
    front, page = card_of(tmp_path / "d")
    paths = {(one["config_name"], two["split"]): two["path"] for one in front["configs"] for two in one["data_files"]}
    assert {*paths.values(), "README.md"} == set(contents(tmp_path / "d"))
    assert {split for _, split in paths} == {"train", "test", "no"}
    assert [one["config_name"] for one in front["configs"] if one.get("default")] == ["papers"]
    lines = page.splitlines()
    for name in {name for name, _ in paths}:
        files = [paths.get((name, split)) for split in ("train", "test", "no")]
        counts = [parquet.read_metadata(tmp_path / "d" / path).num_rows if path else 0 for path in files]
        assert all(counts[n] for n, path in enumerate(files) if path)
        [line] = [line for line in lines if line.startswith(f"| {name} | ") and line.endswith(f" {counts[-1]} |")]
        assert line.endswith(f"| {' | '.join(map(str, counts))} |")
    assert "Records that say the licence of their paper: 2 of 4." in page and "do not say it: 2;" in page


def test_no_text_of_a_record_is_markdown_or_a_command(tmp_path):
    """What the page has beside its tables is the same for records with other texts."""
    from markdown_it import MarkdownIt

    assert made(tmp_path / "d", "--split", "part").status == 0
    plain = [
        {**record, "license": None, "provenance": [{**one, "model": "m", "command": "c", "task": None} for one in record["provenance"]]}
        for record in RECORDS
    ]  # fmt: skip
    assert made(tmp_path / "e", "--split", "part", data=b"".join(map(filled.line, plain))).status == 0
    parse = MarkdownIt("gfm-like", {"linkify": False}).parse
    shapes = []
    for folder in ("d", "e"):
        tokens = parse(card_of(tmp_path / folder)[1])
        inner = [child for token in tokens for child in token.children or ()]
        allowed = {"text", "softbreak", "code_inline", "text_special", "html_inline"}
        assert {token.type for token in inner} <= allowed
        assert {token.content for token in inner if token.type == "html_inline"} <= {"<br>"}
        shapes.append(
            [(token.type, tokens[n + 1].content) for n, token in enumerate(tokens) if token.type == "heading_open"]
        )
        fences = [token.content for token in tokens if token.type == "fence"]
        assert fences == ["st-table dataset --split part --output FOLDER records.jsonl\n"]
        assert not any(token.type in ("html_block", "hr") for token in tokens)
    assert shapes[0] == shapes[1]
    assert "\x1b" not in (tmp_path / "d" / "README.md").read_text()


def test_the_same_records_give_the_same_bytes(tmp_path):
    (tmp_path / "empty").mkdir()
    for name in ("a", "empty"):
        assert made(tmp_path / name, "--split", "part").status == 0
    assert contents(tmp_path / "a") == contents(tmp_path / "empty")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "empty"]
    assert (tmp_path / "a").stat().st_mode & 0o777 == (tmp_path / "empty" / "data").stat().st_mode & 0o777


@pytest.mark.parametrize("name", ["d", "d/README.md"])
def test_nothing_that_is_there_is_replaced(tmp_path, name):
    (tmp_path / "d").mkdir()
    (tmp_path / "d" / "README.md").write_text("mine")
    result = made(tmp_path / name)
    assert result.status == 2 and ("not empty" in result.err or "Not a directory" in result.err), result.err
    assert contents(tmp_path) == {"d/README.md": b"mine"}


@pytest.mark.parametrize(("kind", "is_clean"), [(signal.SIGTERM, True), (signal.SIGINT, True), (signal.SIGKILL, False)])
def test_a_run_that_is_ended_leaves_no_folder_that_looks_whole(tmp_path, kind, is_clean):
    line = [str(BIN / "st-table"), "dataset", "--output", str(tmp_path / "d")]
    with subprocess.Popen(line, stdin=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment()) as run:
        run.stdin.write(filled.line(RECORDS[0]))
        run.stdin.flush()
        for _ in range(600):
            if list(tmp_path.iterdir()):
                break
            time.sleep(0.1)
        time.sleep(0.5)
        for _ in range(6):  # while a library is loaded it may swallow an interrupt: a person presses once more
            run.send_signal(kind)
            with contextlib.suppress(subprocess.TimeoutExpired):
                run.wait(5)
                break
    left = list(tmp_path.iterdir())
    assert left == [] if is_clean else [path.suffix for path in left] == [".part"]
    assert not list(tmp_path.rglob("README.md"))


def test_a_failed_record_is_in_no_table_and_is_told(tmp_path):
    wrong = [{**RECORDS[0], "id": "w", "errors": "x"}, {"id": "l", "license": ["a"]}, {"id": "n", "errors": []}]
    data = b"".join(map(filled.line, [RECORDS[1], *wrong])) + b"no\n"
    result = made(tmp_path / "d", data=data)
    assert result.status == 1 and '-:3: "license", which names the licence, is not a text' in result.err, result.err
    assert "-:2: " in result.err and "-:5: not JSON" in result.err
    assert made(tmp_path / "e", data=filled.line(RECORDS[1]) + filled.line(wrong[2])).status == 0
    _, page = card_of(tmp_path / "d")
    assert "Not in it: 3 records of the input" in page and "failed, wholly or in part, on 1 record in it" in page
    files = [contents(tmp_path / name) for name in ("d", "e")]
    assert {name for one in files for name in one if files[0].get(name) != files[1].get(name)} == {"README.md"}


@pytest.mark.parametrize("part", ["", "all", "a b", "é", "../x", "a/b", "x" * 65, 1, None, "TRAIN"])
def test_a_split_that_cannot_be_one_makes_a_failed_record(tmp_path, part):
    data = jsonl({"id": "a", "part": "train"}, {"id": "b", "part": part})
    result = made(tmp_path / "d", "--split", "part", data=data)
    assert result.status == 1 and "-:2: " in result.err and '"part"' in result.err, result.err
    assert [one["split"] for one in card_of(tmp_path / "d")[0]["configs"][0]["data_files"]] == ["train"]


@pytest.mark.parametrize(
    ("args", "data", "status", "message"),
    [
        (["--split", "id"], jsonl(*({"id": f"p{n}"} for n in range(17))), 2, "more than 16 values"),
        ([], b"", 3, "no record"),
        ([], b"no\n", 3, "not JSON"),
        (["--to", "csv"], b"", 2, "--to: it has no effect on st-table dataset"),
        (["--sort", "id"], b"", 2, "--sort: it has no effect on st-table dataset"),
        (["summary"], b"", 2, '"summary" is neither a table of papers'),
        (["--bundle", "nowhere"], b"", 2, "--bundle nowhere: No such file"),
    ],
)  # fmt: skip
def test_what_makes_no_data_set_leaves_nothing(tmp_path, args, data, status, message):
    result = made(tmp_path / "d", *args, data=data)
    assert result.status == status and message in result.err, result.err
    assert list(tmp_path.iterdir()) == []


def test_a_number_that_parquet_cannot_hold_makes_a_failed_record(tmp_path):
    result = made(tmp_path / "d", data=jsonl({"id": "a"}, {"id": "b", "year": 1 << 63}))
    assert result.status == 1 and "-:2: year: 9223372036854775808 has more than 64 bits" in result.err
    assert "Not in it: 1 record of the input" in card_of(tmp_path / "d")[1]


def test_options_of_data_sets_are_refused_elsewhere():
    for args in (["--split", "a"], ["--license", "a"], ["--bundle", "a"]):
        result = st("st-table", "papers", *args)
        assert result.status == 2 and f"{args[0]}: it is an option of st-table dataset" in result.err


def test_variables_of_other_commands_are_left_aside(tmp_path):
    assert st("st-table", "papers", input=jsonl({"id": "a"}), env={"ST_SPLIT": "0.3"}).status == 0
    env = {"ST_NULL": "NA", "ST_COLUMNS": "x"}
    assert st("st-table", "dataset", "--output", tmp_path / "d", input=jsonl({"id": "a"}), env=env).status == 0


def test_a_folder_must_be_named():
    result = st("st-table", "dataset", input=jsonl({"id": "a"}))
    assert result.status == 2 and "--output: is missing: name the folder to which the data set is written" in result.err


def exported(records, cache, bundle):
    """A bundle of the calls that some records name."""
    used = bundle.with_name("used.jsonl")
    used.write_bytes(records)
    assert st("st-cache", "export", "--used-by", used, "--output", bundle, env=cache).status == 0
    return bundle


def repeated(folder, path, *more):
    """What the commands of the card write, of the input at a path."""
    lines = card_of(folder)[1].split("```sh\n")[2].split("```")[0].replace(" FILE", f" {path}")
    lines = lines.replace("st-cache import", "st-cache import --output /dev/null")
    return subprocess.run(
        ["bash", *more, "-uc", lines], capture_output=True, cwd=folder, env=environment(), check=False
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    "options",
    [
        ("--votes", "majority"),
        ("--layout", "row", "--votes", "majority"),
        ("--prefilter", "0.05"),
        ("--samples", "2", "--temperature", "0.5"),
    ],
)
def test_whoever_repeats_a_run_by_the_card_gives_its_options(tmp_path, options):
    """The votes are counted after the replies: without the option, the run ended well with other verdicts."""
    from tasks.judge.test_matching import GARBLED, PLAIN, answer

    cache, papers_of = {"ST_CACHE": str(tmp_path / "cache")}, tmp_path / "papers.jsonl"
    papers_of.write_bytes(jsonl(PLAIN, GARBLED))
    with Server(answer=answer) as server:
        first = st("st-judge", "match", *MODEL, *options, papers_of, env={**cache, **server.environment})
    bundle = exported(first.out, cache, tmp_path / "b.jsonl")
    assert made(tmp_path / "d", "--bundle", bundle, data=first.out).status in (0, 1)
    done = repeated(tmp_path / "d", papers_of)
    assert done.stdout == first.out, done.stderr


@pytest.mark.parametrize("ending", ["", ".gz", ".zst"])
def test_whoever_has_the_folder_repeats_the_run_without_a_key(tmp_path, ending):
    (tmp_path / "papers.jsonl").write_bytes(papers(3))
    cache = {"ST_CACHE": str(tmp_path / "cache")}
    with Server() as server:
        first = st("st-facets", *MODEL, input=papers(3), env={**cache, **server.environment})
    assert first.status == 0, first.err
    bundle = exported(first.out, cache, tmp_path / f"b.jsonl{ending}")
    result = made(tmp_path / "d", "--bundle", bundle, data=first.out)
    assert result.status == 0 and "the bundle lacks" not in result.err, result.err
    assert (tmp_path / "d" / f"calls.jsonl{ending}").read_bytes() == bundle.read_bytes()
    _, page = card_of(tmp_path / "d")
    assert "3 of the 3 calls that the records name are in it." in page
    done = repeated(tmp_path / "d", tmp_path / "papers.jsonl", "-e")
    assert done.returncode == 0, done.stderr.decode()
    assert done.stdout == first.out


def test_a_bundle_that_is_damaged_or_lacks_calls_is_told(tmp_path):
    cache = {"ST_CACHE": str(tmp_path / "cache")}
    with Server() as server:
        first = st("st-facets", *MODEL, input=papers(3), env={**cache, **server.environment})
    bundle = exported(first.out.splitlines(keepends=True)[0], cache, tmp_path / "b.jsonl")
    result = made(tmp_path / "d", "--bundle", bundle, data=first.out)
    assert result.status == 0 and "the bundle lacks 2 of the 3 calls" in result.err
    assert "1 of the 3 calls that the records name are in it" in card_of(tmp_path / "d")[1]
    bundle.write_bytes(bundle.read_bytes()[:-20])
    result = made(tmp_path / "e", "--bundle", bundle, data=first.out)
    assert result.status == 3 and "b.jsonl" in result.err and not (tmp_path / "e").exists()


def test_the_card_says_what_each_kind_of_column_is():
    from scholartools.tasks.tabulate import card

    assert set(card._TYPES) == set(KINDS)
