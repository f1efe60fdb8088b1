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
from support.machines import Machines, machines
from support.run import BIN, ROOT, environment

from scholartools.pipeline import run

TASK = 0.1  # seconds
#: Threads of a cluster, and the share of the ideal speed that is the goal.
GOALS = {8: 0.9, 32: 0.85, 64: 0.7}
OVERHEAD = 1.5  # of a cluster of two over --jobs 2, at most
RECORDS, KILLS = int(os.environ.get("RECORDS", "10000")), 10
EMPTY = 10  # looks that find no worker, some 6 s, before others are started


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
    """How many tasks end while all processes work, of those that could; and the seconds until all work.

    The first task of a process waits for the start of its interpreter, and threads whose tasks are over wait for the
    others: both are left out, as they take the same time in a run of any length.
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
    """The wall of tasks that sleep."""
    began = time.perf_counter()
    n_done = sum(1 for _ in run([{"id": number} for number in range(count)], cluster.wait_a_tenth, **options))
    assert n_done == count
    return time.perf_counter() - began


def kill_workers(folder: Path, running: Machines) -> None:
    """Label records while workers are killed by chance, and compare the bytes with those of one process.

    A nanny of Dask whose worker is killed as it starts may start no other; where none is left, machines are added.
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
                with contextlib.suppress(OSError):  # one that has just died is asked
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
