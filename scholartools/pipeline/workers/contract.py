"""Interface of workers for the rest of the pipeline."""

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


class ChunkSize:
    """Adapts the number of items per chunk to their duration.

    Attributes:
        items: number of items of the next chunk.
    """

    def __init__(self, first: int) -> None:
        """``first`` is the number of items before any duration is known."""
        self.items = first
        self._each = 0.0

    def adapt(self, n_items: int, seconds: float, target: float) -> None:
        """Adapt to the duration of a chunk; the next ones are to take ``target`` seconds."""
        each = seconds / n_items
        self._each = (self._each or each) * 0.5 + each * 0.5
        self.items = max(1, min(4 * self.items, round(target / max(self._each, 1e-6))))


class Workers(Protocol):
    """Process several chunks of items in parallel."""

    def start(self) -> None:
        """Prepare for chunks, while this process has no other threads."""

    def room(self, chunk: int) -> tuple[int, int]:
        """Size of the next chunk, for a preferred size ``chunk``, and maximum number of items in flight."""

    def submit(self, function: Function, batch: list) -> Future:
        """Submit a chunk; the function must be importable (or a partial of such) and must not raise.

        It may be called again for items whose results were not taken from the iterable that it returned.
        """

    def results(
        self, function: Function, batch: list, future: Future, on_death: Callable[[Any, str], Any]
    ) -> Iterator[Any]:
        """Wait for the results of a submitted chunk; ``on_death`` makes the result of an item whose worker died."""

    def close(self) -> None:
        """Stop all work."""


def pickle_deep(value: Any) -> bytes:
    """Pickle a value that may be nested as deeply as JSON may be."""
    try:
        return pickle.dumps(value)
    except RecursionError:  # in Python 3.12, C code has a fixed limit (some 740 nested lists); Python code has not
        return pickle._dumps(value)  # type: ignore[attr-defined]
