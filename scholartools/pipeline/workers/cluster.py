"""Threads of the workers of a Dask cluster, each with a process of ours beside it, where the work is done.

A task of Dask is a chunk of items; it takes them to that process and brings back what was made of them. What a chunk
may take, and what becomes of an item that kills its process, is therefore as with :mod:`.local`. A worker that dies is
no item's fault: its chunks are done again elsewhere. The second half of this file is what runs on the workers.
"""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import functools
import hashlib
import importlib.metadata
import multiprocessing
import os
import pickle
import platform
import re
import signal
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
from scholartools.pipeline.workers.contract import Function, Limits, pickle_deep
from scholartools.pipeline.workers.local import Processes

# Seconds a chunk is to last, and more where there are so many threads that more chunks than these end in a second:
# Dask's scheduler serves some 500 tasks a second, whatever the workers, and has a machine to itself then.
_SECONDS, _RATE = 0.2, 200
# Items of the first chunks, before it is known how long one takes.
_FIRST = 4
# Chunks under way for each thread, and the bytes of all of them at most.
_LOOK_AHEAD = 2
_BYTES = 256 * 2**20
# Seconds a connection or an answer may take; all tries after one was lost; between two looks.
_CONNECT, _PATIENCE, _LOOK = 10, 60, 1
# Seconds a run may be without workers, since what is done would be lost with it; and until a person is told.
_VACANCY, _TELL = 600, 10
# What is wrong with a cluster whose scheduler answers.
_VACANT = "has no workers"
# How often an item whose worker died (as often as the scheduler allows) is tried alone.
_TRIES = 3
# Seconds after which a process without work ends.
_IDLE = 10.0


class _Death(NamedTuple):
    """What became of the process in which a chunk was worked on."""

    reason: str


class _Refusal(NamedTuple):
    """Why a worker cannot do the work."""

    reason: str


def host_of(address: str) -> str:
    """The host of a scheduler.

    Raises:
        UsageFault: this is no address of one.
    """
    if not re.match(r"(tcp|tls)://\S", address):
        raise UsageFault(f'"{address}" does not begin with tcp:// or tls://', parameter="scheduler")
    parts = re.fullmatch(r"...://(\[[^][\s/@]+\]|[^][\s/@:]+):([0-9]{1,5})", address)
    if parts is None or not 0 < int(parts[2]) < 2**16:
        raise UsageFault(f'"{address}" is not tcp://HOST:PORT or tls://HOST:PORT', parameter="scheduler")
    return parts[1].strip("[]")


