"""Local processes with limits of time and memory per chunk; the death of a process fails only one item."""

from __future__ import annotations

import contextlib
import ctypes
import math
import multiprocessing
import os
import pickle
import resource
import signal
import time
import traceback
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from multiprocessing.context import ForkProcess, SpawnContext, SpawnProcess
from multiprocessing.process import BaseProcess
from typing import Any

from pebble import CONSTS, ProcessExpired, ProcessPool

from scholartools.interrupts import await_result, hold_signals
from scholartools.parameters import Spelling, get_spelling, set_spelling
from scholartools.pipeline.workers.contract import ChunkSize, Function, Limits, pickle_deep

# Pebble's threads look for the end of the pool at this interval in seconds: its own 0.1 s delays the end of every run.
CONSTS.sleep_unit = 0.02

_DEATHS = ProcessExpired, TimeoutError
# Chunks in flight per process: enough to keep each busy while the oldest chunk is awaited.
_LOOK_AHEAD = 4
# Chunks of fast items grow until one takes so many seconds, or has so many bytes, or so many times the preferred number
# of items (more items that are suddenly large would need too much memory): 20,000 records that fail, which no process
# decodes twice, take 1.7 s of processor time with two processes, and 2.0 s in decoded chunks of 64.
_SECONDS, _BYTES, _GROWTH = 0.05, 2**20, 8
# Seconds after the first result of a chunk until its process returns the results so far, so that neither the others
# nor the reader wait long for a chunk of items that turn out to be slow.
_LONGEST = 0.5


class Processes:
    """Workers that are local processes, started with the first chunk."""

    def __init__(self, jobs: int, limits: Limits, *, forks: bool = False) -> None:
        """``limits`` apply to each chunk in each process; ``forks``: see :meth:`start`."""
        self._jobs = jobs
        self._limits = limits
        self._forks = forks
        self._size = ChunkSize(1)
        self._item_bytes = 1.0
        self._context = _Context()
        with hold_signals():
            self._pool = ProcessPool(
                jobs, initializer=_initialize_worker, initargs=(limits.megabytes, get_spelling()), context=self._context
            )

    def start(self) -> None:
        """Fork the processes, if that was requested and this process has only one thread.

        A forked process is ready after 0.01 s; a spawned one imports everything again, which takes 0.3 s of processor
        time. The locks of other threads would stay acquired in a forked process for ever, and the memory of this
        process would count for a limit on memory.
        """
        if self._forks and self._limits.megabytes is None and _has_one_thread():
            with hold_signals(), self._context.forking():
                assert self._pool.active  # starts the processes

    def room(self, chunk: int) -> tuple[int, int]:
        """Chunks of the preferred size, or larger ones of fast items without limits; several per process."""
        if chunk > 1 and self._limits == Limits():
            chunk = max(chunk, min(_GROWTH * chunk, self._size.items, int(_BYTES / self._item_bytes)))
        return chunk, self._jobs * _LOOK_AHEAD * chunk

    def submit(self, function: Function, batch: list) -> Future:
        """Submit a chunk to one of the processes."""
        chunk = pickle_deep(batch)
        self._item_bytes = max(self._item_bytes, len(chunk) / len(batch))
        longest = _LONGEST if self._limits == Limits() else math.inf
        with hold_signals():
            future = self._pool.schedule(_run_batch, args=(function, chunk, longest), timeout=self._limits.seconds)
            future.add_done_callback(_release_frames)
        return future

    def results(
        self, function: Function, batch: list, future: Future, on_death: Callable[[Any, str], Any]
    ) -> Iterator[Any]:
        """Results of a chunk; if its process died, each half is repeated in a separate process, down to one item."""
        try:
            seconds, n_made, made = await_result(future)
        except _DEATHS as error:
            if len(batch) == 1:
                yield on_death(batch[0], self._death_reason(error))
                return
            middle = len(batch) // 2
            for half in (batch[:middle], batch[middle:]):
                with contextlib.closing(Processes(1, self._limits)) as alone:
                    yield from alone.results(function, half, alone.submit(function, half), on_death)
        else:
            self._size.adapt(n_made, seconds, _SECONDS)
            yield from pickle.loads(made)
            parts = [batch[start : start + self._size.items] for start in range(n_made, len(batch), self._size.items)]
            for part, future in [(part, self.submit(function, part)) for part in parts]:
                yield from self.results(function, part, future, on_death)

    def close(self) -> None:
        """End the processes."""
        with hold_signals():
            self._pool.stop()
            self._context.kill_processes()
            self._pool.join()
            del self._pool, self._context  # here, since their finalizers swallow what a signal raises

    def _death_reason(self, error: BaseException) -> str:
        if isinstance(error, TimeoutError):
            return f"not done within {self._limits.seconds:g} s"
        code = getattr(error, "exitcode", None)
        if isinstance(code, int) and code < 0:
            return f"its process was killed by {signal.Signals(-code).name}"
        return f"its process ended with status {code}"


