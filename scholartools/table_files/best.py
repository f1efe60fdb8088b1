"""The best numbers of a column, which a table for readers sets in bold."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from scholartools.errors import UsageFault
from scholartools.table_files.formats import Best, Column, Row, Style
from scholartools.table_files.text_out import number_of

_SIDES = {"high": max, "low": min}


class BestOf:
    """Marks the best numbers of some columns, as they are shown: what looks equal is equally good."""

    def __init__(self, wanted: Sequence[str], columns: Sequence[Column], style: Style, table: str) -> None:
        """Prepare.

        Args:
            wanted: "COLUMN=high" or "COLUMN=low" for each column.
            columns: of the rows.
            style: of the table.
            table: what to call it in a message.

        Raises:
            UsageFault: it is neither, or there is no such column of numbers.
        """
        self._style = style
        self._kinds = {column.heading: column.kind for column in columns}
        self.wanted: dict[str, str] = {}
        for told in wanted:
            heading, _, side = told.rpartition("=")
            if side not in _SIDES or heading in self.wanted:
                raise UsageFault(
                    f'"{told}" is not COLUMN=high or COLUMN=low, or names a column again', parameter="best"
                )
            if self._kinds.get(heading) not in ("integer", "number"):
                reason = f'"{heading}" is no column of numbers of {table}, or not among those that are written'
                raise UsageFault(f"{reason}: st-table columns {table} shows all columns", parameter="best")
            self.wanted[heading] = side

    def mark(self, rows: Iterable[Row], places: dict[str, list[int]], groups: Sequence[int]) -> list[list[Any]]:
        """The rows with their best numbers as :class:`Best`; one that has no other beside it is not marked.

        Args:
            rows: of the table.
            places: where the cells of each wanted column are.
            groups: where the cells are in which rows are equal that are compared with each other.
        """
        made = [list(row) for row in rows]
        together: dict[tuple[Any, ...], list[list[Any]]] = {}
        for row in made:
            together.setdefault(tuple(repr(row[place]) for place in groups), []).append(row)
        for some in together.values():
            for heading, side in self.wanted.items():
                for place in places[heading]:
                    self._mark(some, place, side, self._kinds[heading])
        return made

    def _mark(self, rows: Sequence[list[Any]], place: int, side: str, kind: str) -> None:
        found = [(row, number) for row in rows if (number := number_of(row[place], kind, self._style)) is not None]
        if len(found) > 1:
            best = _SIDES[side](number for _, number in found)
            for row, number in found:
                if number == best:
                    row[place] = Best(row[place])
