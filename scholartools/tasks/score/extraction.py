"""Extracted text against gold text by annotators (BAGELS, section 3.3)."""

from __future__ import annotations

import functools
from collections.abc import Iterator

from scholartools.metrics.statistics.resampling import SHARE
from scholartools.metrics.texts.extraction import extraction_quality
from scholartools.records import Record
from scholartools.signature import library
from scholartools.tasks.score.metric import (
    Metric,
    Options,
    entry,
    refused_keys,
    silent_counts,
    values_in,
)
from scholartools.tasks.score.refusals import LIMITS, foreign_words, refused_quotes
from scholartools.tasks.shared.items import (
    candidates,
    holds,
    join_items,
    references,
)

CANDIDATE = "limitations"


def extraction_scores(record: Record, options: Options) -> Iterator[Record]:
    """Extracted text against gold text by annotators, each joined from its items by a space (BAGELS, section 3.3).

    All words of a quotation that does not occur in the paper count as wrong.
    """
    gold, path = join_items(references(record, options.reference or "gold.limitations")), options.candidate or CANDIDATE
    refused = [one["text"] for one in refused_quotes(record, LIMITS)] if path == CANDIDATE else []
    for system, items in candidates(record, path, leave_out_missing=True).items():
        located = join_items(items)
        extracted = " ".join(filter(None, [located, foreign_words(refused)]))
        values = extraction_quality(gold, extracted)
        more = silent_counts(gold, extracted)
        more |= refused_keys(len(refused), functools.partial(extraction_quality, gold, located))
        yield entry("extraction", system, values, [gold, extracted], {"library": library("rapidfuzz")}, **more)


METRICS = {
    "extraction": Metric(
        "gold.limitations (text or items), limitations (or {reference}, {candidate})",
        "token P/R/F1, token-count cosine, fuzzy ratio of the joined texts",
        values_in(SHARE, "precision", "recall", "f1", "cosine", "ratio"),
        lambda record: holds(record, "gold.limitations") and holds(record, "limitations"),
        extraction_scores,
        ("reference", "candidate"),
        (CANDIDATE,),
    ),
}
