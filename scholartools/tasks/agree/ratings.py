"""Ratings collected from records in long or wide form, and views of a subset."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from scholartools.errors import InputFault
from scholartools.metrics.agreement import coefficients
from scholartools.metrics.agreement.coefficients import Level, Order
from scholartools.metrics.agreement.scales import as_number
from scholartools.parameters import parameter
from scholartools.paths import (
    ABSENT,
    Conditions,
    MissingPaths,
    Name,
    Selection,
    as_json,
    keys_of,
    lookup,
    name_at,
    name_sort_key,
)
from scholartools.records import Record
from scholartools.signature import fingerprint
from scholartools.tasks.shared.blanks import (
    Blanks,
    given_name,
    tell_blank_names,
    tell_likely_missing,
    tell_likely_misspelt,
    tell_written_alike,
)

Label = Name | None


@dataclass(frozen=True)
class Keys:
    """Keys or dotted paths of the parts of a rating in a record.

    Attributes:
        item: path of the item.
        rater: path of the rater.
        label: path of the label, that is, the aspect rated; if absent from a record the label is null.
        value: path of the value.
        raters: in wide form, the path of each rater's value. The path is the rater's name, ``rater`` and ``value``
            are ignored, and an absent path is a missing rating.
        cluster: path of the unit of resampling (such as a paper), for intervals; None if items are independent.
        missing: texts that code a missing rating, in addition to :data:`~scholartools.tasks.shared.blanks.BLANKS`.
        keep_blank: whether texts of ``BLANKS`` are ratings.
    """

    item: str = "item"
    rater: str = "rater"
    label: str = "label"
    value: str = "value"
    raters: tuple[str, ...] = ()
    cluster: str | None = None
    missing: tuple[str, ...] = ()
    keep_blank: bool = False


class Ratings:
    """Collects ratings; results do not depend on their order.

    Items, raters and labels are strings or integers; 1 and "1" differ, as in JSON. A value is a string, a number or a
    boolean; null and blank cells ("", "NA") are missing ratings, which are counted. A string that spells a number in
    canonical form ("4", "2.5") is converted to it at every level, since human ratings come from CSV and those of
    models from JSON.

    Args:
        keys: paths of the parts of a rating.
        level: level of measurement. Invalid values are rejected immediately, so that their line is known.
        order: the values of an ordinal scale, from low to high.
        where: conditions; records that do not meet them are left out and counted.
        sets: whether a value may be a list of texts, read as a set.

    Attributes:
        dropped: number of records left out, by the kind of their fault or "where" (conditions not met).
        n_taken: number of records accepted.
        unseen: keys that no record has had so far: of the raters of the wide form, and of the label unless it is the
            default.

    Raises:
        UsageFault: the order does not define an ordinal scale.
    """

    def __init__(
        self,
        keys: Keys = Keys(),
        level: Level = "nominal",
        order: Order = None,
        where: Conditions = (),
        *,
        sets: bool = False,
    ) -> None:
        coefficients.check_scale(level, order)
        self.keys = keys
        self.dropped: Counter[str] = Counter()
        self.n_taken = 0
        own_label = [] if keys.label == Keys.label else [keys.label]
        self.unseen = MissingPaths([*keys.raters, *own_label])
        self._level, self._order, self._sets = level, order, sets
        self.selection = Selection(where)
        self._blanks = Blanks(keys.missing, is_kept=keys.keep_blank)
        self._values: dict[Label, dict[Name, dict[Name, Any]]] = {}
        self._clusters: dict[Name, Name] = {}
        self._fingerprint: str | None = None

    @property
    def labels(self) -> list[Label]:
        """The labels, sorted; None for ratings without a label."""
        return sorted(self._values, key=name_sort_key)

    def add(self, record: Record) -> None:
        """Add one rating, or in wide form those of one item.

        Raises:
            InputFault: a key is missing, a value is invalid, the rating is a duplicate, or the item's cluster differs
                from that in earlier records. Then nothing of the record is added.
        """
        if not self.selection.takes(record):
            self.dropped["where"] += 1
            return
        self.unseen.strike_found(record)
        self._blanks.begin()
        try:
            self._take_rating(record)
        except InputFault as fault:
            self.dropped[fault.kind] += 1
            raise
        self._blanks.commit()

    def notes(self) -> Iterator[str]:
        """Sentences about suspicious values, for the user."""
        yield from self._blanks.notes("ratings", "keep_blank")
        for label in self.labels if self._order is None else ():
            given = [value for _, _, of_item in self.iter_rated(label) for value in of_item.values()]
            named = "ratings" if label is None else f"ratings of {as_json(label)}"
            yield from tell_likely_missing(given, named)
            yield from tell_likely_misspelt(given, named)
        rated = [value for _, _, of_item in self.iter_rated(*self.labels) for value in of_item.values()]
        items = {item for _, item, _ in self.iter_rated(*self.labels)}
        groups = {"ratings": rated, "raters": self.raters(*self.labels), "labels": self.labels, "items": items}
        groups["names of clusters"] = self._clusters.values()
        for what, values in groups.items():
            yield from tell_written_alike(values, what)
        for what in ("raters", "labels", "items", "names of clusters"):
            yield from tell_blank_names(groups[what], what)

    def check(self) -> None:
        """Check that some record has the key of each rater of the wide form, and of the label unless it is the default.

        Raises:
            UsageFault: no record has such a key.
        """
        self.unseen.check()

    def fingerprint(self) -> list[str]:
        """Fingerprint of the ratings, independent of order, and the options for missing values that had an effect."""
        if self._fingerprint is None:
            entries = [
                [
                    label,
                    item,
                    self._clusters.get(item),
                    [[rater, rated[rater]] for rater in sorted(rated, key=name_sort_key)],
                ]
                for label in self.labels
                for item, rated in sorted(self._values[label].items(), key=lambda entry: name_sort_key(entry[0]))
            ]
            self._fingerprint = fingerprint(entries)
        return [self._fingerprint, *self._blanks.marks()]

    def raters(self, *labels: Label) -> list[Name]:
        """The raters of these labels, sorted."""
        present = {rater for label in labels for rated in self._values[label].values() for rater in rated}
        return sorted(present, key=name_sort_key)

    def iter_rated(self, *labels: Label) -> Iterator[tuple[Label, Name, dict[Name, Any]]]:
        """Yield (label, item, values by rater), items sorted within each label."""
        for label in labels:
            for item in sorted(self._values[label], key=name_sort_key):
                yield label, item, self._values[label][item]

    def cluster(self, item: Name) -> Name:
        """The cluster of an item; the item itself if it has none."""
        return self._clusters.get(item, item)

    def _take_rating(self, record: Record) -> None:
        item, label = given_name(record, self.keys.item, "item"), self._label_of(record)
        cluster = None if self.keys.cluster is None else given_name(record, self.keys.cluster)
        given = self._ratings_in(record)
        rated = self._values.get(label, {}).get(item, {})
        for rater in given:
            if rater in rated:
                has_no_label = self.keys.label != Keys.label and lookup(record, self.keys.label) is ABSENT
                without = f', and has no "{self.keys.label}"' if has_no_label else ""
                of_label = without if label is None else f" for label {as_json(label)}"
                raise InputFault(f"item {as_json(item)} is rated twice by {as_json(rater)}{of_label}", kind="duplicate")
        if cluster is not None and self._clusters.setdefault(item, cluster) != cluster:
            before = as_json(self._clusters[item])
            raise InputFault(f'item {as_json(item)} is of "{self.keys.cluster}" {before} before', kind="invalid-key")
        self._values.setdefault(label, {}).setdefault(item, {}).update(given)
        self._fingerprint = None
        self.n_taken += 1

    def _ratings_in(self, record: Record) -> dict[Name, Any]:
        """The values in a record, by rater."""
        if not self.keys.raters:
            if lookup(record, self.keys.rater) is ABSENT:
                wide = f"if each rater has a column or key of its own, name these with {parameter('raters')}"
                hint = f"name another key with {parameter('rater')}, or {wide}"
                raise InputFault(f'no "{self.keys.rater}" ({hint}): {keys_of(record)}', kind="missing-key")
            return {given_name(record, self.keys.rater): self._value_at(record, self.keys.value)}
        if all(lookup(record, path) is ABSENT for path in self.keys.raters):
            raise InputFault(
                f"no rating by any of {', '.join(self.keys.raters)}: {keys_of(record)}", kind="missing-key"
            )
        present = [path for path in self.keys.raters if lookup(record, path) is not ABSENT]
        given: dict[Name, Any] = dict.fromkeys(self.keys.raters)
        return given | {path: self._value_at(record, path) for path in present}

    def _label_of(self, record: Record) -> Label:
        return name_at(record, self.keys.label) if lookup(record, self.keys.label) not in (ABSENT, None, "") else None

    def _value_at(self, record: Record, path: str) -> Any:
        value = lookup(record, path)
        if value is ABSENT:
            hint = f"name another key with {parameter('value')}, or write null for a missing rating"
            raise InputFault(f'no "{path}" ({hint}): {keys_of(record)}', kind="missing-key")
        value = self._blanks.take(value)
        return None if value is None else self._check_value(value, path)

    def _check_value(self, value: Any, path: str) -> Any:
        """Validate a value that is not null, and convert it to a number where appropriate."""
        if self._sets and isinstance(value, list):
            if not all(isinstance(member, str) for member in value):
                raise InputFault(f'"{path}" has a member that is not a text', kind="invalid-key")
            self._refuse_blank_members(value, path)
            return tuple(sorted(set(value)))
        if not isinstance(value, (str, int, float)) or (isinstance(value, float) and not math.isfinite(value)):
            raise InputFault(f'"{path}" is not a string, number or boolean', kind="invalid-key")
        value = as_number(value)
        # Whether an ordinal scale without an order is numeric is known only after all records.
        if self._level in ("interval", "ratio") or self._order is not None:
            number = coefficients.place(value, self._level, self._order)
            if self._order is None and isinstance(value, str):  # such as "2.50", which is 2.5 on a numeric scale
                return int(number) if number.is_integer() else number
        return value

    def _refuse_blank_members(self, members: Sequence[Any], path: str) -> None:
        """Raise an InputFault if a list has blank members: dropping them would change the answer."""
        for member in members:
            if isinstance(member, str) and (not member.strip() or self._blanks.is_missing(member)):
                raise InputFault(
                    f'"{path}" holds a blank text ({as_json(member)}): [] means that nothing was marked',
                    kind="invalid-key",
                )


#: Maximum spans that a rater marked in an item, and maximum characters in them: comparison takes quadratic time.
MOST_MARKED, MOST_MARKED_CHARACTERS = 2_000, 200_000


class SpanRatings(Ratings):
    """Spans marked by raters: each value is a list of texts, or of objects with a ``text``; [] if none were marked."""

    def _check_value(self, value: Any, path: str) -> tuple[str, ...]:
        if not isinstance(value, list):
            raise InputFault(
                f'"{path}" is not a list of marked texts, such as ["first passage", "second passage"]',
                kind="invalid-key",
            )
        texts = [entry.get("text") if isinstance(entry, dict) else entry for entry in value]
        self._refuse_blank_members(texts, path)
        spans = tuple(text for text in texts if isinstance(text, str))
        if len(spans) < len(texts):
            raise InputFault(
                f'"{path}" has an entry that is neither a text nor an object with a "text"', kind="invalid-key"
            )
        length = sum(map(len, spans))
        if len(spans) > MOST_MARKED or length > MOST_MARKED_CHARACTERS:
            told = f'"{path}" holds {len(spans):,} marked texts of {length:,} characters in all, and two lists are'
            most = f"up to {MOST_MARKED:,} texts and {MOST_MARKED_CHARACTERS:,} characters are taken"
            raise InputFault(f"{told} compared in the square of their size: {most}", kind="too-many")
        return spans


@dataclass(frozen=True)
class View:
    """The ratings of some labels by some raters. A unit is a label of an item."""

    ratings: Ratings
    labels: tuple[Label, ...]
    raters: tuple[Name, ...]

    def units(self) -> list[list[Any]]:
        """One row per label and item, one column per rater; None for missing ratings."""
        rated = self.ratings.iter_rated(*self.labels)
        return [[of_item.get(rater) for rater in self.raters] for _, _, of_item in rated]

    def clusters(self) -> list[Name] | None:
        """The cluster of each unit; None if units are independent. The labels of an item are in one cluster."""
        if self.ratings.keys.cluster is None and len(self.labels) == 1:
            return None
        return [self.ratings.cluster(item) for _, item, _ in self.ratings.iter_rated(*self.labels)]

    def over(self) -> str:
        """Name of the unit of resampling."""
        return "item" if self.ratings.keys.cluster is None else self.ratings.keys.cluster

    def missing(self) -> int:
        """Number of null ratings of these raters; absent ratings do not count."""
        rated = self.ratings.iter_rated(*self.labels)
        return sum(of_item.get(rater, 0) is None for _, _, of_item in rated for rater in self.raters)

    def of(self, raters: Sequence[Name]) -> View:
        """The same labels, restricted to these raters."""
        return View(self.ratings, self.labels, tuple(raters))


def collect(
    records: Iterable[Record],
    keys: Keys = Keys(),
    level: Level = "nominal",
    order: Order = None,
    where: Conditions = (),
) -> Ratings:
    """Collect all records as :class:`Ratings`.

    Raises:
        InputFault: a record is not a valid rating.
        UsageFault: no record has the key of a rater of the wide form.
    """
    ratings = Ratings(keys, level, order, where)
    for record in records:
        ratings.add(record)
    if ratings.n_taken:
        ratings.check()
    return ratings


__all__ = ["Keys", "Label", "Name", "Ratings", "SpanRatings", "View", "collect"]
