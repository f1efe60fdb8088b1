"""How many calls may be in flight: as many as set, fewer after a provider says that it is too much."""

from __future__ import annotations

import asyncio
import time
from collections import deque


class Throttle:
    """A limit on calls in flight that is halved when the provider pushes back and grows again with every success.

    Additive increase, multiplicative decrease, for all calls at once; calls that were already in flight when the
    limit was last lowered do not lower it again. Lives in one event loop.
    """

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.allowed = float(limit)
        self.active = 0
        self._lowered = 0.0
        self._resume = 0.0
        self._waiting: deque[asyncio.Future[None]] = deque()

    async def enter(self) -> float:
        """Wait for a place; returns the time of entry, which :meth:`slow_down` wants back."""
        while True:
            pause = self._resume - time.monotonic()
            if pause > 0:
                await asyncio.sleep(pause)
                continue
            if self.active < int(self.allowed):
                self.active += 1
                return time.monotonic()
            place: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiting.append(place)
            try:
                await place
            except asyncio.CancelledError:
                self._wake()
                raise

    def leave(self) -> None:
        """Give the place back."""
        self.active -= 1
        self._wake()

    def slow_down(self, entered: float, pause: float) -> None:
        """The provider pushed back on a call that entered then: halve the limit, and pause all calls (seconds)."""
        now = time.monotonic()
        self._resume = max(self._resume, now + pause)
        if entered >= self._lowered:
            self._lowered = now
            self.allowed = max(1.0, self.allowed / 2)

    def recover(self) -> None:
        """A call succeeded: one place more per round of successes, up to the limit."""
        if self.allowed < self.limit:
            self.allowed = min(float(self.limit), self.allowed + 1 / self.allowed)
            self._wake()

    def _wake(self) -> None:
        free = int(self.allowed) - self.active
        while self._waiting and free > 0:
            place = self._waiting.popleft()
            if not place.done():
                place.set_result(None)
                free -= 1
