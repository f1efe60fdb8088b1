"""Benchmark of a local Dask cluster: the share of ideal speed with many threads, and the effect of killed workers.

The tasks of the first table sleep, so that there can be more threads than processors. Each run starts a process for
each thread, and the share is measured after that. ``RECORDS`` is the number of records of the second part.
"""

from __future__ import annotations

import contextlib
import os
import random
import signal
import subprocess
import tempfile
import threading
import time
from pathlib import Path

import distributed
from support import cluster
from support.machines import Machines, machines
from support.run import BIN, ROOT, environment

from scholartools.pipeline import run

TASK = 0.1  # seconds
#: Goals for the share of the ideal speed, by the number of threads.
GOALS = {8: 0.9, 32: 0.85, 64: 0.7}
OVERHEAD = 1.5  # maximum time of a cluster with two threads relative to --jobs 2
RECORDS, KILLS = int(os.environ.get("RECORDS", "10000")), 10
EMPTY = 10  # successive checks without a worker (about 6 s) before workers are added


def main() -> None:
    for threads, goal in GOALS.items():
        with (
            tempfile.TemporaryDirectory() as folder,
            cluster.running(Path(folder), threads=threads // 2) as (address, _),
        ):
            share, start = share_of_ideal(threads, address)
        mark = " *" if share < goal else ""
        print(f"{threads:3} threads: {share:.2f} of the ideal, goal {goal}{mark}; {start:.1f} s to start", flush=True)
    local = seconds_of(300, jobs=2)
    with tempfile.TemporaryDirectory() as folder, cluster.running(Path(folder)) as (address, _):
        ratio = seconds_of(300, scheduler=address) / local
        print(f"2 workers: {ratio:.2f} times the wall of --jobs 2, goal {OVERHEAD}{' *' if ratio > OVERHEAD else ''}")
    with tempfile.TemporaryDirectory() as folder, machines(Path(folder)) as running:
        kill_workers(Path(folder), running)


def share_of_ideal(threads: int, address: str) -> tuple[float, float]:
    """Number of tasks that end while all processes work, relative to the ideal; and the seconds until all work.

    The start of the interpreters and the end of the run, when some threads have no tasks left, are excluded, since they
    do not depend on the length of the run.
    """
    began = time.time()
    ended: dict[int, list[float]] = {}
    for done in run([{"id": number} for number in range(400 * threads)], cluster.wait_and_tell, scheduler=address):
        ended.setdefault(done["pid"], []).append(done["ended"])
    assert len(ended) == threads, f"{len(ended)} processes worked, not {threads}"
    first, last = (pick(pick_of(times) for times in ended.values()) for pick, pick_of in ((max, min), (min, max)))
    n_ended = sum(first < moment <= last for times in ended.values() for moment in times)
    return n_ended * TASK / (threads * (last - first)), first - began


def seconds_of(count: int, **options: object) -> float:
    """Wall time of ``count`` sleeping tasks."""
    began = time.perf_counter()
    n_done = sum(1 for _ in run([{"id": number} for number in range(count)], cluster.wait_a_tenth, **options))
    assert n_done == count
    return time.perf_counter() - began


def kill_workers(folder: Path, running: Machines) -> None:
    """Label records while random workers are killed, and compare the output with that of one process.

    Dask's nanny may not restart a worker that is killed at its start; if no worker is left, machines are added.
    """
    lines = (ROOT / "fixtures" / "summaries.jsonl").read_bytes().splitlines(True)
    path = folder / "records.jsonl"
    path.write_bytes(b"".join(lines[number % len(lines)] for number in range(RECORDS)))
    line = [BIN / "st-facets", path]
    whole = subprocess.run(line, capture_output=True, env=environment(), check=True).stdout
    n_killed, n_added, n_empty, is_over = 0, 0, 0, threading.Event()

    def kill() -> None:
        nonlocal n_killed, n_added, n_empty
        with distributed.Client(running.address, set_as_default=False) as client:
            while not is_over.wait(random.uniform(0.2, 1)):
                with contextlib.suppress(OSError):  # a queried worker has just died
                    pids = list(client.run(os.getpid).values())
                    n_empty = 0 if pids else n_empty + 1
                    if pids and n_killed < KILLS:
                        os.kill(random.choice(pids), signal.SIGKILL)
                        n_killed += 1
                    elif n_empty == EMPTY:
                        running.start_workers()
                        n_added, n_empty = n_added + 2, 0

    killer = threading.Thread(target=kill)
    killer.start()
    done = subprocess.run([*line, "--scheduler", running.address], capture_output=True, env=environment())
    is_over.set()
    killer.join()
    if done.returncode:
        same = f"status {done.returncode} * ({done.stderr[-200:]!r}) not the bytes"
    else:
        same = "the same bytes" if done.stdout == whole else "OTHER bytes *"
    print(f"{RECORDS} records, {n_killed} workers killed, {n_added} added where none was left: {same} as one process")


if __name__ == "__main__":
    main()
