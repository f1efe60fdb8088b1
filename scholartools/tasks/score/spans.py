"""F1 of two lists of marked spans in a record, by edit similarity and by equality (CLAIMCHECK, section 3.4)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from scholartools.errors import InputFault
from scholartools.metrics.agreement import spans
from scholartools.metrics.statistics.resampling import SHARE
from scholartools.metrics.values import Value
from scholartools.records import Record, nonzero
from scholartools.signature import library
from scholartools.tasks.score.metric import (
    NOT_NEGATIVE,
    LeftOut,
    Metric,
    Options,
    each_system,
    entry,
    refused_keys,
    values_in,
)
from scholartools.tasks.score.refusals import count_refused_items
from scholartools.tasks.shared.items import (
    Item,
    candidates,
    holds,
    references,
)

CANDIDATE = "generated.claims"
REFERENCE = "claims"


def span_scores(record: Record, options: Options) -> Iterator[Record | LeftOut]:
    """F1 of two lists of texts by edit similarity and by equality, assigned one to one (CLAIMCHECK, section 3.4).

    ``edit_sum``, ``exact_sum`` and ``n_spans`` are the sums for F1 over the whole input. Quotations that do not occur
    in the paper count as false positives.
    """
    path = options.candidate or CANDIDATE
    wanted = _span_texts(references(record, options.reference or REFERENCE), "the reference")
    systems = candidates(record, path, leave_out_missing=True)

    def make(system: str) -> Iterator[Record]:
        given = _span_texts(systems[system], f'"{system}"')
        match = spans.match(wanted, given)
        n_refused = count_refused_items(record, path, system)
        values = _span_values(replace(match, n_second=match.n_second + n_refused))
        more = nonzero(n_empty=bool(wanted) and not given and not n_refused)
        more |= refused_keys(n_refused, lambda: _span_values(match))
        inputs = [wanted, given, *([n_refused] if n_refused else ())]
        yield entry("spans", system, values, inputs, {"library": [library("rapidfuzz"), library("scipy")]}, **more)

    return each_system(systems, make)


def _span_values(match: spans.SpanMatch) -> dict[str, Value]:
    pooled = spans.pool_matches([match])
    return {
        "edit": Value(pooled.edit, pooled.reason),
        "exact": Value(pooled.exact, pooled.reason),
        "edit_sum": Value(match.edit),
        "exact_sum": Value(float(match.exact)),
        "n_spans": Value(float(pooled.n_spans)),
    }


def _span_texts(items: Sequence[Item], side: str) -> list[str]:
    """The texts of spans.

    Raises:
        InputFault: a text is empty, and would count as a span.
    """
    if any(not item.text for item in items):
        raise InputFault(f"{side} has a span without text", kind="invalid-key")
    return [item.text for item in items]


METRICS = {
    "spans": Metric(
        "claims, generated.claims (or {reference}, {candidate}): lists of texts",
        "F1 by edit similarity and by equality, per record; over the whole input with {summary}",
        values_in(SHARE, "edit", "exact") | values_in(NOT_NEGATIVE, "edit_sum", "exact_sum", "n_spans"),
        lambda record: holds(record, "claims") and holds(record, "generated.claims"),
        span_scores,
        ("reference", "candidate"),
        (CANDIDATE,),
    ),
}
