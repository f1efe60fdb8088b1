"""Read the rows of a table file as records, each with its position."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any, BinaryIO, NamedTuple

from scholartools.compression import unpacked, without_ending
from scholartools.errors import InputFault
from scholartools.json_text import loads_exactly
from scholartools.records import Record
from scholartools.table_files import columnar, workbooks
from scholartools.table_files.cells import EMPTY, FormulaError, text_of, value_of
from scholartools.table_files.delimited import Delimited
from scholartools.table_files.formats import DESCRIBED
from scholartools.table_files.guard import unguard_any
from scholartools.table_files.headings import Columns, columns_of
from scholartools.table_files.types import Part
from scholartools.vocabulary import TABLE_FORMATS
from scholartools.wording import count_of


class Reading(NamedTuple):
    """Options for reading tables.

    Attributes:
        format: one of ``vocabulary.RECORD_FORMATS``; None: by the suffix of the file name (before ".gz" or ".zst"),
            JSON Lines for an unknown suffix.
        mapping: pairs of a new name and the heading that it replaces.
        is_rows: whether rows are ratings or numbers, not papers: headings are plain keys, and cells are texts.
        text_as: meaning of a column "text" in this command: "abstract", "section"; None: a key like any other.
        column: in a workbook, the first sheet with this heading is read; without such a sheet, or for None, the first.
        has_option: whether the command has a parameter for the format of the file.
        tell: receives messages for the user.
    """

    format: str | None = None
    mapping: Sequence[tuple[str, str]] = ()
    is_rows: bool = False
    text_as: str | None = None
    column: str | None = None
    has_option: bool = False
    tell: Callable[[str], None] = lambda _: None

    def format_of(self, path: str) -> str:
        """Format of a file."""
        if self.format is not None:
            return self.format
        ending = os.path.splitext(without_ending(path.lower()))[1].removeprefix(".")
        return ending if ending in TABLE_FORMATS else "jsonl"


#: Default: tables by the suffix of the file name, all other files as JSON Lines.
JSON_LINES = Reading()


class Row(NamedTuple):
    """A row: position, record, and the fault if it is not a valid record."""

    where: str
    record: Record
    fault: InputFault | None = None


def read_rows(file: BinaryIO, path: str, reading: Reading) -> Iterator[Row]:
    """Rows of a table as records; empty rows are skipped.

    Raises:
        InputFault: the file is not a table or is damaged; an invalid row is a :class:`Row` with a fault.
        UsageFault: a library is not installed, or a heading to be renamed is missing.
    """
    kind, name = reading.format_of(path), "standard input" if path == "-" else path
    file, divider = unpacked(file), ","
    if kind == "xlsx":
        found: Iterator[tuple[int, list[Any]]] = workbooks.rows(file, name, reading.tell, reading.column)
    elif kind == "parquet":
        found = columnar.rows(file, name)
    else:
        table = Delimited(file, name, "\t" if kind == "tsv" else None, has_option=reading.has_option)
        found, divider = table.rows(), table.divider
    heading = next(((number, cells) for number, cells in found if any(text_of(cell).strip() for cell in cells)), None)
    if heading is None:
        return
    headings = [text_of(cell) for cell in heading[1]]
    while headings and not headings[-1].strip():
        headings.pop()
    columns = columns_of(
        headings, f"{name}:{heading[0]}", mapping=reading.mapping, is_rows=reading.is_rows, text_as=reading.text_as,
        is_typed=kind == "parquet",
    )  # fmt: skip
    for note in columns.notes:
        reading.tell(f"{name}: {note}")
    is_guarded = kind in ("csv", "tsv") and _is_guarded(path, name, reading)
    yield from _Maker(columns, path, divider == ";", reading, is_guarded=is_guarded).rows(found)


def _is_guarded(path: str, name: str, reading: Reading) -> bool:
    """Whether the description file says that texts are guarded against formulas."""
    try:
        with open(path + DESCRIBED, "rb") as file:
            is_guarded = bool(loads_exactly(file.read())[0]["file"]["is_guarded"])
    except (OSError, ValueError, KeyError, TypeError):
        return False
    if is_guarded:
        reading.tell(f"{name}: the apostrophes before texts like formulas are removed, as {name}{DESCRIBED} says")
    return is_guarded


class _Maker:
    """Converts the rows of one table to records."""

    def __init__(self, columns: Columns, path: str, decimal_comma: bool, reading: Reading, *, is_guarded: bool) -> None:
        self._is_guarded = is_guarded
        self._columns, self._reading, self._decimal_comma = columns, reading, decimal_comma
        self._name = "standard input" if path == "-" else path
        self._path = path
        stem = without_ending(os.path.basename(path))
        self._stem = "stdin" if path == "-" else os.path.splitext(stem)[0]
        self._unnamed: list[str] = []
        self._n_unnamed = 0
        self._dates: Counter[str] = Counter()
        self._with_time: dict[str, str] = {}
        self._missing: Counter[str] = Counter()

    def rows(self, found: Iterator[tuple[int, list[Any]]]) -> Iterator[Row]:
        for number, cells in found:
            if all(cell is None or (_is_text(cell) and not cell.strip()) for cell in cells):
                continue
            where = f"{self._path}:{number}"
            try:
                yield Row(where, self._record_of(cells, number))
            except InputFault as fault:
                yield Row(where, {"cells": [_shown(cell) for cell in cells]}, fault)
        self._tell()

    def _record_of(self, cells: list[Any], number: int) -> Record:
        columns = self._columns.columns
        if len(cells) < len(columns) or any(_shown(cell) != "" for cell in cells[len(columns) :]):
            reason = f"{count_of(len(cells), 'cell')}, but the table has {count_of(len(columns), 'heading')}"
            hint = "" if len(cells) < len(columns) else ": a text with the divider in it needs quotation marks"
            hint = ": delete the rows above the row of headings" if len(columns) == 1 else hint
            raise InputFault(reason + hint, kind="ragged-row")
        if self._reading.is_rows:
            return self._row_of(cells)
        made: dict[Any, Any] = {}
        for column, cell in zip(columns, cells, strict=False):
            value = self._value_of(cell, column.heading, column.kind)
            if value is not EMPTY:
                _put(made, column.path, value)
        for path, value in self._columns.constants.items():
            if path[0] in made:
                _put(made, path, value)
        record: Record = _with_lists(made)
        if "id" not in record:
            record = {"id": f"{self._stem}-{number}", **record}
            self._n_unnamed += 1
            self._unnamed = [*self._unnamed, record["id"]][:2]
        return record

    def _row_of(self, cells: list[Any]) -> Record:
        """Row of ratings; an empty cell becomes an empty text, which readers of ratings count as missing."""
        made: Record = {}
        for column, cell in zip(self._columns.columns, cells, strict=False):
            if isinstance(cell, FormulaError) and not cell:
                raise cell.refused()
            # Readers of ratings count a failed formula as missing, like an empty cell.
            value = str(cell) if isinstance(cell, FormulaError) else self._value_of(cell, column.heading, column.kind)
            made[str(column.path[0])] = value if value is not EMPTY else cell if isinstance(cell, str) else None
        return made

    def _value_of(self, cell: Any, heading: str, kind: str | None) -> Any:
        if hasattr(cell, "isoformat"):
            self._dates[heading] += 1
            if len(shown := cell.isoformat()) != len("YYYY-MM-DD"):
                self._with_time.setdefault(heading, shown)
        if isinstance(cell, FormulaError):
            self._missing[heading] += cell.is_missing
        if self._is_guarded and isinstance(cell, str):
            cell = unguard_any(cell)
        try:
            return value_of(cell, kind, decimal_comma=self._decimal_comma)
        except InputFault as fault:
            raise InputFault(f'"{heading}": {fault.reason}', kind=fault.kind) from None

    def _tell(self) -> None:
        tell = self._reading.tell
        if self._n_unnamed:
            several = "row has no id, and got the" if self._n_unnamed == 1 else "rows have no id, and got the"
            named = ", ".join(self._unnamed) + (", ..." if self._n_unnamed > len(self._unnamed) else "")
            tell(f"{self._name}: {self._n_unnamed} {several} file name and row number as id: {named}")
        for heading, count in self._dates.items():
            several = "cell is a date" if count == 1 else "cells are dates"
            shown = self._with_time.get(heading, "YYYY-MM-DD")
            tell(f'{self._name}: {count} {several} in the file: "{heading}" has them as {shown}')
        for heading, count in (+self._missing).items():
            tell(
                f'{self._name}: {count} {"cell is" if count == 1 else "cells are"} #N/A: "{heading}" has no value there'
            )


def _is_text(cell: Any) -> bool:
    return isinstance(cell, str) and not isinstance(cell, FormulaError)


def _put(made: dict[Any, Any], path: Sequence[Part], value: Any) -> None:
    here = made
    for part in path[:-1]:
        here = here.setdefault(part, {})
    here[path[-1]] = value


def _with_lists(made: Any) -> Any:
    """Convert objects whose keys are indexes to lists, recursively."""
    if not isinstance(made, dict):
        return made
    if not any(isinstance(key, int) for key in made):
        return {key: _with_lists(value) for key, value in made.items()}
    if sorted(made) != list(range(len(made))):
        missing = next(place for place in range(len(made)) if place not in made)
        raise InputFault(f"a list has a place {max(made)} and no place {missing}", kind="ragged-row")
    return [_with_lists(made[place]) for place in range(len(made))]


def _shown(cell: Any) -> Any:
    """Cell as a JSON value."""
    if cell is None or isinstance(cell, (str, bool, int)):
        return "" if cell is None else cell
    return str(cell)
