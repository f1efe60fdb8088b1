"""Recognise input files in unsupported formats by their first bytes, and say how to convert them."""

from __future__ import annotations

import codecs
import csv
import re

from scholartools.parameters import parameter

#: Number of bytes from the beginning of a file that are inspected.
HEAD = 65_536

# Delimiters of tables: name of the format, and the format that the file is read as.
_TABLES = {",": ("CSV", "csv"), "\t": ("TSV", "tsv"), ";": ("CSV with semicolons", "csv")}
_PARSE = "run st-parse on it first"
_AS_PDF = "save it as PDF, which st-parse reads"
_MAGIC = (
    (b"%PDF-", f"a PDF: {_PARSE}"),
    (b"\x1f\x8b", "compressed with gzip: zcat unpacks it"),
    (b"\x28\xb5\x2f\xfd", "compressed with zstd: zstdcat unpacks it"),
    (b"BZh", "compressed with bzip2: bzcat unpacks it"),
    (b"\xfd7zXZ\x00", "compressed with xz: xzcat unpacks it"),
    (b"7z\xbc\xaf\x27\x1c", "compressed with 7-Zip: unpack it first"),
    (b"Rar!\x1a\x07", "a RAR archive: unpack it first"),
    (b"PK\x05\x06", "an empty ZIP archive"),
    (b"SQLite format 3\x00", "an SQLite file"),
    (b"\x89PNG\r\n\x1a\n", "a picture (PNG)"),
    (b"\xff\xd8\xff", "a picture (JPEG)"),
    (b"ARROW1\x00\x00", "an Arrow file: save it as Parquet"),
    (b"FEA1", "an Arrow file: save it as Parquet"),
    (b"{\\rtf", f"a document in RTF: {_AS_PDF}"),
    (b"\x93NUMPY", "an array of NumPy: write its rows as JSON lines or CSV"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Office file (.xls, .doc): save it as XLSX or CSV, or as PDF"),
    (b"version https://git-lfs.github.com/", "a pointer of Git LFS to the file: git lfs pull downloads the file"),
)
_WORKBOOK = b"xl/workbook.xml"
_PACKED = (
    (b"word/document.xml", f"a Word document: {_AS_PDF}"),
    (b"ppt/presentation.xml", f"slides of PowerPoint: {_AS_PDF}"),
    (b"mimetypeapplication/vnd.oasis.opendocument.spreadsheet", "an OpenDocument table: save it as XLSX or CSV"),
    (b"mimetypeapplication/vnd.oasis.opendocument", f"an OpenDocument file: {_AS_PDF}"),
    (b"mimetypeapplication/epub", f"an EPUB book: {_AS_PDF}"),
    (_WORKBOOK, "an Excel workbook, not a paper"),
)
# Byte order marks, the longer ones first.
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_TAR = slice(257, 262)  # place of the word "ustar" in a tar archive
_HTML = re.compile(rb"\s*(?:<!--(?:[^-]|-(?!->))*+-->\s*)*+<(!doctype html|html)\b", re.IGNORECASE)
_TAG = re.compile(rb"\s*<[a-zA-Z!?]")
_BIBTEX = re.compile(rb"(?:[ \t\r]*+(?:%[^\n]*+)?\n)*+[ \t]*+@[A-Za-z]++[ \t]*+\{[^\n,]*+,[ \t\r]*+\n")
_XML = re.compile(rb"\s*<(\?xml|!doctype|TEI|article)\b", re.IGNORECASE)
_ARRAY = re.compile(rb"\s*\[(\s*\{|[ \t]*\r?\n)")
_OBJECT_OF_LINES = re.compile(rb'\s*\{([^\n]*,)?[ \t\r]*\n\s*"')
# A JSON object whose first key holds a list of records; a whole record on the next line would be JSON Lines instead.
_OBJECT_OF_LIST = re.compile(rb'\s*\{\s*"(\w+)"\s*:\s*\[[ \t\r]*\n\s*\{(?![^\n]*\}[ \t\r]*\n)')
# Records separated by carriage returns only.
_RECORDS_BY_CR = re.compile(rb"\s*\{[^\r]*\}[ \t]*\r+[ \t]*\{")
_YAML_START = re.compile(rb"---(?:\s|\Z)|(?:- )?[A-Za-z_][\w .-]{0,60}:(?:\s|\Z)|- \S")
_YAML_LINE = re.compile(rb"(?:---|\.\.\.)(?:\s|\Z)|(?:- ){0,3}[A-Za-z_\"'][^:]{0,60}:(?:\s|\Z)|-(?:\s|\Z)")
_YAML_TO_JSONL = (
    "import json, sys, yaml; [print(json.dumps(row, default=str)) for doc in yaml.safe_load_all(sys.stdin) "
    "for row in (doc if isinstance(doc, list) else [doc])]"
)
_PYTHON_TO_JSONL = "import ast, json, sys; [print(json.dumps(ast.literal_eval(line))) for line in sys.stdin]"
# A line of a table with one column: a quoted cell, or an unquoted cell without a delimiter; the header is an
# identifier.
_CELL = re.compile(rb'"(?:[^"]|"")*"|[^\x00-\x1f",;{}\[\]]{1,200}')
_NAME = re.compile(rb'"?[A-Za-z_][\w .-]{0,59}"?')
# Up to so many lines without JSON may be single damaged records, which are reported one by one.
_FEW = 20
# Rows of a table that are inspected, and the longest header of a column in characters and words.
_ROWS, _LONGEST_NAME, _MOST_WORDS = 20, 60, 6


def marked_encoding(head: bytes) -> str | None:
    """Encoding of the byte order mark at the beginning of a file, as Python names it; None without one."""
    return next((encoding for mark, encoding in _MARKS if head.startswith(mark)), None)


def other_format(head: bytes, has_option: bool = False) -> str | None:
    """Format of a file that is not JSON Lines, and how to convert it; None where it may be JSON Lines.

    Args:
        head: the first :data:`HEAD` bytes of the file, or all of a shorter one.
        has_option: whether the message can name the parameter for the format of the file.
    """
    for magic, told in _MAGIC:
        if head.startswith(magic):
            return told
    if head[_TAR] == b"ustar":
        return "a tar archive: tar -xf unpacks it"
    if head.startswith(b"PAR1"):
        return f"Parquet: {_as_table('parquet', has_option)}"
    if head.startswith(b"PK\x03\x04"):
        packed = None if _WORKBOOK in head else packed_document(head)
        is_workbook = b"xl/" in head or b"[Content_Types].xml" in head
        table = f"an Excel workbook: {_as_table('xlsx', has_option)}" if is_workbook else None
        return packed or table or "a ZIP archive: unzip it first"
    encoding = marked_encoding(head)
    if encoding not in (None, "utf-8-sig"):
        return _delimited(head, has_option) or f"text in {str(encoding).upper()}: save it as UTF-8"
    if (unmarked := _unmarked_utf16(head)) is not None:
        return f"text in UTF-16: iconv -f {unmarked} -t UTF-8 FILE makes UTF-8 of it"
    text = head.removeprefix(codecs.BOM_UTF8)
    if b"\n" not in text and _RECORDS_BY_CR.match(text):
        return "JSON lines that end with carriage returns: tr '\\r' '\\n' < FILE makes JSON lines of it"
    if (fault := _fault_of_all_lines(head)) is not None:
        return fault
    first = text.lstrip().partition(b"\n")[0].rstrip()
    if first.startswith(b"{") and first.endswith(b"}"):
        return None
    if _HTML.match(text):
        return "an HTML page"
    if _XML.match(text):
        return f"XML: where it is a paper in TEI or JATS, {_PARSE}"
    if re.search(rb"^[^\S\n]*+\\documentclass\b", text, re.M):
        return f"LaTeX source: {_PARSE}"
    return _other_json(text) or _delimited(head, has_option)


def _unmarked_utf16(head: bytes) -> str | None:
    """The byte order of UTF-16 without a mark, by the null bytes of Latin letters; None where there are too few."""
    start = head[: min(len(head), 1000) // 2 * 2]
    even, odd = start[::2].count(0), start[1::2].count(0)
    for name, high, low in (("UTF-16LE", odd, even), ("UTF-16BE", even, odd)):
        if len(start) >= 8 and high > 0.4 * len(start) / 2 and not low:
            return name
    return None


def _fault_of_all_lines(head: bytes) -> str | None:
    """A fault of every line of records, and how to mend it; None if a line lacks it, or if there is one line."""
    lines = [line.strip() for line in head.removeprefix(codecs.BOM_UTF8).split(b"\n") if line.strip()]
    lines = lines[:-1] if len(head) >= HEAD else lines  # the last line is truncated
    if len(lines) < 2 or not all(line.startswith(b"{") for line in lines):
        return None
    if all(line.endswith(b"},") for line in lines[:-1]):
        return "JSON with a comma after each record: sed 's/,$//' FILE makes JSON lines of it"
    if all(line.startswith(b"{'") for line in lines):
        return f"dictionaries as Python prints them: python3 -c '{_PYTHON_TO_JSONL}' < FILE makes JSON lines of it"
    if not any(_is_text(line) for line in lines):
        return "no text in UTF-8 (Latin-1 or Windows-1252?): iconv -f WINDOWS-1252 -t UTF-8 FILE makes UTF-8 of it"
    return None


def packed_document(head: bytes) -> str | None:
    """Kind of an office document in a ZIP archive, and how to convert it; None where it is not such a document."""
    found = (told for mark, told in _PACKED if mark in head) if head.startswith(b"PK\x03\x04") else iter(())
    return next(found, None)


def lines_without_json(head: bytes, has_option: bool = False) -> str | None:
    """Describe a file in which no line begins like JSON: YAML, perhaps a table with one column, or other text; else
    None.

    A few lines of text give None: each may be a single damaged record.

    Args:
        head, has_option: as for :func:`other_format`, which must be called first; a reader of papers may accept prose.
    """
    lines = [line.rstrip() for line in re.split(rb"\r\n|\r|\n", head.removeprefix(codecs.BOM_UTF8)) if line.strip()]
    lines = lines[:-1] if len(head) >= HEAD else lines  # the last line is truncated
    if not lines or any(line.lstrip()[:1] in b"{[" for line in lines):
        return None
    if _TAG.match(lines[0]):
        return "XML or HTML"
    if len(lines) < 2:
        return None
    if _BIBTEX.match(head.removeprefix(codecs.BOM_UTF8)):
        return "a bibliography (BibTeX): pandoc -f bibtex -t csljson FILE | jq -c '.[]' makes JSON lines of it"
    own = [line for line in lines if not line.lstrip().startswith(b"#")]
    starts = sum(_YAML_START.match(line) is not None for line in own)
    if starts and all(_YAML_LINE.match(line) or line[:1] in b" \t" for line in own):
        return f"YAML: python3 -c '{_YAML_TO_JSONL}' < FILE makes JSON lines of it"
    if all(_CELL.fullmatch(line) for line in lines) and _NAME.fullmatch(lines[0]):
        return f"text without JSON; if it is a table of one column, {_as_table('csv', has_option)}"
    if not _is_text(head):
        return "no text in UTF-8"
    return "text without JSON" if len(lines) > _FEW else None


def _is_text(head: bytes) -> bool:
    """Whether bytes are UTF-8 without null characters; the last character may be truncated."""
    try:
        text = codecs.getincrementaldecoder("utf-8")().decode(head)
    except UnicodeDecodeError:
        return False
    return "\0" not in text


def _other_json(text: bytes) -> str | None:
    if _ARRAY.match(text):
        return "a JSON array: jq -c '.[]' makes JSON lines of it"
    if listed := _OBJECT_OF_LIST.match(text):
        return f"a JSON object with a list: jq -c '.{listed[1].decode()}[]' makes JSON lines of it"
    if _OBJECT_OF_LINES.match(text):
        return "JSON over several lines: jq -c . makes JSON lines of it"
    return None


def _delimited(head: bytes, has_option: bool) -> str | None:
    delimiter = table_delimiter(head)
    if delimiter is None:
        return None
    name, ending = _TABLES[delimiter]
    return f"a table ({name}): {_as_table(ending, has_option)}"


def _as_table(ending: str, has_option: bool) -> str:
    """How to read a table whose file name lacks the suffix of its format."""
    if not has_option:
        return f"a name that ends in .{ending} has it read"
    return f"{parameter('input_format', ending)}, or a name that ends in .{ending}, has it read"


def table_delimiter(head: bytes) -> str | None:
    """Delimiter of a text that is a table with a header: comma, tab or semicolon; else None.

    Args:
        head: as for :func:`other_format`; in UTF-8, or in the encoding of its byte order mark.
    """
    text = head.decode(marked_encoding(head) or "utf-8", errors="replace")
    lines = text.splitlines(keepends=True)
    lines = lines[:-1] if len(head) >= HEAD else lines  # the last line is truncated
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
