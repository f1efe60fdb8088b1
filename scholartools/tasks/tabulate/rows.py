"""Make the rows of a table, record by record, with notes on missing data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from scholartools.errors import InputFault, UsageFault
from scholartools.json_text import dumps
from scholartools.paths import Conditions, Selection, as_json
from scholartools.records import Record, name_of
from scholartools.table_files.formats import Column, Estimate, Undefined
from scholartools.table_files.text_out import text_of
from scholartools.tasks.tabulate import both_sides, utf16
from scholartools.tasks.tabulate.answers import ANSWERS, Answer
from scholartools.tasks.tabulate.descriptions import Table
from scholartools.tasks.tabulate.levels import Cell, Step, steps_of
from scholartools.tasks.tabulate.results import Results
from scholartools.wording import count_of

Row = list[Any]

_FITS: Mapping[str, Any] = {
    "text": lambda value: isinstance(value, str),
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "number": lambda value: isinstance(value, (int, float)) and not isinstance(value, bool),
    "boolean": lambda value: isinstance(value, bool),
    "texts": lambda value: isinstance(value, list) and all(one is None or isinstance(one, str) for one in value),
}
_NAMES = {
    "text": "a text", "integer": "a whole number", "number": "a number", "boolean": "true or false",
    "texts": "a list of texts",
}  # fmt: skip


class Rows:
    """Makes the rows of one table, and counts missing data.

    Attributes:
        columns: in the order of the cells of a row.
    """

    def __init__(
        self,
        table: Table | Results,
        chosen: Sequence[str] = (),
        where: Conditions = (),
        *,
        with_utf16: bool = False,
        with_intervals: bool = False,
        with_reasons: bool = False,
    ) -> None:
        """Select columns and rows.

        Args:
            table: the table.
            chosen: headings of the selected columns, in order; empty: all.
            where: conditions on rows, as headings and values in the notation of CSV or JSON.
            with_utf16: whether to add offsets in UTF-16 units.
            with_intervals: whether to combine the main value with its interval in an :class:`Estimate`.
            with_reasons: whether null main values become :class:`Undefined`, unless the reason has a column.

        Raises:
            UsageFault: a column is unknown or duplicate, or the table has no intervals.
        """
        self.table = table
        self.answer = ANSWERS.get(table.name)
        self._with_intervals, self._without = with_intervals, 0
        of_papers = [] if isinstance(table, Results) else table.sources
        self._sources = [(source, steps_of(source.levels)) for source in of_papers]
        self._all = list(table.columns if isinstance(table, Results) else _columns(self._sources))
        self._utf16 = utf16.Offsets(self._all) if with_utf16 else None
        if self._utf16 is not None:
            self._all = self._utf16.columns
        self._places = {column.heading: place for place, column in enumerate(self._all)}
        if wrong := [one for one in chosen if one not in self._places or chosen.count(one) > 1]:
            reason = "is named twice" if wrong[0] in self._places else f"is no column of {table.name}"
            raise UsageFault(f'"{wrong[0]}" {reason}: st-table columns {table.name}', parameter="columns")
        if unknown := [heading for heading, _ in where if heading not in self._places]:
            reason = f'"{unknown[0]}" is no column of {table.name}: st-table columns {table.name} shows all columns'
            raise UsageFault(reason, parameter="where")
        self._where, self._tried, self._left, self._like_null = where, 0, 0, 0
        self._selection, self._has_values = Selection(where), False
        if with_intervals:
            chosen = self._headings_with_intervals(chosen)
        self._chosen = [self._places[one] for one in chosen] or list(range(len(self._all)))
        self.columns = [self._all[place] for place in self._chosen]
        shown = {column.heading for column in self.columns}
        self._with_reasons = with_reasons and self.answer is not None and self.answer.reason not in shown
        self._records = self._lists = self._absent = self._with_errors = 0
        self._nulls: Counter[str] = Counter()
        self._unknown: Counter[str] = Counter()
        self._textless = 0

    def of(self, record: Record) -> list[Row]:
        """Rows of a record; null and missing values are None, values of kind "json" are texts.

        Raises:
            InputFault: a list, item or value has the wrong type.
        """
        if isinstance(self.table, Results):
            made = self.table.rows(record)
            self._records += 1
            self._lists += made is not None
            for cells in made or ():
                for cell, column in zip(cells, self._all, strict=True):
                    _checked(cell, column._replace(kind="text") if column.kind == "json" else column, self.table.name)
            return self._select(made or [])
        found: list[Row] = []
        lists, textless, nulls, unknown = 0, 0, Counter[str](), Counter[str]()
        for source, steps in self._sources:
            walk = _Walk(self._places, nulls, unknown, record if source.has_texts else None)
            row: Row = [None] * len(self._all)
            row[0] = name_of(record, "id")
            for heading, value in source.constants.items():
                row[self._places[heading]] = value
            found += walk.rows(record, steps, row, "")
            lists += walk.lists
            textless += walk.textless
        self._records += 1
        self._lists += lists > 0
        self._absent += not lists and not nulls
        self._with_errors += bool(record.get("errors"))
        self._textless += textless
        self._nulls.update(nulls)
        self._unknown.update(unknown)
        if self._utf16 is not None:
            self._utf16.fill(record, found)
        return self._select(found)

    def _select(self, rows: list[Row]) -> list[Row]:
        """Filter rows and select columns."""
        self._tried += len(rows)
        tried = rows
        for heading, value in self._where:
            place = self._places[heading]
            rows = [row for row in rows if _has(row[place], value)]
            self._like_null += sum(value == "null" and row[place] == "null" for row in rows)
        self._left += len(rows)
        if not self._left:
            for row in tried:
                self._selection.note({heading: row[self._places[heading]] for heading, _ in self._where})
        if self.answer is not None and (self._with_intervals or self._with_reasons):
            rows = [self._explained(row, self.answer) for row in rows]
        made = rows if self.columns == self._all else [[row[place] for place in self._chosen] for row in rows]
        if not self._has_values:
            beside_id = [place for place, column in enumerate(self.columns) if column.heading != "id"]
            self._has_values = any(row[place] is not None for row in made for place in beside_id or (0,))
        return made

    def _explained(self, row: Row, answer: Answer) -> Row:
        """Attach the interval or the reason to the main value of a row."""
        made, at = list(row), self._places
        value, reason = row[at[answer.value]], row[at[answer.reason]]
        if value is None and self._with_reasons and reason:
            made[at[answer.value]] = Undefined(reason)
        if value is not None and self._with_intervals:
            ends = [row[at[end]] for end in (answer.low, answer.high)]
            self._without += None in ends
            made[at[answer.value]] = Estimate(value, *ends)
        return made

    def _headings_with_intervals(self, chosen: Sequence[str]) -> list[str]:
        """Selected headings; by default all but the bounds of the interval."""
        if self.answer is None or not self.answer.low:
            raise UsageFault(f"{self.table.name} has no intervals", parameter="interval")
        if chosen and self.answer.value not in chosen:
            raise UsageFault(f'it belongs to "{self.answer.value}", which is not written', parameter="interval")
        return list(chosen) or [one for one in self._places if one not in (self.answer.low, self.answer.high)]

    def check(self) -> None:
        """Final check after all records.

        Raises:
            UsageFault: a key of the long form occurs in no record.
        """
        if isinstance(self.table, Results):
            self.table.check()

    def notes(self) -> Iterator[str]:
        """Notes for the user after all records."""
        if self._like_null:
            yield f"{count_of(self._like_null, 'cell')} of these rows not null but the text null"
        if self._without:
            yield f"{count_of(self._without, 'value')} without an interval"
        if isinstance(self.table, Results):
            if self._records > self._lists:
                yield f"of {count_of(self._records, 'record')} {self._lists} are results for this table"
            return
        paths = " or ".join(dict.fromkeys(source.levels[0].to.removesuffix("[]") for source in self.table.sources))
        if self._records and not self._lists:
            yield f"no rows: none of {count_of(self._records, 'record')} has {paths}"
        elif self._absent and self.table.name != "errors":
            yield f"{self._absent} of {count_of(self._records, 'record')} without {paths}"
        if self._tried and not self._left:
            wanted = ", ".join(f"{heading}={value}" for heading, value in self._where)
            there = self._selection.describe_values()
            yield f"no rows: none of {count_of(self._tried, 'row')} has {wanted}: {there}"
        if self._left and not self._has_values:
            yield f"no values: all cells of {count_of(self._left, 'row')} are empty, except for ids"
        for path, count in self._nulls.items():
            are = "is null and has" if count == 1 else "are null and have"
            yield f"{count_of(count, 'list')} {path} {are} no rows"
        if self._textless:
            yield f"{self._textless} {both_sides.NOTE}"
        if self._utf16 is not None and self._utf16.n_without:
            yield f"{self._utf16.n_without} offsets have none in UTF-16: their texts are not in the records"
        if self._unknown:
            names = ", ".join(f"{name} ({count})" for name, count in sorted(self._unknown.items()))
            yield f"keys without a column, with how often: {names}"
        if self._with_errors and self.table.name != "errors":
            records = count_of(self._records, "record")
            yield f"of {records} {self._with_errors} failed earlier, wholly or in part: st-table errors says why"


class _Walk:
    """Iteration over one record for one source.

    Attributes:
        lists: number of lists (or objects) found for the first step; null and missing ones do not count.
        textless: number of pairs for which a text is missing.
    """

    def __init__(
        self, places: Mapping[str, int], nulls: Counter[str], unknown: Counter[str], with_texts: Record | None
    ) -> None:
        """``with_texts``: the record, if rows are pairs of items to which texts are added."""
        self._places, self._nulls, self._unknown, self._record = places, nulls, unknown, with_texts
        self._entry: Any = None  # the entry of the cached texts
        self._texts: Callable[[Record], Sequence[str | None]] = lambda _: (None, None)
        self.lists = self.textless = 0

    def rows(self, node: Any, steps: Sequence[Step], row: Row, where: str) -> Iterator[Row]:
        """Rows of the values in a node."""
        step, rest = steps[0], steps[1:]
        for place, key, item, told in self._items(node, step, where):
            mine = list(row)
            for cell in step.cells:
                value = _value(cell, place, key, item, node)
                if value is not None:
                    mine[self._places[cell.column.heading]] = _checked(value, cell.column, told)
            if not rest:
                yield self._ended(mine, step, item, node)
            elif item is not None:
                yield from self.rows(item, rest, mine, told)

    def _ended(self, row: Row, step: Step, item: Any, around: Any) -> Row:
        """Complete a row with data from outside its item."""
        if isinstance(item, dict):
            self._unknown.update(name for name in item if step.known and name not in step.known)
        if self._record is not None:
            if self._entry is not around:
                self._entry, self._texts = around, both_sides.texts_of(self._record, around)
            texts = self._texts(item)
            self.textless += None in texts
            for column, text in zip(both_sides.COLUMNS, texts, strict=True):
                row[self._places[column.heading]] = text
        return row

    def _items(self, node: Any, step: Step, where: str) -> Iterator[tuple[int, str, Any, str]]:
        """Items with position, key and path."""
        level = step.level
        for name in level.steps:
            where = f"{where}.{name}" if where else name
            if node is not None and not isinstance(node, dict):
                raise InputFault(f'"{where.rpartition(".")[0]}" is not an object', kind="invalid-key")
            if node is not None and name in node and node[name] is None and level.is_list and name == level.steps[-1]:
                self._nulls[step.path] += 1
            node = None if node is None else node.get(name)
        if node is None:
            return
        self.lists += 1
        if level.is_list:
            yield from self._of_list(node, where)
        elif level.is_by_key:
            yield from self._of_object(node, step, where)
        else:
            yield 1, "", node, where

    def _of_list(self, node: Any, where: str) -> Iterator[tuple[int, str, Any, str]]:
        if not isinstance(node, list):
            raise InputFault(f'"{where}" is not a list', kind="invalid-key")
        for place, item in enumerate(node, 1):
            told = f"{where}.{place - 1}"
            if not isinstance(item, dict):
                raise InputFault(f'"{told}" is not an object', kind="invalid-key")
            yield place, "", item, told

    def _of_object(self, node: Any, step: Step, where: str) -> Iterator[tuple[int, str, Any, str]]:
        if not isinstance(node, dict):
            raise InputFault(f'"{where}" is not an object', kind="invalid-key")
        for key in node if step.level.names is None else (name for name in step.level.names if name in node):
            told = f"{where}.{key}" if where else key
            if node[key] is not None and not step.level.value and not isinstance(node[key], dict):
                raise InputFault(f'"{told}" is not an object', kind="invalid-key")
            yield 1, key, node[key], told


def _columns(sources: Sequence[Any]) -> Iterator[Column]:
    """Columns of all sources, without duplicate headings."""
    found = {"id": Column("id", "text", "id", "of the paper's record")}
    for source, steps in sources:
        made = [Column(heading, "text", "", _either(sources, heading)) for heading in source.constants]
        made += [cell.column for step in steps for cell in step.cells]
        made += both_sides.COLUMNS if source.has_texts else ()
        if len({column.heading for column in made} | {"id"}) <= len(made):
            raise ValueError(f"two columns have the same heading: {', '.join(column.heading for column in made)}")
        for column in made:
            other = found.get(column.heading, column)
            if other.kind != column.kind:
                raise ValueError(f'the column "{column.heading}" is of two kinds')
            found[column.heading] = other._replace(path=_common_path(other.path, column.path))
    yield from found.values()


def _common_path(first: str, second: str) -> str:
    """Merge two paths of equal length, with a star for differing keys."""
    pairs = list(zip(first.split("."), second.split("."), strict=False))
    return ".".join(one if one == other else "*[]" if one.endswith("[]") else "*" for one, other in pairs)


def _either(sources: Sequence[Any], heading: str) -> str:
    return " or ".join(f'"{source.constants[heading]}"' for source, _ in sources)


def _value(cell: Cell, place: int, key: str, item: Any, around: Any) -> Any:
    if cell.role == "item" and len(cell.keys) == 1 and isinstance(item, dict):
        return item.get(cell.keys[0])
    if cell.role == "place":
        return place
    if cell.role == "key":
        return key
    if cell.role == "value":
        return item
    here = item
    if cell.role == "beside":
        here = around.get(cell.keys[0])
        return here.get(key) if isinstance(here, dict) else None
    if cell.role == "count" and item.get(cell.keys[0]) is not None:
        return _length(item, cell.keys[0])
    for name in cell.keys:
        if here is not None and not isinstance(here, dict):
            raise InputFault(
                f'"{cell.column.path}": the value in which "{name}" is looked up is not an object', kind="invalid-key"
            )
        here = None if here is None else here.get(name)
    return here


def _checked(value: Any, column: Column, where: str) -> Any:
    """Check a value; JSON is serialised, so that text that looks like a list stays distinct from a list."""
    if column.kind == "json":
        return dumps(value).decode()
    if value is None or _FITS[column.kind](value):
        return value
    told = f'"{where}": ' if where else ""
    raise InputFault(f"{told}{column.heading} is not {_NAMES[column.kind]}", kind="invalid-key")


def _has(cell: Any, value: str) -> bool:
    """Whether a cell equals a value in the notation of CSV or JSON; texts are compared verbatim."""
    if cell is None or isinstance(cell, str):
        return value == ("null" if cell is None else cell)
    return value in (text_of(cell), as_json(cell))


def _length(item: Record, key: str) -> int:
    if not isinstance(item[key], list):
        raise InputFault(f'"{key}" is not a list', kind="invalid-key")
    return len(item[key])
