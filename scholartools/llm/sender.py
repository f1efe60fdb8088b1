"""Send calls: limit on concurrent calls, reservation of costs, retries, and faults that end a run."""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections.abc import Callable
from contextvars import ContextVar
from typing import Any, Protocol

from scholartools.cache import Reply
from scholartools.cache.store import CLOSE_SECONDS
from scholartools.errors import ModelFault, ScholartoolsError
from scholartools.llm.body import TooLarge
from scholartools.llm.calls import PROVIDER, ClaimLost, Sending, unusable_reply_fault
from scholartools.llm.faults import Transient, pause_fault, refused_fault
from scholartools.llm.kept_replies import KeptReplies
from scholartools.llm.outage import OUTAGE, Outage
from scholartools.llm.parking import Parked
from scholartools.llm.reading import split_reply
from scholartools.llm.settings import Settings
from scholartools.llm.throttle import Throttle
from scholartools.llm.usage.counts import Counts
from scholartools.llm.usage.spending import Spending
from scholartools.pauses import clock_time
from scholartools.wording import count_of

# Number of the current record: calls of earlier records have priority.
RECORD: ContextVar[int] = ContextVar("record", default=0)

# Maximum number of retries after unusable replies (truncated, filtered, refused, empty), which are stored but not used.
UNUSABLE_RETRIES = 2
# Factor on the maximum number of retries after rate limit errors.
LIMITED_RETRIES = 3
# Pauses requested by a provider are reported to the user if they exceed this number of seconds.
_LONG_PAUSE = 30.0
# Seconds that an interrupted run waits for calls in flight.
_CLOSE_SECONDS = 3.0
_FIRST_PAUSE, _LONGEST_PAUSE = 0.5, 30.0
_RUN_AGAIN = "what was answered is in the cache: run again"


class Provider(Protocol):
    """A client of a model."""

    async def send(self, request: dict[str, Any], timeout: float) -> Reply:
        """Send one request; see :mod:`scholartools.llm.client`."""

    async def close(self) -> None:
        """Close the connections."""