class _Context(SpawnContext):
    """Start method that keeps track of the processes of one pool.

    A pool that stops removes its locks before it ends its processes. A process that is still starting then finds no
    lock, and writes a traceback to stderr, so all must have ended before.
    """

    def __init__(self) -> None:
        self._started: list[BaseProcess] = []
        self._is_over = False
        self._kind: type[BaseProcess] = SpawnProcess

    @contextlib.contextmanager
    def forking(self) -> Iterator[None]:
        """Fork the processes that are created in the block."""
        self._kind = ForkProcess
        try:
            yield
        finally:
            self._kind = SpawnProcess

    def Process(self, *args: Any, **options: Any) -> BaseProcess:  # type: ignore[override] # noqa: N802
        """Create a process, unless the pool has ended."""
        if self._is_over:
            raise OSError("the processes of this pool have been ended")
        self._started = [one for one in self._started if one.pid is None or one.is_alive()]
        self._started.append(self._kind(*args, **options))
        return self._started[-1]

    def kill_processes(self) -> None:
        """Kill all processes and refuse to start more."""
        self._is_over = True
        for one in self._started:
            if one.pid is not None:
                one.kill()
                one.join()


def _has_one_thread() -> bool:
    """Whether this process has no thread but this one, also none of a library; False if the system does not tell."""
    try:
        return len(os.listdir("/proc/self/task")) == 1
    except OSError:
        return False


def die_with_parent() -> None:
    """Have this process killed when its parent dies (on Linux)."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG


def _release_frames(future: Future) -> None:
    """Clear the frames of a failed future: a half-sent chunk in them causes a warning in Python 3.13 when it is
    freed.
    """
    error = None if future.cancelled() else future.exception()
    while error is not None:
        traceback.clear_frames(error.__traceback__)
        error = error.__context__


def _run_batch(function: Function, pickled: bytes, longest: float) -> tuple[float, int, bytes]:
    """Duration of the work on a chunk in seconds, and the number of the results so far and these, pickled."""
    begun = time.perf_counter()
    made: list[Any] = []
    ends = math.inf
    for result in function(pickle.loads(pickled)):
        made.append(result)
        if (now := time.perf_counter()) > ends:
            break
        if len(made) == 1:
            ends = now + longest
    pickled = pickle_deep(made)
    return time.perf_counter() - begun, len(made), pickled


def _initialize_worker(megabytes: int | None, spelling: Spelling) -> None:
    """Initialise a process; it ignores signals to the process group (Ctrl-C, hangup), which the parent handles."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    if isinstance(multiprocessing.current_process(), ForkProcess):
        die_with_parent()  # it holds the output of its parent open, and the lock of a file
    set_spelling(spelling)
    if megabytes is not None:
        limit = min(megabytes * 2**20, 2**62)  # of a signed integer of 64 bits
        resource.setrlimit(resource.RLIMIT_AS, (limit, resource.getrlimit(resource.RLIMIT_AS)[1]))
