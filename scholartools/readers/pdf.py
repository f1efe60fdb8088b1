"""A PDF file -> what it says of a paper. The only module that imports pymupdf."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from functools import lru_cache
from itertools import groupby
from types import ModuleType
from typing import Any

from scholartools.errors import InputFault
from scholartools.readers import layout
from scholartools.readers.page import Line, Page, Span, Style

Notice = dict[str, Any]

# Packages that `import pymupdf` pulls in where they are installed (a layout model, onnxruntime, numpy): five times its
# own import time, and nothing of theirs is used here.
_NOT_NEEDED = ("pymupdf.layout", "pymupdf4llm")

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
_GLYPH = re.compile(r"/([^\s/\[\]<>()]+)")
_NO_NAME = re.compile(r"[a-zA-Z]{1,2}\d+|\.notdef")
_MARKUP = re.compile(rb"\s*(?:\xef\xbb\xbf)?\s*<(!doctype html|html|head|body|\?xml|[a-z]+)", re.IGNORECASE)

_BOLD_FONT = re.compile(r"bold|black|heavy|demi|medi(?!um)|bx\d|bxti|-bd|\.b$", re.IGNORECASE)
_ITALIC_FONT = re.compile(r"ital|obli|slant|cmti|cmsl|sfti", re.IGNORECASE)
_RAISED, _ITALIC, _BOLD = 1, 2, 16  # pymupdf's font flags
_POWER = re.compile(r"[+−-]?[0-9]+\s*")

_TINY = 2.0  # points; no printer's text is set smaller
_PALE = 0.85  # luminance from which text may vanish on paper
_CONTRAST = 0.12  # luminance difference below which text is not seen
_SCAN = 0.5  # share of the page that a scanned image covers
_UNKNOWN = re.compile("[\ufffd\ue000-\uf8e5]")  # private use beyond it holds pieces of large brackets
_USUAL = 4.0  # how many times over text must run in another direction for the page to be a turned one
_BULK = 8  # characters; fewer are single signs in mathematics
_UNMAPPED = 0.3  # share of a line's characters without meaning from which the line is unreadable


def read(data: bytes) -> dict[str, Any]:
    """The part of a paper record that a PDF file holds.

    Args:
        data: the bytes of the file.

    Returns:
        ``format``, ``pages``, ``title``, ``authors``, ``abstract``, ``sections``, ``references``, ``captions``,
        ``footnotes`` and ``warnings``, as :class:`scholartools.records.Paper` types them.

    Raises:
        InputFault: kind ``not-a-pdf``, ``encrypted``, ``no-text`` or ``unreadable``.
    """
    if not data:
        raise InputFault("an empty file, not a PDF", kind="not-a-pdf")
    if b"%PDF-" not in data[:1024] and b" obj" not in data[:65536]:
        raise InputFault(f"{_kind_of(data)}, not a PDF", kind="not-a-pdf")
    mupdf = _mupdf()
    try:
        return _read(mupdf, data)
    except InputFault:
        raise
    except Exception as error:  # noqa: BLE001  # what a damaged file makes the library raise has no common type
        reason = " ".join(str(error).split()) or type(error).__name__
        raise InputFault(f"a damaged PDF: {reason[:200]}", kind="unreadable") from None


def library() -> str:
    """The name and version of the library that reads the files: part of every signature."""
    return f"pymupdf-{_mupdf().VersionBind}"


def _mupdf() -> ModuleType:
    if "pymupdf" not in sys.modules:
        blocked = [name for name in _NOT_NEEDED if name not in sys.modules]
        for name in blocked:
            sys.modules[name] = None  # type: ignore[assignment]  # the documented way to make an import fail
        try:
            import pymupdf
        finally:
            for name in blocked:
                del sys.modules[name]
    import pymupdf

    pymupdf.TOOLS.mupdf_display_errors(False)
    pymupdf.TOOLS.mupdf_display_warnings(False)
    return pymupdf


def _kind_of(data: bytes) -> str:
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


def _read(mupdf: ModuleType, data: bytes) -> dict[str, Any]:
    with mupdf.open(stream=data, filetype="pdf") as document:
        if document.needs_pass:
            raise InputFault("encrypted: a password is needed", kind="encrypted")
        count = document.page_count
        if not count:
            raise InputFault("no pages: the file is cut short or damaged", kind="no-text")
        warnings: list[Notice] = []
        if document.is_repaired:
            warnings.append(_notice("repaired", None, "the file is damaged; this is what could be read"))
        pages = [_page(mupdf, document, number, warnings) for number in range(1, count + 1)]
        title = (document.metadata or {}).get("title") or ""
    _check_text(pages, warnings)
    paper = layout.paper(pages, title_hint=title)
    warnings.sort(key=lambda notice: notice["page"] or 0)
    return {"format": "pdf", "pages": count, **paper, "warnings": warnings}


def _check_text(pages: list[Page], warnings: list[Notice]) -> None:
    if any(page.lines for page in pages) or any(notice["kind"] == "unmapped-text" for notice in warnings):
        return
    scanned = any("scanned" in notice["text"] for notice in warnings if notice["kind"] == "no-text")
    what = "the pages are scanned images, text recognition (OCR) is needed" if scanned else "the pages are empty"
    if any(notice["kind"] == "hidden-text" for notice in warnings):
        what = "all text is hidden"
    raise InputFault(f"no text in {len(pages)} page{'s' * (len(pages) > 1)}: {what}", kind="no-text")


def _notice(kind: str, page: int | None, text: str) -> Notice:
    return {"kind": kind, "page": page, "text": text}


def _page(mupdf: ModuleType, document: Any, number: int, warnings: list[Notice]) -> Page:
    """One page's readable lines; what is hidden, scanned or unreadable on it is added to the warnings."""
    try:
        source = document[number - 1]
        if source.rotation:
            source.set_rotation(0)  # the text's own direction decides what is upright
        rect = source.rect
        # Without a clip, so that text outside the page is found; without images, which cost most of the time.
        raw = source.get_text("dict", clip=mupdf.INFINITE_RECT(), flags=mupdf.TEXT_PRESERVE_WHITESPACE)
    except Exception as error:  # noqa: BLE001  # one damaged page must not cost the others
        warnings.append(_notice("unreadable-page", number, " ".join(str(error).split())[:200]))
        return Page(number, 612.0, 792.0)
    lines = [line for block in raw["blocks"] for line in block.get("lines", ())]
    shown, hidden = _part(mupdf, source, lines, rect)
    if hidden and _is_scan(source):
        warnings.append(_notice("ocr-layer", number, "a scanned page: its text is that of its recognition (OCR) layer"))
        shown, hidden = [line for line in lines if _text(line)], []
    for run in _runs(hidden):
        warnings.append(_notice("hidden-text", number, run))
    page = _upright(shown, number, rect.width, rect.height)
    page.lines, unreadable = _mapped(page.lines)
    if unreadable:
        warnings.append(
            _notice("unmapped-text", number, f"{unreadable} characters have no Unicode value in their font")
        )
    elif not shown:
        what = "a scanned image without text" if source.get_images() else "an empty page"
        warnings.append(_notice("no-text", number, what))
    elif guessed := _guessed_fonts(document, source):
        warnings.append(
            _notice("unmapped-text", number, f"no Unicode map: {guessed}; characters follow glyph names or codes")
        )
    return page


