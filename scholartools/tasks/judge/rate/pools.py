"""Pools of several records: consecutive ones that have one value at a key."""

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

#: Records of one pool at most: they are held in memory.
LIMIT = 5000


class Pool(Generic[Found]):
    """The records of one pool, and what becomes of them all together.

    Attributes:
        records: in the order of the input.
        members: what of each record is rated, once that is known.
        work: what rates them, once one of them was asked for.
    """

    def __init__(self) -> None:
        self.records: list[Record] = []
        self.members: dict[int, Any] = {}
        self.work: asyncio.Future[Found] | None = None


class Pools(Generic[Found]):
    """Groups consecutive records by a key while they are read; one pool is held at a time, and those under way."""

    def __init__(self, key: str, limit: int = LIMIT) -> None:
        """``key``: dotted path of the value that records of a pool share."""
        self._key, self._limit = key, limit
        self._pools: dict[int, Pool[Found]] = {}

    def read(self, lines: Iterable[Line]) -> Iterator[Line]:
        """The same lines, each once all of its pool are there; one whose value came before a gap has a fault.

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
        """The pool of a record that was read, once: it is forgotten then."""
        return self._pools.pop(id(record))


def draw_pools(records: list[Record], size: int, seed: int, key: str) -> Iterator[Record]:
    """Records with the name of their pool at a key, pool by pool, each of ``size`` records but the last.

    The order of the input changes nothing: the seed and what is in a record decide.
    """

    def chance(record: PaperRecord) -> tuple[str, str]:
        mark = fingerprint(record)
        return fingerprint([seed, mark]), mark

    ordered = sorted(records, key=chance)
    for place, record in enumerate(ordered):
        yield {**record, key: f"pool-{place // size + 1}"}


def check_key(record: PaperRecord, key: str) -> Any:
    """Refuse to write over what a record has at the key.

    Raises:
        InputFault: it has something there.
    """
    if key in record:
        raise InputFault(f'the record has "{key}" already', kind="invalid-key")
