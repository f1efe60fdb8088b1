"""Targets and labels of weaknesses against those of a reference system or rater (CLAIMCHECK, section 4).

Entries of two systems are compared on the same weakness. The options ``reference`` and ``candidate`` name systems
here: the reference (default: "gold"), and the only system to score (default: all).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

from scholartools.errors import InputFault
from scholartools.metrics.agreement.offsets import Place
from scholartools.metrics.items import labels as label_metrics
from scholartools.metrics.items.targets import MEASURES, Targets, target_scores, target_sums
from scholartools.metrics.statistics.resampling import SHARE
from scholartools.metrics.values import Value
from scholartools.parameters import parameter
from scholartools.records import Entry, Record, nonzero, read
from scholartools.signature import library
from scholartools.tasks.claims.base import BUILTIN, GOLD, entry_of, items_of
from scholartools.tasks.claims.entries import refuse_other_targets
from scholartools.tasks.claims.marks import refuse_changed_targets, refuse_stale
from scholartools.tasks.score.metric import (
    NOT_NEGATIVE,
    LeftOut,
    Metric,
    Options,
    each_system,
    entry,
    refused_keys,
    values_in,
    with_prefix,
)
from scholartools.tasks.score.refusals import refused_targets
from scholartools.tasks.shared.judgements import by_name
from scholartools.vocabulary import WEAKNESS_SCALES, WEAKNESS_TYPES

if TYPE_CHECKING:
    from scholartools.schemas.shapes import PaperRecord, Weakness, WeaknessLabels

Key = Literal["targets", "labels"]


def target_entries(record: Record, options: Options) -> Iterator[Record | LeftOut]:
    """Each system's targets against the reference's, over all weaknesses that both answered and the targeted ones.

    The entry also has the sums for the scores over the whole input. Weaknesses without an answer by the system are in
    no sum; ``n_missing`` counts them, ``n_unjudged`` those with a failed request. Targets that do not occur in the
    paper count as false positives. A system with targets of outdated texts is left out.
    """
    reference = options.reference or GOLD
    if read(record, "claims") is not None:
        items_of(record, "claims", "extract")
    systems = _systems_of(record, "targets", reference, options.candidate)
    yield from each_system(systems, lambda system: _score_targets(record, reference, system))


def _score_targets(record: Record, reference: str, system: str) -> Iterator[Record]:
    pairs = _pairs_of(record, "targets", reference, system)
    refused = {name: len(texts) for name, texts in refused_targets(record, system).items()}
    both = [(name, gold, own) for name, gold, own in pairs if own is not None]
    compared = {name: _compare_entries(gold, own, refused.get(name, 0)) for name, gold, own in both}
    values = _target_values(list(compared.values()))
    values["n_reference_custom"] = Value(float(_n_custom(gold for _, gold, own in pairs if own is not None)))
    positions = _count_positions(record, system)
    values |= positions
    of_weakness = [{"weakness": name, **select_sums(target_sums([one]))} for name, one in compared.items()]
    gaps = _count_gaps(record, "targets", reference, system)
    inputs: list[Any] = [[name, *(side and _facts_of(side) for side in sides)] for name, *sides in pairs]
    inputs += [{name: value.value for name, value in positions.items()}, dict(gaps)]
    n_refused = sum(one.n_refused for one in compared.values())
    gaps |= refused_keys(n_refused, lambda: _target_values([replace(one, n_refused=0) for one in compared.values()]))
    versions = {"reference": reference, "library": [library("rapidfuzz"), library("scipy")]}
    inputs += [refused] if n_refused else []
    yield entry("targets", system, values, inputs, versions, weaknesses=of_weakness, **gaps)


def _target_values(compared: Sequence[Targets]) -> dict[str, Value]:
    """The scores and the underlying sums, over all weaknesses and over the targeted ones."""
    sums, targeted = target_sums(compared), target_sums([one for one in compared if one.reference])
    values = target_scores(sums) | with_prefix("targeted", target_scores(targeted))
    values |= {name: Value(number) for name, number in sums.items()}
    return values | with_prefix("targeted", {name: Value(number) for name, number in targeted.items()})


def _count_positions(record: Record, system: str) -> dict[str, Value]:
    """Position bias of a system: how many chosen candidates were in the first half of its list, and the sum of flips
    between orders; values whose data are unknown are omitted.

    With candidates shown in both orders, half of the choices are in the first half if position has no effect.
    """
    n_claims = len(read(record, "claims") or ())
    entries = [one for weakness in record["weaknesses"] for one in weakness.get("targets") or ()]
    own = [one for one in entries if one["system"] == system]
    ranks = [rank for one in own for vote in one.get("votes") or [one] for rank in vote.get("ranks") or ()]
    flips = [one["flips"] for one in own if one.get("flips") is not None]
    # The middle one of an odd number counts half, so that .5 is neutral for every length.
    first = [0.5 if 2 * rank == n_claims + 1 else float(2 * rank <= n_claims) for rank in ranks]
    counts = {"n_ranked": len(ranks), "n_first_half": math.fsum(first)} if ranks else {}
    if flips:
        counts |= {"n_flip_weaknesses": len(flips), "flip_sum": math.fsum(flips)}
    return {name: Value(float(number)) for name, number in counts.items()}


def select_sums(sums: Mapping[str, float]) -> dict[str, float]:
    """The sums needed for F1, precision and recall."""
    kept = (*(f"{measure}_sum" for measure in MEASURES), "n_reference", "n_given")
    return {name: sums[name] for name in kept if name in sums}


def _target_texts(targets: Sequence[Record]) -> list[str]:
    return [target["text"] for target in targets]


def _facts_of(targets: Sequence[Record]) -> list[Any]:
    """What the scores use of targets: texts, places, and whether each is a claim of the rater's own."""
    return [_target_texts(targets), places_of(targets), [bool(target.get("custom")) for target in targets]]


