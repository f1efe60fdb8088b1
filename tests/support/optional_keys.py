"""Records with one key of the published schema absent, null or empty, each said by the path of the key."""

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
    """The objects of a record that have a key which the schema says is optional (or required), by the path of the key.

    The path names no index: the sections that have a number are all under ``("sections", "number")``.
    """
    found: dict[Steps, list[Record]] = {}
    for steps, holder, wanted in _walk(record, schema(), ()):
        if is_required == (steps[-1] in wanted):
            found.setdefault(steps, []).append(holder)
    return found


def variants(record: Record, is_required: bool = False) -> Iterator[Record]:
    """The record once for each key and way; ``id`` says which, and so does ``variant``."""
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
        holder.pop(key, None)  # a type may be two of the alternatives of a key
    else:
        empty = type(holder[key])() if isinstance(holder[key], (str, list, dict)) else ""
        holder[key] = empty if way == "empty" else None


def _walk(value: Any, kind: Record, steps: Steps) -> Iterator[tuple[Steps, Record, list[str]]]:
    """Each key that the schema knows in a value: its path, the object that has it, and the object's required keys."""
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
