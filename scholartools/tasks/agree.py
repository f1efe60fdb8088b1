"""Agreement from ratings in long form: ``{"item", "rater", "label", "value"}``, one rating a record."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import combinations
from typing import Any

from scholartools.errors import InputFault, UsageFault
from scholartools.metrics import agreement
from scholartools.metrics.agreement import Agreement, Level, Rating
from scholartools.records import Record
from scholartools.signature import library, signature

COMMAND = "st-agree"

Name = str | int
Label = Name | None
Order = Sequence[Rating] | None


@dataclass(frozen=True)
class Keys:
    """The keys of a rating. ``label`` may be absent from a record: then the label is null."""

    item: str = "item"
    rater: str = "rater"
    label: str = "label"
    value: str = "value"


class Ratings:
    """Ratings taken one by one; labels, items and raters stay in the order of first appearance.

    Items, raters and labels are strings or integers, and 1 and "1" are two, as they are in JSON. A value is a string,
    a number, a boolean, or null, which is a missing rating: counted, and no rating.

    Args:
        keys: what a record calls the parts of a rating.
        level: of measurement. A value that is not of the level is refused as it comes, so that its line is known.
        order: the values of an ordinal scale, from low to high.

    Raises:
        UsageFault: an order that names no ordinal scale.
    """

    def __init__(self, keys: Keys = Keys(), level: Level = "nominal", order: Order = None) -> None:
        agreement.check_scale(level, order)
        self._keys, self._level, self._order = keys, level, order
        self._values: dict[Label, dict[Name, dict[Name, Rating]]] = {}
        self._raters: dict[Name, None] = {}
        self._digest = hashlib.sha256()

    @property
    def labels(self) -> list[Label]:
        """The labels rated, None for ratings without one."""
        return list(self._values)

    def add(self, record: Record) -> None:
        """Take one rating.

        Raises:
            InputFault: a key is missing, its value is not of its kind, or this rater has rated the item before.
        """
        item, rater = self._name(record, self._keys.item), self._name(record, self._keys.rater)
        label = self._name(record, self._keys.label) if record.get(self._keys.label) is not None else None
        value = self._value(record)
        if rater in self._values.get(label, {}).get(item, {}):
            of_label = "" if label is None else f" for label {_json(label)}"
            raise InputFault(f"item {_json(item)} is rated twice by {_json(rater)}{of_label}", kind="duplicate")
        self._values.setdefault(label, {}).setdefault(item, {})[rater] = value
        self._raters[rater] = None
        self._digest.update(repr((label, item, rater, value)).encode())

    def fingerprint(self) -> str:
        """Of all ratings, in the order they came."""
        return self._digest.hexdigest()[:16]

    def raters(self, label: Label) -> list[Name]:
        """Who rated anything of a label."""
        present = {rater for rated in self._values[label].values() for rater in rated}
        return [rater for rater in self._raters if rater in present]

    def units(self, label: Label, raters: Sequence[Name]) -> list[list[Rating]]:
        """Of one label: a row per item, a column per rater, None where there is no rating."""
        return [[rated.get(rater) for rater in raters] for rated in self._values[label].values()]

    def missing(self, label: Label, raters: Sequence[Name]) -> int:
        """How many ratings of a label these raters gave as null."""
        return sum(rated.get(rater, 0) is None for rated in self._values[label].values() for rater in raters)

    def _name(self, record: Record, key: str) -> Name:
        name = record.get(key)
        if name is None:
            raise InputFault(f'no "{key}"', kind="missing-key")
        if isinstance(name, bool) or not isinstance(name, (str, int)):
            raise InputFault(f'"{key}" is neither a string nor an integer', kind="invalid-key")
        return name

    def _value(self, record: Record) -> Rating:
        key = self._keys.value
        if key not in record:
            raise InputFault(f'no "{key}": null is how a missing rating is written', kind="missing-key")
        value = record[key]
        if value is None:
            return None
        if not isinstance(value, (str, int, float)) or (isinstance(value, float) and not math.isfinite(value)):
            raise InputFault(f'"{key}" is no string, number or boolean', kind="invalid-key")
        # Whether an ordinal scale without an order is one of numbers or of words is known only when all are there.
        if self._level in ("interval", "ratio") or self._order is not None:
            agreement.place(value, self._level, self._order)
        return value


def collect(records: Iterable[Record], keys: Keys = Keys(), level: Level = "nominal", order: Order = None) -> Ratings:
    """All records as :class:`Ratings`; the first that is no rating raises its InputFault."""
    ratings = Ratings(keys, level, order)
    for record in records:
        ratings.add(record)
    return ratings


def results(
    ratings: Ratings, stats: Sequence[str] | None = None, level: Level = "nominal", order: Order = None
) -> list[Record]:
    """One record per statistic and label: ``value`` or null with its ``reason``, what it stands on, its ``signature``.

    Labels are not pooled: a value of one says nothing about a value of another. The counts are those of
    :class:`~scholartools.metrics.agreement.Agreement`, and ``n_missing``, the ratings given as null.

    Kappa has one record per pair of raters, with ``raters: [a, b]``, and after them one with ``raters: null``: the
    plain mean over the ``n_kappas`` pairs for which it is defined; for ``n_undefined`` pairs it is not. A pair counts
    once, however many items it shares.

    Args:
        stats: of STATS; all by default.
        level: of measurement, for alpha; kappa and agreement take every value as nominal.
        order: the values of an ordinal scale, from low to high.

    Raises:
        UsageFault: a statistic, level or order that is none; ordinal values that are words, with no order.
        InputFault: a value that is not of the level.
    """
    agreement.check_scale(level, order)
    stats = STATS if stats is None else stats
    if unknown := [stat for stat in stats if stat not in STATS]:
        raise UsageFault(f'"{unknown[0]}" is no statistic: {", ".join(STATS)}')
    return [
        _record(ratings, stat, label, part, result, order)
        for stat in stats
        for label in ratings.labels
        for part, result in _RESULTS[stat](ratings, label, level, order)
    ]


def _alpha(ratings: Ratings, label: Label, level: Level, order: Order) -> Iterator[tuple[Record, Agreement]]:
    yield {"level": level}, agreement.alpha(ratings.units(label, ratings.raters(label)), level, order)


def _agreement(ratings: Ratings, label: Label, *_: Any) -> Iterator[tuple[Record, Agreement]]:
    yield {}, agreement.percent_agreement(ratings.units(label, ratings.raters(label)))


def _kappa(ratings: Ratings, label: Label, *_: Any) -> Iterator[tuple[Record, Agreement]]:
    raters = ratings.raters(label)
    columns = dict(zip(raters, zip(*ratings.units(label, raters), strict=True), strict=True))
    kappas = []
    for first, second in combinations(raters, 2):
        kappa = agreement.cohen_kappa(columns[first], columns[second])
        kappas.append(kappa.value)
        yield {"raters": [first, second]}, kappa
    known = [value for value in kappas if value is not None]
    counts = {"n_kappas": len(known), "n_undefined": len(kappas) - len(known)}
    yield {"raters": None, **counts}, _mean(known, agreement.percent_agreement(ratings.units(label, raters)))


def _mean(kappas: Sequence[float], whole: Agreement) -> Agreement:
    """The mean kappa, with the counts of all raters together."""
    if not kappas:
        return replace(whole, value=None, reason=whole.reason or "kappa is defined for no pair of raters")
    return replace(whole, value=math.fsum(kappas) / len(kappas))


_RESULTS: dict[str, Callable[..., Iterator[tuple[Record, Agreement]]]] = {
    "alpha": _alpha,
    "kappa": _kappa,
    "agreement": _agreement,
}
STATS = tuple(_RESULTS)


def _record(ratings: Ratings, stat: str, label: Label, part: Record, result: Agreement, order: Order) -> Record:
    counts = asdict(result)
    value, reason = counts.pop("value"), counts.pop("reason")
    raters = part.get("raters") or ratings.raters(label)
    return {
        "stat": stat,
        **part,
        "label": label,
        "value": value,
        **counts,
        "n_missing": ratings.missing(label, raters),
        "reason": reason,
        "signature": _signature(ratings, stat, label, part, order),
    }


def _signature(ratings: Ratings, stat: str, label: Label, part: Record, order: Order) -> str:
    """Names are written as JSON, in which null, "null", 1 and "1" differ."""
    parameters: Record = {"stat": stat, "label": _json(label), "input": ratings.fingerprint()}
    if stat == "alpha":
        parameters |= {"level": part["level"], "order": order, "library": library("krippendorff")}
    if stat == "kappa":
        parameters["raters"] = part["raters"] and [_json(rater) for rater in part["raters"]]
    return signature(COMMAND, parameters)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
