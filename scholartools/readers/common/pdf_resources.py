"""What the pages of a PDF can draw with, looked up quickly: whether there may be images and bitmap (Type 3) fonts.

The library lists fonts and images with all that it knows of each; of most pages no more is asked than whether there is
one. What is answered here is sure where it is "no": then the library need not be asked.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from scholartools.readers.common.mupdf import import_mupdf


@dataclass
class PageResources:
    """What a page may draw with.

    Attributes:
        bitmap_fonts: whether a Type 3 font may be among its fonts.
        images: whether an image may be among what it draws.
    """

    bitmap_fonts: bool = False
    images: bool = False


@dataclass
class Resources:
    """The resources of a document's pages; ``bitmaps`` says of each font by its number whether it is a bitmap font."""

    document: Any
    bitmaps: dict[int, bool] = field(default_factory=dict)
    pages: dict[int, PageResources] = field(default_factory=dict)

    def of_page(self, number: int) -> PageResources:
        """What a page, counted from 0, may draw with: anything where it is damaged."""
        if number not in self.pages:
            found = PageResources()
            try:
                mupdf = import_mupdf().mupdf
                page = mupdf.pdf_lookup_page_obj(mupdf.PdfDocument(self.document.this), number)
                self._look_into(mupdf, mupdf.pdf_dict_get_inheritable(page, mupdf.PDF_ENUM_NAME_Resources), found)
            except Exception:  # noqa: BLE001  # the library is asked, and tells what is wrong
                found = PageResources(bitmap_fonts=True, images=True)
            self.pages[number] = found
        return self.pages[number]

    def _look_into(self, mupdf: Any, first: Any, found: PageResources) -> None:
        """Look at resources and those of all that is drawn with them, each numbered object once."""
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
