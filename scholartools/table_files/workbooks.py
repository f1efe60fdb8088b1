"""Read Excel workbooks (.xlsx): rows of the cells of a sheet."""

from __future__ import annotations

import io
import posixpath
import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, BinaryIO

from scholartools.errors import InputFault
from scholartools.parameters import parameter
from scholartools.table_files.cells import FormulaError
from scholartools.table_files.libraries import extra
from scholartools.wording import count_of

if TYPE_CHECKING:
    import zipfile

# Cells with errors or formulas; merged cells; rows hidden manually or by a filter.
_MARKED = re.compile(rb"""\st=["']e["']|<(?:\w+:)?f[\s/>]""")
_MERGED = re.compile(rb"<(?:\w+:)?mergeCell\s")
_HIDDEN_ROW = re.compile(rb"""<(?:\w+:)?row\s[^<>]*?\bhidden=["'](?:1|true)["']""")
# A non-empty cell with its reference, if given; a row with its number.
_FILLED = re.compile(rb"""<(?:\w+:)?c(?=[\s>])(?:[^<>]*?\br=["']([A-Z]{1,3})([0-9]{1,7})["'])?[^<>]*(?<!/)>""")
_ROW = re.compile(rb"""<(?:\w+:)?row(?=[\s>])(?:[^<>]*?\br=["']([0-9]{1,7})["'])?""")
# Upper bounds on the cells between the first and the last non-empty one, for all of which the library allocates memory,
# and on the uncompressed bytes of the file.
_MOST_CELLS, _MOST_BYTES = 20_000_000, 2**30
_MOST_COLUMNS = 16_384
_PLACE = re.compile(r"([A-Z]{1,3})([0-9]{1,7})")
# Escapes of two characters that are invalid in XML, which the library does not decode; and the same sequences as
# literal text.
_UNREAD = re.compile(r"_x(FFF[EF])_", re.IGNORECASE)
_UNREAD_AS_WORDS = re.compile(rb"_x005F_xFFF[EF]_", re.IGNORECASE)
_TEXTS = "xl/sharedStrings.xml"
_RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_STRICT_RELATION = "{http://purl.oclc.org/ooxml/officeDocument/relationships}id"

#: Name of the sheet that describes how a table was made.
ABOUT = "scholartools"


def rows(
    file: BinaryIO, name: str, tell: Callable[[str], None], heading: str | None = None
) -> Iterator[tuple[int, list[Any]]]:
    """Rows of the first visible sheet, numbered from 1 as in the workbook.

    Args:
        heading: a sheet with this heading is preferred.

    Raises:
        InputFault: it is not a valid workbook.
        UsageFault: python-calamine is not installed.
    """
    import zipfile  # imported here to keep start-up fast

    with extra("tables", "python-calamine"):
        import python_calamine as calamine
    data = io.BytesIO(file.read())
    if not zipfile.is_zipfile(data):
        how = f"{parameter('input_format')} names its true format, such as csv"
        raise InputFault(f"{name}: the file is not an Excel workbook (.xlsx): {how}", kind="not-a-table")
    data.seek(0)
    try:
        with zipfile.ZipFile(data) as archive:
            _check_sizes(archive, name)
            book = calamine.CalamineWorkbook.from_filelike(io.BytesIO(data.getbuffer()))
            chosen, xml = _chosen(archive, lambda sheet: heading is not None and _has(book, sheet, heading))
            texts = archive.read(_TEXTS) if _TEXTS in archive.namelist() else b""
        others = [one for one in book.sheet_names if one not in (chosen, ABOUT) and book.get_sheet_by_name(one).end]
        found = book.get_sheet_by_name(chosen).to_python(skip_empty_area=False)
        n_formulas = 0
        for (row, column), error in _formulas(xml):
            n_formulas += error is None
            if error is not None:
                found += [[] for _ in range(row + 1 - len(found))]  # the library stops at the last value
                width = max(column + 1, len(found[0]))
                found[row] += [""] * (width - len(found[row]))
                found[row][column] = error
    except InputFault:
        raise
    except Exception as error:  # the library has several exceptions without a common base
        raise InputFault(f"{name}: the Excel workbook cannot be read: {error}", kind="not-a-table") from None
    if not any(_UNREAD_AS_WORDS.search(part) for part in (texts, xml)):
        found = [[_with_unread(cell) if isinstance(cell, str) else cell for cell in row] for row in found]
    if others:
        named = ", ".join(f'"{one}"' for one in others)
        tell(f'{name}: the sheet "{chosen}" is read, and not {named}: the sheet to be read must be the first')
    for note in _notes(xml, n_formulas):
        tell(f"{name}: {note}")
    yield from enumerate(found, 1)


def _with_unread(cell: str) -> str:
    """Text with the escapes decoded that the library leaves."""
    return _UNREAD.sub(lambda hit: chr(int(hit[1], 16)), cell) if "_x" in cell else cell


