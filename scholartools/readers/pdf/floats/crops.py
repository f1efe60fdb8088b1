"""Pictures of figures, tables and algorithms: drawings of a page, and PNG files of floats."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

from scholartools.readers.common.page import (
    Box,
    Page,
    is_rule,
    turn_box,
)
from scholartools.readers.common.picture_files import DPI, picture_name, write_picture

_MARGIN = 3.0  # margin around a float, in points
_WHITE = bytes(range(250, 256))  # grey levels of blank paper
_PIXELS = 16e6  # maximum pixels of a picture; posters are rendered at a lower resolution


def add_drawings(
    page: Page, drawn: list[Box], images: list[Box] | None, rotation: int, width: float, height: float
) -> None:
    """Set the horizontal rules and, if ``images`` is given, the graphics of a page and its sideways views, in place.

    Args:
        page: page from :func:`scholartools.readers.pdf.lines.upright_page`.
        drawn: boxes of drawings, in the coordinates of the page before its rotation; ``images`` likewise.
        rotation: rotation of the page, in degrees clockwise.
        width: width of the page before its rotation, in points; ``height`` likewise.
    """
    for view in (page, *page.sideways):
        turns = rotation // 90 - view.turns
        boxes = [turn_box(one, turns, width, height) for one in drawn] if turns % 4 else drawn
        view.rules = [one for one in boxes if is_rule(one)]
        if images is not None:
            view.graphics = [turn_box(one, turns, width, height) for one in images] + boxes


def save_crops(mupdf: Any, document: Any, captions: list[dict], folder: Path, stem: str) -> list[dict[str, Any]]:
    """Write the float of each caption as ``STEM-ID.png`` and set the caption's ``image`` to the path.

    The caption's ``image_bbox`` is trimmed.

    Returns:
        A notice of kind ``no-figure`` for each caption without a known float.

    Raises:
        OutputFault: the folder cannot be made or written to.
    """
    notices: list[dict[str, Any]] = []
    names: set[str] = set()
    for caption in captions:
        if "image_bbox" not in caption:
            text = f"{caption['label']}: the figure, table or algorithm of the caption was not found on the page"
            notices.append({"kind": "no-figure", "page": caption["page"], "text": text, "bbox": caption["bbox"]})
            continue
        path = folder / picture_name(stem, caption["id"], names)
        page = document[caption["page"] - 1]
        caption["image_bbox"] = _trim_margins(mupdf, page, caption["image_bbox"])
        write_picture(path, _render_picture(mupdf, page, caption["image_bbox"]))
        caption["image"] = str(path)
    return notices


def _trim_margins(mupdf: Any, page: Any, area: list[float]) -> list[float]:
    """Trim blank paper from a box up to a small margin, since drawings can be clipped to less than their boxes."""
    x0, y0, x1, y1 = mupdf.Rect(area) & page.rect
    within = (math.ceil(x0), math.ceil(y0), math.floor(x1), math.floor(y1))  # excludes pixels of adjacent content
    canvas = page.get_pixmap(clip=within, colorspace=mupdf.csGRAY, alpha=False)
    rows = [canvas.samples[row * canvas.stride :][: canvas.width] for row in range(canvas.height)]
    inked = [number for number, row in enumerate(rows) if row.strip(_WHITE)]
    if not inked:
        return area
    marks = [(len(row) - len(row.lstrip(_WHITE)), len(row.rstrip(_WHITE))) for row in rows if row.strip(_WHITE)]
    left, right = min(first for first, _ in marks), max(last for _, last in marks)
    found = (left + canvas.x, inked[0] + canvas.y, right + canvas.x, inked[-1] + 1 + canvas.y)
    grown = mupdf.Rect(found) + (-_MARGIN, -_MARGIN, _MARGIN, _MARGIN)
    return [round(edge, 1) for edge in grown & (x0, y0, x1, y1)]


def _render_picture(mupdf: Any, page: Any, area: list[float]) -> bytes:
    box = mupdf.Rect(area)
    zoom = min(DPI / 72, math.sqrt(_PIXELS / max(1.0, box.width * box.height)))
    return page.get_pixmap(matrix=mupdf.Matrix(zoom, zoom), clip=box, alpha=False).tobytes("png")
