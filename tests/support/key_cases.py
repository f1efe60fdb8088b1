"""Records without one optional key of the published schema, and with null, an empty and a made value there."""

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
    """A record without one key wherever it may stand, with null there, and with other values there."""

    path: str
    absent: Record
    null: Record
    others: list[Record]


def cases(record: Record) -> Iterator[Case]:
    """Each optional key that the schema has for the objects of a record, those included that none of them holds.

    A key that none holds gets a value that is made of its schema; where that has keys itself, each of them is taken in turn.
    """
    places = all_places(record)
    for steps in places:
        yield from _cases_of(record, steps, places)


def all_places(record: Record) -> dict[Steps, tuple[list[tuple[Any, ...]], Record]]:
    """Where an optional key is or may be, with indices of lists, and the key's own schema, by the path of the key."""
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
    """The empty values of a key's types."""
    types = {one.get("type") for one in alternatives(kind)}
    return [empty for name, empty in (("string", ""), ("array", []), ("object", {})) if name in types]


def _walk_all(value: Any, kind: Record, where: tuple[Any, ...]) -> Iterator[tuple[tuple[Any, ...], Record]]:
    """Each optional key that the schema knows for the objects of a value, whether they hold it or not, and its schema."""
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