def _part(mupdf: ModuleType, source: Any, lines: list[dict], rect: Any) -> tuple[list[dict], list[dict]]:
    """Lines that a reader of the page sees, and lines that one does not."""
    shown: list[dict] = []
    hidden: list[dict] = []
    canvas = None
    for line in lines:
        if not _text(line):
            continue
        span = max(line["spans"], key=lambda one: len(one["text"].strip()))
        unseen = _is_unseen(line, span, rect)
        if not unseen and _luminance(span["color"]) > _PALE:
            canvas = canvas or source.get_pixmap(colorspace=mupdf.csGRAY, alpha=False)
            unseen = abs(_luminance(span["color"]) - _background(canvas, line["bbox"])) < _CONTRAST
        (hidden if unseen else shown).append(line)
    return shown, hidden


def _text(line: dict) -> str:
    return "".join(span["text"] for span in line["spans"]).strip()


def _is_unseen(line: dict, span: dict, rect: Any) -> bool:
    x0, y0, x1, y1 = line["bbox"]
    off_page = x1 <= 0 or y1 <= 0 or x0 >= rect.width or y0 >= rect.height
    # Labels of vector figures can be tiny; a phrase cannot.
    tiny = span["size"] < _TINY and len(_text(line)) > 20
    return off_page or tiny or span.get("alpha", 255) < 255 * _CONTRAST


def _luminance(color: int) -> float:
    red, green, blue = color >> 16 & 255, color >> 8 & 255, color & 255
    return (0.299 * red + 0.587 * green + 0.114 * blue) / 255


