"""Groups: local definitions are undone at the end of the group."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

_Old = tuple[str, int, list[Any]]  # a name, the level of its old meaning, that meaning in each table


class Scopes:
    """Tables of meanings by name, and the old meanings to restore at the end of the open groups."""

    def __init__(self, *tables: dict[str, Any]) -> None:
        self._tables = tables
        self._open: list[list[_Old]] = []
        self._levels: dict[str, int] = {}  # level of the group that set a name's meaning; 0: outside all groups
        self._is_global = False

    def begin(self) -> None:
        self._open.append([])

    def end(self) -> None:
        """Restore old meanings, except those of names that have been defined globally since."""
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
        """Make definitions in the block global if ``is_global``, or if an outer block does."""
        outer, self._is_global = self._is_global, self._is_global or is_global
        try:
            yield
        finally:
            self._is_global = outer

    def change(self, name: str) -> None:
        """Save the meaning of a name that is about to change."""
        level = self._levels.get(name, 0)
        if self._is_global:
            self._levels[name] = 0
        elif level != len(self._open):
            self._open[-1].append((name, level, [table.get(name) for table in self._tables]))
            self._levels[name] = len(self._open)

    def forget(self) -> None:
        """Discard all old meanings, so that the current ones remain after the open groups."""
        for old in self._open:
            old.clear()
