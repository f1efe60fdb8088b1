"""Entry point: the bytes of a PDF file to the keys of a paper record."""

from __future__ import annotations

import gc
import statistics
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from scholartools.errors import InputFault, OutputFault
from scholartools.parameters import parameter
from scholartools.readers.common.file_types import is_pdf, kind_of
from scholartools.readers.common.ids import new_warning
from scholartools.readers.common.mupdf import import_mupdf
from scholartools.readers.common.page import Box, Page, turn_box
from scholartools.readers.common.pdf_resources import Resources
from scholartools.readers.pdf import hidden_text, layout, publication
from scholartools.readers.pdf import ocr as recognition
from scholartools.readers.pdf.floats.crops import add_drawings, save_crops
from scholartools.readers.pdf.fonts import Fonts, decode_spans, fonts_of
from scholartools.readers.pdf.lines import put_underscores, readable_lines, text_aside, upright_page
from scholartools.readers.pdf.optional_content import lines_off, with_all_layers
from scholartools.readers.references.publication import publication_keys
from scholartools.wording import count_of

Notice = dict[str, Any]


@dataclass(frozen=True)
class ReadOptions:
    """Options of reading a file.

    Attributes:
        graphics: whether drawings and images are located, for pictures of floats.
        tessdata: folder of Tesseract's language data; None: no text recognition.
        keep_hidden: whether hidden text is kept in the text.
    """

    graphics: bool = False
    tessdata: str | None = None
    keep_hidden: bool = False


_SCANNED = "a scanned image without text"
_DRAWN = "a page of pictures without text"
_COARSE = 24  # resolution at which any mark on a page is visible, in dots per inch
_SLIDES = 3  # minimum pages of slides
_MOST_WIDE = 0.8  # minimum share of slides that are wider than high
_FEW_WORDS = 120  # the median slide has fewer words
_QUOTED = 60  # length of the quotation in a warning, in characters


@dataclass(frozen=True)
class _File:
    """An open document; ``complete`` is a copy with all layers shown, or None if no layer is off."""

    document: Any
    complete: Any
    wanted: ReadOptions
    fonts: Fonts
    resources: Resources


def read(
    data: bytes, *, figures: Path | None = None, stem: str = "", ocr: bool = False, keep_hidden: bool = False
) -> dict[str, Any]:
    """Read the keys of a paper record from a PDF file.

    Args:
        data: the bytes of the file.
        figures: folder for a PNG file named ``STEM-ID.png`` of each figure, table and algorithm that has a caption; its
            path is the caption's ``image``, its box the caption's ``image_bbox``. A float that is not found gives a
            warning of kind ``no-figure``.
        stem: prefix of the names of these files.
        ocr: recognise pages without text with Tesseract; each such page gives a warning of kind ``ocr``.
        keep_hidden: keep invisible text in its place; it is reported as a warning in any case.

    Returns:
        ``format``, ``pages``, ``title``, ``authors``, ``abstract``, ``front_matter``, ``sections``, ``references``,
        ``captions``, ``footnotes`` and ``warnings``, as :class:`scholartools.schemas.paper.Paper` types them. Boxes are
        in points from the top left of the page as displayed.

    Raises:
        InputFault: kind ``not-a-pdf``, ``encrypted``, ``no-text``, ``unreadable``, or ``no-ocr`` (Tesseract or its
            data is not installed).
        OutputFault: the folder cannot be made or written to.
    """
    if not data:
        raise InputFault("an empty file, not a PDF", kind="not-a-pdf")
    if not is_pdf(data):
        raise InputFault(f"{kind_of(data)}, not a PDF", kind="not-a-pdf")
    mupdf = import_mupdf()
    wanted = ReadOptions(figures is not None, recognition.tessdata_folder(mupdf) if ocr else None, keep_hidden)
    try:
        with _without_collecting():
            return _read_file(mupdf, data, wanted, figures, stem)
    except (InputFault, OutputFault):
        raise
    except Exception as error:  # noqa: BLE001  # the errors of the library for damaged files have no common type
        reason = " ".join(str(error).split()) or type(error).__name__
        if isinstance(error, MemoryError) or "malloc" in reason or "calloc" in reason:
            raise MemoryError from None
        raise InputFault(f"a damaged PDF: {reason[:200]}", kind="unreadable") from None


