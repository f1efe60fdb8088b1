"""Find the picture files of floats, and render each float as one PNG file."""

from __future__ import annotations

import math
import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

from scholartools.errors import InputFault
from scholartools.readers.common.ids import new_warning
from scholartools.readers.common.mupdf import import_mupdf
from scholartools.readers.common.picture_files import DPI, picture_name, write_picture
from scholartools.readers.latex.document.parts import Picture

# Suffixes that TeX tries for a picture named without one.
_SUFFIXES = ("", ".pdf", ".png", ".jpg", ".jpeg", ".eps", ".ps", ".svg")
# Suffixes of possible picture files in the archive or folder.
PICTURE_SUFFIXES = _SUFFIXES[1:]
_DRAWN = {".pdf": "pdf", ".png": "png", ".jpg": "jpeg", ".jpeg": "jpeg"}
_WIDTH, _HEIGHT, _GAP = 468.0, 648.0, 6.0  # maximum size of a rendered float, and gap between its pictures, in points
_ROW = 3  # up to this number, pictures are in one row; more are arranged in a square grid
_NO_DPI = 96  # default resolution of the library for pictures that state none; that of TeX is 72
_POINTS = {"": 1.0, "bp": 1.0, "pt": 72 / 72.27, "in": 72.0, "cm": 72 / 2.54, "mm": 72 / 25.4, "px": 1.0}
_LENGTH = re.compile(r"(-?\d*\.?\d+)\s*([a-z]*)")
_OPTION = re.compile(r"\s*(\w+)\s*(?:=\s*(\{[^{}]*\}|[^,]*))?(?:,|$)")


@dataclass
class PictureFiles:
    """The picture files of a source, and the output folder of rendered floats.

    Attributes:
        files: contents by relative POSIX path; access may raise :class:`InputFault`.
        folder: output folder.
        stem: prefix of the names of output files.
        fault: why there are no files, if known.
    """

    files: Mapping[str, bytes]
    folder: Path
    stem: str = ""
    fault: str = ""
    names: dict[str, str] = field(init=False)

    def __post_init__(self) -> None:
        self.names = {name.casefold(): name for name in sorted(self.files, reverse=True)}


def save_pictures(
    album: PictureFiles,
    captions: Sequence[dict[str, Any]],
    pictures: Sequence[Sequence[Picture]],
    folders: Sequence[str],
) -> list[dict[str, Any]]:
    """Render the pictures of each caption as one file ``STEM-ID.png``, and store its path in the caption's ``image``.

    Several pictures are arranged in rows. If one of them cannot be drawn, the float has no image.

    Args:
        captions: captions of the record, which are modified.
        pictures: the pictures of each caption.
        folders: folders of the source to search for pictures, in order.

    Returns:
        A warning of kind ``no-figure`` for each figure without a picture and each failure, and one for all other
        captions without pictures.

    Raises:
        OutputFault: the folder cannot be created or written to.
    """
    notices: list[dict[str, Any]] = []
    taken: set[str] = set()
    others = []
    for caption, its in zip(captions, pictures, strict=True):
        if not its and caption["kind"] != "figure":
            others.append(caption["label"])
            continue
        try:
            data = _draw([_find(album, one, folders) for one in its])
        except InputFault as fault:
            notices.append(new_warning("no-figure", f"{caption['label']}: {fault}"))
            continue
        path = album.folder / picture_name(album.stem, caption["id"], taken)
        write_picture(path, data)
        caption["image"] = str(path)
    if others:
        notices.append(new_warning("no-figure", f"{', '.join(others)}: set by LaTeX, a PDF has their pictures"))
    return notices


@dataclass(frozen=True)
class _File:
    """A picture file: its name, file type for the library, content, and ``\\includegraphics`` options."""

    name: str
    kind: str
    data: bytes
    options: dict[str, str]


def _find(album: PictureFiles, picture: Picture, folders: Sequence[str]) -> _File:
    """Find the file of a picture.

    Raises:
        InputFault: there is no file that can be drawn; the message has the reason.
    """
    if not picture.name:
        raise InputFault("only LaTeX can draw it, or write on it")
    found = next((name for name in _candidates(picture.name, folders) if name in album.names), None)
    if found is None:
        raise InputFault(f"{picture.name[:200]}: {album.fault or 'not in the source'}")
    kind = _DRAWN.get(posixpath.splitext(found)[1])
    if kind is None:
        ending = posixpath.splitext(found)[1][1:].upper()
        raise InputFault(f"{picture.name[:200]}: {ending} is not drawn, only PDF, PNG and JPEG")
    name = album.names[found]
    return _File(name, kind, album.files[name], _read_options(picture.options))


def _candidates(name: str, folders: Sequence[str]) -> Iterator[str]:
    """Lower-case paths at which TeX would look for a picture; paths outside the source are excluded."""
    asked = name.replace("{", "").replace("}", "").strip().strip('"').replace("\\", "/")
    for folder in folders:
        path = posixpath.normpath(posixpath.join(folder, asked)).casefold()
        if not path.startswith(("/", "..")):
            yield from (path + suffix for suffix in _SUFFIXES)


def _read_options(text: str) -> dict[str, str]:
    return {name: (value or "true").strip("{} ") for name, value in _OPTION.findall(text)}


