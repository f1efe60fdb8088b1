"""CSV files that people fill in: rows refused where a cell cannot be told from its neighbour's, and guarded cells.

A spreadsheet runs what stands behind =, +, - or @ at the start of a cell, which a text by a model may hold.
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterable, Iterator

from scholartools.errors import UsageFault
from scholartools.records import Record

#: Before a whole sheet, so that spreadsheets read it as UTF-8.
BYTE_ORDER_MARK = "\ufeff"

_STARTS = frozenset("=+-@\uff1d\uff0b\uff0d\uff20")
# What spreadsheets may take away before them, beside blanks and what cannot be seen.
_QUOTES = frozenset("'\"`\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u201f")
_NUMBER = re.compile(r"[+-]?[0-9]+(?:[.,][0-9]+)?(?:[eE][+-]?[0-9]+)?")


def guard_cell(text: str) -> str:
    """A text as a cell in which no spreadsheet finds a formula: with an apostrophe before it. A number stays."""
    first = next((one for one in text if one.isprintable() and not one.isspace() and one not in _QUOTES), "")
    is_formula = first in _STARTS and not _NUMBER.fullmatch(text)
    return f"'{text}" if is_formula or text[:1] in ("\t", "\r") else text


def unguard_cell(cell: str, known: Iterable[str]) -> str:
    """The known text that a cell is the guarded form of, else the cell: an apostrophe may be the text's own."""
    return next((text for text in known if cell in (text, guard_cell(text))), cell)


def read_csv_rows(
    lines: Iterable[str], path: str, delimiter: str = ","
) -> tuple[list[str], Iterator[tuple[str, Record]]]:
    """The headings, and each row by its heading with where it stands.

    Raises:
        UsageFault: two columns have one heading; from the rows, one has a cell too many, or the file is no CSV.
    """
    reader = csv.DictReader(lines, strict=True, delimiter=delimiter)
    try:
        headings = list(reader.fieldnames or ())
    except csv.Error as error:
        raise UsageFault(f"{path}: cannot be read: {error}") from None
    if len(headings) == 1 and (other := next((mark for mark in ";\t" if mark in headings[0]), None)):
        raise UsageFault(f"{path}:1: cells are separated by {other!r} here: write {delimiter!r} between them")
    counts = Counter(heading.strip() for heading in headings)
    if twice := [heading for heading, count in counts.items() if heading and count > 1]:
        raise UsageFault(f'{path}:1: two columns are "{twice[0]}"')
    return headings, _iter_rows(reader, path)


def _iter_rows(reader: csv.DictReader[str], path: str) -> Iterator[tuple[str, Record]]:
    try:
        for row in reader:
            if None in row:
                reason = "more cells than the header has: a text with a comma needs quotation marks"
                raise UsageFault(f"{path}:{reader.line_num}: {reason}")
            yield f"{path}:{reader.line_num}", row
    except csv.Error as error:
        raise UsageFault(f"{path}: cannot be read: {error}") from None
