"""Asynchronous access to a cache: hits in a file are read at once, and everything that may block runs in threads.

Another process may hold the file lock for long; the event loop continues meanwhile, and all waiting accesses share one
wait. A database is also read in a thread: the keys requested in one iteration of the loop are read by one statement.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import math
import os
import threading
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from typing import Any, Generic, NamedTuple, TypeVar

from scholartools.cache.budgets import Amount, Books, Grant, SharedBudget
from scholartools.cache.database import Cache
from scholartools.cache.flights import BEAT_EVERY, GONE_AFTER, STATEMENT_SECONDS, Flights, look_beside
from scholartools.cache.place import Locked, user_folder
from scholartools.cache.replies import Reply, fault_of
from scholartools.cache.reserve import Reserve, largest_file
from scholartools.errors import ModelFault
from scholartools.parameters import parameter

Made = TypeVar("Made")

# Seconds that an interrupted run waits for another process.
CLOSE_SECONDS = 1.0

# Disk space for storing a reply in addition to request and reply (pages of tables, index and log); assumed size of the
# longest reply before the first arrives; and size of the log. All in bytes.
_OVERHEAD, _FIRST_REPLY, _LOG = 2**15, 2**14, 2**16


# Seconds without a heartbeat after which others may have taken over claims of this process.
_DOUBTFUL_AFTER = GONE_AFTER - BEAT_EVERY


class _KeptAside(ModelFault):
    """A reply was stored in a separate file instead of the cache."""


class _Entry(NamedTuple):
    """Arguments of :meth:`Cache.put`."""

    key: bytes
    request: Mapping[str, Any]
    reply: Reply
    prompt: str
    replace: bool

    @property
    def is_paid_for(self) -> bool:
        """Whether a model replied; a stored fault cost nothing."""
        return fault_of(self.reply) is None


class Together(Generic[Made]):
    """Batch lookups in a thread: all keys requested in one iteration of the event loop are looked up together."""

    def __init__(self, thread: ThreadPoolExecutor, ask: Callable[[list[bytes]], Mapping[bytes, Made]]) -> None:
        """``ask`` runs in the thread; a key missing in its result gives None."""
        self._thread, self._ask = thread, ask
        self._wanted: dict[bytes, list[asyncio.Future[Made | None]]] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    async def ask(self, key: bytes) -> Made | None:
        """Result for a key, or None."""
        loop = asyncio.get_running_loop()
        if not self._wanted:
            loop.call_soon(self._begin)
        future = loop.create_future()
        self._wanted.setdefault(key, []).append(future)
        return await future

    def _begin(self) -> None:
        wanted, self._wanted = self._wanted, {}
        task = asyncio.ensure_future(self._ask_thread(wanted))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _ask_thread(self, wanted: dict[bytes, list[asyncio.Future[Made | None]]]) -> None:
        loop = asyncio.get_running_loop()
        try:
            found: Mapping[bytes, Made] | Exception = await loop.run_in_executor(self._thread, self._ask, list(wanted))
        except Exception as fault:
            found = fault
        for key, futures in wanted.items():
            made = found if isinstance(found, Exception) else found.get(key)
            for future in futures:
                _resolve(future, made)


class Store:
    """A cache for one event loop.

    Attributes:
        n_unsaved: number of replies being written; after closing, number of replies that could not be stored.
        ahead: seconds by which the clock of the cache is ahead of the local clock.
        begun: start of this run, or of the earliest run in progress if that is earlier, by the clock of the cache: runs
            may share replies from then on.
    """

    def __init__(self, cache: Cache, begun: float | None = None) -> None:
        """Take ownership of ``cache``.

        Args:
            begun: start of the run by the clock of the cache; default: now.

        Raises:
            ModelFault: the server does not respond.
        """
        self.n_unsaved = 0
        now = time.time()
        self.ahead, first_begun = (0.0, math.inf) if cache.readonly else look_beside(cache.place)
        self.begun = min(now + self.ahead if begun is None else begun, first_begun)
        self._reader = cache
        self._writer: Cache | None = None
        self._patience: float | None = None
        self._thread = ThreadPoolExecutor(1, "cache")
        self._reading_thread = ThreadPoolExecutor(1, "cache-reader")
        self._flights_thread = ThreadPoolExecutor(1, "cache-flights")
        self._flights: Flights | None = None
        self._beaten = 0.0
        self._doubtful: set[bytes] = set()  # claimed before a long pause of this process
        self._released: deque[bytes] = deque()
        self._is_releasing = False  # whether the thread will still look at what is released
        self._budget: SharedBudget | None = None
        self._books: Callable[[], Books] = lambda: Books(0.0, 0.0, 0, 0)
        self._closed = threading.Event()
        self._reading: Together[Reply] = Together(self._reading_thread, cache.get_many)
        self._claiming: Together[bool] = Together(self._flights_thread, self._claim)
        self._queue: list[tuple[_Entry, asyncio.Future[Reply]]] = []
        self._writing: asyncio.Task[None] | None = None
        self._reserve = None if cache.folder is None else Reserve(cache.folder)
        self._n_awaited = self._longest_request = 0
        self._longest_reply = _FIRST_REPLY
        self._unwritable: ModelFault | None = None
        self._aside: Cache | None = None
        if self._reserve is None:
            cache.limit_statements(STATEMENT_SECONDS)
        else:
            cache.refuse_locked()

    @property
    def readonly(self) -> bool:
        """Whether the cache is read-only."""
        return self._reader.readonly

    async def get(self, key: bytes) -> Reply | None:
        """Usable reply under a key, or None. All reads of a file in one iteration of the loop see one snapshot."""
        if self._reserve is None:
            return await self._reading.ask(key)
        try:
            if self._reader.begin_reading():
                asyncio.get_running_loop().call_soon(self._reader.end_reading)
            return self._reader.get(key)
        except Locked:
            return await self._in_thread(lambda cache: cache.get(key))

    async def claim(self, keys: Sequence[bytes]) -> set[bytes]:
        """Claim requests; return the keys of those that no other process has claimed and that have no reply yet.

        Raises:
            ModelFault: writing failed.
        """
        found = await asyncio.gather(*(self._claiming.ask(key) for key in keys))
        claimed = {key for key, is_ours in zip(keys, found) if is_ours}
        for key in list(claimed):  # a reply may have arrived since the cache was read
            if await self.get(key) is not None:
                self.release([key])
                claimed.discard(key)
        return claimed

    def release(self, keys: Sequence[bytes]) -> None:
        """Release claimed requests, so that other processes can send them.

        The thread deletes by one statement what is released until it begins: 3,000 calls, 200 at a time, take 3.8
        s of processor time for 4.3 s.
        """
        self._released.extend(keys)
        if not self._is_releasing:
            self._is_releasing = True
            with contextlib.suppress(RuntimeError):  # the store is closed, and all claims are released
                self._flights_thread.submit(self._release)

    async def still_claims(self, keys: Sequence[bytes]) -> bool:
        """Whether requests are still claimed by this process.

        Claims may be lost after a long pause without heartbeat, e.g. if the process was stopped or the machine was
        suspended.

        Raises:
            ModelFault: the claims cannot be read.
        """
        if _clock() - self._beaten < _DOUBTFUL_AFTER and not self._doubtful.intersection(keys):
            return True
        return await asyncio.get_running_loop().run_in_executor(self._flights_thread, self._still_claims, keys)

    def _still_claims(self, keys: Sequence[bytes]) -> bool:
        self._beat_once()
        if self._flights is None or self._flights.still_claims(keys) == set(keys):
            self._doubtful.difference_update(keys)
            return True
        return False

    def _open_flights(self) -> Flights:
        if self._flights is None:
            self._beaten = _clock()
            self._flights = Flights(self._reader.place, self.begun)
            threading.Thread(target=self._beat, daemon=True, name="cache-beat").start()
        return self._flights

    def _claim(self, keys: Sequence[bytes]) -> dict[bytes, bool]:
        claimed = self._open_flights().claim(keys)
        self._doubtful -= claimed
        return dict.fromkeys(claimed, True)

    def open_budget(
        self, name: str, max_cost: float | None, max_calls: int | None, books: Callable[[], Books]
    ) -> None:  # fmt: skip
        """Use a budget shared with other processes.

        Args:
            books: returns the accounts of this run; called in the event loop.

        Raises:
            UsageFault: the budget exists with other limits.
            ModelFault: writing to the tables next to the cache failed.
        """
        self._books = books

        def begin() -> SharedBudget:
            return SharedBudget(self._open_flights(), name, max_cost, max_calls)

        self._budget = self._flights_thread.submit(begin).result()

    async def take(self, more: Amount) -> Grant:
        """Reserve more of the shared budget than is used.

        Raises:
            ModelFault: writing failed, or the run must end.
        """
        budget = self._budget
        if budget is None:
            raise RuntimeError("no budget is shared")
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._flights_thread, budget.take, self._books(), more)

    async def _book(self) -> None:
        """Write the accounts before the replies that were paid for are stored."""
        if self._budget is not None:
            with contextlib.suppress(ModelFault):  # later accounts include earlier ones
                loop = asyncio.get_running_loop()
                await loop.run_in_executor(self._flights_thread, self._budget.book, self._books())

    def _release(self) -> None:
        self._is_releasing = False
        keys: list[bytes] = []
        while self._released:
            keys.append(self._released.popleft())
        if self._flights is not None:
            self._doubtful.difference_update(keys)
            with contextlib.suppress(ModelFault):
                self._flights.release(keys)

    def _beat(self) -> None:
        """Update the heartbeat until the store is closed."""
        while not self._closed.wait(BEAT_EVERY):
            with contextlib.suppress(RuntimeError, ModelFault):
                self._flights_thread.submit(self._beat_once).result()

    def _beat_once(self) -> None:
        if self._flights is not None:
            now = _clock()
            if now - self._beaten >= _DOUBTFUL_AFTER:
                self._doubtful |= self._flights.held
            self._flights.beat()
            self._beaten = now

    def _close_flights(self, books: Books) -> None:
        if self._budget is not None:
            with contextlib.suppress(ModelFault):
                self._budget.close(books)
        if self._flights is not None:
            self._flights.close()
            self._flights = None

    async def last_unusable(self, keys: Sequence[bytes]) -> tuple[Reply, bytes] | None:
        """Most recent of the unusable replies under the keys, and its key, or None."""

        def find(cache: Cache) -> tuple[Reply, bytes] | None:
            key = max(keys, key=cache.place_of_unusable)
            reply = cache.last_unusable(key)
            return None if reply is None else (reply, key)

        return await self._in_thread(find)

    async def has_unusable(self, key: bytes, reply: Reply) -> bool:
        """Whether an unusable reply is stored; for a fault it suffices that kind and reason are the same."""

        def find(cache: Cache) -> bool:
            same = fault_of(reply)
            return any(kept == reply if same is None else fault_of(kept) == same for kept in cache.unusable(key))

        return await self._in_thread(find)

    async def forget(self, key: bytes) -> None:
        """Delete the usable reply under a key: see :meth:`Cache.forget`."""
        await self._in_thread(lambda cache: cache.forget(key))

    @contextlib.asynccontextmanager
    async def room_for(self, count: int, request_size: int) -> AsyncIterator[None]:
        """Reserve disk space for ``count`` replies to a request of ``request_size`` bytes, until they are stored in the
        block.

        Their lengths are unknown: each is assumed to be as long as the longest so far.

        Raises:
            ModelFault: paid replies could not be stored.
        """
        self._n_awaited += count
        self._longest_request = max(self._longest_request, request_size)
        try:
            is_short = self._reserve is not None and self._wanted_room > self._reserve.size
            is_short = is_short or self._is_file_limited()
            if self._writer is None or self._unwritable is not None or is_short:  # before anything is paid for
                await self._in_thread(self._take_room)
            yield
        finally:
            self._n_awaited -= count

    @property
    def _room_each(self) -> int:
        """Estimated bytes on disk for storing one reply."""
        return _OVERHEAD + self._longest_request + self._longest_reply

    @property
    def _wanted_room(self) -> int:
        return _LOG + self._n_awaited * self._room_each

    def _is_file_limited(self) -> bool:
        """Whether the awaited replies may let the file of the cache, or its log, exceed the maximum size of a file."""
        limit = largest_file() if self._reserve is not None else None
        return limit is not None and self._reader.size() + self._wanted_room > limit

    async def put(self, key: bytes, request: Mapping[str, Any], reply: Reply, prompt: str, *, replace: bool) -> Reply:
        """Store a reply; returns when it is committed. With ``replace=False`` an earlier one is kept.

        Returns:
            The reply stored in the end.

        Raises:
            ModelFault: it cannot be stored; it counts as ``n_unsaved``.
        """
        kept: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        entry = _Entry(key, request, reply, prompt, replace)
        self._queue.append((entry, kept))
        self.n_unsaved += entry.is_paid_for
        self._longest_reply = max(self._longest_reply, size_of_text(reply.text) + size_of_text(reply.body or ""))
        if self._writing is None or self._writing.done():
            self._writing = asyncio.ensure_future(self._write_pending())
        return await kept

    def close_soon(self) -> None:
        """Shorten the wait for other processes; may be called by any thread."""
        self._patience = CLOSE_SECONDS
        for cache in (self._writer, self._flights, None if self._reserve else self._reader):
            if cache is not None:
                cache.wait_at_most(CLOSE_SECONDS)

    @property
    def is_locked(self) -> bool:
        """Whether another process blocks the writing thread."""
        return self._writer is not None and self._writer.is_locked

    async def close(self) -> None:
        """Write pending replies, then close the cache."""
        if self._writing is not None:
            await self._writing
        self._closed.set()
        loop = asyncio.get_running_loop()
        await loop.run_in_executor(self._thread, self._close_writer)
        await loop.run_in_executor(self._flights_thread, self._close_flights, self._books())
        self._flights_thread.shutdown()
        self._thread.shutdown()
        self._reading_thread.shutdown()
        self._reader.close()

    async def _write_pending(self) -> None:
        """Write all pending replies together, until there are none."""
        while self._queue:
            batch, self._queue = self._queue, []
            if self._reserve is None:  # sorted to avoid deadlocks between runs
                batch.sort(key=lambda waiting: waiting[0].key)
            await self._book()
            try:
                made: list[Reply | Exception] = await self._in_thread(
                    functools.partial(self._put_all, [entry for entry, _ in batch])
                )
            except Exception as fault:
                made = [fault] * len(batch)
            for (entry, kept), what in zip(batch, made):
                is_kept = isinstance(what, _KeptAside) or not isinstance(what, Exception)
                self.n_unsaved -= entry.is_paid_for and is_kept
                _resolve(kept, what)

    async def _in_thread(self, use: Callable[[Cache], Made]) -> Made:
        return await asyncio.get_running_loop().run_in_executor(self._thread, lambda: use(self._patient_cache()))

    def _patient_cache(self) -> Cache:
        """Connection of the writing thread."""
        if self._writer is None:
            writer = Cache.open(self._reader.place, self._reader.readonly)
            if self._reserve is None:
                writer.limit_statements(STATEMENT_SECONDS)
            if self._patience is not None:
                writer.wait_at_most(self._patience)
            self._writer = writer
        return self._writer

    def _close_writer(self) -> None:
        if self._reserve is not None:
            self._reserve.close()
        for cache in (self._writer, self._aside):
            if cache is not None:
                cache.close()

    def _take_room(self, cache: Cache) -> None:
        """Reserve space for all awaited replies.

        This holds the write lock, since another run that has it may have freed space for its own write.
        """
        if self._unwritable is not None:
            raise _refuse_sending(self._unwritable)
        wanted = self._wanted_room
        needed = f"for {self._n_awaited} replies on their way, about {wanted / 1e6:.1f} MB"
        if self._is_file_limited():
            reason = f"{cache.place}: no file may be as large as this one would become {needed} (ulimit -f)"
            raise _refuse_sending(ModelFault(reason, kind="cache"))
        if self._reserve is None or wanted <= self._reserve.size:
            return
        try:
            with cache.transaction():
                cache.prove_writable()
                self._reserve.grow(wanted)
        except Locked:
            raise
        except ModelFault as fault:
            raise _refuse_sending(fault) from None
        except OSError as error:
            reason = f"{cache.place}: no space is left on the disk {needed} ({error.strerror})"
            raise _refuse_sending(ModelFault(reason, kind="cache")) from None

    def _put_all(self, entries: list[_Entry], cache: Cache) -> list[Reply | Exception]:
        """Store replies; return for each key the stored reply or the fault.

        If the disk is full, reserved space is freed for them, in the end all of it; the lock keeps other runs from
        taking it. If that is not enough, they are stored one by one as far as they fit.
        """
        try:
            return _put_together(entries, cache)
        except Locked:
            if self._reserve is not None:
                raise
            return self._put_again(entries, cache)
        except ModelFault as fault:
            self._unwritable = unwritable = fault
        if self._reserve is None:
            return self._put_singly(entries, cache, unwritable)
        for size in (len(entries) * self._room_each, self._reserve.size):
            with contextlib.suppress(ModelFault):
                return _put_together(entries, cache, functools.partial(self._reserve.give_back, size))
        return [made for entry in entries for made in _put_alone(entry, cache)]

    def _put_again(self, entries: list[_Entry], cache: Cache) -> list[Reply | Exception]:
        """Store replies when the server responds again: it is unknown whether the failed transaction was committed.

        Returns:
            The stored replies; or faults if the time to wait is over: paid replies are in a separate file then.
        """
        while True:
            try:
                return _put_together(entries, cache)
            except Locked as fault:
                if not cache.has_patience:
                    return self._put_aside(entries, fault)

    def _put_singly(self, entries: list[_Entry], cache: Cache, fault: ModelFault) -> list[Reply | Exception]:
        """Store replies one by one on a server that rejects them together; the rest goes to a separate file."""
        made = [kept for entry in entries for kept in _put_alone(entry, cache)]
        if left := [place for place, kept in enumerate(made) if isinstance(kept, ModelFault)]:
            with contextlib.suppress(ModelFault):
                for place, kept in zip(left, self._put_aside([entries[place] for place in left], fault)):
                    made[place] = kept
        return made

    def _put_aside(self, entries: list[_Entry], fault: ModelFault) -> list[Reply | Exception]:
        """Store replies in a file on this machine; the run ends with a fault that names it.

        Raises:
            ModelFault: the file cannot be written; the replies are counted as unsaved.
        """
        if self._aside is None:
            name = f"unsaved-{datetime.now(UTC):%Y-%m-%d}-{os.getpid()}.sqlite"
            self._aside = Cache.open(user_folder().expanduser() / name)
        _put_together(entries, self._aside)
        there = self._aside.place
        told = f"the replies that came meanwhile are in {there}; `st-cache merge {there}` copies them"
        self._unwritable = _KeptAside(f"{fault.reason}; {told}", kind=fault.kind)
        return [self._unwritable] * len(entries)


def _clock() -> float:
    """Seconds of a clock that includes suspended time."""
    return time.clock_gettime(time.CLOCK_BOOTTIME) if hasattr(time, "CLOCK_BOOTTIME") else time.monotonic()


def size_of_text(text: str) -> int:
    """Upper bound on the stored size of a text in bytes."""
    return len(text) * (1 if text.isascii() else 4)


def _resolve(future: asyncio.Future[Any], made: Any) -> None:
    """Set the result or the exception of a future, unless it is cancelled."""
    if future.done():
        return
    if isinstance(made, Exception):
        future.set_exception(made)
    else:
        future.set_result(made)


def _refuse_sending(fault: ModelFault) -> ModelFault:
    reason = (
        f"{fault.reason}; new replies would be paid for, but not stored "
        f"({parameter('cache', False)} calls the model nevertheless)"
    )
    return ModelFault(reason, kind=fault.kind)


def _put_alone(entry: _Entry, cache: Cache) -> list[Reply | Exception]:
    try:
        return _put_together([entry], cache)
    except ModelFault as fault:
        return [fault]


def _put_together(
    entries: list[_Entry], cache: Cache, begin: Callable[[], object] = lambda: None
) -> list[Reply | Exception]:
    """Store replies in one transaction, after ``begin``; return for each key the stored reply or the fault.

    Raises:
        ModelFault: writing failed; nothing is stored.
    """
    made: list[Reply | Exception] = []
    with cache.transaction():
        begin()
        for key, request, reply, prompt, replace in entries:
            try:
                if cache.put(key, request, reply, prompt, replace=replace):
                    made.append(reply)
                else:
                    made.append(cache.get(key) or reply)
            except ModelFault:
                raise
            except Exception as fault:
                made.append(fault)
    return made
