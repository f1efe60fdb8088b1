"""The cache for an event loop: hits are read at once; what may have to wait for others is done in a thread of its own.

Another process may have the file locked for long. The loop goes on meanwhile, and all that waits, waits together.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple, TypeVar

from scholartools.cache.database import Cache
from scholartools.cache.replies import Reply, fault_of
from scholartools.cache.reserve import Reserve
from scholartools.cache.sqlite import Locked
from scholartools.errors import ModelFault
from scholartools.parameters import parameter

Made = TypeVar("Made")

# Seconds that an interrupted run still waits for another process.
CLOSE_SECONDS = 1.0

# Bytes on the disk that keeping a reply takes beside request and reply (pages of tables, index and log); those of the
# longest reply, before any has come; and those that the log of all replies takes.
_OVERHEAD, _FIRST_REPLY, _LOG = 2**15, 2**14, 2**16


class _Entry(NamedTuple):
    """What :meth:`Cache.put` takes."""

    key: bytes
    request: Mapping[str, Any]
    reply: Reply
    prompt: str
    replace: bool

    @property
    def is_paid_for(self) -> bool:
        """Whether a model replied; a fault that is kept cost nothing."""
        return fault_of(self.reply) is None


class Store:
    """A cache in one event loop.

    Attributes:
        n_unsaved: replies on their way into the cache; at the end, those that never got there.
    """

    def __init__(self, cache: Cache) -> None:
        """``cache`` belongs to the store from now on."""
        self.n_unsaved = 0
        self._reader = cache
        self._writer: Cache | None = None
        self._patience: float | None = None
        self._thread = ThreadPoolExecutor(1, "cache")
        self._queue: list[tuple[_Entry, asyncio.Future[Reply]]] = []
        self._writing: asyncio.Task[None] | None = None
        self._reserve = Reserve(cache.path.parent)
        self._n_awaited = self._longest_request = 0
        self._longest_reply = _FIRST_REPLY
        self._unwritable: ModelFault | None = None
        cache.refuse_locked()

    @property
    def readonly(self) -> bool:
        """Whether nothing can be kept."""
        return self._reader.readonly

    async def get(self, key: bytes) -> Reply | None:
        """The reply to serve under a key, or None. All that is read in one turn of the loop is of one moment."""
        try:
            if self._reader.begin_reading():
                asyncio.get_running_loop().call_soon(self._reader.end_reading)
            return self._reader.get(key)
        except Locked:
            return await self._in_thread(lambda cache: cache.get(key))

    async def last_unusable(self, keys: Sequence[bytes]) -> tuple[Reply, bytes] | None:
        """The last to come of the replies under some keys that are kept but not usable, and its key, or None."""

        def find(cache: Cache) -> tuple[Reply, bytes] | None:
            key = max(keys, key=cache.place_of_unusable)
            reply = cache.last_unusable(key)
            return None if reply is None else (reply, key)

        return await self._in_thread(find)

    async def forget(self, key: bytes) -> None:
        """Serve no reply under a key any more: see :meth:`Cache.forget`."""
        await self._in_thread(lambda cache: cache.forget(key))

    @contextlib.asynccontextmanager
    async def room_for(self, count: int, request_size: int) -> AsyncIterator[None]:
        """Hold room on the disk for so many replies to a request of so many bytes, until they are kept in the block.

        How long they will be is not known: each may be as long as the longest that has come.

        Raises:
            ModelFault: what is paid for could not be kept.
        """
        self._n_awaited += count
        self._longest_request = max(self._longest_request, request_size)
        try:
            if self._unwritable is not None or self._wanted_room > self._reserve.size:
                await self._in_thread(self._take_room)
            yield
        finally:
            self._n_awaited -= count

    @property
    def _room_each(self) -> int:
        """Bytes on the disk that keeping one reply takes, as far as is known."""
        return _OVERHEAD + self._longest_request + self._longest_reply

    @property
    def _wanted_room(self) -> int:
        return _LOG + self._n_awaited * self._room_each

    async def put(self, key: bytes, request: Mapping[str, Any], reply: Reply, prompt: str, *, replace: bool) -> Reply:
        """Keep a reply; returns when it is committed. With ``replace=False`` an earlier one stays.

        Returns:
            The reply that is kept now.

        Raises:
            ModelFault: it cannot be kept; it counts as ``n_unsaved``.
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
        """Wait for another process only a moment longer; from any thread."""
        self._patience = CLOSE_SECONDS
        if self._writer is not None:
            self._writer.wait_at_most(CLOSE_SECONDS)

    @property
    def is_locked(self) -> bool:
        """Whether another process keeps the thread waiting."""
        return self._writer is not None and self._writer.is_locked

    async def close(self) -> None:
        """Write what waits to be written, then close the file."""
        if self._writing is not None:
            await self._writing
        await asyncio.get_running_loop().run_in_executor(self._thread, self._close_writer)
        self._thread.shutdown()
        self._reader.close()

    async def _write_pending(self) -> None:
        """Write all that has come together, until there is no more."""
        while self._queue:
            batch, self._queue = self._queue, []
            try:
                made: list[Reply | Exception] = await self._in_thread(
                    functools.partial(self._put_all, [entry for entry, _ in batch])
                )
            except Exception as fault:
                made = [fault] * len(batch)
            for (entry, kept), what in zip(batch, made):
                self.n_unsaved -= entry.is_paid_for and not isinstance(what, Exception)
                self._resolve_future(kept, what)

    def _resolve_future(self, kept: asyncio.Future[Reply], made: Reply | Exception) -> None:
        if kept.done():  # whoever waited was cancelled
            return
        if isinstance(made, Exception):
            kept.set_exception(made)
        else:
            kept.set_result(made)

    async def _in_thread(self, use: Callable[[Cache], Made]) -> Made:
        return await asyncio.get_running_loop().run_in_executor(self._thread, lambda: use(self._patient_cache()))

    def _patient_cache(self) -> Cache:
        """The thread's own connection."""
        if self._writer is None:
            writer = Cache.open(self._reader.path, self._reader.readonly)
            if self._patience is not None:
                writer.wait_at_most(self._patience)
            self._writer = writer
        return self._writer

    def _close_writer(self) -> None:
        self._reserve.close()
        if self._writer is not None:
            self._writer.close()

    def _take_room(self, cache: Cache) -> None:
        """Hold room for all replies that are awaited now.

        While another run gives room back to write, and has the file locked for it, none of that is taken.
        """
        if self._unwritable is not None:
            raise _refuse_sending(self._unwritable)
        wanted = self._wanted_room
        if wanted <= self._reserve.size:
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
            needed = f"for {self._n_awaited} replies on their way, about {wanted / 1e6:.1f} MB"
            reason = f"{cache.path}: no room is left on the disk {needed} ({error.strerror})"
            raise _refuse_sending(ModelFault(reason, kind="cache")) from None

    def _put_all(self, entries: list[_Entry], cache: Cache) -> list[Reply | Exception]:
        """What is kept under each key, or why nothing is.

        Where the disk is full, room is given back for these replies, in the end all that is held; no other run can take
        it before they are written. If that is not enough, each that fits is kept.
        """
        try:
            return _put_together(entries, cache)
        except Locked:
            raise
        except ModelFault as fault:
            self._unwritable = fault
        for size in (len(entries) * self._room_each, self._reserve.size):
            with contextlib.suppress(ModelFault):
                return _put_together(entries, cache, functools.partial(self._reserve.give_back, size))
        return [made for entry in entries for made in _put_alone(entry, cache)]


def size_of_text(text: str) -> int:
    """Bytes of a text at most: more than it takes packed."""
    return len(text) * (1 if text.isascii() else 4)


def _refuse_sending(fault: ModelFault) -> ModelFault:
    reason = (
        f"{fault.reason}; new replies would be paid for and not kept "
        f"({parameter('cache', False)} asks for them all the same)"
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
    """What is kept under each key, or why nothing is; all in one transaction, which ``begin`` begins.

    Raises:
        ModelFault: the cache cannot be written; nothing is kept.
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
