"""The formats of papers: their readers, and the detection of a file's format from its content."""

from __future__ import annotations

import importlib
from typing import NamedTuple

from scholartools.errors import InputFault
from scholartools.parameters import parameter


class Reader(NamedTuple):
    """The reader of one format.

    Attributes:
        module: import path of the module with ``read``; for PDF and LaTeX, ``read`` takes more than the bytes of one
            file.
        libraries: packages whose versions are part of the signature; none for PDF, since MuPDF reports its own version.
        recogniser: import path of the module with ``looks_like``; None if the first bytes identify the format, and for
            text, which is tried last.
    """

    module: str
    libraries: tuple[str, ...]
    recogniser: str | None


#: The readers by format, in the order in which they are tried on a file.
READERS = {
    "pdf": Reader("scholartools.readers.pdf.reader", (), None),
    "tei": Reader("scholartools.readers.xml.tei", ("defusedxml",), "scholartools.readers.xml.tei"),
    "jats": Reader("scholartools.readers.xml.jats", ("defusedxml",), "scholartools.readers.xml.jats"),
    "latex": Reader(
        "scholartools.readers.latex.reader",
        ("pylatexenc", "bibtexparser"),
        "scholartools.readers.latex.tex.source",
    ),
    "text": Reader("scholartools.readers.text.reader", ("markdown-it-py",), None),
}
FORMATS = tuple(READERS)


def format_of(data: bytes) -> str:
    """Detect the format of a file, one of :data:`FORMATS`; an archive is assumed to hold LaTeX source.

    Raises:
        InputFault: kind ``not-a-paper``; the reason names the kind of the data.
    """
    # Imported here, since st-parse --help needs only the names of the formats.
    from scholartools.file_kinds import HEAD, packed_document
    from scholartools.readers.common.file_types import is_archive, is_pdf, kind_of

    if is_pdf(data):
        return "pdf"
    if is_archive(data):
        if (packed := packed_document(data[:HEAD])) is not None:
            raise InputFault(packed, kind="not-a-paper")
        return "latex"
    # Imported here because compiling the patterns of all readers takes longer than reading a short PDF.
    from scholartools.readers.text import reader as text

    for name, reader in READERS.items():
        if reader.recogniser and importlib.import_module(reader.recogniser).looks_like(data):
            return name
    if data and text.looks_like(data):
        if (told := text.other_text_of(data)) is not None:
            raise InputFault(
                f"{told}, not a paper; {parameter('format', 'text')} reads it as plain text", kind="not-a-paper"
            )
        return "text"
    if not data:
        raise InputFault("nothing to read: the file is empty, or no file is named", kind="not-a-paper")
    raise InputFault(f"{kind_of(data)}, not a paper in a format that st-parse reads", kind="not-a-paper")
