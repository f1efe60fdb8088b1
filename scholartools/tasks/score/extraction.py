"""How well extracted text covers the gold text of people (BAGELS, section 3.3)."""

from __future__ import annotations

from collections.abc import Iterator

from scholartools.metrics.texts.extraction import extraction_quality
from scholartools.records import Record
from scholartools.signature import library
from scholartools.tasks.score.metric import (
    Metric,
    Options,
    entry,
    silent_counts,
)
from scholartools.tasks.shared.items import (
    candidates,
    holds,
    join_items,
    references,
)

CANDIDATE = "limitations"


def extraction_scores(record: Record, options: Options) -> Iterator[Record]:
    """Extracted text against people's gold text, the items of each joined by one space (BAGELS, section 3.3)."""
    gold = join_items(references(record, options.reference or "gold.limitations"))
    for system, items in candidates(record, options.candidate or CANDIDATE, leave_out_missing=True).items():
        extracted = join_items(items)
        values = extraction_quality(gold, extracted)
        versions = {"library": library("rapidfuzz")}
        yield entry("extraction", system, values, [gold, extracted], versions, **silent_counts(gold, extracted))


METRICS = {
    "extraction": Metric(
        "gold.limitations (text or items), limitations (or {reference}, {candidate})",
        "token P/R/F1, token-count cosine, fuzzy ratio of the joined texts",
        lambda record: holds(record, "gold.limitations") and holds(record, "limitations"),
        extraction_scores,
        ("reference", "candidate"),
        (CANDIDATE,),
    ),
}
