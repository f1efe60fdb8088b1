"""Calibration of a judge's probabilities, by cross-fitting: each by a fit on other groups than its own."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal, get_args

from scholartools.errors import UsageFault
from scholartools.metrics.statistics import calibration
from scholartools.metrics.statistics.calibration import Fit, log_odds
from scholartools.metrics.statistics.paired_bootstrap import paired_bootstrap
from scholartools.metrics.statistics.reliability import calibration_error_interval, reliability
from scholartools.metrics.statistics.resampling import Resampling
from scholartools.paths import as_json, name_sort_key
from scholartools.records import Record
from scholartools.signature import fingerprint, library
from scholartools.tasks.agree.columns import Columns, Row, Table
from scholartools.tasks.agree.people.splits import group_names
from scholartools.tasks.agree.results import interval_entry, sign_result

Scale = Literal["probability", "logprob", "score"]
SCALES: tuple[Scale, ...] = get_args(Scale)


@dataclass(frozen=True)
class Wanted:
    """Parameters of calibration.

    Attributes:
        fit: the calibration method.
        scale: scale of the judge's numbers: probabilities, their natural logarithms, or any scores.
        folds: number of folds of the groups; each fold is calibrated by a fit on the others.
        n_bins: number of bins of the calibration error.
        how: resampling of intervals, with the seed of the folds.
    """

    fit: Fit
    scale: Scale
    folds: int
    n_bins: int
    how: Resampling


class _Calibrated:
    """A judge's probabilities before and after calibration, by row, for rows with both numbers."""

    def __init__(self, part: Table, x: str, y: str, wanted: Wanted) -> None:
        self.part, self.x, self.y, self.wanted = part, x, y, wanted
        pairs = [(row, part.number(row, x), part.number(row, y)) for row in part.rows()]
        kept = [(row, one, other) for row, one, other in pairs if one is not None and other is not None]
        self.n_missing = len(pairs) - len(kept)
        self.rows: list[Row] = [row for row, _, _ in kept]
        self.before = [_probability(one, x, wanted.scale) for _, one, _ in kept]
        self.outcomes = [other for _, _, other in kept]
        if wrong := [one for one in self.outcomes if one not in (0, 1)]:
            raise UsageFault(f"{y}: {wrong[0]:g} is not an outcome (0 or 1)")
        scores = [one if p is None else log_odds(p) for (_, one, _), p in zip(kept, self.before, strict=True)]
        self.groups = group_names(self.rows)
        self.folds = _folds_of(self.groups, wanted.folds, wanted.how.seed)
        self.fits: list[Record] = []
        self.after: list[float | None] = [None] * len(kept)
        self.reasons: list[str | None] = [None] * len(kept)
        for fold in sorted(set(self.folds)):
            self._fit(fold, scores)

    def _fit(self, fold: int, scores: Sequence[float]) -> None:
        known = [place for place, other in enumerate(self.folds) if other != fold]
        of = [scores[place] for place in known], [self.outcomes[place] for place in known]
        fitted = calibration.METHODS[self.wanted.fit](*of) if known else None
        made: Record = {"fold": fold, "n": len(known)}
        if self.wanted.fit == "platt":
            made |= {"slope": fitted and fitted.slope, "intercept": fitted and fitted.intercept}
        self.fits.append(made)
        for place, other in enumerate(self.folds):
            if other == fold and fitted:
                self.after[place] = fitted.at(scores[place])
            elif other == fold:
                self.reasons[place] = "the other parts have one outcome, or one score, alone"

    def sign(self, more: Record) -> str:
        wanted = self.wanted
        marks: Record = {"stat": "calibrate", "x": self.x, "y": self.y, "fit": wanted.fit, "scale": wanted.scale}
        marks |= {"folds": wanted.folds, "seed": wanted.how.seed, **more, **self.part.sign()}
        marks |= {"cluster": self.part.keys.cluster, "library": [library("numpy"), library("scipy")]}
        return sign_result(marks, self.part.dropped, None)

    def over(self) -> str:
        return self.part.keys.cluster or "item"

    def about(self) -> Record:
        return {"stat": "calibrate", "x": self.x, "y": self.y, "fit": self.wanted.fit, **self.part.each_entry()}