def _background(canvas: Any, bbox: tuple[float, float, float, float]) -> float:
    """The median luminance of the rendered page within a box: the colour around the letters."""
    x0, y0, x1, y1 = (round(edge) for edge in bbox)
    columns = slice(max(0, x0), max(1, x1))
    rows = range(max(0, y0), min(canvas.height, y1 + 1))
    samples = canvas.samples
    pixels = sorted(b"".join(samples[row * canvas.stride :][: canvas.width][columns] for row in rows))
    return pixels[len(pixels) // 2] / 255 if pixels else 1.0


def _is_scan(source: Any) -> bool:
    """Whether images cover most of the page."""
    area = sum(abs(mark.width * mark.height) for mark in _image_boxes(source))
    return area > _SCAN * source.rect.width * source.rect.height


def _image_boxes(source: Any) -> Iterator[Any]:
    for image in source.get_image_info():
        x0, y0, x1, y1 = image["bbox"]
        yield source.rect & (x0, y0, x1, y1)


def _runs(hidden: list[dict]) -> list[str]:
    """The texts of hidden lines, those that follow each other at one size joined."""
    groups = groupby(hidden, key=lambda line: round(line["spans"][0]["size"], 1))
    return [" ".join(" ".join(map(_text, group)).split()) for _, group in groups]


def _upright(lines: list[dict], number: int, width: float, height: float) -> Page:
    """The lines that run in the page's main direction, turned so that it is left to right.

    Lines across it are side stamps, axis labels or rotated tables.
    """
    letters: dict[tuple[int, int], float] = {}
    for line in lines:
        letters[_direction(line)] = letters.get(_direction(line), 0) + len(_text(line))
    letters[1, 0] = _USUAL * letters.get((1, 0), 0)
    main = max(letters, key=lambda direction: letters[direction])
    size = (height, width) if main[1] else (width, height)
    turned = (
        _line(line, number, _turn(line["bbox"], main, width, height)) for line in lines if _direction(line) == main
    )
    return Page(number, *size, [line for line in turned if line.text])


def _direction(line: dict) -> tuple[int, int]:
    x, y = line["dir"]
    return (round(x), round(y))


def _turn(
    bbox: tuple[float, float, float, float], main: tuple[int, int], width: float, height: float
) -> tuple[float, float, float, float]:
    x0, y0, x1, y1 = bbox
    if main == (0, -1):
        return height - y1, x0, height - y0, x1
    if main == (0, 1):
        return y0, width - x1, y1, width - x0
    if main == (-1, 0):
        return width - x1, height - y1, width - x0, height - y0
    return bbox


def _line(raw: dict, number: int, bbox: tuple[float, float, float, float]) -> Line:
    spans: list[Span] = []
    for part in raw["spans"]:
        text = part["text"]
        if spans and text.isspace():
            spans[-1].text += " "
            continue
        style = _style(part["font"], round(part["size"], 1), part["flags"] | 2 * (part.get("char_flags", 0) & 8))
        if style.raised and _POWER.fullmatch(text) and spans and spans[-1].text[-1:].isdigit():
            text = "^" + text  # "10" with a raised "5" is not 105
        if spans and spans[-1].style == style:
            spans[-1].text += text
        else:
            spans.append(Span(text, style))
    return Line(number, spans, *bbox)


@lru_cache(maxsize=4096)
def _style(font: str, size: float, flags: int) -> Style:
    bold = bool(flags & _BOLD or _BOLD_FONT.search(font))
    italic = bool(flags & _ITALIC or _ITALIC_FONT.search(font))
    return Style(font, size, bold, italic, bool(flags & _RAISED))


def _mapped(lines: list[Line]) -> tuple[list[Line], int]:
    """Lines that can be read, and how many characters of the others have no Unicode value."""
    readable: list[Line] = []
    lost = 0
    for line in lines:
        unknown = len(_UNKNOWN.findall(line.text))
        if unknown > _UNMAPPED * len(line.text):
            lost += unknown
        else:
            readable.append(line)
    return readable, lost if lost >= _BULK else 0


def _guessed_fonts(document: Any, source: Any) -> str:
    """Bitmap (Type 3) fonts that hold no Unicode map, by name; empty when there are none."""
    names = [font[4] for font in source.get_fonts() if font[2] == "Type3" and _is_guessed(document, font)]
    return "Type 3 fonts " + ", ".join(sorted(set(names))) if names else ""


def _is_guessed(document: Any, font: tuple) -> bool:
    """Whether a font has no Unicode map, and no name of its own or no glyph names that mean something."""
    if document.xref_get_key(font[0], "ToUnicode")[0] != "null":
        return False
    if not font[3]:
        return True  # bitmaps of an old TeX: glyph names, where there are any, are all one has
    encoding = document.xref_get_key(font[0], "Encoding")
    text = document.xref_object(int(encoding[1].split()[0])) if encoding[0] == "xref" else encoding[1]
    names = _GLYPH.findall(text.partition("/Differences")[2])
    return sum(_NO_NAME.fullmatch(name) is not None for name in names) >= 0.5 * len(names)