def _check_security(*, is_encrypted: bool) -> None:
    """Have Dask's own configuration fit the address, for Dask has no words of its own where it does not.

    Raises:
        UsageFault: it has no certificates, or none that can be read, or it wants an encrypted connection.
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
            address: of the scheduler.
            limits: as in :class:`.local.Processes`.
            path_of: names the file that an item has opened on the worker.
            tell: tells a person that the run waits for workers.

        Raises:
            UsageFault: this is no address, Dask is not installed, or a worker has other versions.
            ModelFault: of kind ``scheduler``, there is none, it has no workers, or one does not answer.
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
        self._seconds, self._size = 0.0, _FIRST  # of an item, and items of the next chunk
        self._item_bytes = 1.0
        self._width, self._lack, self._seen = 0, "", 0.0  # threads; what is wrong with the cluster; when all was well
        self._told = 0.0  # which of these moments a person was told of
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

    def room(self, chunk: int) -> tuple[int, int]:
        """The items of the next chunk, one where only one is wanted at once; and of all that are under way."""
        tasks, most = max(1, self._width) * _LOOK_AHEAD, max(1, int(_BYTES / self._item_bytes))
        size = 1 if chunk == 1 else max(1, min(self._size, most // tasks))
        return size, min(tasks * size, most)

    def submit(self, function: Function, batch: list) -> Future:
        """Begin with a chunk on one of the workers.

        Raises:
            ModelFault: of kind ``scheduler``, the connection was lost.
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
        """Begin with a task on one of the workers.

        Not by Dask's executor (2026.8): its futures never end where a task had its result, the worker died before this
        was fetched, and the task then failed.
        """
        task: Any = self._client.submit(function, *args, pure=False)
        self._tasks.add(task)
        future: Future = Future()
        self._client.loop.add_callback(_pass_on, task, future)
        return future

    def results(
        self, function: Function, batch: list, future: Future, on_death: Callable[[Any, str], Any]
    ) -> Iterator[Any]:
        """The results of a chunk; where a process or a worker died of it, each item is tried again in one of its own.

        Raises:
            UsageFault: a worker has other versions, or lacks a file.
            ModelFault: of kind ``scheduler``, it does not answer any more, or has no workers.
        """
        answer = self._await(function, batch, future)
        if not isinstance(answer, _Death):
            seconds, made = answer
            if seconds is not None:
                each = seconds / len(batch)
                self._seconds = (self._seconds or each) * 0.5 + each * 0.5
                chunk = max(_SECONDS, self._width / _RATE)
                self._size = max(1, min(4 * self._size, round(chunk / max(self._seconds, 1e-6))))
            yield from pickle.loads(made)
        elif len(batch) == 1:
            yield on_death(batch[0], answer.reason)
        else:
            alone = [(item, self.submit(function, [item])) for item in batch]
            for item, one in alone:
                yield from self.results(function, [item], one, on_death)

    def close(self) -> None:
        """Stop all work of ours; that of others on the cluster goes on."""
        self._is_over.set()
        with contextlib.suppress(Exception):
            self._client.cancel(list(self._tasks))
            _call(_CONNECT, self._client.run, _end_run, self._run)
        self._disconnect()

    def _check_workers(self) -> None:
        """Wait for a worker, and have all that are there compare versions.

        Raises:
            UsageFault: one has other versions.
            ModelFault: there is none, or one does not answer.
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
            if isinstance(refusal, Exception) and not isinstance(refusal, OSError):  # which says that it died just now
                raise refusal
            if isinstance(refusal, str):
                raise UsageFault(f"the worker {worker} has {refusal}")

    def _watch(self) -> None:
        """Look at the cluster until the run is over; beside the work, since an answer may not come."""
        while not self._is_over.wait(_LOOK):
            self._look()

    def _look(self) -> None:
        """Note how many threads there are, or what is wrong with the cluster."""
        client = self._client
        try:
            threads = client.sync(client.scheduler.ncores, callback_timeout=_CONNECT)
        except Exception:  # it is gone or silent, or the client is being closed, of which Dask has many errors
            self._lack = "does not answer"
            return
        self._width = sum(threads.values())
        self._lack = "" if threads else _VACANT
        if threads:
            self._seen = time.monotonic()

    def _result(self, future: Future) -> Any:
        """The result of a task, which may take as long as it likes while there are workers.

        Raises:
            ModelFault: for long there have been none, or the scheduler has said nothing.
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
        """Connect, unless connected.

        Raises:
            ModelFault: it takes more than so many seconds.
        """
        import dask
        import distributed

        if self._client is not None and self._client.status == "running":
            return
        if self._client is not None:
            with contextlib.suppress(Exception):
                self._client.cancel(list(self._tasks))  # what was given to it is done again by another
            self._disconnect()
        ends = time.monotonic() + seconds
        while True:
            try:
                # Dask keeps the last 1,000 messages, of up to 1 MB each: chunks that were sent long ago.
                with warnings.catch_warnings(), dask.config.set({"distributed.admin.low-level-log-length": 1}):
                    warnings.simplefilter("ignore")  # that versions differ: what matters of them is compared here
                    # Dask waits without end for the first words of what takes the connection and says nothing.
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
    """Give a future what a task of Dask returns or raises."""
    try:
        result = await task.result()
    except asyncio.CancelledError:
        future.set_exception(CancelledError())
    except Exception as error:
        future.set_exception(error)
    else:
        future.set_result(result)


def _call(seconds: float, function: Callable[..., Any], *args: Any) -> Any:
    """What a function returns, called in a thread that is left to itself where this takes longer.

    Raises:
        TimeoutError: it takes more than so many seconds.
    """
    done: Future = Future()

    def call() -> None:
        try:
            done.set_result(function(*args))
        except BaseException as error:  # raised by result() in the thread that waits
            done.set_exception(error)

    threading.Thread(target=call, daemon=True).start()
    return done.result(seconds)


