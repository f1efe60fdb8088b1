"""The rows of many records as a file."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence

from scholartools import io
from scholartools.errors import UsageFault
from scholartools.parameters import parameter
from scholartools.paths import Conditions
from scholartools.records import Record
from scholartools.tables.formats import BINARIES, Column, Format, format_by_ending
from scholartools.tables.text_out import DIVIDERS, Delimited, Markdown
from scholartools.tasks.tabulate.descriptions import Table
from scholartools.tasks.tabulate.rows import Row, Rows


class TableWriter:
    """Writes the rows of records as a file of one format."""

    def __init__(self, rows: Rows, kind: str) -> None:
        """Begin.

        Raises:
            UsageFault: the library that writes the format is not installed.
        """
        self._rows = rows
        self._format = make_format(kind, rows.table.name, rows.columns)

    def begin(self, output: io.Output) -> None:
        """Write what stands before the rows."""
        _put(output, self._format.head())

    def make(self, record: Record) -> list[Row]:
        """The rows of a record.

        Raises:
            InputFault: see :meth:`Rows.of`; or the format cannot hold one of them.
        """
        rows = self._rows.of(record)
        for row in rows:
            self._format.check(row)
        return rows

    def write(self, output: io.Output, made: list[Row]) -> None:
        """Write rows."""
        if made:
            _put(output, self._format.add(made))

    def end(self, output: io.Output) -> None:
        """Write what stands behind the rows."""
        for part in self._format.tail():
            _put(output, part)

    def notes(self) -> Iterator[str]:
        """What a person should know once all records are seen."""
        return self._rows.notes()


def writer(
    table: Table, kind: str | None, path: str | None, columns: Sequence[str] = (), where: Conditions = ()
) -> TableWriter:
    """The writer of a table.

    Args:
        table: that is written.
        kind: of the file; None: as the ending of its path names it, else CSV.
        path: of the file; None: standard output.
        columns, where: see :class:`Rows`.

    Raises:
        UsageFault: the table has no such column, the library of the format is not installed, or a terminal would get
            what is no text.
    """
    kind = kind or format_by_ending(path)
    if kind in BINARIES and path in (None, "-") and sys.stdout.isatty():
        raise UsageFault(f"{kind} is no text for a terminal: name a file with {parameter('output')}")
    return TableWriter(Rows(table, columns, where), kind)


def make_format(name: str, table: str, columns: Sequence[Column]) -> Format:
    """The writer of a format, for a table of that name.

    Raises:
        UsageFault: the library that it needs is not installed.
    """
    if name == "parquet":
        from scholartools.tables.columnar_out import Parquet

        return Parquet(table, columns)
    if name == "xlsx":
        from scholartools.tables.workbook_out import Workbook

        return Workbook(table, columns)
    if name == "latex":
        from scholartools.tables.latex_out import Latex

        return Latex(columns)
    return Delimited(columns, DIVIDERS[name]) if name in DIVIDERS else Markdown(columns)


def _put(output: io.Output, part: str | bytes) -> None:
    if isinstance(part, str):
        output.write(part)
    else:
        output.write_bytes(part)
