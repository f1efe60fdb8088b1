"""Limit on concurrent calls, lowered after rate limit errors, and the order of waiting calls."""

from __future__ import annotations

import asyncio
import contextlib
import heapq
import itertools
import random
import time
from collections.abc import Callable, Iterator

# Iterations of the event loop between the end of a call and the start of the next one. They give the record of the
# call time to ask its next question, which has priority over those of later records.
_TURNS_TO_ASK_NEXT = 8
# Seconds between checks for an expected question of an earlier record, and maximum time that a slot is reserved for it.
_LOOK_EVERY, _LONGEST_WAIT = 0.001, 0.05

Waiting = tuple[bool, int, int, asyncio.Future[None]]

# Seconds of the first and of the longest pause after a rate limit error without a retry time.
_FIRST_PAUSE, _LONGEST_PAUSE = 0.5, 60.0


class Throttle:
    """A limit on concurrent calls that is halved after a rate limit error and grows with every success.

    Additive increase, multiplicative decrease, for all calls at once; calls that were already in flight when the
    limit was last lowered do not lower it again. Of the calls that wait, those that are sent again go first, then
    those of the earliest record, then those that came first. Lives in one event loop.
    """

    def __init__(self, limit: int, *, may_begin: Callable[[int, bool, int], bool] = lambda *_: True) -> None:
        """Start at the full limit.

        Args:
            may_begin: whether a call may be sent now, given the number of its record, whether it is a retry,
                and how many calls have begun; evaluated again whenever a call ends.
        """
        self.limit = limit
        self.allowed = float(limit)
        self.active = 0
        self._may_begin = may_begin
        self._begun = 0
        self._lowered = 0.0
        self._resume = 0.0
        self._refusals = 0
        self._refused_since: float | None = None
        self._tickets = itertools.count()
        self._waiting: list[Waiting] = []
        self._turns_left = 0
        self._coming: list[int] = []
        self._admit_by = 0.0
        self._timer: asyncio.TimerHandle | None = None

    async def enter(self, record: int = 0, *, again: bool = False) -> float:
        """Wait for a slot; returns the time of entry, an argument of :meth:`slow_down`.

        Args:
            record: number of the record that asks.
            again: the call is a retry.
        """
        place: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._waiting, (not again, record, next(self._tickets), place))
        if not self._turns_left:
            self._admit_waiting()
        try:
            await place
        except asyncio.CancelledError:
            if not place.cancelled():
                self.leave()
            raise
        return time.monotonic()

    @contextlib.contextmanager
    def expecting(self, record: int) -> Iterator[None]:
        """Within the block, a question of a record is expected: a free slot is briefly reserved for it."""
        self._coming.append(record)
        try:
            yield
        finally:
            self._coming.remove(record)

    def leave(self) -> None:
        """Release the slot."""
        self.active -= 1
        self._admit_soon()

    def slow_down(self, entered: float, pause: float | None) -> None:
        """Halve the limit and pause all calls after a rate limit error; ``entered`` is the call's time of entry.

        The pause doubles each time that the limit is halved without a success in between, with jitter; a longer
        ``pause`` (seconds) that the provider asks for takes precedence.
        """
        now = time.monotonic()
        self._refused_since = self._refused_since or now
        if entered >= self._lowered:
            self._lowered = now
            self._refusals += 1
            self.allowed = max(1.0, self.allowed / 2)
        longest = min(_FIRST_PAUSE * 2 ** (self._refusals - 1), _LONGEST_PAUSE)
        own = longest * random.uniform(0.5, 1.0) if self._resume <= now else 0.0
        self._resume = max(self._resume, now + max(own, pause or 0.0))

    def refused_for(self) -> float:
        """Seconds since the first rate limit error without a success afterwards; else 0."""
        return 0.0 if self._refused_since is None else time.monotonic() - self._refused_since

    def end_pause(self) -> None:
        """End the pause when the run ends, so that waiting calls receive the reason."""
        self._resume = 0.0
        self._admit_waiting()

    def recover(self) -> None:
        """After a success, raise the limit: by one slot per round of successes, up to the maximum."""
        self._refusals, self._refused_since = 0, None
        if self.allowed < self.limit:
            self.allowed = min(float(self.limit), self.allowed + 1 / self.allowed)
            self._admit_soon()

    def _admit_soon(self) -> None:
        if self._waiting and not self._turns_left:
            asyncio.get_running_loop().call_soon(self._count_turn)
            self._admit_by = time.monotonic() + _LONGEST_WAIT
        self._turns_left = _TURNS_TO_ASK_NEXT if self._waiting else 0

    def _count_turn(self) -> None:
        self._turns_left -= 1
        if self._turns_left > 0:
            asyncio.get_running_loop().call_soon(self._count_turn)
        elif self._expects_earlier() and time.monotonic() < self._admit_by:
            self._turns_left = _TURNS_TO_ASK_NEXT
            asyncio.get_running_loop().call_later(_LOOK_EVERY, self._count_turn)
        else:
            self._turns_left = 0
            self._admit_waiting()

    def _expects_earlier(self) -> bool:
        """Whether a question is expected from a record earlier than all waiting ones."""
        return bool(self._waiting and self._coming) and min(self._coming) < self._waiting[0][1]

    def _admit_waiting(self) -> None:
        """Give free slots to the next waiting calls, now or after the pause."""
        pause = self._resume - time.monotonic()
        if pause > 0:
            if self._timer is None:
                self._timer = asyncio.get_running_loop().call_later(pause, self._end_pause)
            return
        while self._waiting and self.active < int(self.allowed):
            new, record, _, place = self._waiting[0]
            if not place.done():
                if not self._may_begin(record, not new, self._begun):
                    return
                self.active += 1
                self._begun += 1
                place.set_result(None)
            heapq.heappop(self._waiting)

    def _end_pause(self) -> None:
        self._timer = None
        self._admit_waiting()
