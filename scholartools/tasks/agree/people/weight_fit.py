"""Weights of facets fitted to overall ratings by least squares, as a result record (Facet-aware Metric)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from scholartools.errors import UsageFault
from scholartools.metrics.statistics import weight_fit as fitting
from scholartools.records import Record
from scholartools.signature import library
from scholartools.tasks.agree.columns import Columns, short_names
from scholartools.tasks.agree.results import sign_result
from scholartools.wording import count_of

# The highest rating of each facet ("A Facet-aware Metric", section 3.2).
MAXIMA = {"background": 3.0, "method": 4.0, "result": 4.0, "conclusion": 3.0}


#: Default paths of the ratings of facets.
FACETS = ("ratings.background", "ratings.method", "ratings.result", "ratings.conclusion")


def fit(columns: Columns, facets: Sequence[str], overall: str, maxima: Sequence[float]) -> Iterator[Record]:
    """One record: the weights of the facets, by the last part of their paths."""
    rows = list(zip(*(columns.column(path) for path in facets), strict=True))
    found = fitting.fit_weights(rows, columns.column(overall), maxima)
    names = short_names(facets)
    values = {key: entry and dict(zip(names, entry, strict=True)) for key, entry in _weight_rows(found)}
    parameters = {"stat": "fit-weights", "x": list(facets), "y": overall, "max": list(maxima)}
    parameters |= {"input": columns.fingerprint(), "library": library("numpy")}
    yield {
        "stat": "fit-weights", "y": overall, **values, "max": dict(zip(names, maxima, strict=True)), "mse": found.mse,
        "n": found.n, "n_missing": found.n_missing, "reason": found.reason,
        "dropped": dict(sorted(columns.dropped.items())), "signature": sign_result(parameters, columns.dropped, None),
    }  # fmt: skip


def maxima_of(facets: Sequence[str], given: Sequence[float]) -> list[float]:
    """The maximum rating of each facet: as given, in order, else those of the published facets.

    Raises:
        UsageFault: their number differs from that of facets, one is not positive, or that of a facet is unknown.
    """
    if given and (len(given) != len(facets) or not all(0 < highest < math.inf for highest in given)):
        raise UsageFault(f"needs {count_of(len(facets), 'number')} above 0, one for each facet", parameter="max")
    names = [path.rpartition(".")[2] for path in facets]
    if unknown := [name for name in names if name not in MAXIMA and not given]:
        reason = f'the highest possible rating of "{unknown[0]}" is not known: give one for each x, in the same order'
        raise UsageFault(reason, parameter="max")
    return list(given) or [MAXIMA[name] for name in names]


def _weight_rows(found: fitting.Fit) -> Iterator[tuple[str, list[float] | None]]:
    yield "weights", found.weights
    yield "normalised", found.normalised
