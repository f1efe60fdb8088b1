"""What workers are: all that the rest of the pipeline knows of them."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from typing import Any, NamedTuple, Protocol

Function = Callable[[list], Iterable[Any]]


class Limits(NamedTuple):
    """Limits of time (seconds) and of address space (megabytes) for one chunk of records; None means no limit."""

    seconds: float | None = None
    megabytes: int | None = None


class Workers(Protocol):
    """Takes chunks of items and works on several at once."""

    def room(self, chunk: int) -> tuple[int, int]:
        """How many items the next chunk is to have, where ``chunk`` is wanted, and how many may be under way."""

    def submit(self, function: Function, batch: list) -> Future:
        """Begin with a chunk; the function is importable (or a partial of such), and must not raise."""

    def results(
        self, function: Function, batch: list, future: Future, on_death: Callable[[Any, str], Any]
    ) -> Iterator[Any]:
        """The results of a chunk that was begun, waited for; of an item whose worker died what ``on_death`` makes."""

    def close(self) -> None:
        """Stop all work."""


def pickle_deep(value: Any) -> bytes:
    """Pickle a value that may be nested as deeply as JSON may be."""
    try:
        return pickle.dumps(value)
    except RecursionError:  # in Python 3.12, C code has a fixed limit (some 740 nested lists); Python code has not
        return pickle._dumps(value)  # type: ignore[attr-defined]
