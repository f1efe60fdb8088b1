"""Test quickly whether the pages of a PDF may have images or bitmap (Type 3) fonts.

MuPDF's lists of fonts and images are detailed and slow, and for most pages only their presence matters. A negative
answer is certain, so that MuPDF's lists need not be requested; a positive answer may be wrong.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from scholartools.readers.common.mupdf import import_mupdf


@dataclass
class PageResources:
    """The kinds of resources that a page may use.

    Attributes:
        bitmap_fonts: whether the page may use a Type 3 font.
        images: whether the page may draw an image.
    """

    bitmap_fonts: bool = False
    images: bool = False


@dataclass
class Resources:
    """The resources of a document's pages; ``bitmaps`` maps object numbers of fonts to whether they are Type 3."""

    document: Any
    bitmaps: dict[int, bool] = field(default_factory=dict)
    pages: dict[int, PageResources] = field(default_factory=dict)

    def of_page(self, number: int) -> PageResources:
        """The resources that a page (number from 0) may use; all of them if it is damaged."""
        if number not in self.pages:
            found = PageResources()
            try:
                mupdf = import_mupdf().mupdf
                page = mupdf.pdf_lookup_page_obj(mupdf.PdfDocument(self.document.this), number)
                self._look_into(mupdf, mupdf.pdf_dict_get_inheritable(page, mupdf.PDF_ENUM_NAME_Resources), found)
            except Exception:  # noqa: BLE001  # MuPDF's lists are requested then, with its own errors
                found = PageResources(bitmap_fonts=True, images=True)
            self.pages[number] = found
        return self.pages[number]

    def _look_into(self, mupdf: Any, first: Any, found: PageResources) -> None:
        """Search a resource dictionary and those of the XObjects in it, each numbered object once."""
        waiting, seen = [first], set()
        while waiting:
            resources = waiting.pop()
            found.bitmap_fonts |= self._has_bitmaps(mupdf, mupdf.pdf_dict_get(resources, mupdf.PDF_ENUM_NAME_Font))
            drawn = mupdf.pdf_dict_get(resources, mupdf.PDF_ENUM_NAME_XObject)
            for at in range(mupdf.pdf_dict_len(drawn)):
                one = mupdf.pdf_dict_get_val(drawn, at)
                number = mupdf.pdf_to_num(one)
                if number and number in seen:
                    continue
                seen.add(number)
                kind = mupdf.pdf_dict_get(one, mupdf.PDF_ENUM_NAME_Subtype)
                found.images |= mupdf.pdf_to_name(kind) != "Form"
                inner = mupdf.pdf_dict_get(one, mupdf.PDF_ENUM_NAME_Resources)
                if inner.m_internal:
                    waiting.append(inner)

    def _has_bitmaps(self, mupdf: Any, fonts: Any) -> bool:
        found = False
        for at in range(mupdf.pdf_dict_len(fonts)):
            font = mupdf.pdf_dict_get_val(fonts, at)
            number = mupdf.pdf_to_num(font)
            if not number or number not in self.bitmaps:
                kind = mupdf.pdf_dict_get(font, mupdf.PDF_ENUM_NAME_Subtype)
                self.bitmaps[number] = mupdf.pdf_to_name(kind) == "Type3"
            found = found or self.bitmaps[number]
        return found
