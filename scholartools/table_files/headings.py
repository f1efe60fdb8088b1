"""What the headings of a table say: a path into a record for each column, and the type of the values there."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from scholartools.errors import InputFault, UsageFault
from scholartools.parameters import parameter
from scholartools.table_files.types import Part, kind_of, node_at, schema

# What no heading of a table has, but the first line of something else.
_NO_HEADING = re.compile(r"[{}\x00]|^\[")


class Column(NamedTuple):
    """A column: its heading, the path it is read to, and its kind (:data:`~scholartools.table_files.types.KINDS`)."""

    heading: str
    path: tuple[Part, ...]
    kind: str | None


class Columns(NamedTuple):
    """The columns of a table.

    Attributes:
        columns: in their order.
        constants: what else each record has, by path, where it has anything at the first part of the path.
        notes: what to tell of them.
    """

    columns: list[Column]
    constants: Mapping[tuple[Part, ...], Any]
    notes: list[str]


# A text that has a column of its own, and the path it is read to: what else the item there must have.
_DEEPEST = 32  # parts of a heading
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
    """What the headings of a table say.

    Args:
        headings: as they are in the file.
        where: the headings are, for messages.
        mapping: pairs of a new name and the heading that it is given to.
        is_rows: whether a row is no paper: headings are keys as they are, cells are texts.
        text_as: what a column "text" is in this command: "abstract", "section"; None: a key like any other.
        is_typed: whether the file has types of its own (Parquet), which columns outside the schema keep.

    Raises:
        InputFault: two columns have one heading, or the paths of two cannot both be there, or it is no heading line.
        UsageFault: the mapping names a heading that is not there.
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
    """The path that a heading names; a number is a place in a list where the schema has a list there.

    Raises:
        InputFault: it has so many parts that no record has such a key.
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
    """Where the text of a column belongs that has the name of a text and not of a key."""
    path = _REVIEW if name == "review" else _TEXTS.get(str(text_as)) if name == "text" else None
    if path is None or any(other.split(".")[0].removesuffix("[]") == path[0] for other in names):
        return None
    return path


def _near_misses(names: Sequence[str]) -> list[str]:
    """Columns whose headings are keys of a record but for the case of their letters: they are other keys."""
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
