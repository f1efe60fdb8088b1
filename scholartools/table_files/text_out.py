"""Write tables as text: CSV and TSV, identical in every version of Python, and Markdown."""

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
# Text that must be quoted: line ends, delimiters, quotation marks, and whitespace at the ends.
_QUOTED = {divider: re.compile(rf'["\r\n{divider}]|^\s|\s\Z') for divider in ",\t;"}
# Characters with a meaning in inline Markdown; an underscore has none within a word.
_MARKED = re.compile(r"[\\`*\[\]<|~$]|&(?=[#\w])|(?<![^\W_])_|_(?![^\W_])")
_END_OF_LINE = re.compile(r"\r\n|[\r\n\v\f\x1c-\x1e\x85\u2028\u2029]")


class Lines:
    """Table with one line per row; subclasses define how lines and cells are written."""

    _columns: Sequence[Column]

    def check(self, row: Row) -> None:
        """Accept any row."""

    def add(self, rows: Sequence[Row]) -> str:
        """One line per row."""
        kinds = self._kinds_and_nulls
        return "".join(
            self._line(
                null if cell is None else self._cell(cell, kind) for cell, (kind, null) in zip(row, kinds, strict=True)
            )
            for row in rows
        )

    @functools.cached_property
    def _kinds_and_nulls(self) -> list[tuple[str, str]]:
        """Kind and null cell of each column, computed once, since many cells are null."""
        return [(column.kind, self._cell(None, column.kind)) for column in self._columns]

    def tail(self, signature: str | None = None) -> Iterator[str]:
        """Return nothing."""
        return iter(())

    def _line(self, cells: Iterable[str]) -> str:
        raise NotImplementedError

    def _cell(self, cell: Any, kind: str) -> str:
        raise NotImplementedError


class Delimited(Lines):
    """CSV or TSV. None is an empty cell, an empty text is ``""``; lists are JSON.

    Attributes:
        n_like_null: number of texts equal to the text for null, which are quoted.
    """

    def __init__(self, columns: Sequence[Column], divider: str, style: Style = PLAIN) -> None:
        self._columns, self._style = columns, style
        self._divider, self._null = ";" if style.is_european else divider, style.null or ""
        self.n_like_null = 0

    def head(self) -> str:
        """Line of headings."""
        mark = BYTE_ORDER_MARK if self._style.is_european else ""
        return mark + self._line([self._text(column.heading) for column in self._columns])

    def about(self) -> dict[str, Any]:
        """Description of the file format, for readers."""
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
    """Table in GitHub Flavored Markdown; line ends in cells are ``<br>``. None and an empty text are empty cells.

    Attributes:
        n_cut: number of texts truncated to the width of the style.
    """

    def __init__(self, columns: Sequence[Column], style: Style = PLAIN) -> None:
        self._columns, self._style, self._null = columns, style, _escape_markdown(style.null or "")
        self.n_cut = 0

    def head(self) -> str:
        """Headings and alignment of the columns: numbers to the right."""
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
    """Number as shown, and its interval or ""."""
    cell = cell.cell if isinstance(cell, Best) else cell
    if not isinstance(cell, Estimate):
        return style.number(cell, kind) or text_of(cell), ""
    value, low, high = ("" if one is None else style.number(one, kind) or text_of(one) for one in cell)
    return value, f" [{low}, {high}]" if low and high else ""


def number_of(cell: Any, kind: str, style: Style) -> float | None:
    """Number with the precision shown; None if there is none."""
    value = bare(cell)
    return None if value is None else float(style.number(value, kind) or value)


def cut(text: str, style: Style) -> str:
    """Text truncated to the width of the style with an ellipsis, never before a combining character."""
    if style.width is None or len(text) <= style.width:
        return text
    end = style.width - 1
    while end > 0 and unicodedata.combining(text[end]):
        end -= 1
    return f"{text[:end]}\u2026"


def text_of(cell: Any) -> str:
    """Value as text: texts unchanged, other values as JSON.

    An unpaired surrogate, which UTF-8 cannot encode, becomes U+FFFD.
    """
    text = cell if isinstance(cell, str) else dumps(cell).decode()
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
