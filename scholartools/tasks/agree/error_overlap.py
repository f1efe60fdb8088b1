"""Result records of the errors of methods against human scores, and of their overlap."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from scholartools.errors import UsageFault
from scholartools.metrics.statistics import error_overlap
from scholartools.metrics.statistics.error_overlap import Bins, Errors
from scholartools.metrics.statistics.paired_bootstrap import paired_bootstrap
from scholartools.metrics.statistics.resampling import Resampling
from scholartools.paths import as_json
from scholartools.records import Record
from scholartools.signature import library
from scholartools.tasks.agree.columns import Columns, Table
from scholartools.tasks.agree.results import interval_entry, no_interval, sign_result

#: Value of ``n_bins`` for as many bins as there are distinct human scores.
AS_TRUTH = 0


@dataclass(frozen=True)
class Ranges:
    """Lowest and highest score of the methods (x) and of the human scores (y), for rescaling to 0..1.

    Raises:
        UsageFault: the lowest score of a range is not below its highest.
    """

    x: tuple[float, float] = (0.0, 1.0)
    y: tuple[float, float] = (0.0, 1.0)

    def __post_init__(self) -> None:
        if not all(low < high for low, high in (self.x, self.y)):
            raise UsageFault("a range needs a lowest number below its highest")


@dataclass(frozen=True)
class _Found:
    """The errors of all methods in one part of the columns."""

    part: Table
    truth: str
    n_bins: int
    true: Bins
    of: dict[str, Errors]


def error_records(columns: Columns, x: Sequence[str], truth: str, n_bins: int) -> Iterator[Record]:
    """One record per method with its error rate, then one per pair of methods with the Jaccard index of their errors.

    ``edges`` and ``sizes`` describe the method's bins, ``truth_edges`` and ``truth_sizes`` those of the human scores.
    ``n`` of a pair counts the items for which the errors of both methods are known. All of this for each part of the
    columns.

    Args:
        columns: columns of the methods and of the human scores.
        x: paths of the methods' scores.
        truth: path of the human scores.
        n_bins: number of percentile bins, 2 or more; or :data:`AS_TRUTH`.
    """
    for found in _errors_of_parts(columns, x, truth, n_bins):
        for method, of_method in found.of.items():
            yield _error_record(found, {"measure": "share", "methods": [method], **_error_share(of_method, found.true)})
        for pair in combinations(found.of, 2):
            overlap = _overlap_record(*(found.of[method] for method in pair))
            yield _error_record(found, {"measure": "jaccard", "methods": list(pair), **overlap})


def item_records(columns: Columns, x: Sequence[str], truth: str, n_bins: int) -> Iterator[Record]:
    """One record per item: which methods are wrong (null if unknown), and how many.

    ``kept`` copies the values at the paths ``keys.kept`` (a year, a length), so that errors can be correlated with
    them.
    """
    for found in _errors_of_parts(columns, x, truth, n_bins):
        for place, row in enumerate(found.part.rows()):
            wrong = {method: of_method.wrong[place] for method, of_method in found.of.items()}
            known = [value for value in wrong.values() if value is not None]
            entry = {
                "item": row.item,
                "wrong": wrong,
                "n_wrong": sum(known) if known else None,
                "n_methods": len(known),
            }
            kept = {"kept": dict(zip(found.part.keys.kept, row.kept, strict=True))} if row.kept else {}
            yield _error_record(found, {"measure": "item", **entry, **kept}, [*found.of])


def signed_records(columns: Columns, x: Sequence[str], truth: str, ranges: Ranges, how: Resampling) -> Iterator[Record]:
    """One record per method: the mean of its score minus the human score, both rescaled to 0..1, with an interval.

    A positive value means that the method rates higher than people.

    Raises:
        UsageFault: a score is out of its range.
    """
    for part in columns.parts():
        true = _normalize_numbers(part.column(truth), ranges.y, truth)
        for method in columns.expand(x):
            scores = _normalize_numbers(part.column(method), ranges.x, method)
            found = paired_bootstrap(scores, true, how, part.clusters())
            between = no_interval(found.reason) or found.interval
            about: Record = {"stat": "errors", "measure": "signed", "methods": [method], "y": truth}
            parameters = {**about, **part.sign(), "ranges": [*ranges.x, *ranges.y], "library": library("numpy")}
            yield {
                **about, **part.each_entry(), "value": found.value, "n": found.n, "n_missing": len(true) - found.n,
                "interval": interval_entry(between, how, part.over()), "p": found.p, "reason": found.reason,
                "dropped": dict(sorted(part.dropped.items())),
                "signature": sign_result(parameters, part.dropped, how, part.over()),
            }  # fmt: skip


def _normalize_numbers(numbers: Sequence[float | None], ends: tuple[float, float], name: str) -> list[float | None]:
    low, high = ends
    for number in numbers:
        if number is not None and not low <= number <= high:
            raise UsageFault(f'"{name}" has {number:g}, which is outside {low:g} to {high:g}', parameter="signed")
    return [None if number is None else (number - low) / (high - low) for number in numbers]


def _errors_of_parts(columns: Columns, x: Sequence[str], truth: str, n_bins: int) -> Iterator[_Found]:
    methods = columns.expand(x)
    for part in columns.parts():
        values = {number for number in part.column(truth) if number is not None}
        n_own = max(2, len(values)) if n_bins == AS_TRUTH else n_bins
        true = error_overlap.truth_bins(part.column(truth), n_own)
        of = {method: error_overlap.errors(part.column(method), true, n_own) for method in methods}
        yield _Found(part, truth, n_own, true, of)


def _error_share(found: Errors, true: Bins) -> Record:
    return {
        "value": found.share, "n_errors": found.n_errors, "n": found.n, "n_missing": found.n_missing,
        "edges": found.bins.edges, "sizes": found.bins.sizes, "truth_edges": true.edges, "truth_sizes": true.sizes,
        "reason": found.reason,
    }  # fmt: skip


def _overlap_record(first: Errors, second: Errors) -> Record:
    found = error_overlap.error_overlap(first.wrong, second.wrong)
    return {
        "value": found.value, "n_both": found.n_both, "n_either": found.n_either, "n": found.n,
        "n_missing": found.n_missing, "reason": first.reason or second.reason or found.reason,
    }  # fmt: skip


def _error_record(found: _Found, entry: Record, methods: Sequence[str] = ()) -> Record:
    part = found.part
    parameters: Record = {"stat": "errors", "measure": entry["measure"], "y": found.truth, "bins": found.n_bins}
    parameters |= {"x": entry.get("methods", list(methods)), **part.sign(), "library": library("numpy")}
    if "item" in entry:
        parameters |= {"item": as_json(entry["item"]), "keep": list(part.keys.kept) or None}
    return {
        "stat": "errors", "y": found.truth, "bins": found.n_bins, **part.each_entry(), **entry,
        "dropped": dict(sorted(part.dropped.items())), "signature": sign_result(parameters, part.dropped, None),
    }  # fmt: skip
