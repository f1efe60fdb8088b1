"""Related papers for retrieval: loaded once per run, split into passages, and searched for each paper."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

from scholartools.errors import InputFault, UsageFault
from scholartools.parameters import parameter
from scholartools.records import Record, name_of, read
from scholartools.signature import fingerprint
from scholartools.tasks import limits
from scholartools.tasks.generate.section_selection import unit_length
from scholartools.tasks.shared.corpus import iter_corpus
from scholartools.tasks.shared.identity import identifiers
from scholartools.text.chunks import split_words
from scholartools.text.embeddings.sentence import embedder
from scholartools.text.retrieval import Hit, Index

if TYPE_CHECKING:
    from numpy import ndarray

    from scholartools.schemas.shapes import PaperRecord

RELATIONS = ("cited-in", "cited-by", "similar")

# Roles of sections that are not about the work itself, and of the abstract, which records store separately.
_NO_PASSAGE = frozenset(["abstract", "reference", "acknowledgement"])


class Relation(NamedTuple):
    """Relations of a paper of the corpus to other papers, given by their ids; None: to all papers."""

    relations: frozenset[str]
    to: frozenset[str] | None


class Excerpt(NamedTuple):
    """A verbatim passage of a paper, and its heading."""

    heading: str | None
    text: str


@dataclass
class Related:
    """A paper of the corpus."""

    id: str
    names: frozenset[tuple[str, str]]  # identifiers that match other records of the paper
    content: str  # a fingerprint
    excerpts: list[Excerpt]
    stated: list[Excerpt]
    ties: list[Relation] = field(default_factory=list)


class Corpus:
    """Papers for retrieval, without duplicates, in the order of the files.

    Attributes:
        left_out: number of records without text.
        fingerprint: fingerprint of everything that can affect a result.
    """

    def __init__(self, papers: Sequence[Related], left_out: int, made_of: tuple) -> None:
        self.papers = papers
        self.left_out = left_out
        ties = [[[sorted(tie.relations), tie.to and sorted(tie.to)] for tie in paper.ties] for paper in papers]
        self.fingerprint = fingerprint([[paper.id, paper.content, tie] for paper, tie in zip(papers, ties)])
        self.excerpts = list(chain.from_iterable(paper.excerpts for paper in papers))
        self.owners = [place for place, paper in enumerate(papers) for _ in paper.excerpts]
        self._made_of = made_of

    def __reduce__(self) -> tuple[Callable[..., Corpus], tuple]:
        """Pickle as file names; the receiving process loads them once."""
        return _open_cached, self._made_of

    def candidates(self, record: Record, relations: Sequence[str]) -> list[int]:
        """Indices of the excerpts available to a paper: of papers related to it, except itself.

        Args:
            relations: accepted relations; empty: all.
        """
        own, name, wanted = identifiers(record), name_of(record, "id"), frozenset(relations)
        related = [
            not own & paper.names and any(_holds_text(tie, name, wanted) for tie in paper.ties) for paper in self.papers
        ]
        return [place for place, owner in enumerate(self.owners) if related[owner]]

    @functools.cached_property
    def index(self) -> Index:
        """Search index over the excerpts, built on first use."""
        return Index([excerpt.text for excerpt in self.excerpts], embedder(self._made_of[-1]))

    def reference(self, record: Record) -> ndarray | None:
        """Normalised mean vector of the other papers' limitations; None if there are none."""
        own = identifiers(record)
        sums = [row for paper, row in zip(self.papers, self._sums) if paper.stated and not own & paper.names]
        return unit_length(sum(sums)) if sums else None

    @functools.cached_property
    def _sums(self) -> list[Any]:
        """For each paper, the sum of the vectors of its stated items."""
        vectors = embedder(self._made_of[-1]).vectors
        return [vectors([one.text for one in paper.stated]).sum(axis=0, dtype="float64") for paper in self.papers]


