"""Where records go: one run writes a file at a time, and what it writes is nobody else's."""

from __future__ import annotations

import fcntl
import json
import os
import random
import signal
import subprocess
import time

import pytest
from support.run import BIN, environment, jsonl, st

from scholartools import io
from scholartools.errors import OutputFault, UsageFault

GOOD = {"id": "p1", "abstract": "We test. It works."}


def write_again_and_again(path: str, number: int, until: float) -> None:
    """Write the file as often as it is free, ten lines of one's own each time; ends with 1 where it is not free once."""
    draw, refused = random.Random(number), 0
    while time.time() < until:
        try:
            with io.open_output(path) as output:
                for line in range(10):
                    output.write({"by": number, "line": line})
                    if draw.random() < 0.02:
                        os.kill(os.getpid(), signal.SIGKILL)
        except OutputFault as fault:
            assert fault.kind == "unwritable" and "another run is writing it" in fault.reason
            refused = 1
    os._exit(refused)


@pytest.mark.slow
def test_runs_with_one_output_never_mix(tmp_path):
    """Eight of them at once, some of which are killed while they write: what stands there is whole and of one run."""
    path = str(tmp_path / "out.jsonl")
    until, children = time.time() + 2, []
    for number in range(8):
        children.append(os.fork())
        if not children[-1]:
            write_again_and_again(path, number, until)
    found, statuses = 0, []
    while not statuses:
        if time.time() >= until:
            statuses = [os.waitpid(child, 0)[1] for child in children]  # and look once more: forking may take that long
        if os.path.exists(path):
            records = [json.loads(line) for line in open(path, "rb").read().splitlines()]
            assert [record["line"] for record in records] == list(range(10))
            assert len({record["by"] for record in records}) == 1
            found += 1
    assert found and {os.waitstatus_to_exitcode(status) for status in statuses} <= {0, 1, -9}
    with io.open_output(path) as output:
        output.write({"by": "last"})
    assert open(path).read() == '{"by":"last"}\n' and not os.path.exists(path + ".part")


def test_a_second_run_is_refused_at_once_and_the_first_is_whole(tmp_path):
    target = tmp_path / "out.jsonl"
    line = [str(BIN / "st-facets"), "--output", str(target)]
    first = subprocess.Popen(line, stdin=subprocess.PIPE, stderr=subprocess.PIPE, env=environment())
    first.stdin.write(jsonl(GOOD))
    first.stdin.flush()
    while not target.with_name("out.jsonl.part").exists():
        time.sleep(0.02)
    second = st("st-facets", "--output", target, input=jsonl({**GOOD, "id": "second"}))
    assert (second.status, second.out, second.err.count("\n")) == (2, b"", 1)
    assert f"{target}: another run is writing it" in second.err
    first.communicate()
    assert first.returncode == 0 and [json.loads(line)["id"] for line in target.read_bytes().splitlines()] == ["p1"]


def test_what_a_killed_run_left_is_in_no_other_output(tmp_path):
    target, part = tmp_path / "out.jsonl", tmp_path / "out.jsonl.part"
    part.write_text("left\n" * 1000)
    assert st("st-facets", "--output", target, input=jsonl(GOOD)).status == 0
    assert b"left" not in target.read_bytes() and not part.exists()


@pytest.mark.parametrize("kind", ["link", "second name", "pipe", "folder"])
def test_a_part_that_no_run_left_is_refused_and_kept(tmp_path, kind):
    """A link of that name, which anybody can put in a folder that others write in, let its target be overwritten."""
    other, part = tmp_path / "other", tmp_path / "out.jsonl.part"
    other.write_text("mine\n")
    if kind == "link":
        part.symlink_to(other)
    elif kind == "second name":
        part.hardlink_to(other)
    elif kind == "pipe":
        os.mkfifo(part)
    else:
        part.mkdir()
    result = st("st-facets", "--output", tmp_path / "out.jsonl", input=jsonl(GOOD))
    assert (result.status, result.out, result.err.count("\n")) == (2, b"", 1) and f"{part}: " in result.err
    assert other.read_text() == "mine\n" and os.path.lexists(part) and not (tmp_path / "out.jsonl").exists()


@pytest.mark.parametrize("is_replaced", [True, False])
def test_a_part_of_which_another_took_the_name_is_no_output(tmp_path, is_replaced):
    """A run with ``--output out.jsonl.part`` took the place of the part, and the first one gave its records the name."""
    target, part = tmp_path / "out.jsonl", tmp_path / "out.jsonl.part"
    line = [str(BIN / "st-facets"), "--output", str(target)]
    with subprocess.Popen(line, stdin=subprocess.PIPE, stderr=subprocess.PIPE, env=environment()) as first:
        while not part.exists():
            time.sleep(0.02)
        if is_replaced:
            assert st("st-facets", "--output", part, input=jsonl({**GOOD, "id": "second"})).status == 0
        else:
            part.unlink()
        err = first.communicate(jsonl(GOOD))[1].decode()
    assert first.returncode == 6 and f"{part} was removed or replaced while it was written" in err
    assert not target.exists() and part.exists() == is_replaced


