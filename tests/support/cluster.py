"""A Dask cluster on this machine for the tests: a scheduler and two workers that a nanny starts again when they die."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from support.run import environment

SCRIPT = """
import sys
from distributed import LocalCluster, Security
if __name__ == "__main__":
    port, folder, threads = int(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    own = Security(require_encryption=True, tls_ca_file=f"{folder}/ca.pem", **{
        f"tls_{role}_{kind}": f"{folder}/{kind}.pem" for role in ("scheduler", "worker", "client") for kind in ("cert", "key")
    }) if folder else None
    cluster = LocalCluster(
        n_workers=2, threads_per_worker=threads, dashboard_address=":0", scheduler_port=port, security=own,
        protocol="tls" if folder else "tcp",
    )
    print(cluster.scheduler_address, flush=True)
    sys.stdin.read()
"""


def settings(folder: Path | str) -> dict[str, str]:
    """The variables that have Dask take the certificate in a folder."""
    names = {"CA_FILE": "ca", "CLIENT__CERT": "cert", "CLIENT__KEY": "key"}
    return {f"DASK_DISTRIBUTED__COMM__TLS__{name}": f"{folder}/{file}.pem" for name, file in names.items()}


@contextlib.contextmanager
def running(
    folder: Path, *, port: int = 0, tls: str = "", threads: int = 1, **more: str
) -> Iterator[tuple[str, subprocess.Popen]]:
    """The address of a cluster that runs, and its process; its workers know the modules of the tests.

    Args:
        folder: where its files are.
        tls: a folder with certificates.
        threads: of each worker.
        more: variables of its environment.
    """
    script = folder / "cluster.py"
    script.write_text(SCRIPT)
    path = os.pathsep.join([*filter(None, [more.pop("PYTHONPATH", "")]), str(Path(__file__).parents[1])])
    line = [sys.executable, str(script), str(port), tls, str(threads)]
    with (folder / "cluster.log").open("wb") as log:
        process = subprocess.Popen(
            line, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, cwd=folder, start_new_session=True,
            env=environment(PYTHONPATH=path, DASK_DISTRIBUTED__LOGGING__DISTRIBUTED="error", **more),
        )  # fmt: skip
    try:
        address = process.stdout.readline().decode().strip()  # type: ignore[union-attr]
        assert address, (folder / "cluster.log").read_text()
        yield address, process
    finally:
        with contextlib.suppress(OSError):
            process.stdin.close()  # type: ignore[union-attr]
            process.wait(20)
        with contextlib.suppress(OSError):
            os.killpg(process.pid, 9)
        process.wait()


def poison(record: dict) -> dict:
    """A task that ends, or fills, its process where the record says so."""
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
    """A task that says in which process it was begun, and lasts."""
    import time

    Path(record["note"]).write_text(str(os.getpid()))
    time.sleep(record["seconds"])
    return record


def wait_a_tenth(record: dict) -> dict:
    """A task that lasts 100 ms, of which the processor has nothing to do."""
    import time

    time.sleep(0.1)
    return record