def open_corpus(paths: tuple[str, ...], words: int | None, stated: str | None, embedder_name: str | None) -> Corpus:
    """Load the papers of JSONL files.

    A record with a known id is the same paper with a further relation; so is a record that shares an identifier and all
    passages with an earlier one, whose passages would otherwise be found twice.

    Args:
        words: maximum words per excerpt; None: the stated items are the excerpts.
        stated: key of the items to collect: limitations, weaknesses; None: none.

    Raises:
        UsageFault: a file cannot be read, a line is not a record, or two papers have the same id; names file and line.
    """
    papers: list[Related] = []
    by_id: dict[str, Related] = {}
    by_content: dict[str, list[Related]] = {}
    left_out, has_stated = 0, False
    for where, record in iter_corpus(paths):
        try:
            paper = _read_paper(record, words, stated)
            alike = by_content.setdefault(paper.content, [])
            same = next((one for one in alike if one.names & paper.names), paper)
            earlier = by_id.setdefault(paper.id, same)
            if earlier.content != paper.content:
                raise InputFault(f'another paper has the id "{paper.id}" too')
            tie = _parse_relation(record)
        except InputFault as fault:
            raise UsageFault(f"{parameter('corpus')} {where}: {fault.reason}") from None
        left_out += not any(record.get(key) for key in ("abstract", "sections", stated) if key)
        if earlier is paper:
            papers.append(paper)
            alike.append(paper)
        earlier.names |= paper.names
        earlier.ties.append(tie)
        has_stated = has_stated or (stated is not None and record.get(stated) is not None)
    if words is None and not has_stated:
        step = "st-extract-limits" if stated == "limitations" else f"st-claims {stated}"
        raise UsageFault(f'no record has "{stated}": run {step} first', parameter="corpus")
    return Corpus(papers, left_out, (paths, words, stated, embedder_name))


@functools.cache
def _open_cached(*made_of: Any) -> Corpus:
    return open_corpus(*made_of)


def passage_records(hits: Sequence[Hit], corpus: Corpus, *, used: int) -> list[Record]:
    """Retrieved passages as stored in records; the first ``used`` are marked as used."""
    found = []
    for place, hit in enumerate(hits):
        excerpt, paper = corpus.excerpts[hit.place], corpus.papers[corpus.owners[hit.place]]
        scores = {"bm25": hit.bm25, "dense": hit.dense, "both": hit.both, "relevance": None}
        where = {"id": f"p{place + 1}", "paper": paper.id, "heading": excerpt.heading, "text": excerpt.text}
        found.append({**where, "scores": scores, "used": place < used})
    return found


def _read_paper(record: Record, words: int | None, key: str | None) -> Related:
    """Parse the record of a paper, without its relations.

    Raises:
        InputFault: a key has the wrong type.
    """
    stated = _stated_items(record, key) if key else []
    excerpts = stated if words is None else list(_excerpts(record, words))
    content = fingerprint([[list(one) for one in excerpts], [list(one) for one in stated]])
    return Related(record["id"], identifiers(record), content, excerpts, stated)


def _excerpts(record: PaperRecord, words: int) -> Iterator[Excerpt]:
    yield from (Excerpt("Abstract", piece) for piece in split_words(read(record, "abstract") or "", words))
    for section in read(record, "sections") or ():
        if section["role"] not in _NO_PASSAGE:
            heading = section["heading"].strip() or None
            yield from (Excerpt(heading, piece) for piece in split_words(section["text"], words))


def _stated_items(record: Record, key: str) -> list[Excerpt]:
    """The items of a record at a key; missing limitations are extracted from its sections."""
    given = record.get(key)
    if given is None and key != "limitations":
        return []
    if given is None:
        sections = read(record, "sections")
        given = limits.extract({"sections": sections})["limitations"] if sections else []
    if not isinstance(given, list) or not all(
        isinstance(one, dict) and isinstance(one.get("text"), str) for one in given
    ):
        raise InputFault(f'"{key}" is not a list of objects with a "text"', kind="invalid-key")
    headings = (one.get("heading") for one in given)
    return [
        Excerpt(heading if isinstance(heading, str) else None, one["text"])
        for one, heading in zip(given, headings)
        if one["text"].strip()
    ]


def _parse_relation(record: Record) -> Relation:
    related_to = record.get("related_to")
    relations = frozenset(_words(record.get("relation") or [], "relation"))
    return Relation(relations, None if related_to is None else frozenset(_words(related_to, "related_to")))


def _words(value: Any, key: str) -> list[str]:
    words = [value] if isinstance(value, str) else value
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        raise InputFault(f'"{key}" is neither a string nor a list of strings', kind="invalid-key")
    return words


def _holds_text(tie: Relation, name: str | None, wanted: frozenset[str]) -> bool:
    return (tie.to is None or name in tie.to) and (not wanted or bool(wanted & tie.relations))
