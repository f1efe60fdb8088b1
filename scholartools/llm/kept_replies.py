"""The cached replies that a run may use: all except those that it replaces by new ones."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Any

from scholartools.cache import Cache, Reply, failed_reply, fault_of
from scholartools.cache.budgets import Amount, Books, Grant
from scholartools.cache.store import Store, size_of_text
from scholartools.errors import ModelFault
from scholartools.llm.calls import PROVIDER, Sending
from scholartools.llm.endpoint import Endpoint
from scholartools.llm.settings import Settings
from scholartools.parameters import parameter


class KeptReplies:
    """Replies by the key of their call; without a cache, no reply is stored."""

    def __init__(self, settings: Settings, cache: Cache | None, endpoint: Endpoint, begun: float | None = None) -> None:
        """Take ownership of ``cache``; new replies are marked with ``endpoint``.

        Args:
            begun: start of the run by the clock of the cache; default: now.

        Raises:
            ModelFault: the server of the cache does not respond.
        """
        self._endpoint = endpoint
        self._refresh = settings.refresh
        self._may_ask = not settings.replay
        self._store = None if cache is None else Store(cache, begun)
        self._is_repeated = settings.batch_folder is not None
        self._of_this_run: set[bytes] = set()
        self._withdrawn: set[bytes] = set()

    async def find(self, key: bytes) -> Reply | None:
        """The usable reply under a key, or None if there is none or it has yet to be replaced."""
        if self._store is None or (self.is_replaced(key) and key not in self._of_this_run):
            return None
        reply = await self._store.get(key)
        if reply is not None and reply.time > self._store.begun:  # from a concurrent run, which uses it too
            self._of_this_run.add(key)
        return reply

    async def last_unusable(self, keys: Sequence[bytes]) -> tuple[Reply, bytes] | None:
        """The last unusable reply, or stored fault, under any of the keys, and its key; or None."""
        return None if self._store is None else await self._store.last_unusable(keys)

    async def has_failed_before(self, key: bytes) -> bool:
        """Whether the same server already failed to answer the question: then another failure is no sign of an outage.

        Otherwise several texts in a row that the server cannot process would end every run at the same record.
        """
        kept = await self.last_unusable([key])
        if kept is None or kept[0].endpoint != self._endpoint.address:
            return False
        fault = fault_of(kept[0])
        return fault is not None and fault[0] == PROVIDER

    def room_for(self, sending: Sending) -> contextlib.AbstractAsyncContextManager[None]:
        """Reserve disk space for the replies to a call, until the block has stored them.

        Entering raises ModelFault if replies, which are paid for, could not be stored.
        """
        if self._store is None:
            return contextlib.nullcontext()
        return self._store.room_for(len(sending.parts) or 1, _size_of(sending.request))

    def share_budget(self, settings: Settings, books: Callable[[], Books]) -> Callable[[Amount], Awaitable[Grant]]:
        """Open the shared budget of the settings; return the function that reserves more of it.

        Raises:
            UsageFault, ModelFault: as :meth:`Store.open_budget`; ModelFault also if the cache is not writable.
        """
        if self._store is None or self._store.readonly or settings.budget is None:
            reason = "it is kept beside the cache, which may not be written"
            raise ModelFault(f"{parameter('budget', settings.budget)}: {reason}", kind="budget")
        self._store.open_budget(settings.budget, settings.max_cost, settings.max_calls, books)
        return self._store.take

    async def still_claims(self, sending: Sending) -> bool:
        """Whether the claims of this process still hold, so that no other process can have sent the same questions."""
        keys = [key for key, _ in sending.parts] or [sending.key]
        if self._store is None or self._store.readonly or any(map(self.is_replaced, keys)):
            return True
        return await self._store.still_claims(keys)

    async def claim(self, keys: Sequence[bytes]) -> set[bytes]:
        """Claim questions; return the keys of all that no other process has claimed or answered."""
        if self._store is None or self._store.readonly:
            return set(keys)
        new = {key for key in keys if not self.is_replaced(key)}
        return (set(keys) - new) | (await self._store.claim(list(new)) if new else set())

    def release(self, keys: Iterable[bytes]) -> None:
        """Release claimed questions, so that other processes can send them."""
        if self._store is not None and not self._store.readonly:
            self._store.release(list(keys))

    async def find_elsewhere(self, key: bytes) -> Reply | None:
        """The reply that another process has received in the meantime, or None; it counts as one of this run."""
        reply = await self.find(key)
        if reply is not None:
            self._of_this_run.add(key)
        return reply

    async def keep(
        self, prompt: str, parts: Sequence[tuple[bytes, dict[str, Any]]], replies: Sequence[Reply]
    ) -> list[Reply]:
        """Store each reply under its key; return the stored replies, which may be those of another run."""
        return await asyncio.gather(*(self._keep_one(prompt, *part, reply) for part, reply in zip(parts, replies)))

    async def _keep_one(self, prompt: str, key: bytes, request: dict[str, Any], reply: Reply) -> Reply:
        reply = self._mark(reply)
        if self._store is not None and not await self._is_kept(key, reply):
            reply = await self._store.put(key, request, reply, prompt, replace=self.is_replaced(key))
        self._of_this_run.add(key)
        return reply

    async def keep_unusable(self, prompt: str, key: bytes, request: dict[str, Any], reply: Reply) -> None:
        """Store an unusable reply; it replaces an earlier one."""
        reply = self._mark(reply)
        if self._store is not None and not await self._is_kept(key, reply):
            await self._store.put(key, request, reply, prompt, replace=True)

    async def _is_kept(self, key: bytes, reply: Reply) -> bool:
        """Whether an earlier invocation of a batch run, which reads all replies again, stored this unusable reply."""
        if not self._is_repeated or reply.is_usable or self._store is None:
            return False
        return await self._store.has_unusable(key, reply)

    async def keep_fault(self, prompt: str, key: bytes, request: dict[str, Any], kind: str, reason: str) -> None:
        """Store the fault of a question without a reply, so that a replay raises it again."""
        await self.keep_unusable(prompt, key, request, failed_reply(kind, reason))

    async def forget_others(self, keys: Sequence[bytes], key: bytes) -> None:
        """Delete the replies in other formats to a question whose reply was replaced."""
        if self._store is not None and any(self.is_replaced(other) for other in keys):
            for other in set(keys) - {key}:
                await self._store.forget(other)

    def is_of_this_run(self, key: bytes) -> bool:
        """Whether a reply was received in this run."""
        return key in self._of_this_run

    def is_of_earlier_run(self, key: bytes) -> bool:
        """Whether a reply was cached before this run and may be requested again."""
        is_writable = self._store is not None and not self._store.readonly
        return self._may_ask and is_writable and not self.is_of_this_run(key)

    def withdraw(self, key: bytes) -> None:
        """Ignore a reply from now on; the next one replaces it."""
        self._withdrawn.add(key)

    @property
    def n_unsaved(self) -> int:
        """Number of replies that were paid for but are not in the cache."""
        return 0 if self._store is None else self._store.n_unsaved

    @property
    def is_locked(self) -> bool:
        """Whether another process has the cache locked."""
        return self._store is not None and self._store.is_locked

    def close_soon(self) -> None:
        """Shorten the wait for other processes."""
        if self._store is not None:
            self._store.close_soon()

    async def close(self) -> None:
        """Write pending replies, then close the cache."""
        if self._store is not None:
            await self._store.close()

    def _mark(self, reply: Reply) -> Reply:
        """Set the endpoint of a new reply, and its time by the clock of the cache, as replies in files have."""
        if self._store is not None and not self._is_repeated:
            reply = reply._replace(time=round(reply.time + self._store.ahead, 3))
        if reply.endpoint is not None:  # the reply to a request of another run
            return reply
        return reply._replace(endpoint=self._endpoint.address, endpoint_name=self._endpoint.name)

    def is_replaced(self, key: bytes) -> bool:
        """Whether a reply of this run replaces an earlier one under the key."""
        return self._refresh or key in self._withdrawn


def _size_of(request: dict[str, Any]) -> int:
    """Bytes of the texts of a request; of its images only the hashes are stored."""
    size = 0
    for message in request["messages"]:
        content = message["content"]
        parts = [content] if isinstance(content, str) else [part.get("text", "") for part in content]
        size += sum(map(size_of_text, parts))
    return size
