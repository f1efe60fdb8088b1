"""A local Dask cluster: a scheduler and two workers that nannies restart when they die."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

from support.run import environment

SCRIPT = """
import sys
from distributed import LocalCluster, Security
if __name__ == "__main__":
    port, folder, threads, restarts = int(sys.argv[1]), sys.argv[2], int(sys.argv[3]), sys.argv[4] == "True"
    own = Security(require_encryption=True, tls_ca_file=f"{folder}/ca.pem", **{
        f"tls_{role}_{kind}": f"{folder}/{kind}.pem" for role in ("scheduler", "worker", "client") for kind in ("cert", "key")
    }) if folder else None
    cluster = LocalCluster(
        n_workers=2, threads_per_worker=threads, dashboard_address=":0", scheduler_port=port, security=own,
        protocol="tls" if folder else "tcp",
    )
    for nanny in [] if restarts else cluster.workers.values():
        nanny.close_gracefully()  # it starts no other worker, once this one goes
    print(cluster.scheduler_address, flush=True)
    sys.stdin.read()
"""


def settings(folder: Path | str) -> dict[str, str]:
    """Environment variables that make Dask use the certificates in a folder."""
    names = {"CA_FILE": "ca", "CLIENT__CERT": "cert", "CLIENT__KEY": "key"}
    return {f"DASK_DISTRIBUTED__COMM__TLS__{name}": f"{folder}/{file}.pem" for name, file in names.items()}


@contextlib.contextmanager
def running(
    folder: Path, *, port: int = 0, tls: str = "", threads: int = 1, restarts: bool = True, **more: str
) -> Iterator[tuple[str, subprocess.Popen]]:
    """Yield the address of a running cluster and its process; the workers can import the modules of the tests.

    Args:
        folder: folder for its files.
        port: port of the scheduler; 0 for any.
        tls: folder with certificates; "" for no TLS.
        threads: threads of each worker.
        restarts: whether workers that die are restarted.
        more: further environment variables.
    """
    script = folder / "cluster.py"
    script.write_text(SCRIPT)
    path = os.pathsep.join([*filter(None, [more.pop("PYTHONPATH", "")]), str(Path(__file__).parents[1])])
    line = [sys.executable, str(script), str(port), tls, str(threads), str(restarts)]
    with (folder / "cluster.log").open("wb") as log:
        process = subprocess.Popen(
            line, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, cwd=folder, start_new_session=True,
            env=environment(PYTHONPATH=path, DASK_DISTRIBUTED__LOGGING__DISTRIBUTED="error", **more),
        )  # fmt: skip
    timer = threading.Timer(120, process.kill)
    timer.start()
    try:
        address = process.stdout.readline().decode().strip()  # type: ignore[union-attr]
        timer.cancel()
        assert address, (folder / "cluster.log").read_text()
        yield address, process
    finally:
        timer.cancel()
        with contextlib.suppress(OSError):
            process.stdin.close()  # type: ignore[union-attr]
            process.wait(20)
        with contextlib.suppress(OSError):
            os.killpg(process.pid, 9)
        process.wait()


def pids_of(client: object) -> list[int]:
    """Process ids of the workers that answer within 5 s."""
    # ``run`` passes this argument to ``Client.sync``, which limits the wait.
    found = client.run(os.getpid, on_error="ignore", callback_timeout=5)  # type: ignore[attr-defined]
    return list(found.values())


def is_whole(address: str, seconds: float = 60) -> bool:
    """Whether both workers of a cluster answer within ``seconds``."""
    import distributed

    ends = time.monotonic() + seconds
    while time.monotonic() < ends:
        with contextlib.suppress(OSError), distributed.Client(address, timeout=5, set_as_default=False) as client:
            while time.monotonic() < ends:
                if len(pids_of(client)) == 2:
                    return True
                time.sleep(0.5)
    return False


def poison(record: dict) -> dict:
    """A task that kills, blocks or overfills its process if the record demands it."""
    import ctypes
    import signal
    import time

    match record.get("poison"):
        case "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        case "exit":
            os._exit(3)
        case "crash":
            signal.signal(signal.SIGSEGV, signal.SIG_DFL)
            ctypes.string_at(0)
        case "loop":
            while True:
                time.sleep(0.01)
        case "memory":
            bytearray(5 << 30)
        case "raise":
            sys.exit(4)
    return {**record, "done": record["id"] * 2}


def slow(record: dict) -> dict:
    """A task that writes its process id to a file, and sleeps."""
    import time

    Path(record["note"]).write_text(str(os.getpid()))
    time.sleep(record["seconds"])
    return record


class Fatal:
    """A result that kills its worker when it is serialised."""

    def __reduce__(self) -> tuple:
        os.kill(os.getpid(), 9)
        return (Fatal, ())


def die_late(note: str) -> Fatal:
    """A task whose worker dies when the result is fetched; if the task is repeated, its worker dies at once."""
    import time

    if Path(note).exists():
        time.sleep(0.2)  # otherwise the nanny assumes a failed start
        os.kill(os.getpid(), 9)
    Path(note).touch()
    return Fatal()


def wait_a_tenth(record: dict) -> dict:
    """A task that sleeps for 100 ms."""
    import time

    time.sleep(0.1)
    return record


def wait_and_tell(record: dict) -> dict:
    """A task that sleeps for 100 ms, and returns its process id and the time of its end."""
    import time

    time.sleep(0.1)
    return {**record, "pid": os.getpid(), "ended": time.time()}


def noted(record: dict) -> dict:
    """A task that notes its start with its process id, sleeps, and notes its end."""
    import time

    _note(record, "begun")
    time.sleep(record["seconds"])
    _note(record, "ended")
    return record


def _note(record: dict, step: str) -> None:
    with open(record["notes"], "a") as notes:
        notes.write(f"{step} {record['id']} {os.getpid()}\n")


def read_notes(path: Path) -> tuple[set[tuple[int, int]], set[tuple[int, int]]]:
    """Pairs of record and process id of the tasks that were started, and of those that ended."""
    found: dict[str, set[tuple[int, int]]] = {"begun": set(), "ended": set()}
    for line in path.read_text().splitlines():
        step, number, pid = line.split()
        found[step].add((int(number), int(pid)))
    return found["begun"], found["ended"]
