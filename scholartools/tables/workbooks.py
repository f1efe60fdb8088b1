"""Excel workbooks (.xlsx): the cells of a sheet in rows."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO

from scholartools.errors import InputFault
from scholartools.tables.libraries import extra

#: The sheet that tells how a table was made.
ABOUT = "scholartools"


def rows(file: BinaryIO, name: str, tell: Callable[[str], None]) -> Iterator[tuple[int, list[Any]]]:
    """The rows of the first sheet with their numbers from 1, as the workbook shows them.

    Raises:
        InputFault: it is no workbook.
        UsageFault: the library that reads it is not installed.
    """
    import zipfile  # not for every command

    with extra("tables", "python-calamine"):
        import python_calamine as calamine
    data = io.BytesIO(file.read())
    if not zipfile.is_zipfile(data):
        raise InputFault(f"{name}: no Excel workbook (.xlsx)", kind="not-a-table")
    data.seek(0)
    try:
        book = calamine.CalamineWorkbook.from_filelike(data)
        sheet = book.get_sheet_by_index(0)
        others = [one for one in book.sheet_names[1:] if one != ABOUT and book.get_sheet_by_name(one).end]
        found = iter(sheet.to_python(skip_empty_area=False))
    except Exception as error:  # the library has several, and none in common
        raise InputFault(f"{name}: no Excel workbook that can be read: {error}", kind="not-a-table") from None
    if others:
        named = ", ".join(f'"{one}"' for one in others)
        tell(f'{name}: the sheet "{book.sheet_names[0]}" is read, and not {named}')
    yield from enumerate(found, 1)
