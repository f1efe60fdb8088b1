"""Warn of parts that a record lacks although nearly every long paper has them: title, authors, headings, references."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from scholartools.readers.common.ids import new_warning
from scholartools.records import Record

if TYPE_CHECKING:
    from scholartools.schemas.shapes import PaperRecord

_PAGES = 3  # minimum number of pages of a long paper
_CHARACTERS = 2_000  # minimum characters on these pages: pages of only drawings need not have the parts
_WORDS = 1_500  # minimum words of a long paper if it has fewer pages or an unknown number
_ANONYMOUS = re.compile(r"\banonym|\bblind(ed)?\b", re.IGNORECASE)


def missing_part_warnings(paper: Record, pages: int | None) -> list[Record]:
    """A warning, ``no-title``, ``no-authors``, ``no-headings`` or ``no-references``, for each missing part.

    A short paper gets no warning, since abstracts, letters and notes may lack these parts; a paper that calls itself
    anonymous gets none for its authors.

    Args:
        paper: the record from a reader.
        pages: number of pages of the file; None if its format has no pages.
    """
    texts = _texts_of(paper)
    if pages is not None and pages >= _PAGES and sum(map(len, texts)) >= _CHARACTERS:
        extent = f"{pages} pages"
    elif (n_words := sum(len(text.split()) for text in texts)) >= _WORDS:
        extent = f"{n_words:,} words"
    else:
        return []
    found = {
        "title": bool(paper["title"]),
        "authors": bool(paper["authors"]) or _is_anonymous(paper),
        "headings": any(section["heading"] for section in paper["sections"]),
        "references": bool(paper["references"]),
    }
    return [new_warning(f"no-{part}", f"no {part} found in {extent}") for part in found if not found[part]]


def _texts_of(paper: Record) -> list[str]:
    kept = ("sections", "references", "captions", "footnotes")
    return [paper["abstract"] or "", *(one["text"] for key in kept for one in paper[key])]


def _is_anonymous(paper: PaperRecord) -> bool:
    return any(_ANONYMOUS.search(one["text"]) for one in paper.get("front_matter") or ())
