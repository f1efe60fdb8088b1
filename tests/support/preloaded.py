"""Commands forked from a process that has imported the libraries, since imports take most of a short command's time.

``make test`` runs commands in this way; ``make test-all`` starts the first command of each test of commands, pages and
streams in a new interpreter, as a user does. In slow tests, the commands in shells and Makefiles are forked too. A forked
process has its own environment, working directory, pipes, process group and exit status; all processes of a ``Parent``
share a hash seed.
"""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import functools
import gc
import importlib
import os
import pkgutil
import runpy
import selectors
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from support import forked, no_network

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
in_shells = False  # whether commands in shells of the present test are forked


class Parent:
    """A process that has imported the package and its libraries, from which commands are forked.

    Attributes:
        folder: has the socket on which the process takes requests, and, for the ``PATH`` of a shell, a file for each
            command that has it forked (``forked.py``).
    """

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="st-"))
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(str(self.folder / "socket"))
            listener.listen(64)
            tests = str(Path(__file__).parent.parent)
            code = f"import sys; sys.path[0] = {tests!r}; from support import preloaded; preloaded.serve({listener.fileno()})"
            line = [sys.executable, "-c", code]
            self._process = subprocess.Popen(
                line, pass_fds=[listener.fileno()], stdin=subprocess.PIPE, start_new_session=True
            )
        atexit.register(self.end)

    def run(
        self, line: Sequence[str], data: bytes, env: Mapping[str, str], cwd: str, timeout: float
    ) -> subprocess.CompletedProcess[bytes]:
        """Run a Python script, given by its path and arguments, and wait for its end.

        Raises:
            subprocess.TimeoutExpired: the script, or a process it left behind with the output open, took longer than
                ``timeout`` (s); the processes of the script have been ended.
        """
        pipes = [os.pipe() for _ in range(3)]
        (child_in, ours_in), (ours_out, child_out), (ours_err, child_err) = pipes
        encoded = {os.fsencode(key): os.fsencode(value) for key, value in env.items()}
        connection = forked.ask(self.folder / "socket", line, encoded, cwd, (child_in, child_out, child_err))
        for fd in (child_in, child_out, child_err):
            os.close(fd)
        outputs: dict[int, bytes] = {}
        threads = [threading.Thread(target=_write, args=(ours_in, data), daemon=True)]
        threads += [threading.Thread(target=_read, args=(fd, outputs), daemon=True) for fd in (ours_out, ours_err)]
        for thread in threads:
            thread.start()
        end = time.monotonic() + timeout
        connection.settimeout(timeout)
        with connection:
            try:
                status = int(connection.recv(16))
                for thread in threads:
                    thread.join(max(0.0, end - time.monotonic()))
                if any(thread.is_alive() for thread in threads):
                    raise TimeoutError
            except TimeoutError:
                connection.sendall(b"end")
                raise subprocess.TimeoutExpired(list(line), timeout) from None
        return subprocess.CompletedProcess(list(line), status, outputs[ours_out], outputs[ours_err])

    def path(self, scripts: Path) -> Path:
        """Folder for the ``PATH`` of a shell, in which each command of a folder of scripts is one that is forked."""
        text = Path(forked.__file__).read_text()
        at_start = {key: value for key, value in os.environ.items() if key.startswith(AT_START)}
        constants = f"SCRIPTS, AT_START, STARTED = {str(scripts)!r}, {AT_START!r}, {at_start!r}\n"
        for script in scripts.glob("st-*"):
            if not (command := self.folder / script.name).exists():
                command.write_text(f"#!{sys.executable} -IS\n{text}\n\n{constants}main(SCRIPTS, AT_START, STARTED)\n")
                command.chmod(0o755)
        return self.folder

    def end(self) -> None:
        """End the process and the commands that were forked from it and still run."""
        self._process.stdin.close()
        self._process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


def _write(fd: int, data: bytes) -> None:
    with contextlib.suppress(BrokenPipeError), open(fd, "wb") as pipe:
        pipe.write(data)


