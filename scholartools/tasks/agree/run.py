"""A run of one statistic over records that come one by one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol

from scholartools.errors import InputFault
from scholartools.parameters import parameter
from scholartools.paths import Selection
from scholartools.records import Record

#: Why a record is left out whose item took part in fitting its method.
SEEN = "seen-in-fit"


class Taker(Protocol):
    """What a statistic keeps of the records.

    Attributes:
        dropped: records left out, by the kind of their fault, and ``where``.
        n_taken: records taken.
        selection: which records are taken, where conditions were given.
    """

    dropped: Counter[str]
    n_taken: int
    selection: Selection

    def add(self, record: Record) -> None:
        """Take one record; an InputFault refuses it."""

    def notes(self) -> Iterator[str]:
        """What the records have that people should hear of."""

    def check(self) -> None:
        """Raise a UsageFault where the records, taken together, do not have what was asked for."""


@dataclass(frozen=True)
class Run:
    """One statistic, or several of the same ratings, over all records.

    Attributes:
        taken: what takes the records, one by one.
        results: makes the results of what was taken.
    """

    taken: Taker
    results: Callable[[], Iterable[Record]]

    def finish(self, failed: int) -> list[Record]:
        """The results, once all records were given.

        Args:
            failed: how many lines of the input were refused, as records that are none and by ``add``.

        Raises:
            InputFault: no record meets the conditions.
            UsageFault: no record has anything at one of the paths named, or items have several numbers of a method.
        """
        taken = self.taken
        if taken.dropped["where"] and not taken.n_taken:
            missed = f"none of {taken.dropped['where']} records meets the conditions of {parameter('where')}"
            raise InputFault(f"{missed}: {taken.selection.describe_values()}")
        if taken.dropped[SEEN] and not taken.n_taken:
            raise InputFault(
                f"all {taken.dropped[SEEN]} records took part in a fit ({parameter('with_seen')} takes them)"
            )
        refused = sum(count for kind, count in taken.dropped.items() if kind not in ("where", SEEN))
        taken.dropped["no-record"] = failed - refused
        taken.dropped = +taken.dropped
        if taken.n_taken:
            taken.check()
        return list(self.results())
