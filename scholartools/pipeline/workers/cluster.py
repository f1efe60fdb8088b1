"""Workers on a Dask cluster: each of their threads has a separate child process that does the work.

A Dask task passes a chunk of items to that process and returns the results. Limits and the treatment of items that kill
their process are therefore the same as in :mod:`.local`. If a Dask worker dies, its chunks are repeated elsewhere. The
second half of this module runs on the workers.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import hashlib
import importlib.metadata
import multiprocessing
import os
import pickle
import platform
import re
import threading
import time
import uuid
import warnings
import weakref
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Future
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from scholartools import interrupts
from scholartools.errors import ModelFault, UsageFault
from scholartools.parameters import get_spelling, set_spelling
from scholartools.pipeline.workers.contract import ChunkSize, Function, Limits, pickle_deep
from scholartools.pipeline.workers.local import Processes, die_with_parent

# Target duration of a chunk in seconds, increased if more than this number of chunks would end per second: Dask's
# scheduler handles about 500 tasks per second for any number of workers, on an otherwise idle machine.
_SECONDS, _RATE = 0.2, 200
# Number of items in the first chunks, before the time per item is known.
_FIRST = 4
# Number of chunks in flight per thread, and upper bound on the bytes of all of them.
_LOOK_AHEAD = 2
_BYTES = 256 * 2**20
# Timeout in seconds of a connection or a response; of all attempts after a lost connection; and interval of checks.
_CONNECT, _PATIENCE, _LOOK = 10, 60, 1
# Seconds that a run waits without workers, since the results so far would be lost; and seconds until the user is told.
_VACANCY, _TELL = 600, 10
# State of a cluster without workers whose scheduler responds.
_VACANT = "has no workers"
# Number of attempts for a single item whose worker died (as often as the scheduler allows).
_TRIES = 3
# Seconds after which an idle process ends.
_IDLE = 10.0


class _Death(NamedTuple):
    """The process that worked on a chunk died."""

    reason: str


class _Refusal(NamedTuple):
    """A worker cannot do the work."""

    reason: str


def host_of(address: str) -> str:
    """Host in the address of a scheduler.

    Raises:
        UsageFault: the address is invalid.
    """
    if not re.match(r"(tcp|tls)://\S", address):
        raise UsageFault(f'"{address}" does not begin with tcp:// or tls://', parameter="scheduler")
    parts = re.fullmatch(r"...://(\[[^][\s/@]+\]|[^][\s/@:]+):([0-9]{1,5})", address)
    if parts is None or not 0 < int(parts[2]) < 2**16:
        raise UsageFault(f'"{address}" is not tcp://HOST:PORT or tls://HOST:PORT', parameter="scheduler")
    return parts[1].strip("[]")


def _check_security(*, is_encrypted: bool) -> None:
    """Check that Dask's configuration fits the address, for which Dask has no clear messages.

    Raises:
        UsageFault: certificates are missing or unreadable, or the configuration requires an encrypted connection.
    """
    from distributed.security import Security

    try:
        known = Security().get_connection_args("client")
    except (OSError, ValueError) as error:
        reason = f"the certificates of Dask's configuration (distributed.comm.tls) cannot be used: {error}"
        raise UsageFault(reason, parameter="scheduler") from None
    if is_encrypted and known["ssl_context"] is None:
        reason = "tls:// needs the certificates ca-file, client.cert and client.key of distributed.comm.tls in Dask's"
        raise UsageFault(f"{reason} configuration", parameter="scheduler")
    if known["require_encryption"] and not is_encrypted:
        reason = "Dask's configuration wants encryption (distributed.comm.require-encryption): use a tls:// address"
        raise UsageFault(reason, parameter="scheduler")


class Cluster:
    """Workers that are threads of a Dask cluster."""

    def __init__(
        self,
        address: str,
        limits: Limits,
        path_of: Callable[[Any], str | None] | None = None,
        tell: Callable[[str], None] = lambda _: None,
    ) -> None:
        """Connect to a scheduler.

        Args:
            address: address of the scheduler.
            limits: as in :class:`.local.Processes`.
            path_of: returns the file that the work on an item opens.
            tell: tells the user that the run waits for workers.

        Raises:
            UsageFault: the address is invalid, Dask is not installed, or a worker has other versions.
            ModelFault: of kind ``scheduler``: the scheduler or a worker does not respond, or there are no workers.
        """
        host_of(address)
        try:
            import distributed
        except ImportError:
            reason = "it needs the extra distributed: pip install 'scholartools[distributed]'"
            raise UsageFault(reason, parameter="scheduler") from None
        _check_security(is_encrypted=address.startswith("tls:"))
        self._killed: type[Exception] = distributed.KilledWorker
        self._address, self._limits, self._path_of, self._tell = address, limits, path_of, tell
        self._run = uuid.uuid4().hex
        self._function: Function | None = None
        self._head = b""
        self._size = ChunkSize(_FIRST)
        self._item_bytes = 1.0
        self._width, self._lack, self._seen = 0, "", 0.0  # threads; problem, if any; last time without one
        self._told = 0.0  # the latter time for which the user was told
        self._is_over = threading.Event()
        self._client: Any = None
        self._tasks: weakref.WeakSet[Any] = weakref.WeakSet()
        self._connect(_CONNECT)
        try:
            self._check_workers()
        except BaseException as error:
            self._disconnect()
            raise _as_fault(error) from error
        threading.Thread(target=self._watch, daemon=True).start()

    def start(self) -> None:
        """Nothing: the workers run already."""

    def room(self, chunk: int) -> tuple[int, int]:
        """Number of items in the next chunk (one if ``chunk`` is 1), and maximum number of items in flight."""
        tasks, most = max(1, self._width) * _LOOK_AHEAD, max(1, int(_BYTES / self._item_bytes))
        size = 1 if chunk == 1 else max(1, min(self._size.items, most // tasks))
        return size, min(tasks * size, most)

    def submit(self, function: Function, batch: list) -> Future:
        """Submit a chunk to one of the workers.

        Raises:
            ModelFault: of kind ``scheduler``: the connection was lost.
        """
        if self._client.status in ("closing", "closed"):
            self._connect(_PATIENCE)
        if function is not self._function:
            self._function = function
            self._head = pickle.dumps((function, get_spelling(), os.getcwd()))
        chunk = pickle_deep(batch)
        self._item_bytes = max(self._item_bytes, len(chunk) / len(batch))
        paths = [self._path_of(item) for item in batch] if self._path_of is not None else []
        files = [(os.path.abspath(path), size) for path in paths if path and (size := _size_of(path)) is not None]
        with interrupts.hold_signals():
            return self.begin(_relay, self._run, _versions(), self._limits, files, self._head, chunk)

    def begin(self, function: Callable[..., Any], *args: Any) -> Future:
        """Submit a task to one of the workers.

        Dask's executor (2026.8) is not used: its futures never end if the worker dies after its task has finished and
        before the result is fetched, and the task then fails.
        """
        task: Any = self._client.submit(function, *args, pure=False)
        self._tasks.add(task)
        future: Future = Future()
        self._client.loop.add_callback(_pass_on, task, future)
        return future

    def results(
        self, function: Function, batch: list, future: Future, on_death: Callable[[Any, str], Any]
    ) -> Iterator[Any]:
        """Results of a chunk; if a process or worker died of it, each item is repeated in a separate one.

        Raises:
            UsageFault: a worker has other versions, or lacks a file.
            ModelFault: of kind ``scheduler``: it no longer responds, or has no workers.
        """
        answer = self._await(function, batch, future)
        if not isinstance(answer, _Death):
            seconds, made = answer
            if seconds is not None:
                self._size.adapt(len(batch), seconds, max(_SECONDS, self._width / _RATE))
            yield from pickle.loads(made)
        elif len(batch) == 1:
            yield on_death(batch[0], answer.reason)
        else:
            alone = [(item, self.submit(function, [item])) for item in batch]
            for item, one in alone:
                yield from self.results(function, [item], one, on_death)

    def close(self) -> None:
        """Cancel the tasks of this run; other tasks on the cluster continue."""
        self._is_over.set()
        with contextlib.suppress(Exception):
            self._client.cancel(list(self._tasks))
            _call(_CONNECT, self._client.run, _end_run, self._run)
        self._disconnect()

    def _check_workers(self) -> None:
        """Wait for a worker, and check the versions on all current workers.

        Raises:
            UsageFault: a worker has other versions.
            ModelFault: there are no workers, or one does not respond.
        """
        ends = time.monotonic() + 3 * _CONNECT
        self._look()
        while self._lack:
            if time.monotonic() > ends:
                raise ModelFault(f"the scheduler {self._address} {self._lack}", kind="scheduler")
            time.sleep(0.1)
            self._look()
        run = functools.partial(self._client.run, _refuse, _versions(), on_error="return")
        try:
            found = _call(2 * _CONNECT, run)
        except (TimeoutError, OSError):
            reason = f"a worker of the scheduler {self._address} does not answer"
            raise ModelFault(reason, kind="scheduler") from None
        for worker, refusal in found.items():
            if isinstance(refusal, Exception) and not isinstance(refusal, OSError):  # a worker that just died
                raise refusal
            if isinstance(refusal, str):
                raise UsageFault(f"the worker {worker} has {refusal}")

    def _watch(self) -> None:
        """Check the cluster until the run is over, in a separate thread, since a response may never come."""
        while not self._is_over.wait(_LOOK):
            self._look()

    def _look(self) -> None:
        """Update the number of threads, or the problem of the cluster."""
        client = self._client
        try:
            threads = client.sync(client.scheduler.ncores, callback_timeout=_CONNECT)
        except Exception:  # gone or silent, or the client is being closed; Dask raises many types of errors
            self._lack = "does not answer"
            return
        self._width = sum(threads.values())
        self._lack = "" if threads else _VACANT
        if threads:
            self._seen = time.monotonic()

    def _result(self, future: Future) -> Any:
        """Result of a task, without time limit as long as there are workers.

        Raises:
            ModelFault: there have been no workers, or no response of the scheduler, for too long.
        """
        begun = time.monotonic()
        for _ in interrupts.wait(future, _LOOK):
            lack, seen = self._lack, self._seen
            waited, most = time.monotonic() - max(begun, seen), _VACANCY if lack == _VACANT else _PATIENCE
            if lack and waited > most:
                raise ModelFault(f"the scheduler {self._address} {lack}, for {most} s", kind="scheduler")
            if lack == _VACANT and waited > _TELL and self._told != seen:
                self._told = seen
                self._tell(f"the scheduler {self._address} {lack}: the run waits {most} s for new ones")
        return interrupts.await_result(future)

    def _await(self, function: Function, batch: list, future: Future) -> Any:
        tries = 0
        while True:
            try:
                answer = self._result(future)
            except self._killed:
                tries += 1
                if len(batch) > 1 or tries == _TRIES:
                    return _Death(f"the worker that processed the record died {tries} times" if len(batch) == 1 else "")
            except (CancelledError, TimeoutError, OSError):
                self._connect(_PATIENCE)
            except Exception as error:
                raise _as_fault(error) from error
            else:
                if isinstance(answer, _Refusal):
                    raise UsageFault(answer.reason)
                return answer
            future = self.submit(function, batch)

    def _connect(self, seconds: float) -> None:
        """Connect unless connected.

        Raises:
            ModelFault: it takes more than ``seconds``.
        """
        import dask
        import distributed

        if self._client is not None and self._client.status == "running":
            return
        if self._client is not None:
            with contextlib.suppress(Exception):
                self._client.cancel(list(self._tasks))  # another client repeats its tasks
            self._disconnect()
        ends = time.monotonic() + seconds
        while True:
            try:
                # Dask logs the last 1,000 messages of up to 1 MB each, i.e. chunks sent long ago.
                with warnings.catch_warnings(), dask.config.set({"distributed.admin.low-level-log-length": 1}):
                    warnings.simplefilter("ignore")  # version mismatches: the relevant ones are checked here
                    # Dask waits forever for the handshake of a server that accepts the connection but sends nothing.
                    connect = functools.partial(distributed.Client, timeout=_CONNECT, set_as_default=False)
                    self._client = _call(_CONNECT + 2, connect, self._address)
                self._tasks.clear()
                self._seen = time.monotonic()
                return
            except (OSError, TimeoutError, ValueError) as error:
                if time.monotonic() >= ends - _CONNECT:
                    reason = f"the scheduler {self._address} does not answer: {str(error) or 'no word came'}"
                    raise ModelFault(reason, kind="scheduler") from None
            time.sleep(1)

    def _disconnect(self) -> None:
        with contextlib.suppress(Exception):
            self._client.close(timeout=_CONNECT / 2)


async def _pass_on(task: Any, future: Future) -> None:
    """Copy the result or exception of a Dask task to a future."""
    try:
        result = await task.result()
    except asyncio.CancelledError:
        future.set_exception(CancelledError())
    except Exception as error:
        future.set_exception(error)
    else:
        future.set_result(result)


def _call(seconds: float, function: Callable[..., Any], *args: Any) -> Any:
    """Call a function in a thread, which is abandoned after a timeout, and return its result.

    Raises:
        TimeoutError: it takes more than ``seconds``.
    """
    done: Future = Future()

    def call() -> None:
        try:
            done.set_result(function(*args))
        except BaseException as error:  # raised by result() in the waiting thread
            done.set_exception(error)

    threading.Thread(target=call, daemon=True).start()
    return done.result(seconds)


def _as_fault(error: BaseException) -> BaseException:
    """Error for an exception before the start of the work: scholartools is missing on the scheduler or a worker, or
    Dask failed.

    Dask wraps an exception of the scheduler on unpickling a task, and passes on only the message of one on a worker.
    """
    cause = error.__cause__ or error
    is_lacking = re.match(r"(ModuleNotFound|Import|Attribute)Error\b", str(cause)) is not None
    if is_lacking or isinstance(cause, (ImportError, AttributeError)):
        return UsageFault(f"the scheduler or a worker of the cluster has no or another scholartools: {cause}")
    if type(error).__module__.partition(".")[0] == "distributed":
        return ModelFault(f"Dask gave up: {error}", kind="scheduler")
    return error


def _size_of(path: str) -> int | None:
    """Size of a file; -1 for a folder, None if it does not exist."""
    try:
        return -1 if os.path.isdir(path) else os.stat(path).st_size
    except OSError:
        return None


@functools.cache
def _versions() -> dict[str, str]:
    """Versions that affect results: Python, the files of this package, and the packages that compute results."""
    found = {"Python": ".".join(platform.python_version_tuple()[:2])}
    root, digest = Path(__file__).parents[2], hashlib.sha256()
    for path in sorted(path for path in root.rglob("*") if path.is_file() and path.suffix != ".pyc"):
        digest.update(str(path.relative_to(root)).encode() + hashlib.sha256(path.read_bytes()).digest())
    found["the files of scholartools"] = digest.hexdigest()[:12]
    for need in importlib.metadata.requires("scholartools") or ():
        if "extra ==" not in need or re.search(r"extra == .(bertscore|bleu|embed)\b", need):
            name = re.split(r"[^\w.-]", need)[0]
            with contextlib.suppress(importlib.metadata.PackageNotFoundError):
                found[name] = importlib.metadata.version(name)
    return found


def _refuse(expected: dict[str, str]) -> str | None:
    """Difference between the expected and the actual versions, or None."""
    found = _versions()
    for name in sorted({*found, *expected}):
        if found.get(name) != expected.get(name):
            return f"{name} {found.get(name, '(none)')}, this machine {expected.get(name, '(none)')}"
    return None


@dataclass(eq=False)
class _Child:
    """A child process of a Dask worker, and the :func:`time.monotonic` since when it is idle (None: busy)."""

    run: str
    limits: Limits
    processes: Processes
    since: float | None = None


_children: list[_Child] = []
_lock = threading.Lock()


def _relay(run: str, expected: dict, limits: Limits, files: list[tuple[str, int]], head: bytes, chunk: bytes) -> Any:
    """Process a chunk in a child process of this Dask worker; return the duration and the pickled results."""
    if reason := _refuse(expected):
        return _Refusal(f"a worker of the cluster has {reason}")
    for path, size in files:
        if _size_of(path) != size:
            return _Refusal(f"{path} is another or none on a worker: its folder must be one that all machines share")
    child = _take_child(run, limits)
    function = functools.partial(_work, head)
    future = child.processes.submit(function, [chunk])
    for _ in interrupts.wait(future, _LOOK):
        if child not in _children:  # pebble may not resolve the future of a stopped pool
            return _Death("its run is over")
    (answer,) = child.processes.results(function, [chunk], future, lambda _, reason: _Death(reason))
    child.since = time.monotonic()
    return answer


def _take_child(run: str, limits: Limits) -> _Child:
    """Return an idle process of the run, or a new one."""
    with _lock:
        for one in _children:
            if one.since is not None and (one.run, one.limits) == (run, limits):
                one.since = None
                return one
        # Dask workers are daemon processes, which Python does not allow to start processes.
        multiprocessing.current_process()._config.pop("daemon", None)  # type: ignore[attr-defined]
        _sweep()
        _children.append(_Child(run, limits, Processes(1, limits)))
        return _children[-1]


@functools.cache
def _sweep() -> None:
    """Start ending processes that have been idle for long, since their run may be gone."""

    def sweep() -> None:
        while True:
            time.sleep(1)
            _end_children(lambda one: one.since is not None and time.monotonic() - one.since > _IDLE)

    threading.Thread(target=sweep, daemon=True).start()


def _end_run(run: str) -> None:
    """End the processes of a run that has ended, including busy ones."""
    _end_children(lambda one: one.run == run)


def _end_children(is_over: Callable[[_Child], bool]) -> None:
    with _lock:
        over = [one for one in _children if is_over(one)]
        _children[:] = [one for one in _children if one not in over]
    for one in over:
        one.processes.close()


def _work(head: bytes, chunks: list[bytes]) -> list[tuple[float | None, bytes]]:
    """Process a chunk in a child process; return the duration (None for the first chunk) and the pickled results."""
    is_first = _die_with_worker()
    function, spelling, folder = pickle.loads(head)
    set_spelling(spelling)
    os.chdir(folder)
    begun = time.perf_counter()
    (chunk,) = chunks
    made = pickle_deep(list(function(pickle.loads(chunk))))
    return [(None if is_first else time.perf_counter() - begun, made)]


def _die_with_worker() -> bool:
    """Have this process killed when its parent dies; return whether this is the first call."""
    if _has_parent:
        return False
    _has_parent.append(os.getppid())
    die_with_parent()
    return True


_has_parent: list[int] = []
