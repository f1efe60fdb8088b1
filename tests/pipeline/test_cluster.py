"""Work by a Dask cluster: the bytes of one process, whatever dies, and nothing that stays behind."""

from __future__ import annotations

import contextlib
import json
import os
import pickle
import random
import signal
import socket
import subprocess
import sys
import threading
import time
from functools import partial
from pathlib import Path

import pytest
from support import cluster
from support.run import BIN, PAPER, ROOT, environment, st

from scholartools.errors import ModelFault, UsageFault
from scholartools.parameters import get_spelling
from scholartools.pipeline import iterate
from scholartools.pipeline.outcome import outcomes
from scholartools.pipeline.workers import Limits
from scholartools.pipeline.workers.cluster import Cluster, _call, host_of
from scholartools.tasks import facets

distributed = pytest.importorskip("distributed")


@pytest.fixture(scope="module")
def shared(tmp_path_factory):
    """Gives the address of a cluster with both its workers: a nanny that fails at the start does not try again."""
    addresses = []
    with contextlib.ExitStack() as stack:

        def find() -> str:
            if not (addresses and cluster.is_whole(addresses[-1])):
                stack.close()
                addresses.append(stack.enter_context(cluster.running(tmp_path_factory.mktemp("cluster")))[0])
            return addresses[-1]

        yield find


@pytest.fixture
def address(shared):
    return shared()


@pytest.fixture
def workers(address):
    """The process ids of the workers, as they are when asked."""

    with distributed.Client(address, set_as_default=False) as client:
        yield partial(cluster.pids_of, client)


def descendants(pid: int) -> list[int]:
    """The processes below one that do the work of this package."""
    found = subprocess.run(["pgrep", "-P", str(pid)], capture_output=True, text=True).stdout.split()
    return [one for child in map(int, found) for one in [child, *descendants(child)]]


def working(pids: list[int]) -> list[int]:
    """The processes of ours beside the workers: spawned by them, and no tracker of resources."""
    spawned = [pid for worker in pids for pid in descendants(worker)]
    return [pid for pid in spawned if b"spawn_main" in line_of(pid)]


