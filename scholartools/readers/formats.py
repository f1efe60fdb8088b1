"""Of what format a file is, by its content."""

from __future__ import annotations

from scholartools.errors import InputFault
from scholartools.parameters import parameter
from scholartools.readers.common.file_types import is_archive, is_pdf, kind_of

FORMATS = ("pdf", "latex", "tei", "jats", "text")


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
    from scholartools.readers.latex.tex import source as tex_source
    from scholartools.readers.text import reader as text
    from scholartools.readers.xml import jats, tei

    for name, looks_like in (("tei", tei.looks_like), ("jats", jats.looks_like), ("latex", tex_source.looks_like)):
        if looks_like(data):
            return name
    if data and text.looks_like(data):
        if (told := text.other_text_of(data)) is not None:
            raise InputFault(
                f"{told}, not a paper; {parameter('format', 'text')} reads it as plain text", kind="not-a-paper"
            )
        return "text"
    raise InputFault(f"{kind_of(data)}, not a paper in a format that is read here", kind="not-a-paper")
