"""Write tables as Parquet files: types by the kinds of the columns, so that all files of one table have one schema."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from typing import Any

from scholartools.errors import InputFault
from scholartools.json_text import dumps
from scholartools.scratch import in_temporary_folder
from scholartools.table_files.formats import SIGNATURE_KEY, Column, Row, description
from scholartools.table_files.libraries import extra
from scholartools.table_files.text_out import text_of

_GROUP = 10_000  # rows per row group, and in memory at once
_CHUNK = 1 << 20
_INTEGERS = range(-(1 << 63), 1 << 63)


class Parquet:
    """Parquet file: strings, 64-bit integers, floats, booleans, lists of strings; None is null."""

    def __init__(self, table: str, columns: Sequence[Column]) -> None:
        """Start a file.

        Raises:
            UsageFault: pyarrow is not installed.
        """
        self._columns = columns
        self._schema = schema_of(table, columns)
        import pyarrow
        from pyarrow import parquet

        with in_temporary_folder():
            self._file = tempfile.TemporaryFile()
        self._make, self._rows = pyarrow.table, list[Row]()
        self._writer = parquet.ParquetWriter(self._file, self._schema, compression="zstd")

    def head(self) -> bytes:
        """Return nothing: everything is written at the end."""
        return b""

    def check(self, row: Row) -> None:
        """Reject integers of more than 64 bits, and numbers that a float cannot represent.

        Raises:
            InputFault: the row contains such a number.
        """
        check(self._columns, row)

    def add(self, rows: Sequence[Row]) -> bytes:
        """Buffer the rows; return nothing."""
        for row in rows:
            self._rows.append(row)
            if len(self._rows) == _GROUP:
                self._flush()
        return b""

    def tail(self, signature: str | None = None) -> Iterator[bytes]:
        """Contents of the file, with the signature in its metadata."""
        if self._rows:
            self._flush()
        if signature is not None:
            self._writer.add_key_value_metadata({SIGNATURE_KEY: signature})
        with in_temporary_folder():
            self._writer.close()
            self._file.seek(0)
        while chunk := self._file.read(_CHUNK):
            yield chunk
        self._file.close()

    def _flush(self) -> None:
        named = lists_of(self._columns, self._rows)
        with in_temporary_folder():
            self._writer.write_table(self._make(named, schema=self._schema), row_group_size=_GROUP)
        self._rows = []


def schema_of(table: str, columns: Sequence[Column]) -> Any:
    """Arrow schema of a table, with a description of the table as metadata under "scholartools".

    Raises:
        UsageFault: pyarrow is not installed.
    """
    with extra("parquet", "pyarrow"):
        import pyarrow
    types = {
        "text": pyarrow.string(), "json": pyarrow.string(), "integer": pyarrow.int64(),
        "number": pyarrow.float64(), "boolean": pyarrow.bool_(), "texts": pyarrow.list_(pyarrow.string()),
    }  # fmt: skip
    fields = [pyarrow.field(column.heading, types[column.kind]) for column in columns]
    return pyarrow.schema(fields, {"scholartools": dumps(description(table, columns))})


def check(columns: Sequence[Column], row: Row) -> None:
    """Reject integers of more than 64 bits, and numbers that a float cannot represent.

    Raises:
        InputFault: the row contains such a number.
    """
    for cell, column in zip(row, columns, strict=True):
        if column.kind == "integer" and cell is not None and cell not in _INTEGERS:
            raise InputFault(f"{column.heading}: {cell} has more than 64 bits", kind="invalid-key")
        if column.kind == "number" and isinstance(cell, int) and (abs(cell) >= 1 << 1023 or float(cell) != cell):
            raise InputFault(f"{column.heading}: {cell} is not a floating-point number", kind="invalid-key")


def lists_of(columns: Sequence[Column], rows: Sequence[Row]) -> dict[str, list[Any]]:
    """Cells of each column, by heading."""
    return {column.heading: [_value(row[place], column.kind) for row in rows] for place, column in enumerate(columns)}


def _value(cell: Any, kind: str) -> Any:
    if isinstance(cell, str):
        return text_of(cell)
    if isinstance(cell, list):
        return [one if one is None else text_of(one) for one in cell]
    return float(cell) if kind == "number" and cell is not None else cell
