"""Write tables as Excel workbooks: texts remain texts, never formulas, links or dates."""

from __future__ import annotations

import datetime
import tempfile
from collections.abc import Iterator, Sequence
from typing import Any

from scholartools.errors import InputFault, UsageFault
from scholartools.scratch import in_temporary_folder
from scholartools.table_files.formats import Column, Row
from scholartools.table_files.libraries import extra
from scholartools.table_files.text_out import text_of

_MOST_ROWS = 1 << 20  # rows per sheet, including the headings
_LONGEST = 32_767  # maximum length of a cell in UTF-16 units
_MOST_DIGITS = 10**15  # larger numbers lose digits
_CHUNK = 1 << 20
_DAY = datetime.datetime(1980, 1, 1)  # fixed, so that the same input gives the same bytes


class Workbook:
    """Workbook with a sheet for the rows and one that describes the columns. None and an empty text are empty cells."""

    def __init__(self, table: str, columns: Sequence[Column]) -> None:
        """Start a file.

        Raises:
            UsageFault: xlsxwriter is not installed.
        """
        with extra("tables", "xlsxwriter"):
            import xlsxwriter
        self._columns, self._n = columns, 0
        with in_temporary_folder():
            self._file = tempfile.TemporaryFile()
            # xlsxwriter creates a file per sheet and leaves it behind if the workbook is never closed.
            self._folder = tempfile.TemporaryDirectory()
        self._book = xlsxwriter.Workbook(self._file, {"constant_memory": True, "tmpdir": self._folder.name})
        self._book.set_properties({"created": _DAY})
        self._bold, self._plain = self._book.add_format({"bold": True}), self._book.add_format()
        self._sheet, self._notes = self._book.add_worksheet(table[:31]), self._book.add_worksheet("columns")
        for sheet in (self._sheet, self._notes):
            sheet.freeze_panes(1, 0)
        self._write(self._sheet, 0, [column.heading for column in columns], self._bold)

    def head(self) -> bytes:
        """Return nothing: everything is written at the end."""
        return b""

    def check(self, row: Row) -> None:
        """Reject texts longer than a cell, which Excel would truncate.

        Raises:
            InputFault: a text is too long.
        """
        for cell, column in zip(row, self._columns, strict=True):
            if isinstance(cell, (str, list)) and (units := (len(text_of(cell).encode("utf-16-le")) // 2)) > _LONGEST:
                reason = f"{column.heading} of {units} characters, of which a cell of a workbook holds {_LONGEST}"
                raise InputFault(f"{reason}: choose other columns, or CSV or Parquet", kind="too-long")

    def add(self, rows: Sequence[Row]) -> bytes:
        """Write the rows to the temporary file; return nothing.

        Raises:
            UsageFault: there are more rows than a sheet can hold.
        """
        for row in rows:
            self._n += 1
            if self._n >= _MOST_ROWS:
                raise UsageFault(f"a sheet of a workbook holds {_MOST_ROWS - 1} rows: CSV and Parquet hold more")
            with in_temporary_folder():
                self._write(self._sheet, self._n, row)
        return b""

    def tail(self, signature: str | None = None) -> Iterator[bytes]:
        """Contents of the file, with the signature as comment in its properties."""
        if signature is not None:
            self._book.set_properties({"created": _DAY, "comments": signature})
        self._write(self._notes, 0, Column._fields, self._bold)
        for number, column in enumerate(self._columns, 1):
            self._write(self._notes, number, column)
        with in_temporary_folder():
            self._close_book()
            self._file.seek(0)
        while chunk := self._file.read(_CHUNK):
            yield chunk
        self._file.close()

    def _close_book(self) -> None:
        """Assemble the workbook from the files of its sheets.

        Raises:
            OSError: the disk is full.
        """
        from xlsxwriter.exceptions import FileCreateError

        try:
            self._book.close()
        except FileCreateError as error:  # wraps the OSError
            raise next((one for one in error.args if isinstance(one, OSError)), OSError(str(error))) from None
        self._folder.cleanup()

    def _write(self, sheet: Any, number: int, cells: Row, style: Any = None) -> None:
        for place, cell in enumerate(cells):
            if cell is None or cell == "":
                continue
            if isinstance(cell, bool):
                status = sheet.write_boolean(number, place, cell, style)
            elif isinstance(cell, (int, float)) and abs(cell) < _MOST_DIGITS:
                status = sheet.write_number(number, place, cell, style)
            else:
                status = self._write_text(sheet, number, place, text_of(cell), style)
            if status:
                raise ValueError(f"xlsxwriter refused row {number}, column {place}: {status}")

    def _write_text(self, sheet: Any, number: int, place: int, text: str, style: Any) -> Any:
        if text.startswith("<r>") and text.endswith("</r>"):  # xlsxwriter would parse it as rich text XML
            return sheet.write_rich_string(number, place, text[:1], self._plain, text[1:])
        return sheet.write_string(number, place, text, style)