def _as_fault(error: BaseException) -> BaseException:
    """What was raised before the work began: the scheduler or a worker lacks this package, or Dask gives up.

    Dask wraps what the scheduler meets when it unpickles a task, and has the words alone of what a worker meets.
    """
    cause = error.__cause__ or error
    is_lacking = re.match(r"(ModuleNotFound|Import|Attribute)Error\b", str(cause)) is not None
    if is_lacking or isinstance(cause, (ImportError, AttributeError)):
        return UsageFault(f"the scheduler or a worker of the cluster has no or another scholartools: {cause}")
    if type(error).__module__.partition(".")[0] == "distributed":
        return ModelFault(f"Dask gave up: {error}", kind="scheduler")
    return error


def _size_of(path: str) -> int | None:
    """The size of a file; -1 for a folder, None for nothing."""
    try:
        return -1 if os.path.isdir(path) else os.stat(path).st_size
    except OSError:
        return None


@functools.cache
def _versions() -> dict[str, str]:
    """What results depend on: Python, this package's files, and the packages that compute."""
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
    """What is another version here than it should be, or None."""
    found = _versions()
    for name in sorted({*found, *expected}):
        if found.get(name) != expected.get(name):
            return f"{name} {found.get(name, '(none)')}, this machine {expected.get(name, '(none)')}"
    return None


@dataclass(eq=False)
class _Child:
    """A process beside this worker, and since when it has no work (by :func:`time.monotonic`); None: it has."""

    run: str
    limits: Limits
    processes: Processes
    since: float | None = None


_children: list[_Child] = []
_lock = threading.Lock()


def _relay(run: str, expected: dict, limits: Limits, files: list[tuple[str, int]], head: bytes, chunk: bytes) -> Any:
    """Have a chunk worked on in a process beside this worker: how long it took, and what was made, pickled."""
    if reason := _refuse(expected):
        return _Refusal(f"a worker of the cluster has {reason}")
    for path, size in files:
        if _size_of(path) != size:
            return _Refusal(f"{path} is another or none on a worker: its folder must be one that all machines share")
    child = _take_child(run, limits)
    function = functools.partial(_work, head)
    future = child.processes.submit(function, [chunk])
    for _ in interrupts.wait(future, _LOOK):
        if child not in _children:  # of what a pool was doing when it was stopped, pebble may say nothing
            return _Death("its run is over")
    (answer,) = child.processes.results(function, [chunk], future, lambda _, reason: _Death(reason))
    child.since = time.monotonic()
    return answer


def _take_child(run: str, limits: Limits) -> _Child:
    """A process of the run that has no work, or a new one."""
    with _lock:
        for one in _children:
            if one.since is not None and (one.run, one.limits) == (run, limits):
                one.since = None
                return one
        # Dask's workers are daemons of their nanny, which Python lets start no process.
        multiprocessing.current_process()._config.pop("daemon", None)  # type: ignore[attr-defined]
        _sweep()
        _children.append(_Child(run, limits, Processes(1, limits)))
        return _children[-1]


@functools.cache
def _sweep() -> None:
    """From now on end processes that have been without work for long: whose run it was may be gone."""

    def sweep() -> None:
        while True:
            time.sleep(1)
            _end_children(lambda one: one.since is not None and time.monotonic() - one.since > _IDLE)

    threading.Thread(target=sweep, daemon=True).start()


def _end_run(run: str) -> None:
    """End the processes of a run that has ended, whatever they are doing."""
    _end_children(lambda one: one.run == run)


def _end_children(is_over: Callable[[_Child], bool]) -> None:
    with _lock:
        over = [one for one in _children if is_over(one)]
        _children[:] = [one for one in _children if one not in over]
    for one in over:
        one.processes.close()


def _work(head: bytes, chunks: list[bytes]) -> list[tuple[float | None, bytes]]:
    """In the process beside a worker: what a function makes of a chunk, and how long it took but for the first one."""
    is_first = _die_with_worker()
    function, spelling, folder = pickle.loads(head)
    set_spelling(spelling)
    os.chdir(folder)
    begun = time.perf_counter()
    (chunk,) = chunks
    made = pickle_deep(list(function(pickle.loads(chunk))))
    return [(None if is_first else time.perf_counter() - begun, made)]


def _die_with_worker() -> bool:
    """Have this process killed when its worker dies; whether this is the first time."""
    if _has_parent:
        return False
    _has_parent.append(os.getppid())
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG, of Linux
    return True


_has_parent: list[int] = []
