"""Result records of alpha, kappa, Fleiss' kappa, Gwet's AC, shares of agreement and intraclass correlations."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import combinations
from typing import Any

from scholartools.errors import UsageFault
from scholartools.metrics.agreement import coefficients, gwet, intervals
from scholartools.metrics.agreement.coefficients import (
    Agreement,
    Level,
    Order,
    Weighting,
)
from scholartools.metrics.agreement.icc import intraclass_correlations, jackknife_intervals
from scholartools.metrics.agreement.rater_changes import rater_difference
from scholartools.metrics.agreement.scales import place
from scholartools.metrics.statistics.multiple_tests import Adjustment
from scholartools.metrics.statistics.paired_bootstrap import Difference
from scholartools.metrics.statistics.resampling import Percentiles, Resampling
from scholartools.paths import as_json
from scholartools.records import Record
from scholartools.signature import fingerprint, library
from scholartools.tasks.agree.ratings import Label, Ratings, View
from scholartools.tasks.agree.results import correct_results, interval_entry, no_interval, sign_result

#: The default coefficients.
DEFAULT_STATS = ("alpha", "kappa", "agreement")


@dataclass(frozen=True)
class Choices:
    """Parameters of the coefficients, and further results besides one value per statistic and label.

    Attributes:
        level: level of measurement, for alpha.
        order: the values of an ordinal scale, from low to high.
        weighting: weights of disagreements in Cohen's kappa and Gwet's coefficient.
        how: resampling for intervals; None for no intervals.
        pooled: also compute over all labels together, with each label of an item as a unit.
        pairs: also compute for each pair of raters (kappa always includes the pairs).
        without: raters to leave out, one at a time, in further results.
        leave_one_out: leave out every rater, as if ``without`` named all.
        levels: levels of measurement of single labels, which override ``level``.
        adjust: correction of the p-values of leave-one-out differences for multiple testing.
    """

    level: Level = "nominal"
    order: Order = None
    weighting: Weighting | None = None
    how: Resampling | None = None
    pooled: bool = False
    pairs: bool = False
    without: Sequence[str] = ()
    leave_one_out: bool = False
    levels: tuple[tuple[str, Level], ...] = ()
    adjust: Adjustment = "holm"

    def family(self) -> list[Any]:
        """The parameters that determine the family of leave-one-out tests, for signatures."""
        return [sorted(self.without), self.leave_one_out, self.level, self.order, [*map(list, self.levels)]]

    def of(self, label: Label) -> Choices:
        """The choices for one label, with its own level if it has one; ``order`` is kept only if it applies."""
        level = dict(self.levels).get(str(label), self.level)
        return replace(self, level=level, order=self.order if level == "ordinal" or level == self.level else None)


PLAIN = Choices()


@dataclass(frozen=True)
class _Result:
    part: Record
    view: View
    agreement: Agreement
    interval: Percentiles | None
    difference: Difference | None = None


def coefficient_records(ratings: Ratings, stats: Sequence[str], choices: Choices) -> list[Record]:
    """One record per statistic, label and selection of raters.

    Raises:
        UsageFault: an unknown statistic, an invalid level or order, or a label or rater without ratings.
        InputFault: a value is invalid for the level.
    """
    if unknown := [stat for stat in stats if stat not in STATS]:
        raise UsageFault(f'"{unknown[0]}" is not a statistic: {", ".join(STATS)}')
    check_levels(ratings, choices)
    family = fingerprint([[*stats], choices.pooled, choices.family()])
    found = [
        _result_record(stat, label_part, result, choices.of(label_part["label"]), family)
        for stat in stats
        for label_part, labels in label_groups(ratings, choices.pooled)
        for result in _results_of(
            stat, View(ratings, labels, tuple(ratings.raters(*labels))), choices.of(label_part["label"])
        )
    ]
    correct_results([entry["difference"] for entry in found if "difference" in entry], choices.adjust)
    return found


def check_levels(ratings: Ratings, choices: Choices) -> None:
    """Validate the levels of measurement.

    Raises:
        UsageFault: an order without an ordinal level, or a level for a label without ratings.
    """
    coefficients.check_scale(choices.level, None if choices.weighting else choices.order)
    known = [str(label) for label in ratings.labels]
    if nowhere := [label for label, _ in choices.levels if label not in known]:
        raise UsageFault(f'no label "{nowhere[0]}" among {", ".join(known)}', parameter="level_of")


def label_groups(ratings: Ratings, pooled: bool) -> Iterator[tuple[Record, tuple[Label, ...]]]:
    """Each label alone, then, if ``pooled``, all labels together."""
    for label in ratings.labels:
        yield {"label": label}, (label,)
    if pooled and ratings.labels:
        yield {"label": None, "pooled": True}, tuple(ratings.labels)


def selections(view: View, without: Sequence[str], leave_one_out: bool) -> Iterator[tuple[Record, View]]:
    """Views with one rater left out each.

    Raises:
        UsageFault: a rater of ``without`` has no ratings for any label.
    """
    everyone = view.ratings.raters(*view.ratings.labels)
    for name in without:
        if name not in map(str, everyone):
            raise UsageFault(
                f'no rating by "{name}" that could be left out: the raters are {", ".join(map(str, everyone))}'
            )
    for rater in view.raters:
        if leave_one_out or str(rater) in without:
            yield {"without": rater}, view.of([other for other in view.raters if other != rater])


def _results_of(stat: str, view: View, choices: Choices) -> Iterator[_Result]:
    whole = _STATS[stat]
    if stat == "kappa":
        yield from _pair_kappas(view, choices)
    yield whole(view, {"raters": None} if stat == "kappa" else {}, choices)
    if choices.pairs and stat != "kappa":
        for pair in combinations(view.raters, 2):
            yield whole(view.of(pair), {"raters": list(pair)}, choices)
    for part, rest in selections(view, choices.without, choices.leave_one_out):
        yield replace(whole(rest, part, choices), difference=_difference_to_rest(stat, view, rest, choices))


def _difference_to_rest(stat: str, view: View, rest: View, choices: Choices) -> Difference | None:
    """Coefficient of all raters minus that without one, over the same items.

    None without resampling, or for coefficients without such a test.
    """
    if choices.how is None or stat not in DIFFERENCES:
        return None
    scale: Record = {"level": choices.level, "order": choices.order} if stat == "alpha" else {}
    return rater_difference(
        DIFFERENCES[stat], view.units(), left_out(view, rest), choices.how, view.clusters(), **scale
    )


def left_out(view: View, rest: View) -> int:
    """Index of the rater of ``view`` who is missing from ``rest``."""
    return next(place for place, rater in enumerate(view.raters) if rater not in rest.raters)


def difference_entry(found: Difference, how: Resampling) -> Record:
    """Result entry of a leave-one-out difference: all raters minus all but one."""
    test = "bootstrap" if how.method == "bootstrap" else "permutation of raters"
    ends = {"low": found.interval.low, "high": found.interval.high, "n_drawn": found.interval.n_drawn}
    return {"value": found.value, **ends, "p": found.p, "test": test, "reason": found.reason}


def _units_coefficient(
    value: Callable[..., Agreement], interval: Callable[..., Percentiles], by_level: bool = False
) -> Callable[[View, Record, Choices], _Result]:
    """A statistic computed from units; ``by_level`` if it depends on the level of measurement."""

    def whole(view: View, part: Record, choices: Choices) -> _Result:
        units = view.units()
        scale: Record = {"level": choices.level, "order": choices.order} if by_level else {}
        found, between = value(units, **scale), None
        if choices.how is not None:
            between = no_interval(found.reason) or interval(units, how=choices.how, clusters=view.clusters(), **scale)
        return _Result(({"level": choices.level} if by_level else {}) | part, view, found, between)

    return whole


def _pair_kappas(view: View, choices: Choices) -> Iterator[_Result]:
    for pair in combinations(view.raters, 2):
        part = view.of(pair)
        first, second = _rating_columns(part)
        found = coefficients.cohen_kappa(first, second, choices.weighting, choices.order)
        between = None
        if choices.how is not None:
            options = (choices.how, part.clusters(), choices.weighting, choices.order)
            between = no_interval(found.reason) or intervals.kappa_interval(first, second, *options)
        yield _Result({"raters": list(pair)} | _weighted_parameters(choices), part, found, between)


def _mean_kappa(view: View, part: Record, choices: Choices) -> _Result:
    """The unweighted mean over the pairs for which kappa is defined, with the counts of all raters."""
    places = list(combinations(range(len(view.raters)), 2))
    columns = _rating_columns(view)
    kappas = [
        coefficients.cohen_kappa(columns[a], columns[b], choices.weighting, choices.order).value for a, b in places
    ]
    known = [value for value in kappas if value is not None]
    whole = coefficients.percent_agreement(view.units())
    if known:
        found = replace(whole, value=math.fsum(known) / len(known))
    else:
        found = replace(whole, value=None, reason=whole.reason or "kappa is defined for no pair of raters")
    between = None
    if choices.how is not None:
        defined = [place for place, value in zip(places, kappas, strict=True) if value is not None]
        options = (choices.how, view.clusters(), choices.weighting, choices.order)
        between = no_interval(found.reason) or intervals.mean_kappa_interval(view.units(), defined, *options)
    counts = {"n_kappas": len(known), "n_undefined": len(kappas) - len(known)}
    return _Result(part | _weighted_parameters(choices) | counts, view, found, between)


def _weighted_parameters(choices: Choices) -> Record:
    return {} if choices.weighting is None else {"weights": choices.weighting}


def _rating_columns(view: View) -> list[list[Any]]:
    units = view.units()
    return [[unit[rater] for unit in units] for rater in range(len(view.raters))]


def _gwet(view: View, part: Record, choices: Choices) -> _Result:
    units, options = view.units(), (choices.weighting, choices.order)
    found, between = gwet.gwet_ac(units, *options), None
    if choices.how is not None:
        between = no_interval(found.reason) or gwet.gwet_interval(units, choices.how, view.clusters(), *options)
    return _Result(part | _weighted_parameters(choices), view, found, between)


_STATS: dict[str, Callable[[View, Record, Choices], _Result]] = {
    "alpha": _units_coefficient(coefficients.alpha, intervals.alpha_interval, by_level=True),
    "kappa": _mean_kappa,
    "agreement": _units_coefficient(coefficients.percent_agreement, intervals.percent_interval),
    "fleiss": _units_coefficient(coefficients.fleiss_kappa, intervals.fleiss_interval),
    "perfect": _units_coefficient(coefficients.perfect_agreement, intervals.perfect_interval),
    "gwet": _gwet,
}
STATS = tuple(_STATS)
#: The statistics with a test of the leave-one-out difference.
DIFFERENCES: dict[str, intervals.Coefficient] = {
    "alpha": "alpha", "agreement": "agreement", "fleiss": "fleiss", "perfect": "perfect",
}  # fmt: skip


def _result_record(stat: str, label_part: Record, result: _Result, choices: Choices, family: str) -> Record:
    counts = asdict(result.agreement)
    value, reason = counts.pop("value"), counts.pop("reason")
    entry = {"stat": stat, **result.part, **label_part, "value": value, **counts}
    entry |= {"n_missing": result.view.missing(), "reason": reason}
    if result.interval is not None and choices.how is not None:
        entry["interval"] = interval_entry(result.interval, choices.how, result.view.over())
    if result.difference is not None and choices.how is not None:
        entry["difference"] = difference_entry(result.difference, choices.how)
    return {
        **entry,
        "dropped": dict(sorted(result.view.ratings.dropped.items())),
        "signature": _result_signature(stat, label_part, result, choices, family),
    }


def _result_signature(stat: str, label_part: Record, result: _Result, choices: Choices, family: str) -> str:
    ratings, part = result.view.ratings, result.part
    parameters: Record = {"stat": stat, "label": as_json(label_part["label"]), "input": ratings.fingerprint()}
    if label_part.get("pooled"):
        parameters["pooled"] = True
    if stat == "alpha":
        parameters |= {"level": choices.level, "order": choices.order, "library": library("krippendorff")}
    if part.get("raters") is not None or stat == "kappa":
        raters = part.get("raters")
        parameters["raters"] = raters and [as_json(rater) for rater in raters]
    if "without" in part:
        parameters["without"] = as_json(part["without"])
    if result.difference is not None:
        parameters |= {"family": family, "adjust": choices.adjust}
    if stat == "gwet" or (stat == "kappa" and choices.weighting is not None):
        parameters |= {"weights": choices.weighting, "order": choices.order}
    return sign_result(parameters, ratings.dropped, choices.how, result.view.over())


def icc_records(ratings: Ratings, how: Resampling) -> Iterator[Record]:
    """Six records per label, one per form of the ICC, over the items that all of its raters rated.

    ``n_incomplete`` counts the other items.

    Args:
        ratings: numbers (taken at the interval level).
        how: resampling of the jackknife interval; its confidence level is also that of the F interval.
    """
    for part, labels in label_groups(ratings, pooled=False):
        view = View(ratings, labels, tuple(ratings.raters(*labels)))
        units, clusters = view.units(), view.clusters()
        kept = [at for at, unit in enumerate(units) if None not in unit]
        whole = [[place(value, "interval") for value in units[at]] for at in kept]
        of = None if clusters is None else [clusters[at] for at in kept]
        robust = jackknife_intervals(whole, how, of)
        counts = {"n_items": len(whole), "n_raters": len(view.raters), "n_incomplete": len(units) - len(whole)}
        for found, jackknife in zip(intraclass_correlations(whole, how.confidence), robust, strict=True):
            if of is not None and found.value is not None:
                reason = f"F takes items to be independent, and those of one {view.over()} are not"
                found = replace(found, f=None, df=None, p=None, low=None, high=None, reason=reason)
            no = no_interval(found.reason if found.value is None else None)
            entry = asdict(found)
            ends = {"low": entry.pop("low"), "high": entry.pop("high"), "method": "F", "confidence": how.confidence}
            marks = {"stat": "icc", "form": found.form, "label": part["label"]}
            marks |= {"input": ratings.fingerprint(), "library": [library("numpy"), library("scipy")]}
            yield {
                "stat": "icc", "form": entry.pop("form"), **part, "value": entry.pop("value"), **counts,
                "n_missing": view.missing(), **entry, "interval": {**ends, "reason": found.reason},
                "jackknife": interval_entry(no or jackknife, how, view.over()),
                "reason": found.reason if found.value is None or found.f is None else None,
                "dropped": dict(sorted(ratings.dropped.items())),
                "signature": sign_result(marks, ratings.dropped, how, view.over()),
            }  # fmt: skip
