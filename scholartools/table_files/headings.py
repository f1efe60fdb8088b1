"""Parse the headings of a table: for each column a path into a record, and the type of its values."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from scholartools.errors import InputFault, UsageFault
from scholartools.parameters import parameter
from scholartools.table_files.types import Part, kind_of, node_at, schema

# Characters that occur in no heading of a table, but in first lines of other formats.
_NO_HEADING = re.compile(r"[{}\x00]|^\[")


class Column(NamedTuple):
    """A column: heading, path into the record, and kind (:data:`~scholartools.table_files.types.KINDS`)."""

    heading: str
    path: tuple[Part, ...]
    kind: str | None


class Columns(NamedTuple):
    """The columns of a table.

    Attributes:
        columns: columns in order.
        constants: additional values of each record, by path, added if the record has a value at the first part of the
            path.
        notes: messages about the columns.
    """

    columns: list[Column]
    constants: Mapping[tuple[Part, ...], Any]
    notes: list[str]


# Paths of texts with a column of their own, and the other keys that the item there requires.
_DEEPEST = 32  # maximum number of parts of a heading
_REVIEW: tuple[Part, ...] = ("reviews", 0, "text")
_SECTION: tuple[Part, ...] = ("sections", 0, "text")
_BESIDE: Mapping[tuple[Part, ...], Mapping[str, Any]] = {
    _REVIEW: {"id": "r1"},
    _SECTION: {"id": "s1", "heading": "", "level": 1, "role": "other"},
}
_TEXTS: Mapping[str, tuple[Part, ...]] = {"abstract": ("abstract",), "section": _SECTION}


def columns_of(
    headings: Sequence[str],
    where: str,
    *,
    mapping: Sequence[tuple[str, str]] = (),
    is_rows: bool = False,
    text_as: str | None = None,
    is_typed: bool = False,
) -> Columns:
    """Parse the headings of a table.

    Args:
        headings: headings as in the file.
        where: position of the headings, for messages.
        mapping: pairs of a new name and the heading that it replaces.
        is_rows: whether rows are not papers: headings are plain keys, and cells are texts.
        text_as: meaning of a column "text" in this command: "abstract", "section"; None: a key like any other.
        is_typed: whether the file has its own types (Parquet), which columns outside the schema keep.

    Raises:
        InputFault: duplicate headings, conflicting paths, or a line that is not a line of headings.
        UsageFault: the mapping names a missing heading.
    """
    names, notes = _names(headings, where), []
    names = _renamed(names, mapping, where)
    columns: list[Column] = []
    constants: dict[tuple[Part, ...], Any] = {}
    for name in names:
        path = _path_of(name, where, is_rows=is_rows)
        if not is_rows and (moved := _moved(name, names, text_as)):
            path = moved
            told = ".".join(map(str, moved))
            notes.append(f'the column "{name}" is read as {told}')
            constants |= {(*moved[:-1], key): value for key, value in _BESIDE.get(moved, {}).items()}
        columns.append(Column(name, path, _kind(name, path, is_rows=is_rows, is_typed=is_typed)))
    if not is_rows:
        notes += _near_misses(names)
    _refuse_overlaps(columns, where)
    return Columns(columns, constants, notes)


def _names(headings: Sequence[str], where: str) -> list[str]:
    names = [heading.strip() or f"column {number}" for number, heading in enumerate(headings, 1)]
    if odd := next((name for name in names if _NO_HEADING.search(name)), None):
        hint = f": JSON lines are no table; leave out {parameter('input_format')}" if odd.startswith("{") else ""
        raise InputFault(f'{where}: "{odd[:40]}" cannot be the heading of a column{hint}', kind="not-a-table")
    if twice := [name for name, count in Counter(names).items() if count > 1]:
        raise InputFault(f'{where}: two columns are "{twice[0]}": rename or delete one', kind="not-a-table")
    return names


def _renamed(names: Sequence[str], mapping: Sequence[tuple[str, str]], where: str) -> list[str]:
    new_names = {old: new for new, old in mapping}
    if missing := [old for old in new_names if old not in names]:
        raise UsageFault(f'no column "{missing[0]}" at {where}: it has {", ".join(names)}', parameter="map")
    renamed = [new_names.get(name, name) for name in names]
    if twice := [name for name, count in Counter(renamed).items() if count > 1]:
        raise UsageFault(f'two columns at {where} would be "{twice[0]}"', parameter="map")
    return renamed


def _path_of(name: str, where: str, *, is_rows: bool) -> tuple[Part, ...]:
    """Path named by a heading; a number is an index if the schema has a list there.

    Raises:
        InputFault: the heading has too many parts.
    """
    bare = name.removesuffix("[]")
    parts = bare.split(".")
    if is_rows or any(not part or part != part.strip() for part in parts):
        return (bare,)
    if len(parts) > _DEEPEST:
        reason = f'"{name[:40]}" cannot be the heading of a column: of {len(parts):,} parts {_DEEPEST} at most are read'
        raise InputFault(f"{where}: {reason}", kind="not-a-table")
    path: list[Part] = []
    for part in parts:
        node = node_at(path) if path else schema()
        is_place = node is not None and node.get("type") == "array" and re.fullmatch(r"0|[1-9][0-9]{0,5}", part)
        path.append(int(part) if is_place else part)
    return tuple(path)


def _kind(name: str, path: tuple[Part, ...], *, is_rows: bool, is_typed: bool) -> str | None:
    if name.endswith("[]"):
        return "texts"
    node = None if is_rows else node_at(path)
    if node is None:
        return None if is_typed else "text"
    return kind_of(node)


def _moved(name: str, names: Sequence[str], text_as: str | None) -> tuple[Part, ...] | None:
    """Path of a column whose heading names a text rather than a key."""
    path = _REVIEW if name == "review" else _TEXTS.get(str(text_as)) if name == "text" else None
    if path is None or any(other.split(".")[0].removesuffix("[]") == path[0] for other in names):
        return None
    return path


def _near_misses(names: Sequence[str]) -> list[str]:
    """Messages about headings that equal a key of a record except for case, and are therefore different keys."""
    keys = {*schema()["properties"], "text", "review", "positive", "alternative"}
    return [
        f'the column "{name}" is not read as "{name.lower()}": {parameter("map", f"{name.lower()}={name}")} renames it'
        for name in names
        if name not in keys and name.lower() in keys and name.lower() not in names
    ]


def _refuse_overlaps(columns: Sequence[Column], where: str) -> None:
    paths = {column.path: column.heading for column in columns}
    if len(paths) < len(columns):
        raise InputFault(f"{where}: two columns have the same key", kind="not-a-table")
    for column in columns:
        for length in range(1, len(column.path)):
            if (other := paths.get(column.path[:length])) is not None:
                raise InputFault(f'{where}: "{column.heading}" stands within "{other}"', kind="not-a-table")
