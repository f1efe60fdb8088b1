"""A run of one statistic over a stream of records."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol

from scholartools.errors import InputFault
from scholartools.parameters import parameter
from scholartools.paths import Selection
from scholartools.records import Record

#: The kind under which records are left out because their item took part in fitting the method.
SEEN = "seen-in-fit"


class Taker(Protocol):
    """Collects the data of a statistic from records.

    Attributes:
        dropped: number of records left out, by the kind of their fault or "where" (conditions not met).
        n_taken: number of records accepted.
        selection: the conditions that records must meet.
    """

    dropped: Counter[str]
    n_taken: int
    selection: Selection

    def add(self, record: Record) -> None:
        """Add one record, or reject it by raising an InputFault."""

    def notes(self) -> Iterator[str]:
        """Sentences about suspicious values, for the user."""

    def check(self) -> None:
        """Raise a UsageFault if the records together lack the requested data."""


@dataclass(frozen=True)
class Run:
    """One statistic, or several of the same ratings, over all records.

    Attributes:
        taken: collects the records.
        results: computes the results from the collected data.
    """

    taken: Taker
    results: Callable[[], Iterable[Record]]

    def finish(self, failed: int) -> list[Record]:
        """Compute the results after the last record.

        Args:
            failed: number of rejected input lines: malformed ones, and those rejected by ``add``.

        Raises:
            InputFault: no record meets the conditions, or all took part in a fit.
            UsageFault: no record has one of the paths, or items have several numbers of a method.
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