def line_of(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def until(holds, seconds: float = 60) -> bool:
    ends = time.monotonic() + seconds
    while not holds() and time.monotonic() < ends:
        time.sleep(0.1)
    return bool(holds())


def summaries(n: int) -> bytes:
    lines = [json.loads(line) for line in (ROOT / "fixtures" / "summaries.jsonl").read_bytes().splitlines()]
    return b"".join(json.dumps({**lines[i % len(lines)], "id": i}).encode() + b"\n" for i in range(n))


@pytest.mark.slow
@pytest.mark.parametrize("command", [("st-facets",), ("st-facets", "--max-seconds", "60"), ("st-extract-limits",)])
def test_the_bytes_are_those_of_one_process(command, address, workers, parsed):
    data = (parsed if command[0] == "st-extract-limits" else summaries(300)) + b"no record\n{}\n"
    whole = st(*command, input=data)
    done = st(*command, "--scheduler", address, input=data)
    assert (done.status, done.out, done.err) == (whole.status, whole.out, whole.err)
    assert until(lambda: not working(workers())), "no process of ours is left"


@pytest.mark.slow
def test_papers_are_read_on_the_workers(address, tmp_path):
    names = ["a.pdf", "b.tex", "missing.pdf", "c.pdf"]
    for name in names[0], names[3]:
        (tmp_path / name).write_bytes(PAPER.read_bytes())
    (tmp_path / names[1]).write_text(
        "\\documentclass{article}\\title{A}\\begin{document}\\section{B} We do.\\end{document}"
    )
    whole = st("st-parse", *names, cwd=tmp_path)
    done = st("st-parse", *names, cwd=tmp_path, env={"ST_SCHEDULER": address})
    assert (done.status, done.out) == (whole.status, whole.out) and whole.status == 1


@pytest.mark.slow
def test_workers_that_are_killed_cost_nothing(address):
    """Each dies while it has chunks of the run, by what the scheduler says; the nannies start others."""
    data = summaries(2000)
    stop, killed = threading.Event(), []
    with distributed.Client(address, set_as_default=False) as client:

        def kill() -> None:
            while len(killed) < 3 and not stop.wait(0.05):
                pids = client.run(os.getpid, on_error="ignore", callback_timeout=5)
                busy = [worker for worker, tasks in client.processing().items() if tasks and worker in pids]
                if busy:
                    killed.append(random.choice(busy))
                    os.kill(pids[killed[-1]], signal.SIGKILL)
                    stop.wait(1)

        killer = threading.Thread(target=kill)
        killer.start()
        done = st("st-facets", "--scheduler", address, input=data, is_described=False)
        stop.set()
        killer.join()
        told = [event for _, event in client.get_events("all") if event["action"] == "remove-worker"]
    n_lost = {event["worker"]: len(event["processing-tasks"]) for event in told if event["worker"] in killed}
    assert killed and all(n_lost[worker] for worker in killed), n_lost
    assert done.status == 0 and done.out == st("st-facets", input=data, is_described=False).out


@pytest.mark.slow
def test_a_record_that_was_under_way_on_a_killed_worker_is_done_again(address, workers, tmp_path):
    """By what the processes note: begun by one that never ended it, then begun and ended by another."""
    notes = tmp_path / "notes"
    notes.touch()
    records = [{"id": number, "notes": str(notes), "seconds": 0.5} for number in range(30)]
    stop, n_killed = threading.Event(), 0

    def kill() -> None:
        nonlocal n_killed
        while n_killed < 2 and not stop.wait(0.05):
            below = {worker: descendants(worker) for worker in workers()}
            begun, ended = cluster.read_notes(notes)
            under_way = {pid for _, pid in begun - ended}
            worker = next((worker for worker, pids in below.items() if under_way & set(pids)), None)
            if worker is not None:
                os.kill(worker, signal.SIGKILL)
                n_killed += 1
                stop.wait(2)

    killer = threading.Thread(target=kill)
    killer.start()
    results = list(iterate.run(records, cluster.noted, scheduler=address))
    stop.set()
    killer.join()
    begun, ended = cluster.read_notes(notes)
    lost = begun - ended
    assert results == records and 1 <= n_killed <= len(lost), (n_killed, lost)
    assert {number for number, _ in lost} <= {number for number, _ in ended}


KINDS = ["kill", "exit", "crash", "loop", "memory", "raise"]


@pytest.mark.slow
def test_an_item_that_ends_its_process_costs_itself_alone(address, workers):
    records = [{"id": i} for i in range(70)]
    for place, kind in enumerate(KINDS):
        records[7 + 11 * place]["poison"] = kind
    limits = Limits(10.0, 2048)  # a process that starts on a busy machine needs some of them
    here = list(iterate.run(records, cluster.poison, jobs=2, chunk=4, limits=limits))
    there = list(iterate.run(records, cluster.poison, scheduler=address, limits=limits))
    assert there == here
    assert [one["poison"] for one in there if "errors" in one] == KINDS
    assert until(lambda: not working(workers()))


def program_of(folder: Path, note: Path) -> tuple[list, dict[str, str]]:
    """The line and the variables of a program with one slow record; seconds and the scheduler are to follow."""
    script = folder / "program.py"
    script.write_text(
        "import sys\nfrom scholartools.pipeline import iterate\nfrom support import cluster\n"
        "record = {'note': sys.argv[1], 'seconds': float(sys.argv[2])}\n"
        "list(iterate.run([record], cluster.slow, scheduler=sys.argv[3]))\n"
    )
    return [sys.executable, str(script), str(note)], environment(PYTHONPATH=str(ROOT / "tests"))


@pytest.mark.slow
def test_what_was_under_way_ends_with_the_worker_or_the_run(address, workers, tmp_path):
    """kill -9 of the worker, whose process is busy; then of the program."""
    note = tmp_path / "pid"
    line, env = program_of(tmp_path, note)
    program = subprocess.Popen([*line, "60", address], env=env)
    assert until(lambda: note.exists() and note.read_text())
    first = int(note.read_text())
    worker = next(pid for pid in workers() if first in descendants(pid))
    os.kill(worker, signal.SIGKILL)
    assert until(lambda: not line_of(first), 3), "the process of a worker that died does not go on"
    assert until(lambda: int(note.read_text() or first) != first), "another worker does the task"
    program.send_signal(signal.SIGINT)
    program.wait(20)
    assert until(lambda: not working(workers()), 5), "Ctrl-C ends what is under way"
    note.unlink()
    program = subprocess.Popen([*line, "1", address], env=env)
    assert until(lambda: note.exists() and note.read_text())
    program.kill()
    program.wait()
    assert until(lambda: not working(workers()), 30), "a process without work ends by itself"


def never(item, reason: str) -> None:
    raise AssertionError(reason)


@pytest.mark.slow
def test_a_scheduler_that_is_gone_ends_the_run_or_comes_back(tmp_path, monkeypatch):
    from scholartools.pipeline.workers import cluster as ours

    records = [{"id": number} for number in range(60)]
    with cluster.running(tmp_path) as (address, process):
        results = iterate.run(records, cluster.wait_a_tenth, scheduler=address, chunk=2)
        found = [next(results) for _ in range(4)]
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    port = int(address.rpartition(":")[2])
    with cluster.running(tmp_path, port=port) as (address, process):
        found += [next(results) for _ in range(30)]
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    assert found == records[:34]
    monkeypatch.setattr(ours, "_PATIENCE", 2)
    with pytest.raises(ModelFault, match="does not answer"):
        list(results)


@contextlib.contextmanager
def stopped(pids: list[int]):
    """With processes stopped, as on a machine that has lost its network."""
    try:
        for pid in pids:
            os.kill(pid, signal.SIGSTOP)
        yield
    finally:
        for pid in pids:
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGCONT)


