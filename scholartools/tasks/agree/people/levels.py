"""Scores of judges turned into people's levels, by thresholds that are fitted on one part and shown on the other."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterator
from dataclasses import dataclass

from scholartools.errors import InputFault
from scholartools.metrics.statistics import thresholds
from scholartools.records import Record
from scholartools.tasks.agree.columns import Columns, Row, Table
from scholartools.tasks.agree.people.splits import complete_pairs, split_rows
from scholartools.tasks.agree.results import sign_result


@dataclass(frozen=True)
class Fit:
    """Thresholds of one method, and the rows on which they are shown."""

    part: Table
    method: str
    y: str
    levels: list[float]
    cuts: list[float]
    fitted: list[Row]
    shown: list[Row]


def ratings(columns: Columns, x: str, y: str, share: float, seed: int) -> Iterator[Record]:
    """The levels of the things kept apart as ratings in long form, by each method and by people (the rater is y)."""
    for part in columns.parts():
        label = " ".join(map(str, part.each.values())) or None
        rated: dict[object, Record] = {}
        for fit in _iter_fits(columns, part, x, y, share, seed):
            for row, level in zip(fit.shown, _assign_levels(fit, fit.shown), strict=True):
                true = {"item": row.item, "label": label, "rater": y, "value": part.number(row, y)}
                rated.setdefault(row.item, true)
                yield {"item": row.item, "label": label, "rater": fit.method, "value": level}
        yield from rated.values()


def summary(columns: Columns, x: str, y: str, share: float, seed: int) -> Iterator[Record]:
    """One record per part and method: thresholds, and the mean absolute error on the part kept apart.

    ``value`` is that error and ``fitted`` the one on the part of the fit; ``constant`` is the error, on the part kept
    apart, of the median level of the part of the fit, which needs no judge.
    """
    for part in columns.parts():
        for fit in _iter_fits(columns, part, x, y, share, seed):
            yield _summary_record(fit, share, seed)


def _summary_record(fit: Fit, share: float, seed: int) -> Record:
    fitted, shown = (_level_pairs(fit, rows) for rows in (fit.fitted, fit.shown))
    median = statistics.median_low(true for _, true in fitted)
    about: Record = {"stat": "levels", "x": fit.method, "y": fit.y}
    return {
        **about, **fit.part.each_entry(), "value": _mean_absolute_error(shown), "fitted": _mean_absolute_error(fitted),
        "constant": _mean_absolute_error([(median, true) for _, true in shown]), "n": len(shown),
        "n_fitted": len(fitted),
        "levels": fit.levels, "thresholds": [cut if math.isfinite(cut) else None for cut in fit.cuts],
        "reason": None if shown else "no score in the part kept apart",
        "dropped": dict(sorted(fit.part.dropped.items())),
        "signature": sign_result({**about, **fit.part.sign(), "split": share, "seed": seed}, fit.part.dropped, None),
    }  # fmt: skip


def _iter_fits(columns: Columns, part: Table, x: str, y: str, share: float, seed: int) -> Iterator[Fit]:
    rows = [row for row in part.rows() if part.number(row, y) is not None]
    levels = sorted({true for row in rows if (true := part.number(row, y)) is not None})
    fitted, shown = split_rows(rows, [share], seed)
    for method in columns.expand([x]):
        pairs = complete_pairs(part, fitted, method, y)
        if not pairs:
            raise InputFault(f"{method} has no score in the part of the fit")
        cuts = thresholds.fit_thresholds([score for score, _ in pairs], [true for _, true in pairs], levels)
        yield Fit(part, method, y, levels, cuts, fitted, shown)


def _assign_levels(fit: Fit, rows: list[Row]) -> list[float | None]:
    return thresholds.assign_levels([fit.part.number(row, fit.method) for row in rows], fit.cuts, fit.levels)


def _level_pairs(fit: Fit, rows: list[Row]) -> list[tuple[float, float]]:
    """The level given and people's of each row that has a score."""
    pairs = zip(_assign_levels(fit, rows), (fit.part.number(row, fit.y) for row in rows), strict=True)
    return [(level, true) for level, true in pairs if level is not None and true is not None]


def _mean_absolute_error(pairs: list[tuple[float, float]]) -> float | None:
    return thresholds.mean_absolute_error([level for level, _ in pairs], [true for _, true in pairs])
