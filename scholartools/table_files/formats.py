"""The formats that tables are written in, and what the writer of each one offers."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, Protocol

from scholartools import __version__
from scholartools.compression import without_ending
from scholartools.errors import UsageFault

#: Formats that are read by people or programs as text, and those that are not.
TEXTS, BINARIES = ("csv", "tsv", "markdown", "latex"), ("xlsx", "parquet")
_ENDINGS = {"csv": "csv", "tsv": "tsv", "md": "markdown", "tex": "latex", "xlsx": "xlsx", "parquet": "parquet"}
_UNWRITTEN = ("doc", "docx", "htm", "html", "json", "jsonl", "numbers", "ods", "odt", "pdf", "xls")

#: The key of the metadata of a Parquet file under which the table's signature is, beside "scholartools".
SIGNATURE_KEY = "scholartools.signature"

#: The ending of the file beside a table of text that says what the table is.
DESCRIBED = ".meta.json"

Row = Sequence[Any]


class Column(NamedTuple):
    """A column of a table.

    Attributes:
        heading: unique in its table.
        kind: one of :data:`scholartools.table_files.types.KINDS`. Cells of "texts" are lists; those of "json" are JSON,
            as texts.
        path: where its values are in a record, for readers: "limitations[].text".
        note: what the schema says of it, or "".
    """

    heading: str
    kind: str
    path: str
    note: str = ""


class Estimate(NamedTuple):
    """A number with its interval; in a column of numbers of a table for readers."""

    value: Any
    low: Any
    high: Any


class Undefined(NamedTuple):
    """A null of which a table for readers says the reason."""

    reason: str


class Best(NamedTuple):
    """A cell that is set in bold."""

    cell: Any


def bare(cell: Any) -> Any:
    """The value in a cell that has more to it."""
    while isinstance(cell, (Best, Estimate)):
        cell = cell[0]
    return None if isinstance(cell, Undefined) else cell


class Style(NamedTuple):
    """How a table is written, within what its format leaves open.

    Attributes:
        null: what stands for null in a format of text; None: what the format has for it.
        is_european: CSV for spreadsheets with decimal commas: semicolons, a byte order mark, no text is a formula.
        caption, label: of a table in LaTeX.
        digits: behind the point of numbers that may have a fraction, in LaTeX and Markdown; None: as they are.
        width: of a text in LaTeX and Markdown, in code points; None: as they are.
        has_intervals: whether numbers are of the kind :class:`Estimate`.
    """

    null: str | None = None
    is_european: bool = False
    caption: str | None = None
    label: str | None = None
    digits: int | None = None
    width: int | None = None
    has_intervals: bool = False

    def number(self, cell: Any, kind: str) -> str | None:
        """A cell of a column of numbers with so many digits; None where they are not asked for, or it is none."""
        if self.digits is None or kind != "number" or not isinstance(cell, (int, float)):
            return None
        text = f"{cell:.{self.digits}f}"
        return text if float(text) else text.removeprefix("-")


PLAIN = Style()


class Format(Protocol):
    """Makes a file of rows: text as it is to be written, or bytes.

    What cannot be written is refused by ``check`` before any of it is.
    """

    def head(self) -> str | bytes:
        """What comes before the first row."""

    def check(self, row: Row) -> None:
        """Refuse a row that the format cannot hold.

        Raises:
            InputFault: so.
        """

    def add(self, rows: Sequence[Row]) -> str | bytes:
        """What is written for some rows; a format may keep them back until its end."""

    def tail(self, signature: str | None = None) -> Iterator[str | bytes]:
        """What comes after the last row; a format of bytes holds the signature of the table, where it has one."""


def description(table: str, columns: Sequence[Column]) -> dict[str, Any]:
    """What a table is, for whoever has the file alone."""
    notes = {column.heading: {"kind": column.kind, "path": column.path, "note": column.note} for column in columns}
    return {"table": table, "version": __version__, "columns": notes}


def format_by_ending(path: str | None) -> str:
    """The format that the ending of a file names, CSV where it names none.

    Raises:
        UsageFault: it names a format that is not written.
    """
    ending = os.path.splitext(without_ending(path or ""))[1].lower().removeprefix(".")
    if ending in _UNWRITTEN:
        raise UsageFault(
            f"{path}: tables cannot be written as .{ending}, only as .{', .'.join(_ENDINGS)}", parameter="output"
        )
    return _ENDINGS.get(ending, "csv")