def pids_at(address: str) -> list[int]:
    with distributed.Client(address, timeout=10, set_as_default=False) as client:
        return cluster.pids_of(client)


@pytest.fixture
def impatient(monkeypatch):
    """What waits a minute or more in a run waits two seconds."""
    from scholartools.pipeline.workers import cluster as ours

    def hurry() -> None:
        for name in ("_PATIENCE", "_VACANCY"):
            monkeypatch.setattr(ours, name, 2)
        monkeypatch.setattr(ours, "_CONNECT", 3)

    return hurry


@pytest.mark.slow
def test_a_scheduler_that_takes_the_connection_and_says_nothing_ends_the_run():
    with socket.create_server(("127.0.0.1", 0)) as server:  # the kernel takes what connects
        scheduler = f"tcp://127.0.0.1:{server.getsockname()[1]}"
        done = st("st-facets", "--scheduler", scheduler, input=summaries(1))
    assert done.status == 4 and not done.out and done.err.count("\n") == 1
    assert done.err.startswith(f"st-facets: the scheduler {scheduler} does not answer")


@pytest.mark.slow
def test_a_scheduler_that_says_nothing_any_more_ends_the_run(address, impatient):
    with distributed.Client(address, timeout=10, set_as_default=False) as client:
        scheduler = client.run_on_scheduler(os.getpid)
    results = iterate.run([{"id": number} for number in range(60)], cluster.wait_a_tenth, scheduler=address, chunk=2)
    assert next(results) == {"id": 0}
    impatient()
    with stopped([scheduler]), pytest.raises(ModelFault, match="does not answer, for 2 s"):
        _call(25, list, results)


@pytest.mark.slow
def test_workers_that_are_gone_for_good_end_the_run(tmp_path, impatient):
    with cluster.running(tmp_path, restarts=False) as (address, _):
        results = iterate.run([{"id": n} for n in range(60)], cluster.wait_a_tenth, scheduler=address, chunk=2)
        assert next(results) == {"id": 0}
        for worker in pids_at(address):
            os.kill(worker, signal.SIGKILL)
        impatient()
        with pytest.raises(ModelFault, match="has no workers, for 2 s"):
            _call(25, list, results)


