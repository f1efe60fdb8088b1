"""The steps of a table into a record: from a list to each of its items, and what of these is in columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from scholartools.table_files.formats import Column
from scholartools.table_files.types import Node, kind_of, node_at, resolve, schema

Path = tuple[str, ...]


class Level(NamedTuple):
    """A step from an object to the objects or values in it, of each of which something is in columns.

    Attributes:
        to: dotted keys, then "[]" for each item of the list there, "{}" for each key of the object there, or
            "{a,b}" for those of these keys that are there; "" is the object itself.
        keep: the keys that have columns, each "key" or "key:heading"; empty: all but ``skip``.
        skip: keys, or dotted paths of them, without a column.
        rename: "key:heading" of keys of which all have columns.
        id: heading of an item's own ``id``.
        place: heading of its place in the list, from 1; empty: none.
        key: heading of the key, of a step by keys. value: heading of the value there, where that is no object.
        beside: headings of the values of the same key in objects beside it, with the names of these.
        counts: keys of lists of which the length is in a column "n_KEY".
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
        """The keys that lead to the list or object."""
        return tuple(key for key in self.to.partition("{")[0].removesuffix("[]").split(".") if key)

    @property
    def names(self) -> Path | None:
        """The keys that are looked at, of a step by some keys; None where it is by all, or by the items of a list."""
        inner = self.to.partition("{")[2].removesuffix("}")
        return tuple(inner.split(",")) if inner else None

    @property
    def is_list(self) -> bool:
        return self.to.endswith("[]")

    @property
    def is_by_key(self) -> bool:
        return self.to.endswith("}")


class Cell(NamedTuple):
    """How a column of a level is filled: from the item by its keys, or otherwise, by ``role``."""

    column: Column
    keys: Path
    role: str = "item"  # "item", "place", "key", "value", "beside", "count"


class Step(NamedTuple):
    """A level with its cells, the path of its list or object, and the keys of its items that the schema knows."""

    level: Level
    path: str
    cells: Sequence[Cell]
    known: frozenset[str]


def steps_of(levels: Sequence[Level]) -> list[Step]:
    """The levels of a table with their cells, as the schema of a record has them."""
    node, at, made = resolve(schema()), "", []
    for level in levels:
        around, inside, at_inside = node, _inner(node, level), _told(at, level)
        cells = list(_cells(level, around, inside, at, at_inside))
        made.append(Step(level, at_inside.removesuffix("[]"), cells, frozenset(_properties(inside))))
        node, at = inside, at_inside
    return made


def kind_out(node: Node) -> str:
    """The kind of a column of a node's values: as read, but JSON where they may be texts or lists or objects."""
    node = resolve(node)
    several = {kind_of(one) for one in node.get("anyOf", ()) if one.get("type") != "null"}
    return "json" if several & {"json", "texts"} else kind_of(node)


def _inner(node: Node, level: Level) -> Node:
    """The schema of an item of a level."""
    found = node_at(level.steps, node)
    if found is not None and level.is_list:
        found = node_at([0], found)
    elif found is not None and level.is_by_key:
        found = node_at([level.names[0] if level.names else "any key"], found)
    if found is None:
        raise ValueError(f"the schema of a record has no {level.to}")
    return found


def _told(at: str, level: Level) -> str:
    """The path of an item of a level, for readers."""
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
    """The headings of keys, each "key" or "key:heading"."""
    pairs = (name.partition(":") for name in names.split())
    return {key: heading or key for key, _, heading in pairs}


def _of_property(property_: Node, keys: Path, heading: str, at: str) -> Any:
    """The cell of a property; of an object whose keys are known, a cell for each."""
    node = resolve(property_)
    if _properties(node):
        for name, inner in _properties(node).items():
            yield from _of_property(inner, (*keys, name), f"{heading}.{name}", at)
        return
    path = ".".join([*([at] if at else []), *keys])
    yield Cell(Column(heading, kind_out(property_), path, str(property_.get("description", ""))), keys)
