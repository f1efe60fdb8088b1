"""Corpus-level values: ratios of sums over all records."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from scholartools.metrics import values
from scholartools.metrics.items.targets import MEASURES
from scholartools.metrics.items.verdicts import sign_test
from scholartools.metrics.statistics import resampling
from scholartools.metrics.statistics.resampling import SHARE, Interval, Resampling
from scholartools.paths import name_sort_key
from scholartools.records import Record
from scholartools.tasks.score.equations import PLACE
from scholartools.tasks.score.metric import NOT_NEGATIVE, UNBOUNDED
from scholartools.tasks.score.text import BERTSCORE_NAMES
from scholartools.tasks.summarize.groups import Group, Place
from scholartools.vocabulary import WEAKNESS_SCALES, WEAKNESS_TYPES

# Weights of record values in a sum.
Weights = Mapping[str, float]


class Ratio(NamedTuple):
    """A corpus-level value: ratio of two weighted sums, with its range."""

    above: Weights
    below: Weights
    bounds: Interval = SHARE


_DECISIONS = {"tp": 1, "fp": 1, "fn": 1, "tn": 1}


def _target_ratios(prefix: str) -> dict[str, Ratio]:
    """For ``targets`` and ``weaknesses``: F1, precision and recall by each measure."""
    both = {f"{prefix}n_reference": 1.0, f"{prefix}n_given": 1.0}
    found: dict[str, Ratio] = {}
    for measure in MEASURES:
        total = f"{prefix}{measure}_sum"
        found[f"{prefix}f1_{measure}"] = Ratio({total: 2}, both)
        found[f"{prefix}precision_{measure}"] = Ratio({total: 1}, {f"{prefix}n_given": 1})
        found[f"{prefix}recall_{measure}"] = Ratio({total: 1}, {f"{prefix}n_reference": 1})
    return found


def _scale_ratios(scale: str) -> dict[str, Ratio]:
    """For a scale of 1 to 5: share of equal values, and mean absolute error."""
    n = {f"{scale}.n": 1.0}
    return {
        f"{scale}.equal": Ratio({f"{scale}.n_equal": 1.0}, n),
        f"{scale}.mae": Ratio({f"{scale}.error_sum": 1.0}, n, NOT_NEGATIVE),
    }


def _type_ratios(name: str) -> dict[str, Ratio]:
    """For one type of ``labels``: precision, recall and F1."""
    tp, fp, fn = (f"{name}.{count}" for count in ("tp", "fp", "fn"))
    return {
        f"{name}.precision": Ratio({tp: 1}, {tp: 1, fp: 1}),
        f"{name}.recall": Ratio({tp: 1}, {tp: 1, fn: 1}),
        f"{name}.f1": Ratio({tp: 2}, {tp: 2, fp: 1, fn: 1}),
    }


def _verdict_shares(names: tuple[str, ...]) -> dict[str, Ratio]:
    """For verdicts: share of each among decided pairs, and share of undecided pairs."""
    decided = {name: Ratio({f"n_{name}": 1.0}, {"n_decided": 1.0}) for name in names}
    undecided = Ratio({"n_pairs": 1, "n_decided": -1}, {"n_pairs": 1})
    flips = Ratio({"n_flips": 1}, {"n_both": 1})
    inconsistent = Ratio({"n_inconsistent": 1}, {"n_pairs": 1})
    return {**decided, "undecided": undecided, "inconsistent": inconsistent, "position.flips": flips}


def _control_shares(*right: str) -> dict[str, Ratio]:
    """For controls: accuracy, overall and by correct answer."""
    parts = {name: f"n_controls_{name}" for name in right}
    found = {f"controls.{name}": Ratio({f"{count}_right": 1.0}, {count: 1.0}) for name, count in parts.items()}
    return {"controls.accuracy": Ratio({"n_controls_right": 1.0}, {"n_controls": 1.0}), **found}


def _guesser_f1(rate: float) -> Ratio:
    """Expected F1 of random answers with this rate of yes."""
    positives = {"tp": 1 + rate, "fn": 1 + rate}
    return Ratio({"tp": 2 * rate, "fn": 2 * rate}, {**positives, "fp": rate, "tn": rate})


# Measures of rewritten weaknesses with their ranges; BERTScore if a model is given.
_EDIT_MEASURES: dict[str, Interval] = {
    "rouge1": SHARE, "rouge1_stemmed": SHARE, **dict.fromkeys(BERTSCORE_NAMES, UNBOUNDED), "length_ratio": NOT_NEGATIVE,
    "unchanged": SHARE,
}  # fmt: skip

#: Corpus-level values of each metric as ratios. AAAR-1.0, table 1; CLAIMCHECK, sections 3.4 and 4.
RATIOS: dict[str, dict[str, Ratio]] = {
    "targets": {
        **_target_ratios(""),
        **_target_ratios("targeted."),
        "has_target.accuracy": Ratio({"tp": 1, "tn": 1}, _DECISIONS),
        "has_target.precision": Ratio({"tp": 1}, {"tp": 1, "fp": 1}),
        "has_target.recall": Ratio({"tp": 1}, {"tp": 1, "fn": 1}),
        "custom": Ratio({"n_custom": 1}, {"n_given": 1}),
        "position.first_half": Ratio({"n_first_half": 1}, {"n_ranked": 1}),
        "position.flips": Ratio({"flip_sum": 1}, {"n_flip_weaknesses": 1}),
        "reference_custom": Ratio({"n_reference_custom": 1}, {"n_reference": 1}),
    },
    "weaknesses": {**_target_ratios(""), **_scale_ratios("groundedness")},
    "labels": {
        **{name: ratio for scale in WEAKNESS_SCALES for name, ratio in _scale_ratios(scale).items()},
        **{name: ratio for type_ in WEAKNESS_TYPES for name, ratio in _type_ratios(type_).items()},
    },
    "edits": {
        **{name: Ratio({f"{name}_sum": 1}, {"n": 1}, ends) for name, ends in _EDIT_MEASURES.items()},
        **{
            f"anchors.{name}_share": Ratio({f"anchors.{name}": 1}, {"anchors.kept": 1, "anchors.lost": 1})
            for name in ("kept", "lost")
        },
        "anchors.unfounded_share": Ratio({"anchors.unfounded": 1}, {"anchors.added": 1}),
    },
    "verifications": {
        "disputed.faulted": Ratio({"n_disputed_faulted": 1}, {"n_disputed": 1}),
        "controls.faulted": Ratio({"n_controls_faulted": 1}, {"n_controls": 1}),
        "model.leaked": Ratio({"n_model_leaked": 1}, {"n_model": 1}),
        "reviewer.copied": Ratio({"n_reviewer_copied": 1}, {"n_reviewer": 1}),
        "evidence.cited": Ratio({"n_evidence_cited": 1}, {"n_evidence": 1}),
        "evidence.related": Ratio({"n_evidence_related": 1}, {"n_evidence": 1}),
        "evidence.rejected": Ratio({"n_evidence_rejected": 1}, {"n_evidence": 1, "n_evidence_rejected": 1}),
    },
    "contamination": {
        "repeated": Ratio({"n_repeated": 1}, {"n_reviews": 1}),
        "longest": Ratio({"longest_sum": 1}, {"n_reviews": 1}, NOT_NEGATIVE),
    },
    "specificity": {
        **_verdict_shares(("win", "tie", "loss")),
        "position.first": Ratio({"n_first_wins": 1}, {"n_winners": 1}),
        **_control_shares("tie", "original"),
    },
    "same-issue": {
        **_verdict_shares(("same", "similar", "different")),
        "position.same_gap": Ratio({"n_same_reviewer-first": 1, "n_same_model-first": -1}, {"n_both": 1}, (-1.0, 1.0)),
        **_control_shares("same", "different"),
    },
    "equations": {
        "precision": Ratio({"tp": 1}, {"tp": 1, "fp": 1}),
        "recall": Ratio({"tp": 1}, {"tp": 1, "fn": 1}),
        "f1": Ratio({"tp": 2}, {"tp": 2, "fp": 1, "fn": 1}),
        "accuracy": Ratio({"tp": 1, "tn": 1}, _DECISIONS),
        "all_positive.precision": Ratio({"tp": 1, "fn": 1}, _DECISIONS),
        "all_positive.recall": Ratio({"tp": 1, "fn": 1}, {"tp": 1, "fn": 1}),
        "all_positive.f1": Ratio({"tp": 2, "fn": 2}, {"tp": 2, "fn": 2, "fp": 1, "tn": 1}),
        "all_positive.accuracy": Ratio({"tp": 1, "fn": 1}, _DECISIONS),
        "all_negative.accuracy": Ratio({"fp": 1, "tn": 1}, _DECISIONS),
        "unparsed": Ratio({"unparsed": 1}, _DECISIONS),
        "yes_rate": Ratio({"yes": 1}, {**_DECISIONS, "unparsed": -1}),
        "yes_1_in_2.f1": _guesser_f1(1 / 2),
        "yes_1_in_4.f1": _guesser_f1(1 / 4),
    },
    "spans": {
        "edit": Ratio({"edit_sum": 2}, {"n_spans": 1}),
        "exact": Ratio({"exact_sum": 2}, {"n_spans": 1}),
    },
}


#: Reason for missing intervals of counts.
COUNT = "a count has no interval"

#: Counts of each metric that are reported as sums.
TOTALS: dict[str, tuple[str, ...]] = {
    "targets": ("n_reference", "n_given"),
    "weaknesses": ("n_reference", "n_given"),
    "edits": ("n",),
    "verifications": ("n_disputed", "n_controls", "n_evidence"),
    "contamination": ("n_reviews", "n_repeated"),
    "specificity": ("n_pairs", "n_win", "n_tie", "n_loss"),
    "same-issue": ("n_pairs", "n_same", "n_similar", "n_different"),
}


def pool_ratios(metric: str, group: Group, how: Resampling, *, clustered: bool) -> dict[str, Record]:
    """Corpus-level ratios of a group, with bootstrap intervals over records or clusters."""
    ratios = ratios_of(metric, group.columns)
    found = {name: _ratio_record(group, ratio, how, clustered=clustered) for name, ratio in ratios.items()}
    found |= {name: _count_total(group, name) for name in TOTALS.get(metric, ()) if name in group.columns}
    more = {"specificity": _specificity_values, "equations": _equation_values}.get(metric)
    return found | (more(group) if more else {})


def places_of(metric: str, group: Group, name: str) -> set[Place]:
    """Places at which all parts of a corpus-level value are defined; empty if it is neither a ratio nor a count."""
    ratio = ratios_of(metric, group.columns).get(name, Ratio({name: 1.0}, {}))
    return {group.places[row] for row in sums_of(group, ratio)}


def ratios_of(metric: str, columns: Iterable[str]) -> dict[str, Ratio]:
    """Corpus-level ratios for which the record scores have the required values, possibly null.

    For equations, the values depend on the format of the answers, and there is one place per option.
    """
    known = set(columns)
    ratios = {name: sums for name, sums in RATIOS.get(metric, {}).items() if known.issuperset(sums.above)}
    letters = sorted(name for name in known if metric == "equations" and name.startswith(PLACE))
    shares = {
        f"choice.share_{name.removeprefix(PLACE)}": Ratio({name: 1.0}, dict.fromkeys(letters, 1.0)) for name in letters
    }
    return {**ratios, **shares}


def _specificity_values(group: Group) -> dict[str, Record]:
    return {"sign_test_p": _sign_test(group)} if {"n_win", "n_loss"} <= group.columns.keys() else {}


def _equation_values(group: Group) -> dict[str, Record]:
    """Values from several ratios, without interval: F1 of random answers at the system's rate of yes; position bias."""
    found = {}
    if "tp" in group.columns:
        found["yes_at_own_rate.f1"] = _own_rate_f1(group)
    letters = {name: 1.0 for name in group.columns if name.startswith(PLACE)}
    if letters:
        shares = [_pool_values(group, Ratio({name: 1.0}, letters)) for name in letters]
        found["choice.position_bias"] = _without_interval(
            group, letters, [None if one is None else abs(one - 1 / len(letters)) / 2 for one in shares]
        )
    return found


