"""Budgets shared by several processes: each process reserves a slice, spends from it, and returns the rest.

The slices of all processes and the amounts spent never exceed the budget. A process that was killed returns nothing:
its slice counts as spent until a user settles it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

from scholartools.cache.flights import GONE_AFTER, Flights
from scholartools.cache.place import Locked
from scholartools.errors import ModelFault, UsageFault
from scholartools.money import usd
from scholartools.parameters import parameter

Made = TypeVar("Made")

# Minimum share of the remaining budget that a process reserves at once; small enough for many processes.
_SHARE = 0.01


class Amount(NamedTuple):
    """USD and number of calls; infinite if unlimited."""

    usd: float
    calls: float


class Books(NamedTuple):
    """Accounts of a process.

    Attributes:
        spent: USD for completed calls; ``reserved``: USD for the calls ``on_way``.
        calls: number of calls sent.
    """

    spent: float
    reserved: float
    calls: int
    on_way: int


class Grant(NamedTuple):
    """What a process may spend.

    Attributes:
        limit: total since the start of the process.
        may_come: whether the rest is too small now, but another process may return some.
        left: upper bound for this process: the budget without what others hold or have spent.
        lost: amount held by processes that ended without returning it.
    """

    limit: Amount
    may_come: bool
    left: Amount
    lost: Amount


class SharedBudget:
    """A named budget, and the slice of this process. Not thread-safe."""

    def __init__(self, flights: Flights, name: str, max_cost: float | None, max_calls: int | None) -> None:
        """Create the budget if the name is new.

        Raises:
            UsageFault: the budget exists with other limits.
            ModelFault: writing failed.
        """
        self._tables = _Tables(flights)
        self._owner, self._name = flights.owner, name
        self._has_slice = False
        self._most = Amount(
            math.inf if max_cost is None else float(max_cost), math.inf if max_calls is None else max_calls
        )
        budgets = self._tables.budgets
        self._tables.db.rows(
            f"INSERT INTO {budgets} (name, max_cost, max_calls, spent, calls) VALUES (?, ?, ?, 0, 0) "
            "ON CONFLICT (name) DO NOTHING",
            name, max_cost, max_calls,
        )  # fmt: skip
        ((cost, calls),) = self._tables.db.rows(f"SELECT max_cost, max_calls FROM {budgets} WHERE name = ?", name)
        if (cost, calls) != (max_cost, max_calls):
            had, now = (_limits_text(*limits) for limits in ((cost, calls), (max_cost, max_calls)))
            raise UsageFault(f"{parameter('budget', name)} was begun with {had}, not {now}: use another name")

    def take(self, books: Books, more: Amount) -> Grant:
        """Reserve more than is used, if possible with some margin; if too little is left, return all that is unused.

        Raises:
            ModelFault: writing failed, or the slice was settled.
        """
        return self._tables.transact(lambda: self._take(books, more))

    def _take(self, books: Books, more: Amount) -> Grant:
        tables = self._tables
        tables.lock(self._name)
        self._refuse_settled()
        held, lost, may_come = tables.held_by_others(self._name, self._owner)
        left = Amount(usd(self._most.usd, -held.usd), self._most.calls - held.calls)
        used = Amount(usd(books.spent, books.reserved), books.calls)
        is_enough = usd(used.usd, more.usd) <= left.usd and used.calls + more.calls <= left.calls
        limit = used
        if is_enough:
            limit = Amount(
                min(left.usd, usd(used.usd, max(more.usd, _SHARE * usd(left.usd, -used.usd)))),
                min(left.calls, used.calls + max(more.calls, _whole(_SHARE * (left.calls - used.calls)))),
            )
        noted = Amount(*(own if own < math.inf else has for own, has in zip(limit, used)))
        tables.db.rows(
            f"INSERT INTO {tables.slices} (owner, budget, usd, calls, spent, reserved, sent, on_way) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (owner) DO UPDATE SET usd = excluded.usd, "
            "calls = excluded.calls, spent = excluded.spent, reserved = excluded.reserved, sent = excluded.sent, "
            "on_way = excluded.on_way",
            self._owner, self._name, noted.usd, int(noted.calls), *_columns(books),
        )  # fmt: skip
        self._has_slice = True
        return Grant(limit, not is_enough and may_come, left, lost)

    def book(self, books: Books) -> None:
        """Write the accounts of the slice.

        Raises:
            ModelFault: writing failed.
        """
        if self._has_slice:
            self._tables.db.rows(
                f"UPDATE {self._tables.slices} SET spent = ?, reserved = ?, sent = ?, on_way = ? WHERE owner = ?",
                *_columns(books), self._owner,
            )  # fmt: skip

    def close(self, books: Books) -> None:
        """Return what was not spent; reservations of calls with unknown outcome count as spent.

        Raises:
            ModelFault: writing failed.
        """
        if self._has_slice:
            last = books._replace(spent=usd(books.spent, books.reserved), reserved=0.0, on_way=0)
            self._tables.transact(lambda: self._close(last))

    def _close(self, books: Books) -> None:
        self._tables.lock(self._name)
        self.book(books)
        self._tables.end_slice(self._name, self._owner)

    def _refuse_settled(self) -> None:
        """Raise if the slice was settled because this process gave no heartbeat; the amount is available to others by
        now.
        """
        if self._has_slice and not self._tables.has_slice(self._owner):
            raise ModelFault(
                f"{parameter('budget', self._name)}: another process took this run to have ended, and released its "
                "reservations; the replies so far are in the cache: run the same command again",
                kind="budget",
            )


class _Slice(NamedTuple):
    """Slice of a process as last written.

    Attributes:
        usd: amount held including the amount spent, at least the latter: a reply may cost more than was reserved, and
            nothing is reserved in a unit (USD or calls) without limit.
        calls: likewise.
    """

    owner: str
    usd: float
    calls: int
    spent: float
    reserved: float
    sent: int
    on_way: int
    is_gone: bool


class _Tables:
    """Statements over the tables of budgets and slices."""

    def __init__(self, flights: Flights) -> None:
        self.db = flights.db
        name_of = self.db.statements.name_of
        self.budgets, self.slices = name_of("budgets"), name_of("slices")
        alive = f"seen > {self.db.statements.now} - {GONE_AFTER}"
        self._gone = f"owner NOT IN (SELECT id FROM {name_of('owners')} WHERE {alive})"

    def transact(self, work: Callable[[], Made]) -> Made:
        """Run statements in a transaction, and again if the connection broke."""
        while True:
            try:
                with self.db.transaction():
                    return work()
            except Locked:
                if not self.db.has_patience:
                    raise

    def lock(self, name: str) -> None:
        """Lock a budget until the end of the transaction."""
        self.db.rows(f"UPDATE {self.budgets} SET name = name WHERE name = ?", name)

    def has_slice(self, owner: str) -> bool:
        """Whether a process has a slice."""
        return bool(self.db.rows(f"SELECT 1 FROM {self.slices} WHERE owner = ?", owner))

    def held_by_others(self, name: str, owner: str) -> tuple[Amount, Amount, bool]:
        """Amount held or spent by others; amount held by dead processes; whether a live one has not spent all."""
        ((spent, sent),) = self.db.rows(f"SELECT spent, calls FROM {self.budgets} WHERE name = ?", name)
        calls, lost_calls, unspent = 0, 0, False
        all_held, all_lost = [spent], [0.0]
        for one in self._slices(name, owner):
            calls += one.calls
            all_held.append(one.usd)
            if one.is_gone:
                lost_calls += one.calls - one.sent
                all_lost += [one.usd, -one.spent]
            else:
                unspent = unspent or one.usd > one.spent or one.calls > one.sent
        return Amount(usd(*all_held), sent + calls), Amount(usd(*all_lost), lost_calls), unspent

    def _slices(self, name: str, but: str = "") -> list[_Slice]:
        rows = self.db.rows(
            "SELECT owner, usd, calls, spent, reserved, sent, on_way, "
            f"CASE WHEN {self._gone} THEN 1 ELSE 0 END "
            f"FROM {self.slices} WHERE budget = ? AND owner <> ? ORDER BY owner",
            name, but,
        )  # fmt: skip
        return [
            _Slice(owner, max(held, usd(spent, reserved)), max(calls, sent), spent, reserved, sent, on_way, bool(gone))
            for owner, held, calls, spent, reserved, sent, on_way, gone in rows
        ]

    def end_slice(self, name: str, owner: str) -> None:
        """Book what a process has spent, and release the rest of its slice."""
        ours = f"FROM {self.slices} WHERE owner = ?"
        ((spent, sent),) = self.db.rows(f"SELECT spent, calls FROM {self.budgets} WHERE name = ?", name)
        for own_spent, own_sent in self.db.rows(f"SELECT spent, sent {ours}", owner):
            set_both = f"UPDATE {self.budgets} SET spent = ?, calls = ? WHERE name = ?"
            self.db.rows(set_both, usd(spent, own_spent), sent + own_sent, name)
        self.db.rows(f"DELETE {ours}", owner)

    def settle(self, name: str) -> list[tuple[float, int, float, int]]:
        """End the slices of dead processes.

        Returns:
            For each: USD and calls that are released, and USD and calls that were reserved for calls in progress at the
                last write: it is not known whether they were charged.
        """
        self.lock(name)
        ended = []
        for one in self._slices(name):
            if one.is_gone:
                self.end_slice(name, one.owner)
                ended.append((usd(one.usd, -one.spent), one.calls - one.sent, one.reserved, one.on_way))
        return ended

    def describe(self, name: str) -> dict[str, Any]:
        """A budget as a record."""
        rows = self.db.rows(f"SELECT max_cost, max_calls, spent, calls FROM {self.budgets} WHERE name = ?", name)
        ((max_cost, max_calls, spent, sent),) = rows
        slices = self._slices(name)
        spent = usd(spent, *(one.spent for one in slices))
        sent += sum(one.sent for one in slices)
        parts = {}
        for part, is_gone in (("held", False), ("lost", True)):
            some = [one for one in slices if one.is_gone is is_gone]
            parts[part] = {
                "runs": len(some),
                "usd": usd(*(one.usd - one.spent for one in some)),
                "calls": sum(one.calls - one.sent for one in some),
            }
        kept = usd(*(part["usd"] for part in parts.values()))
        kept_calls = sum(part["calls"] for part in parts.values())
        return {
            "budget": name,
            "max_cost": max_cost,
            "max_calls": max_calls,
            "spent": spent,
            "calls": sent,
            **parts,
            "left": {
                "usd": None if max_cost is None else usd(max_cost, -spent, -kept),
                "calls": None if max_calls is None else max_calls - sent - kept_calls,
            },
        }


def describe(flights: Flights, name: str | None = None) -> list[dict[str, Any]]:
    """All budgets as records, or the one with a name.

    Returns:
        For each its limits, what is ``spent``, the ``calls`` sent, amounts held by live runs (``held``) and by dead
            runs (``lost``), and what is ``left``.

    Raises:
        ModelFault: there is no budget with that name.
    """
    tables = _Tables(flights)
    names = [one for (one,) in tables.db.rows(f"SELECT name FROM {tables.budgets} ORDER BY name")]
    if name is not None and name not in names:
        there = ", ".join(names) or "none"
        raise tables.db.fault(f'this cache has no budget "{name}" (budgets in the cache: {there})', kind="cache-miss")
    return tables.transact(lambda: [tables.describe(one) for one in names if name in (None, one)])


def settle(flights: Flights, name: str) -> list[tuple[float, int, float, int]]:
    """Release what dead runs held and had not spent.

    Returns:
        For each of these runs: USD and calls that are released, and USD and calls that were reserved for calls in
            progress at the last write: it is not known whether they were charged.
    """
    tables = _Tables(flights)
    return tables.transact(lambda: tables.settle(name))


def _whole(calls: float) -> float:
    """Calls rounded down; infinity if unlimited (``inf // 1`` is NaN)."""
    return calls if math.isinf(calls) else calls // 1


def _columns(books: Books) -> tuple[float, float, int, int]:
    return float(books.spent), float(books.reserved), books.calls, books.on_way


def _limits_text(max_cost: float | None, max_calls: int | None) -> str:
    limits = {"max_cost": max_cost, "max_calls": max_calls}
    named = [parameter(name, f"{value:g}") for name, value in limits.items() if value is not None]
    return " and ".join(named) or "no limit"
