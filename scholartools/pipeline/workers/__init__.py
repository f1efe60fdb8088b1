"""Who works on records outside this process: something that takes chunks of them, and gives back futures.

- ``local``: processes of this machine.

:class:`Workers` is all that the rest knows of them. Where there are none the work is done in this process.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from typing import Any, NamedTuple, Protocol

Function = Callable[[list], Iterable[Any]]


class Limits(NamedTuple):
    """What a process may take for one chunk of items: seconds of time, megabytes of address space; None: anything."""

    seconds: float | None = None
    megabytes: int | None = None


class Workers(Protocol):
    """Takes chunks of items and works on several at once.

    Attributes:
        width: chunks that are worked on at once.
    """

    width: int

    def submit(self, function: Function, batch: list) -> Future:
        """Begin with a chunk; the function is importable (or a partial of such), and must not raise."""

    def results(
        self, function: Function, batch: list, future: Future, on_death: Callable[[Any, str], Any]
    ) -> Iterator[Any]:
        """The results of a chunk that was begun, waited for; of an item whose worker died what ``on_death`` makes."""

    def close(self) -> None:
        """Stop all work."""


def make_workers(jobs: int, limits: Limits | None) -> Workers | None:
    """So many processes of this machine; None for one process that needs no limits, which can be this one."""
    if jobs == 1 and limits is None:
        return None
    from scholartools.pipeline.workers.local import Processes

    return Processes(jobs, limits or Limits())
