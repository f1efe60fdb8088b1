"""Which anchors of a weakness its rewriting keeps, loses and adds, and which of the added nothing gives it."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING

from scholartools.metrics.items import anchors as metric
from scholartools.records import Record, read
from scholartools.tasks.claims.base import paper_texts, review_text
from scholartools.tasks.claims.mentions import find
from scholartools.text.anchors import Anchor, anchors, keys, to_arabic

if TYPE_CHECKING:
    from scholartools.schemas.shapes import PaperRecord, Weakness


def compare_anchors(original: str, revised: str, sources: Collection[str], known: Collection[str]) -> Record:
    """The anchors of a text and of its rewriting, each by its key.

    Args:
        original: the text.
        revised: the rewriting.
        sources: what the rewriter was given; a quotation is founded where one of them has it.
        known: keys of anchors that are founded: see :func:`known_keys`.
    """
    before, after = anchors(original), anchors(revised)
    quoted = {one.key for one in after if one.kind == "quote" and _is_quoted(one, sources)}
    found = metric.compare_anchors([one.key for one in before], [one.key for one in after], {*known, *quoted})
    return found._asdict()


def rewriter_sources(record: PaperRecord, weakness: Weakness, related: Iterable[Record] = ()) -> list[str]:
    """The texts that a rewriter of a weakness is given: the paper, its captions, related papers, the review."""
    papers = [text for paper in (record, *related) for text in paper_texts(paper).values()]
    return [*papers, review_text(record, weakness)]


def known_keys(record: PaperRecord, sources: Iterable[str]) -> set[str]:
    """The keys of all anchors that occur in some texts, and of tables, figures, sections and lines of the record."""
    known = {key for text in sources for key in keys(text)}
    known |= {key for caption in read(record, "captions") or () for key in keys(f"{caption['label']} ")}
    numbers = [number for one in read(record, "sections") or () if (number := one.get("number"))]
    known |= {f"section {to_arabic(number.upper())}" for number in numbers}
    return known | {f"line {one['n']}" for one in read(record, "lines") or ()}


def _is_quoted(anchor: Anchor, sources: Collection[str]) -> bool:
    return find(anchor.parts["quote"], {str(place): text for place, text in enumerate(sources)}) is not None
