"""A Dask cluster on this machine: what share of the ideal speed many threads reach, and what deaths of workers change.

Tasks of the first table sleep, so that there can be more threads than processors. Each run starts a process for each
thread; the share is of the time after that. ``RECORDS`` sizes the second part.
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
from support.run import BIN, ROOT, environment

from scholartools.pipeline import run

TASK = 0.1  # seconds
#: Threads of a cluster, and the share of the ideal speed that is the goal.
GOALS = {8: 0.9, 32: 0.85, 64: 0.7}
OVERHEAD = 1.5  # of a cluster of two over --jobs 2, at most
RECORDS, KILLS = int(os.environ.get("RECORDS", "10000")), 10


def main() -> None:
    for threads, goal in GOALS.items():
        with (
            tempfile.TemporaryDirectory() as folder,
            cluster.running(Path(folder), threads=threads // 2) as (address, _),
        ):
            few, many = (seconds_of(count * threads, scheduler=address) for count in (20, 60))
        share = 40 * TASK / (many - few)
        start = few - 20 * TASK / share
        mark = " *" if share < goal else ""
        print(f"{threads:3} threads: {share:.2f} of the ideal, goal {goal}{mark}; {start:.1f} s to start")
    local = seconds_of(300, jobs=2)
    with tempfile.TemporaryDirectory() as folder, cluster.running(Path(folder)) as (address, _):
        ratio = seconds_of(300, scheduler=address) / local
        print(f"2 workers: {ratio:.2f} times the wall of --jobs 2, goal {OVERHEAD}{' *' if ratio > OVERHEAD else ''}")
        kill_workers(Path(folder), address)


def seconds_of(count: int, **options: object) -> float:
    """The wall of tasks that sleep."""
    began = time.perf_counter()
    n_done = sum(1 for _ in run([{"id": number} for number in range(count)], cluster.wait_a_tenth, **options))
    assert n_done == count
    return time.perf_counter() - began


def kill_workers(folder: Path, address: str) -> None:
    """Label records while workers are killed by chance, and compare the bytes with those of one process."""
    lines = (ROOT / "fixtures" / "summaries.jsonl").read_bytes().splitlines(True)
    path = folder / "records.jsonl"
    path.write_bytes(b"".join(lines[number % len(lines)] for number in range(RECORDS)))
    line = [BIN / "st-facets", path]
    whole = subprocess.run(line, capture_output=True, env=environment(), check=True).stdout
    n_killed, is_over = 0, threading.Event()

    def kill() -> None:
        nonlocal n_killed
        with distributed.Client(address, set_as_default=False) as client:
            while n_killed < KILLS and not is_over.wait(random.uniform(0.2, 1)):
                with contextlib.suppress(OSError):  # one that has just died is asked
                    os.kill(random.choice(list(client.run(os.getpid).values())), signal.SIGKILL)
                    n_killed += 1

    killer = threading.Thread(target=kill)
    killer.start()
    done = subprocess.run([*line, "--scheduler", address], capture_output=True, env=environment())
    is_over.set()
    killer.join()
    same = "the same bytes" if done.stdout == whole and done.returncode == 0 else "OTHER bytes *"
    print(f"{RECORDS} records, {n_killed} workers killed: {same} as one process")


if __name__ == "__main__":
    main()
