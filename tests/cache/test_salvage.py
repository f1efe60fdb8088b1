"""Damaged caches: what is whole is found, what is lost is counted, and nothing else is ever taken for a reply."""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from support.caches import keep, noise, request
from support.run import ROOT, st

from scholartools.cache import Cache, Selection, call_key, salvage
from scholartools.errors import UsageFault

COUNT = 120


@pytest.fixture(scope="module")
def whole(tmp_path_factory) -> Path:
    """A cache of short and long replies (on pages of their own), served and not."""
    path = tmp_path_factory.mktemp("whole") / "calls.sqlite"
    with Cache.open(path) as cache:
        for number in range(COUNT):
            said = noise(number)[: 50 if number % 3 else 5000 * (1 + number % 4)]
            keep(cache, str(number), said, finish="length" if number % 10 == 9 else "stop", time=float(number))
    return path


def entries(path: Path) -> dict:
    with Cache.open(path, readonly=True) as cache:
        return {entry.key: entry for entry in cache.entries()}


def damaged(whole: Path, folder: Path, change) -> Path:
    path = folder / "damaged.sqlite"
    data = bytearray(whole.read_bytes())
    path.write_bytes(bytes(change(data) or data))
    return path


def salvaged(path: Path) -> tuple[dict, dict]:
    new = path.with_name(f"new-{random.random()}.sqlite")
    report = salvage.salvage(path, new)
    found = entries(new)
    assert report["salvaged"] == len(found)
    with Cache.open(new) as cache:
        assert cache.integrity() == "ok"
    return report, found


def test_a_whole_cache_is_whole(whole, tmp_path):
    path = damaged(whole, tmp_path, lambda data: None)
    assert salvage.check(path) == {
        "path": str(path), "sqlite": "ok", "whole": COUNT, "damaged": 0, "lost": 0, "missing_pages": 0,
    }  # fmt: skip
    report, found = salvaged(path)
    assert found == entries(whole) and (report["damaged"], report["lost"]) == (0, 0)


@pytest.mark.slow
def test_one_byte_costs_the_replies_of_one_page_at_most(whole, tmp_path):
    """Wherever it is; in each kind of page and at each of its places often enough."""
    original, chance = entries(whole), random.Random(1)
    size = whole.stat().st_size
    for offset in [*range(0, 120, 7), *(chance.randrange(size) for _ in range(60))]:
        bits = chance.randrange(1, 256)

        def flip(data: bytearray, offset: int = offset, bits: int = bits) -> None:
            data[offset] ^= bits

        path = damaged(whole, tmp_path, flip)
        report, found = salvaged(path)
        assert all(entry.reply == original[key].reply for key, entry in found.items()), offset
        lost = COUNT - len(found)
        assert lost <= 25 and report["lost"] >= lost, (offset, report)
        verdict = salvage.check(path)
        assert not lost or verdict["sqlite"] != "ok" or verdict["damaged"], (offset, verdict)
        path.with_name(Path(report["new"]).name).unlink()


@pytest.mark.parametrize("share", [0.02, 0.3, 0.5, 0.77, 0.99])
def test_a_file_that_is_cut_off(whole, tmp_path, share):
    path = damaged(whole, tmp_path, lambda data: data[: int(len(data) * share)])
    original = entries(whole)
    report, found = salvaged(path)
    assert all(entry.reply == original[key].reply for key, entry in found.items())
    assert report["missing_pages"] > 0
    assert len(found) >= COUNT * (share - 0.15) and report["lost"] <= COUNT - len(found)
    verdict = salvage.check(path)
    assert verdict["whole"] == len(found)
    assert verdict["sqlite"] != "ok" or verdict["damaged"] == COUNT - len(found), "the last page is cut in a reply"


@pytest.mark.parametrize(
    "data", [b"", b"id,text\n1,hello\n" * 1000, random.Random(1).randbytes(100_000), b"SQLite format 3\0"]
)
def test_a_file_that_is_no_cache_holds_nothing(tmp_path, data):
    path = tmp_path / "x.sqlite"
    path.write_bytes(data)
    report, found = salvaged(path)
    assert found == {} and report["lost"] == 0
    assert path.read_bytes() == data


