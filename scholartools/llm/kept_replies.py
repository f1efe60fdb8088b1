"""The replies that a run may use: those of the cache, less what the run asks for anew."""

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
    """Replies by the key of their call; without a cache, none is kept."""

    def __init__(self, settings: Settings, cache: Cache | None, endpoint: Endpoint, begun: float | None = None) -> None:
        """``cache`` belongs to this from now on; new replies are those of the endpoint.

        Args:
            begun: when the run began, by the clock of the cache; now, if not given.

        Raises:
            ModelFault: the server that has the cache does not answer.
        """
        self._endpoint = endpoint
        self._refresh = settings.refresh
        self._may_ask = not settings.replay
        self._store = None if cache is None else Store(cache, begun)
        self._is_repeated = settings.batch_folder is not None
        self._of_this_run: set[bytes] = set()
        self._withdrawn: set[bytes] = set()

    async def find(self, key: bytes) -> Reply | None:
        """The reply to serve, or None: there is none, or it is to be replaced and has not been yet."""
        if self._store is None or (self.is_replaced(key) and key not in self._of_this_run):
            return None
        reply = await self._store.get(key)
        if reply is not None and reply.time > self._store.begun:  # a run that goes on meanwhile got it, and uses it
            self._of_this_run.add(key)
        return reply

    async def last_unusable(self, keys: Sequence[bytes]) -> tuple[Reply, bytes] | None:
        """The last reply, or want of one, under any of the keys that could not be used, and its key."""
        return None if self._store is None else await self._store.last_unusable(keys)

    async def has_failed_before(self, key: bytes) -> bool:
        """Whether the server could not answer a question in an earlier run either: then it says nothing of an outage.

        Else texts that a server cannot take, where several are stored together, would end every run at the same place.
        """
        kept = await self.last_unusable([key])
        if kept is None or kept[0].endpoint != self._endpoint.address:
            return False
        fault = fault_of(kept[0])
        return fault is not None and fault[0] == PROVIDER

    def room_for(self, sending: Sending) -> contextlib.AbstractAsyncContextManager[None]:
        """Reserve space on the disk for the replies to a call, until they are kept in the block.

        Entering raises ModelFault where what is paid for could not be kept.
        """
        if self._store is None:
            return contextlib.nullcontext()
        return self._store.room_for(len(sending.parts) or 1, _size_of(sending.request))

    def share_budget(self, settings: Settings, books: Callable[[], Books]) -> Callable[[Amount], Awaitable[Grant]]:
        """Spend from the budget that the settings name; what takes more of it than is used.

        Raises:
            UsageFault, ModelFault: as :meth:`Store.open_budget`.
        """
        if self._store is None or self._store.readonly or settings.budget is None:
            reason = "it is kept beside the cache, which may not be written"
            raise ModelFault(f"{parameter('budget', settings.budget)}: {reason}", kind="budget")
        self._store.open_budget(settings.budget, settings.max_cost, settings.max_calls, books)
        return self._store.take

    async def still_claims(self, sending: Sending) -> bool:
        """Whether no other process can have begun to ask what this one began to ask."""
        keys = [key for key, _ in sending.parts] or [sending.key]
        if self._store is None or self._store.readonly or any(map(self.is_replaced, keys)):
            return True
        return await self._store.still_claims(keys)

    async def claim(self, keys: Sequence[bytes]) -> set[bytes]:
        """Begin to ask questions, each of them but those that another process is asking, or has asked; their keys."""
        if self._store is None or self._store.readonly:
            return set(keys)
        new = {key for key in keys if not self.is_replaced(key)}
        return (set(keys) - new) | (await self._store.claim(list(new)) if new else set())

    def release(self, keys: Iterable[bytes]) -> None:
        """Let other processes ask questions that this one began to ask."""
        if self._store is not None and not self._store.readonly:
            self._store.release(list(keys))

    async def find_elsewhere(self, key: bytes) -> Reply | None:
        """The reply that another process got meanwhile; it counts as one of this run."""
        reply = await self.find(key)
        if reply is not None:
            self._of_this_run.add(key)
        return reply

    async def keep(
        self, prompt: str, parts: Sequence[tuple[bytes, dict[str, Any]]], replies: Sequence[Reply]
    ) -> list[Reply]:
        """Keep each reply under its key; where another run has kept one meanwhile, that one is returned."""
        return await asyncio.gather(*(self._keep_one(prompt, *part, reply) for part, reply in zip(parts, replies)))

    async def _keep_one(self, prompt: str, key: bytes, request: dict[str, Any], reply: Reply) -> Reply:
        reply = self._mark(reply)
        if self._store is not None and not await self._is_kept(key, reply):
            reply = await self._store.put(key, request, reply, prompt, replace=self.is_replaced(key))
        self._of_this_run.add(key)
        return reply

    async def keep_unusable(self, prompt: str, key: bytes, request: dict[str, Any], reply: Reply) -> None:
        """Keep a reply that cannot be served, in the place of an earlier one."""
        reply = self._mark(reply)
        if self._store is not None and not await self._is_kept(key, reply):
            await self._store.put(key, request, reply, prompt, replace=True)

    async def _is_kept(self, key: bytes, reply: Reply) -> bool:
        """Whether a reply that cannot be used was kept by an earlier start of a run that goes over the same again."""
        if not self._is_repeated or reply.is_usable or self._store is None:
            return False
        return await self._store.has_unusable(key, reply)

    async def keep_fault(self, prompt: str, key: bytes, request: dict[str, Any], kind: str, reason: str) -> None:
        """Keep why a question has no reply, so that a replay gives the same fault."""
        await self.keep_unusable(prompt, key, request, failed_reply(kind, reason))

    async def forget_others(self, keys: Sequence[bytes], key: bytes) -> None:
        """Of a question that was asked anew keep no reply in another format."""
        if self._store is not None and any(self.is_replaced(other) for other in keys):
            for other in set(keys) - {key}:
                await self._store.forget(other)

    def is_of_this_run(self, key: bytes) -> bool:
        """Whether a reply came in this run."""
        return key in self._of_this_run

    def is_of_earlier_run(self, key: bytes) -> bool:
        """Whether a reply was in the cache before this run, and could be asked for anew."""
        is_writable = self._store is not None and not self._store.readonly
        return self._may_ask and is_writable and not self.is_of_this_run(key)

    def withdraw(self, key: bytes) -> None:
        """Serve a reply no more: the next one takes its place."""
        self._withdrawn.add(key)

    @property
    def n_unsaved(self) -> int:
        """Replies that were paid for and are not in the cache."""
        return 0 if self._store is None else self._store.n_unsaved

    @property
    def is_locked(self) -> bool:
        """Whether another process has the cache locked."""
        return self._store is not None and self._store.is_locked

    def close_soon(self) -> None:
        """Wait for another process only a moment longer."""
        if self._store is not None:
            self._store.close_soon()

    async def close(self) -> None:
        """Write what waits to be written, then close the cache."""
        if self._store is not None:
            await self._store.close()

    def _mark(self, reply: Reply) -> Reply:
        """A new reply, with who gave it, and when by the clock of the cache, by which those in files have come."""
        if self._store is not None and not self._is_repeated:
            reply = reply._replace(time=round(reply.time + self._store.ahead, 3))
        if reply.endpoint is not None:  # another run asked, whose reply this one took
            return reply
        return reply._replace(endpoint=self._endpoint.address, endpoint_name=self._endpoint.name)

    def is_replaced(self, key: bytes) -> bool:
        """Whether a reply of this run takes the place of an earlier one."""
        return self._refresh or key in self._withdrawn


def _size_of(request: dict[str, Any]) -> int:
    """Bytes of the texts of a request: of its images the hash alone is kept."""
    size = 0
    for message in request["messages"]:
        content = message["content"]
        parts = [content] if isinstance(content, str) else [part.get("text", "") for part in content]
        size += sum(map(size_of_text, parts))
    return size
