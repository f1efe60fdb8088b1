"""Map scores of judges to human levels, by thresholds fitted on one part and evaluated on a held-out part."""

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
    """Thresholds of one method, the rows of the fit, and the held-out rows."""

    part: Table
    method: str
    y: str
    levels: list[float]
    cuts: list[float]
    fitted: list[Row]
    shown: list[Row]


@dataclass(frozen=True)
class Unfitted:
    """A method without thresholds, with the reason and the rows that would be rated."""

    part: Table
    method: str
    y: str
    shown: list[Row]
    fault: InputFault


def ratings(columns: Columns, x: str, y: str, share: float, seed: int) -> Iterator[Record]:
    """The levels of the held-out items as ratings in long form, by each method and by people (as rater ``y``).

    The levels of a method without thresholds are null, with the reason.

    Raises:
        InputFault: no method has thresholds in any part.
    """
    for part, fits in _fit_parts(columns, x, y, share, seed):
        label = " ".join(map(str, part.each.values())) or None
        rated: dict[object, Record] = {}
        for fit in fits:
            reason = {"reason": str(fit.fault)} if isinstance(fit, Unfitted) else {}
            levels = [None for _ in fit.shown] if isinstance(fit, Unfitted) else _assign_levels(fit, fit.shown)
            for row, level in zip(fit.shown, levels, strict=True):
                true = {"item": row.item, "label": label, "rater": y, "value": part.number(row, y)}
                rated.setdefault(row.item, true)
                yield {"item": row.item, "label": label, "rater": fit.method, "value": level, **reason}
        yield from rated.values()


def summary(columns: Columns, x: str, y: str, share: float, seed: int) -> Iterator[Record]:
    """One record per part and method: thresholds, and the mean absolute error on the held-out part.

    ``value`` is that error, ``fitted`` the error on the part of the fit, and ``constant`` the held-out error of a
    baseline without a judge, the median level of the part of the fit. All are null, with the reason, for a method
    without thresholds.

    Raises:
        InputFault: no method has thresholds in any part.
    """
    for _, fits in _fit_parts(columns, x, y, share, seed):
        for fit in fits:
            yield _null_record(fit, share, seed) if isinstance(fit, Unfitted) else _summary_record(fit, share, seed)


def _null_record(unfitted: Unfitted, share: float, seed: int) -> Record:
    return {
        "stat": "levels", "x": unfitted.method, "y": unfitted.y, **unfitted.part.each_entry(),
        **dict.fromkeys(["value", "fitted", "constant"]), "n": 0, "n_fitted": 0, "levels": [], "thresholds": [],
        "reason": str(unfitted.fault), **_signed(unfitted, share, seed),
    }  # fmt: skip


def _signed(fit: Fit | Unfitted, share: float, seed: int) -> Record:
    parameters = {"stat": "levels", "x": fit.method, "y": fit.y, **fit.part.sign(), "split": share, "seed": seed}
    dropped = fit.part.dropped
    return {"dropped": dict(sorted(dropped.items())), "signature": sign_result(parameters, dropped, None)}


def _summary_record(fit: Fit, share: float, seed: int) -> Record:
    fitted, shown = (_level_pairs(fit, rows) for rows in (fit.fitted, fit.shown))
    median = statistics.median_low(true for _, true in fitted)
    return {
        "stat": "levels", "x": fit.method, "y": fit.y, **fit.part.each_entry(),
        "value": _mean_absolute_error(shown), "fitted": _mean_absolute_error(fitted),
        "constant": _mean_absolute_error([(median, true) for _, true in shown]), "n": len(shown),
        "n_fitted": len(fitted),
        "levels": fit.levels, "thresholds": [cut if math.isfinite(cut) else None for cut in fit.cuts],
        "reason": None if shown else "no score in the part kept apart", **_signed(fit, share, seed),
    }  # fmt: skip


def _fit_parts(columns: Columns, x: str, y: str, share: float, seed: int) -> list[tuple[Table, list[Fit | Unfitted]]]:
    """Each part with the fits of its methods; a failed fit does not affect the others.

    Raises:
        InputFault: no method has thresholds.
    """
    found = [(part, list(_iter_fits(columns, part, x, y, share, seed))) for part in columns.parts()]
    faults = [fit.fault for _, fits in found for fit in fits if isinstance(fit, Unfitted)]
    if faults and not any(isinstance(fit, Fit) for _, fits in found for fit in fits):
        raise faults[0]
    return found


def _iter_fits(columns: Columns, part: Table, x: str, y: str, share: float, seed: int) -> Iterator[Fit | Unfitted]:
    rows = [row for row in part.rows() if part.number(row, y) is not None]
    levels = sorted({true for row in rows if (true := part.number(row, y)) is not None})
    try:
        fitted, shown = split_rows(rows, [share], seed)
    except InputFault as fault:
        yield from (Unfitted(part, method, y, rows, fault) for method in columns.expand([x]))
        return
    for method in columns.expand([x]):
        pairs = complete_pairs(part, fitted, method, y)
        if not pairs:
            reason = f"{method} has no score in the part of the fit"
            yield Unfitted(part, method, y, shown, InputFault(reason))
            continue
        cuts = thresholds.fit_thresholds([score for score, _ in pairs], [true for _, true in pairs], levels)
        yield Fit(part, method, y, levels, cuts, fitted, shown)


def _assign_levels(fit: Fit, rows: list[Row]) -> list[float | None]:
    return thresholds.assign_levels([fit.part.number(row, fit.method) for row in rows], fit.cuts, fit.levels)


def _level_pairs(fit: Fit, rows: list[Row]) -> list[tuple[float, float]]:
    """The assigned and the human level of each row that has a score."""
    pairs = zip(_assign_levels(fit, rows), (fit.part.number(row, fit.y) for row in rows), strict=True)
    return [(level, true) for level, true in pairs if level is not None and true is not None]


def _mean_absolute_error(pairs: list[tuple[float, float]]) -> float | None:
    return thresholds.mean_absolute_error([level for level, _ in pairs], [true for _, true in pairs])
