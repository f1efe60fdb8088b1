"""Sort rows by some of their columns, in bounded memory."""

from __future__ import annotations

import heapq
import pickle
import tempfile
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from scholartools.errors import UsageFault
from scholartools.json_text import loads_exactly
from scholartools.scratch import in_temporary_folder
from scholartools.table_files.formats import Column, Row, bare

# Approximate bytes of rows sorted in memory at once, and of the blocks read back.
_MOST, _BLOCK = 1 << 24, 1 << 16
_OF_A_CELL = 60

Key = Callable[[Row], tuple[Any, ...]]


class Sorted:
    """Sorted rows; the sort is stable, and empty cells come last.

    Rows that do not fit in memory are stored in a temporary file until the end.
    """

    def __init__(self, key: Key) -> None:
        self._key, self._rows, self._size = key, list[Row](), 0
        with in_temporary_folder():
            self._file = tempfile.TemporaryFile()
        self._runs: list[list[int]] = []

    def add(self, rows: Sequence[Row]) -> None:
        """Add rows."""
        for row in rows:
            self._rows.append(row)
            self._size += _size_of(row)
            if self._size > _MOST:
                self._spill()

    def rows(self) -> Iterator[Row]:
        """Iterate over all rows in order, once."""
        self._rows.sort(key=self._key)
        runs = [self._read(blocks) for blocks in self._runs]
        yield from heapq.merge(*runs, self._rows, key=self._key)  # equal rows keep the order of the runs
        self._file.close()

    @in_temporary_folder()
    def _spill(self) -> None:
        self._rows.sort(key=self._key)
        blocks, block, size = list[int](), list[Row](), 0
        for row in [*self._rows, None]:
            if row is not None:
                block.append(row)
                size += _size_of(row)
            if block and (row is None or size > _BLOCK):
                blocks.append(self._file.tell())
                pickle.dump(block, self._file, pickle.HIGHEST_PROTOCOL)
                block, size = [], 0
        self._runs.append(blocks)
        self._rows, self._size = [], 0

    def _read(self, blocks: Sequence[int]) -> Iterator[Row]:
        for place in blocks:
            self._file.seek(place)
            yield from pickle.load(self._file)


def sort_key(columns: Sequence[Column], names: Sequence[str], table: str) -> Key:
    """Sort key of rows by columns, in order of priority.

    Numbers are compared as numbers, texts by code points, false before true; in JSON columns numbers come before all
    other values. None is last, also in descending order.

    Args:
        columns: columns of the rows.
        names: headings; a prefix ``-`` means descending.
        table: name of the table for messages.

    Raises:
        UsageFault: a column does not exist.
    """
    places = {column.heading: place for place, column in enumerate(columns)}
    chosen = []
    for name in names:
        heading = name if name in places else name.removeprefix("-")
        if heading not in places:
            reason = f'"{heading}" is no column of {table}, or not among those that are written'
            raise UsageFault(f"{reason}: st-table columns {table} shows all columns", parameter="sort")
        chosen.append((places[heading], columns[places[heading]].kind, heading != name))

    def key(row: Row) -> tuple[Any, ...]:
        made = []
        for place, kind, is_descending in chosen:
            cell = bare(row[place])
            value = _comparable(cell, kind)
            made.append((cell is None, _Descending(value) if is_descending else value))
        return tuple(made)

    return key


class _Descending:
    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value

    def __lt__(self, other: _Descending) -> bool:
        return bool(other.value < self.value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Descending) and bool(self.value == other.value)


def _comparable(cell: Any, kind: str) -> tuple[Any, ...]:
    """Value such that any two of a column are comparable."""
    if kind == "json" and cell is not None:
        value = loads_exactly(cell.encode())[0]
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        return (0, value) if is_number else (1, cell)
    if kind == "texts" and cell is not None:
        return tuple((one is not None, one or "") for one in cell)
    return () if cell is None else (cell,)


def _size_of(row: Row) -> int:
    return sum(_OF_A_CELL + (len(cell) if isinstance(cell, (str, list)) else 0) for cell in row)
