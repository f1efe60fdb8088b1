"""Commands forked from a process that has imported the libraries, since imports take most of a short command's time.

``make test`` runs commands in this way; ``make test-all`` starts the first command of each test of commands, pages and
streams in a new interpreter, as a user does. A forked process has its own environment, working directory, pipes and
exit status; all processes of a ``Parent`` share a hash seed.
"""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import gc
import importlib
import json
import os
import pkgutil
import runpy
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

LIBRARIES = (
    "aiohttp", "bm25s", "lxml.etree", "matplotlib.figure", "numpy", "nupunkt", "rapidfuzz", "regex", "scipy.optimize",
    "scipy.sparse.csgraph", "scipy.stats",
)  # fmt: skip
# Prefixes of variables that an interpreter or a library reads at its start, and so has no effect in a forked process.
AT_START = ("PYTHON", "LC_", "LANG", "OMP_", "OPENBLAS_", "NPY_", "MPL", "MATPLOTLIB")
# Constants of Linux; a process can request huge pages explicitly if the system does not give them by default.
_LARGE_PAGE, _MADV_HUGEPAGE, _MADV_COLLAPSE = 2**21, 14, 25


is_wanted = False  # set from pytest's option
n_interpreters = 0  # number of next commands that are started in new interpreters all the same


