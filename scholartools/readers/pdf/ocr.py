"""Text recognition of scanned pages with Tesseract, through pymupdf."""

from __future__ import annotations

import functools
import hashlib
import statistics
from pathlib import Path
from typing import Any

from scholartools.errors import InputFault
from scholartools.readers.common.page import Line, Page

LANGUAGE = "eng"
_DPI = 300
_EM = 0.45  # mean width of a character in running text, as a share of the font size
_LIKE_IN_LAYER = 0.06  # the same as _LIKE for lines of an OCR layer, which have sizes of their own
_LIKE = 0.15  # relative deviation from the page's usual size below which a line gets the usual size


def tessdata_folder(mupdf: Any) -> str:
    """The folder of Tesseract's language data.

    Raises:
        InputFault: kind ``no-ocr``: Tesseract or its data is not installed; the reason says what to install.
    """
    try:
        folder = mupdf.get_tessdata()
    except Exception:  # noqa: BLE001  # RuntimeError of the library, or any error of running `tesseract`
        folder = None
    if not folder:
        raise InputFault("no text recognition: install Tesseract (Debian: tesseract-ocr)", kind="no-ocr")
    if not Path(folder, f"{LANGUAGE}.traineddata").is_file():
        raise InputFault(
            f"no text recognition: Tesseract has no English data in {folder} (Debian: tesseract-ocr-{LANGUAGE})",
            kind="no-ocr",
        )
    return folder


@functools.lru_cache
def data_version(folder: str) -> str:
    """Name and digest of the language data for signatures, since other data give other words."""
    data = Path(folder, f"{LANGUAGE}.traineddata").read_bytes()
    return f"tessdata-{LANGUAGE}-{hashlib.sha256(data).hexdigest()[:12]}"


def recognise_lines(mupdf: Any, source: Any, folder: str) -> list[dict]:
    """Recognise the lines of a page, in the format of ``Page.get_text("dict")``."""
    flags = mupdf.TEXT_PRESERVE_WHITESPACE
    recognised = source.get_textpage_ocr(flags=flags, language=LANGUAGE, dpi=_DPI, full=True, tessdata=folder)
    blocks = source.get_text("dict", textpage=recognised, flags=flags)["blocks"]
    return [line for block in blocks for line in block.get("lines", ())]


def even_sizes(page: Page) -> None:
    """Make the font sizes of recognised lines comparable, in place.

    Tesseract derives the size of a line from the height of its letters, which differs by half between lines of one
    text. The mean width of a character differs less. Lines near the page's usual size get the usual size; other lines
    near the size of the preceding line get the size of that line.
    """
    measured = [(line, line.width / (_EM * len(line.text))) for line in page.lines if line.letters > 3]
    _snap_sizes(page, measured, _LIKE)


def even_layer_sizes(page: Page) -> None:
    """Like :func:`even_sizes`, for the lines of an OCR layer, in which sizes differ by a tenth between words."""
    _snap_sizes(page, [(line, _median_size(line)) for line in page.lines], _LIKE_IN_LAYER)


def _median_size(line: Line) -> float:
    return statistics.median([span.style.size for span in line.spans for _ in span.text.strip()] or [line.size])


def _snap_sizes(page: Page, measured: list[tuple[Line, float]], like: float) -> None:
    """Set sizes within ``like`` of the median, else of the preceding line's size, to that size."""
    if not measured:
        return
    usual = statistics.median(size for line, size in measured for _ in line.text)
    sizes = {id(line): size for line, size in measured}
    above = usual
    for line in page.lines:
        size = sizes.get(id(line), usual)
        above = next((near for near in (usual, above) if abs(size - near) < like * near), size)
        _resize_line(line, round(above, 1))


def _resize_line(line: Line, size: float) -> None:
    for span in line.spans:
        span.style = span.style._replace(size=size)
    line.forget()