def test_a_file_system_without_locks_takes_no_part_that_is_there(tmp_path, monkeypatch):
    def refuse(*_: object) -> None:
        raise OSError(38, "Function not implemented")

    monkeypatch.setattr(fcntl, "flock", refuse)
    target = tmp_path / "x"
    with io.open_output(str(target)) as output:
        with pytest.raises(OutputFault, match=r"x\.part exists: another run is writing the file, or was killed"):
            io.open_output(str(target)).__enter__()
        output.write({"a": 1})
    assert target.read_text() == '{"a":1}\n'


def test_a_part_is_not_read_by_the_run_that_writes_it(tmp_path):
    part = tmp_path / "out.jsonl.part"
    part.write_bytes(jsonl(GOOD))
    result = st("st-facets", part, "--output", tmp_path / "out.jsonl")
    assert (
        result.status == 2
        and "is both an input and the partial file of" in result.err
        and part.read_bytes() == jsonl(GOOD)
    )


# The cache's place


@pytest.mark.parametrize("address", ["mysql://me:secret@h/db", "redis://:secret@h", "file:///secret", "x+y://secret"])
@pytest.mark.parametrize("line", [["st-facets", "--model", "openai/m"], ["st-score"], ["st-cache", "stats"]])
def test_a_cache_that_is_a_server_is_refused_before_all_else(tmp_path, address, line):
    given = {"ST_CACHE": address}
    result = st(*line, "--output", "out.jsonl", input=jsonl(GOOD), env=given, cwd=tmp_path)
    assert (result.status, result.err.count("\n"), list(tmp_path.iterdir())) == (2, 1, [])
    assert "secret" not in result.err and address.split("://")[0] in result.err
    typed = st("st-cache", "import", "--cache", address, "--output", "out.jsonl", cwd=tmp_path)
    assert (typed.status, list(tmp_path.iterdir())) == (2, []) and "secret" not in typed.err


def test_python_refuses_it_too(monkeypatch):
    from scholartools.pipeline import Settings, ask
    from scholartools.tasks import facets

    monkeypatch.setenv("ST_CACHE", "mysql://me:secret@h/db")
    with pytest.raises(UsageFault, match="not a server at mysql://"):
        ask([GOOD], facets.ask, Settings(model="openai/m"))


# What is told


def test_a_misspelt_key_is_one_line_and_a_count():
    lacking = [{"item": number, "x": number, "y": -number} for number in range(30)]
    line = ("st-agree", "correlate", "--x", "x", "--y", "y", "--item", "itm")
    first, more = st(*line, input=jsonl(*lacking)).err.splitlines()
    assert first.startswith('st-agree: -:1: no "itm"') and more.startswith("st-agree: 29 more records failed for the")
    assert len(st(*line, input=jsonl(*lacking[:4])).err.splitlines()) == 4  # so few are named
    mixed = st(*line, input=jsonl(*lacking, *({"itm": n, "x": n, "y": n * n} for n in range(5)))).err.splitlines()
    assert [one.split(":")[2] for one in mixed[:20]] == [str(number) for number in range(1, 21)]
    assert len(mixed) == 21 and mixed[-1].startswith("st-agree: 10 more records failed for the same reason")


def test_many_lines_of_one_reason_become_a_count():
    bad = jsonl(*({"id": f"p{number}"} for number in range(300)), *({"abstract": number} for number in range(30)))
    result = st("st-facets", input=bad + jsonl(GOOD))
    lines = result.err.splitlines()
    assert len(lines) == 20 + 20 + 2 and lines[0].startswith("st-facets: -:1: ")
    assert lines[-2].startswith('st-facets: 280 more records failed for the same reason: no "abstract"')
    assert lines[-1].startswith("st-facets: 10 more records failed for the same reason: ")
    assert sum("errors" in record for record in result.records) == 330


def test_twenty_lines_stay_lines():
    result = st("st-facets", input=jsonl(*[{"id": "x"}] * 20, GOOD))
    assert len(result.err.splitlines()) == 20 and "more" not in result.err


MARK = b"\xef\xbb\xbf"


def test_a_byte_order_mark_before_json_is_no_fault(tmp_path):
    result = st("st-facets", input=MARK + jsonl(GOOD) + MARK + jsonl(GOOD))
    assert result.status == 0 and len(result.records) == 2
    reviews = tmp_path / "reviews.jsonl"
    reviews.write_bytes(
        MARK + jsonl({"paper": "paper", "text": "Good."}) + MARK + jsonl({"paper": "paper", "text": "Bad."})
    )
    (tmp_path / "paper.txt").write_text("A title\n\nAbstract\n\nWe test a thing. It works well.\n")
    read = st("st-parse", "paper.txt", "--reviews", reviews, cwd=tmp_path)
    assert read.status == 0 and len(read.records[0]["reviews"]) == 2, read.err
