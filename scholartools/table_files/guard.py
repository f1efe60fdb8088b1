"""Protect cells of CSV files against execution as formulas by spreadsheets.

A spreadsheet executes a cell that starts with =, +, - or @, and texts by a model may do so.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

#: Written at the start of a file, so that spreadsheets read it as UTF-8.
BYTE_ORDER_MARK = "\ufeff"

_STARTS = frozenset("=+-@\uff1d\uff0b\uff0d\uff20")
# Quotation marks that spreadsheets may remove before a formula, as they do with whitespace and invisible characters.
_QUOTES = frozenset("'\"`\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u201f")
# Whitespace, and characters that are invisible or not representable in spreadsheets.
_UNSEEN = re.compile(r"[\s\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2064\ufeff\ufffe\uffff]+")
_FOREIGN = re.compile(r"(?:[^\x00-\x7f]|\?)+")
# Some spreadsheets truncate texts at this length.
_LONG_CELL = 32_000
_NUMBER = re.compile(r"[+-]?[0-9]+(?:[.,][0-9]+)?(?:[eE][+-]?[0-9]+)?")


def guard_cell(text: str) -> str:
    """Prefix a text with an apostrophe if a spreadsheet could read it as a formula; numbers are unchanged."""
    first = next((one for one in text if one.isprintable() and not one.isspace() and one not in _QUOTES), "")
    is_formula = first in _STARTS and not _NUMBER.fullmatch(text)
    return f"'{text}" if is_formula or text[:1] in ("\t", "\r") else text


def unguard_cell(cell: str, known: Iterable[str]) -> str:
    """The known text that a cell guards, else the cell unchanged, since an apostrophe may be part of the text."""
    return next((text for text in known if cell in (text, guard_cell(text))), cell)


def unguard_any(cell: str) -> str:
    """Text of a cell in a file whose texts are all guarded."""
    return cell[1:] if cell.startswith("'") and guard_cell(cell[1:]) == cell else cell


def shows_text(cell: str, text: str) -> bool:
    """Whether a cell shows a text, ignoring changes of spreadsheets to whitespace and to the ends of long texts.

    If a program replaced characters outside its character set by "?", the rest must match.
    """
    found, wanted = (_UNSEEN.sub("", one) for one in (unguard_cell(cell, [text]), text))
    if "?" in found and found.isascii():
        found, wanted = (_FOREIGN.sub("?", one) for one in (found, wanted))
    return wanted in (found, found.removeprefix("'")) or (len(cell) >= _LONG_CELL and wanted.startswith(found))