def _own_rate_f1(group: Group) -> Record:
    rate = _pool_values(group, RATIOS["equations"]["yes_rate"])
    f1 = None if rate is None else _pool_values(group, _guesser_f1(rate))
    return _without_interval(group, _DECISIONS, [f1])


def _pool_values(group: Group, ratio: Ratio) -> float | None:
    sums = sums_of(group, ratio).values()
    return values.ratio([top for top, _ in sums], [bottom for _, bottom in sums]).value


def _without_interval(group: Group, names: Weights, parts: Sequence[float | None]) -> Record:
    """Sum of several ratios as a corpus-level value."""
    known = [part for part in parts if part is not None]
    entry: Record = {"n": len(sums_of(group, Ratio(names, names))), "value": None, "low": None, "high": None}
    if len(known) < len(parts):
        return {**entry, "reason": f"nothing was counted of {', '.join(names)}"}
    return {**entry, "value": math.fsum(known), "reason": "no interval of what is made of several ratios"}


def _count_total(group: Group, name: str) -> Record:
    """Sum of a count over all records."""
    numbers = group.columns[name].numbers
    return {"n": len(numbers), "value": math.fsum(numbers), "low": None, "high": None, "reason": COUNT}


def _sign_test(group: Group) -> Record:
    """Exact p-value of the sign test on wins and losses; ties are ignored."""
    wins, losses = (round(sum(group.columns[name].numbers)) for name in ("n_win", "n_loss"))
    value = sign_test(wins, losses)
    entry = {"n": wins + losses, "value": value.value, "low": None, "high": None}
    return {**entry, "reason": value.reason or "a p has no interval"}


