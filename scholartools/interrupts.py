"""Signals that end a run: the exceptions they raise in the main thread, and sections in which they are deferred.

A signal may arrive between any two instructions. An exception there can leave a lock of the standard library's futures
and conditions (written in Python) acquired, and the next thread that needs it deadlocks. The main thread therefore
blocks only in queues written in C, and accesses futures and pools while signals are deferred.
"""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Callable, Iterator
from queue import Empty, SimpleQueue
from types import FrameType
from typing import Any, Protocol

from scholartools.errors import Terminated

_RAISES: dict[int, type[BaseException]] = {
    signal.SIGINT: KeyboardInterrupt,
    signal.SIGTERM: Terminated,
    signal.SIGHUP: Terminated,
}


class _State:
    """Signal state of the process.

    Attributes:
        received: the exception class of the first signal received.
        is_held: whether signals are deferred.
    """

    received: type[BaseException] | None = None
    is_held = False


@contextlib.contextmanager
def obey_signals() -> Iterator[None]:
    """Raise ``KeyboardInterrupt`` or ``Terminated`` for signals that end a run; ignored signals (nohup) stay ignored.

    If the exception of a signal was replaced by another one on its way out, it is raised again; later signals are
    ignored.
    """
    # Imported before a signal raises an exception, which in the initialization of orjson would be a segmentation fault.
    import orjson  # noqa: F401

    _State.received, _State.is_held = None, False
    for number in _RAISES:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _take_signal)
    try:
        yield
    except BaseException as error:
        if _State.received is not None and not isinstance(error, _State.received):
            raise _State.received from error
        raise
    else:
        if _State.received is not None:  # it was raised within a finalizer, which swallows all exceptions
            raise _State.received
    finally:
        _State.is_held = True


class _Hold:
    """See :func:`hold_signals`."""

    __slots__ = ("_before", "_holds")

    def __enter__(self) -> None:
        # A class because a generator context manager takes three times as long, and this runs several times per record.
        self._holds = not _State.is_held and threading.get_ident() == threading.main_thread().ident
        if self._holds:
            _State.is_held = True
            self._before = _State.received

    def __exit__(self, *_: object) -> None:
        if self._holds:
            _State.is_held = False
            if _State.received is not self._before:
                raise _State.received  # type: ignore[misc]


def hold_signals() -> _Hold:
    """Defer signals until the end of the block, which must be short: for steps that must not be interrupted.

    Python handles signals in the main thread only, so this does nothing in other threads.
    """
    return _Hold()


def _take_signal(number: int, _: FrameType | None) -> None:
    _State.received = _RAISES[number]
    if not _State.is_held:
        raise _State.received


class Awaited(Protocol):
    """Interface of a future."""

    def done(self) -> bool:
        """Whether the result is available."""

    def result(self) -> Any:
        """Return the result, or raise the exception of the future."""

    def add_done_callback(self, call: Callable[[Any], object], /) -> object:
        """Call with this future once it is done, in any thread."""


def wait(future: Awaited, seconds: float | None = None) -> Iterator[None]:
    """Wait until a future is done; yield after every ``seconds``. A signal may end the wait."""
    if is_done(future):
        return
    ended: SimpleQueue[Any] = SimpleQueue()
    with hold_signals():
        future.add_done_callback(ended.put)
    while not is_done(future):
        try:
            ended.get(timeout=seconds)
        except Empty:
            yield


def await_result(future: Awaited) -> Any:
    """Return the result of a future; a signal may end the wait.

    Raises:
        BaseException: the exception of the future.
    """
    for _ in wait(future):
        pass
    with hold_signals():
        return future.result()


def is_done(future: Awaited) -> bool:
    """Whether a future is done."""
    with hold_signals():
        return future.done()
