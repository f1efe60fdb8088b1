"""Studies on made data that are made again: after they were killed, for a paper that changed, and in parts."""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import signal
import threading
import time
from pathlib import Path

import pytest
from support.slurm import needs_slurm
from support.studies import SEED, STUDIES, begin, copy_of, copy_of_made, files, make, rules

#: The shortest study stands for all where time is short.
SHORTEST = "new"
LONG = [pytest.mark.exhaustive, pytest.mark.timeout(3000)]
#: What tells how long replies took.
TIMED = {"new": {"tables/report.html"}}


@pytest.mark.parametrize(
    "study", [pytest.param(one, marks=pytest.mark.slow if one == SHORTEST else LONG) for one in STUDIES]
)
def test_a_study_that_is_killed_ends_with_the_same_bytes(study, made, tmp_path):
    """All processes of make are killed, or interrupted, where a number of files is there, and a moment later."""
    whole, folder = made(study), copy_of(study, tmp_path)
    chance = random.Random()
    told = []
    for ends in (signal.SIGKILL, signal.SIGINT, signal.SIGKILL):
        there, most = len(list(folder.iterdir())), len(list(whole.iterdir()))
        count, moment = chance.randint(there, max(there, most - 2)), chance.random()
        told.append((ends.name, count, round(moment, 2)))
        running = begin(folder, "-j2", "tables", MADE_SEED=SEED[study])
        reader = threading.Thread(target=running.communicate)
        reader.start()
        while running.poll() is None and len(list(folder.iterdir())) < count:
            time.sleep(0.02)
        time.sleep(moment)
        if running.poll() is None:
            os.killpg(running.pid, ends)
        reader.join()  # when no process is left that could write
    make(folder, "-j2", "tables", MADE_SEED=SEED[study])
    once, again = files(whole), files(folder)
    assert once.keys() == again.keys(), told
    differ = {name for name in once if once[name] != again[name]}
    assert differ <= TIMED.get(study, set()), (differ, told)


#: Where a paper stands of which nothing is fitted that all others are rated by.
UNSEEN = {"questions": "unseen.jsonl"}
#: The file of a study that has the papers as they were read.
READ = [*((study, "parsed.jsonl") for study in STUDIES), ("aaar", "read.jsonl")]


@pytest.mark.parametrize(
    ("study", "source"), [pytest.param(*one, marks=pytest.mark.slow if one[0] == SHORTEST else LONG) for one in READ]
)
def test_a_changed_paper_is_made_again_and_nothing_else(study, source, made, tmp_path):
    """A sentence more in one paper: each question that is sent is about it, the records of others stay as they were, and what
    does not hang on the file is not touched. Nobody gets another sheet."""
    folder = copy_of_made(made(study), tmp_path)
    papers = [json.loads(line) for line in (folder / source).read_text().splitlines()]
    chosen = json.loads((folder / UNSEEN.get(study, source)).read_text().splitlines()[2])["id"]
    changed = next(paper for paper in papers if paper["id"] == chosen)
    changed["abstract"] += " It reads each page twice."
    for part in changed["sections"]:
        if part["role"] in ("introduction", "method"):
            part["text"] += " It reads each page twice."
    before, ages = files(folder), {path.name: path.stat().st_mtime_ns for path in folder.iterdir()}
    keys = {path: path.read_bytes() for path in folder.glob("*/key.jsonl")}
    (folder / source).write_text("".join(json.dumps(paper, ensure_ascii=False) + "\n" for paper in papers))
    log = tmp_path / "log"
    make(folder, "tables", MADE_LOG=str(log), MADE_SEED=SEED[study])

    name = changed["title"].partition(":")[0]
    asked = log.read_text().splitlines()
    assert asked and [one for one in asked if name not in one] == []
    assert {path: path.read_bytes() for path in folder.glob("*/key.jsonl")} == keys
    after, hangs = files(folder), dependents(rules(folder), source)
    assert after.keys() == before.keys()
    again = {path.name for path in folder.iterdir() if path.stat().st_mtime_ns != ages.get(path.name)}
    assert {one for one in again if one in after} == hangs & after.keys() | {source}
    for one in hangs & after.keys():
        assert others(after[one], changed["id"], name) == others(before[one], changed["id"], name), one


def dependents(needs: dict[str, list[str]], source: str) -> set[str]:
    """All that is made of a file, directly or by way of others."""
    found, new = set[str](), {source}
    while new := {target for target, of in needs.items() if new & set(of)} - found:
        found |= new
    return found


def others(data: bytes, *names: str) -> list[str]:
    """The records of papers in which nothing names the paper that has these names."""
    lines = data.decode().splitlines()
    return [line for line in lines if '"title"' in line and not any(one in line for one in names)]


#: Steps that work record by record, of each study.
BY_RECORD = {"aaar": 13, "bagels": 6, "claimcheck": 6, "facets": 3, "new": 7, "questions": 5}


@pytest.mark.parametrize(
    "study", [pytest.param(one, marks=pytest.mark.slow if one == SHORTEST else LONG) for one in STUDIES]
)
def test_a_study_in_parts_gives_the_same_bytes(study, made, tmp_path):
    """Each step that works record by record is made by --shard, of more parts than some inputs have records; replies are at hand."""
    told = in_parts(made(study), copy_of(study, tmp_path), "SHARDS=7", MADE_SEED=SEED[study])
    assert told == {name: "7" for name in told} and len(told) == BY_RECORD[study], told


@needs_slurm
@pytest.mark.parametrize(
    "study", [pytest.param(one, marks=pytest.mark.slow if one == SHORTEST else LONG) for one in STUDIES]
)
def test_a_study_on_slurm_gives_the_same_bytes(study, made, slurm, tmp_path):
    more = {"SLURM_CONF": slurm["SLURM_CONF"], "MADE_SEED": SEED[study]}
    told = in_parts(made(study), copy_of(study, tmp_path), "SHARDS=2", "SUBMIT=sbatch --wait --quiet", **more)
    assert told == {name: "2" for name in told} and len(told) == BY_RECORD[study], told


def in_parts(whole: Path, folder: Path, *options: str, **more: str) -> dict[str, str]:
    """Make a study in parts, with the replies of another that is whole; how many parts each step that had some was made in."""
    shutil.copytree(whole / "cache", folder / "cache")
    log = folder / "log"
    out = make(folder, "-j2", "tables", *options, MADE_LOG=str(log), **more)
    assert log.read_text() == ""
    once, again = files(whole), files(folder)
    assert once.keys() == again.keys()
    assert {name for name in once if once[name] != again[name]} <= TIMED.get(folder.name, set())
    return dict(re.findall(r"^(\S+): (\d+) parts$", out, re.M))
