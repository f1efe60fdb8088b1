"""Types of a record's keys, from the published JSON Schema, without importing pydantic."""

from __future__ import annotations

import functools
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

Node = dict[str, Any]
Part = str | int

#: Kinds of cells: one JSON value, a list of texts ("texts"), or any JSON.
KINDS = ("text", "integer", "number", "boolean", "texts", "json")
_SIMPLE = {"string": "text", "integer": "integer", "number": "number", "boolean": "boolean"}


@functools.cache
def schema() -> Node:
    """JSON Schema of a record."""
    path = Path(__file__).parent.parent / "schemas" / "paper.json"
    found: Node = json.loads(path.read_text(encoding="utf-8"))
    return found


def resolve(node: Node) -> Node:
    """Node of the schema with references resolved and null removed."""
    while True:
        if "$ref" in node:
            node = schema()["$defs"][node["$ref"].rpartition("/")[2]]
            continue
        several = [one for one in node.get("anyOf", ()) if one.get("type") != "null"]
        if len(several) != 1:
            return node
        node = several[0]


def node_at(parts: Sequence[Part], start: Node | None = None) -> Node | None:
    """Schema of the value at a path into a record; None if the schema does not define it."""
    node = resolve(schema() if start is None else start)
    for part in parts:
        if isinstance(part, int):
            inner = node.get("items")
        else:
            more = node.get("additionalProperties")
            inner = node.get("properties", {}).get(part, more if isinstance(more, dict) else None)
        if inner is None:
            return None
        node = resolve(inner)
    return node


def keys_at(parts: Sequence[Part]) -> tuple[str, ...]:
    """Keys of the object at a path into a record, in the order of the schema."""
    return tuple((node_at(parts) or {}).get("properties", ()))


def kind_of(node: Node) -> str:
    """The one of :data:`KINDS` for the values of a node; text if they may be texts or something else."""
    node = resolve(node)
    if "anyOf" in node:
        kinds = {kind_of(one) for one in node["anyOf"] if one.get("type") != "null"}
        return "text" if "text" in kinds else "number" if kinds == {"integer", "number"} else "json"
    if "enum" in node or "const" in node:
        return "text"
    if node.get("type") == "array":
        return "texts" if kind_of(node.get("items", {})) == "text" else "json"
    return _SIMPLE.get(str(node.get("type")), "json")
