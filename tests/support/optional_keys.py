"""Records in which one key of the published schema is absent, null or empty."""

from __future__ import annotations

import copy
import functools
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import scholartools

Record = dict[str, Any]
Steps = tuple[str, ...]

WAYS = ("absent", "null", "empty")


@functools.cache
def schema() -> Record:
    return json.loads((Path(scholartools.__file__).parent / "schemas" / "paper.json").read_text())


def key_places(record: Record, is_required: bool = False) -> dict[Steps, list[Record]]:
    """Objects of a record that have an optional (or required) key of the schema, by the path of the key.

    Paths have no indices: all sections with a number are at ``("sections", "number")``.
    """
    found: dict[Steps, list[Record]] = {}
    for steps, holder, wanted in _walk(record, schema(), ()):
        if is_required == (steps[-1] in wanted):
            found.setdefault(steps, []).append(holder)
    return found


def variants(record: Record, is_required: bool = False) -> Iterator[Record]:
    """Yield a variant of the record for each key and way, which are named by ``variant`` and in ``id``."""
    for steps in key_places(record, is_required):
        for way in WAYS:
            made = copy.deepcopy(record)
            for holder in key_places(made, is_required)[steps]:
                change(holder, steps[-1], way)
            made["variant"] = f"{'.'.join(steps)} {way}"
            if steps != ("id",):
                made["id"] = f"{record['id']} {made['variant']}"
            yield made


def change(holder: Record, key: str, way: str) -> None:
    if way == "absent":
        holder.pop(key, None)  # an object may be listed twice, for two alternatives of its type
    else:
        empty = type(holder[key])() if isinstance(holder[key], (str, list, dict)) else ""
        holder[key] = empty if way == "empty" else None


def _walk(value: Any, kind: Record, steps: Steps) -> Iterator[tuple[Steps, Record, list[str]]]:
    """Yield each key of a value that the schema describes: its path, its object, and the object's required keys."""
    for one in alternatives(kind):
        if isinstance(value, list) and "items" in one:
            for item in value:
                yield from _walk(item, one["items"], steps)
        if isinstance(value, dict):
            for key, inner in one.get("properties", {}).items():
                if key in value:
                    yield (*steps, key), value, one.get("required", [])
                    yield from _walk(value[key], inner, (*steps, key))


def alternatives(kind: Record) -> Iterator[Record]:
    if "$ref" in kind:
        yield from alternatives(schema()["$defs"][kind["$ref"].rsplit("/", 1)[1]])
    elif "anyOf" in kind:
        for one in kind["anyOf"]:
            yield from alternatives(one)
    else:
        yield kind
