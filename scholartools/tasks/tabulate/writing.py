"""The rows of many records as a file."""

from __future__ import annotations

import os
from collections.abc import Iterator

from scholartools import io
from scholartools.records import Record
from scholartools.tables.written import DIVIDERS, line_of
from scholartools.tasks.tabulate.descriptions import Table
from scholartools.tasks.tabulate.rows import Rows


class TextWriter:
    """Writes CSV or TSV, row by row."""

    def __init__(self, rows: Rows, kind: str) -> None:
        self._rows, self._divider = rows, DIVIDERS[kind]

    def begin(self, output: io.Output) -> None:
        """Write the headings."""
        self._write(output, line_of([column.heading for column in self._rows.columns], self._divider))

    def add(self, output: io.Output, record: Record) -> None:
        """Write the rows of a record, all or none.

        Raises:
            InputFault: see :meth:`Rows.of`.
        """
        rows = self._rows.of(record)
        if rows:
            self._write(output, "".join(line_of(row, self._divider) for row in rows))

    def end(self, output: io.Output) -> None:
        """Nothing stands behind the rows."""

    def notes(self) -> Iterator[str]:
        """What a person should know once all records are seen."""
        return self._rows.notes()

    def _write(self, output: io.Output, text: str) -> None:
        output.write(text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace"))


def writer(table: Table, kind: str | None, path: str | None) -> TextWriter:
    """The writer of a table: of the format named, else of the one that the path's ending names, else of CSV."""
    ending = os.path.splitext(path or "")[1].lower().removeprefix(".")
    return TextWriter(Rows(table), kind or (ending if ending in DIVIDERS else "csv"))
