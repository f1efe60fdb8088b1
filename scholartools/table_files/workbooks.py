"""Excel workbooks (.xlsx): the cells of a sheet in rows."""

from __future__ import annotations

import io
import posixpath
import re
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, BinaryIO

from scholartools.errors import InputFault
from scholartools.table_files.cells import FormulaError
from scholartools.table_files.libraries import extra

if TYPE_CHECKING:
    import zipfile

_MARKED = re.compile(rb"""\st=["']e["']""")
_PLACE = re.compile(r"([A-Z]{1,3})([0-9]{1,7})")
_RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_STRICT_RELATION = "{http://purl.oclc.org/ooxml/officeDocument/relationships}id"

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
        found = sheet.to_python(skip_empty_area=False)
        data.seek(0)
        with zipfile.ZipFile(data) as archive:
            for (row, column), error in _errors(archive).items():
                if row < len(found) and column < len(found[row]):
                    found[row][column] = error
    except Exception as error:  # the library has several, and none in common
        raise InputFault(f"{name}: no Excel workbook that can be read: {error}", kind="not-a-table") from None
    if others:
        named = ", ".join(f'"{one}"' for one in others)
        tell(f'{name}: the sheet "{book.sheet_names[0]}" is read, and not {named}')
    yield from enumerate(found, 1)


def _errors(archive: zipfile.ZipFile) -> Mapping[tuple[int, int], FormulaError]:
    """The cells of the first sheet in which a formula failed, by row and column from 0: the library has them empty."""
    from defusedxml import ElementTree

    book = ElementTree.fromstring(archive.read("xl/workbook.xml"))
    first = next(node for node in book.iter() if _name(node) == "sheet")
    wanted = first.get(_RELATION) or first.get(_STRICT_RELATION)
    relations = ElementTree.fromstring(archive.read("xl/_rels/workbook.xml.rels"))
    target = next(str(node.get("Target")) for node in relations if node.get("Id") == wanted)
    data = archive.read(posixpath.normpath(posixpath.join("/xl", target))[1:])
    found: dict[tuple[int, int], FormulaError] = {}
    if not _MARKED.search(data):
        return found
    row = column = -1
    for event, node in ElementTree.iterparse(io.BytesIO(data), ("start", "end")):
        name = _name(node)
        if event == "start" and name == "row":
            row, column = int(node.get("r", row + 2)) - 1, -1
        elif event == "end" and name == "c":
            place = _PLACE.fullmatch(node.get("r", ""))
            column = _number(place[1]) - 1 if place else column + 1
            if node.get("t") == "e":
                text = next((inner.text for inner in node if _name(inner) == "v"), None)
                found[row, column] = FormulaError(text or "#N/A")
        elif event == "end" and name == "row":
            node.clear()
    return found


def _name(node: Any) -> str:
    return str(node.tag).rpartition("}")[2]


def _number(letters: str) -> int:
    """The number of a column from 1: A, ..., Z, AA."""
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - ord("A") + 1
    return number
