"""Target claims of weaknesses against a reference (CLAIMCHECK, sections 3.4 and 4.1).

Each weakness is compared separately with the targets of the same weakness, so that a claim that is right for one
weakness does not count for another. Sums over weaknesses are divided once, at the end (micro average).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scholartools.metrics.agreement import spans
from scholartools.metrics.agreement.offsets import Place, match_places
from scholartools.metrics.values import Value, ratio

#: Results of :func:`target_sums`, each a sum over weaknesses, so that they can be pooled over papers.
SUMS = ("edit_sum", "exact_sum", "offset_sum", "n_reference", "n_given", "tp", "fp", "fn", "tn", "n_custom")

#: By edit similarity of the texts, by equality of the texts (both as published), and by overlap of the spans.
MEASURES = ("edit", "exact", "offset")

_SIDES = {"precision": ("n_given",), "recall": ("n_reference",), "f1": ("n_given", "n_reference")}


Places = Sequence[Sequence[Place]] | None


@dataclass(frozen=True)
class Targets:
    """Reference targets and predicted targets of one weakness.

    Attributes:
        reference: texts of the reference targets; empty if the weakness has none.
        given: texts of the predicted targets.
        n_custom: number of predicted targets that are copied from the paper and were not candidates.
        reference_places: positions of the reference targets in the paper; None unless all are known.
        given_places: positions of the predicted targets, likewise.
        n_refused: number of predicted targets that are not in the paper; they count as predicted, custom and wrong.
    """

    reference: Sequence[str]
    given: Sequence[str]
    n_custom: int = 0
    reference_places: Places = None
    given_places: Places = None
    n_refused: int = 0


def target_sums(weaknesses: Sequence[Targets]) -> dict[str, float]:
    """Sums over weaknesses from which all scores are computed.

    ``edit_sum`` and ``exact_sum`` are from the one-to-one assignments of
    :func:`scholartools.metrics.agreement.spans.match`, ``offset_sum`` from
    :func:`scholartools.metrics.agreement.offsets.match_places`, missing if a span is unknown. ``tp`` to ``tn`` count
    weaknesses, with "has a target" as the positive class.
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
    """Precision, recall and F1 by each of :data:`MEASURES`, and for "has a target", from the sums.

    A system that predicts no target although there are some scores 0 everywhere. One that predicts some although there
    are none has precision and F1 0, and recall is undefined. Without targets on either side, all are undefined.
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
    """Precision (``wrong`` is fp) or recall (fn) for "has a target"; precision is 0 if a system never predicts it but
    should.
    """
    if wrong == "fp" and not sums["tp"] + sums["fp"] and sums["fn"]:
        return Value(0.0)
    none = "no weakness was given a target" if wrong == "fp" else "no weakness has a reference target"
    return _ratio_or_reason([sums["tp"]], [sums["tp"], sums[wrong]], none)


def _ratio_or_reason(above: Sequence[float], below: Sequence[float], none: str) -> Value:
    return ratio(above, below) if sum(below) else Value(None, none)
