"""Output formats of tables, and the interface of their writers."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, Protocol

from scholartools import __version__
from scholartools.compression import without_ending
from scholartools.errors import UsageFault

#: Text formats and binary formats.
TEXTS, BINARIES = ("csv", "tsv", "markdown", "latex"), ("xlsx", "parquet")
_ENDINGS = {"csv": "csv", "tsv": "tsv", "md": "markdown", "tex": "latex", "xlsx": "xlsx", "parquet": "parquet"}
_UNWRITTEN = ("doc", "docx", "htm", "html", "json", "jsonl", "numbers", "ods", "odt", "pdf", "xls")

#: Metadata key of a Parquet file for the signature of the table, in addition to "scholartools".
SIGNATURE_KEY = "scholartools.signature"

#: Suffix of the file with the description of a text table.
DESCRIBED = ".meta.json"

Row = Sequence[Any]


class Column(NamedTuple):
    """A column of a table.

    Attributes:
        heading: unique in its table.
        kind: one of :data:`scholartools.table_files.types.KINDS`. Cells of "texts" are lists; cells of "json" are JSON
            texts.
        path: path of its values in a record, for readers: "limitations[].text".
        note: description from the schema, or "".
    """

    heading: str
    kind: str
    path: str
    note: str = ""


class Estimate(NamedTuple):
    """A number with its confidence interval, in a numeric column of a Markdown or LaTeX table."""

    value: Any
    low: Any
    high: Any


class Undefined(NamedTuple):
    """A null with a reason, which Markdown and LaTeX tables can show."""

    reason: str


class Best(NamedTuple):
    """A cell in bold."""

    cell: Any


def bare(cell: Any) -> Any:
    """Value of a cell without markup."""
    while isinstance(cell, (Best, Estimate)):
        cell = cell[0]
    return None if isinstance(cell, Undefined) else cell


class Style(NamedTuple):
    """Options of a table that its format leaves open.

    Attributes:
        null: text for null in a text format; None: the default of the format.
        is_european: CSV for spreadsheets with decimal commas: semicolons, a byte order mark, protection against
            formulas.
        caption, label: caption and label of a LaTeX table.
        digits: decimals of numbers that may have a fraction, in LaTeX and Markdown; None: unchanged.
        width: maximum length of a text in LaTeX and Markdown, in code points; None: unlimited.
        has_intervals: whether numbers are :class:`Estimate` objects.
    """

    null: str | None = None
    is_european: bool = False
    caption: str | None = None
    label: str | None = None
    digits: int | None = None
    width: int | None = None
    has_intervals: bool = False

    def number(self, cell: Any, kind: str) -> str | None:
        """Rounded cell of a numeric column; None if ``digits`` is not set or the cell is not a number."""
        if self.digits is None or kind != "number" or not isinstance(cell, (int, float)):
            return None
        text = f"{cell:.{self.digits}f}"
        return text if float(text) else text.removeprefix("-")


PLAIN = Style()


class Format(Protocol):
    """Writer of a file of rows, as text or bytes.

    ``check`` rejects a row that cannot be written before any part of it is written.
    """

    def head(self) -> str | bytes:
        """Output before the first row."""

    def check(self, row: Row) -> None:
        """Reject a row that the format cannot represent.

        Raises:
            InputFault: the row cannot be represented.
        """

    def add(self, rows: Sequence[Row]) -> str | bytes:
        """Output for some rows; a format may buffer them until the end."""

    def tail(self, signature: str | None = None) -> Iterator[str | bytes]:
        """Output after the last row; a binary format includes the signature of the table, if given."""


def description(table: str, columns: Sequence[Column]) -> dict[str, Any]:
    """Description of a table, which explains the file without other sources."""
    notes = {column.heading: {"kind": column.kind, "path": column.path, "note": column.note} for column in columns}
    return {"table": table, "version": __version__, "columns": notes}


def format_by_ending(path: str | None) -> str:
    """Format by the suffix of a file name; CSV for an unknown suffix.

    Raises:
        UsageFault: the suffix names a format that cannot be written.
    """
    ending = os.path.splitext(without_ending(path or ""))[1].lower().removeprefix(".")
    if ending in _UNWRITTEN:
        raise UsageFault(
            f"{path}: tables cannot be written as .{ending}, only as .{', .'.join(_ENDINGS)}", parameter="output"
        )
    return _ENDINGS.get(ending, "csv")
