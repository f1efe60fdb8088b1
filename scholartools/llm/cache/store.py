"""The cache for an event loop: hits are read at once; what may have to wait for others is done in a thread of its own.

Another process may have the file locked for long. The loop goes on meanwhile, and all that waits, waits together.
"""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple, TypeVar

from scholartools.errors import ModelFault
from scholartools.llm.cache.database import Cache, Locked, Reply, fault_of
from scholartools.parameters import parameter

Made = TypeVar("Made")

# Seconds that an interrupted run still waits for another process.
CLOSE_SECONDS = 1.0


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
        self._writable: asyncio.Future[None] | None = None
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

    async def last_unusable(self, key: bytes) -> Reply | None:
        """The last of the replies to a call that are kept but not usable, or None."""
        return await self._in_thread(lambda cache: cache.last_unusable(key))

    async def forget(self, key: bytes) -> None:
        """Serve no reply under a key any more: see :meth:`Cache.forget`."""
        await self._in_thread(lambda cache: cache.forget(key))

    async def need_writing(self) -> None:
        """Make sure, once, that what is paid for can be kept.

        Raises:
            ModelFault: it cannot.
        """
        if self._writable is None:
            self._writable = asyncio.ensure_future(self._in_thread(_prove_writable))
        await asyncio.shield(self._writable)

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
                    functools.partial(_put_all, [entry for entry, _ in batch])
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
        if self._writer is not None:
            self._writer.close()


def _prove_writable(cache: Cache) -> None:
    try:
        cache.prove_writable()
    except Locked:
        raise
    except ModelFault as fault:
        reason = (
            f"{fault.reason}; new replies would be paid for and not kept "
            f"({parameter('cache', False)} asks for them all the same)"
        )
        raise ModelFault(reason, kind=fault.kind) from None


def _put_all(entries: list[_Entry], cache: Cache) -> list[Reply | Exception]:
    """What is kept under each key, or why nothing is; all in one transaction.

    Raises:
        ModelFault: the cache cannot be written; nothing is kept.
    """
    made: list[Reply | Exception] = []
    with cache.transaction():
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