@contextmanager
def _without_collecting() -> Iterator[None]:
    """Switch off cyclic garbage collection: a page has tens of thousands of objects, none of them in a cycle."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _read_file(mupdf: ModuleType, data: bytes, wanted: ReadOptions, figures: Path | None, stem: str) -> dict[str, Any]:
    with mupdf.open(stream=data, filetype="pdf") as document:
        if document.needs_pass:
            raise InputFault(
                "encrypted: remove the password first, such as with qpdf and its option decrypt",
                kind="encrypted",
            )
        count = document.page_count
        if not count:
            raise InputFault("no pages: the file is cut short or damaged", kind="no-text")
        warnings: list[Notice] = []
        if document.is_repaired:
            warnings.append(new_warning("repaired", "the file is damaged: only a part of it could be read"))
        resources = Resources(document)
        fonts = fonts_of(document, resources)
        if fonts.decoded:
            names = ", ".join(sorted(fonts.decoded))
            warnings.append(
                new_warning("unmapped-text", f"no Unicode map: Type 3 fonts {names}; read by TeX's own encodings")
            )
        file = _File(document, with_all_layers(mupdf, document, data), wanted, fonts, resources)
        pages = [_read_page(mupdf, file, number, warnings) for number in range(1, count + 1)]
        _check_text(pages, warnings)
        warnings += _slides_warning(pages)
        written = [line.text for page in pages for line in page.lines if line.text.strip()]
        first = Page(1, 0.0, 0.0) if not pages else replace(pages[0], lines=list(pages[0].lines))
        every = [*first.aside, *(line.text for view in (first, *first.sideways) for line in view.lines)]
        said = document.metadata or {}
        paper = layout.build_paper(pages, title_hint=said.get("title") or "", author_hint=said.get("author") or "")
        if figures is not None:
            warnings += save_crops(mupdf, document, paper["captions"], figures, stem)
        warnings += paper.pop("warnings")
        warnings += _none_taken(written, paper)
        published = publication_keys(publication.findings(document, first.lines, every, first.height))
    warnings.sort(key=lambda notice: notice["page"] or 0)
    return {"format": "pdf", "pages": count, **paper, **published, "warnings": warnings}


def _check_text(pages: list[Page], warnings: list[Notice]) -> None:
    if any(page.lines for page in pages) or any(notice["kind"] == "unmapped-text" for notice in warnings):
        return
    said = {notice["text"] for notice in warnings if notice["kind"] == "no-text"}
    what = "the pages are empty"
    if said & {_SCANNED, _DRAWN}:
        shown = "are scanned images" if _SCANNED in said else "hold pictures and no text"
        what = f"the pages {shown}, {parameter('ocr', True)} recognises them"
    if any(notice["kind"] == "text-direction" for notice in warnings):
        what = "its text direction is not supported"
    if any(notice["kind"] == "ocr" for notice in warnings):
        what = "text recognition (OCR) found none"
    if any(notice["kind"] == "hidden-text" for notice in warnings):
        what = "all text is hidden"
    raise InputFault(f"no text in {len(pages)} page{'s' * (len(pages) > 1)}: {what}", kind="no-text")


def _slides_warning(pages: list[Page]) -> list[Notice]:
    """A warning if most pages are wider than high and have few words, like slides."""
    words = [sum(len(line.text.split()) for line in page.lines) for page in pages]
    wide = sum(page.width > page.height for page in pages)
    if len(pages) < _SLIDES or wide < _MOST_WIDE * len(pages) or statistics.median(words) >= _FEW_WORDS:
        return []
    what = f"{wide} of {len(pages)} pages are wider than high, with few words, as slides are"
    return [new_warning("slides", f"{what}: the order of their text and their headings are not sure")]


def _none_taken(written: list[str], paper: dict[str, Any]) -> list[Notice]:
    """A warning if the pages have text but the main keys of the record are empty."""
    held = any(paper[key] for key in ("title", "abstract", "sections", "references", "captions", "front_matter"))
    if held or not written:
        return []
    lines, first = count_of(len(written), "line"), f'"{written[0][:_QUOTED]} ..."'
    what = f"none of the text on the pages ({lines}) is in the record: {first}"
    return [new_warning("text-missing", what, 1)]


def _read_page(mupdf: ModuleType, file: _File, number: int, warnings: list[Notice]) -> Page:
    """Read the lines of a page; hidden, scanned and unreadable content is added to ``warnings``."""
    try:
        source = file.document[number - 1]
        rotation = source.rotation
        if rotation:
            source.set_rotation(0)  # the direction of the text determines what is upright
        try:
            return _turn_back(mupdf, file, source, rotation, warnings)
        finally:
            if rotation:
                source.set_rotation(rotation)
    except Exception as error:  # noqa: BLE001  # a damaged page must not affect the others
        warnings.append(new_warning("unreadable-page", " ".join(str(error).split())[:200], number))
        return Page(number, 612.0, 792.0)


def _turn_back(mupdf: ModuleType, file: _File, source: Any, rotation: int, warnings: list[Notice]) -> Page:
    number, area, wanted = source.number + 1, source.rect, file.wanted
    width, height = area.width, area.height
    # Without a clip, so that text outside the page is found; without images, which take most of the time; without text
    # that the clipping path of a drawing cuts away, such as titles of plots.
    flags = mupdf.TEXT_PRESERVE_WHITESPACE | mupdf.TEXT_COLLECT_VECTORS | mupdf.TEXT_LAZY_VECTORS
    flags |= 0 if wanted.keep_hidden else mupdf.TEXT_CLIP
    blocks = source.get_text("dict", clip=mupdf.INFINITE_RECT(), flags=flags)["blocks"]
    decode_spans(blocks, file.fonts.tables_of(source.number))
    put_underscores(blocks)
    images = _image_boxes(source) if file.resources.of_page(source.number).images else []
    off = lines_off(mupdf, source, file.complete) if file.complete is not None else []
    parted, notices = _split_seen(mupdf, source, blocks, images, rotation, off)
    shown = hidden_text.keep_hidden_lines(blocks, parted.hidden, off) if wanted.keep_hidden else parted.shown
    recognised = not shown and not parted.hidden and wanted.tessdata is not None
    if recognised:
        shown = recognition.recognise_lines(mupdf, source, wanted.tessdata or "")
        notices.append(new_warning("ocr", "the page has no text: its text was recognised by Tesseract", number))
    page = upright_page(shown, number, width, height, rotation)
    if recognised:
        recognition.even_sizes(page)
    elif any(notice["kind"] == "ocr-layer" for notice in notices):
        recognition.even_layer_sizes(page)
    drawn = [block["bbox"] for block in blocks if block["type"] == 3]
    add_drawings(page, drawn, images if wanted.graphics else None, rotation, width, height)
    turns = (rotation // 90 - page.turns) % 4  # quarter turns that made the text upright
    page.links = [(turn_box(box, turns, width, height), address) for box, address in _page_links(mupdf, source)]
    page.lines, unmapped = readable_lines(page.lines)
    if told := text_aside(page):
        notices.append(new_warning("text-direction", told, number))
    warnings += [*notices, *_missing_unicode(file.fonts, source, page, unmapped, bool(shown) or recognised)]
    return page


def _is_inked(source: Any) -> bool:
    """Whether anything is visible on a page, which then has more than one shade of grey."""
    return len(set(source.get_pixmap(dpi=_COARSE, colorspace="gray", alpha=False).samples)) > 1


def _image_boxes(source: Any) -> list[Box]:
    """The boxes of the page's images; a page that lists no images is not searched for them."""
    return [image["bbox"] for image in source.get_image_info()] if source.get_images() else []


