"""Result records of the pairwise ranking of texts by measures, against human scores."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import asdict
from itertools import product
from typing import Literal

from scholartools.metrics.statistics import pairwise
from scholartools.metrics.statistics.resampling import Resampling
from scholartools.records import Record
from scholartools.signature import library
from scholartools.tasks.agree.columns import Columns, Table
from scholartools.tasks.agree.results import interval_entry, no_interval, sign_result

Grouping = Literal["item", "system", "none"]


def pairwise_records(
    columns: Columns, x: Sequence[str], y: Sequence[str], grouping: Grouping, how: Resampling, *, fits_ties: bool
) -> Iterator[Record]:
    """One record per part, measure, human score and coefficient; ``grouping`` determines which pairs count.

    With ``fits_ties``, coefficients that score ties treat differences of the measure up to ``epsilon`` as ties, with
    the ``epsilon`` that maximises accuracy on the same texts.

    Args:
        columns: columns with the system as group, and with items.
        how: resampling, with the confidence level of the jackknife intervals.
    """
    for part in columns.parts():
        for one, other in product(columns.expand(x), y):
            groups = _groups_of(part, grouping)
            epsilon = pairwise.fit_epsilon(part.column(one), part.column(other), groups) if fits_ties else 0.0
            for name in pairwise.NAMES:
                fitted = fits_ties and name in pairwise.WITH_TIES
                yield _record(part, (one, other), name, grouping, how, epsilon if fitted else None)


def _groups_of(part: Table, grouping: Grouping) -> list[Hashable]:
    return [{"item": row.item, "system": row.group, "none": None}[grouping] for row in part.rows()]


def _record(
    part: Table, pair: tuple[str, str], name: pairwise.Name, grouping: Grouping, how: Resampling, epsilon: float | None
) -> Record:
    x, y = (part.column(path) for path in pair)
    groups = _groups_of(part, grouping)
    found = pairwise.pairwise_ranking(x, y, groups, name, epsilon or 0.0)
    units = part.clusters() or [row.item for row in part.rows()]
    between = no_interval(found.reason) or pairwise.pairwise_interval(x, y, groups, name, how, units, epsilon or 0.0)
    over = part.keys.cluster or "item"
    about: Record = {"stat": "pairwise", "measure": name, "grouping": grouping, "x": pair[0], "y": pair[1]}
    about["ties"] = "equal numbers" if epsilon is None else "fitted"
    counts = asdict(found)
    value, reason = counts.pop("value"), counts.pop("reason")
    parameters = {**about, **part.sign(), "library": [library("numpy"), library("scipy")]}
    return {
        **about, **part.each_entry(), "value": value, **counts, "interval": interval_entry(between, how, over),
        "reason": reason, "dropped": dict(sorted(part.dropped.items())),
        "signature": sign_result(parameters, part.dropped, how, over),
    }  # fmt: skip
