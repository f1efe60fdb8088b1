"""The rows of many records as a file."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence

from scholartools import io
from scholartools.errors import UsageFault
from scholartools.parameters import parameter
from scholartools.paths import Conditions
from scholartools.records import Record
from scholartools.table_files.formats import (
    BINARIES,
    DESCRIBED,
    PLAIN,
    Column,
    Format,
    Style,
    description,
    format_by_ending,
)
from scholartools.table_files.sorting import Sorted, sort_key
from scholartools.table_files.text_out import DIVIDERS, Delimited, Markdown
from scholartools.table_files.wide import Wide
from scholartools.tasks.tabulate.descriptions import Table
from scholartools.tasks.tabulate.results import Results
from scholartools.tasks.tabulate.rows import Row, Rows

# What may stand for null: it must be one cell in every format, and no blank that readers take away.
_IS_NULL = re.compile(r"(?!\s)[^,;\t\"\r\n]*(?<!\s)")

_IS_LABEL = re.compile(r"[A-Za-z0-9:./+-]+")


class TableWriter:
    """Writes the rows of records as a file of one format."""

    def __init__(
        self,
        rows: Rows,
        kind: str,
        style: Style = PLAIN,
        order: Sequence[str] = (),
        each: tuple[str, str] | None = None,
    ) -> None:
        """Begin.

        Args:
            rows: what makes them.
            kind: of the file.
            style: of it.
            order: headings by which rows are sorted, see :func:`sort_key`; none: they stay as the records have them.
            each: headings of the key and of the value, where the table is written in wide form, see :class:`Wide`.

        Raises:
            UsageFault: the library that writes the format is not installed; there is no such column.
        """
        self._rows, self._kind, self._style, self._order = rows, kind, style, order
        self._wide = Wide(rows.columns, *each, rows.table.name) if each else None
        self._columns: Sequence[Column] = ()
        self._format: Format = Delimited((), ",")
        self._sorted: Sorted | None = None
        if self._wide is None:
            self._prepare(rows.columns)

    def _prepare(self, columns: Sequence[Column]) -> None:
        """Begin a table of these columns; of one in wide form they are known at its end."""
        name = self._rows.table.name
        self._columns, self._format = columns, make_format(self._kind, name, columns, self._style)
        self._sorted = Sorted(sort_key(columns, self._order, name)) if self._order else None

    def begin(self, output: io.Output) -> None:
        """Write what stands before the rows."""
        if self._wide is None:
            _put(output, self._format.head())

    def make(self, record: Record) -> list[Row]:
        """The rows of a record.

        Raises:
            InputFault: see :meth:`Rows.of`; or the format cannot hold one of them.
        """
        rows = self._rows.of(record)
        for row in rows if self._wide is None else ():
            self._format.check(row)
        return rows

    def write(self, output: io.Output, made: list[Row]) -> None:
        """Write rows, or keep them where they are sorted or made wide."""
        if self._wide is not None:
            self._wide.add(made)
        elif self._sorted is not None:
            self._sorted.add(made)
        elif made:
            _put(output, self._format.add(made))

    def end(self, output: io.Output, n_failed: int = 0) -> None:
        """Write the rows that were kept, and what stands behind the rows.

        Raises:
            UsageFault: no record has a key of the long form.
        """
        self._rows.check()
        if self._wide is not None:
            self._prepare(self._wide.columns())
            _put(output, self._format.head())
            for row in self._wide.rows():
                self._format.check(row)
                if self._sorted is not None:
                    self._sorted.add([row])
                else:
                    _put(output, self._format.add([row]))
        for row in self._sorted.rows() if self._sorted is not None else ():
            _put(output, self._format.add([row]))
        for part in self._format.tail():
            _put(output, part)

    def notes(self) -> Iterator[str]:
        """What a person should know once all records are seen."""
        yield from self._rows.notes()
        if count := getattr(self._format, "n_like_null", 0):
            are = "cell is the text" if count == 1 else "cells are the text"
            yield f"{count} {are} that stands for null, and in quotation marks: many readers do not tell them apart"

    def write_description(self, path: str | None) -> None:
        """Write what the table is beside a file of CSV or TSV: FILE.meta.json. Other formats hold it themselves."""
        if isinstance(self._format, Delimited) and (part := io.part_of(path)) is not None:
            told = description(self._rows.table.name, self._columns) | {"file": self._format.about()}
            with io.open_output(part.removesuffix(".part") + DESCRIBED) as output:
                output.write(told)


def writer(
    table: Table | Results,
    kind: str | None,
    path: str | None,
    columns: Sequence[str] = (),
    where: Conditions = (),
    *,
    style: Style = PLAIN,
    order: Sequence[str] = (),
    with_utf16: bool = False,
    each: str | None = None,
) -> TableWriter:
    """The writer of a table.

    Args:
        table: that is written.
        kind: of the file; None: as the ending of its path names it, else CSV.
        path: of the file; None: standard output.
        columns, where, with_utf16: see :class:`Rows`.
        style, order: see :class:`TableWriter`.
        each: "KEY=VALUE" of a table in wide form.

    Raises:
        UsageFault: the table has no such column, the library of the format is not installed, the format has no such
            style, or a terminal would get what is no text.
    """
    kind = kind or format_by_ending(path)
    if kind in BINARIES and path in (None, "-") and sys.stdout.isatty():
        raise UsageFault(f"{kind} is no text for a terminal: name a file with {parameter('output')}")
    for name, formats in (("caption", ["latex"]), ("label", ["latex"]), ("digits", ["latex", "markdown"])):
        if getattr(style, name) is not None and kind not in formats:
            raise UsageFault(f"{kind} has none: it is of {' and '.join(formats)}", parameter=name)
    if style.label is not None and not _IS_LABEL.fullmatch(style.label):
        raise UsageFault("letters, digits and any of : . - / + make a label", parameter="label")
    if style.is_european and kind != "csv":
        raise UsageFault(f"{kind} is one thing in all countries: {parameter('eu')} is of CSV")
    if style.null is not None and (kind in BINARIES or not _IS_NULL.fullmatch(style.null)):
        reason = f"{kind} has a null of its own" if kind in BINARIES else "it has a mark that divides cells, or a quote"
        raise UsageFault(reason, parameter="null")
    key, equals, value = (each or "").partition("=")
    if each is not None and not (key and equals and value):
        raise UsageFault(f'"{each}" is not KEY=VALUE, the headings of two columns', parameter="wide")
    rows = Rows(table, columns, where, with_utf16=with_utf16)
    return TableWriter(rows, kind, style, order, (key, value) if each is not None else None)


def make_format(name: str, table: str, columns: Sequence[Column], style: Style = PLAIN) -> Format:
    """The writer of a format, for a table of that name.

    Raises:
        UsageFault: the library that it needs is not installed.
    """
    if name == "parquet":
        from scholartools.table_files.columnar_out import Parquet

        return Parquet(table, columns)
    if name == "xlsx":
        from scholartools.table_files.workbook_out import Workbook

        return Workbook(table, columns)
    if name == "latex":
        from scholartools.table_files.latex_out import Latex

        return Latex(columns, style)
    return Delimited(columns, DIVIDERS[name], style) if name in DIVIDERS else Markdown(columns, style)


def _put(output: io.Output, part: str | bytes) -> None:
    if isinstance(part, str):
        output.write(part)
    else:
        output.write_bytes(part)
