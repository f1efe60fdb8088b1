"""Measures that stand side by side in each record: their correlations, and weights fitted to an overall rating."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from itertools import combinations, product
from typing import Any

from scholartools.errors import InputFault, UsageFault
from scholartools.metrics import correlation, fitting
from scholartools.metrics.correlation import MEASURES, Measure
from scholartools.metrics.resampling import Percentiles, Resampling
from scholartools.records import Record
from scholartools.signature import fingerprint, library
from scholartools.tasks._agree_coefficients import undefined
from scholartools.tasks._agree_records import (
    ABSENT,
    Conditions,
    Name,
    Unseen,
    as_json,
    fulfils,
    interval_entry,
    lookup,
    measured,
    name_at,
    rank,
    signed,
)

# The highest rating of each facet ("A Facet-aware Metric", section 3.2).
MAXIMA = {"background": 3.0, "method": 4.0, "result": 4.0, "conclusion": 3.0}


class Columns:
    """Numbers at some paths of records; what is made of them does not depend on the records' order.

    Args:
        paths: where the numbers are. Null, or nothing there, is a missing number.
        group: path of the system a record is of, where means by system are wanted.
        cluster: path of what a record belongs to, for intervals; None where records are independent.
        where: conditions; a record that does not fulfil them is left out and counted.
        item: path of a record's name, which only one record (of each group) may have; None where names are not looked
            at, and a record that is there twice counts twice.

    Attributes:
        dropped: records left out, by the kind of their fault, and ``where``.
        n_taken: records taken.
        unseen: the paths at which no record had anything yet.
    """

    def __init__(
        self,
        paths: Sequence[str],
        group: str | None = None,
        cluster: str | None = None,
        where: Conditions = (),
        item: str | None = None,
    ) -> None:
        self.paths = list(dict.fromkeys(paths))
        self.group, self.cluster, self.item = group, cluster, item
        self.dropped: Counter[str] = Counter()
        self.n_taken = 0
        self.unseen = Unseen(self.paths)
        self._where = where
        self._seen: set[tuple[Name | None, Name]] = set()
        self._rows: list[tuple[Name | None, Name | None, list[float | None]]] = []
        self._sorted = True

    def add(self, record: Record) -> None:
        """Take the numbers of one record.

        Raises:
            InputFault: a value is no number, none of the paths leads anywhere, the group, the cluster or the item is
                missing, or the item is there already.
        """
        if not fulfils(record, self._where):
            self.dropped["where"] += 1
            return
        self.unseen.see(record)
        try:
            names = [None if path is None else name_at(record, path) for path in (self.group, self.cluster)]
            numbers = self._numbers(record)
            self._check_item(record, names[0])
            self._rows.append((names[0], names[1], numbers))
        except InputFault as fault:
            self.dropped[fault.kind] += 1
            raise
        self._sorted = False
        self.n_taken += 1

    def rows(self) -> list[tuple[Name | None, Name | None, list[float | None]]]:
        """Group, cluster and numbers of every record, in an order of their own."""
        if not self._sorted:
            self._rows.sort(key=lambda row: (rank(row[0]), rank(row[1]), [(n is not None, n or 0.0) for n in row[2]]))
            self._sorted = True
        return self._rows

    def column(self, path: str) -> list[float | None]:
        """The numbers at one path."""
        place = self.paths.index(path)
        return [numbers[place] for _, _, numbers in self.rows()]

    def fingerprint(self) -> str:
        """Of all that was taken."""
        return fingerprint([self.paths, [list(row) for row in self.rows()]])

    def _check_item(self, record: Record, group: Name | None) -> None:
        """Refuse a name that is taken, where records have names."""
        if self.item is None:
            return
        key = (group, name_at(record, self.item))
        if key in self._seen:
            raise InputFault(f'"{self.item}" {as_json(key[1])} is there twice', kind="duplicate")
        self._seen.add(key)

    def _numbers(self, record: Record) -> list[float | None]:
        found = [lookup(record, path) for path in self.paths]
        if all(value is ABSENT for value in found):
            raise InputFault(f"none of {', '.join(self.paths)} is there", kind="missing-key")
        return [_number(value, path) for value, path in zip(found, self.paths, strict=True)]


def correlations(
    columns: Columns,
    x: Sequence[str],
    y: Sequence[str] = (),
    measures: Sequence[Measure] = MEASURES,
    how: Resampling | None = None,
) -> Iterator[Record]:
    """One record per coefficient and pair: each x with each y, or without y each x with each later x.

    Where the columns have a group, the same again of its members' means (``of: "means"``), in which the group's members
    are what is correlated.
    """
    input = columns.fingerprint()
    pairs = list(product(x, y)) if y else list(combinations(x, 2))
    for of in ("records", "means") if columns.group else ("records",):
        for measure in measures:
            for pair in pairs:
                yield _correlation(columns, pair, measure, of, how, input)


def fit(columns: Columns, facets: Sequence[str], overall: str, maxima: Sequence[float]) -> Iterator[Record]:
    """One record: the weights of the facets, by the last part of their paths."""
    rows = list(zip(*(columns.column(path) for path in facets), strict=True))
    found = fitting.fit_weights(rows, columns.column(overall), maxima)
    names = short_names(facets)
    values = {key: entry and dict(zip(names, entry, strict=True)) for key, entry in _weights(found)}
    parameters = {"stat": "fit-weights", "x": list(facets), "y": overall, "max": list(maxima)}
    parameters |= {"input": columns.fingerprint(), "library": library("numpy")}
    yield {
        "stat": "fit-weights", "y": overall, **values, "max": dict(zip(names, maxima, strict=True)), "mse": found.mse,
        "n": found.n, "n_missing": found.n_missing, "reason": found.reason,
        "dropped": dict(sorted(columns.dropped.items())), "signature": signed(parameters, columns.dropped, None),
    }  # fmt: skip


def maxima_of(facets: Sequence[str], given: Sequence[float]) -> list[float]:
    """The highest rating of each facet: as given, in order, or those of the published facets.

    Raises:
        UsageFault: there are not as many as facets, one is not above 0, or a facet has none.
    """
    if given and (len(given) != len(facets) or not all(0 < highest < math.inf for highest in given)):
        raise UsageFault(f"--max needs {len(facets)} numbers above 0, one for each --x")
    names = [path.rpartition(".")[2] for path in facets]
    if unknown := [name for name in names if name not in MAXIMA and not given]:
        raise UsageFault(f'the highest rating of "{unknown[0]}" is not known: give one --max for each --x')
    return list(given) or [MAXIMA[name] for name in names]


def short_names(paths: Sequence[str]) -> list[str]:
    """The last parts of paths, or the whole paths where two would have one name."""
    names = [path.rpartition(".")[2] for path in paths]
    return names if len(set(names)) == len(names) else list(paths)


def _weights(found: fitting.Fit) -> Iterator[tuple[str, list[float] | None]]:
    yield "weights", found.weights
    yield "normalised", found.normalised


def _correlation(
    columns: Columns, pair: tuple[str, str], measure: Measure, of: str, how: Resampling | None, input: str
) -> Record:
    x, y = columns.column(pair[0]), columns.column(pair[1])
    groups = [group for group, _, _ in columns.rows()]
    means = of == "means"
    if means:
        found = correlation.correlation_of_means(x, y, groups, measure)
    else:
        found = correlation.correlation(x, y, measure)
    counts = asdict(found)
    entry: Record = {"stat": "correlate", "measure": measure, "x": pair[0], "y": pair[1], "of": of}
    entry |= {"by": columns.group} if means else {}
    entry |= {"value": counts.pop("value"), **counts}
    parameters: Record = {**{key: value for key, value in entry.items() if isinstance(value, str)}, "reason": None}
    over = columns.cluster or "record"
    if how is not None:
        between = undefined(found.reason) or _interval(columns, pair, measure, groups if means else None, how)
        entry["interval"] = interval_entry(between, how, over)
    parameters |= {"input": input, "library": [library("numpy"), library("scipy")]}
    dropped = dict(sorted(columns.dropped.items()))
    return {**entry, "dropped": dropped, "signature": signed(parameters, columns.dropped, how, over)}


def _interval(
    columns: Columns, pair: tuple[str, str], measure: Measure, groups: list[Any] | None, how: Resampling
) -> Percentiles:
    x, y = columns.column(pair[0]), columns.column(pair[1])
    clusters = None if columns.cluster is None else [cluster for _, cluster, _ in columns.rows()]
    if groups is None:
        return correlation.correlation_interval(x, y, measure, how, clusters)
    return correlation.correlation_of_means_interval(x, y, groups, measure, how, clusters)


def _number(value: Any, path: str) -> float | None:
    if value is ABSENT or value is None:
        return None
    if isinstance(value, (dict, list)):
        raise InputFault(f'"{path}" is no number', kind="invalid-key")
    return measured(value)