def _page_links(mupdf: ModuleType, source: Any) -> list[tuple[Box, str]]:
    """Boxes and addresses of the page's links that lead outside the file."""
    found: list[tuple[Box, str]] = []
    link = mupdf.mupdf.fz_load_links(source.this)  # Page.first_link takes twice as long
    while link.m_internal:
        address = link.m_internal.uri
        if address and mupdf.mupdf.fz_is_external_link(address):
            box = link.m_internal.rect
            found.append(((box.x0, box.y0, box.x1, box.y1), address))
        link = link.next()
    return found


def _split_seen(
    mupdf: ModuleType, source: Any, blocks: list[dict], images: list[Box], rotation: int, off: list[dict]
) -> tuple[hidden_text.SplitLines, list[Notice]]:
    """Split the page's lines into visible and hidden ones, with warnings of the hidden ones.

    ``off`` has the lines in layers that are off, which are not in ``blocks``.
    """
    number, area = source.number + 1, source.rect
    width, height = area.width, area.height
    lines = [line for block in blocks for line in block.get("lines", ())]
    log = cache(source.get_bboxlog)
    covered = hidden_text.under_images(lines, images, log) if images else set()
    canvas = hidden_text.lazy_canvas(mupdf, source)
    view = hidden_text.View(width, height, hidden_text.fills_of(blocks, height), covered, canvas, log)
    parted = hidden_text.split_visible(blocks, view)
    notices: list[Notice] = []
    if parted.underlay and hidden_text.is_scan(images, parted, width, height):
        notices.append(new_warning("ocr-layer", "the page is scanned: its text is that of its OCR layer", number))
        under = set(map(id, parted.underlay))
        kept = [line for line in parted.hidden if id(line) not in under]
        parted = hidden_text.SplitLines([*parted.shown, *parted.underlay], kept)
    for text, box in hidden_text.hidden_runs([*parted.hidden, *off]):
        shown_at = [round(edge, 1) for edge in turn_box(box, rotation // 90, width, height)]
        notices.append({**new_warning("hidden-text", text, number), "bbox": shown_at})
    return parted, notices


def _missing_unicode(fonts: Fonts, source: Any, page: Page, unmapped: int, has_text: bool) -> list[Notice]:
    """Warnings of characters without Unicode values, and of pages without text."""
    if unmapped:
        what = f"{unmapped} character{'s' * (unmapped > 1)} without a Unicode value in the font"
    elif not has_text:
        empty = _DRAWN if _is_inked(source) else "an empty page"
        return [new_warning("no-text", _SCANNED if source.get_images() else empty, page.number)]
    elif guessed := fonts.guessed_fonts(source.number):
        what = f"no Unicode map: {guessed}; characters follow glyph names or codes"
    else:
        return []
    return [new_warning("unmapped-text", what, page.number)]
