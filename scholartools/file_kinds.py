"""What a file is that is not what a command reads: by its first bytes, in words that say what to do with it."""

from __future__ import annotations

import csv
import re

from scholartools.parameters import parameter

#: Bytes at the beginning of a file by which it is told.
HEAD = 65_536

# What divides the columns of a table: its name, and the format that it is read as.
_TABLES = {",": ("CSV", "csv"), "\t": ("TSV", "tsv"), ";": ("CSV with semicolons", "csv")}
_PARSE = "run st-parse on it first"
_MAGIC = (
    (b"%PDF-", f"a PDF: {_PARSE}"),
    (b"\x1f\x8b", "compressed with gzip: zcat unpacks it"),
    (b"\x28\xb5\x2f\xfd", "compressed with zstd: zstdcat unpacks it"),
    (b"BZh", "compressed with bzip2: bzcat unpacks it"),
    (b"\xfd7zXZ\x00", "compressed with xz: xzcat unpacks it"),
    (b"PAR1", "Parquet: {parquet}"),
    (b"SQLite format 3\x00", "an SQLite file"),
    (b"\xff\xfe", "text in UTF-16: save it as UTF-8"),
    (b"\xfe\xff", "text in UTF-16: save it as UTF-8"),
)
_HTML = re.compile(rb"\s*<(!doctype html|html)\b", re.IGNORECASE)
_XML = re.compile(rb"\s*<(\?xml|!doctype|TEI|article)\b", re.IGNORECASE)
_ARRAY = re.compile(rb"\s*\[(\s*\{|[ \t]*\r?\n)")
_OBJECT_OF_LINES = re.compile(rb'\s*\{([^\n]*,)?[ \t\r]*\n\s*"')
# Rows of a table that are looked at, and what its header may be.
_ROWS, _LONGEST_NAME, _MOST_WORDS = 20, 60, 6


def other_format(head: bytes) -> str | None:
    """What a file that is to hold JSON lines is instead, and what to do; None where it may hold them.

    Args:
        head: the first bytes of the file, :data:`HEAD` or all there are.
    """
    for magic, told in _MAGIC:
        if head.startswith(magic):
            return told.format(parquet=_as_table("parquet"))
    if head.startswith(b"PK\x03\x04"):
        is_workbook = b"xl/" in head or b"[Content_Types].xml" in head
        return f"an Excel workbook: {_as_table('xlsx')}" if is_workbook else "a ZIP archive: unzip it first"
    text = head.removeprefix(b"\xef\xbb\xbf")
    first = text.lstrip().partition(b"\n")[0].rstrip()
    if first.startswith(b"{") and first.endswith(b"}"):
        return None
    if _HTML.match(text):
        return "an HTML page"
    if _XML.match(text):
        return f"XML: where it is a paper in TEI or JATS, {_PARSE}"
    if re.search(rb"^\s*\\documentclass\b", text, re.M):
        return f"LaTeX source: {_PARSE}"
    return _other_json(text) or _delimited(text)


def _other_json(text: bytes) -> str | None:
    if _ARRAY.match(text):
        return "a JSON array: jq -c '.[]' makes JSON lines of it"
    if _OBJECT_OF_LINES.match(text):
        return "JSON over several lines: jq -c . makes JSON lines of it"
    return None


def _delimited(text: bytes) -> str | None:
    delimiter = table_delimiter(text)
    if delimiter is None:
        return None
    name, ending = _TABLES[delimiter]
    return f"a table ({name}): {_as_table(ending)}"


def _as_table(ending: str) -> str:
    """How a table is read that does not have the ending of its format."""
    return f"{parameter('input_format', ending)}, or a name that ends in .{ending}, has it read"


def table_delimiter(head: bytes) -> str | None:
    """What divides the columns of a text that is a table with a header: a comma, a tab, a semicolon; or None."""
    try:
        lines = head.removeprefix(b"\xef\xbb\xbf").decode(errors="replace").splitlines(keepends=True)
    except ValueError:
        return None
    lines = lines[:-1] if len(head) >= HEAD else lines  # the last one is cut
    for delimiter in "\t,;":
        try:
            rows = [row for row in csv.reader(lines[: 20 * _ROWS], delimiter=delimiter, strict=True) if row]
        except csv.Error:
            continue
        if _is_table(rows[:_ROWS]):
            return delimiter
    return None


def _is_table(rows: list[list[str]]) -> bool:
    if len(rows) < 2 or len(rows[0]) < 2 or any(len(row) != len(rows[0]) for row in rows):
        return False
    names = [name.strip() for name in rows[0]]
    if len(set(names)) < len(names) or any(set("{}[]") & set(name) for name in names):
        return False
    return all(0 < len(name) <= _LONGEST_NAME and len(name.split()) <= _MOST_WORDS for name in names[1:])
