"""A record that takes too much is an entry of ``errors``; the others go on."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time

import pytest
from support.run import environment

from scholartools.errors import ScholartoolsError
from scholartools.pipeline import Limits, run
from scholartools.pipeline.bounds import Guard
from scholartools.pipeline.workers import local
from scholartools.pipeline.workers.local import Processes

RECORDS = [{"id": "first"}, {"id": "second"}, {"id": "third"}]


def loop_at_second(record):
    while record["id"] == "second":
        pass
    return record


def loop_over_exceptions(record):
    while record["id"] == "second":
        try:
            loop_at_second(record)
        except Exception:  # noqa: S112  what a task may do
            continue
    return record


def search_at_second(record):
    if record["id"] == "second":
        re.search(r"(a+)+$", "a" * 60 + "b")
    return record


def fill_at_second(record):
    kept = []
    while record["id"] == "second":
        kept.append(bytearray(2**20))
    return record


def errors_of(made):
    return [[(entry["kind"], entry["reason"]) for entry in one.get("errors", [])] for one in made]


@pytest.mark.parametrize("task", [loop_at_second, loop_over_exceptions, search_at_second])
def test_a_record_that_takes_too_long_fails_alone(task):
    made = list(run(RECORDS, task, bounds=Limits(seconds=0.3)))
    entry = ("too-long", "not done within 0.3 s of processor time (max_seconds)")
    assert errors_of(made) == [[], [entry], []]
    assert signal.getitimer(signal.ITIMER_PROF) == (0.0, 0.0)


def test_a_record_that_needs_too_much_memory_fails_alone():
    made = list(run(RECORDS, fill_at_second, bounds=Limits(megabytes=256)))
    assert errors_of(made) == [[], [("memory", "it needs more than 256 MB of memory (max_memory)")], []]


def test_of_several_records_at_once_only_the_one_that_takes_too_long_fails():
    def many(records):
        return map(loop_at_second, records)

    made = list(run(RECORDS, loop_at_second, many=many, bounds=Limits(seconds=0.3)))
    assert [len(errors) for errors in errors_of(made)] == [0, 1, 0]


def test_processes_have_the_same_bounds():
    made = list(run(RECORDS, loop_at_second, jobs=2, bounds=Limits(seconds=0.3)))
    assert [len(errors) for errors in errors_of(made)] == [0, 1, 0]


def test_in_another_thread_and_beside_another_timer_nothing_is_watched():
    guard, found = Guard(Limits(seconds=0.01)), []
    thread = threading.Thread(target=lambda: found.append(guard.run(sum, range(10**6))))
    thread.start()
    thread.join()
    before = signal.signal(signal.SIGPROF, lambda *_: None)
    try:
        found.append(guard.run(sum, range(10**6)))
    finally:
        signal.signal(signal.SIGPROF, before)
    assert found == [sum(range(10**6))] * 2


def test_an_import_is_neither_broken_off_nor_counted(tmp_path, monkeypatch):
    """A module that is half imported would stay so for the records that follow."""
    slow = "import time\nstart = time.thread_time()\nwhile time.thread_time() < start + 0.5: pass\nkept = bytearray(2**28)\n"
    (tmp_path / "slow_to_import.py").write_text(slow)
    monkeypatch.syspath_prepend(tmp_path)

    def work(record):
        if record["id"] == "second":
            import slow_to_import

            assert len(slow_to_import.kept) == 2**28
        return loop_at_second({**record, "id": "second"} if record["id"] == "third" else {**record, "id": "first"})

    made = list(run(RECORDS, work, bounds=Limits(seconds=0.3, megabytes=128)))
    assert [len(errors) for errors in errors_of(made)] == [0, 0, 1]


def test_what_the_work_raises_is_raised():
    with pytest.raises(ScholartoolsError, match="why"):
        Guard(Limits(seconds=1)).run(fail)


def fail():
    raise ScholartoolsError("why")


def test_work_within_work_has_bounds_of_its_own():
    outer, inner = Guard(Limits(seconds=0.4)), Guard(Limits(seconds=0.2))

    def work():
        with pytest.raises(ScholartoolsError, match=r"within 0\.2 s"):
            inner.run(loop_at_second, RECORDS[1])
        loop_at_second(RECORDS[1])

    with pytest.raises(ScholartoolsError, match=r"within 0\.4 s"):
        outer.run(work)
    assert inner.run(str, 1) == "1"


def test_no_process_is_starting_when_its_locks_are_removed(monkeypatch):
    """It would find none, and write a traceback to stderr."""
    import multiprocessing

    from pebble.pool import channel

    from scholartools.pipeline.workers.local import Processes

    alive = []
    remove = channel.ChannelMutex.unlink
    monkeypatch.setattr(
        channel.ChannelMutex,
        "unlink",
        lambda mutex: (alive.append(multiprocessing.active_children()), remove(mutex)),
    )
    workers = Processes(3, Limits())
    assert list(workers.results(list, [1], workers.submit(list, [1]), lambda _, reason: reason)) == [1]
    workers.close()
    assert alive == [[]]


def nap(items):
    for item in items:
        time.sleep(0.1)
        yield item, os.getpid()


@pytest.mark.parametrize(("limits", "n_processes"), [(Limits(), 2), (Limits(seconds=60), 1)])
def test_a_long_chunk_is_shared_unless_limits_are_for_it(limits, n_processes):
    with contextlib.closing(Processes(2, limits)) as workers:
        workers.start()
        made = list(workers.results(nap, [*range(20)], workers.submit(nap, [*range(20)]), lambda *_: None))
    assert [item for item, _ in made] == [*range(20)]
    assert len({process for _, process in made}) == n_processes


def die_at_70(items):
    for item in items:
        if item == 70:
            os.kill(os.getpid(), signal.SIGKILL)
        yield item


def test_a_death_in_a_long_chunk_costs_few_processes(monkeypatch):
    pools = []
    monkeypatch.setattr(local, "Processes", lambda *given: pools.append(given) or Processes(*given))
    with contextlib.closing(Processes(1, Limits())) as workers:
        future = workers.submit(die_at_70, [*range(100)])
        made = list(workers.results(die_at_70, [*range(100)], future, lambda item, reason: (item, reason)))
    assert made == [*range(70), (70, "its process was killed by SIGKILL"), *range(71, 100)]
    assert len(pools) <= 2 * 7


FORKS = """
import sys, threading
from pathlib import Path
from scholartools.commands.shared.command import command

