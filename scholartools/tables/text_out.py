"""Tables as text: CSV and TSV, the same on every version of Python, and Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from scholartools.json_text import dumps
from scholartools.tables.formats import Column, Row

DIVIDERS = {"csv": ",", "tsv": "\t"}
# What a reader would take for the end of a cell or row, or take away.
_QUOTED = {divider: re.compile(rf'["\r\n{divider}]|^\s|\s\Z') for divider in DIVIDERS.values()}
# What Markdown gives a meaning to within a line; an underscore has none within a word.
_MARKED = re.compile(r"[\\`*\[\]<|~$]|&(?=[#\w])|(?<![^\W_])_|_(?![^\W_])")
_END_OF_LINE = re.compile(r"\r\n|[\r\n\v\f\x1c-\x1e\x85\u2028\u2029]")


class Delimited:
    """CSV or TSV. None is an empty cell, an empty text ``""``; lists are JSON."""

    def __init__(self, columns: Sequence[Column], divider: str) -> None:
        self._columns, self._divider = columns, divider

    def head(self) -> str:
        """The headings."""
        return self._line([column.heading for column in self._columns])

    def check(self, row: Row) -> None:
        """Any row will do."""

    def add(self, rows: Sequence[Row]) -> str:
        """A line for each row."""
        return "".join(self._line(row) for row in rows)

    def tail(self) -> Iterator[str]:
        """Nothing."""
        return iter(())

    def _line(self, cells: Row) -> str:
        line = self._divider.join(self._cell(cell) for cell in cells)
        return f"{line}\n" if line else '""\n'  # readers skip an empty line

    def _cell(self, cell: Any) -> str:
        if cell is None:
            return ""
        text = text_of(cell)
        return f'"{text.replace(chr(34), chr(34) * 2)}"' if not text or _QUOTED[self._divider].search(text) else text


class Markdown:
    """A table of GitHub's Markdown; ends of lines in a cell are ``<br>``. None and an empty text are empty cells."""

    def __init__(self, columns: Sequence[Column]) -> None:
        self._columns = columns

    def head(self) -> str:
        """The headings, and how columns are aligned: numbers to the right."""
        marks = ("---:" if column.kind in ("integer", "number") else "---" for column in self._columns)
        return self._line([column.heading for column in self._columns]) + f"| {' | '.join(marks)} |\n"

    def check(self, row: Row) -> None:
        """Any row will do."""

    def add(self, rows: Sequence[Row]) -> str:
        """A line for each row."""
        return "".join(self._line(row) for row in rows)

    def tail(self) -> Iterator[str]:
        """Nothing."""
        return iter(())

    def _line(self, cells: Row) -> str:
        return f"| {' | '.join('' if cell is None else self._cell(cell) for cell in cells)} |\n"

    def _cell(self, cell: Any) -> str:
        if not isinstance(cell, str) and not isinstance(cell, list):
            return text_of(cell)
        return _END_OF_LINE.sub("<br>", _MARKED.sub(r"\\\g<0>", text_of(cell)))


def text_of(cell: Any) -> str:
    """A value as a text: numbers, true and false, lists as JSON has them, texts as they are.

    Half of a surrogate pair, which no file of UTF-8 can hold, is U+FFFD.
    """
    text = cell if isinstance(cell, str) else dumps(cell).decode()
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
