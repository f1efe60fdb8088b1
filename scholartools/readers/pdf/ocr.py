"""Text recognition of scanned pages: Tesseract, through the page objects of pymupdf."""

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
_EM = 0.45  # of the size: the mean width of a character in running text
_LIKE_IN_LAYER = 0.06  # the same for lines of an OCR layer, by the size they have there
_LIKE = 0.15  # how far a line's size may be off the page's usual one and still be taken for it


def tessdata_folder(mupdf: Any) -> str:
    """The folder of Tesseract's language data.

    Raises:
        InputFault: kind ``no-ocr``: Tesseract or its data is not installed; the reason says what to install.
    """
    try:
        folder = mupdf.get_tessdata()
    except Exception:  # noqa: BLE001  # the library raises RuntimeError, or what running `tesseract` raised
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
    """The language data of a folder by their digest, as a signature names them: other data read other words."""
    data = Path(folder, f"{LANGUAGE}.traineddata").read_bytes()
    return f"tessdata-{LANGUAGE}-{hashlib.sha256(data).hexdigest()[:12]}"


def recognise_lines(mupdf: Any, source: Any, folder: str) -> list[dict]:
    """The lines that are recognised on a page, as ``Page.get_text("dict")`` gives those of other pages."""
    flags = mupdf.TEXT_PRESERVE_WHITESPACE
    recognised = source.get_textpage_ocr(flags=flags, language=LANGUAGE, dpi=_DPI, full=True, tessdata=folder)
    blocks = source.get_text("dict", textpage=recognised, flags=flags)["blocks"]
    return [line for block in blocks for line in block.get("lines", ())]


def even_sizes(page: Page) -> None:
    """Give recognised lines sizes that can be compared, in place.

    Tesseract fits the size of each line to the height of its letters, which differs by half from line to line of one
    text. The width of a character differs less; lines near the page's usual size get that size, those near the size of
    the line before them get that one.
    """
    measured = [(line, line.width / (_EM * len(line.text))) for line in page.lines if line.letters > 3]
    _snap_sizes(page, measured, _LIKE)


def even_layer_sizes(page: Page) -> None:
    """Do the same, in place, for the lines of an OCR layer, whose own sizes differ by a tenth from word to word."""
    _snap_sizes(page, [(line, _median_size(line)) for line in page.lines], _LIKE_IN_LAYER)


def _median_size(line: Line) -> float:
    return statistics.median([span.style.size for span in line.spans for _ in span.text.strip()] or [line.size])


def _snap_sizes(page: Page, measured: list[tuple[Line, float]], like: float) -> None:
    """Give lines near the usual of the measured sizes that size, and those near the one before them that one."""
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
