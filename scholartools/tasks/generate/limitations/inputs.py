"""Input for the generation of limitations: the redacted paper, selected sections, and passages of related papers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from scholartools.errors import UsageFault
from scholartools.parameters import parameter
from scholartools.records import Record
from scholartools.tasks.generate import section_selection
from scholartools.tasks.generate.corpus import Corpus, open_corpus, passage_records
from scholartools.tasks.generate.entries import number_items
from scholartools.tasks.generate.leakage import find_leaked_runs
from scholartools.tasks.generate.limitations.options import (
    DEFAULT,
    Options,
)
from scholartools.tasks.generate.redaction import RedactedPaper, redact
from scholartools.tasks.shared.pieces import Part, pieces, title_and_abstract
from scholartools.text.embeddings.sentence import embedder

TASK = "limitations"


class Task(NamedTuple):
    """A prepared paper: chunks shown, and passages retrieved; None if there was no retrieval."""

    given: RedactedPaper
    sections: list[str]
    cosines: Record | None
    pieces: list[str]
    summary: str
    passages: list[Record] | None


def read_corpus(paths: Sequence[str], options: Options = DEFAULT, *, model: bool) -> Corpus:
    """Load the related papers, with the content that the options require.

    Args:
        model: whether a model writes; otherwise limitations are the passages.

    Raises:
        UsageFault: a file or line cannot be read, or no paper has a required relation; names file and line.
    """
    words = options.chunk_words if model and not options.plain else None
    wants_limitations = not model or options.sections == (section_selection.TOP,)
    made = open_corpus(tuple(paths), words, TASK if wants_limitations else None, options.embedder)
    known = {relation for paper in made.papers for tie in paper.ties for relation in tie.relations}
    for relation in options.relation:
        if relation not in known:
            raise UsageFault(f'{parameter("relation")} {relation}: no record of the corpus has that "relation"')
    return made


def prepare_task(record: Record, options: Options, corpus: Corpus | None) -> Task:
    given = redact(record)
    chosen, cosines = _choose_sections(record, given.parts, options, corpus)
    summary, _ = title_and_abstract(given.title, given.parts)
    passages = None
    if corpus is not None and not options.plain:
        places = corpus.candidates(record, options.relation)
        hits = corpus.index.search(summary, places, top=options.top_k, dense_weight=options.dense_weight)
        passages = passage_records(hits, corpus, used=options.top if options.rerank == "none" else 0)
    shown = pieces(given.title, chosen, options.split_words)
    return Task(given, [part.name for part in chosen], cosines, shown, summary, passages)


def _choose_sections(
    record: Record, parts: Sequence[Part], options: Options, corpus: Corpus | None
) -> tuple[list[Part], Record | None]:
    """The sections to show, and the cosines if the top three were selected."""
    if options.sections not in ((section_selection.ALL,), (section_selection.TOP,)):
        return section_selection.select_named(parts, options.sections), None
    units = section_selection.units(parts)
    if options.sections == (section_selection.ALL,):
        return [part for unit in units for part in unit.parts], None
    vectors = embedder(options.embedder)
    reference = corpus.reference(record) if corpus is not None else None
    cosines = section_selection.similarities(
        units, section_selection.description_vector(vectors) if reference is None else reference, vectors
    )
    return section_selection.nearest(units, cosines), {unit.name: cosine for unit, cosine in zip(units, cosines)}


def make_entry(system: str, by: str, task: Task, made: Record) -> Record:
    """An entry of ``generated.limitations``, with the result of the leakage check."""
    entry: Record = {"system": system, "by": by, "sections": task.sections}
    if task.cosines is not None:
        entry["similarity"] = task.cosines
    if task.pieces:
        entry["pieces"] = len(task.pieces)
    entry["items"] = number_items(made["items"])
    entry |= {key: made[key] for key in ("passages", "missing", "drafts", "reason") if key in made}
    entry["leak"] = find_leaked_runs([*task.pieces, *(one["text"] for one in made["used"])], task.given.withheld)
    return entry