def test_replies_still_in_the_log_of_a_killed_writer_are_found(tmp_path):
    path = tmp_path / "calls.sqlite"
    script = f"""
import os, signal
from support.caches import *
cache = Cache.open({str(path)!r})
for number in range(40):
    keep(cache, str(number), noise(number))
os.kill(os.getpid(), signal.SIGKILL)
"""
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT / "tests")
    assert done.returncode == -signal.SIGKILL and path.with_name("calls.sqlite-wal").stat().st_size > 0
    report, found = salvaged(path)
    assert len(found) == 40 and report["lost"] == 0


def test_what_was_pruned_or_replaced_stays_so(whole, tmp_path):
    path = shutil.copy(whole, tmp_path / "pruned.sqlite")
    with Cache.open(path) as cache:
        cache.prune(Selection(before=60.0))
        keep(cache, "70", "another", time=500.0)
    _, found = salvaged(path)
    assert found == entries(path) and len(found) == 60
    assert found[call_key(request("70"))].reply.text == "another"


def test_nothing_is_overwritten(whole, tmp_path):
    (tmp_path / "there.sqlite").write_bytes(b"precious")
    with pytest.raises(UsageFault, match="is not overwritten"):
        salvage.salvage(whole, tmp_path / "there.sqlite")
    assert (tmp_path / "there.sqlite").read_bytes() == b"precious"
    assert os.listdir(tmp_path) == ["there.sqlite"]


# The command


def test_a_damaged_cache_is_no_dead_end(whole, tmp_path):
    path = damaged(whole, tmp_path, lambda data: data[:40_960] + random.Random(1).randbytes(20_480) + data[61_440:])
    told = st("st-cache", "export", env={"ST_CACHE": str(path)})
    assert told.status == 4 and "`st-cache check`" in told.err and "`st-cache salvage PATH`" in told.err
    checked = st("st-cache", "check", env={"ST_CACHE": str(path)})
    [report] = checked.records
    assert (
        checked.status == 1 and 0 < report["whole"] < COUNT and f"the {report['whole']} intact replies" in checked.err
    )
    made = st("st-cache", "salvage", tmp_path / "new.sqlite", "--cache", path)
    [counts] = made.records
    assert made.status == 1 and counts["salvaged"] == report["whole"] and counts["lost"] == report["lost"] > 0
    assert counts["salvaged"] + counts["lost"] == COUNT
    rest = st("st-cache", "check", "--cache", tmp_path / "new.sqlite")
    assert rest.status == 0 and rest.records[0]["whole"] == report["whole"] and rest.err == ""
    again = st("st-cache", "salvage", tmp_path / "new.sqlite", "--cache", path)
    assert again.status == 2 and "is not overwritten" in again.err


@pytest.mark.parametrize(
    ("args", "status", "words"),
    [
        (["check", "--cache", "/none"], 4, "/none/calls.sqlite: no cache there"),
        (["check", "x"], 2, "unexpected extra argument (x)"),
        (["salvage"], 2, "Missing argument 'PATH'"),
        (["salvage", "new.sqlite", "--cache", "/none"], 3, "/none/calls.sqlite: No such file"),
        (["salvage", "/proc/new.sqlite"], 2, "/proc/new.sqlite"),
    ],
)
def test_command_errors_are_one_line(whole, tmp_path, args, status, words):
    result = st("st-cache", *args, env={"ST_CACHE": str(whole)}, cwd=tmp_path)
    assert (result.status, result.out, result.err.count("\n")) == (status, b"", 1), result.err
    assert words in result.err and os.listdir(tmp_path) == []


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("key", "text"), ("key", 1.5), ("model", b"\xff"), ("prompt", b"\xff"), ("created", b"\xff"), ("created", "text"),
        ("prompt_tokens", "text"), ("completion_tokens", b"\xff"), ("cost", "text"),
    ],
)  # fmt: skip
def test_values_of_the_wrong_type_are_told_as_damage(whole, tmp_path, column, value):
    """SQLite returns a value of any type, whatever the column declares."""
    path = tmp_path / "calls.sqlite"
    shutil.copy(whole, path)
    with contextlib.closing(sqlite3.connect(path)) as file, file:
        file.execute(f"UPDATE calls SET {column} = ? WHERE rowid = 2", (value,))
    statuses = []
    for words in (["list"], ["stats"], ["export"]):
        done = st("st-cache", *words, "--cache", path, is_described=False)
        assert "internal error" not in done.err and ("damaged" in done.err) == (done.status == 4)
        statuses.append(done.status)
    assert statuses[0] == 4 and set(statuses) <= {0, 4}
