"""Records in which one optional key of the published schema is absent, null, empty or has a generated value."""

from __future__ import annotations

import copy
import functools
import json
import operator
import random
from collections.abc import Iterator
from typing import Any, NamedTuple

from support.filled import value_of
from support.optional_keys import Record, Steps, alternatives, schema

ABSENT = object()


class Case(NamedTuple):
    """Variants of a record: without a key at all its places, with null there, and with other values there."""

    path: str
    absent: Record
    null: Record
    others: list[Record]


def cases(record: Record) -> Iterator[Case]:
    """Yield a case for each optional key in the schema of a record's objects, including keys that are absent.

    An absent key gets a value generated from its schema; if that value has keys itself, these are varied too.
    """
    places = all_places(record)
    for steps in places:
        yield from _cases_of(record, steps, places)


def all_places(record: Record) -> dict[Steps, tuple[list[tuple[Any, ...]], Record]]:
    """Places of optional keys, present or absent, as paths with list indices, and the key's schema, by its path."""
    found: dict[Steps, tuple[list[tuple[Any, ...]], Record]] = {}
    for where, kind in _walk_all(record, schema(), ()):
        found.setdefault(tuple(one for one in where if isinstance(one, str)), ([], kind))[0].append(where)
    return found


def _cases_of(
    record: Record, steps: Steps, places: dict[Steps, tuple[list[tuple[Any, ...]], Record]]
) -> Iterator[Case]:
    path, (wheres, kind) = ".".join(steps), places[steps]
    text = json.dumps(record | {"id": f"{record['id']} {path}"})

    def made(value: Any) -> Record:
        copied = json.loads(text)
        for *outer, key in wheres:
            holder = functools.reduce(operator.getitem, outer, copied)
            holder.pop(key, None)
            if value is not ABSENT:
                holder[key] = copy.deepcopy(value)
        return copied

    is_held = any(where[-1] in functools.reduce(operator.getitem, where[:-1], record) for where in wheres)
    given = [] if is_held else [{**made(value_of(random.Random(path), kind)), "id": record["id"]}]
    yield Case(path, made(ABSENT), made(None), [made(value) for value in _empties(kind)] + given)
    for one in given:
        inner_places = all_places(one)
        for inner in inner_places:
            if len(inner) > len(steps) and inner[: len(steps)] == steps:
                yield from _cases_of(one, inner, inner_places)


def _empties(kind: Record) -> list[Any]:
    """Empty values of the key's types."""
    types = {one.get("type") for one in alternatives(kind)}
    return [empty for name, empty in (("string", ""), ("array", []), ("object", {})) if name in types]


def _walk_all(value: Any, kind: Record, where: tuple[Any, ...]) -> Iterator[tuple[tuple[Any, ...], Record]]:
    """Yield the place and schema of each optional key of a value's objects, present or absent."""
    for one in alternatives(kind):
        if isinstance(value, list) and "items" in one:
            for place, item in enumerate(value):
                yield from _walk_all(item, one["items"], (*where, place))
        if isinstance(value, dict):
            for key, inner in one.get("properties", {}).items():
                if key not in one.get("required", []):
                    yield (*where, key), inner
                if key in value:
                    yield from _walk_all(value[key], inner, (*where, key))
