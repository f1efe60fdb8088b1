"""Work on many items in several processes, with results in the items' order and a bounded number in flight."""

from __future__ import annotations

import contextlib
import itertools
import resource
import signal
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from scholartools.parameters import Spelling, get_spelling, set_spelling

if TYPE_CHECKING:
    from concurrent.futures import Future

    from pebble import ProcessPool

Item = TypeVar("Item")
Result = TypeVar("Result")
Work = TypeVar("Work")


class Limits(NamedTuple):
    """What a process may take for one chunk of items: seconds of time, megabytes of address space; None: anything."""

    seconds: float | None = None
    megabytes: int | None = None


# Chunks in flight per process: enough to keep every process busy while the oldest chunk is awaited.
LOOK_AHEAD = 4


def ordered_map(
    function: Callable[[Iterable[Item]], Iterable[Result]],
    items: Iterable[Item],
    jobs: int,
    *,
    chunk: int = 16,
    one_at_a_time: bool = True,
    limits: Limits | None = None,
    on_death: Callable[[Item, str], Result],
    waits: Callable[[], None] | None = None,
) -> Generator[Result, None, None]:
    """The results of ``function`` for all items, in ``jobs`` processes; one means this one, unless there are limits.

    Args:
        function: makes as many results of some items; importable (or a partial of such), and must not raise.
        chunk: items given to it at once, where so many are there; 1 for heavy items.
        one_at_a_time: in this process it gets all items and takes one after another, since more at once would gain
            nothing.
        limits: of a process, for each chunk.
        on_death: makes the result of an item whose process died (killed, out of time), given the reason.
        waits: called before the next result is waited for.
    """
    if jobs == 1 and limits is None:
        if one_at_a_time:
            yield from function(items)
            return
        with contextlib.closing(batches(items, chunk, waits)) as some:
            yield from itertools.chain.from_iterable(map(function, some))
        return
    limits = limits or Limits()
    pool = _make_pool(jobs, limits)

    def submit(batch: list[Item]) -> list[tuple[list[Item], Future]]:
        return [(batch, pool.schedule(_run_batch, args=(function, batch), timeout=limits.seconds))]

    try:
        with contextlib.closing(in_order(submit, items, chunk, jobs * LOOK_AHEAD * chunk, waits)) as submitted:
            for batch, future in submitted:
                try:
                    yield from future.result()
                except _death_errors() as error:
                    yield from _run_singly(function, batch, limits, on_death, error)
    finally:
        pool.stop()
        pool.join()


class ReadAhead(Generic[Item]):
    """Items of an iterable, read in a thread of its own: a slow input delays nothing that is finished.

    The thread ends with the input, or once closed with the item that it waits for.
    """

    def __init__(self, items: Iterable[Item], most: int) -> None:
        """Begin to read; at most ``most`` items are held."""
        self._most = most
        self._ready: deque[Item] = deque()
        self._changed = threading.Condition()
        self._is_closed = self._has_ended = False
        self._error: BaseException | None = None
        threading.Thread(target=self._read_items, args=(items,), daemon=True).start()

    def take(self, most: int, unless_done: Future | None = None, waits: Callable[[], None] | None = None) -> list[Item]:
        """The items that are there, ``most`` at most, in order; waits for one, unless the future is done.

        Args:
            waits: called first where none is there.

        Returns:
            An empty list only where the input has ended, or the future is done.
        """
        if not self._ready:
            if waits is not None:
                waits()
            if unless_done is not None:
                unless_done.add_done_callback(self._wake_taker)
        with self._changed:
            while not (self._ready or self._has_ended or (unless_done is not None and unless_done.done())):
                self._changed.wait()
            taken = [self._ready.popleft() for _ in range(min(most, len(self._ready)))]
            self._changed.notify()
        return taken

    def check(self) -> None:
        """Raise what the input raised."""
        if self._error is not None:
            raise self._error

    def close(self) -> None:
        """Read no more."""
        with self._changed:
            self._is_closed = True
            self._changed.notify()

    def _read_items(self, items: Iterable[Item]) -> None:
        try:
            for item in items:
                with self._changed:
                    while len(self._ready) >= self._most and not self._is_closed:
                        self._changed.wait()
                    if self._is_closed:
                        return
                    self._ready.append(item)
                    if len(self._ready) == 1:
                        self._changed.notify()
        except BaseException as error:  # raised by check() in the thread that takes
            self._error = error
        finally:
            with self._changed:
                self._has_ended = True
                self._changed.notify()

    def _wake_taker(self, _: Future) -> None:
        with self._changed:
            self._changed.notify()


