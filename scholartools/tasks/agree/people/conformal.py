"""Prediction intervals of human levels from a judge's score: split conformal, with coverage on held-out groups."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from scholartools.errors import InputFault
from scholartools.metrics.statistics import conformal
from scholartools.paths import as_json
from scholartools.records import Record
from scholartools.tasks.agree.columns import Columns, Row, Table
from scholartools.tasks.agree.people.splits import complete_pairs, group_names, split_rows
from scholartools.tasks.agree.results import sign_result


@dataclass(frozen=True)
class Asked:
    """Parameters of the intervals.

    Attributes:
        confidence: minimum coverage: share of items whose interval contains the human level.
        seed: random seed of the split of groups into three equal parts: fit, calibration, held out.
    """

    confidence: float = 0.9
    seed: int = 0


@dataclass(frozen=True)
class Band:
    """A fitted line, and the maximum distance of levels from it; None if the calibration part has too few groups."""

    line: conformal.Line
    distance: float | None
    levels: list[float]

    def interval(self, score: float) -> tuple[float, float] | None:
        """The lowest and the highest level at a score."""
        return (
            None if self.distance is None else conformal.levels_within(self.line.at(score), self.distance, self.levels)
        )


def summary(columns: Columns, x: str, y: str, asked: Asked) -> Iterator[Record]:
    """One record per part and method: the coverage on the held-out part, and the mean number of levels in an interval.

    ``without`` has the same for intervals from the mean of the human levels, without a judge.
    """
    for part, split, reason in _split_parts(columns, y, asked):
        for method in columns.expand([x]):
            yield _summary_record(part, split, reason, method, y, asked)


def intervals(columns: Columns, x: str, y: str, asked: Asked) -> Iterator[Record]:
    """One record per item with a score and no human level, with the interval of the level."""
    for part, split, reason in _split_parts(columns, y, asked):
        for method in columns.expand([x]):
            fitted, calibrated, _ = split
            band = _fit_band(part, fitted, calibrated, method, y, asked)
            about = {"stat": "conformal", "x": method, "y": y, "confidence": asked.confidence, **part.each_entry()}
            for row in part.rows():
                score = part.number(row, method)
                if score is not None and part.number(row, y) is None:
                    low, high = band.interval(score) or (None, None)
                    why = None if band.distance is not None else reason or _too_few(part, calibrated, method, asked)
                    ends = {"score": score, "low": low, "high": high, "reason": why}
                    parameters = {**about, **part.sign(), "seed": asked.seed, "item": as_json(row.item)}
                    yield {
                        **about, "item": row.item, **ends, "signature": sign_result(parameters, part.dropped, None),
                    }  # fmt: skip


def _summary_record(part: Table, split: list[list[Row]], missing: str | None, x: str, y: str, asked: Asked) -> Record:
    fitted, calibrated, shown = split
    own, without = (
        _coverage_record(part, shown, x, y, _fit_band(part, fitted, calibrated, x, y, asked, is_flat=is_flat))
        for is_flat in (False, True)
    )
    n_groups = {name: len(set(group_names(rows))) for name, rows in _name_parts(fitted, calibrated, shown)}
    n = {name: len(complete_pairs(part, rows, x, y)) for name, rows in _name_parts(fitted, calibrated, shown)}
    about: Record = {"stat": "conformal", "x": x, "y": y, "confidence": asked.confidence}
    reason = None if own["coverage"] is not None else missing or _too_few(part, calibrated, x, asked)
    return {
        **about, **part.each_entry(), "value": own["coverage"], "levels_held": own["levels_held"], "without": without,
        "n": n, "n_groups": n_groups, "reason": reason, "dropped": dict(sorted(part.dropped.items())),
        "signature": sign_result({**about, **part.sign(), "seed": asked.seed}, part.dropped, None),
    }  # fmt: skip


def _name_parts(*parts: list[Row]) -> list[tuple[str, list[Row]]]:
    return list(zip(("fit", "calibration", "apart"), parts, strict=True))


def _split_parts(columns: Columns, y: str, asked: Asked) -> list[tuple[Table, list[list[Row]], str | None]]:
    """Each part with its rows split into fit, calibration and held out; or three empty lists, with the reason.

    Raises:
        InputFault: no part has enough groups.
    """
    found: list[tuple[Table, list[list[Row]], str | None]] = []
    faults = []
    for part in columns.parts():
        rows = [row for row in part.rows() if part.number(row, y) is not None]
        try:
            found.append((part, split_rows(rows, [1 / 3, 1 / 3], asked.seed), None))
        except InputFault as fault:
            faults.append(fault)
            found.append((part, [[], [], []], str(fault)))
    if faults and len(faults) == len(found):
        raise faults[0]
    return found


def _fit_band(
    part: Table,
    fitted: Sequence[Row],
    calibrated: Sequence[Row],
    x: str,
    y: str,
    asked: Asked,
    *,
    is_flat: bool = False,
) -> Band:
    levels = sorted({true for row in part.rows() if (true := part.number(row, y)) is not None})
    known = complete_pairs(part, fitted, x, y)
    if not known:
        return Band(conformal.Line(0.0, 0.0), None, levels)
    line = conformal.fit_line([score for score, _ in known], [true for _, true in known], is_flat=is_flat)
    rows = [row for row in calibrated if part.number(row, x) is not None]
    distances = [abs(true - line.at(score)) for score, true in complete_pairs(part, rows, x, y)]
    return Band(line, conformal.conformal_quantile(distances, group_names(rows), asked.confidence), levels)


def _coverage_record(part: Table, rows: Sequence[Row], x: str, y: str, band: Band) -> Record:
    """The share of items whose interval contains the human level, and the mean number of levels in an interval."""
    ends = [(band.interval(score), true) for score, true in complete_pairs(part, rows, x, y)]
    held = [(between[0] <= true <= between[1], between) for between, true in ends if between is not None]
    if not held:
        return {"coverage": None, "levels_held": None}
    sizes = [sum(low <= level <= high for level in band.levels) for _, (low, high) in held]
    return {"coverage": sum(is_held for is_held, _ in held) / len(held), "levels_held": sum(sizes) / len(held)}


def _too_few(part: Table, calibrated: Sequence[Row], x: str, asked: Asked) -> str:
    n = len(set(group_names([row for row in calibrated if part.number(row, x) is not None])))
    return f"{n} groups of the calibration with a score are too few for {asked.confidence:g}"