def work(record):
    return {**record, "is_spawned": "spawn_main" in Path("/proc/self/cmdline").read_text()}

@command("st-forks", examples=())
def main(stream):
    if sys.argv[0].endswith("threads.py"):
        threading.Thread(target=threading.Event().wait, daemon=True).start()
    return stream.map_records(work)

if __name__ == "__main__":
    main()
"""


@pytest.mark.skipif(not os.path.exists("/proc/self/task"), reason="the number of threads is not known here")
@pytest.mark.parametrize("name", ["alone.py", "threads.py"])
def test_a_process_with_threads_is_not_forked(tmp_path, name):
    (tmp_path / name).write_text(FORKS)
    line = [sys.executable, tmp_path / name, "--jobs", "2"]
    done = subprocess.run(line, input=b"{}\n", capture_output=True, env=environment())
    assert json.loads(done.stdout) == {"is_spawned": name == "threads.py"}


@pytest.mark.slow
def test_a_chunk_that_is_not_sent_to_its_end_is_freed_in_silence():
    """Python 3.13 wrote "Exception ignored" for the chunk's bytes: the failed future held the frames of the sending."""
    import gc
    import sys
    import time
    from concurrent.futures import wait

    from scholartools.pipeline.workers.local import Processes

    said = []
    before, sys.unraisablehook = sys.unraisablehook, said.append
    try:
        pool = Processes(1, Limits())
        future = pool.submit(list, ["x" * 3_000_000])  # more than a pipe takes before somebody reads
        time.sleep(0.2)
        pool.close()
        wait([future], timeout=60)
        del pool, future
        gc.collect()
    finally:
        sys.unraisablehook = before
    assert said == []