def sums_of(group: Group, ratio: Ratio) -> dict[int, tuple[float, float]]:
    """Numerator and denominator by row, for rows with all required values."""
    above, below, _ = ratio
    columns = {
        name: dict(zip(column.rows, column.numbers, strict=True))
        for name, column in group.columns.items()
        if name in {*above, *below}
    }
    if len(columns) < len({*above, *below}):
        return {}
    whole = [row for row in range(group.n) if all(row in column for column in columns.values())]
    return {row: (_weighted_sum(columns, above, row), _weighted_sum(columns, below, row)) for row in whole}


def _weighted_sum(columns: Mapping[str, Mapping[int, float]], weights: Weights, row: int) -> float:
    return math.fsum(weight * columns[name][row] for name, weight in weights.items())


def _ratio_record(group: Group, ratio: Ratio, how: Resampling, *, clustered: bool) -> Record:
    found = sums_of(group, ratio).items()
    rows = sorted(
        ((group.clusters[row], *sums) for row, sums in found), key=lambda row: (name_sort_key(row[0]), *row[1:])
    )
    tops, bottoms = [row[1] for row in rows], [row[2] for row in rows]
    value = values.ratio(tops, bottoms)
    if value.value is None:
        reason = value.reason if any(bottoms) else f"nothing was counted of {', '.join(ratio.below)}"
        return {"n": len(rows), "value": None, "low": None, "high": None, "reason": reason}
    between = resampling.ratio_interval(tops, bottoms, how, [row[0] for row in rows] if clustered else None)
    if ratio.bounds[0] <= value.value <= ratio.bounds[1]:
        between = between.limit(ratio.bounds)
    entry = {"n": len(rows), "value": value.value, "low": between.low, "high": between.high}
    return entry if between.reason is None else {**entry, "reason": between.reason}
