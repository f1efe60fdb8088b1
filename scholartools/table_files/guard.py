"""Cells of CSV files that spreadsheets open: no text is run as a formula.

A spreadsheet runs what follows =, +, - or @ at the start of a cell, which a text by a model may hold.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

#: Before a whole sheet, so that spreadsheets read it as UTF-8.
BYTE_ORDER_MARK = "\ufeff"

_STARTS = frozenset("=+-@\uff1d\uff0b\uff0d\uff20")
# What spreadsheets may take away before them, beside blanks and what cannot be seen.
_QUOTES = frozenset("'\"`\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u201f")
# Blanks, and characters that are not shown or that a format of spreadsheets cannot hold.
_UNSEEN = re.compile(r"[\s\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2064\ufeff\ufffe\uffff]+")
_FOREIGN = re.compile(r"(?:[^\x00-\x7f]|\?)+")
# Some spreadsheets cut a text behind so many characters.
_LONG_CELL = 32_000
_NUMBER = re.compile(r"[+-]?[0-9]+(?:[.,][0-9]+)?(?:[eE][+-]?[0-9]+)?")


def guard_cell(text: str) -> str:
    """A text as a cell in which no spreadsheet finds a formula: with an apostrophe before it. A number stays."""
    first = next((one for one in text if one.isprintable() and not one.isspace() and one not in _QUOTES), "")
    is_formula = first in _STARTS and not _NUMBER.fullmatch(text)
    return f"'{text}" if is_formula or text[:1] in ("\t", "\r") else text


def unguard_cell(cell: str, known: Iterable[str]) -> str:
    """The known text that a cell is the guarded form of, else the cell: an apostrophe may be the text's own."""
    return next((text for text in known if cell in (text, guard_cell(text))), cell)


def unguard_any(cell: str) -> str:
    """The text of a cell of a file of which all texts are guarded."""
    return cell[1:] if cell.startswith("'") and guard_cell(cell[1:]) == cell else cell


def shows_text(cell: str, text: str) -> bool:
    """Whether a cell shows a text, whatever a spreadsheet did to its blanks, or to its end where it is long.

    Where a program wrote "?" for what its character set lacks, the rest must be the same.
    """
    found, wanted = (_UNSEEN.sub("", one) for one in (unguard_cell(cell, [text]), text))
    if "?" in found and found.isascii():
        found, wanted = (_FOREIGN.sub("?", one) for one in (found, wanted))
    return wanted in (found, found.removeprefix("'")) or (len(cell) >= _LONG_CELL and wanted.startswith(found))
