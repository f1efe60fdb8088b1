"""Tables as text: CSV and TSV, the same on every version of Python, and Markdown."""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from scholartools.json_text import dumps
from scholartools.table_files.formats import PLAIN, Best, Column, Estimate, Row, Style, bare
from scholartools.table_files.guard import BYTE_ORDER_MARK, guard_cell

DIVIDERS = {"csv": ",", "tsv": "\t"}
# What a reader would take for the end of a cell or row, or take away.
_QUOTED = {divider: re.compile(rf'["\r\n{divider}]|^\s|\s\Z') for divider in ",\t;"}
# What Markdown gives a meaning to within a line; an underscore has none within a word.
_MARKED = re.compile(r"[\\`*\[\]<|~$]|&(?=[#\w])|(?<![^\W_])_|_(?![^\W_])")
_END_OF_LINE = re.compile(r"\r\n|[\r\n\v\f\x1c-\x1e\x85\u2028\u2029]")


class Lines:
    """A table of a line for each row, whatever row; of a format how a line and a cell are written."""

    _columns: Sequence[Column]

    def check(self, row: Row) -> None:
        """Any row will do."""

    def add(self, rows: Sequence[Row]) -> str:
        """A line for each row."""
        kinds = self._kinds_and_nulls
        return "".join(
            self._line(
                null if cell is None else self._cell(cell, kind) for cell, (kind, null) in zip(row, kinds, strict=True)
            )
            for row in rows
        )

    @functools.cached_property
    def _kinds_and_nulls(self) -> list[tuple[str, str]]:
        """The kind of each column and its cell of null: most cells of papers that hold little are null."""
        return [(column.kind, self._cell(None, column.kind)) for column in self._columns]

    def tail(self, signature: str | None = None) -> Iterator[str]:
        """Nothing."""
        return iter(())

    def _line(self, cells: Iterable[str]) -> str:
        raise NotImplementedError

    def _cell(self, cell: Any, kind: str) -> str:
        raise NotImplementedError


class Delimited(Lines):
    """CSV or TSV. None is an empty cell, an empty text ``""``; lists are JSON.

    Attributes:
        n_like_null: how many texts are what stands for null; they stand in quotation marks.
    """

    def __init__(self, columns: Sequence[Column], divider: str, style: Style = PLAIN) -> None:
        self._columns, self._style = columns, style
        self._divider, self._null = ";" if style.is_european else divider, style.null or ""
        self.n_like_null = 0

    def head(self) -> str:
        """The headings."""
        mark = BYTE_ORDER_MARK if self._style.is_european else ""
        return mark + self._line([self._text(column.heading) for column in self._columns])

    def about(self) -> dict[str, Any]:
        """How the file is written, for whoever reads it."""
        return {
            "divider": self._divider, "decimal": "," if self._style.is_european else ".", "null": self._null,
            "texts_like_null": self.n_like_null, "is_guarded": self._style.is_european,
        }  # fmt: skip

    def _line(self, cells: Iterable[str]) -> str:
        line = self._divider.join(cells)
        return f"{line}\n" if line else '""\n'  # readers skip an empty line

    def _cell(self, cell: Any, kind: str) -> str:
        if cell is None:
            return self._null
        if isinstance(cell, float) and self._style.is_european:
            return text_of(cell).replace(".", ",")
        return self._text(text_of(cell))

    def _text(self, text: str) -> str:
        text = guard_cell(text) if self._style.is_european else text
        is_null = text == self._null
        self.n_like_null += is_null and text != ""
        return (
            f'"{text.replace(chr(34), chr(34) * 2)}"'
            if is_null or not text or _QUOTED[self._divider].search(text)
            else text
        )


class Markdown(Lines):
    """A table of GitHub's Markdown; ends of lines in a cell are ``<br>``. None and an empty text are empty cells.

    Attributes:
        n_cut: how many texts are cut to the width of the style.
    """

    def __init__(self, columns: Sequence[Column], style: Style = PLAIN) -> None:
        self._columns, self._style, self._null = columns, style, _escape_markdown(style.null or "")
        self.n_cut = 0

    def head(self) -> str:
        """The headings, and how columns are aligned: numbers to the right."""
        marks = ("---:" if column.kind in ("integer", "number") else "---" for column in self._columns)
        return self._line([_escape_markdown(column.heading) for column in self._columns]) + f"| {' | '.join(marks)} |\n"

    def _line(self, cells: Iterable[str]) -> str:
        return f"| {' | '.join(cells)} |\n"

    def _cell(self, cell: Any, kind: str) -> str:
        if bare(cell) is None:
            return self._null
        if isinstance(cell, (str, list)):
            text = cut(text_of(cell), self._style)
            self.n_cut += text != text_of(cell)
            return _escape_markdown(text)
        number, interval = parts_of(cell, kind, self._style)
        return (f"**{number}**" if isinstance(cell, Best) else number) + _escape_markdown(interval)


def _escape_markdown(text: str) -> str:
    return _END_OF_LINE.sub("<br>", _MARKED.sub(r"\\\g<0>", text))


def parts_of(cell: Any, kind: str, style: Style) -> tuple[str, str]:
    """A number as it is shown, and its interval, or ""."""
    cell = cell.cell if isinstance(cell, Best) else cell
    if not isinstance(cell, Estimate):
        return style.number(cell, kind) or text_of(cell), ""
    value, low, high = ("" if one is None else style.number(one, kind) or text_of(one) for one in cell)
    return value, f" [{low}, {high}]" if low and high else ""


def number_of(cell: Any, kind: str, style: Style) -> float | None:
    """A number as precise as it is shown; None where there is none."""
    value = bare(cell)
    return None if value is None else float(style.number(value, kind) or value)


def cut(text: str, style: Style) -> str:
    """A text that is no longer than the style has it, with an ellipsis where it was cut; never before an accent."""
    if style.width is None or len(text) <= style.width:
        return text
    end = style.width - 1
    while end > 0 and unicodedata.combining(text[end]):
        end -= 1
    return f"{text[:end]}\u2026"


def text_of(cell: Any) -> str:
    """A value as a text: numbers, true and false, lists as JSON has them, texts as they are.

    Half of a surrogate pair, which no file of UTF-8 can hold, is U+FFFD.
    """
    text = cell if isinstance(cell, str) else dumps(cell).decode()
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
