"""Weaknesses without a model: verbatim weaknesses from reviews of the most similar papers of a corpus. A baseline."""

from __future__ import annotations

from collections.abc import Sequence

from scholartools.errors import ModelFault
from scholartools.parameters import parameter
from scholartools.records import Record, add_provenance, read
from scholartools.signature import library
from scholartools.tasks.generate.corpus import Corpus, open_corpus, passage_records
from scholartools.tasks.generate.entries import COMMAND, number_items, with_generated
from scholartools.tasks.generate.leakage import with_warnings
from scholartools.tasks.shared.pieces import paper_parts, title_and_abstract

TASK = "weaknesses"
SYSTEM = "related-weaknesses"


def needs_model() -> ModelFault:
    """Error of a run with neither a model nor reviews."""
    reason = (
        "the task weaknesses needs a model, or reviewed papers from which it copies weaknesses: "
        f"name a model with {parameter('model')}, or a file of reviewed papers with {parameter('corpus')}"
    )
    return ModelFault(reason, kind="no-model")


def read_reviews(paths: Sequence[str], embedder: str | None = None) -> Corpus:
    """Load the ``weaknesses`` of the papers of JSONL files.

    Raises:
        UsageFault: a file or a line of it cannot be read; names file and line.
    """
    return open_corpus(tuple(paths), None, TASK, embedder)


def related_weaknesses(
    record: Record, corpus: Corpus, *, items: int = 5, dense_weight: float = 0.5, system: str | None = None
) -> Record:
    """Add weaknesses that reviewers named of other papers, most similar first, to a copy of the record.

    They are retrieved by title and abstract. This is a baseline: the texts are about other papers.

    Args:
        items: maximum number of weaknesses.
        dense_weight: weight of embeddings in retrieval, 0..1; BM25 has the rest.
        system: name of the entry, None for :data:`SYSTEM`.

    Raises:
        InputFault: there is no text.
    """
    summary, source = title_and_abstract((read(record, "title") or "").strip(), paper_parts(record))
    hits = corpus.index.search(summary, corpus.candidates(record, ()), top=items, dense_weight=dense_weight)
    passages = passage_records(hits, corpus, used=len(hits))
    found = [{"text": one["text"], "passages": [one["id"]]} for one in passages]
    entry: Record = {"system": system or SYSTEM, "by": "builtin", "sections": [source]}
    entry |= {"items": number_items(found), "passages": passages}
    if not found:
        entry["reason"] = "no weakness of another paper"
    made = with_warnings(with_generated(record, TASK, [entry]), [entry])
    chosen = {"items": items, "dense_weight": dense_weight, "system": system}
    chosen |= {"corpus": corpus.fingerprint, "bm25": library("bm25s"), "embedder": corpus.index.name}
    inputs = [record.get("id"), summary, passages]
    add_provenance(made, COMMAND, TASK, method="builtin", options=chosen, input=inputs)
    return made
