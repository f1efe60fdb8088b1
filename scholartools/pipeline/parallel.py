"""Process items locally or by workers, with ordered results and a bounded number of items in flight."""

from __future__ import annotations

import contextlib
import itertools
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable
from enum import Enum
from queue import SimpleQueue
from typing import TYPE_CHECKING, Generic, TypeVar

from scholartools.interrupts import hold_signals, is_done

if TYPE_CHECKING:
    from scholartools.interrupts import Awaited
    from scholartools.pipeline.workers import Workers

Item = TypeVar("Item")
Result = TypeVar("Result")
Work = TypeVar("Work")
Began = TypeVar("Began", bound="Awaited")


def ordered_map(
    function: Callable[[Iterable[Item]], Iterable[Result]],
    items: Iterable[Item],
    workers: Workers | None,
    *,
    chunk: int = 16,
    one_at_a_time: bool = True,
    on_death: Callable[[Item, str], Result],
    waits: Callable[[], None] | None = None,
) -> Generator[Result, None, None]:
    """Results of ``function`` for all items, computed by workers (closed at the end) or in this process.

    Args:
        function: maps several items to as many results; must be importable (or a partial of such) and must not raise.
        workers: worker processes; None for this process.
        chunk: maximum number of items passed to it at once; 1 for heavy items.
        one_at_a_time: in this process, pass all items as one iterator to be consumed one by one, since batches would
            gain nothing.
        on_death: makes the result of an item whose worker died (killed, timeout) from the reason.
        waits: called before waiting for the next result.
    """
    if workers is None and one_at_a_time:
        yield from function(items)
        return
    if workers is None:
        with contextlib.closing(batches(items, chunk, waits)) as some:
            yield from itertools.chain.from_iterable(map(function, some))
        return
    try:
        workers.start()
        with contextlib.closing(
            in_order(
                lambda batch: [(batch, workers.submit(function, batch))], items, lambda: workers.room(chunk), waits
            )
        ) as submitted:
            for batch, future in submitted:
                yield from workers.results(function, batch, future, on_death)
    finally:
        workers.close()


class _Mark(Enum):
    DONE = "the future is done"
    END = "the input has ended"


class ReadAhead(Generic[Item]):
    """Items of an iterable, read in a separate thread, so that slow input does not delay finished results.

    The thread ends with the input, or after close with the item that it waits for. The consuming thread only uses
    queues written in C: a signal cannot leave a lock acquired, as in a ``Condition``.

    Attributes:
        most: maximum number of items held.
    """

    def __init__(self, items: Iterable[Item], most: int) -> None:
        """Start reading."""
        self.most = most
        self._ready: SimpleQueue[Item | _Mark] = SimpleQueue()
        self._taken: SimpleQueue[None] = SimpleQueue()  # gets a None whenever there may be space again
        self._is_closed = self._has_ended = False
        self._error: BaseException | None = None
        threading.Thread(target=self._read_items, args=(items,), daemon=True).start()

    def take(
        self, most: int, unless_done: Awaited | None = None, waits: Callable[[], None] | None = None
    ) -> list[Item]:
        """Available items in order, at most ``most``; waits for one unless the future is done.

        Args:
            waits: called first if no item is available.

        Returns:
            The items; empty only if the input has ended or the future is done.
        """
        if self._ready.empty():
            if waits is not None:
                waits()
            if unless_done is not None:
                with hold_signals():
                    unless_done.add_done_callback(lambda _: self._ready.put(_Mark.DONE))
        taken: list[Item] = []
        while len(taken) < most and not self._has_ended:
            if self._ready.empty() and (taken or (unless_done is not None and is_done(unless_done))):
                break
            item = self._ready.get()
            if item is _Mark.END:
                self._has_ended = True
            elif item is _Mark.DONE:
                self._tell_reader()  # such marks occupy the queue, too
            else:
                taken.append(item)
        self._tell_reader()
        return taken

    def check(self) -> None:
        """Raise the exception of the input, if there is one."""
        if self._error is not None:
            raise self._error

    def close(self) -> None:
        """Stop reading."""
        self._is_closed = True
        self._tell_reader()

    def _tell_reader(self) -> None:
        """Wake the reading thread to check for space; one pending message suffices."""
        if self._taken.empty():
            self._taken.put(None)

    def _read_items(self, items: Iterable[Item]) -> None:
        try:
            for item in items:
                while self._ready.qsize() >= self.most and not self._is_closed:
                    self._taken.get()
                if self._is_closed:
                    return
                self._ready.put(item)
        except BaseException as error:  # raised by check() in the consuming thread
            self._error = error
        finally:
            self._ready.put(_Mark.END)


def batches(
    items: Iterable[Item], size: int, waits: Callable[[], None] | None = None
) -> Generator[list[Item], None, None]:
    """Batches of up to ``size`` available items: an item never waits for the next one."""
    ahead = ReadAhead(items, 4 * size)
    try:
        while batch := ahead.take(size, waits=waits):
            yield batch
        ahead.check()
    finally:
        ahead.close()


def in_order(
    submit: Callable[[list[Item]], list[tuple[Work, Began]]],
    items: Iterable[Item],
    room: Callable[[], tuple[int, int]],
    waits: Callable[[], None] | None = None,
    done: Callable[[Began], bool] = is_done,
) -> Generator[tuple[Work, Began], None, None]:
    """Work started by ``submit`` for the items, in order, each with a future on which the caller waits.

    An exception of the input is raised after the items before it.

    Args:
        submit: starts the work on some items.
        room: returns the maximum number of items per call of ``submit``, and the maximum number of items submitted and
            not yet yielded, which is at least as large.
        waits: called before waiting for an item or a result.
        done: whether a future has its result; one that takes no lock need not defer signals.
    """
    ahead = ReadAhead(items, 4 * room()[0])
    begun: deque[tuple[Work, Began, int]] = deque()
    under_way = 0
    try:
        while True:
            batch: list[Item] = []
            size, window = room()
            if under_way + size <= window:
                ahead.most = 4 * size
                batch = ahead.take(size, begun[0][1] if begun else None, waits)
                parts = submit(batch) if batch else []
                begun.extend((work, future, len(batch) // len(parts)) for work, future in parts)
                under_way += len(batch)
            if not begun:
                break
            if batch and not done(begun[0][1]):
                continue
            work, future, count = begun.popleft()
            if waits is not None and not done(future):
                waits()
            yield work, future
            under_way -= count
        ahead.check()
    finally:
        ahead.close()
