"""Rate limits of services, shared by all processes of this user on this machine.

A small SQLite file holds the time of the last request in each lane, updated by the process that may send the next one.
Delays that a service requests apply to all processes, too. Other users and other machines are not covered.
"""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import os
import re
import time
from collections.abc import AsyncIterator, Mapping
from pathlib import Path

from scholartools.cache.place import user_folder
from scholartools.cache.sqlite import File
from scholartools.errors import ModelFault
from scholartools.parameters import parameter
from scholartools.pauses import clock_time
from scholartools.web.request import Lane

MIGRATIONS: list[tuple[str, ...]] = [
    (
        "CREATE TABLE lanes (lane TEXT PRIMARY KEY, last REAL NOT NULL, resume REAL NOT NULL)",
        "CREATE TABLE starts (lane TEXT NOT NULL, at REAL NOT NULL)",
        "CREATE INDEX starts_of ON starts (lane, at)",
    ),
]
# Safety margin: delays of some milliseconds on the way could make the next request come too early.
_MORE = 1.08
# Seconds between checks of a lock that another process holds.
_LOOK_EVERY = 0.02


class Limiter:
    """Waits until a request may be sent. Belongs to one event loop."""

    def __init__(self, *, pace: float = 1.0, max_wait: float = 600.0, scope: str = "") -> None:
        """``scope`` separates lanes, e.g. those of a server that replaces the services.

        Raises:
            ModelFault: the file cannot be created.
        """
        try:
            self._folder = user_folder().expanduser()
        except RuntimeError:
            raise ModelFault("there is no home folder; set XDG_CACHE_HOME to another folder", kind="cache") from None
        self._db = File(self._folder / "limits.sqlite", readonly=False, migrations=MIGRATIONS)
        self._pace, self._max_wait, self._scope = pace, max_wait, scope
        self._places: dict[str, asyncio.Semaphore] = {}

    def close(self) -> None:
        """Close the file of the limits."""
        self._db.close()

    @contextlib.asynccontextmanager
    async def turn(self, lane: Lane) -> AsyncIterator[None]:
        """Block for sending one request; entered when it may be sent.

        Raises:
            ModelFault: the delay would exceed ``max_wait``.
        """
        async with self._places.setdefault(lane.name, asyncio.Semaphore(lane.connections)), self._alone(lane):
            while (pause := self._take(lane)) > 0:
                await asyncio.sleep(pause)
            yield

    def pause(self, lane: Lane, until: float) -> None:
        """Block a lane for all processes until a time, in seconds since 1970."""
        with self._db.transaction():
            self._db.rows(
                "INSERT INTO lanes VALUES (?, 0, ?) "
                "ON CONFLICT (lane) DO UPDATE SET resume = max(resume, excluded.resume)",
                self._name(lane), until,
            )  # fmt: skip

    def paused(self, lane: Lane) -> float:
        """Remaining seconds of a delay that a service requested; 0 or less if there is none."""
        rows = self._db.rows("SELECT resume FROM lanes WHERE lane = ?", self._name(lane))
        return rows[0][0] - time.time() if rows else 0.0

    def least_seconds(self, lane: Lane, requests: int) -> float:
        """Minimum duration in seconds of so many requests, starting now."""
        if requests < 1:
            return 0.0
        spaced = (requests - 1) * lane.interval * _MORE
        if lane.window is not None:
            count, period = lane.window
            spaced = max(spaced, (requests - 1) * period / count)
        return spaced * self._pace

    def _name(self, lane: Lane) -> str:
        return f"{self._scope}{lane.name}"

    def _interval(self, lane: Lane) -> float:
        interval = lane.interval
        if lane.window is not None:  # spread evenly: otherwise long runs would stop and go
            interval = max(interval, lane.window[1] / lane.window[0])
        return interval * _MORE * self._pace

    def _take(self, lane: Lane) -> float:
        """Take the turn and register it, returning 0; or return the seconds until the next attempt."""
        name, interval = self._name(lane), self._interval(lane)
        with self._db.transaction():
            now = time.time()
            ((last, resume),) = self._db.rows("SELECT last, resume FROM lanes WHERE lane = ?", name) or [(0.0, 0.0)]
            start = max(resume, min(last, now) + interval)  # a future time means that the clock was set back
            if lane.window is not None:
                count, period = lane.window
                period *= self._pace
                self._db.rows("DELETE FROM starts WHERE lane = ? AND (at < ? OR at > ?)", name, now - period, now)
                earlier = self._db.rows("SELECT at FROM starts WHERE lane = ? ORDER BY at DESC LIMIT ?", name, count)
                start = max(start, earlier[-1][0] + period if len(earlier) == count else 0.0)
            if start > now:
                if start - now > self._max_wait:
                    raise late_fault(lane.name, start - now)
                return start - now
            if lane.window is not None:
                self._db.rows("INSERT INTO starts VALUES (?, ?)", name, now)
            self._db.rows(
                "INSERT INTO lanes VALUES (?, ?, 0) ON CONFLICT (lane) DO UPDATE SET last = excluded.last", name, now
            )
        return 0.0

    @contextlib.asynccontextmanager
    async def _alone(self, lane: Lane) -> AsyncIterator[None]:
        """Hold an exclusive lock across processes, if the lane requires it; it is released if the process dies."""
        if not lane.alone:
            yield
            return
        path = Path(self._folder) / f"{re.sub(r'[^a-z0-9]+', '-', self._name(lane))}.lock"
        lock = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            while True:
                try:
                    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    break
                except BlockingIOError:
                    await asyncio.sleep(_LOOK_EVERY)
            yield
        finally:
            os.close(lock)


def told_interval(head: Mapping[str, str]) -> float:
    """Seconds between requests according to the rate limit headers of a service, or 0."""
    limit = re.fullmatch(r"\s*(\d+)\s*", head.get("x-rate-limit-limit", ""))
    period = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*s?\s*", head.get("x-rate-limit-interval", ""))
    return float(period[1]) / int(limit[1]) if limit and period and int(limit[1]) else 0.0


def late_fault(lane: str, seconds: float) -> ModelFault:
    """Error for a delay that exceeds ``max_wait``."""
    reason = f"{lane}: no request may be sent for {seconds:.0f} s, until {clock_time(seconds)}"
    told = f"{parameter('max_wait')} allows no such pause; what was answered is in the cache: run again then"
    return ModelFault(f"{reason}; {told}", kind="limited")
