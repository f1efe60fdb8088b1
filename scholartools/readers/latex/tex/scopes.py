"""Groups: what is defined in one is forgotten at its end, unless it is defined globally."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

_Old = tuple[str, int, list[Any]]  # a name, the group of its old meaning, that meaning in each table


class Scopes:
    """Tables of meanings by name, and what they said before the groups that are open."""

    def __init__(self, *tables: dict[str, Any]) -> None:
        self._tables = tables
        self._open: list[list[_Old]] = []
        self._levels: dict[str, int] = {}  # how deep a name has its meaning from; 0: from outside of all groups
        self._is_global = False

    def begin(self) -> None:
        self._open.append([])

    def end(self) -> None:
        """Give names their old meanings back, except those that have been defined globally since."""
        for name, level, old in reversed(self._open.pop() if self._open else []):
            if not self._levels.get(name):
                continue
            self._levels[name] = level
            for table, value in zip(self._tables, old):
                table.pop(name, None)
                if value is not None:
                    table[name] = value

    @contextlib.contextmanager
    def globally(self, is_global: bool) -> Iterator[None]:
        """What is defined in the block holds outside of the groups as well, if so, or if it does already."""
        outer, self._is_global = self._is_global, self._is_global or is_global
        try:
            yield
        finally:
            self._is_global = outer

    def change(self, name: str) -> None:
        """Note that a name is about to get another meaning."""
        level = self._levels.get(name, 0)
        if self._is_global:
            self._levels[name] = 0
        elif level != len(self._open):
            self._open[-1].append((name, level, [table.get(name) for table in self._tables]))
            self._levels[name] = len(self._open)

    def forget(self) -> None:
        """Forget all old meanings: what is known now stays."""
        for old in self._open:
            old.clear()
