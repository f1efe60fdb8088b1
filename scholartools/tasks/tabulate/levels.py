"""The path of a table into a record: levels from a list to its items, and their columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from scholartools.table_files.formats import Column
from scholartools.table_files.types import Node, kind_of, node_at, resolve, schema

Path = tuple[str, ...]


class Level(NamedTuple):
    """A step from an object to the objects or values in it that provide columns.

    Attributes:
        to: dotted keys, then "[]" for each item of the list, "{}" for each key of the object, or "{a,b}" for those of
            these keys that exist; "" is the object itself.
        keep: keys with columns, each "key" or "key:heading"; empty: all but ``skip``.
        skip: keys, or dotted paths, without a column.
        rename: "key:heading" pairs, if all keys have columns.
        id: heading of the item's ``id``.
        place: heading of the position in the list, from 1; empty: no column.
        key: heading of the key, for steps by key. value: heading of the value, if it is not an object.
        beside: headings of values that sibling objects have under the same key, with the names of these objects.
        counts: keys of lists whose length has a column "n_KEY".
    """

    to: str
    keep: str = ""
    skip: str = ""
    rename: str = ""
    id: str = ""
    place: str = ""
    key: str = ""
    value: str = ""
    beside: Mapping[str, str] = {}
    counts: str = ""

    @property
    def steps(self) -> Path:
        """Keys that lead to the list or object."""
        return tuple(key for key in self.to.partition("{")[0].removesuffix("[]").split(".") if key)

    @property
    def names(self) -> Path | None:
        """Keys of a step by specific keys; None for a step by all keys or by list items."""
        inner = self.to.partition("{")[2].removesuffix("}")
        return tuple(inner.split(",")) if inner else None

    @property
    def is_list(self) -> bool:
        return self.to.endswith("[]")

    @property
    def is_by_key(self) -> bool:
        return self.to.endswith("}")


class Cell(NamedTuple):
    """A column of a level, filled from the item by keys, or by ``role``."""

    column: Column
    keys: Path
    role: str = "item"  # "item", "place", "key", "value", "beside", "count"


class Step(NamedTuple):
    """A level with its cells, the path of its list or object, and the keys of its items in the schema."""

    level: Level
    path: str
    cells: Sequence[Cell]
    known: frozenset[str]


def steps_of(levels: Sequence[Level]) -> list[Step]:
    """Resolve the levels of a table against the schema of records."""
    node, at, made = resolve(schema()), "", []
    for level in levels:
        around, inside, at_inside = node, _inner(node, level), _told(at, level)
        cells = list(_cells(level, around, inside, at, at_inside))
        made.append(Step(level, at_inside.removesuffix("[]"), cells, frozenset(_properties(inside))))
        node, at = inside, at_inside
    return made


def kind_out(node: Node) -> str:
    """Kind of the column for a node's values; JSON if they may be texts, lists or objects."""
    node = resolve(node)
    several = {kind_of(one) for one in node.get("anyOf", ()) if one.get("type") != "null"}
    return "json" if several & {"json", "texts"} else kind_of(node)


def _inner(node: Node, level: Level) -> Node:
    """Schema of the items of a level."""
    found = node_at(level.steps, node)
    if found is not None and level.is_list:
        found = node_at([0], found)
    elif found is not None and level.is_by_key:
        found = node_at([level.names[0] if level.names else "any key"], found)
    if found is None:
        raise ValueError(f"the schema of a record has no {level.to}")
    return found


def _told(at: str, level: Level) -> str:
    """Path of the items of a level, for messages."""
    end = ".*" if level.is_by_key else "[]" if level.is_list else ""
    return ".".join([*([at] if at else []), *level.steps]) + end


def _properties(node: Node) -> Mapping[str, Node]:
    found: Mapping[str, Node] = node.get("properties", {})
    return found


def _cells(level: Level, around: Node, inside: Node, at: str, at_inside: str) -> Any:
    if level.place:
        yield Cell(Column(level.place, "integer", at_inside, "place in the list, from 1"), (), "place")
    if level.key:
        yield Cell(Column(level.key, "text", at_inside, "the key"), (), "key")
    if level.value:
        yield Cell(Column(level.value, kind_out(inside), at_inside), (), "value")
    kept = _headings(level.keep) or {
        name: name for name in _properties(inside) if name not in (level.skip + " " + level.counts).split()
    }
    kept |= _headings(level.rename)
    if level.id:
        kept = {"id": level.id} | {name: heading for name, heading in kept.items() if name != "id"}
    for name, heading in kept.items():
        cells = _of_property(_properties(inside)[name], (name,), heading, at_inside)
        yield from (cell for cell in cells if ".".join(cell.keys) not in level.skip.split())
    for name in level.counts.split():
        path = ".".join([*([at_inside] if at_inside else []), name])
        yield Cell(
            Column(f"n_{name}", "integer", path, f"number of entries in {name}; empty: no list"), (name,), "count"
        )
    for heading, name in level.beside.items():
        node = node_at([name, "any key"], around)
        yield Cell(Column(heading, kind_out(node or {}), f"{at}.{name}.*" if at else f"{name}.*"), (name,), "beside")


def _headings(names: str) -> dict[str, str]:
    """Headings by key, from "key" or "key:heading"."""
    pairs = (name.partition(":") for name in names.split())
    return {key: heading or key for key, _, heading in pairs}


def _of_property(property_: Node, keys: Path, heading: str, at: str) -> Any:
    """The cells of a property; objects with known keys are expanded."""
    node = resolve(property_)
    if _properties(node):
        for name, inner in _properties(node).items():
            yield from _of_property(inner, (*keys, name), f"{heading}.{name}", at)
        return
    path = ".".join([*([at] if at else []), *keys])
    yield Cell(Column(heading, kind_out(property_), path, str(property_.get("description", ""))), keys)
