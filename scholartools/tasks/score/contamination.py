"""How often a model continues a review with its published wording, which suggests that it was trained on it."""

from __future__ import annotations

from collections.abc import Iterator

from scholartools.errors import InputFault
from scholartools.metrics.values import Value
from scholartools.records import Record, nonzero
from scholartools.tasks.claims.marks import refuse_stale_continuations
from scholartools.tasks.score.metric import (
    NOT_NEGATIVE,
    LeftOut,
    Metric,
    Options,
    each_system,
    entry,
    read_entries,
    values_in,
)
from scholartools.tasks.shared.judgements import by_name
from scholartools.text.ngrams import LENGTH


def contamination_entries(record: Record, _: Options) -> Iterator[Record | LeftOut]:
    """Counts by system of continuations with a run of :data:`LENGTH` words of the review, and sum of the longest runs.

    Reviews that are too short for a request, or without a usable reply, are excluded; ``n_unjudged`` counts the latter.
    """
    found, left_out = read_entries(record, "contamination")
    if found is None:
        raise InputFault('no "contamination": run st-claims contamination first', kind="missing-key")
    yield from left_out
    entries: dict[str, list[Record]] = {}
    for one in found:
        entries.setdefault(one["system"], []).append(one)

    def make(system: str) -> Iterator[Record]:
        one = by_name(entries[system], "system", "contamination")[system]
        refuse_stale_continuations(record, one)
        runs = [review["longest"] for review in one["reviews"] if review["longest"] is not None]
        counts = {"n_reviews": len(runs), "n_repeated": sum(run >= LENGTH for run in runs), "longest_sum": sum(runs)}
        values = {name: Value(float(count)) for name, count in counts.items()}
        n_lost = sum(review["longest"] is None and review.get("hidden") is not None for review in one["reviews"])
        yield entry("contamination", system, values, one["reviews"], {"words": LENGTH}, **nonzero(n_unjudged=n_lost))

    yield from each_system(entries, make)


METRICS = {
    "contamination": Metric(
        "contamination",
        f"share of reviews that a model continues with {LENGTH} or more of their own words in a row, and the mean of "
        "the longest runs; over all records",
        values_in(NOT_NEGATIVE, "n_reviews", "n_repeated", "longest_sum"),
        lambda record: bool(record.get("contamination")),
        contamination_entries,
    ),
}
