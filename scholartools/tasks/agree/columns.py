"""Tables of numbers collected from records in wide or long form, with the names of items, groups and clusters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from scholartools.errors import InputFault, UsageFault
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
    matches_conditions,
    name_sort_key,
    parse_conditions,
)
from scholartools.records import Record
from scholartools.signature import fingerprint
from scholartools.tasks.agree.results import parse_number
from scholartools.tasks.agree.run import SEEN
from scholartools.tasks.shared.blanks import (
    Blanks,
    given_name,
    tell_blank_names,
    tell_likely_missing,
    tell_written_alike,
)

#: Key of the raw score that st-judge rate writes; the sibling key "scale" holds its lowest and highest value.
_SCORE, _SCALE = "score", "scale"
# Keys that may distinguish several ratings of one item and method in long form.
_TELLING = ("aspect", "label", "by", "system", "run")


class Row(NamedTuple):
    """The values of one record, or in long form of all records of one item.

    Attributes:
        group: the system, for means by system.
        cluster: the unit of resampling, for intervals.
        numbers: one per column of the table; None if missing.
        each: the values that partition the table into parts.
        within: the group within which coefficients are computed.
        item: the item's name, if records are named.
        kept: values copied to item records.
    """

    group: Name | None
    cluster: Name | None
    numbers: list[float | None]
    each: tuple[Name, ...] = ()
    within: Name | None = None
    item: Name | None = None
    kept: tuple[Any, ...] = ()


@dataclass(frozen=True)
class RowKeys:
    """Keys or dotted paths of the fields of :class:`Row` in a record; None if a field is not used.

    Attributes:
        group: path of the system, for means by system.
        cluster: path of the unit of resampling, for intervals; None if records are independent.
        item: path of the item's name, unique for each combination of ``group`` and ``each``; None to ignore names, so
            that a duplicate record counts twice.
        each: paths of the values that partition the table into parts.
        within: path of the group within which coefficients are computed.
        kept: paths of values copied to item records; they may be absent.
        method: paths of the method's name, in long form; several values are joined by a space.
        beside: paths of further numbers of the method, in long form: the column of method M and path P is named "M P".
        conditions: paths of the form KEY=VALUE, whose number is 1 if the condition holds, else 0.
        has_seen: whether to include records whose item took part in a fit (``seen_in_fit``).
        missing: texts that code a missing number, in addition to :data:`~scholartools.tasks.shared.blanks.BLANKS`.
        keep_blank: whether texts of ``BLANKS`` are rejected as not numeric instead of taken as missing.
    """

    group: str | None = None
    cluster: str | None = None
    item: str | None = None
    each: tuple[str, ...] = ()
    within: str | None = None
    kept: tuple[str, ...] = ()
    method: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
    conditions: tuple[str, ...] = ()
    has_seen: bool = False
    missing: tuple[str, ...] = ()
    keep_blank: bool = False


class Table:
    """Rows of numbers with named columns, in an order that does not depend on that of the records.

    Attributes:
        paths: the names of the columns.
        keys: paths of the rows' names.
        each: the values that identify this part, by path.
        dropped: number of records left out, by the kind of their fault or "where" (conditions not met).
    """

    def __init__(self, paths: Sequence[str], keys: RowKeys, dropped: Counter[str], each: Record | None = None) -> None:
        self.paths, self.keys, self.dropped, self.each = list(dict.fromkeys(paths)), keys, dropped, each or {}
        self._blanks = Blanks(keys.missing, is_kept=keys.keep_blank)
        self._rows: list[Row] = []
        self._sorted = True

    def rows(self) -> list[Row]:
        """All rows, sorted by their values."""
        if not self._sorted:
            self._rows.sort(key=_row_rank)
            self._sorted = True
        return self._rows

    def column(self, path: str) -> list[float | None]:
        """The numbers at one path."""
        rows = self.rows()  # in long form this also sets ``self.paths``
        place = self.paths.index(path)
        return [row.numbers[place] for row in rows]

    def number(self, row: Row, path: str) -> float | None:
        """The number of a row of this table at one path."""
        return row.numbers[self.paths.index(path)]

    def clusters(self) -> list[Name | None] | None:
        """The cluster of each row; None if rows are independent."""
        return None if self.keys.cluster is None else [row.cluster for row in self.rows()]

    def over(self) -> str:
        """Name of the unit of resampling."""
        return self.keys.cluster or "record"

    def fingerprint(self) -> list[str]:
        """Fingerprint of the columns and rows, and the options for missing values that had an effect."""
        rows = [list(row) for row in self.rows()]
        return [fingerprint([self.paths, rows]), *self._blanks.marks()]

    def each_entry(self) -> Record:
        """Result entry of the values that identify this part."""
        return {"each": self.each} if self.each else {}

    def sign(self) -> Record:
        """Signature entries of this table."""
        return {"input": self.fingerprint(), "each": [f"{key}:{name}" for key, name in self.each.items()] or None}

    def parts(self) -> list[Table]:
        """One table per combination of the values at ``keys.each``; without ``keys.each``, this table alone."""
        if not self.keys.each:
            return [self]
        found: dict[tuple[Name, ...], list[Row]] = {}
        for row in self.rows():
            found.setdefault(row.each, []).append(row)
        return [
            self._part_of(values, found[values])
            for values in sorted(found, key=lambda names: [*map(name_sort_key, names)])
        ]

    def _part_of(self, values: tuple[Name, ...], rows: list[Row]) -> Table:
        part = Table(self.paths, self.keys, self.dropped, dict(zip(self.keys.each, values, strict=True)))
        part._rows, part._blanks = rows, self._blanks
        return part


class Columns(Table):
    """Collects the numbers at some paths of records, independent of the order of the records.

    Args:
        paths: paths of the numbers. A null or absent value is a missing number.
        keys: paths of the names.
        where: conditions; records that do not meet them are left out and counted.

    Attributes:
        n_taken: number of records accepted.
        unseen: the paths that no record has had so far.
    """

    def __init__(self, paths: Sequence[str], keys: RowKeys = RowKeys(), where: Conditions = ()) -> None:
        super().__init__(paths, keys, Counter())
        self.n_taken = 0
        self.unseen = MissingPaths([self._key_of(path) for path in (*self.paths, *keys.kept)])
        self.selection = Selection(where)
        self._names: set[tuple[Any, ...]] = set()
        self._scales: dict[tuple[Any, ...], Any] = {}

    def add(self, record: Record) -> None:
        """Add the numbers of one record.

        Raises:
            InputFault: a value is not a number, all paths are absent, a name is missing, the item is a duplicate, or
                the scale of a score differs from that of earlier records.
        """
        if not self.selection.takes(record):
            self.dropped["where"] += 1
            return
        try:
            if not self.keys.has_seen and _took_part_in_fit(record):
                self.dropped[SEEN] += 1
                return
            self.unseen.strike_found(record)
            self._blanks.begin()
            row = self._row_of(record)
            self._refuse_other_scales(record, row)
            self._take_row(record, row)
        except InputFault as fault:
            self.dropped[fault.kind] += 1
            raise
        self._blanks.commit()
        self._sorted = False
        self.n_taken += 1

    def notes(self) -> Iterator[str]:
        """Sentences about suspicious values, for the user."""
        yield from self._blanks.notes("numbers")
        rows = self._rows
        for path in self.paths:
            yield from tell_likely_missing(self.column(path), f"numbers of {path}")
        names: dict[str, list[Any]] = {
            "groups": [row.group for row in rows],
            "clusters": [row.cluster for row in rows],
            "parts": [name for row in rows for name in row.each],
            "groups of within": [row.within for row in rows],
            "items": [row.item for row in rows],
        }
        for what, found in names.items():
            yield from tell_blank_names(found, f"names of {what}")
            yield from tell_written_alike(found, f"names of {what}")

    def expand(self, paths: Sequence[str]) -> list[str]:
        """The columns of some paths; in wide form these are the paths themselves."""
        return list(paths)

    def check(self) -> None:
        """Check that every path occurs in some record.

        Raises:
            UsageFault: no record has one of the paths.
        """
        self.unseen.check()

    def _take_row(self, record: Record, row: Row) -> None:
        name = (row.group, row.each, row.item)
        if row.item is not None and name in self._names:
            raise InputFault(f'duplicate "{self.keys.item}" {as_json(row.item)}', kind="duplicate")
        self._names.add(name)
        self._rows.append(row)

    def _refuse_other_scales(self, record: Record, row: Row) -> None:
        """Raise an InputFault for a score whose scale differs from that of its column."""
        for path in (path for path in self.paths if path.rpartition(".")[2] == _SCORE):
            scale = lookup(record, path.removesuffix(_SCORE) + _SCALE)
            if not isinstance(scale, list) or lookup(record, path) in (ABSENT, None):
                continue
            before = self._scales.setdefault((path, row.each, self._method_of(record)), scale)
            if scale != before:
                now, then = (
                    " to ".join(f"{end:g}" for end in one if isinstance(end, (int, float))) for one in (scale, before)
                )
                reason = f'"{path}" is on {now} here and was on {then} before'
                raise InputFault(f'{reason}: take "normal", or records of one scale', kind="other-scale")

    def _method_of(self, record: Record) -> str:
        """The method of a record; "" in wide form."""
        return " ".join(str(given_name(record, path)) for path in self.keys.method)

    def _row_of(self, record: Record) -> Row:
        keys = self.keys
        names = [None if path is None else given_name(record, path) for path in (keys.group, keys.cluster)]
        each = tuple(given_name(record, path) for path in keys.each)
        within, item = (None if path is None else given_name(record, path) for path in (keys.within, keys.item))
        kept = tuple(None if (found := lookup(record, path)) is ABSENT else found for path in keys.kept)
        return Row(names[0], names[1], self._numbers_of(record), each, within, item, kept)

    def _numbers_of(self, record: Record) -> list[float | None]:
        found = [self._find(record, path) for path in self.paths]
        if all(value is ABSENT for value in found):
            raise InputFault(f"no {' or '.join(map(as_json, self.paths))}: {keys_of(record)}", kind="missing-key")
        return [_parse_number(value, path) for value, path in zip(found, self.paths, strict=True)]

    def _key_of(self, path: str) -> str:
        """The path of a number, without the value if it is a condition."""
        return path.partition("=")[0] if path in self.keys.conditions else path

    def _find(self, record: Record, path: str) -> Any:
        """The value at a path; for a condition 1 or 0, or None or ABSENT if its key has no value."""
        found = self._blanks.take(lookup(record, self._key_of(path)))
        if path not in self.keys.conditions or found in (ABSENT, None):
            return found
        return int(matches_conditions(record, parse_conditions([path])))


def _took_part_in_fit(record: Record) -> bool:
    """Whether a record's item took part in a fit.

    Raises:
        InputFault: the value is not a boolean, such as "true" or 1. Reading these as false would present scores of
            fitted items as scores on test data.
    """
    found = record.get("seen_in_fit")
    if found is None or isinstance(found, bool):
        return bool(found)
    raise InputFault(f'"seen_in_fit" is {as_json(found)}, neither true nor false', kind="invalid-key")


class LongColumns(Columns):
    """Columns from records in long form: each record holds the number of one method for one item, at the first path.

    There is one column per method, named after it, or "KEY=METHOD" if that name is taken. The other paths are columns
    of the item: their values, and the names, must be the same in all records of an item.

    Raises:
        UsageFault: ``keys.item`` is None.
    """

    def __init__(self, paths: Sequence[str], keys: RowKeys, where: Conditions = ()) -> None:
        if keys.item is None:
            raise UsageFault(f"{parameter('method')} needs {parameter('item')}, the key of a record's name")
        super().__init__([paths[0], *keys.beside, *paths[1:]], keys, where)
        # A path may occur in several roles, such as the tokens of a rating that are also requested as its cost.
        self._beside, self._item_paths = list(dict.fromkeys(keys.beside)), list(dict.fromkeys(paths[1:]))
        self._value, self._taken = self.paths[0], self.paths
        self._cells: dict[tuple[Any, ...], tuple[Row, dict[str, list[float | None]]]] = {}
        self._told: dict[tuple[Any, ...], Record] = {}
        self._mixed: str | None = None

    def rows(self) -> list[Row]:
        """One row per item: the numbers of the methods, followed by those of the item."""
        if not self._sorted:
            methods, n = self.methods(), 1 + len(self._beside)
            self._rows = [
                row._replace(
                    numbers=[*(values[m][k] if m in values else None for k in range(n) for m in methods), *row.numbers]
                )
                for row, values in self._cells.values()
            ]
            beside = [f"{method} {path}" for path in self._beside for method in methods]
            self.paths = [*methods, *beside, *self._item_paths]
        return super().rows()

    def check(self) -> None:
        """Check that no item has several numbers of one method, and that every path occurs in some record.

        Raises:
            UsageFault: a key such as the aspect distinguishes such records but is not named (using the first records
                would select an arbitrary subset), or no record has one of the paths.
        """
        if self._mixed:
            raise UsageFault(self._mixed)
        super().check()

    def methods(self) -> list[str]:
        """The methods, sorted by name."""
        return sorted({method for _, values in self._cells.values() for method in values})

    def expand(self, paths: Sequence[str]) -> list[str]:
        """The columns of some paths: the path of the methods' numbers is replaced by the methods."""
        self.rows()
        return [name for path in paths for name in (self.methods() if path == self._value else [path])]

    def _take_row(self, record: Record, row: Row) -> None:
        method = self._method_of(record)
        if method in self._item_paths:  # such as a baseline named "words" and a controlled column "words"
            method = f"{'+'.join(self.keys.method)}={method}"
        at = dict(zip(self._taken, row.numbers, strict=True))
        numbers = [at[path] for path in (self._value, *self._beside)]
        row = row._replace(numbers=[at[path] for path in self._item_paths])
        before, values = self._cells.setdefault((row.group, row.each, row.item), (row, {}))
        named = f'"{self.keys.item}" {as_json(row.item)}'
        own = {key: record.get(key) for key in _TELLING}
        told = self._told.setdefault((row.group, row.each, row.item, method), own)
        if method in values:
            differ = [key for key in _TELLING if own[key] != told[key]]
            if differ:
                self._mixed = self._mixed or f"{named} has several numbers of {method}: {_advise(differ, self.keys)}"
                return  # reported once by ``check``, after all records
            raise InputFault(f"duplicate {named} for {method}", kind="duplicate")
        if before != row:
            reason = f'has other values than in an earlier record of the item, apart from "{self._value}"'
            raise InputFault(f"{named} {reason}", kind="invalid-key")
        values[method] = numbers


