"""Comparison of systems by their numbers for the same items: effect size, tests, and the power of tests.

The system is the ``rater`` of the ratings, the metric their ``label``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from itertools import combinations
from typing import Any

from scholartools.metrics.statistics import t_tests
from scholartools.metrics.statistics.multiple_tests import Adjustment
from scholartools.metrics.statistics.paired_bootstrap import (
    Numbers,
    paired_bootstrap,
)
from scholartools.metrics.statistics.resampling import Resampling
from scholartools.metrics.statistics.t_tests import Power, settle_difference
from scholartools.metrics.values import mean_of_known
from scholartools.paths import as_json
from scholartools.records import Record
from scholartools.signature import library
from scholartools.tasks.agree.ratings import (
    Label,
    Name,
    Ratings,
    View,
)
from scholartools.tasks.agree.results import correct_results, interval_entry, parse_number, sign_result

_ALPHA = 0.05


def effects(ratings: Ratings, how: Resampling, ddof: int = 0, adjust: Adjustment = "holm") -> Iterator[Record]:
    """One record per label and pair of systems: Cohen's d as ``value``, and the paired comparison.

    ``difference`` is the mean of first - second over the shared items with an interval and p, ``t_test`` the paired
    t-test; both have ``p_holm`` (or ``p_bh``), corrected for all pairs of all labels, of which ``n_compared`` have a p.
    With clusters, whole clusters are resampled, and the t-test uses their mean differences; its ``n`` counts the units
    named by ``over``. Cohen's d is always computed from items.
    """
    compared = [
        (label, [_compare_systems(*pair, how, ddof, adjust) for pair in _system_pairs(ratings, label)])
        for label in ratings.labels
    ]
    for test in ("difference", "t_test"):
        correct_results([entry[test] for _, entries in compared for entry in entries], adjust)
    for label, entries in compared:
        yield from entries or [_no_effect(View(ratings, (label,), tuple(ratings.raters(label))), how, ddof)]


def _compare_systems(
    view: View, one: Numbers, other: Numbers, how: Resampling, ddof: int, adjust: Adjustment
) -> Record:
    """The record of a pair, before correction of the p-values."""
    effect = t_tests.cohen_d(one, other, ddof)
    difference = settle_difference(paired_bootstrap(one, other, how, view.clusters()), one, other)
    between = interval_entry(difference.interval, how, view.over())
    return {
        "stat": "effect", "systems": list(view.raters), "label": view.labels[0], "value": effect.value, "ddof": ddof,
        "n": list(effect.n), "means": list(effect.means), "n_missing": view.missing(), "reason": effect.reason,
        "difference": {
            "value": difference.value, "n": difference.n, "interval": between, "p": difference.p,
            "reason": difference.reason,
        },
        "t_test": {**asdict(t_tests.paired_t(one, other, view.clusters())), "over": view.over()},
        **_record_ending("effect", view, how, {"ddof": ddof, "adjust": adjust}),
    }  # fmt: skip


def powers(ratings: Ratings, how: Resampling) -> Iterator[Record]:
    """One record per label and pair of systems, then the label's mean over pairs, with ``systems`` null.

    ``value`` is the power of the unpaired t-test, as published; ``paired`` that of the paired one. Pairs for which the
    test is undefined in all samples are excluded from the means, but counted. With clusters, these are resampled and
    their means tested; ``n`` counts the units named by ``over``.
    """
    for label in ratings.labels:
        found = [
            (view, t_tests.power(one, other, how, _ALPHA, view.clusters()))
            for view, one, other in _system_pairs(ratings, label)
        ]
        for view, power in found:
            yield {
                "stat": "power", "systems": list(view.raters), "label": label, "value": power.unpaired,
                "paired": power.paired, "n": list(power.n), "n_shared": power.n_shared,
                "n_undefined": list(power.n_undefined), "alpha": _ALPHA, "samples": how.samples, "seed": how.seed,
                "over": view.over(), "n_missing": view.missing(), "reason": power.reason,
                **_record_ending("power", view, how, {"alpha": _ALPHA}),
            }  # fmt: skip
        yield _mean_power(ratings, label, [power for _, power in found], how)


def _no_effect(view: View, how: Resampling, ddof: int) -> Record:
    return {
        "stat": "effect", "systems": None, "label": view.labels[0], "value": None, "ddof": ddof,
        "n_missing": view.missing(), "reason": "fewer than two systems",
        **_record_ending("effect", view, how, {"ddof": ddof}),
    }  # fmt: skip


def _mean_power(ratings: Ratings, label: Label, powers: list[Power], how: Resampling) -> Record:
    view = View(ratings, (label,), tuple(ratings.raters(label)))
    known = [power.unpaired for power in powers if power.unpaired is not None]
    paired = [power.paired for power in powers if power.paired is not None]
    reason = None if known else "power is defined for no pair of systems" if powers else "fewer than two systems"
    if known and not paired:
        reason = "power of the paired test is defined for no pair of systems"
    return {
        "stat": "power", "systems": None, "label": label, "value": mean_of_known(known),
        "paired": mean_of_known(paired), "n_pairs": len(known), "n_paired": len(paired),
        "n_undefined_pairs": len(powers) - len(known),
        "alpha": _ALPHA, "samples": how.samples, "seed": how.seed, "over": view.over(), "n_missing": view.missing(),
        "reason": reason,
        **_record_ending("power", view, how, {"alpha": _ALPHA, "mean": True}),
    }  # fmt: skip


def _system_pairs(ratings: Ratings, label: Label) -> Iterator[tuple[View, Numbers, Numbers]]:
    """Each pair of systems with the numbers of both, by item."""
    for pair in combinations(ratings.raters(label), 2):
        view = View(ratings, (label,), pair)
        units = view.units()
        yield view, _numbers_of(units, 0), _numbers_of(units, 1)


def _numbers_of(units: list[list[Any]], system: int) -> Numbers:
    return [None if unit[system] is None else parse_number(unit[system]) for unit in units]


def _record_ending(stat: str, view: View, how: Resampling, more: Record) -> Record:
    systems: list[Name] = list(view.raters)
    parameters = {"stat": stat, "label": as_json(view.labels[0]), "systems": [as_json(name) for name in systems]}
    parameters |= {"input": view.ratings.fingerprint(), "library": library("scipy"), **more}
    signature = sign_result(parameters, view.ratings.dropped, how, view.over())
    return {"dropped": dict(sorted(view.ratings.dropped.items())), "signature": signature}
