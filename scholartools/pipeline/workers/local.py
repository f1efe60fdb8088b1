"""Local processes with limits of time and memory per chunk; the death of a process fails only one item."""

from __future__ import annotations

import contextlib
import pickle
import resource
import signal
import traceback
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from multiprocessing.context import SpawnContext, SpawnProcess
from typing import Any

from pebble import ProcessExpired, ProcessPool

from scholartools.interrupts import await_result, hold_signals
from scholartools.parameters import Spelling, get_spelling, set_spelling
from scholartools.pipeline.workers.contract import Function, Limits, pickle_deep

_DEATHS = ProcessExpired, TimeoutError
# Chunks in flight per process: enough to keep each busy while the oldest chunk is awaited.
_LOOK_AHEAD = 4


class Processes:
    """Workers that are local processes, started with the first chunk."""

    def __init__(self, jobs: int, limits: Limits) -> None:
        """``limits`` apply to each chunk in each process."""
        self._jobs = jobs
        self._limits = limits
        self._context = _Context()
        with hold_signals():
            self._pool = ProcessPool(
                jobs, initializer=_initialize_worker, initargs=(limits.megabytes, get_spelling()), context=self._context
            )

    def room(self, chunk: int) -> tuple[int, int]:
        """Chunks of the preferred size, several per process."""
        return chunk, self._jobs * _LOOK_AHEAD * chunk

    def submit(self, function: Function, batch: list) -> Future:
        """Submit a chunk to one of the processes."""
        with hold_signals():
            future = self._pool.schedule(_run_batch, args=(function, pickle_deep(batch)), timeout=self._limits.seconds)
            future.add_done_callback(_release_frames)
        return future

    def results(
        self, function: Function, batch: list, future: Future, on_death: Callable[[Any, str], Any]
    ) -> Iterator[Any]:
        """Results of a chunk; if its process died, each item is repeated in a separate process."""
        try:
            yield from pickle.loads(await_result(future))
        except _DEATHS as error:
            if len(batch) == 1:
                yield on_death(batch[0], self._death_reason(error))
                return
            for item in batch:
                with contextlib.closing(Processes(1, self._limits)) as alone:
                    yield from alone.results(function, [item], alone.submit(function, [item]), on_death)

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
        self._started: list[SpawnProcess] = []
        self._is_over = False

    def Process(self, *args: Any, **options: Any) -> SpawnProcess:  # type: ignore[override] # noqa: N802
        """Create a process, unless the pool has ended."""
        if self._is_over:
            raise OSError("the processes of this pool have been ended")
        self._started = [one for one in self._started if one.pid is None or one.is_alive()]
        self._started.append(SpawnProcess(*args, **options))
        return self._started[-1]

    def kill_processes(self) -> None:
        """Kill all processes and refuse to start more."""
        self._is_over = True
        for one in self._started:
            if one.pid is not None:
                one.kill()
                one.join()


def _release_frames(future: Future) -> None:
    """Clear the frames of a failed future: a half-sent chunk in them causes a warning in Python 3.13 when it is
    freed.
    """
    error = None if future.cancelled() else future.exception()
    while error is not None:
        traceback.clear_frames(error.__traceback__)
        error = error.__context__


def _run_batch(function: Function, pickled: bytes) -> bytes:
    return pickle_deep(list(function(pickle.loads(pickled))))


def _initialize_worker(megabytes: int | None, spelling: Spelling) -> None:
    """Initialise a process; it ignores signals to the process group (Ctrl-C, hangup), which the parent handles."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    set_spelling(spelling)
    if megabytes is not None:
        limit = min(megabytes * 2**20, 2**62)  # of a signed integer of 64 bits
        resource.setrlimit(resource.RLIMIT_AS, (limit, resource.getrlimit(resource.RLIMIT_AS)[1]))
