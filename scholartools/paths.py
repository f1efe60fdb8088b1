"""Dotted paths into records (``scores.0.values.rouge1``), and conditions on the values there."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from scholartools.errors import InputFault, UsageFault
from scholartools.parameters import parameter
from scholartools.records import Record

if TYPE_CHECKING:
    from scholartools.records import Entry

ABSENT = object()
# Upper bounds on the values that a message lists, and on the characters of each.
_MOST_VALUES, _MOST_CHARACTERS = 6, 40
# Whole floats from here on may stand for several integers.
_MOST_EXACT = 2**53


Name = str | int


Conditions = Sequence[tuple[str, str]]


def lookup(record: Entry, path: str) -> Any:
    """Value at a dotted path (``scores.0.values.rouge1``); ABSENT if there is none.

    A key that itself contains the dots takes precedence.
    """
    if path in record:
        return record[path]
    here: Any = record
    for part in path.split("."):
        if isinstance(here, dict) and part in here:
            here = here[part]
        elif isinstance(here, list) and part.isascii() and part.isdigit() and int(part) < len(here):
            here = here[int(part)]
        else:
            return ABSENT
    return here


def name_at(record: Record, path: str, option: str | None = None) -> Name:
    """Return the string or integer at a path. A float with a whole value is that integer, as in JSON.

    Args:
        option: the parameter that selects another path, for the message.

    Raises:
        InputFault: there is no value, or one of another type.
    """
    name = lookup(record, path)
    if name is ABSENT or name is None:
        called = f"name another key with {parameter(option)}" if option else ""
        raise InputFault(nothing_at(record, path, called), kind="missing-key")
    if isinstance(name, float) and name.is_integer() and abs(name) < _MOST_EXACT:
        return int(name)
    if isinstance(name, bool) or not isinstance(name, (str, int)):
        raise InputFault(f'"{path}" is neither a string nor an integer', kind="invalid-key")
    return name


def nothing_at(record: Record, path: str, called: str = "") -> str:
    """Explain why there is no value at a path: it or a parent is null or empty, or the record lacks the key.

    Args:
        called: description of the path for the reader, such as the name of an option.
    """
    shown = f" ({called})" if called else ""
    steps = path.split(".")
    for place in range(1, len(steps) + 1):
        start = ".".join(steps[:place])
        found = lookup(record, start)
        if found is None or found in ({}, [], ""):
            return f'"{start}" is {"null" if found is None else "empty"}{shown}'
    return f'no "{path}"{shown}: {keys_of(record)}'


def keys_of(record: Record) -> str:
    """First keys of a record, for the message that a key is missing."""
    keys = [as_json(key) for key in record]
    return (
        f"the keys of the record are {', '.join(keys[:8])}{', ...' if len(keys) > 8 else ''}"
        if keys
        else "the record is empty"
    )


def parse_conditions(texts: Sequence[str]) -> Conditions:
    """Parse ``KEY=VALUE`` texts into pairs.

    Raises:
        UsageFault: one has no key or no ``=``.
    """
    pairs = [text.partition("=") for text in texts]
    for text, (key, equals, _) in zip(texts, pairs, strict=True):
        if not (key and equals):
            raise UsageFault(f'"{text}" is not a condition of the form KEY=VALUE, such as year=2024')
    return [(key, value) for key, _, value in pairs]


class MissingPaths:
    """Paths that no record has had so far, to report misspelled keys after the last record."""

    def __init__(self, paths: Sequence[str]) -> None:
        self._paths = list(dict.fromkeys(paths))
        self._last: Entry | None = None

    def strike_found(self, record: Entry) -> None:
        """Remove the paths that this record has; their values may be null."""
        if self._paths:
            self._last = record
            self._paths = [path for path in self._paths if lookup(record, path) is ABSENT]

    def check(self) -> None:
        """Raise if paths are left.

        Raises:
            UsageFault: no record had one of the paths.
        """
        if self._paths:
            keys = f": {keys_of(self._last)}" if isinstance(self._last, dict) else ""
            raise UsageFault(f"no record has {' or '.join(map(as_json, self._paths))}{keys}")


def matches_conditions(record: Entry, wanted: Conditions) -> bool:
    """Whether every path has its value; strings are compared as they are, other values as JSON (``true``, ``3``)."""
    found = ((lookup(record, path), value) for path, value in wanted)
    return all(at is not ABSENT and (at if isinstance(at, str) else as_json(at)) == value for at, value in found)


class Selection:
    """Records that match conditions; values of the others are collected for the message about an empty selection."""

    def __init__(self, wanted: Conditions) -> None:
        self._wanted = wanted
        self._found: dict[str, dict[str, None]] = {path: {} for path, _ in wanted}
        self._last: Entry | None = None

    def takes(self, record: Entry) -> bool:
        """Whether the record matches the conditions."""
        if matches_conditions(record, self._wanted):
            return True
        self.note(record)
        return False

    def note(self, record: Entry) -> None:
        """Collect the values of a record that does not match."""
        self._last = record
        for path, found in self._found.items():
            value = lookup(record, path)
            if value is not ABSENT and len(found) <= _MOST_VALUES:
                found[as_json(value)[:_MOST_CHARACTERS]] = None

    def describe_values(self) -> str:
        """Describe the records that did not match: their values at each path, or their keys if they lack the path."""
        shown = []
        for path, found in self._found.items():
            values = ", ".join([*found][:_MOST_VALUES]) + " ..." * (len(found) > _MOST_VALUES)
            shown.append(f'the values of "{path}" are {values}' if found else nothing_at(dict(self._last or {}), path))
        return "; ".join(shown)


def name_sort_key(name: Name | None) -> tuple[int, Any]:
    """Sort key for names: null, then integers, then strings by code point."""
    return (0, 0) if name is None else (2, name) if isinstance(name, str) else (1, name)


def as_json(value: Any) -> str:
    """JSON of a value, for messages: null, "null", 1 and "1" are distinguished."""
    return json.dumps(value, ensure_ascii=False)
