"""Pivot rows to wide form: one column per value of a key column."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from scholartools.errors import UsageFault
from scholartools.table_files.formats import Column, Row, bare
from scholartools.table_files.text_out import text_of

# Maximum number of columns in a sheet of a workbook; more are probably a mistake.
_MOST_COLUMNS = 16_384


class Wide:
    """One row for all rows that differ only in two columns: the key becomes a column, the value its cell.

    Rows and columns are in the order of first occurrence. All rows are held in memory.
    """

    def __init__(self, columns: Sequence[Column], key: str, value: str, table: str) -> None:
        """Check the columns.

        Args:
            columns: columns of the rows.
            key: heading of the column whose values become columns.
            value: heading of the column with the values of the cells.
            table: name of the table for messages.

        Raises:
            UsageFault: a column does not exist, or there are no other columns.
        """
        places = {column.heading: place for place, column in enumerate(columns)}
        for heading in (key, value):
            if heading not in places:
                reason = f'"{heading}" is no column of {table}, or not among those that are written'
                raise UsageFault(f"{reason}: st-table columns {table} shows all columns", parameter="wide")
        if key == value or len(columns) < 3:
            raise UsageFault("it takes two columns, and another one beside them", parameter="wide")
        self._key, self._value = places[key], places[value]
        self._rest = [place for place in range(len(columns)) if place not in (self._key, self._value)]
        self._all = columns
        self._keys: dict[str, int] = {}
        self._rows: dict[tuple[Any, ...], dict[int, Any]] = {}

    def add(self, rows: Sequence[Row]) -> None:
        """Add rows.

        Raises:
            UsageFault: two rows have the same cell, there are more columns than a sheet can have, or a key is empty or
                equals the heading of another column.
        """
        for row in rows:
            found = bare(row[self._key])
            key = "" if found is None else text_of(found)
            name = self._all[self._key].heading
            if not key.strip() or any(self._all[place].heading == key for place in self._rest):
                reason = f'is "{key}", the heading of another column' if key.strip() else "is empty"
                raise UsageFault(f"{name} {reason}, in {self._told(row)}: leave the row out", parameter="wide")
            place = self._keys.setdefault(key, len(self._keys))
            if place + len(self._rest) >= _MOST_COLUMNS:
                raise UsageFault(
                    f"{name} has more values than the {_MOST_COLUMNS} columns of a sheet", parameter="wide"
                )
            cells = self._rows.setdefault(tuple(_hashable(row[one]) for one in self._rest), {-1: row})
            if place in cells:
                reason = f'two rows of {self._told(row)} have {name} "{key}": write a column that distinguishes them'
                raise UsageFault(reason, parameter="wide")
            cells[place] = row[self._value]

    def columns(self) -> list[Column]:
        """Columns, once all rows are added."""
        value = self._all[self._value]
        note = f"{value.heading} where {self._all[self._key].heading} is this"
        return [
            *(self._all[place] for place in self._rest),
            *(Column(key, value.kind, value.path, note) for key in self._keys),
        ]

    def rows(self) -> Iterator[Row]:
        """Rows; a cell without a row is None."""
        for cells in self._rows.values():
            first = cells[-1]
            yield [*(first[place] for place in self._rest), *(cells.get(place) for place in range(len(self._keys)))]

    def _told(self, row: Row) -> str:
        return ", ".join(f"{self._all[place].heading}={row[place]}" for place in self._rest[:3])


def _hashable(cell: Any) -> Any:
    """Hashable form of a cell, in which 1 and true differ."""
    return (type(cell).__name__, tuple(cell) if isinstance(cell, list) else cell)
