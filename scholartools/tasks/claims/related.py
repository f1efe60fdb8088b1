"""Related papers that a review or claim cites, from a collection supplied by the user (CLAIMCHECK, section 3.2)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from scholartools.errors import InputFault, UsageFault
from scholartools.parameters import parameter
from scholartools.records import Record, name_of, read
from scholartools.signature import fingerprint
from scholartools.tasks.claims.base import paper_texts
from scholartools.tasks.claims.mentions import Places
from scholartools.tasks.shared.corpus import iter_corpus
from scholartools.tasks.shared.identity import identifiers
from scholartools.text.anchors import Anchor, anchors

if TYPE_CHECKING:
    from scholartools.records import Entry
    from scholartools.schemas.shapes import PaperRecord, Reference

_WORD = re.compile(r"\w+")


class Related(NamedTuple):
    """Citations of texts, resolved.

    Attributes:
        papers: cited records of the corpus, in the order of first citation.
        unresolved: citations without a record in the corpus, as written.
    """

    papers: list[Record]
    unresolved: list[str]


class Corpus:
    """Collection of papers in which citations are looked up.

    A citation is resolved through the reference list, by DOI or title of a paper in the corpus; or, since reviews cite
    papers that the paper does not, by an author's name and the ``year`` of a paper in the corpus. A paper with
    ``related_to`` is only available for the papers named there, and no paper is related to itself.

    Attributes:
        fingerprint: fingerprint of everything that can affect a result.
    """

    def __init__(self, papers: Sequence[Record]) -> None:
        self._papers = papers
        self.fingerprint = fingerprint([[paper["id"], paper_texts(paper)] for paper in papers])

    def find_cited(self, record: Record, texts: Iterable[str]) -> Related:
        """The papers cited in texts, among those available for the record."""
        papers: dict[str, Record] = {}
        unresolved: dict[str, None] = {}
        places = Places(record)
        of_record = [paper for paper in self._papers if _is_for(paper, record)]
        for text in texts:
            for anchor in anchors(text):
                if anchor.kind != "citation":
                    continue
                found = _resolve_anchor(anchor, places, record, of_record)
                if found is None:
                    unresolved[" ".join(text[anchor.start : anchor.end].split())] = None
                else:
                    papers[found["id"]] = found
        return Related(list(papers.values()), list(unresolved))


NO_CORPUS = Corpus(())


def open_corpus(paths: tuple[str, ...]) -> Corpus:
    """Read the papers of JSONL files.

    A repeated id is the same paper, related to a further one.

    Raises:
        UsageFault: a file cannot be read, a line is not a record with an id, or two papers have the same id; names file
            and line.
    """
    papers: dict[str, Record] = {}
    for where, paper in iter_corpus(paths):
        try:
            papers[paper["id"]] = _joined(papers.get(paper["id"]), paper)
        except InputFault as fault:
            raise UsageFault(f"{parameter('corpus')} {where}: {fault.reason}") from None
    return Corpus(list(papers.values()))


def _joined(earlier: Record | None, paper: Record) -> Record:
    """Merge a paper with an earlier record: ``related_to`` is united, or dropped if one of them has none.

    Raises:
        InputFault: the id belongs to another paper, or the texts are malformed.
    """
    texts = paper_texts(paper)
    if earlier is None:
        return paper
    if (paper_texts(earlier), earlier.get("title")) != (texts, paper.get("title")):
        raise InputFault(f'another paper has the id "{paper["id"]}" too')
    first, second = _related_to(earlier), _related_to(paper)
    both = None if first is None or second is None else list(dict.fromkeys([*first, *second]))
    return {**earlier, "related_to": both}


def _related_to(paper: Entry) -> list[str] | None:
    """Ids of the papers for which a paper is available; None for all."""
    related_to = paper.get("related_to")
    wanted = [related_to] if isinstance(related_to, str) else related_to
    return wanted if isinstance(wanted, list) else None


def _is_for(paper: Record, record: Record) -> bool:
    wanted = _related_to(paper)
    return (wanted is None or name_of(record, "id") in wanted) and not identifiers(paper) & identifiers(record)


def _resolve_anchor(anchor: Anchor, places: Places, record: PaperRecord, papers: Sequence[Record]) -> Record | None:
    name = places.of(anchor)
    reference = next((one for one in read(record, "references") or () if one["id"] == name), None)
    if reference is not None:
        for paper in papers:
            if _is_same(reference, paper):
                return paper
    if "name" not in anchor.parts:
        return None
    return next((paper for paper in papers if _is_by(paper, anchor.parts["name"], anchor.parts["year"])), None)


def _is_same(reference: Reference, paper: PaperRecord) -> bool:
    names = [(_plain_name(one.get("doi")), _plain_name(one.get("title"))) for one in (reference, paper)]
    return any(first and first == second for first, second in zip(*names))


def _plain_name(name: Any) -> str:
    return " ".join(_WORD.findall(name.casefold())) if isinstance(name, str) else ""


def _is_by(paper: PaperRecord, name: str, year: str) -> bool:
    authors = " ".join(read(paper, "authors") or ())
    return str(paper.get("year", "")) == year and re.search(rf"\b{re.escape(name)}\b", authors) is not None