def _advise(differ: Sequence[str], keys: RowKeys) -> str:
    """Message that suggests an option to distinguish records of one item and method."""
    key = differ[0]
    if key in ("by", "system", "run"):
        way = " ".join(parameter("method", one) for one in (*keys.method, key))
    else:
        way = parameter("each", key)
    return f'they differ in "{key}": {way} distinguishes them, {parameter("where", f"{key}=...")} takes one'


def make_columns(paths: Sequence[str], keys: RowKeys, where: Conditions = ()) -> Columns:
    """An empty :class:`LongColumns` if ``keys.method`` is given, else :class:`Columns`."""
    return LongColumns(paths, keys, where) if keys.method else Columns(paths, keys, where)


def _row_rank(row: Row) -> tuple[Any, ...]:
    numbers = [(number is not None, number or 0.0) for number in row.numbers]
    return (
        name_sort_key(row.group),
        name_sort_key(row.cluster),
        numbers,
        [*map(name_sort_key, row.each)],
        name_sort_key(row.within),
        name_sort_key(row.item),
    )


def short_names(paths: Sequence[str]) -> list[str]:
    """The last parts of paths, or the whole paths if the last parts are not unique."""
    names = [path.rpartition(".")[2] for path in paths]
    return names if len(set(names)) == len(names) else list(paths)


def _parse_number(value: Any, path: str) -> float | None:
    if value is ABSENT or value is None:
        return None
    if isinstance(value, (dict, list)):
        raise InputFault(f'"{path}" is not a number', kind="invalid-key")
    return parse_number(value)