def item_records(columns: Columns, x: str, y: str, wanted: Wanted) -> Iterator[Record]:
    """One record per item with both numbers: ``value`` is the probability by the fit on the other folds.

    Raises:
        UsageFault: a number is invalid for ``scale``, or an outcome is neither 0 nor 1.
    """
    for found in _each(columns, x, y, wanted):
        rows = zip(found.rows, found.before, found.after, found.outcomes, found.folds, found.reasons, strict=True)
        for row, before, after, outcome, fold, reason in rows:
            yield {
                **found.about(), "item": row.item, **({} if row.cluster is None else {"group": row.cluster}),
                "before": before, "value": after, "outcome": outcome, "fold": fold, "reason": reason,
                "signature": found.sign({"item": as_json(row.item)}),
            }  # fmt: skip


def summary_records(columns: Columns, x: str, y: str, wanted: Wanted) -> Iterator[Record]:
    """For each part and judge one record for its original probabilities, and one for the calibrated ones.

    ``value`` is the expected calibration error. The second has the ``gain``, the mean difference of Brier scores
    (before - after), with its interval. With the scale "score" there is only the second record, with a null gain.
    """
    for found in _each(columns, x, y, wanted):
        if wanted.scale != "score":
            yield _summary(found, "before", found.before)
        yield _summary(found, "after", found.after)


def _each(columns: Columns, x: str, y: str, wanted: Wanted) -> Iterator[_Calibrated]:
    for part in columns.parts():
        for method in columns.expand([x]):
            yield _Calibrated(part, method, y, wanted)


def _summary(found: _Calibrated, of: str, probabilities: Sequence[float | None]) -> Record:
    how, n_bins = found.wanted.how, found.wanted.n_bins
    clusters = None if found.part.keys.cluster is None else found.groups
    shown = reliability(probabilities, found.outcomes, n_bins, how, clusters)
    error = calibration_error_interval(probabilities, found.outcomes, n_bins, how, clusters)
    counts = asdict(error)
    ends = {"low": counts.pop("low"), "high": counts.pop("high"), "reason": counts.pop("reason")}
    interval = {**ends, "method": "inverted tests", "confidence": how.confidence, "over": found.over()}
    more: Record = {}
    reason = shown.reason
    if of == "after":
        reason = reason or next((one for one in found.reasons if one), None)
        more = {"gain": _gain(found, clusters), "fits": found.fits, "n_unfitted": found.after.count(None)}
    return {
        **found.about(), "of": of, "value": shown.value, **counts, "interval": interval, "brier": shown.brier, **more,
        "n_bins": n_bins, "n": shown.n, "n_missing": found.n_missing, "reason": reason,
        "dropped": dict(sorted(found.part.dropped.items())),
        "signature": found.sign({"of": of, "bins": n_bins, "confidence": how.confidence}),
    }  # fmt: skip


def _gain(found: _Calibrated, clusters: Any) -> Record | None:
    """The decrease of the Brier score by calibration, over the items with both probabilities."""
    if found.wanted.scale == "score":
        return None
    before, after = (
        [None if p is None else (p - came) ** 2 for p, came in zip(side, found.outcomes, strict=True)]
        for side in (found.before, found.after)
    )
    made = paired_bootstrap(before, after, found.wanted.how, clusters)
    ends = interval_entry(made.interval, found.wanted.how, found.over())
    return {"value": made.value, "n": made.n, "interval": ends, "p": made.p, "reason": made.reason}


def _probability(number: float, x: str, scale: Scale) -> float | None:
    if scale == "score":
        return None
    if scale == "logprob":
        if number > 0:
            raise UsageFault(f"{x}: {number:g} is not the logarithm of a probability, which is at most 0")
        return math.exp(number)
    if not 0 <= number <= 1:
        raise UsageFault(f"{x}: {number:g} is not a probability (from 0 to 1)")
    return number


def _folds_of(groups: Sequence[Any], n: int, seed: int) -> list[int]:
    """The fold of each item, by a hash of its group, independent of order and scores."""
    names = sorted(set(groups), key=lambda name: (fingerprint([seed, name]), name_sort_key(name)))
    of = {name: place % n for place, name in enumerate(names)}
    return [of[name] for name in groups]