class Sender:
    """Sends calls to a provider, and stores the replies before they are used.

    Attributes:
        stopped: fault after which no call is sent, or None.
    """

    stopped: ModelFault | None = None
    _provider: Provider | None = None

    def __init__(
        self, settings: Settings, kept: KeptReplies, spending: Spending, counts: Counts, *,
        connect: Callable[[Settings], Provider], check: Callable[[dict[str, Any]], None], warn: Callable[[str], None],
    ) -> None:  # fmt: skip
        """No connection is opened yet.

        Args:
            check: raises if a request must not be sent because of results of other calls while it waited.
            warn: receives warnings for the user.
        """
        self._settings, self._kept, self._spending, self._counts = settings, kept, spending, counts
        self._connect, self._check, self._warn = connect, check, warn
        self._is_online = settings.batch_folder is None
        self._throttle = Throttle(settings.concurrency, may_begin=self._may_begin)
        self._outage = Outage()
        self._pausing: list[int] = []
        self._sending: set[asyncio.Future[Any]] = set()
        self._patience = settings.timeout
        self._random = random.Random()
        self._told_pause = False
        self._ended = asyncio.Event()

    def stop(self, fault: ModelFault) -> ModelFault:
        """Send no further calls; return the fault given first, which is kept."""
        self.stopped = self.stopped or fault
        self._ended.set()
        self._throttle.end_pause()
        return self.stopped

    def is_part_of_outage(self, key: bytes) -> bool:
        """Whether a call of a question has failed since the last response to any call."""
        return self._outage.has(key)

    async def send(self, sending: Sending) -> list[Reply]:
        """Send a call until its reply is usable or its retries are exhausted; several samples are not checked.

        Raises:
            ModelFault: the run must end.
            FormatRefused: the provider does not support the response format.
            ScholartoolsError: there is no usable reply.
        """
        failures = unusable = 0
        while True:
            try:
                replies = await self._send_once(sending, again=failures + unusable > 0)
            except Transient as error:
                failures += 1
                await self._note_failure(sending.key, error)
                self._give_up(sending.key, error, failures)
                if not error.limited and self._is_online:
                    await self._pause(max(self._retry_pause(failures), error.pause or 0.0))
                continue
            except ClaimLost:
                raise
            except ScholartoolsError:
                self._outage.end()
                raise
            self._outage.end()
            if sending.parts or replies[0].is_usable:
                return replies
            unusable += 1
            if unusable > UNUSABLE_RETRIES:
                raise unusable_reply_fault(replies[0])

    async def _note_failure(self, key: bytes, error: Transient) -> None:
        if not self._is_online:
            return
        self._tell_long_pause(error)
        if error.limited:
            self._outage.end()
        elif error.unreachable or not await self._kept.has_failed_before(key):
            self._outage.add(key)

    def _tell_long_pause(self, error: Transient) -> None:
        if error.pause is not None and error.pause > _LONG_PAUSE and not self._told_pause:
            self._told_pause = True
            how_long = f"for {error.pause:.0f} s, until {clock_time(error.pause)}"
            self._warn(f"the provider asks for a pause ({error.reason}): no call is sent {how_long}")

    def _give_up(self, key: bytes, error: Transient, failures: int) -> None:
        """Raise the fault of the call, or of the run, if the retries are exhausted."""
        if self.stopped is not None:
            raise self.stopped
        if error.unreachable and failures > min(self._settings.retries, 2) and not self._counts.answered:
            raise self.stop(ModelFault(f"cannot reach the model: {error.reason}", kind="unreachable"))
        if failures <= self._settings.retries * (LIMITED_RETRIES if error.limited else 1):
            return
        if self._outage.is_lasting(key, failures, unreachable=error.unreachable):
            reason = f"no reply to the last {count_of(self._outage.failures, 'call')} ({error.reason})"
            raise ModelFault(f"{reason}; {_RUN_AGAIN} to go on", kind="unreachable" if error.unreachable else OUTAGE)
        raise ScholartoolsError(f"no reply after {count_of(failures, 'call')}: {error.reason}", kind=PROVIDER)

    def _retry_pause(self, failures: int) -> float:
        """Seconds before the next retry: exponential backoff, with jitter so that retries are not synchronous."""
        return min(_FIRST_PAUSE * 2 ** (failures - 1), _LONGEST_PAUSE) * self._random.uniform(0.5, 1.0)

    def expecting(self) -> contextlib.AbstractContextManager[None]:
        """Announce for the block that a question of the current record is about to be sent."""
        return self._throttle.expecting(RECORD.get())

    async def wait(self, seconds: float) -> None:
        """Wait for a number of seconds, or until the run ends.

        Raises:
            ModelFault: the run has ended.
        """
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._ended.wait(), seconds)
        if self.stopped is not None:
            raise self.stopped

    async def _pause(self, seconds: float) -> None:
        """Pause before a retry."""
        record = RECORD.get()
        self._pausing.append(record)
        try:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._ended.wait(), seconds)
        finally:
            self._pausing.remove(record)

    def _may_begin(self, record: int, again: bool, begun: int) -> bool:
        """Whether a call may be sent while failed calls pause before their retries.

        Not a new call during a suspected outage; nor a call for which ``max_calls`` leaves none after the retries of
        earlier records.
        """
        if not self._pausing:
            return True
        if self._outage.is_suspected and not again:
            return False
        left = float("inf") if self._settings.max_calls is None else self._settings.max_calls - begun
        return left > sum(earlier < record for earlier in self._pausing)

    async def _send_once(self, sending: Sending, *, again: bool) -> list[Reply]:
        """Send a call once, within the limit on concurrent calls, and store its replies."""
        entered = await self._throttle.enter(RECORD.get(), again=again)
        try:
            task = asyncio.ensure_future(self._send_and_keep(sending, entered))
            self._sending.add(task)
            task.add_done_callback(self._sending.discard)
            return await asyncio.shield(task)
        finally:
            self._throttle.leave()

    async def _send_and_keep(self, sending: Sending, entered: float) -> list[Reply]:
        prompt, key, request, parts = sending
        if not await self._kept.still_claims(sending):
            raise ClaimLost("not sent")
        async with self._kept.room_for(sending):
            try:
                reply = await self._send_with_budget(request, entered)
            except Transient as error:
                if error.reply is not None and not parts:
                    await self._kept.keep_unusable(prompt, key, request, error.reply)
                raise
            replies = split_reply(reply, len(parts)) if parts else [reply]
            return await self._kept.keep(prompt, parts or [(key, request)], replies)

    async def _send_with_budget(self, request: dict[str, Any], entered: float) -> Reply:
        """Send one call with its maximum cost reserved, which counts as spent if the actual cost is unknown."""
        self._check(request)
        bound, reserved = await self._spending.reserve(request, lambda: self.stopped)
        cost = reserved
        try:
            self._counts.sent += 1
            reply = await self._connect_once().send(request, self._settings.timeout)
            cost = reserved if reply.cost is None else reply.cost
            self._spending.learn_usage(reply, bound)
        except Transient as error:
            cost = reserved if error.billed else 0.0
            if self._is_online:
                self._slow_down(error, entered)
            raise
        except Parked:
            cost = 0.0
            self._counts.sent -= 1
            raise
        except TooLarge:
            raise
        except ScholartoolsError:
            cost = 0.0
            raise
        finally:
            self._spending.settle(reserved, cost)
        self._throttle.recover()
        self._spending.record_usage(reply)
        return reply

    def _slow_down(self, error: Transient, entered: float) -> None:
        """Slow down all calls after a rate limit error or a requested pause.

        Raises:
            ModelFault: the requested pause, or the time for which all calls have been refused, exceeds ``max_wait``.
        """
        if error.pause is not None and error.pause > self._settings.max_wait:
            raise self.stop(pause_fault(error, self._settings.max_wait, _RUN_AGAIN))
        if error.limited or error.pause is not None:
            self._throttle.slow_down(entered, error.pause)
        if (refused := self._throttle.refused_for()) > self._settings.max_wait:
            raise self.stop(refused_fault(error, refused, self._settings.max_wait, _RUN_AGAIN))

    def _connect_once(self) -> Provider:
        if self._provider is None:
            self._provider = self._connect(self._settings)
        return self._provider

    def close_soon(self) -> None:
        """Limit :meth:`finish` to a few seconds, or to one if the cache is locked and replies cannot be stored."""
        self._patience = CLOSE_SECONDS if self._kept.is_locked else _CLOSE_SECONDS

    async def finish(self) -> None:
        """Send no further calls, and wait for those in flight, which are paid for."""
        self.stop(ModelFault("the run has ended", kind="ended"))
        if self._sending:
            await asyncio.wait(self._sending, timeout=self._patience)
        for sending in self._sending:
            sending.cancel()

    async def disconnect(self) -> None:
        """Close the connections."""
        if self._provider is not None:
            await self._provider.close()
