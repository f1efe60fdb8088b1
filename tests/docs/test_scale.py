"""The recipes of docs/scale.md for GNU parallel, make and Slurm, run as they stand; each gives what one run gives."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from support import examples
from support.batch_server import BatchServer
from support.run import BIN, ROOT, environment, jsonl, st
from support.server import Server
from support.slurm import needs_slurm

SCRIPTS = {block.file: block.text for block in examples.blocks((ROOT / "docs" / "scale.md").read_text())}


@pytest.fixture
def folder(tmp_path) -> Path:
    made = examples.furnish(tmp_path)
    shutil.copy(made / "fixtures" / "summaries.jsonl", made / "papers.jsonl")
    return made


@pytest.fixture(scope="module")
def whole() -> bytes:
    return st("st-facets", ROOT / "fixtures" / "summaries.jsonl").out


def killing(folder: Path) -> dict[str, str]:
    """An environment in which the third of four parts is killed."""
    (folder / "stop").mkdir()
    (folder / "stop" / "st-facets").write_text('#!/bin/sh\ncase "$*" in *3/4*) kill -9 $$;; esac\nexec "$REAL" "$@"\n')
    (folder / "stop" / "st-facets").chmod(0o755)
    env = environment()
    real = str(shutil.which("st-facets", path=env["PATH"]))
    return {**env, "PATH": f"{folder / 'stop'}{os.pathsep}{env['PATH']}", "REAL": real}


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("parallel") is None, reason="it needs GNU parallel")
def test_gnu_parallel(folder, whole):
    """A script without `set -e`, of which one part is killed: nothing is joined until a second run has made it."""
    line = ["bash", "-c", SCRIPTS["parallel.sh"]]
    killed = subprocess.run(line, cwd=folder, env=killing(folder), capture_output=True)
    assert killed.returncode == 1 and not (folder / "faceted.jsonl").exists(), killed.stderr.decode()
    begun = {path: path.stat().st_mtime_ns for path in (folder / "parts").glob("*.jsonl")}
    subprocess.run(line, cwd=folder, env=environment(), check=True)
    assert (folder / "faceted.jsonl").read_bytes() == whole and len(begun) == 3
    assert {path: path.stat().st_mtime_ns for path in begun} == begun
    assert examples.shell(folder, SCRIPTS["piped.sh"], environment()).returncode == 0
    assert (folder / "piped.jsonl").read_bytes() == whole


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("dask", path=BIN) is None, reason="it needs Dask (the extra distributed)")
def test_a_dask_cluster(folder, whole):
    done = examples.shell(folder, SCRIPTS["cluster.sh"], environment())
    assert done.returncode == 0 and (folder / "faceted.jsonl").read_bytes() == whole, done.stderr.decode()


@pytest.mark.slow
def test_make_does_again_only_what_a_killed_run_left(folder, whole):
    (folder / "Makefile").write_text(SCRIPTS["Makefile"])
    assert subprocess.run(["make", "-k", "-j2"], cwd=folder, env=killing(folder), capture_output=True).returncode == 2
    assert sorted(path.name for path in (folder / "parts").iterdir()) == [f"{part}-of-4.jsonl" for part in (1, 2, 4)]
    done = subprocess.run(["make", "-j2"], cwd=folder, env=environment(), capture_output=True, text=True, check=True)
    assert done.stdout.count("--shard") == 1 and (folder / "faceted.jsonl").read_bytes() == whole


@pytest.mark.slow
def test_make_joins_no_parts_of_another_number(folder, whole):
    (folder / "Makefile").write_text(SCRIPTS["Makefile"])
    for number in (2, 3, 2):
        subprocess.run(["make", f"N={number}"], cwd=folder, env=environment(), capture_output=True, check=True)
        assert (folder / "faceted.jsonl").read_bytes() == whole


@pytest.mark.slow
def test_one_budget_for_all_parts(folder):
    with Server() as server:
        env = environment(ST_CACHE=str(folder / "cache"), **server.environment)
        done = examples.shell(folder, SCRIPTS["budget.sh"], env)
        assert done.returncode == 0, done.stderr.decode()
        whole = st(
            "st-facets", "papers.jsonl", "--model", "openai/gpt-4o-mini", "--max-tokens", "800", cwd=folder, env=env
        )
        asked = server.requests
    parts = b"".join((folder / f"part-{number}.jsonl").read_bytes() for number in range(1, 5))
    assert parts == whole.out and whole.status == 0
    record = json.loads(done.stdout)
    assert record["calls"] == asked and record["held"]["runs"] == record["lost"]["runs"] == 0
    assert 0 < record["spent"] < 2 and record["max_cost"] == 2


def test_the_products_of_the_tables():
    """Each number that is made of others, from those that are shown."""
    page = (ROOT / "docs" / "scale.md").read_text()
    made = page.partition("<!-- made by")[2].partition("<!-- end -->")[0]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in made.splitlines() if line[:1] == "|"]
    numbers = [list(map(float, row[1:])) for row in rows if row[1].replace(".", "").isdigit()]
    near = lambda value: pytest.approx(value, rel=0.006)  # noqa: E731
    assert [len(row) for row in numbers] == [2] * 3 + [3] * 4 + [10] * 6
    assert all(each == whole for each, whole in numbers[:3])
    for seconds, hours, on_32 in numbers[3:7]:
        assert hours == near(seconds * 1e6 / 3600) and on_32 == near(hours / 32)
    for calls, tokens, sent, kept, usd, batch, one, eight, parts, cache in numbers[7:]:
        assert usd == near(tokens * 0.15 + calls * 150 * 0.6) and batch == near(usd / 2)
        assert one == near(calls * 1e6 * 2 / (200 * 3600)) and eight == near(one / 8)
        assert parts == near(max(calls * 20, sent * 1e9 / 190e6)) or parts - max(calls * 20, sent / 0.19) < 1
        assert cache == kept
    rate = page.partition("reply of the model is in the cache | ")[2].partition(" |")[0]
    words = " ".join(page.split())
    assert f"calls per paper / {rate} seconds" in words and f"process reads {rate} replies from the cache per" in words
    assert numbers[9][0] * 1e6 / float(rate.replace(",", "")) == pytest.approx(1800, rel=0.1), "about half an hour"


def n_calls(line: str, data: bytes) -> int:
    """How many calls a dry run counts."""
    done = st(*line.split(), "--model", "openai/gpt-4o-mini", "--dry-run", input=data, env={"OPENAI_API_KEY": "none"})
    return done.records[0]["dry_run"]["to_send"]


@pytest.mark.slow
def test_calls_that_depend_on_earlier_results():
    data = (ROOT / "fixtures" / "claims.jsonl").read_bytes()
    for step in ("extract", "weaknesses", "associate", "label"):
        data = st("st-claims", step, input=data).out
    disputed = []  # of each weakness of each paper: the claims
    for record in map(json.loads, data.splitlines()):
        for weakness in record["weaknesses"]:
            disputed.append([(record["id"], item["text"]) for item in weakness["targets"][0]["items"]])
    with_targets = sum(map(bool, disputed))
    assert 0 < with_targets < len(disputed) == n_calls("st-claims associate", data)
    assert n_calls("st-claims label", data) == n_calls("st-claims edit", data) == with_targets
    pairs = [claim for claims in disputed for claim in claims]
    assert n_calls("st-claims verify", data) == len(pairs) + len(set(pairs))
    known, found = ([{"id": f"{name}{n}", "text": f"Text {n} of {name}."} for n in range(size)] for name, size in SIZES)
    data = jsonl({"id": "p", "limitations": known, "generated": {"limitations": {"items": found}}})
    assert (n_calls("st-judge match", data), n_calls("st-judge match --layout row", data)) == (480, 48)


SIZES = [("known", 8), ("found", 10)]


@pytest.mark.slow
def test_batches(folder):
    with BatchServer() as server:
        env = environment(ST_CACHE=str(folder / "cache"), **server.environment)
        done = examples.shell(folder, SCRIPTS["batch.sh"], env)
        assert done.returncode == 0, done.stderr.decode()
        dry, part = (json.loads(text) for text in done.stdout.splitlines())
        assert part["answered"] == part["lines"] == dry["dry_run"]["to_send"] - 1 == sum(server.paid.values())
        asked = ("papers.jsonl", "--model", "openai/gpt-4o-mini", "--max-tokens", "800")
        whole = st("st-facets", *asked, cwd=folder, env={**env, "ST_CACHE": str(folder / "online")})
    assert (folder / "facets.jsonl").read_bytes() == whole.out


@pytest.mark.slow
def test_questions_in_files(folder):
    """With a stand-in for vLLM."""
    (folder / "bin").mkdir()
    script = ROOT / "tests" / "support" / "run_batch.py"
    (folder / "bin" / "vllm").write_text(f'#!/bin/sh\nshift\nexec {sys.executable} {script} "$@"\n')
    (folder / "bin" / "vllm").chmod(0o755)
    with Server({"invalid": 0.3}) as server:
        address = f"http://127.0.0.1:{server.port}/v1"
        env = environment(ST_CACHE=str(folder / "cache"), HOSTED_VLLM_API_BASE=address, RUN_BATCH_SERVER=address)
        path = f"{folder / 'bin'}{os.pathsep}{env['PATH']}"
        done = examples.shell(folder, SCRIPTS["waves.sh"], {**env, "PATH": path})
        assert done.stderr.count(b"run the same command again") == 2, done.stderr.decode()
        n_asked = server.requests
    with Server({"invalid": 0.3}) as server:
        env = {"ST_CACHE": str(folder / "online"), "HOSTED_VLLM_API_BASE": f"http://127.0.0.1:{server.port}/v1"}
        online = st("st-facets", "papers.jsonl", "--model", "hosted_vllm/my-model", cwd=folder, env=env)
        assert server.requests == n_asked and online.status == done.returncode
    made = (folder / "facets.jsonl").read_bytes()
    assert made.replace(address.encode(), env["HOSTED_VLLM_API_BASE"].encode()) == online.out


def test_questions_in_files_end_where_the_engine_fails(folder):
    """Also in a script without `set -e`: it asked for ever."""
    (folder / "bin").mkdir()
    (folder / "bin" / "vllm").write_text("#!/bin/sh\necho asked >> asked\nexit 3\n")
    (folder / "bin" / "vllm").chmod(0o755)
    env = environment(ST_CACHE=str(folder / "cache"), HOSTED_VLLM_API_BASE="http://127.0.0.1:9/v1")
    env["PATH"] = f"{folder / 'bin'}{os.pathsep}{env['PATH']}"
    done = subprocess.run(["bash", "-c", SCRIPTS["waves.sh"]], cwd=folder, env=env, capture_output=True, timeout=120)
    assert done.returncode == 3 and (folder / "asked").read_text() == "asked\n"


def submit(folder: Path, env: dict[str, str], *options: str) -> None:
    """Give Slurm the array of the page, and wait for its end."""
    subprocess.run(["sbatch", "--wait", *options, "shards.sbatch"], cwd=folder, env=env, check=True, timeout=120)


@pytest.mark.slow
@needs_slurm
def test_slurm_array(folder, whole, slurm):
    (folder / "shards.sbatch").write_text(SCRIPTS["shards.sbatch"])
    submit(folder, slurm)
    paths = [folder / "parts" / f"{number}-of-4.jsonl" for number in range(1, 5)]
    assert b"".join(path.read_bytes() for path in paths) == whole
    paths[2].unlink()
    submit(folder, slurm, "--array=3")
    assert b"".join(path.read_bytes() for path in paths) == whole
