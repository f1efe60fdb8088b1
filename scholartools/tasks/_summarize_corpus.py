"""Values that are only defined over the whole input: ratios of sums over its records."""

from __future__ import annotations

import math
from collections.abc import Mapping

from scholartools.metrics import resampling
from scholartools.metrics.resampling import Resampling
from scholartools.records import Record
from scholartools.tasks._agree_records import rank
from scholartools.tasks._summarize_rows import Group

# How often each value of a record counts in the sum.
Weights = Mapping[str, float]

_DECISIONS = {"tp": 1, "fp": 1, "fn": 1, "tn": 1}

# The values of each metric, as a sum over a sum. AAAR-1.0, table 1; CLAIMCHECK, section 3.4.
RATIOS: dict[str, dict[str, tuple[Weights, Weights]]] = {
    "equations": {
        "precision": ({"tp": 1}, {"tp": 1, "fp": 1}),
        "recall": ({"tp": 1}, {"tp": 1, "fn": 1}),
        "f1": ({"tp": 2}, {"tp": 2, "fp": 1, "fn": 1}),
        "all_positive.precision": ({"tp": 1, "fn": 1}, _DECISIONS),
        "all_positive.recall": ({"tp": 1, "fn": 1}, {"tp": 1, "fn": 1}),
        "all_positive.f1": ({"tp": 2, "fn": 2}, {"tp": 2, "fn": 2, "fp": 1, "tn": 1}),
        "unparsed": ({"unparsed": 1}, _DECISIONS),
    },
    "spans": {
        "edit": ({"edit_sum": 2}, {"n_spans": 1}),
        "exact": ({"exact_sum": 2}, {"n_spans": 1}),
    },
}


def pooled(metric: str, group: Group, how: Resampling, *, clustered: bool) -> dict[str, Record]:
    """The ratios of a metric over all records of a group, with bootstrap intervals over records or clusters."""
    return {
        name: _ratio(group, above, below, how, clustered) for name, (above, below) in RATIOS.get(metric, {}).items()
    }


def _ratio(group: Group, above: Weights, below: Weights, how: Resampling, clustered: bool) -> Record:
    rows = _sums(group, above, below)
    divisor = math.fsum(row[2] for row in rows)
    if not divisor:
        reason = f"nothing was counted of {', '.join(below)}"
        return {"n": len(rows), "value": None, "low": None, "high": None, "reason": reason}
    clusters = [row[0] for row in rows] if clustered else None
    found = resampling.ratio_interval([row[1] for row in rows], [row[2] for row in rows], how, clusters)
    value = math.fsum(row[1] for row in rows) / divisor
    entry = {"n": len(rows), "value": value, "low": found.low, "high": found.high}
    return entry if found.reason is None else {**entry, "reason": found.reason}


def _sums(group: Group, above: Weights, below: Weights) -> list[tuple]:
    """Cluster, numerator and denominator of every record that has all values, in an order of their own."""
    columns = {
        name: dict(zip(column.rows, column.numbers, strict=True))
        for name, column in group.columns.items()
        if name in {*above, *below}
    }
    if len(columns) < len({*above, *below}):
        return []
    rows = [
        (group.clusters[row], *(math.fsum(weight * columns[name][row] for name, weight in part.items())
                                for part in (above, below)))
        for row in range(group.n)
        if all(row in column for column in columns.values())
    ]  # fmt: skip
    return sorted(rows, key=lambda row: (rank(row[0]), row[1], row[2]))