def _n_custom(lists: Iterator[Sequence[Record]]) -> int:
    return sum(bool(target.get("custom")) for targets in lists for target in targets)


def _compare_entries(gold: Sequence[Record], own: Sequence[Record], n_refused: int) -> Targets:
    texts, places = (_target_texts(gold), _target_texts(own)), (places_of(gold), places_of(own))
    return Targets(*texts, _n_custom(iter([own])), *places, n_refused)


def places_of(items: Sequence[Entry]) -> list[list[Place]] | None:
    """The spans of each item as (section, start, end); None if an item has no spans."""
    if not all(item.get("spans") for item in items):
        return None
    return [[(span["in"], span["start"], span["end"]) for span in item["spans"]] for item in items]


def label_entries(record: Record, options: Options) -> Iterator[Record | LeftOut]:
    """Each system's labels against the reference's: for the two scales the share of equal values and the mean absolute
    error, for each type precision, recall and F1, with the counts for the values over the whole input.

    ``weaknesses`` has the labels of both sides, for alpha and kappa over the whole input. A system with labels of
    outdated texts is left out.
    """
    reference = options.reference or GOLD
    systems = _systems_of(record, "labels", reference, options.candidate)
    yield from each_system(systems, lambda system: _score_labels(record, reference, system))


def _score_labels(record: Record, reference: str, system: str) -> Iterator[Record]:
    pairs = _pairs_of(record, "labels", reference, system)
    both = [(gold, own) for _, gold, own in pairs if own is not None]
    values: dict[str, Value] = {}
    for scale in WEAKNESS_SCALES:
        sides = [[side.get(scale) for side in one] for one in zip(*both)] if both else [[], []]
        found = [(a, b) for a, b in zip(*sides) if a is not None and b is not None]
        values |= with_prefix(scale, label_metrics.scale_scores(*sides))
        values |= with_prefix(scale, scale_sums(found))
    for name in WEAKNESS_TYPES:
        sides = [[_types_of(side) for side in one] for one in zip(*both)] if both else [[], []]
        counts = label_metrics.type_counts(name, *sides)
        scores = label_metrics.type_scores(counts["tp"], counts["fp"], counts["fn"])
        values |= with_prefix(name, scores._asdict() | {key: Value(count) for key, count in counts.items()})
    gaps = _count_gaps(record, "labels", reference, system)
    inputs = [[name, *(_plain_labels(side) for side in sides)] for name, *sides in pairs]
    of_weakness = [
        {"weakness": name, "reference": _plain_labels(gold), "given": _plain_labels(own)}
        for name, gold, own in pairs
        if own is not None
    ]
    yield entry("labels", system, values, inputs, {"reference": reference}, weaknesses=of_weakness, **gaps)


def scale_sums(pairs: Sequence[tuple[int, int]]) -> dict[str, Value]:
    """The counts for the values of a scale over the whole input."""
    sums = {
        "n": len(pairs),
        "n_equal": sum(a == b for a, b in pairs),
        "error_sum": sum(abs(a - b) for a, b in pairs),
    }
    return {name: Value(float(number)) for name, number in sums.items()}


def _plain_labels(labels: WeaknessLabels | None) -> Record | None:
    if labels is None:
        return None
    return {**{key: labels.get(key) for key in WEAKNESS_SCALES}, "types": _types_of(labels)}


def _types_of(labels: Entry) -> list[str] | None:
    """The types of an entry; null types of the built-in method count as an empty list, to earn nothing."""
    is_silent = labels.get("types") is None and labels.get("by") == BUILTIN
    return [] if is_silent else labels.get("types")


def _answer_of(entry: Entry, key: Key) -> Any | None:
    """The part of an entry to compare: the targets, or the entry of labels itself; None if the request failed.

    Built-in labels have no scale values, and no types if no word indicates one, but are valid answers.
    """
    if key == "targets":
        return entry["items"]
    is_lost = entry.get("by") != BUILTIN and all(entry.get(name) is None for name in (*WEAKNESS_SCALES, "types"))
    return None if is_lost else entry