def _draw(files: Sequence[_File]) -> bytes:
    """Draw pictures on one sheet, and return it as PNG.

    Raises:
        InputFault: there are no pictures, or one is damaged.
    """
    if not files:
        raise InputFault("it has no picture file")
    mupdf = import_mupdf()
    columns = len(files) if len(files) <= _ROW else math.ceil(math.sqrt(len(files)))
    cell = (_WIDTH - (columns - 1) * _GAP) / columns
    shown = [_open(mupdf, file) for file in files]
    rows = [shown[start : start + columns] for start in range(0, len(shown), columns)]
    boxes = _boxes(rows, cell)
    sheet = mupdf.open()
    page = sheet.new_page(width=max(box[2] for box in boxes), height=max(box[3] for box in boxes))
    try:
        for one, box in zip(shown, boxes):
            page.show_pdf_page(mupdf.Rect(box), one.document, one.page, clip=one.clip, rotate=one.turn)
        picture: bytes = page.get_pixmap(dpi=DPI, alpha=False).tobytes("png")
    except Exception as error:  # noqa: BLE001  # what a damaged file makes the library raise has no common type
        raise _damage(", ".join(file.name for file in files), error) from None
    return picture


def _boxes(rows: Sequence[Sequence[_Shown]], cell: float) -> list[tuple[float, float, float, float]]:
    """Boxes of the pictures on the sheet, row by row, fitted to the cells; all shrink if the rows exceed its height.

    Args:
        cell: width of a cell, in points.
    """
    sizes = [[one.scaled_size(cell) for one in row] for row in rows]
    heights = [max(height for _, height in row) for row in sizes]
    shrink = min(1.0, _HEIGHT / (sum(heights) + _GAP * (len(rows) - 1)))
    found = []
    top = 0.0
    for row, height in zip(sizes, heights):
        left = 0.0
        for width, own in row:
            found.append((left, top, left + width * shrink, top + own * shrink))
            left += (width + _GAP) * shrink
        top += (height + _GAP) * shrink
    return found


@dataclass(frozen=True)
class _Shown:
    """A picture as a page of a document, with the visible part, rotation in degrees, and maximum scale."""

    document: Any
    page: int
    clip: Any
    turn: int
    largest: float

    def scaled_size(self, cell: float) -> tuple[float, float]:
        """Width and height in a cell; bitmaps are not enlarged."""
        width, height = self.clip.width, self.clip.height
        if self.turn % 180:
            width, height = height, width
        scale = min(cell / width, _HEIGHT / height, self.largest)
        return width * scale, height * scale


def _open(mupdf: ModuleType, file: _File) -> _Shown:
    """Open a picture file, applying the options of its command: page, trim, and rotation by quarter turns.

    Raises:
        InputFault: the file is damaged, or the visible part is empty.
    """
    try:
        document = mupdf.open(stream=file.data, filetype=file.kind)
        largest, unit = math.inf, 1.0
        if not document.is_pdf:
            document = mupdf.open("pdf", document.convert_to_pdf())
            largest, unit = _pixel_scales(mupdf, file.data, document[0].rect.width)
        number = int(file.options.get("page", "1")) - 1
        whole = document[number].rect
    except Exception as error:  # noqa: BLE001  # what a damaged file makes the library raise has no common type
        raise _damage(file.name, error) from None
    clip = _shown_part(mupdf, whole, file.options, unit)
    if clip.is_empty or clip.width < 1 or clip.height < 1:
        raise InputFault(f"{file.name}: the page shows no part of it")
    return _Shown(document, number, clip, _quarter_turns(file.options.get("angle", "0")), largest)


def _pixel_scales(mupdf: ModuleType, data: bytes, width: float) -> tuple[float, float]:
    """The scale that maps each pixel of a bitmap to one output pixel, and the length of TeX's point on its page.

    Args:
        width: width of the bitmap's page, in points.
    """
    pixels = mupdf.Pixmap(data)
    return 72 * pixels.width / (DPI * width), 72 / _NO_DPI if pixels.xres == _NO_DPI else 1.0


def _damage(name: str, error: Exception) -> InputFault:
    return InputFault(f"{name}: cannot be drawn: {' '.join(str(error).split())[:100] or type(error).__name__}")


def _shown_part(mupdf: ModuleType, whole: Any, options: Mapping[str, str], unit: float) -> Any:
    """The part of a page that remains after ``trim`` or ``viewport``; the whole page unless ``clip`` is set.

    Args:
        unit: length of a point of the options on the page.
    """
    lengths = _LENGTH.findall(options.get("trim") or options.get("viewport") or "")
    edges = [unit * (float(number) * _POINTS.get(of, 1.0)) for number, of in lengths]
    if len(edges) != 4 or options.get("clip", "false") == "false":
        return whole
    x0, y0, x1, y1 = edges  # from the lower left
    if "trim" in options:
        part = mupdf.Rect(whole.x0 + x0, whole.y0 + y1, whole.x1 - x1, whole.y1 - y0)
    else:
        part = mupdf.Rect(whole.x0 + x0, whole.y1 - y1, whole.x0 + x1, whole.y1 - y0)
    return part & whole


def _quarter_turns(angle: str) -> int:
    """A counter-clockwise angle, rounded to quarter turns."""
    try:
        return round(float(angle) / 90) % 4 * 90
    except ValueError:
        return 0
