"""A Dask cluster of which any part, and all of it, may be lost: the same bytes, or a whole beginning of them."""

from __future__ import annotations

import contextlib
import json
import random
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from support.machines import Machines, draw_deaths, machines
from support.run import ROOT, environment, st

pytest.importorskip("distributed")

PROGRAM = """
import sys
from scholartools.commands.facets import main
from scholartools.pipeline.workers import cluster
cluster._PATIENCE, cluster._VACANCY, cluster._TELL = map(float, sys.argv[1:4])
del sys.argv[:4]
sys.argv.insert(0, "st-facets")
main()
"""
PARTS, EACH = 6, 60


def parts() -> list[bytes]:
    lines = [json.loads(line) for line in (ROOT / "fixtures" / "summaries.jsonl").read_bytes().splitlines()]
    made = [json.dumps({**lines[n % len(lines)], "id": n}).encode() + b"\n" for n in range(PARTS * EACH)]
    return [b"".join(made[start : start + EACH]) for start in range(0, len(made), EACH)]


def begin(
    address: str, output: Path, *, patience: float = 300, vacancy: float = 600, tell: float = 10
) -> subprocess.Popen:
    """The command, which has found its workers, reads what it is given, and waits so long for what is lost."""
    line = [
        sys.executable,
        "-c",
        PROGRAM,
        *map(str, (patience, vacancy, tell)),
        "--scheduler",
        address,
        "--output",
        output,
    ]
    pipe = subprocess.PIPE
    process = subprocess.Popen(line, stdin=pipe, stdout=pipe, stderr=pipe, env=environment())
    part = part_of(output)
    while process.poll() is None and not part.exists():
        time.sleep(0.1)
    return process


def part_of(output: Path) -> Path:
    """Where an output is until it is whole."""
    return Path(f"{output}.part")


def give(process: subprocess.Popen, blocks: Iterable[bytes], deaths: Iterable[Callable[[], None]]) -> tuple[int, str]:
    """Its status, and what it says, where the parts of the input come one by one while things die."""

    def write() -> None:
        with contextlib.suppress(BrokenPipeError):
            for block in blocks:
                process.stdin.write(block)  # type: ignore[union-attr]
                process.stdin.flush()  # type: ignore[union-attr]
                is_over.wait(0.5)
            is_over.wait()
            process.stdin.close()  # type: ignore[union-attr]

    is_over = threading.Event()
    writer = threading.Thread(target=write)
    writer.start()
    try:
        for event in deaths:
            event()
    finally:
        is_over.set()
    told = process.stderr.read().decode()  # type: ignore[union-attr]
    writer.join()
    return process.wait(), told


@pytest.mark.slow
@pytest.mark.parametrize(("seed", "is_patient"), [(0, True), (2, True), (0, False)])
def test_what_is_lost_costs_time_or_ends_the_run_with_a_whole_beginning(tmp_path, seed, is_patient):
    """Drawn deaths of workers, of machines with their nannies, and of all; who waits long enough has the same bytes."""
    draw, output, data = random.Random(seed), tmp_path / "out.jsonl", b"".join(parts())
    whole = st("st-facets", input=data).out
    with machines(tmp_path) as running:
        wait = {} if is_patient else {"patience": 1, "vacancy": 1}
        pauses = [lambda: time.sleep(draw.uniform(0, 3)) for _ in range(PARTS)]
        deaths = [event for pair in zip(pauses, draw_deaths(draw, running), strict=False) for event in pair]
        status, told = give(begin(running.address, output, **wait), parts(), deaths)
        if is_patient or status == 0:
            assert (status, output.read_bytes()) == (0, whole), told
            return
        part = part_of(output).read_bytes()
        assert status == 4 and not output.exists() and whole.startswith(part) and part[-1:] in (b"", b"\n"), told
        assert "for 1.0 s" in told or "does not answer" in told
        part_of(output).unlink()
        again, told = give(begin(running.address, output), [data], [])
    assert (again, output.read_bytes()) == (0, whole), told


@pytest.mark.slow
def test_a_run_without_workers_says_so_and_goes_on_with_new_ones(tmp_path):
    output, data = tmp_path / "out.jsonl", parts()
    with machines(tmp_path) as running:
        process = begin(running.address, output, tell=1)
        said: list[bytes] = []

        def lose_all_and_be_told() -> None:
            running.kill_workers()
            said.append(process.stderr.readline())  # type: ignore[union-attr]

        status, told = give(process, data, [lose_all_and_be_told, running.start_workers])
    lost = f"st-facets: the scheduler {running.address} has no workers: the run waits 600.0 s for new ones\n"
    assert (said, status, told) == ([lost.encode()], 0, "")
    assert output.read_bytes() == st("st-facets", input=b"".join(data)).out


@pytest.mark.slow
def test_a_scheduler_that_gives_up_chunks_without_workers_ends_the_run(tmp_path):
    """A setting of Dask, whose errors of its own came out as internal ones of ours."""
    with machines(tmp_path, DASK_DISTRIBUTED__SCHEDULER__NO_WORKERS_TIMEOUT="1s") as running:
        status, told = give(begin(running.address, tmp_path / "out"), parts(), [running.kill_workers])
    said = told.splitlines()[-2:]
    assert status == 4 and said[0].startswith("st-facets: Dask gave up: ") and "without any running workers" in said[0]


FOREIGN = """
import sys
class Lacking:
    def find_spec(name, path=None, target=None):
        if name == "scholartools":
            raise ModuleNotFoundError("No module named 'scholartools'")
sys.meta_path.insert(0, Lacking)
"""


@pytest.mark.slow
@pytest.mark.parametrize("who", ["scheduler", "workers"])
def test_a_machine_without_this_package_is_refused(tmp_path, who):
    """Also that of the scheduler, which reads every task."""
    (tmp_path / "sitecustomize.py").write_text(FOREIGN)
    running = Machines(tmp_path)
    try:
        running.start_scheduler(**{"PYTHONPATH": str(tmp_path)} if who == "scheduler" else {})
        running.start_workers(1, **{"PYTHONPATH": str(tmp_path)} if who == "workers" else {})
        done = st("st-facets", "--scheduler", running.address, input=parts()[0])
    finally:
        running.close()
    assert done.status == 2 and not done.out and done.err.count("\n") == 1
    assert "has no or another scholartools: " in done.err and "No module named" in done.err