def _check_sizes(archive: zipfile.ZipFile, name: str) -> None:
    """Reject a workbook that would take all memory because of distant cells or its uncompressed size.

    Raises:
        InputFault: the workbook is too large.
    """
    if (size := sum(one.file_size for one in archive.infolist())) > _MOST_BYTES:
        reason = f"its parts have {size // 2**20:,} MB, of which {_MOST_BYTES // 2**20:,} are read: save it as CSV"
        raise InputFault(f"{name}: {reason}", kind="not-a-table")
    for part in archive.namelist():
        if not part.startswith("xl/worksheets/"):
            continue
        n_rows, n_columns = _extent(archive.read(part))
        if n_rows * n_columns > _MOST_CELLS:
            reason = (
                f"{part} has values over {n_rows:,} rows and {n_columns:,} columns: {n_rows * n_columns:,} cells, of "
            )
            reason += f"which {_MOST_CELLS:,} are read: delete cells far from the table, or save the table as CSV"
            raise InputFault(f"{name}: {reason}", kind="not-a-table")


def _extent(xml: bytes) -> tuple[int, int]:
    """Upper bound on the number of rows and columns of a sheet."""
    n_rows = n_unnamed = 0
    letters: set[bytes] = set()
    for hit in _FILLED.finditer(xml):
        if hit[1] is None:
            n_unnamed += 1  # it follows the previous cell
        else:
            letters.add(hit[1])
            n_rows = max(n_rows, int(hit[2]))
    if n_unnamed:
        numbers = [int(number or 0) for number in _ROW.findall(xml)]
        n_rows = max(n_rows, len(numbers), *numbers, 0)
    n_columns = max((_number(one.decode()) for one in letters), default=0)
    return n_rows, n_columns + min(n_unnamed, _MOST_COLUMNS)


def _has(book: Any, sheet: str, column: str) -> bool:
    """Whether a sheet has a heading in its first non-empty row."""
    found = book.get_sheet_by_name(sheet).to_python(skip_empty_area=True, nrows=1)
    return any(str(cell).strip() == column for row in found for cell in row)


def _chosen(archive: zipfile.ZipFile, is_wanted: Callable[[str], bool]) -> tuple[str, bytes]:
    """Name and XML of the first visible sheet, preferably one that is wanted."""
    from defusedxml import ElementTree

    book = ElementTree.fromstring(archive.read("xl/workbook.xml"))
    sheets = [node for node in book.iter() if _name(node) == "sheet"]
    seen = [node for node in sheets if node.get("state", "visible") == "visible"] or sheets
    first = next((node for node in seen if len(seen) > 1 and is_wanted(str(node.get("name")))), seen[0])
    wanted = first.get(_RELATION) or first.get(_STRICT_RELATION)
    relations = ElementTree.fromstring(archive.read("xl/_rels/workbook.xml.rels"))
    target = next(str(node.get("Target")) for node in relations if node.get("Id") == wanted)
    return str(first.get("name")), archive.read(posixpath.normpath(posixpath.join("/xl", target))[1:])


def _notes(xml: bytes, n_formulas: int) -> Iterator[str]:
    """Messages about differences between what the workbook shows and what is read."""
    if n_formulas:
        are = "cell is a formula" if n_formulas == 1 else "cells are formulas"
        yield f"{n_formulas} {are}: what the file keeps as the value is read"
    if count := len(_MERGED.findall(xml)):
        several = "cell goes over several: its value is" if count == 1 else "cells go over several: their values are"
        yield f"{count} merged {several} that of the first, and the others have none"
    if count := len(_HIDDEN_ROW.findall(xml)):
        yield f"{count_of(count, 'hidden row')} read as others are"


def _formulas(xml: bytes) -> Iterator[tuple[tuple[int, int], FormulaError | None]]:
    """Cells with formulas, by row and column from 0: an error for those that failed or were never computed, which the
    library returns as empty; None for the others.
    """
    from defusedxml import ElementTree

    if not _MARKED.search(xml):
        return
    row = column = -1
    for event, node in ElementTree.iterparse(io.BytesIO(xml), ("start", "end")):
        name = _name(node)
        if event == "start" and name == "row":
            row, column = int(node.get("r", row + 2)) - 1, -1
        elif event == "end" and name == "c":
            place = _PLACE.fullmatch(node.get("r", ""))
            column = _number(place[1]) - 1 if place else column + 1
            value = next((inner.text for inner in node if _name(inner) == "v"), None)
            is_formula = any(_name(inner) == "f" for inner in node)
            if node.get("t") == "e":
                yield (row, column), FormulaError(value or "#N/A")
            elif is_formula:
                yield (row, column), FormulaError() if value is None and node.get("t") != "str" else None
        elif event == "end" and name == "row":
            node.clear()


def _name(node: Any) -> str:
    return str(node.tag).rpartition("}")[2]


def _number(letters: str) -> int:
    """Number of a column from 1: A, ..., Z, AA."""
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - ord("A") + 1
    return number
