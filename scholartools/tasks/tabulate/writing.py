"""Write the rows of many records to a file."""

from __future__ import annotations

import hashlib
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from scholartools import io
from scholartools.errors import UsageFault
from scholartools.json_text import dumps
from scholartools.parameters import parameter
from scholartools.paths import Conditions
from scholartools.records import Record
from scholartools.signature import signature
from scholartools.table_files.best import BestOf
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
from scholartools.tasks.tabulate.answers import ANSWERS
from scholartools.tasks.tabulate.descriptions import Table
from scholartools.tasks.tabulate.ids import Ids
from scholartools.tasks.tabulate.results import Results
from scholartools.tasks.tabulate.rows import Row, Rows
from scholartools.wording import count_of

# Valid representations of null: a single cell in every format, without surrounding space, which readers may strip.
_IS_NULL = re.compile(r"(?!\s)[^,;\t\"\r\n]*(?<!\s)")

_IS_LABEL = re.compile(r"[A-Za-z0-9:./+-]+")


class TableWriter:
    """Writes the rows of records to a file."""

    def __init__(
        self,
        rows: Rows,
        kind: str,
        style: Style = PLAIN,
        order: Sequence[str] = (),
        each: tuple[str, str] | None = None,
        best: Sequence[str] = (),
        n_shown: int | None = None,
    ) -> None:
        """Prepare the output.

        Args:
            rows: makes the rows.
            kind: file format.
            style: style of the table.
            order: headings by which rows are sorted, see :func:`sort_key`; empty: keep the order of the records.
            each: headings of key and value for wide form, see :class:`Wide`.
            best: columns whose best values are marked, see :class:`BestOf`; requires all rows in memory.
            n_shown: number of columns written; the others only define comparable rows. None: all.

        Raises:
            UsageFault: the library for the format is missing, or a column is unknown.
        """
        self._rows, self._kind, self._style, self._order = rows, kind, style, order
        self._ids = Ids(rows.table)
        self._shown = rows.columns[:n_shown]
        self._each = each
        self._wide = Wide(self._shown, *each, rows.table.name) if each else None
        self._best = BestOf(best, self._shown, style, rows.table.name) if best else None
        self._columns: Sequence[Column] = ()
        self._format: Format = Delimited((), ",")
        self._sorted: Sorted | None = None
        self._kept: list[Row] = []
        self._digest = hashlib.sha256()
        self._is_signed = kind in BINARIES or kind in DIVIDERS
        if self._wide is None:
            self._prepare(self._shown)

    def _prepare(self, columns: Sequence[Column]) -> None:
        """Start a table with given columns; in wide form these are only known at the end."""
        name = self._rows.table.name
        self._columns, self._format = columns, make_format(self._kind, name, columns, self._style)
        self._sorted = Sorted(sort_key(columns, self._order, name)) if self._order else None

    def begin(self, output: io.Output) -> None:
        """Write the head of the file."""
        if self._wide is None:
            _put(output, self._format.head())

    def make(self, record: Record) -> list[Row]:
        """The rows of a record.

        Raises:
            InputFault: see :meth:`Rows.of`; or the format cannot represent a row.
        """
        rows = self._rows.of(record)
        for row in rows if self._wide is None and self._best is None else ():
            self._format.check(row)
        self._ids.add(record)
        return rows

    def write(self, output: io.Output, made: list[Row]) -> None:
        """Write rows, or store them for sorting, comparison or wide form."""
        for row in made if self._is_signed else ():
            self._digest.update(dumps(row) + b"\n")
        if self._wide is not None:
            self._wide.add(made)
        elif self._sorted is not None:
            self._sorted.add(made)
        elif self._best is not None:
            self._kept += made
        elif made:
            _put(output, self._format.add(made))

    def end(self, output: io.Output, n_failed: int = 0) -> None:
        """Write stored rows and the end of the file.

        Raises:
            UsageFault: a key of the long form occurs in no record.
        """
        self._rows.check()
        kept: Iterable[Sequence[Any]] = self._kept
        if self._wide is not None:
            self._prepare(self._wide.columns())
            _put(output, self._format.head())
            kept = self._wide.rows()
        if self._sorted is not None:
            for row in kept:
                self._sorted.add([row])
            kept = self._sorted.rows()
        for row in kept if self._best is None else self._marked(self._best, kept):
            self._format.check(row)
            _put(output, self._format.add([row]))
        for part in self._format.tail(self.signature):
            _put(output, part)

    @property
    def signature(self) -> str | None:
        """Signature of the rows and their processing; None in formats that cannot store it."""
        if not self._is_signed:
            return None
        return signature(
            "st-table",
            {
                "table": self._rows.table.name,
                "columns": [column.heading for column in self._shown],
                "sort": self._order or None,
                "wide": "=".join(self._each) if self._each else None,
                "rows": self._digest.hexdigest()[:16],
            },
        )

    def _marked(self, best: BestOf, rows: Iterable[Sequence[Any]]) -> list[Row]:
        """Rows as written, with the best values marked among rows of the same quantity."""
        columns = self._columns if self._wide is not None else self._rows.columns
        of = self._rows.answer.of if self._rows.answer is not None else ()
        value = self._each[1] if self._each else None
        rest = len(self._shown) - 2
        places = {
            name: list(range(rest, len(columns)))
            if name == value
            else [place for place, column in enumerate(columns) if column.heading == name]
            for name in best.wanted
        }
        groups = [place for place, column in enumerate(columns) if column.heading in of]
        return [row[: len(self._columns)] for row in best.mark(rows, places, groups)]

    def notes(self) -> Iterator[str]:
        """Notes for the user after all records."""
        yield from self._rows.notes()
        yield from self._ids.notes()
        if count := getattr(self._format, "n_cut", 0):
            yield f"{count_of(count, 'text')} cut to {self._style.width} characters"
        if count := getattr(self._format, "n_like_null", 0):
            are = "cell is the text" if count == 1 else "cells are the text"
            yield f"{count} {are} that stands for null, and in quotation marks: many readers do not tell them apart"

    def write_description(self, path: str | None) -> None:
        """Write a description of a CSV or TSV file to FILE.meta.json. Other formats contain it."""
        if isinstance(self._format, Delimited) and (part := io.part_of(path)) is not None:
            told = description(self._rows.table.name, self._columns)
            told |= {"signature": self.signature, "file": self._format.about()}
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
    best: Sequence[str] = (),
) -> TableWriter:
    """Create the writer of a table.

    Args:
        table: the table.
        kind: file format; None: by the extension of the path, else CSV.
        path: path of the file; None: standard output.
        columns, where, with_utf16: see :class:`Rows`.
        style, order: see :class:`TableWriter`.
        each: "KEY=VALUE" for wide form.
        best: "COLUMN=high" or "COLUMN=low" for columns whose best values are set in bold.

    Raises:
        UsageFault: a column is unknown, the library for the format is missing, the format does not support the style,
            or binary output would go to a terminal.
    """
    kind = kind or format_by_ending(path)
    if kind in BINARIES and path in (None, "-") and sys.stdout.isatty():
        raise UsageFault(f"{kind} cannot be shown on a terminal: name a file with {parameter('output')}")
    asked = {
        "caption": style.caption is not None, "label": style.label is not None, "digits": style.digits is not None,
        "width": style.width is not None, "interval": style.has_intervals, "best": bool(best),
    }  # fmt: skip
    for name in (name for name, is_asked in asked.items() if is_asked):
        formats = ["latex"] if name in ("caption", "label") else ["latex", "markdown"]
        if kind not in formats:
            choices = " or ".join(parameter("to", one) for one in formats)
            raise UsageFault(f"has no effect on a table in {kind}: use {choices}", parameter=name)
    if style.label is not None and not _IS_LABEL.fullmatch(style.label):
        raise UsageFault("a label consists of letters, digits and : . - / +", parameter="label")
    if style.is_european and kind != "csv":
        raise UsageFault(f"{kind} has no European variant: {parameter('eu')} is for CSV")
    if style.null is not None and (kind in BINARIES or not _IS_NULL.fullmatch(style.null)):
        reason = f"{kind} has a null of its own" if kind in BINARIES else "it has a mark that divides cells, or a quote"
        raise UsageFault(reason, parameter="null")
    key, equals, value = (each or "").partition("=")
    if each is not None and not (key and equals and value):
        raise UsageFault(f'"{each}" is not KEY=VALUE, the headings of two columns', parameter="wide")
    shown = Rows(table, columns, where, with_utf16=with_utf16, with_intervals=style.has_intervals).columns
    names = [column.heading for column in shown]
    answer = ANSWERS.get(table.name)
    beside = [name for name in answer.of if name not in names] if best and each is None and answer is not None else []
    rows = Rows(
        table, [*names, *beside], where, with_utf16=with_utf16, with_intervals=style.has_intervals,
        with_reasons=kind == "latex",
    )  # fmt: skip
    return TableWriter(rows, kind, style, order, (key, value) if each is not None else None, best, len(names))


def make_format(name: str, table: str, columns: Sequence[Column], style: Style = PLAIN) -> Format:
    """Create the writer of a format.

    Raises:
        UsageFault: the required library is missing.
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
