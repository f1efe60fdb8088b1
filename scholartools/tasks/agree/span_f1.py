"""Agreement on spans: F1 by edit similarity and by equality, for each pair of raters, each rater, and all raters."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from scholartools.metrics.agreement import spans
from scholartools.metrics.agreement.rater_changes import choices_of, with_permutation
from scholartools.metrics.agreement.spans import SpanAgreement, SpanMatch
from scholartools.metrics.statistics import resampling
from scholartools.metrics.statistics.paired_bootstrap import Difference, paired_ratios
from scholartools.metrics.statistics.resampling import Percentiles, Resampling, ratio_statistic
from scholartools.metrics.values import mean_of_known
from scholartools.paths import Name, as_json
from scholartools.records import Record
from scholartools.signature import fingerprint, library
from scholartools.tasks.agree.coefficients import (
    PLAIN,
    Choices,
    difference_entry,
    label_groups,
    no_interval,
    selections,
)
from scholartools.tasks.agree.ratings import Ratings, View
from scholartools.tasks.agree.results import correct_results, interval_entry, sign_result

Pair = tuple[Name, Name]
Matches = dict[Pair, dict[int, SpanMatch]]  # by pair of raters, then by the index of the unit


@dataclass(frozen=True)
class _Result:
    part: Record
    view: View
    found: SpanAgreement
    matches: list[dict[int, SpanMatch]]
    everyone: Matches | None = None  # the matches of all pairs, for a result without one rater


def span_records(ratings: Ratings, choices: Choices = PLAIN) -> list[Record]:
    """Two records, edit and exact, for each pair of raters, then each rater (its pairs pooled), then all pairs.

    A pair counts the items that both rated, including those in which a rater marked nothing. ``mean_of_pairs`` of a
    rater is the unweighted mean of its pairs' F1. ``choices.without`` repeats the records of all pairs without each
    rater, with the difference; the tests of all such differences are one family.
    """
    family = fingerprint([choices.pooled, choices.family()])
    found = [
        _result_record(measure, label_part, result, choices, family)
        for label_part, labels in label_groups(ratings, choices.pooled)
        for result in _results_of(View(ratings, labels, tuple(ratings.raters(*labels))), choices)
        for measure in ("edit", "exact")
    ]
    correct_results([entry["difference"] for entry in found if "difference" in entry], choices.adjust)
    return found


def _results_of(view: View, choices: Choices) -> Iterator[_Result]:
    matches = _match_spans(view)
    for pair, of_pair in matches.items():
        yield _pool_matches({"raters": list(pair)}, view.of(pair), [of_pair])
    for rater in view.raters:
        yield _pool_matches({"rater": rater}, view, [found for pair, found in matches.items() if rater in pair])
    yield _pool_matches({"raters": None}, view, list(matches.values()))
    for part, rest in selections(view, choices.without, choices.leave_one_out):
        kept = [found for pair, found in matches.items() if set(pair) <= set(rest.raters)]
        yield replace(_pool_matches({"raters": None} | part, rest, kept), everyone=matches)


def _match_spans(view: View) -> Matches:
    units = view.units()
    return {
        (view.raters[a], view.raters[b]): {
            number: spans.match(unit[a], unit[b])
            for number, unit in enumerate(units)
            if unit[a] is not None and unit[b] is not None
        }
        for a, b in combinations(range(len(view.raters)), 2)
    }


def _pool_matches(part: Record, view: View, matches: list[dict[int, SpanMatch]]) -> _Result:
    items = {number for of_pair in matches for number in of_pair}
    found = spans.pool_matches([match for of_pair in matches for match in of_pair.values()], len(items))
    return _Result(part, view, found, matches)


def _result_record(measure: str, label_part: Record, result: _Result, choices: Choices, family: str) -> Record:
    part, view, found, how = result.part, result.view, result.found, choices.how
    entry: Record = {"stat": "spans", "measure": measure, **part, **label_part, "value": getattr(found, measure)}
    if "rater" in part:
        pooled = (spans.pool_matches(list(of_pair.values())) for of_pair in result.matches)
        entry["mean_of_pairs"] = mean_of_known(getattr(one, measure) for one in pooled)
    entry |= {"n_items": found.n_items, "n_spans": found.n_spans, "n_missing": view.missing(), "reason": found.reason}
    if how is not None:
        between = no_interval(found.reason) or _bootstrap_interval(measure, result, how)
        entry["interval"] = interval_entry(between, how, view.over())
        if result.everyone is not None:
            entry["difference"] = difference_entry(_difference_to_all(measure, result, result.everyone, how), how)
    names = {key: as_json(value) for key, value in {**part, **label_part}.items()}
    parameters: Record = {"stat": "spans", "measure": measure, **names, "input": view.ratings.fingerprint()}
    parameters |= {"library": [library("rapidfuzz"), library("scipy")]}
    if "difference" in entry:
        parameters |= {"family": family, "adjust": choices.adjust}
    dropped = dict(sorted(view.ratings.dropped.items()))
    return {**entry, "dropped": dropped, "signature": sign_result(parameters, view.ratings.dropped, how, view.over())}


def _difference_to_all(measure: str, result: _Result, everyone: Matches, how: Resampling) -> Difference:
    """F1 of all pairs minus F1 of the remaining pairs; each item is resampled with all its pairs."""
    items = sorted({number for of_pair in everyone.values() for number in of_pair})
    clusters = result.view.clusters()
    of_items = None if clusters is None else [clusters[number] for number in items]
    first, second = (_pair_sums(measure, matches, items) for matches in ([*everyone.values()], result.matches))
    found = paired_ratios(first, second, how, of_items)
    if how.method == "bootstrap" or found.value is None:
        return found
    names = list(dict.fromkeys(name for pair in everyone for name in pair))
    left = next(place for place, name in enumerate(names) if name not in result.view.raters)
    raters = [
        sorted({names.index(name) for pair, of in everyone.items() if number in of for name in pair})
        for number in items
    ]
    sums = [
        _pair_sums(measure, [of for pair, of in everyone.items() if gone is None or names[gone] not in pair], [number])
        for number, there in zip(items, raters, strict=True)
        for gone in choices_of(there, left)
    ]
    statistic = ratio_statistic([above for (above,), _ in sums], [below for _, (below,) in sums])
    return with_permutation(found, sum(first[0]) / sum(first[1]), statistic, raters, left, of_items, how)


def _pair_sums(
    measure: str, matches: Sequence[dict[int, SpanMatch]], items: Sequence[int]
) -> tuple[list[float], list[float]]:
    """Numerator and denominator of F1 per item: twice the sum of the matches of its pairs, and the number of spans."""
    of_item = [[of_pair[number] for of_pair in matches if number in of_pair] for number in items]
    above = [2 * math.fsum(getattr(match, measure) for match in found) for found in of_item]
    return above, [float(sum(match.n_first + match.n_second for match in found)) for found in of_item]


def _bootstrap_interval(measure: str, result: _Result, how: Resampling) -> Percentiles:
    """Interval by resampling of items, each with all its pairs."""
    clusters = result.view.clusters()
    items = sorted({number for of_pair in result.matches for number in of_pair})
    above, below = _pair_sums(measure, result.matches, items)
    of = None if clusters is None else [clusters[n] for n in items]
    return resampling.ratio_interval(above, below, how, of).limit(resampling.SHARE)
