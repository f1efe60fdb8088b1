"""Tables as Excel workbooks: texts are texts, never formulas, links or dates."""

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

_MOST_ROWS = 1 << 20  # of a sheet, with the headings
_LONGEST = 32_767  # UTF-16 units of a cell
_MOST_DIGITS = 10**15  # numbers from here on lose digits
_CHUNK = 1 << 20
_DAY = datetime.datetime(1980, 1, 1)  # the same input gives the same bytes


class Workbook:
    """A sheet with the rows, and one that says what the columns are. None and an empty text are empty cells."""

    def __init__(self, table: str, columns: Sequence[Column]) -> None:
        """Begin a file.

        Raises:
            UsageFault: xlsxwriter is not installed.
        """
        with extra("tables", "xlsxwriter"):
            import xlsxwriter
        self._columns, self._n = columns, 0
        with in_temporary_folder():
            self._file = tempfile.TemporaryFile()
            # xlsxwriter has a file for each sheet, which it leaves there where the book is never closed.
            self._folder = tempfile.TemporaryDirectory()
        self._book = xlsxwriter.Workbook(self._file, {"constant_memory": True, "tmpdir": self._folder.name})
        self._book.set_properties({"created": _DAY})
        self._bold, self._plain = self._book.add_format({"bold": True}), self._book.add_format()
        self._sheet, self._notes = self._book.add_worksheet(table[:31]), self._book.add_worksheet("columns")
        for sheet in (self._sheet, self._notes):
            sheet.freeze_panes(1, 0)
        self._write(self._sheet, 0, [column.heading for column in columns], self._bold)

    def head(self) -> bytes:
        """Nothing: all is written at the end."""
        return b""

    def check(self, row: Row) -> None:
        """Refuse texts that are longer than a cell may be: Excel would cut them.

        Raises:
            InputFault: so.
        """
        for cell, column in zip(row, self._columns, strict=True):
            if isinstance(cell, (str, list)) and (units := (len(text_of(cell).encode("utf-16-le")) // 2)) > _LONGEST:
                reason = f"{column.heading} of {units} characters, of which a cell of a workbook holds {_LONGEST}"
                raise InputFault(f"{reason}: choose other columns, or CSV or Parquet", kind="too-long")

    def add(self, rows: Sequence[Row]) -> bytes:
        """Nothing yet.

        Raises:
            UsageFault: there are more rows than a sheet holds.
        """
        for row in rows:
            self._n += 1
            if self._n >= _MOST_ROWS:
                raise UsageFault(f"a sheet of a workbook holds {_MOST_ROWS - 1} rows: CSV and Parquet hold more")
            with in_temporary_folder():
                self._write(self._sheet, self._n, row)
        return b""

    def tail(self, signature: str | None = None) -> Iterator[bytes]:
        """The file, with the signature as the comment among its properties."""
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
        """Make the file of the sheets' files.

        Raises:
            OSError: there is no space for it.
        """
        from xlsxwriter.exceptions import FileCreateError

        try:
            self._book.close()
        except FileCreateError as error:  # which stands for the fault of the system
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
        if text.startswith("<r>") and text.endswith("</r>"):  # which xlsxwriter takes for its own XML
            return sheet.write_rich_string(number, place, text[:1], self._plain, text[1:])
        return sheet.write_string(number, place, text, style)
