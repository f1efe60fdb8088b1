"""Values of many records, grouped by metric, part of the input and system."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeVar

from scholartools.errors import InputFault
from scholartools.paths import Name, name_sort_key
from scholartools.records import Entry, Record
from scholartools.signature import fingerprint
from scholartools.tasks.shared.blanks import given_name

if TYPE_CHECKING:
    from scholartools.schemas.shapes import Score

# compared unit: name of the record, and the part of it (such as a review), if any
Item = tuple[Name, str | None]

# Location of an entry: index of its record in the input, and the part of the record.
Place = tuple[int, str | None]

Of = TypeVar("Of")

NOT_SCORED = "the scores of the record lack this value"

# Counts in entries of ``scores`` besides values, with the note for their sum over n entries.
COUNTS = {
    "n_empty": "records without an item of the system although the reference has items, counted as 0: {count} of {n}",
    "n_absent": "records without an entry of this system, left out: {count}",
    "n_missing": "weaknesses about which the system has no answer, left out: {count}",
    "n_unreferenced": "weaknesses about which the reference has no answer, left out: {count}",
    "n_by_place": "explanations paired by their position in the list, because ids are missing: {count}",
    "n_tied": "items with equally many votes for and against, counted as not covered: {count}",
    "n_extra": "explanations of the system without a reference explanation, left out: {count}",
    "n_empty_reviewers": "reviewers without an item, left out: {count}",
    "n_negative": "papers whose precision or recall is negative, so that F1 is 0: {count} of {n}",
    "n_unrated": "missing ratings of facets, whose facet scores are not computed: {count}",
    "n_unjudged": "missing judgements, whose scores are not computed: {count}",
    "n_renormalised": "scores with renormalised weights, because the reference lacks a facet: {count} of {n}",
    "n_none_deficient": "reviews without a deficient segment, which always score 0, as published: {count} of {n}",
    "n_failed": "answers about equations for which no reply came, left out: {count}",
    "n_incomplete": "papers with a piece about which no usable reply came, so that items are missing: {count} of {n}",
    "n_shortened": "papers of which the system saw only the beginning, because the papers are too long: {count} of {n}",
    "n_cut": "texts longer than the embedding model reads, which were shortened: {count}",
    "n_refused": "items of the system that were rejected, counted as wrong: {count}",
    "n_repeated": "{count} of n are from duplicate records; all are counted",
}

# The same for metrics in which these counts have another meaning.
_COUNTS_OF_METRIC = {
    ("entail", "n_missing"): "explanations that the system lacks, counted as 0: {count}",
    ("weaknesses", "n_missing"): "reviews about which the system has no answer, left out: {count}",
    ("weaknesses", "n_unreferenced"): "reviews about which the reference has no answer, left out: {count}",
}


def count_notes(entry: Record) -> list[str]:
    """Notes on the counts in an entry of a metric and system."""
    templates = {name: _COUNTS_OF_METRIC.get((entry["metric"], name), told) for name, told in COUNTS.items()}
    return [told.format(count=entry[name], n=entry["n"]) for name, told in templates.items() if name in entry]


@dataclass(frozen=True)
class Keys:
    """Dotted paths of keys that group and identify records.

    Attributes:
        by: key of separately summarised parts of the input; None for the whole.
        cluster: key of clusters of dependent records; None if records are independent.
        item: key of the name of a record, common to all systems.
    """

    by: str | None = None
    cluster: str | None = None
    item: str = "id"


@dataclass(frozen=True)
class Key:
    """Identifies a group."""

    metric: str
    by: Name | None
    system: str


@dataclass(frozen=True)
class Names:
    """Names of a record; None if not requested."""

    by: Name | None
    cluster: Name | None
    item: Name | None


@dataclass
class Column:
    """The values of one measure with their row numbers, and reasons of null values."""

    rows: list[int] = field(default_factory=list)
    numbers: list[float] = field(default_factory=list)
    nulls: Counter[str] = field(default_factory=Counter)


@dataclass
class Group:
    """Scores of one system in one metric: a row per entry, a column per value.

    Attributes:
        places: location of each row.
        counts: sums of counts (see COUNTS); ``n_repeated`` counts entries identical to an earlier one of the same
            record, which suggests that a file was given twice.
        authors: number of claims or pairs by the author of their targets (``targets_by``).
        n_records: number of records with an entry; a record may have several (one per review).
    """

    items: list[Item | None] = field(default_factory=list)
    clusters: list[Name | None] = field(default_factory=list)
    places: list[Place] = field(default_factory=list)
    columns: dict[str, Column] = field(default_factory=dict)
    counts: Counter[str] = field(default_factory=Counter)
    authors: Counter[str] = field(default_factory=Counter)
    n_records: int = 0
    _empty: set[int] = field(default_factory=set)
    _unrefused: dict[int, Mapping[str, float | None]] = field(default_factory=dict)
    _marks: list[str] = field(default_factory=list)
    _seen: set[Item] = field(default_factory=set)
    _of_records: set[str] = field(default_factory=set)

    @property
    def n(self) -> int:
        """Number of entries."""
        return len(self._marks)

    def check(self, entry: Score, names: Names) -> None:
        """Check that the item of an entry is new.

        Raises:
            InputFault: it is not.
        """
        if _item_of(entry, names) in self._seen:
            what = f'"{names.item}"' if "item" not in entry else f'"{entry["item"]}" of "{names.item}"'
            reason = (
                f'{what} was scored before for "{entry["system"]}" in {entry["metric"]}: items need different names'
            )
            raise InputFault(reason, kind="duplicate")

    def add(self, entry: Entry, names: Names, record: object, number: int) -> None:
        """Add an entry of ``scores``; ``record`` is the id of its record or None, ``number`` its index in the input."""
        row, item = self.n, _item_of(entry, names)
        self.items.append(item)
        self.places.append((number, entry.get("item")))
        if item is not None:
            self._seen.add(item)
        self.clusters.append(names.cluster)
        self._marks.append(fingerprint([entry["signature"], entry["values"], names.cluster]))
        self.counts.update({name: entry[name] for name in COUNTS if entry.get(name) is not None})
        self.authors.update(entry.get("targets_by") or {})
        if record is not None:
            repeated = fingerprint([record, self._marks[-1]])
            self.counts["n_repeated"] += repeated in self._of_records
            self._of_records.add(repeated)
        if entry.get("n_empty"):
            self._empty.add(row)
        if entry.get("without_refused"):
            self._unrefused[row] = entry["without_refused"]
        lengths = {"n_items": entry["n_items"]} if "n_items" in entry else {}
        for name, value in {**entry["values"], **lengths}.items():
            column = self.columns.setdefault(name, Column())
            if value is None:
                column.nulls[entry["reasons"].get(name, "no reason given")] += 1
            else:
                column.rows.append(row)
                column.numbers.append(value)

    def nonzero_counts(self) -> dict[str, int]:
        """Nonzero counts, in the order of COUNTS."""
        return {name: self.counts[name] for name in COUNTS if self.counts[name]}

    def absence(self) -> dict[str, int]:
        """``n_absent`` for signatures, the only count that depends on other systems; empty if 0."""
        return {"n_absent": self.counts["n_absent"]} if self.counts["n_absent"] else {}

    def sort_column(self, column: Column) -> tuple[list[float], list[Name | None]]:
        """Values of a column with their clusters, in an order independent of the records."""
        pairs = [(self.clusters[row], number) for row, number in zip(column.rows, column.numbers, strict=True)]
        pairs.sort(key=lambda pair: (name_sort_key(pair[0]), pair[1]))
        return [number for _, number in pairs], [cluster for cluster, _ in pairs]

    def without_empty(self, column: Column) -> list[float] | None:
        """Values of a column except for entries without output of the system; None if there are none."""
        if not self._empty:
            return None
        return sorted(n for row, n in zip(column.rows, column.numbers, strict=True) if row not in self._empty)

    def without_refused(self) -> Group | None:
        """The group with the values that exclude refusals; None without refusals."""
        if not self._unrefused:
            return None
        columns = {name: self._without_refused(name, column) for name, column in self.columns.items()}
        return replace(self, columns=columns, _unrefused={})

    def _without_refused(self, name: str, column: Column) -> Column:
        numbers: dict[int, float | None] = dict(zip(column.rows, column.numbers, strict=True))
        numbers |= {row: values[name] for row, values in self._unrefused.items() if name in values}
        known = {row: number for row, number in sorted(numbers.items()) if number is not None}
        return Column(list(known), list(known.values()))

    def nulls(self, column: Column) -> dict[str, int]:
        """Counts of null values by reason, most frequent first; includes entries without the value."""
        absent = self.n - len(column.rows) - column.nulls.total()
        counts = column.nulls + Counter({NOT_SCORED: absent})
        return dict(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))

    def places_of(self, name: str) -> set[Place]:
        """Places where a value is defined; all places for corpus-level values."""
        column = self.columns.get(name)
        return set(self.places) if column is None else {self.places[row] for row in column.rows}

    def mark(self) -> str:
        """Fingerprint of all entries, independent of their order."""
        return fingerprint(sorted(self._marks))

    def by_item(self, name: str) -> dict[Item, float]:
        """Values of a measure by item."""
        column = self.columns.get(name, Column())
        return self.values_by_item(dict(zip(column.rows, column.numbers, strict=True)))

    def values_by_item(self, of_rows: Mapping[int, Of]) -> dict[Item, Of]:
        """Map items to row values, for rows with item names."""
        found = ((self.items[row], value) for row, value in of_rows.items())
        return {item: value for item, value in found if item is not None}

    def cluster_of(self) -> Iterator[tuple[Item, Name | None]]:
        """Items with their clusters."""
        for item, cluster in zip(self.items, self.clusters, strict=True):
            if item is not None:
                yield item, cluster


def find_uneven(runs: Mapping[Key, set[Place]]) -> dict[tuple[str, Name | None], str]:
    """Metrics and parts for which runs have values at different places, with counts.

    Args:
        runs: places of each run, by metric and part.
    """
    first: dict[tuple[str, Name | None], tuple[Key, set[Place]]] = {}
    uneven: dict[tuple[str, Name | None], str] = {}
    for key, places in runs.items():
        other, expected = first.setdefault((key.metric, key.by), (key, places))
        if places != expected:
            counts = f"{other.system} has {len(expected)}, {key.system} {len(places)}, both {len(places & expected)}"
            uneven.setdefault((key.metric, key.by), counts)
    return uneven


def part_of(entry: Entry) -> Name | None:
    """Part of the input of a result; None for the whole."""
    return next(iter(entry["by"].values())) if "by" in entry else None


def names_of(record: Record, keys: Keys, *, with_item: bool) -> Names:
    """Names of a record at the requested paths.

    Raises:
        InputFault: a name is missing.
    """
    paths = (keys.by, keys.cluster, keys.item if with_item else None)
    return Names(*(None if path is None else given_name(record, path) for path in paths))


def item_rank(item: Item) -> tuple:
    """Sort key of items."""
    return name_sort_key(item[0]), item[1] or ""


def _item_of(entry: Entry, names: Names) -> Item | None:
    return None if names.item is None else (names.item, entry.get("item"))
