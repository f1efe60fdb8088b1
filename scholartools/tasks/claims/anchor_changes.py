"""Anchors of a weakness that its rewriting keeps, loses and adds, and which of the added ones are unfounded."""

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
    """Compare the anchors of a text and its rewriting by their keys.

    Args:
        original: the original text.
        revised: the rewritten text.
        sources: the texts the rewriter was given; a quotation is founded if one of them contains it.
        known: keys of other founded anchors: see :func:`known_keys`.
    """
    before, after = anchors(original), anchors(revised)
    quoted = {one.key for one in after if one.kind == "quote" and _is_quoted(one, sources)}
    found = metric.compare_anchors([one.key for one in before], [one.key for one in after], {*known, *quoted})
    return found._asdict()


def rewriter_sources(record: PaperRecord, weakness: Weakness, related: Iterable[Record] = ()) -> list[str]:
    """The texts available to the rewriter of a weakness: the paper with captions, related papers, and the review."""
    papers = [text for paper in (record, *related) for text in paper_texts(paper).values()]
    return [*papers, review_text(record, weakness)]


def known_keys(record: PaperRecord, sources: Iterable[str]) -> set[str]:
    """Keys of all anchors in the texts, and of the record's tables, figures, sections and lines."""
    known = {key for text in sources for key in keys(text)}
    known |= {key for caption in read(record, "captions") or () for key in keys(f"{caption['label']} ")}
    numbers = [number for one in read(record, "sections") or () if (number := one.get("number"))]
    known |= {f"section {to_arabic(number.upper())}" for number in numbers}
    return known | {f"line {one['n']}" for one in read(record, "lines") or ()}


def _is_quoted(anchor: Anchor, sources: Collection[str]) -> bool:
    return find(anchor.parts["quote"], {str(place): text for place, text in enumerate(sources)}) is not None
