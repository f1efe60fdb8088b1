"""What may be chosen of the generation of limitations, and what of it makes a difference to which way of writing."""

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
    """What may be chosen.

    Attributes:
        system: name of the entry; None for the model's, with ``+rag`` where it draws on related papers.
        sections: ``("all",)``, ``("top3",)``, or roles and ids of sections.
        split_words: of one piece of a paper at most.
        embedder: name of the embedder, None for the default.
        plain: do not draw on the corpus; it only says what limitations are like, for ``top3``.
        relation: of the papers to draw on; nothing for all.
        chunk_words: of one passage at most.
        dense_weight: of embeddings in retrieval, 0..1; the rest is BM25's.
        top_k: passages retrieved.
        rerank: "model": those that it rates ``min_relevance`` or more of 10 are used; "none": the first ``top``.
        items: of :func:`related` at most.
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
    """Refuse options that cannot be meant.

    Raises:
        UsageFault: a choice of sections with a limitation, or all with others; an empty name of a system.
    """
    section_selection.check(options.sections)
    if options.system is not None and not options.system.strip():
        raise UsageFault(f"{parameter('system')}: the name is empty")


# What each way reads of the options, beside the name of the system.
_PLAIN = ("sections", "split_words")
_RAG = (*_PLAIN, "relation", "chunk_words", "dense_weight", "top_k", "rerank")
_BUILTIN = ("relation", "dense_weight", "items")


def parameters(options: Options, corpus: Corpus | None, *, model: bool) -> dict[str, Any]:
    """What a signature must hold: the options that make a difference, the corpus, the libraries that retrieve."""
    """The options that make a difference, with the corpus and the libraries that retrieve."""
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
