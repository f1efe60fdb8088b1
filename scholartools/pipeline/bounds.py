"""Limits of time and memory per record in this process; they cost little for fast records.

A processor-time timer fires ten times a second while a record is processed; its handler checks the usage. A record that
is done before the first signal, as nearly all are, costs two microseconds.

The limits apply to Python code and regular expressions in the main thread. A call of a C library is finished before the
record fails, and work on all records together is not limited, since a result of only some of them would be wrong.
Importing a library does not count and is never interrupted: a partially imported module would fail for all later
records.
"""

from __future__ import annotations

import contextlib
import resource
import signal
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import ClassVar, TypeVar

from scholartools.errors import ScholartoolsError
from scholartools.parameters import parameter
from scholartools.pipeline.workers import Limits

Made = TypeVar("Made")

#: Default limits per record.
DEFAULT = Limits(120.0, 2048)

_TICK = 0.1  # seconds of processor time
_STATM = Path("/proc/self/statm")


class _Exceeded(BaseException):
    """A record exceeds a limit. Not an Exception, so that a task cannot catch it by accident."""


class Guard:
    """Runs the work on records, and aborts it at a limit; nested work has its own limits."""

    _active: ClassVar[Guard | None] = None

    def __init__(self, bounds: Limits, waits: Callable[[], None] | None = None) -> None:
        """``waits`` is called at each timer signal, e.g. to flush finished records while this one takes long."""
        self._bounds = bounds
        self._waits = waits
        self._seen: float | None = None
        self._spent = 0.0
        self._memory: float | None = None
        self._thread: int | None = None

    def run(self, work: Callable[..., Made], *given: object) -> Made:
        """Call the work with the given arguments; without limits in threads other than the main one.

        Raises:
            ScholartoolsError: of kind ``too-long`` or ``memory``, if a limit is exceeded.
        """
        if self._thread is None:
            self._thread = self._begin()
        if self._thread != threading.get_ident():
            return work(*given)
        outer, Guard._active = Guard._active, self
        self._seen = self._memory = None
        self._spent = 0.0
        try:
            signal.setitimer(signal.ITIMER_PROF, _TICK, _TICK)
            try:
                return work(*given)
            finally:
                Guard._active = outer
                signal.setitimer(signal.ITIMER_PROF, *((_TICK, _TICK) if outer else (0, 0)))
        except _Exceeded as over:
            reason, kind = over.args
            raise ScholartoolsError(reason, kind=kind) from None

    def _begin(self) -> int:
        """Id of the thread to limit: the main thread, which gets the signals; 0 if someone else uses the timer."""
        main = threading.main_thread().ident or 0
        if threading.get_ident() != main:
            return 0
        handler = signal.getsignal(signal.SIGPROF)
        if handler not in (signal.SIG_DFL, signal.SIG_IGN, _tick):
            return 0
        signal.signal(signal.SIGPROF, _tick)
        return main

    def look(self, frame: FrameType | None) -> None:
        """Check the usage of the record; repeated at the next signal in case the exception was caught.

        ``frame`` is the current stack frame.
        """
        if self._waits is not None:
            with contextlib.suppress(Exception):  # an error will be raised again outside of the task
                self._waits()
        seconds, megabytes = self._bounds
        now = time.thread_time()
        past, self._seen = now - (now - _TICK if self._seen is None else self._seen), now
        if _is_importing(frame):
            self._memory = None
            return
        self._spent += past
        if seconds is not None and self._spent > seconds:
            raise _Exceeded(f"not done within {seconds:g} s of processor time ({parameter('max_seconds')})", "too-long")
        if megabytes is None:
            return
        taken = _resident_megabytes()
        self._memory = taken if self._memory is None else min(self._memory, taken)
        if taken - self._memory > megabytes:
            raise _Exceeded(f"it needs more than {megabytes} MB of memory ({parameter('max_memory')})", "memory")


def _tick(_: int, frame: FrameType | None) -> None:
    if (guard := Guard._active) is not None:
        guard.look(frame)


def _is_importing(frame: FrameType | None) -> bool:
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib._bootstrap"):
            return True
        frame = frame.f_back
    return False


def _resident_megabytes() -> float:
    """Resident memory of this process in MB; its maximum so far if the system provides only that."""
    try:
        return int(_STATM.read_bytes().split()[1]) * resource.getpagesize() / 2**20
    except OSError:
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return most / 2**20 if sys.platform == "darwin" else most / 2**10
