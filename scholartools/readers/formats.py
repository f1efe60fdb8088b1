"""Of what format a file is, by its content."""

from __future__ import annotations

import re

from scholartools.errors import InputFault

FORMATS = ("pdf", "latex", "tei", "jats", "text")

_MAGIC = (
    (b"\x89PNG", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF8", "a GIF image"),
    (b"PK\x03\x04", "a ZIP archive (or a Word or OpenDocument file)"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"\xd0\xcf\x11\xe0", "an old Word document"),
    (b"%!PS", "PostScript"),
    (b"{\\rtf", "an RTF document"),
)
# ZIP, gzip, bzip2, xz; a tar archive has its mark further in.
_PACKED = (b"PK\x03\x04", b"\x1f\x8b", b"BZh", b"\xfd7zXZ\x00")
_TAR = slice(257, 262)
_MARKUP = re.compile(rb"\s*(?:\xef\xbb\xbf)?\s*<(!doctype html|html|head|body|\?xml|[a-z]+)", re.IGNORECASE)


def format_of(data: bytes) -> str:
    """One of :data:`FORMATS`; an archive is taken for LaTeX source, which is what papers are archived as.

    Raises:
        InputFault: kind ``not-a-paper``; the reason says what the data is instead.
    """
    if is_pdf(data):
        return "pdf"
    if is_archive(data):
        return "latex"
    # Here, since the patterns of all readers take longer to compile than a short PDF to read.
    from scholartools.readers import _latex_source, jats, tei, text

    for name, looks_like in (("tei", tei.looks_like), ("jats", jats.looks_like), ("latex", _latex_source.looks_like)):
        if looks_like(data):
            return name
    if data and text.looks_like(data):
        return "text"
    raise InputFault(f"{kind_of(data)}, not a paper in a format that is read here", kind="not-a-paper")


def is_pdf(data: bytes) -> bool:
    """Whether it may be a PDF file; a damaged one can lack its first line."""
    return b"%PDF-" in data[:1024] or b" obj" in data[:65536]


def is_archive(data: bytes) -> bool:
    """Whether it is packed: a tar or ZIP archive, or compressed."""
    return data.startswith(_PACKED) or data[_TAR] == b"ustar"


def kind_of(data: bytes) -> str:
    """What data is that is no paper, in words for people."""
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
