"""Read a paper in plain text or Markdown into the parts of a paper record."""

from __future__ import annotations

import re
from typing import Any

from scholartools.errors import InputFault
from scholartools.file_kinds import marked_encoding
from scholartools.readers.common.file_types import root_name
from scholartools.readers.common.ids import left_out_words, new_warning, with_ids
from scholartools.readers.text import assemble, markdown
from scholartools.readers.text import plain as plain_text
from scholartools.readers.text.other_text import other_text

_CONTROL = re.compile("[\0-\x08\x0e-\x1a\x1c-\x1f\x7f]")
_OTHER_FORMATS = (
    (re.compile(r"%PDF-"), "a PDF"),
    (re.compile(r"%!PS"), "PostScript"),
    (re.compile(r"\{\\rtf"), "an RTF document"),
)
_EMPTY_ABSTRACT = "the heading of the abstract has no text below it: the abstract is null"
_LINE_END = re.compile("\r\n?|\x0b|\x0c|\x85|\u2028|\u2029")
_HTML = frozenset(("html", "head", "body", "script", "meta"))


def looks_like(data: bytes) -> bool:
    """Whether the data is readable text: decodable, without control characters, in no markup language but Markdown."""
    try:
        text, _ = _decode_text(data)
        _check_text(data, text)
    except InputFault:
        return False
    return True


def other_text_of(data: bytes) -> str | None:
    """Describe the kind of a text that is not a paper, such as a table or a script; None if it may be a paper."""
    return other_text(_decode_text(data)[0])


def read(data: bytes) -> dict[str, Any]:
    """Read the parts of a paper record from a text file.

    A file with Markdown headings is read as Markdown: links become their text, emphasis is removed, formulas and code
    are kept verbatim, and tables, pictures and comments are left out (a warning counts the words of tables and
    pictures). In any other file, headings are single lines that continue the paper's section numbers or have a common
    wording; hard line breaks are removed. Paragraphs, list items and lines of code become paragraphs of one line. A
    text without headings is one section without heading.

    Args:
        data: the bytes of the file: UTF-8, UTF-16 or UTF-32 with a byte order mark, or Windows-1252 (with a warning).

    Returns:
        ``format``, ``pages`` (None), ``title``, ``authors``, ``abstract``, ``sections``, ``references``, ``captions``,
        ``footnotes``, ``front_matter`` (if it has entries) and ``warnings``, as
        :class:`scholartools.schemas.paper.Paper` types them; for Markdown also ``equations``: its display formulas,
        ``$$...$$`` and ``\\[...\\]``.

    Raises:
        InputFault: kind ``unreadable`` or ``no-text``.
    """
    if not data:
        raise InputFault("an empty file", kind="no-text")
    text, warnings = _decode_text(data)
    _check_text(data, text)
    text = _LINE_END.sub("\n", text)
    is_markdown = markdown.is_markdown(text)
    blocks, front = (markdown if is_markdown else plain_text).read_blocks(text)
    paper = assemble.build_paper(blocks, front)
    if front.fault is not None:
        warnings.append(new_warning("front-matter", f"the front matter is left out: {front.fault}"))
    if front.has_empty_abstract:
        warnings.append(new_warning("empty-abstract", _EMPTY_ABSTRACT))
    warnings += left_out_words({"of tables": " ".join(front.cells), "beside pictures": " ".join(front.pictures)})
    if is_markdown:
        paper["equations"] = _equation_records(paper, front)
    texts = [paper["abstract"], *(section["text"] for section in paper["sections"]), paper["references"]]
    if not any(texts):
        raise InputFault("the file has no text, only headings, rules or captions", kind="no-text")
    return {"format": "text", "pages": None, **paper, "warnings": warnings}


def _equation_records(paper: dict[str, Any], front: assemble.FrontMatter) -> list[dict[str, Any]]:
    texts = [("abstract", paper["abstract"] or ""), *((one["id"], one["text"]) for one in paper["sections"])]
    return with_ids("e", markdown.equation_records(texts, front.displays))


def _decode_text(data: bytes) -> tuple[str, list[dict[str, Any]]]:
    """The text, and a warning if its encoding is a guess.

    Raises:
        InputFault: the bytes are not valid in the encoding of their byte order mark.
    """
    encoding = marked_encoding(data)
    try:
        return data.decode(encoding or "utf-8"), []
    except UnicodeDecodeError:
        if encoding:
            raise InputFault(f"not {encoding} as its byte order mark says", kind="unreadable") from None
    warning = new_warning("encoding", "not UTF-8: read as Windows-1252, letters with accents may be wrong")
    try:
        return data.decode("cp1252"), [warning]
    except UnicodeDecodeError:
        return data.decode("latin-1"), [warning]


def _check_text(data: bytes, text: str) -> None:
    """Check that the text is plain text.

    Raises:
        InputFault: it is not; the reason names its kind.
    """
    if not text.strip():
        raise InputFault("an empty file: only white space", kind="no-text")
    if _CONTROL.search(text):
        raise InputFault("binary data, not text", kind="unreadable")
    for pattern, name in _OTHER_FORMATS:
        if pattern.match(text.lstrip()):
            raise InputFault(f"{name}, not plain text", kind="unreadable")
    start = text[:200].lstrip("\ufeff \t\r\n").casefold()
    if start.startswith("<!doctype html") or root_name(data).casefold() in _HTML:
        raise InputFault("an HTML page: not supported, save it as text, TEI or JATS first", kind="unreadable")
    if start.startswith(("<?xml", "<!doctype", "<tei", "<article")):
        raise InputFault("an XML document, not plain text", kind="unreadable")