class Parent:
    """A process that has imported the package and its libraries, from which commands are forked, one at a time."""

    def __init__(self) -> None:
        ours, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, __file__, str(theirs.fileno())], pass_fds=[theirs.fileno()], start_new_session=True
            )
        self._socket = ours
        atexit.register(self.end)

    def run(
        self, line: Sequence[str], data: bytes, env: Mapping[str, str], cwd: str, timeout: float
    ) -> subprocess.CompletedProcess[bytes]:
        """Run a Python script, given by its path and arguments, and wait for its end.

        Raises:
            subprocess.TimeoutExpired: the script, or a process it left behind with the output open, took longer than
                ``timeout`` (s); this parent has been ended too.
        """
        pipes = [os.pipe() for _ in range(3)]
        (child_in, ours_in), (ours_out, child_out), (ours_err, child_err) = pipes
        request = json.dumps({"line": list(line), "env": dict(env), "cwd": cwd}).encode() + b"\n"
        socket.send_fds(self._socket, [request[:1024]], [child_in, child_out, child_err])
        self._socket.sendall(request[1024:])
        for fd in (child_in, child_out, child_err):
            os.close(fd)
        outputs: dict[int, bytes] = {}
        threads = [threading.Thread(target=_write, args=(ours_in, data), daemon=True)]
        threads += [threading.Thread(target=_read, args=(fd, outputs), daemon=True) for fd in (ours_out, ours_err)]
        for thread in threads:
            thread.start()
        end = time.monotonic() + timeout
        self._socket.settimeout(timeout)
        try:
            status = int(self._socket.recv(16))
            for thread in threads:
                thread.join(max(0.0, end - time.monotonic()))
            if any(thread.is_alive() for thread in threads):
                raise TimeoutError
        except TimeoutError:
            self.end()
            raise subprocess.TimeoutExpired(list(line), timeout) from None
        return subprocess.CompletedProcess(list(line), status, outputs[ours_out], outputs[ours_err])

    def end(self) -> None:
        """End the process and all processes forked from it."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._socket.close()


def _write(fd: int, data: bytes) -> None:
    with contextlib.suppress(BrokenPipeError), open(fd, "wb") as pipe:
        pipe.write(data)


def _read(fd: int, outputs: dict[int, bytes]) -> None:
    with open(fd, "rb") as pipe:
        outputs[fd] = pipe.read()


_free: list[Parent] = []


def run(
    line: Sequence[str], data: bytes, env: Mapping[str, str], cwd: str, timeout: float
) -> subprocess.CompletedProcess[bytes]:
    """Run a command from a free parent, or from a new one."""
    parent = _free.pop() if _free else Parent()
    done = parent.run(line, data, env, cwd, timeout)
    _free.append(parent)
    return done


def is_possible(env: Mapping[str, str]) -> bool:
    """Whether a process with this environment can be forked: no variable of :data:`AT_START` differs."""
    changed = {key for key in env.keys() | os.environ.keys() if env.get(key) != os.environ.get(key)}
    return not any(key.startswith(AT_START) for key in changed)


def _serve(connection: socket.socket) -> list[str] | None:
    """Fork for each request and send its exit status; return the command line in the child, None in the parent."""
    while True:
        received, fds, _, _ = socket.recv_fds(connection, 1 << 16, 3)
        if not received:
            return None
        while not received.endswith(b"\n"):
            received += connection.recv(1 << 16)
        pid = os.fork()
        if not pid:
            return _become(json.loads(received), fds, connection)
        for fd in fds:
            os.close(fd)
        connection.sendall(str(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])).encode())


def _become(request: dict, fds: list[int], connection: socket.socket) -> list[str]:
    connection.close()
    for target, fd in enumerate(fds):
        os.dup2(fd, target)
        os.close(fd)
    os.environ.clear()
    os.environ.update(request["env"])
    os.chdir(request["cwd"])
    return request["line"]


def import_all() -> None:
    import scholartools

    for name in LIBRARIES:
        importlib.import_module(name)
    for module in pkgutil.walk_packages(scholartools.__path__, "scholartools."):
        importlib.import_module(module.name)
    importlib.import_module("scholartools.readers.common.mupdf").library_version()


def read_models() -> None:
    """Load the models and build the type adapters of the commands, which take up to 0.2 s of processor time each."""
    from scholartools.records import shape_faults
    from scholartools.schemas.paper import Paper
    from scholartools.tasks import facets
    from scholartools.text.embeddings.sentence import embedder

    embedder()
    facets.label({"abstract": "We propose a method. It beats the baseline."})
    for key in Paper.model_fields:
        shape_faults({key: object()}, key)


def use_large_pages() -> None:
    """Request pages of 2 MB for the loaded data (Linux 6.1 and later), since each fork copies the page table.

    A forked ``--version`` takes 16 ms of processor time, and 22 ms without huge pages.
    """
    with contextlib.suppress(OSError, AttributeError):
        advise = ctypes.CDLL(None).madvise
        for line in Path("/proc/self/maps").read_text().splitlines():
            place, rights, _, _, inode, *_ = line.split()
            start, end = (int(address, 16) for address in place.split("-"))
            start, end = -(-start // _LARGE_PAGE) * _LARGE_PAGE, end // _LARGE_PAGE * _LARGE_PAGE
            if rights == "rw-p" and inode == "0" and start < end:
                for advice in (_MADV_HUGEPAGE, _MADV_COLLAPSE):
                    advise(ctypes.c_void_p(start), ctypes.c_size_t(end - start), advice)


def _run_script(line: list[str]) -> int:
    sys.argv = line
    sys.path[0] = str(Path(line[0]).parent)
    try:
        runpy.run_path(line[0], run_name="__main__")
    except SystemExit as end:
        if end.code is None or isinstance(end.code, int):
            return end.code or 0
        print(end.code, file=sys.stderr)
        return 1
    return 0


def _leave(statuses: list[int]) -> None:
    """End the process at once, as the last exit handler: the destruction of 1,700 modules takes 0.1 s."""
    sys.stdout.flush()
    sys.stderr.flush()
    if statuses:
        os._exit(statuses[0])


if __name__ == "__main__":
    statuses: list[int] = []
    atexit.register(_leave, statuses)
    os.environ["PYDANTIC_DISABLE_PLUGINS"] = "__all__"
    import_all()
    read_models()
    import no_network  # the folder of a script is first on its path

    no_network.forbid()
    gc.collect()
    gc.freeze()
    use_large_pages()
    if found := _serve(socket.socket(fileno=int(sys.argv[1]))):
        statuses.append(_run_script(found))
