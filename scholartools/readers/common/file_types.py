"""Identify the kind of a file from its bytes: PDF, archive, XML by its root element, or something else."""

from __future__ import annotations

import re

from scholartools.file_kinds import marked_encoding

_HEAD = 65_536  # the root element must begin within so many bytes


_PROLOG = re.compile(
    r"\s+|<\?[^>]*\?>|<!--(?:[^-]|-(?!->))*-->|<!DOCTYPE(?:[^\[>\"']|\"[^\"]*\"|'[^']*')*(?:\[[^\]]*\]\s*)?>",
    re.IGNORECASE,
)


_FIRST = re.compile(r"<(?:[\w.-]+:)?([A-Za-z][\w.-]*)")


def root_name(data: bytes) -> str:
    """The name of the root element, without its prefix; empty if the data is not XML or HTML."""
    start = data[:_HEAD]
    head = start.decode(marked_encoding(start) or "utf-8", errors="replace")
    place = 0
    while found := _PROLOG.match(head, place):
        place = found.end()
    first = _FIRST.match(head, place)
    return first[1] if first else ""


_MAGIC = (
    (b"\x89PNG", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF8", "a GIF image"),
    (b"PK\x03\x04", "a ZIP archive (or a Word or OpenDocument file)"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"\xd0\xcf\x11\xe0", "an old Word or Excel file (to be saved as PDF first)"),
    (b"%!PS", "PostScript"),
    (b"{\\rtf", "an RTF document"),
)


# ZIP, gzip, bzip2, xz; the magic bytes of a tar archive are at another offset.
_PACKED = (b"PK\x03\x04", b"\x1f\x8b", b"BZh", b"\xfd7zXZ\x00")


_TAR = slice(257, 262)
_PDF_OBJECT = re.compile(rb"(?:^|[\r\n])\d+ \d+ obj\b")


_MARKUP = re.compile(rb"\s*(?:\xef\xbb\xbf)?\s*<(!doctype html|html|head|body|\?xml|[a-z]+)", re.IGNORECASE)


def is_pdf(data: bytes) -> bool:
    """Whether the data may be a PDF file; damaged files may lack the first line."""
    return b"%PDF-" in data[:1024] or _PDF_OBJECT.search(data[:65536]) is not None


def is_archive(data: bytes) -> bool:
    """Whether the data is a tar or ZIP archive, or compressed."""
    return data.startswith(_PACKED) or data[_TAR] == b"ustar"


def kind_of(data: bytes) -> str:
    """Describe data that is not a paper, for messages: "a PNG image"."""
    if not data:
        return "an empty file"
    for magic, name in _MAGIC:
        if data.startswith(magic):
            return name
    if markup := _MARKUP.match(data[:1024]):
        return "an XML document" if markup[1].lower() == b"?xml" else "an HTML page"
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return "unknown binary data"
    return "plain text" if b"\0" not in data else "unknown binary data"
