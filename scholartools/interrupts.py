"""Signals that end a run: what they raise in the main thread, and where they wait.

A signal may come between any two instructions. An exception there leaves a lock held that the standard library's
futures and conditions take in Python code, and who wants that lock next waits for ever. The main thread therefore waits
in queues that are written in C, and touches futures and pools while signals are held.
"""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator
from queue import Empty, SimpleQueue
from types import FrameType
from typing import TYPE_CHECKING, Any

from scholartools.errors import Terminated

if TYPE_CHECKING:
    from concurrent.futures import Future

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


@contextlib.contextmanager
def hold_signals() -> Iterator[None]:
    """Let signals wait until the end of the block, which must be short: a step that must not be left half done.

    Signals come in the main thread alone: in another this does nothing.
    """
    if _State.is_held or threading.current_thread() is not threading.main_thread():
        yield
        return
    _State.is_held = True
    before = _State.received
    try:
        yield
    finally:
        _State.is_held = False
        if _State.received is not before:
            raise _State.received  # type: ignore[misc]


def _take_signal(number: int, _: FrameType | None) -> None:
    _State.received = _RAISES[number]
    if not _State.is_held:
        raise _State.received


def wait(future: Future, seconds: float | None = None) -> Iterator[None]:
    """Wait until a future has its result; yield whenever so many seconds have passed. A signal may end the wait."""
    ended: SimpleQueue[Future] = SimpleQueue()
    with hold_signals():
        future.add_done_callback(ended.put)
    while not is_done(future):
        try:
            ended.get(timeout=seconds)
        except Empty:
            yield


def await_result(future: Future) -> Any:
    """The result of a future; a signal may end the wait.

    Raises:
        BaseException: what the future raises.
    """
    for _ in wait(future):
        pass
    with hold_signals():
        return future.result()


def is_done(future: Future) -> bool:
    """Whether a future has its result."""
    with hold_signals():
        return future.done()
