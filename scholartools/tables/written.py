"""CSV and TSV as text, the same on every version of Python."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from scholartools.json_text import dumps

DIVIDERS = {"csv": ",", "tsv": "\t"}
# What a reader would take for the end of a cell or row, or take away.
_QUOTED = {divider: re.compile(rf'["\r\n{divider}]|^\s|\s\Z') for divider in DIVIDERS.values()}


def line_of(cells: Sequence[Any], divider: str) -> str:
    """A row with its end. None is an empty cell, an empty text ``""``; lists and objects are JSON."""
    line = divider.join(_cell_of(cell, divider) for cell in cells)
    return f"{line}\n" if line else '""\n'  # readers skip an empty line


def _cell_of(cell: Any, divider: str) -> str:
    if cell is None:
        return ""
    text = text_of(cell)
    return f'"{text.replace(chr(34), chr(34) * 2)}"' if not text or _QUOTED[divider].search(text) else text


def text_of(cell: Any) -> str:
    """A value as a text: numbers, true and false, lists and objects as JSON has them, texts as they are."""
    return cell if isinstance(cell, str) else dumps(cell).decode()