@pytest.mark.slow
def test_a_long_task_is_waited_for_while_there_are_workers(address, tmp_path, impatient):
    record = {"note": str(tmp_path / "note"), "seconds": 5}
    results = iterate.run([record, record], cluster.slow, scheduler=address, chunk=1)
    first = threading.Timer(0.5, impatient)
    first.start()
    assert _call(28, list, results) == [record, record]


@pytest.mark.slow
def test_a_worker_that_is_stopped_at_the_start_ends_the_run(address, impatient):
    impatient()
    with (
        stopped(pids_at(address)[:1]),
        pytest.raises(ModelFault, match="a worker of the scheduler .* does not answer"),
    ):
        _call(25, Cluster, address, Limits())


@pytest.mark.slow
def test_what_a_stopped_worker_has_is_done_elsewhere_after_the_time_of_the_scheduler(tmp_path):
    """The setting that docs/scale.md names; without it Dask waits five minutes or more."""
    notes = tmp_path / "notes"
    notes.touch()
    records = [{"id": number, "notes": str(notes), "seconds": 0.5} for number in range(20)]
    with cluster.running(tmp_path, DASK_DISTRIBUTED__SCHEDULER__WORKER_TTL="3s") as (address, _):
        results = iterate.run(records, cluster.noted, scheduler=address, chunk=2)
        found = [next(results) for _ in range(4)]
        pids = pids_at(address)
        with stopped([pids[0], *descendants(pids[0])]):
            found += _call(60, list, results)
    begun, ended = cluster.read_notes(notes)
    assert found == records and begun - ended


@pytest.mark.slow
def test_ctrl_c_does_not_wait_for_a_worker_that_is_stopped(address, tmp_path):
    note = tmp_path / "pid"
    line, env = program_of(tmp_path, note)
    program = subprocess.Popen([*line, "60", address], env=env, stderr=subprocess.PIPE)
    try:
        assert until(lambda: note.exists() and note.read_text())
        with stopped(pids_at(address)[:1]):
            program.send_signal(signal.SIGINT)
            program.communicate(timeout=25)
    finally:
        program.kill()
        program.communicate()


@pytest.mark.slow
def test_a_thread_of_a_worker_is_free_again_when_the_run_is_over(tmp_path):
    """Whenever the process was stopped: pebble may leave a future that is never done."""
    from scholartools.pipeline.workers import cluster as ours

    head = pickle.dumps((partial(map, cluster.slow), get_spelling(), str(tmp_path)))
    chunk = pickle.dumps([{"note": str(tmp_path / "note"), "seconds": 60}])
    threads = []

    def relay(run: str) -> None:
        with contextlib.suppress(Exception):  # that the process was ended
            ours._relay(run, ours._versions(), Limits(), [], head, chunk)

    for number in range(12):
        threads.append(threading.Thread(target=relay, args=(str(number),), daemon=True))
        threads[-1].start()
        assert until(lambda number=number: any(child.run == str(number) for child in ours._children))
        time.sleep(0.05 * number)
        ours._end_run(str(number))
    assert until(lambda: not any(thread.is_alive() for thread in threads), 10)


@pytest.mark.slow
def test_what_is_under_way_is_bounded_in_bytes(address, monkeypatch):
    """Also where a thread has room for less than one item."""
    from scholartools.pipeline.workers import cluster as ours

    monkeypatch.setattr(ours, "_BYTES", 250_000)
    under_way, most = 0, 0

    class Counted(ours.Cluster):
        def submit(self, function, batch):
            nonlocal under_way, most
            under_way += len(pickle.dumps(batch))
            most = max(most, under_way)
            return super().submit(function, batch)

        def results(self, function, batch, *rest):
            nonlocal under_way
            yield from super().results(function, batch, *rest)
            under_way -= len(pickle.dumps(batch))

    lines = iterate._number_records({"id": number, "text": "x" * 100_000} for number in range(20))
    made = list(outcomes("st-facets", cluster.wait_a_tenth, lines, workers=Counted(address, Limits()), chunk=1))
    assert len(made) == 20 and 200_000 < most <= 250_000, most


