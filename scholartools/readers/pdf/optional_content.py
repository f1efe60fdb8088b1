"""Text in layers (optional content groups) that viewers hide by default."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from scholartools.readers.common.page import box_around

_Glyph = tuple[str, int, int]  # a character and the coordinates of its origin, rounded to points


def with_all_layers(mupdf: Any, document: Any, data: bytes) -> Any:
    """A second copy of the document with every layer shown; None if no layer is off."""
    try:
        layers = document.get_ocgs().values()
    except Exception:  # noqa: BLE001  # a damaged list of layers can raise any error
        return None
    if all(layer["on"] for layer in layers):
        return None
    complete = mupdf.open(stream=data, filetype="pdf")
    complete.xref_set_key(complete.pdf_catalog(), "OCProperties", "null")
    return complete


def lines_off(mupdf: Any, source: Any, complete: Any) -> list[dict]:
    """Lines of a page that are only in layers that are off, in the format of ``Page.get_text("dict")``.

    Args:
        source: the page with its default layers, without rotation.
        complete: the document with all layers shown.
    """
    page = complete[source.number]
    page.set_rotation(0)
    seen = {
        glyph
        for line in _iter_lines(mupdf, source)
        for span in line["spans"]
        for glyph in map(_glyph_of, span["chars"])
    }
    found: list[dict] = []
    for line in _iter_lines(mupdf, page):
        spans = [left for span in line["spans"] if (left := _without_seen(span, seen)) is not None]
        if spans:
            found.append({**line, "spans": spans, "bbox": box_around(span["bbox"] for span in spans)})
    return found


def _iter_lines(mupdf: Any, page: Any) -> Iterator[dict]:
    flags = mupdf.TEXT_PRESERVE_WHITESPACE
    for block in page.get_text("rawdict", clip=mupdf.INFINITE_RECT(), flags=flags)["blocks"]:
        yield from block.get("lines", ())


def _glyph_of(char: dict) -> _Glyph:
    x, y = char["origin"]
    return char["c"], round(x), round(y)


def _without_seen(span: dict, seen: set[_Glyph]) -> dict | None:
    """The span without visible characters; None if only spaces are left."""
    chars = [char for char in span["chars"] if char["c"].isspace() or _glyph_of(char) not in seen]
    inked = [char["bbox"] for char in chars if not char["c"].isspace()]
    if not inked:
        return None
    return {**span, "text": "".join(char["c"] for char in chars), "bbox": box_around(inked)}
