"""Results of st-score and st-agree as tables: their records are not papers and have no lists of items."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from scholartools.errors import InputFault, UsageFault
from scholartools.json_text import dumps
from scholartools.paths import ABSENT, MissingPaths, lookup
from scholartools.records import Record, name_of
from scholartools.table_files.formats import Column
from scholartools.tasks.summarize import tables as summaries
from scholartools.tasks.tabulate.descriptions import TABLES, Table

Row = list[Any]

_NAMES = ("x", "y", "item", "rater", "without", "method")
_TEXTS = ("stat", "measure", "level", "weights", "of", "between", "label")
_LISTS = ("each", "raters", "systems", "compare", "methods")
_COUNTS = ("n", "n_items", "n_raters", "n_ratings", "n_pairs", "n_missing")
_INTERVAL = ("low", "high", "confidence", "method", "reason")

#: Columns of results of st-agree; values that only some statistics have are in ``more``.
AGREE = [
    *(Column(name, "text", name) for name in _TEXTS),
    *(Column(name, "json", name) for name in _LISTS),
    *(Column(name, "text", name, "a name, or a path into records") for name in _NAMES),
    Column("value", "number", "value", "the statistic"),
    Column("chosen", "text", "value", "majority: the value that most raters gave an item"),
    *(Column(name, "number", f"interval.{name}", "of the interval") for name in _INTERVAL[:3]),
    *(Column(f"interval_{name}", "text", f"interval.{name}", "of the interval") for name in _INTERVAL[3:]),
    Column("p", "number", "p"),
    *(Column(name, "integer", name) for name in _COUNTS),
    Column("reason", "text", "reason", "why the value is empty"),
    Column("signature", "text", "signature"),
    Column("more", "json", "", "all other keys of the result"),
]


def _agree_rows(entry: Record) -> list[Row]:
    value, interval = entry.get("value"), entry.get("interval") or {}
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool) and "votes" not in entry
    told = (*_TEXTS, *_LISTS, *_NAMES, *_COUNTS, "p", "reason", "signature")
    rest = {key: inner for key, inner in entry.items() if key not in (*told, "value", "interval")}
    if more := {key: inner for key, inner in interval.items() if key not in _INTERVAL}:
        rest["interval"] = more
    if value is not None and not is_number and not _is_label(value):
        rest["value"] = value
    return [[
        *(_text_of(entry.get(name)) for name in _TEXTS),
        *(None if entry.get(name) is None else dumps(entry[name]).decode() for name in _LISTS),
        *(_text_of(entry.get(name)) for name in _NAMES),
        value if is_number else None, _text_of(value) if not is_number and _is_label(value) else None,
        *(interval.get(name) for name in _INTERVAL),
        entry.get("p"), *(entry.get(name) for name in _COUNTS), entry.get("reason"), entry.get("signature"),
        dumps(rest).decode() if rest else None,
    ]]  # fmt: skip


def _is_label(value: Any) -> bool:
    return isinstance(value, (str, int, float, bool))


def _text_of(value: Any) -> str | None:
    return value if value is None or isinstance(value, str) else dumps(value).decode()


class Results(NamedTuple):
    """A table of results.

    Attributes:
        name: name of the table.
        about: meaning of a row.
        key: key that identifies the kind of result; empty: any record.
        columns: columns of the table.
        make: function that makes the rows of a result.
        check: final check after all records.
    """

    name: str
    about: str
    key: str
    columns: Sequence[Column]
    make: Callable[[Record], list[Row]]
    check: Callable[[], None] = lambda: None

    def rows(self, entry: Record) -> list[Row] | None:
        """Rows of a record; None if it is not such a result.

        Raises:
            InputFault: it is an incomplete result.
        """
        if (self.key and self.key not in entry) or (self.key == "values" and {"compare", "runs"} & entry.keys()):
            return None
        try:
            return self.make(entry)
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            raise InputFault(f"no result that st-score or st-agree wrote: {error!r}", kind="invalid-key") from None


#: Columns of a call as listed by ``st-cache list``.
CALLS = [
    Column("key", "text", "key", "of the call; records name it in calls"),
    *(Column(name, "text", name) for name in ("model", "prompt", "time")),
    Column(
        "served",
        "boolean",
        "served",
        "whether runs use the reply; false: the reply was truncated, filtered, refused or empty",
    ),
    *(Column(name, "integer", name) for name in ("prompt_tokens", "completion_tokens")),
    Column("cost", "number", "cost", "USD; null: the price is not known"),
]


def _calls_rows(entry: Record) -> list[Row]:
    return [[entry.get(column.heading) for column in CALLS]]


def long_table(keys: Sequence[str]) -> Results:
    """The table of the values at keys or paths of records, converted from wide to long form."""
    if twice := next((key for place, key in enumerate(keys) if key in keys[:place]), None):
        raise UsageFault(f'"{twice}" is named twice', parameter="keys")
    missing = MissingPaths(keys)

    def make(record: Record) -> list[Row]:
        missing.strike_found(record)
        found = ((key, lookup(record, key)) for key in keys)
        return [[name_of(record, "id"), key, None if at is ABSENT else _text_of(at)] for key, at in found]

    columns = [
        Column("id", "text", "id", "of the record"),
        Column("key", "text", "", "one of the keys that were named"),
        Column("value", "text", "*", "the value of the record at this key, as text; empty: missing, or null"),
    ]
    return Results(
        "long", "a value of a record at one of some keys: wide form made long", "", columns, make, missing.check
    )


#: Tables of results by name.
RESULTS: Mapping[str, Results] = {
    table.name: table
    for table in (
        Results("summary", "a value of a summary by st-score", "values", summaries.SUMMARY, summaries.summary_rows),
        Results(
            "comparisons", "a value of a comparison by st-score", "compare", summaries.COMPARISONS,
            summaries.comparison_rows,
        ),
        Results("runs", "a value of a group of runs by st-score", "runs", summaries.RUNS, summaries.runs_rows),
        Results("agree", "a result of st-agree", "stat", AGREE, _agree_rows),
        Results("calls", "a reply of a model, as st-cache list shows it", "served", CALLS, _calls_rows),
        long_table(()),
    )
}  # fmt: skip

#: All tables by name.
ALL: Mapping[str, Table | Results] = {**TABLES, **RESULTS}