def resident_bytes() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.slow
def test_chunks_that_were_sent_are_not_kept(address):
    """By itself Dask keeps its last 1,000 messages, so that memory grows with the input."""
    with contextlib.closing(Cluster(address, Limits())) as workers:
        for number in range(110):
            if number == 10:
                before = resident_bytes()
            assert workers.begin(len, os.urandom(400_000)).result(60) == 400_000
        assert resident_bytes() - before < 15e6


@pytest.mark.slow
def test_a_worker_of_other_versions_is_refused(tmp_path):
    other = tmp_path / "packages" / "numpy-0.1.dist-info"
    other.mkdir(parents=True)
    (other / "METADATA").write_text("Metadata-Version: 2.1\nName: numpy\nVersion: 0.1\n")
    with cluster.running(tmp_path, PYTHONPATH=str(other.parent)) as (address, _):
        done = st("st-facets", "--scheduler", address, input=summaries(1))
    assert done.status == 2 and not done.out and "numpy 0.1, this machine " in done.err and done.err.count("\n") == 1


@pytest.mark.slow
def test_a_file_that_a_worker_does_not_have_ends_the_run(address, tmp_path, monkeypatch):
    from scholartools.pipeline.workers import cluster as ours

    monkeypatch.setattr(ours, "_size_of", lambda path: 17)  # here; the workers look for themselves
    there = ours.Cluster(address, Limits(), path_of=lambda line: line.record["path"])
    lines = iterate._number_records([{"id": 1, "path": str(tmp_path / "none.pdf")}])
    with pytest.raises(UsageFault, match="none.pdf is another or none on a worker"):
        list(outcomes("st-parse", cluster.poison, lines, workers=there))


def certificates(folder: Path) -> Path:
    """A key with its certificate by an authority of its own."""
    folder.mkdir()
    name = ["-newkey", "rsa:2048", "-nodes", "-subj"]
    ask = partial(subprocess.run, cwd=folder, check=True, capture_output=True)
    ask(["openssl", "req", "-x509", *name, "/CN=authority", "-keyout", "authority.pem", "-out", "ca.pem"])
    ask(["openssl", "req", *name, "/CN=here", "-keyout", "key.pem", "-out", "request.pem"])
    signed = ["-CA", "ca.pem", "-CAkey", "authority.pem", "-CAcreateserial"]
    ask(["openssl", "x509", "-req", "-in", "request.pem", *signed, "-out", "cert.pem"])
    return folder


@pytest.mark.slow
def test_certificates(tmp_path):
    ours, other = certificates(tmp_path / "ours"), certificates(tmp_path / "other")
    with cluster.running(tmp_path, tls=str(ours)) as (address, _):
        data = summaries(4)
        done = st("st-facets", "--scheduler", address, input=data, env=cluster.settings(ours))
        assert done.status == 0 and done.out == st("st-facets", input=data).out, done.err
        for wrong, env in ((address, cluster.settings(other)), (address.replace("tls:", "tcp:"), {})):
            begun = time.monotonic()
            done = st("st-facets", "--scheduler", wrong, input=data, env=env)
            assert done.status == 4 and done.err.startswith("st-facets: the scheduler ") and done.err.count("\n") == 1
            assert time.monotonic() - begun < 15


@pytest.mark.parametrize(
    ("given", "env", "words"),
    [
        (("--scheduler", "tcp://x:1", "--jobs", "2"), {}, "--scheduler cannot be used with --jobs above 1"),
        (("--scheduler", "tcp://x:1", "--model", "openai/gpt-4o-mini"), {}, "--shard and a common cache"),
        (("--scheduler", "tcp://x:1"), {"ST_MODEL": "openai/gpt-4o-mini"}, "which ST_MODEL sets"),
        (("--scheduler", "localhost:8786"), {}, "does not begin with tcp:// or tls://"),
        (("--scheduler", "tls://127.0.0.1:1"), {}, "needs the certificates"),
        (("--scheduler", "tls://127.0.0.1:1"), cluster.settings("/nowhere"), "cannot be used: [Errno 2]"),
        (("--scheduler", "tcp://127.0.0.1:1"), {"DASK_DISTRIBUTED__COMM__REQUIRE_ENCRYPTION": "true"}, "tls://"),
    ],
)  # fmt: skip
def test_wrong_uses(given, env, words):
    done = st("st-facets", *given, input=summaries(1), env=env)
    assert done.status == 2 and words in done.err and done.err.count("\n") == 1


