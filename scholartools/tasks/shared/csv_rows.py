"""Read tables that annotators filled in; rows with ambiguous cells are rejected."""

from __future__ import annotations

import contextlib
import csv
import io
import itertools
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO

from scholartools.errors import InputFault, UsageFault
from scholartools.file_kinds import marked_encoding
from scholartools.records import Record
from scholartools.table_files.reading import JSON_LINES, Reading, read_rows

_LARGEST_CELL = 2**31 - 1
# Cell separators that spreadsheets use, depending on the locale.
_DIVIDERS = ",;\t"
_SEP = re.compile(r"sep=(.)\r?\n", re.I)


def is_table(path: str) -> bool:
    """Whether the file name's extension is one that :func:`read_table` reads: a table format other than plain CSV."""
    return JSON_LINES.format_of(path) != "jsonl" and not path.lower().endswith(".csv")


def read_table(file: BinaryIO, path: str, column: str | None = None) -> tuple[list[str], Iterator[tuple[str, Record]]]:
    """The header of a workbook, TSV or Parquet file, and its rows as dictionaries of texts with their locations.

    A table without rows has an empty header.

    Args:
        column: read the first sheet of a workbook with this column; None: the first sheet.

    Raises:
        UsageFault: the file cannot be read, headings repeat, or a row has too many or too few cells.
    """
    try:
        rows = [*read_rows(file, path, Reading(is_rows=True, column=column))]
    except InputFault as fault:
        raise UsageFault(fault.reason) from None
    if wrong := next((row for row in rows if row.fault), None):
        raise UsageFault(f"{wrong.where}: {wrong.fault.reason if wrong.fault else ''}")
    return list(rows[0].record) if rows else [], ((row.where, row.record) for row in rows)


def open_sheet(path: str, column: str, named: str) -> tuple[list[str], Iterator[tuple[str, Record]]]:
    """The header and rows of a sheet that an annotator filled in: CSV with any separator, or another table format.

    UTF-16 with a byte order mark is supported, which Excel writes as "Unicode text".

    Args:
        column: a column that every such sheet has; identifies the separator, since headings may contain such
            characters.
        named: name of the file in messages.

    Raises:
        UsageFault: see :func:`read_table` and :func:`read_csv_rows`.
    """
    try:
        if is_table(path) and not path.lower().endswith(".tsv"):  # which is read as CSV with tabs
            with Path(path).open("rb") as file:
                return read_table(file, path, column)
        data = Path(path).read_bytes()
        text = data.decode(marked_encoding(data[:4]) or "utf-8").lstrip("\ufeff")
    except OSError as error:
        raise UsageFault(f"{named}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise UsageFault(f"{named}: not UTF-8: save it as CSV in UTF-8") from None
    csv.field_size_limit(_LARGEST_CELL)
    told = _SEP.match(text)
    divider = told[1] if told else _divider_of(text.lstrip("\r\n"), column)
    has_end = text.endswith(("\r", "\n"))
    return read_csv_rows(io.StringIO(text[told.end() :] if told else text, newline=""), path, divider, has_end=has_end)


def _divider_of(text: str, column: str) -> str:
    """The separator with which the header has a column; if none has, the most frequent in the first line."""
    for divider in _DIVIDERS:
        with contextlib.suppress(csv.Error):
            first = next(csv.reader(io.StringIO(text, newline=""), delimiter=divider), [])
            if column in (cell.strip() for cell in first):
                return divider
    return max(_DIVIDERS, key=text.partition("\n")[0].count)


def read_csv_rows(
    lines: Iterable[str], path: str, delimiter: str = ",", *, has_end: bool = True
) -> tuple[list[str], Iterator[tuple[str, Record]]]:
    """The header, and each row as a dictionary with its location.

    Args:
        has_end: whether the last row ends with a line break. Programs may omit trailing empty cells, or the last
            line break; if both are missing, the file is considered truncated.

    Raises:
        UsageFault: headings repeat; while iterating: a row has too many cells, the last one is truncated, or the file
            is not valid CSV.
    """
    reader = csv.reader(lines, strict=True, delimiter=delimiter)
    try:
        headings = next((row for row in reader if any(cell.strip() for cell in row)), [])
    except csv.Error as error:
        raise UsageFault(f"{path}: cannot be read: {error}") from None
    if len(headings) == 1 and (other := next((mark for mark in ";\t" if mark in headings[0]), None)):
        raise UsageFault(f"{path}:1: cells are separated by {other!r}: separate them by {delimiter!r}")
    counts = Counter(heading.strip() for heading in headings)
    if twice := [heading for heading, count in counts.items() if heading and count > 1]:
        raise UsageFault(f'{path}:1: two columns are "{twice[0]}"')
    return headings, _iter_rows(reader, headings, path, has_end=has_end)


def _iter_rows(reader: Any, headings: list[str], path: str, *, has_end: bool) -> Iterator[tuple[str, Record]]:
    n_cells = len(headings)
    try:
        for row in reader:
            n_cells = len(row)
            if any(cell.strip() for cell in row[len(headings) :]):
                reason = "more cells than the header has: a text with a comma needs quotation marks"
                raise UsageFault(f"{path}:{reader.line_num}: {reason}")
            if row:
                yield f"{path}:{reader.line_num}", dict(itertools.zip_longest(headings, row[: len(headings)]))
    except csv.Error as error:
        raise UsageFault(f"{path}: cannot be read: {error}") from None
    if not has_end and n_cells < len(headings):
        raise UsageFault(f"{path}:{reader.line_num}: the file ends within a row, so it is incomplete")