def batches(
    items: Iterable[Item], size: int, waits: Callable[[], None] | None = None
) -> Generator[list[Item], None, None]:
    """Up to ``size`` items at once, as many as there are: an item never waits for the next one."""
    ahead = ReadAhead(items, 4 * size)
    try:
        while batch := ahead.take(size, waits=waits):
            yield batch
        ahead.check()
    finally:
        ahead.close()


def in_order(
    submit: Callable[[list[Item]], list[tuple[Work, Future]]],
    items: Iterable[Item],
    size: int,
    window: int,
    waits: Callable[[], None] | None = None,
) -> Generator[tuple[Work, Future], None, None]:
    """What ``submit`` began for the items, in order, each with its future, which is done.

    What the input raises is raised here, after the items before it.

    Args:
        submit: begins the work on up to ``size`` items, as many as there are.
        window: the most items that are submitted and not yet taken, not less than ``size``.
        waits: called before an item or a result is waited for.
    """
    from concurrent.futures import wait

    ahead = ReadAhead(items, 4 * size)
    begun: deque[tuple[Work, Future, int]] = deque()
    under_way = 0
    try:
        while True:
            batch: list[Item] = []
            if under_way + size <= window:
                batch = ahead.take(size, begun[0][1] if begun else None, waits)
                parts = submit(batch) if batch else []
                begun.extend((work, future, len(batch) // len(parts)) for work, future in parts)
                under_way += len(batch)
            if not begun:
                break
            if batch and not begun[0][1].done():
                continue
            work, future, count = begun.popleft()
            if not future.done():
                if waits is not None:
                    waits()
                wait([future])
            yield work, future
            under_way -= count
        ahead.check()
    finally:
        ahead.close()


def _make_pool(jobs: int, limits: Limits) -> ProcessPool:
    import multiprocessing

    from pebble import ProcessPool

    context = multiprocessing.get_context("spawn")
    return ProcessPool(
        jobs, initializer=_initialize_worker, initargs=(limits.megabytes, get_spelling()), context=context
    )


def _run_singly(
    function: Callable, batch: list, limits: Limits, on_death: Callable, error: BaseException
) -> Iterator[Any]:
    """Results of a batch whose process died: each item again in a process of its own, so that one costs only itself."""
    if len(batch) == 1:
        yield on_death(batch[0], _death_reason(error, limits))
        return
    for item in batch:
        with _make_pool(1, limits) as pool:
            try:
                yield from pool.schedule(_run_batch, args=(function, [item]), timeout=limits.seconds).result()
            except _death_errors() as death:
                yield on_death(item, _death_reason(death, limits))


def _run_batch(function: Callable[[list[Item]], Iterable[Result]], batch: list[Item]) -> list[Result]:
    return list(function(batch))


def _death_errors() -> tuple[type[BaseException], ...]:
    from pebble import ProcessExpired

    return ProcessExpired, TimeoutError


def _death_reason(error: BaseException, limits: Limits) -> str:
    if isinstance(error, TimeoutError):
        return f"not done within {limits.seconds:g} s"
    code = getattr(error, "exitcode", None)
    if isinstance(code, int) and code < 0:
        return f"its process was killed by {signal.Signals(-code).name}"
    return f"its process ended with status {code}"


def _initialize_worker(megabytes: int | None, spelling: Spelling) -> None:
    """Prepare a process: Ctrl-C and the end of a terminal reach the whole group; the parent alone decides."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    set_spelling(spelling)
    if megabytes is not None:
        limit = megabytes * 2**20
        resource.setrlimit(resource.RLIMIT_AS, (limit, resource.getrlimit(resource.RLIMIT_AS)[1]))
