"""The best numbers of a column, set in bold in Markdown and LaTeX tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from scholartools.errors import UsageFault
from scholartools.table_files.formats import Best, Column, Row, Style
from scholartools.table_files.text_out import number_of

_SIDES = {"high": max, "low": min}


class BestOf:
    """Marks the best numbers of some columns; numbers are compared as shown, so rounded ties are all marked."""

    def __init__(self, wanted: Sequence[str], columns: Sequence[Column], style: Style, table: str) -> None:
        """Parse the options.

        Args:
            wanted: "COLUMN=high" or "COLUMN=low" for each column.
            columns: columns of the rows.
            style: style of the table.
            table: name of the table for messages.

        Raises:
            UsageFault: an option is invalid, or names no numeric column.
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
        """Rows with their best numbers as :class:`Best`; a single number without competitors is not marked.

        Args:
            rows: rows of the table.
            places: indexes of the cells of each wanted column.
            groups: indexes of the cells that must be equal for rows to be compared.
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
