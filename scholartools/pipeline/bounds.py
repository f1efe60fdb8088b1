"""Bounds on the work on one record in this process; they act only on a record that takes long.

A timer of the processor ticks ten times a second while a record is worked on, and at a tick it is seen what the record
took so far. A record that is done before the first tick, as nearly all are, costs two microseconds for it.

What they hold: work in Python and in its regular expressions, in the main thread of a process. What they do not: a
library's call in C is let finish before the record fails; and what is made of all records together is not bounded,
since a number of some of them would be a wrong one. Importing a library on the way is no work on a record, and is
never broken off: a module that is half imported would fail for all records that follow.
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

#: What a record may take unless another bound is set.
DEFAULT = Limits(120.0, 2048)

_TICK = 0.1  # seconds of processor time
_STATM = Path("/proc/self/statm")


class _Exceeded(BaseException):
    """A record is over a bound. No Exception: what a task makes of those must not hold it up."""


class Guard:
    """Runs the work on records, and ends it where it takes too much; work within work has the bounds of its own."""

    _active: ClassVar[Guard | None] = None

    def __init__(self, bounds: Limits, waits: Callable[[], None] | None = None) -> None:
        """``waits`` is called at each tick: others may want what is done already, for this record takes long."""
        self._bounds = bounds
        self._waits = waits
        self._seen: float | None = None
        self._spent = 0.0
        self._memory: float | None = None
        self._thread: int | None = None

    def run(self, work: Callable[..., Made], *given: object) -> Made:
        """What the work makes of what it is given; without bounds in other threads than the main one.

        Raises:
            ScholartoolsError: of kind ``too-long`` or ``memory``, it is over a bound.
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
        """The thread whose work is watched: the main one, where signals come; 0 where somebody else has that timer."""
        main = threading.main_thread().ident or 0
        if threading.get_ident() != main:
            return 0
        handler = signal.getsignal(signal.SIGPROF)
        if handler not in (signal.SIG_DFL, signal.SIG_IGN, _tick):
            return 0
        signal.signal(signal.SIGPROF, _tick)
        return main

    def look(self, frame: FrameType | None) -> None:
        """See what the record took; comes again at the next tick where something caught what is raised here.

        ``frame`` is what is being run.
        """
        if self._waits is not None:
            with contextlib.suppress(Exception):  # comes again in the run itself, for this is within a task
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
    """The memory that this process holds; the most that it ever held where the system does not tell."""
    try:
        return int(_STATM.read_bytes().split()[1]) * resource.getpagesize() / 2**20
    except OSError:
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return most / 2**20 if sys.platform == "darwin" else most / 2**10
