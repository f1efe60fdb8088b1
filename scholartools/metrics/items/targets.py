"""Target claims of weaknesses against a reference (CLAIMCHECK, sections 3.4 and 4.1).

A weakness is one item: its targets are compared with the targets of the same weakness only, so that a claim that is
right for one weakness earns nothing for another. Sums over weaknesses are divided once, at the end (micro average).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scholartools.metrics.agreement import spans
from scholartools.metrics.agreement.offsets import Place, match_places
from scholartools.metrics.values import Value, ratio

#: What :func:`target_sums` counts, each a sum over weaknesses, so that it can be pooled over papers.
SUMS = ("edit_sum", "exact_sum", "offset_sum", "n_reference", "n_given", "tp", "fp", "fn", "tn", "n_custom")

#: By edit similarity of the texts, by equality of the texts (both as published), and by overlap of the places.
MEASURES = ("edit", "exact", "offset")

_SIDES = {"precision": ("n_given",), "recall": ("n_reference",), "f1": ("n_given", "n_reference")}


Places = Sequence[Sequence[Place]] | None


@dataclass(frozen=True)
class Targets:
    """The targets of one weakness on both sides.

    Attributes:
        reference: texts of the reference targets; empty where the weakness has none.
        given: texts of the targets that a system gave it.
        n_custom: how many of the given are copied from the paper and were no candidate.
        reference_places: where each reference target is in the paper; None where that is not known of all.
        given_places: where each given target is.
        n_refused: targets that were given and occur nowhere in the paper: they are given, custom and wrong.
    """

    reference: Sequence[str]
    given: Sequence[str]
    n_custom: int = 0
    reference_places: Places = None
    given_places: Places = None
    n_refused: int = 0


def target_sums(weaknesses: Sequence[Targets]) -> dict[str, float]:
    """The sums that all scores are made of, over some weaknesses.

    ``edit_sum`` and ``exact_sum`` are of the one-to-one assignments of
    :func:`scholartools.metrics.agreement.spans.match`, ``offset_sum`` of
    :func:`scholartools.metrics.agreement.offsets.match_places`, absent where a place is not known. ``tp`` to ``tn``
    count weaknesses, with "has a target" as the positive answer.
    """
    matches = [spans.match(one.reference, one.given) for one in weaknesses]
    has = [(bool(one.reference), bool(one.given or one.n_refused)) for one in weaknesses]
    n_refused = sum(one.n_refused for one in weaknesses)
    return {
        "edit_sum": math.fsum(match.edit for match in matches),
        "exact_sum": float(sum(match.exact for match in matches)),
        **_offset_sum(weaknesses),
        "n_reference": float(sum(match.n_first for match in matches)),
        "n_given": float(sum(match.n_second for match in matches) + n_refused),
        "tp": float(has.count((True, True))),
        "fp": float(has.count((False, True))),
        "fn": float(has.count((True, False))),
        "tn": float(has.count((False, False))),
        "n_custom": float(sum(one.n_custom for one in weaknesses) + n_refused),
    }


def target_scores(sums: Mapping[str, float]) -> dict[str, Value]:
    """Precision, recall and F1 by each of :data:`MEASURES`, and of "has a target", from the sums.

    A system that names no target where there are some has 0 everywhere. A system that names some where there are none
    has precision and F1 0 and no recall. With none on either side there is nothing to score.
    """
    known = [measure for measure in MEASURES if f"{measure}_sum" in sums]
    values = {f"{side}_{measure}": _share_of(sums, measure, side) for measure in known for side in ("f1", *_PR)}
    answers = [sums[name] for name in ("tp", "fp", "fn", "tn")]
    return values | {
        "has_target.accuracy": _ratio_or_reason([sums["tp"], sums["tn"]], answers, "no weakness"),
        "has_target.precision": _has_target(sums, "fp"),
        "has_target.recall": _has_target(sums, "fn"),
        "custom": _ratio_or_reason([sums["n_custom"]], [sums["n_given"]], "no target was given"),
    }


def _offset_sum(weaknesses: Sequence[Targets]) -> dict[str, float]:
    overlaps = []
    for one in weaknesses:
        if one.reference_places is None or one.given_places is None:
            return {}
        overlaps.append(match_places(one.reference_places, one.given_places))
    return {"offset_sum": math.fsum(overlaps)}


_PR = ("precision", "recall")


def _share_of(sums: Mapping[str, float], measure: str, side: str) -> Value:
    below = [sums[name] for name in _SIDES[side]]
    found = sums[f"{measure}_sum"] * len(below)
    if sum(below):
        return ratio([found], below)
    if side == "precision" and sums["n_reference"]:
        return Value(0.0)
    return Value(None, "no reference target" if side == "recall" and sums["n_given"] else "no target on either side")


def _has_target(sums: Mapping[str, float], wrong: str) -> Value:
    """Precision (``wrong`` is fp) or recall (fn) of "has a target"; 0 where a system never says so and should."""
    if wrong == "fp" and not sums["tp"] + sums["fp"] and sums["fn"]:
        return Value(0.0)
    none = "no weakness was given a target" if wrong == "fp" else "no weakness has a reference target"
    return _ratio_or_reason([sums["tp"]], [sums["tp"], sums[wrong]], none)


def _ratio_or_reason(above: Sequence[float], below: Sequence[float], none: str) -> Value:
    return ratio(above, below) if sum(below) else Value(None, none)
