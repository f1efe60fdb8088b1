"""Options for the generation of limitations, and which of them affect a method."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal

from scholartools.errors import UsageFault
from scholartools.parameters import parameter
from scholartools.signature import library
from scholartools.tasks.generate import section_selection
from scholartools.tasks.generate.corpus import Corpus
from scholartools.text.embeddings.sentence import embedder


@dataclass(frozen=True)
class Options:
    """Options for the generation of limitations.

    Attributes:
        system: name of the entry; None for the model, with ``+rag`` if related papers are used.
        sections: ``("all",)``, ``("top3",)``, or roles and ids of sections.
        split_words: maximum words per chunk of the paper.
        embedder: name of the embedder, None for the default.
        plain: do not retrieve from the corpus; it only provides the reference vector for ``top3``.
        relation: relations of the papers to use; empty for all.
        chunk_words: maximum words per passage.
        dense_weight: weight of embeddings in retrieval, 0..1; BM25 has the rest.
        top_k: number of passages retrieved.
        rerank: "model": use passages that it rates at least ``min_relevance`` of 10; "none": use the first ``top``.
        items: maximum number of limitations of :func:`related`.
    """

    system: str | None = None
    sections: tuple[str, ...] = (section_selection.TOP,)
    split_words: int = 3000
    embedder: str | None = None
    plain: bool = False
    relation: tuple[str, ...] = ()
    chunk_words: int = 300
    dense_weight: float = 0.5
    top_k: int = 20
    rerank: Literal["model", "none"] = "model"
    top: int = 3
    min_relevance: int = 8
    items: int = 5


DEFAULT = Options()


def check(options: Options) -> None:
    """Validate the options.

    Raises:
        UsageFault: sections include limitations, or all together with others; the system name is empty.
    """
    section_selection.check(options.sections)
    if options.system is not None and not options.system.strip():
        raise UsageFault(f"{parameter('system')}: the name is empty")


# Options that each method uses, besides the system name.
_PLAIN = ("sections", "split_words")
_RAG = (*_PLAIN, "relation", "chunk_words", "dense_weight", "top_k", "rerank")
_BUILTIN = ("relation", "dense_weight", "items")


def parameters(options: Options, corpus: Corpus | None, *, model: bool) -> dict[str, Any]:
    """The options that affect the results, the corpus and the retrieval libraries, for signatures."""
    draws = corpus is not None and not (model and options.plain)
    names = _BUILTIN if not model else _RAG if draws else _PLAIN
    every = asdict(options)
    chosen = {name: list(every[name]) if isinstance(every[name], tuple) else every[name] for name in names}
    if model and draws:
        name = "min_relevance" if options.rerank == "model" else "top"
        chosen[name] = every[name]
    if corpus is not None:
        chosen["corpus"] = corpus.fingerprint
    if draws or options.sections == (section_selection.TOP,):
        chosen["embedder"] = embedder(options.embedder).name
    if draws:
        chosen["bm25"] = library("bm25s")
    return {"system": options.system, "sentences": library("nupunkt"), **chosen}