@pytest.mark.parametrize(
    "end",
    ["127.0.0.1", "127.0.0.1:", "127.0.0.1:0", "127.0.0.1:99999", "127.0.0.1:1/x", "me:word@127.0.0.1:1", "a b:1",
     "[::1", "[::1]", ":1", "[]:1", "::1:1", "127.0.0.1:\u0661"],
)  # fmt: skip
@pytest.mark.parametrize("scheme", ["tcp", "tls"])
def test_what_is_no_address_is_refused_at_once(scheme, end):
    """Dask tries such an address for as long as it waits for a machine, and has a traceback at the end."""
    with pytest.raises(UsageFault, match="is not tcp://HOST:PORT|does not begin"):
        Cluster(f"{scheme}://{end}", Limits())


def test_hosts_of_addresses():
    assert [host_of(f"tls://{end}:8786") for end in ("db.example.org", "[::1]", "10.0.0.1")] == [
        "db.example.org", "::1", "10.0.0.1"
    ]  # fmt: skip


def test_a_task_of_the_program_itself_is_refused(tmp_path):
    """The workers have no such module; nothing is asked of the scheduler."""
    script = tmp_path / "script.py"
    script.write_text(
        "import functools\nfrom scholartools.pipeline import run\n"
        "def task(record):\n    return record\n"
        "if __name__ == '__main__':\n"
        "    for one in (task, functools.partial(task)):\n"
        "        try:\n            list(run([{}], one, scheduler='tcp://127.0.0.1:1'))\n"
        "        except Exception as error:\n            print(type(error).__name__, error)\n"
    )
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, env=environment(), timeout=60)
    words = "UsageFault scheduler: it cannot be used with a task of the program's own file, which workers"
    assert (done.returncode, done.stderr) == (0, "") and done.stdout.count(words) == 2


@pytest.mark.slow
def test_no_cluster_is_asked_where_a_model_or_processes_are(address):
    env = {"ST_SCHEDULER": "tcp://127.0.0.1:1"}
    assert st("st-facets", "--jobs", "2", input=summaries(2), env=env).status == 0
    assert st("st-facets", input=summaries(2), env=env).status == 4
    model = st("st-facets", "--model", "openai/gpt-4o-mini", "--dry-run", input=summaries(2), env=env)
    assert model.status == 0, model.err


def test_nothing_of_dask_is_imported_without_it():
    line = [sys.executable, "-X", "importtime", str(BIN / "st-facets"), "--jobs", "2"]
    done = subprocess.run(line, input=summaries(2), capture_output=True, env=environment())
    assert done.returncode == 0 and not {b"distributed", b"dask", b"tornado"} & {
        text.rpartition(b"|")[2].strip() for text in done.stderr.splitlines()
    }


@pytest.mark.parametrize("size", [1, 2, 3, 16, 50])
def test_bytes_do_not_depend_on_the_chunk(size):
    records = [json.loads(line) for line in summaries(50).splitlines()]
    whole = list(iterate.run(records, facets.label))
    assert list(iterate.run(records, facets.label, many=facets.label_all, chunk=size)) == whole


@pytest.mark.slow
def test_a_result_lost_before_it_was_fetched_ends_with_what_became_of_its_task(tmp_path):
    """Dask's own executor waits for ever: what is raised as the result is fetched is not given to its future."""
    with cluster.running(tmp_path) as (address, _):
        workers = Cluster(address, Limits())
        try:
            with pytest.raises(distributed.KilledWorker):
                workers.begin(cluster.die_late, str(tmp_path / "note")).result(60)
            assert workers.begin(sum, [1, 2]).result(60) == 3
        finally:
            workers.close()
