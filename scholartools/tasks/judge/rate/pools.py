"""Pools of several consecutive records with the same value at a key."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from scholartools.errors import InputFault, UsageFault
from scholartools.io import Line
from scholartools.parameters import parameter
from scholartools.paths import Name
from scholartools.records import Record
from scholartools.signature import fingerprint
from scholartools.tasks.shared.blanks import given_name

if TYPE_CHECKING:
    from scholartools.schemas.shapes import PaperRecord

Found = TypeVar("Found")

#: Maximum records per pool, as they are kept in memory.
LIMIT = 5000


class Pool(Generic[Found]):
    """The records of one pool, and their joint ratings.

    Attributes:
        records: in input order.
        members: rated items of each record, once known.
        work: the task that rates them, once started.
    """

    def __init__(self) -> None:
        self.records: list[Record] = []
        self.members: dict[int, Any] = {}
        self.work: asyncio.Future[Found] | None = None


class Pools(Generic[Found]):
    """Groups consecutive records by a key; only the current pool and those in progress are kept in memory."""

    def __init__(self, key: str, limit: int = LIMIT) -> None:
        """``key``: dotted path of the value shared by the records of a pool."""
        self._key, self._limit = key, limit
        self._pools: dict[int, Pool[Found]] = {}

    def read(self, lines: Iterable[Line]) -> Iterator[Line]:
        """Yield the lines when their pool is complete; a line of a value that recurs later has a fault.

        Raises:
            UsageFault: a pool has too many records.
        """
        seen: set[Name] = set()
        current: Name | None = None
        waiting: list[Line] = []
        for line in lines:
            value, line = self._value_of(line)
            if value is not None and value != current:
                yield from self._release(waiting)
                waiting, current = [], value
                if value in seen:
                    reason = f'"{self._key}" {value} comes back after others: sort by "{self._key}"'
                    current, line = None, line._replace(fault=InputFault(reason, kind="order"))
                seen.add(value)
            waiting.append(line)
            if len(waiting) > self._limit:
                reason = f'more than {self._limit} records have "{self._key}" {value}'
                raise UsageFault(f"{line.where}: {reason}; raise {parameter('pool_limit')}")
        yield from self._release(waiting)

    def _value_of(self, line: Line) -> tuple[Name | None, Line]:
        if line.fault is not None:
            return None, line
        try:
            return given_name(line.record, self._key), line
        except InputFault as fault:
            return None, line._replace(fault=fault)

    def _release(self, lines: list[Line]) -> list[Line]:
        pool: Pool[Found] = Pool()
        for line in lines:
            if line.fault is None:
                pool.records.append(line.record)
                self._pools[id(line.record)] = pool
        return lines

    def of(self, record: PaperRecord) -> Pool[Found]:
        """Remove and return the pool of a record."""
        return self._pools.pop(id(record))


def draw_pools(records: list[Record], size: int, seed: int, key: str) -> Iterator[Record]:
    """Assign records to pools of ``size`` at random, stored at a key; yields them pool by pool.

    Determined by seed and contents, independently of the order of the input.
    """

    def chance(record: PaperRecord) -> tuple[str, str]:
        mark = fingerprint(record)
        return fingerprint([seed, mark]), mark

    ordered = sorted(records, key=chance)
    for place, record in enumerate(ordered):
        yield {**record, key: f"pool-{place // size + 1}"}


def check_key(record: PaperRecord, key: str) -> Any:
    """Check that a record has no value at the key.

    Raises:
        InputFault: it has one.
    """
    if key in record:
        raise InputFault(f'the record has "{key}" already', kind="invalid-key")