def _count_gaps(record: PaperRecord, key: Key, reference: str, system: str) -> Record:
    """Number of weaknesses without an answer by the system or the reference, and of those with a failed request."""
    n_missing = n_unjudged = n_unreferenced = 0
    for weakness in record["weaknesses"]:
        both = [one for one in weakness.get(key) or () if one["system"] in (reference, system)]
        answers = {one["system"]: _answer_of(one, key) for one in both}
        if reference in answers:
            is_in_vain = None in (answers[reference], answers.get(system, ""))
            n_unjudged += is_in_vain
            n_missing += system not in answers and not is_in_vain
        else:
            n_unreferenced += system in answers
    return nonzero(n_missing=n_missing, n_unjudged=n_unjudged, n_unreferenced=n_unreferenced)


def _systems_of(record: Record, key: Key, reference: str, candidate: str | None) -> list[str]:
    """The systems to score; empty without an error if the list of weaknesses is empty.

    Args:
        record: record with ``weaknesses``.
        key: key of the list of entries.
        reference: the reference system.
        candidate: the only system to score; None for all.

    Raises:
        InputFault: no weakness has an entry of the reference, or of another system, an id is duplicate, or the
            reference's entries refer to outdated texts.
    """
    weaknesses = by_name(read(record, "weaknesses") or (), "id", "weaknesses")
    if read(record, "weaknesses") == []:
        return []
    _refuse_faulty(record, key, reference)
    golden = [one for one in weaknesses.values() if _answer_by(one, key, reference) is not None]
    if not golden:
        raise InputFault(
            f'no weakness has "{key}" of "{reference}" ({parameter("reference")} names the system)', kind="missing-key"
        )
    systems = dict.fromkeys(entry["system"] for one in weaknesses.values() for entry in one.get(key) or ())
    wanted = [name for name in systems if name != reference and candidate in (None, name)]
    if not wanted:
        raise InputFault(f'no weakness has "{key}" of {candidate or "another system"}', kind="missing-key")
    return wanted


def _pairs_of(record: Record, key: Key, reference: str, system: str) -> list[tuple[str, Any, Any | None]]:
    """For weaknesses with an answer by the reference: the id, the reference's and the system's answer.

    Raises:
        InputFault: the system's entries refer to outdated texts, or are duplicate.
    """
    _refuse_faulty(record, key, system)
    answers = [
        (one["id"], _answer_by(one, key, reference), _answer_by(one, key, system)) for one in record["weaknesses"]
    ]
    return [(name, gold, own) for name, gold, own in answers if gold is not None]


def _refuse_faulty(record: Record, key: Key, system: str) -> None:
    """Validate a system's entries on weaknesses.

    Raises:
        InputFault: an entry or a target is duplicate, an entry refers to an outdated text of a weakness, targets were
            chosen from other claims, or differ from the text at their offsets.
    """
    if key == "targets":
        refuse_changed_targets(record, {"system": system})
    claims = read(record, "claims") if key == "targets" else None
    for weakness in record.get("weaknesses") or ():  # validated by the callers
        own = [one for one in weakness.get(key) or () if one["system"] == system]
        for one in by_name(own, "system", f"weaknesses.{key}").values():
            if key == "targets":
                refuse_other_targets(weakness, claims, one)
            else:
                refuse_stale(weakness, one, "labels", "label")


def _answer_by(weakness: Weakness, key: Key, system: str) -> Any | None:
    """The answer of a system about a weakness; None if there is none, or the request failed."""
    found = entry_of(weakness, key, {"system": system})
    return None if found is None else _answer_of(found, key)


def _has_key(record: PaperRecord, key: str) -> bool:
    weaknesses = record.get("weaknesses")
    entries = [one.get(key) for one in weaknesses if isinstance(one, dict)] if isinstance(weaknesses, list) else []
    return any(
        isinstance(some, list) and any(isinstance(one, dict) and one.get("system") == GOLD for one in some)
        for some in entries
    )


METRICS = {
    "targets": Metric(
        'weaknesses with targets of a system "gold" (or {reference} SYSTEM) and of others',
        "per record and over all records: F1, P and R by edit similarity, by equality and by overlap of spans, over "
        "all weaknesses and the targeted; "
        '"has a target": accuracy, P, R; share of custom targets; edit_sum, exact_sum and counts per weakness; '
        "how often the position of a claim in the list decides, where that is known",
        values_in(SHARE, *(f"*_{measure}" for measure in MEASURES))
        | values_in(SHARE, "*has_target.*", "custom", "targeted.custom")
        | values_in(NOT_NEGATIVE, "*n_*", "*_sum", *(f"*{name}" for name in ("tp", "fp", "fn", "tn"))),
        lambda record: _has_key(record, "targets"),
        target_entries,
        ("reference", "candidate"),
    ),
    "labels": Metric(
        'weaknesses with labels of a system "gold" (or {reference} SYSTEM) and of others',
        "objectivity, agreement: share equal, mean absolute error; each type: P, R, F1; per record and over all "
        "records; over all records only: Krippendorff's alpha and Cohen's kappa of each",
        values_in(SHARE, "*.equal", "*.precision", "*.recall", "*.f1")
        | values_in(NOT_NEGATIVE, "*.mae", "*.n", "*.n_equal", "*.error_sum", "*.tp", "*.fp", "*.fn", "*.tn"),
        lambda record: _has_key(record, "labels"),
        label_entries,
        ("reference", "candidate"),
    ),
}
