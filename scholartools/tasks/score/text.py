"""Comparison of two texts by words, characters, embeddings and keywords."""

from __future__ import annotations

import functools
from collections.abc import Iterator

from scholartools.errors import InputFault
from scholartools.metrics.items import soft_match
from scholartools.metrics.statistics.resampling import SHARE
from scholartools.metrics.texts import overlap
from scholartools.metrics.texts.keywords import keyword_overlap, keywords
from scholartools.metrics.values import Value
from scholartools.metrics.vectors import cosine, similarities
from scholartools.records import Record
from scholartools.signature import library
from scholartools.tasks.score.metric import (
    COSINE,
    UNBOUNDED,
    Metric,
    Options,
    all_undefined,
    count_truncated,
    entry,
    rouge,
    sacrebleu,
    silent_counts,
    values_in,
)
from scholartools.tasks.shared.embedder import need_model
from scholartools.tasks.shared.items import (
    candidates,
    holds,
    join_items,
    references,
)
from scholartools.text.embeddings.cached import (
    contextual_model,
    embedder,
    token_vectors,
    vectors,
)

CANDIDATE = "summaries"

ROUGE_NAMES = tuple(f"{name}{part}" for name in overlap.ROUGE for part in ("", "_precision", "_recall"))
BERTSCORE_NAMES = ("bertscore", "bertscore_precision", "bertscore_recall")


def text_scores(record: Record, options: Options) -> Iterator[Record]:
    """Each system's text against the reference; several texts of one side are joined by a space."""
    need_model(options.embedder)
    reference = join_items(references(record, options.reference or "abstract"))
    for system, items in candidates(record, options.candidate or CANDIDATE, leave_out_missing=True).items():
        candidate = join_items(items)
        values = text_values(reference, candidate, options)
        more = silent_counts(reference, candidate) | count_truncated([reference, candidate], options)
        yield entry("text", system, values, [reference, candidate], _text_versions(options), **more)


def text_values(reference: str, candidate: str, options: Options) -> dict[str, Value]:
    """All values of the metric ``text``: in 0..1, except embedding cosine (-1..1) and BERTScore (unbounded)."""
    words = overlap.token_overlap(reference, candidate)
    values = rouge_values(reference, candidate, options.stemmer)
    values["bleu"] = overlap.bleu(reference, candidate)
    if (scorer := sacrebleu()) is not None:
        values["sacrebleu"] = scorer(reference, candidate)
    return values | {
        "token_f1": words.f1,
        "token_precision": words.precision,
        "token_recall": words.recall,
        "count_cosine": overlap.count_cosine(reference, candidate),
        "jaccard": overlap.jaccard(reference, candidate),
        "fuzzy_ratio": overlap.fuzzy_ratio(reference, candidate),
        "edit_similarity": overlap.edit_similarity(reference, candidate),
        "embedding_cosine": embedding_cosine(reference, candidate, options.embedder),
        **keyword_values(reference, candidate, options.embedder),
        **bertscore_values(reference, candidate, options.bertscore),
    }


def rouge_values(reference: str, candidate: str, stemmer: bool) -> dict[str, Value]:
    """ROUGE-1, -2 and -L: F1 under the bare name, then precision and recall."""
    try:
        scores = rouge(stemmer)(reference, candidate)
    except InputFault as fault:
        return all_undefined(ROUGE_NAMES, fault.reason)
    if scores is None:
        return all_undefined(ROUGE_NAMES, overlap.NO_REFERENCE_WORDS)
    return {
        f"{name}{part}": Value(number)
        for name, score in scores.items()
        for part, number in (("", score.f1), ("_precision", score.precision), ("_recall", score.recall))
    }


def embedding_cosine(reference: str, candidate: str, name: str | None) -> Value:
    """Cosine of two texts' embeddings; 0 if the candidate has no tokens, undefined if the reference has none."""
    first, second = (vectors([text], name)[0] for text in (reference, candidate))
    if not first.any():
        return Value(None, overlap.NO_REFERENCE_WORDS)
    return Value(cosine(first, second))


def bertscore_values(reference: str, candidate: str, spec: str | None) -> dict[str, Value]:
    """BERTScore with a model and layer (``MODEL:LAYER``); empty if ``spec`` is None."""
    if spec is None:
        return {}
    wanted, given = (token_vectors(text, spec) for text in (reference, candidate))
    matrix = similarities(given.vectors, wanted.vectors)
    scores = soft_match.bert_score(matrix, given.is_text, wanted.is_text)
    return dict(zip(BERTSCORE_NAMES, (scores.f1, scores.precision, scores.recall), strict=True))


def bertscore_version(spec: str | None) -> Record:
    """Model and settings of BERTScore, for the signature; idf weights and rescaling are not supported."""
    return {} if spec is None else {"bertscore": contextual_model(spec).name, "idf": False, "rescaled": False}


def keyword_values(reference: str, candidate: str, name: str | None) -> dict[str, Value]:
    """Overlap of the two texts' keywords."""
    found = keyword_overlap(_find_keywords(reference, name), _find_keywords(candidate, name))
    return {f"keyword_{measure}": value for measure, value in found.items()}


@functools.lru_cache(maxsize=512)
def _find_keywords(text: str, name: str | None) -> tuple[str, ...]:
    return tuple(keywords(text, embedder(name).vectors))


def _text_versions(options: Options) -> Record:
    scorer = sacrebleu()
    return {
        "stemmer": options.stemmer, "embedder": embedder(options.embedder).name, "rouge": library("rouge-score"),
        "sacrebleu": None if scorer is None else scorer.signature,
        "library": [library("rapidfuzz"), library("scikit-learn"), library("numpy")],
        **bertscore_version(options.bertscore),
    }  # fmt: skip


METRICS = {
    "text": Metric(
        "abstract, summaries (or {reference}, {candidate})",
        "ROUGE-1/2/L F1, P and R ({stemmer}), BLEU, sacrebleu (if installed), token P/R/F1, count cosine, Jaccard, "
        "fuzzy ratio, edit similarity, embedding cosine, keyword Jaccard and cosine, BERTScore ({bertscore})",
        values_in(SHARE, *ROUGE_NAMES, "bleu", "sacrebleu", "token_f1", "token_precision", "token_recall")
        | values_in(SHARE, "count_cosine", "jaccard", "fuzzy_ratio", "edit_similarity", "keyword_*")
        | values_in(COSINE, "embedding_cosine")
        | values_in(UNBOUNDED, *BERTSCORE_NAMES),
        lambda record: holds(record, "abstract") and holds(record, "summaries"),
        text_scores,
        ("reference", "candidate", "stemmer", "embedder", "bertscore"),
        (CANDIDATE,),
    ),
}