def _read(fd: int, outputs: dict[int, bytes]) -> None:
    with open(fd, "rb") as pipe:
        outputs[fd] = pipe.read()


parent = functools.cache(Parent)


def run(
    line: Sequence[str], data: bytes, env: Mapping[str, str], cwd: str, timeout: float
) -> subprocess.CompletedProcess[bytes]:
    """Run a command that is forked from the parent of this process."""
    return parent().run(line, data, env, cwd, timeout)


def is_possible(env: Mapping[str, str]) -> bool:
    """Whether a process with this environment can be forked: no variable of :data:`AT_START` differs."""
    changed = {key for key in env.keys() | os.environ.keys() if env.get(key) != os.environ.get(key)}
    return not any(key.startswith(AT_START) for key in changed)


class _Server:
    """Forks a process for each request, and tells its exit status to who asked."""

    def __init__(self, listener: socket.socket) -> None:
        self._listener = listener
        self._selector = selectors.DefaultSelector()
        self._asked: dict[int, socket.socket] = {}  # who asked for a running process
        self._processes: dict[socket.socket, int] = {}  # what was forked for who asked, also if it has ended
        signal.signal(signal.SIGCHLD, lambda *_: None)
        self._woken, wakes = os.pipe()
        for fd in (self._woken, wakes):
            os.set_blocking(fd, False)
        signal.set_wakeup_fd(wakes)
        for source in (listener, self._woken, sys.stdin.fileno()):
            self._selector.register(source, selectors.EVENT_READ)

    def serve(self) -> list[str] | None:
        """Take requests until standard input ends; return the command line in a forked process, None in this one."""
        while True:
            for key, _ in self._selector.select():
                if key.fileobj == sys.stdin.fileno():
                    for pid in self._asked:
                        os.killpg(pid, signal.SIGKILL)
                    return None
                if key.fileobj == self._woken:
                    os.read(self._woken, 1024)
                    self._tell_ends()
                elif key.fileobj is not self._listener:
                    self._hear(key.fileobj)
                elif (line := self._fork()) is not None:
                    return line

    def _fork(self) -> list[str] | None:
        connection, _ = self._listener.accept()
        line, env, cwd, fds = forked.receive(connection)
        pid = os.fork()
        if not pid:
            os.setpgid(0, 0)
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            for one in (self._listener, self._selector, connection, *self._processes):
                one.close()
            for target, fd in enumerate(fds):
                os.dup2(fd, target)
                os.close(fd)
            os.environ.clear()
            os.environb.update(env)
            os.chdir(cwd)
            return line
        with contextlib.suppress(OSError):  # the child has done it, and may have started the command
            os.setpgid(pid, pid)
        for fd in fds:
            os.close(fd)
        self._selector.register(connection, selectors.EVENT_READ)
        self._asked[pid] = connection
        self._processes[connection] = pid
        return None

    def _tell_ends(self) -> None:
        while self._asked and (found := os.waitpid(-1, os.WNOHANG)) != (0, 0):
            connection = self._asked.pop(found[0])
            with contextlib.suppress(OSError):
                connection.sendall(str(os.waitstatus_to_exitcode(found[1])).encode())

    def _hear(self, connection: socket.socket) -> None:
        """Who asked has gone, or wants the end of the processes that are left."""
        pid = self._processes.pop(connection)
        if pid in self._asked or connection.recv(16):
            with contextlib.suppress(ProcessLookupError):
                os.killpg(pid, signal.SIGKILL)
        self._selector.unregister(connection)
        connection.close()


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


def serve(listener: int) -> None:
    """Import the libraries, and fork commands for the requests at a socket; run the command in a forked process."""
    statuses: list[int] = []
    atexit.register(_leave, statuses)
    os.environ["PYDANTIC_DISABLE_PLUGINS"] = "__all__"
    import_all()
    read_models()
    no_network.forbid()
    gc.collect()
    gc.freeze()
    use_large_pages()
    if found := _Server(socket.socket(fileno=listener)).serve():
        statuses.append(_run_script(found))
