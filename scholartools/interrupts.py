"""Signals that end a run: what they raise in the main thread, and where they wait.

A signal may come between any two instructions. An exception there leaves a lock held that the standard library's
futures and conditions take in Python code, and who wants that lock next waits for ever. The main thread therefore waits
in queues that are written in C, and touches futures and pools while signals are held.
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
    """What has come so far.

    Attributes:
        received: what the first signal raises or will raise.
        is_held: whether signals wait.
    """

    received: type[BaseException] | None = None
    is_held = False


@contextlib.contextmanager
def obey_signals() -> Iterator[None]:
    """Let the signals that end a run raise ``KeyboardInterrupt`` or ``Terminated``; who ignores one (nohup) goes on to.

    What the exception of a signal became on its way out is the signal's again; signals that come later are ignored.
    """
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
        if _State.received is not None:  # it came within a finalizer, which swallows all exceptions
            raise _State.received
    finally:
        _State.is_held = True


class _Hold:
    """See :func:`hold_signals`."""

    __slots__ = ("_before", "_holds")

    def __enter__(self) -> None:
        # Not a function with a yield, which takes three times as long: this is done several times a record.
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
    """Let signals wait until the end of the block, which must be short: a step that must not be left half done.

    Signals come in the main thread alone: in another this does nothing.
    """
    return _Hold()


def _take_signal(number: int, _: FrameType | None) -> None:
    _State.received = _RAISES[number]
    if not _State.is_held:
        raise _State.received


class Awaited(Protocol):
    """What will have a result: a future, or what stands for one."""

    def done(self) -> bool:
        """Whether it has its result."""

    def result(self) -> Any:
        """The result, or the exception that came in its place."""

    def add_done_callback(self, call: Callable[[Any], object], /) -> object:
        """Call with this once it has its result, in whichever thread."""


def wait(future: Awaited, seconds: float | None = None) -> Iterator[None]:
    """Wait until a future has its result; yield whenever so many seconds have passed. A signal may end the wait."""
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
    """The result of a future; a signal may end the wait.

    Raises:
        BaseException: what the future raises.
    """
    for _ in wait(future):
        pass
    with hold_signals():
        return future.result()


def is_done(future: Awaited) -> bool:
    """Whether a future has its result."""
    with hold_signals():
        return future.done()
