"""Tables that the schema alone describes: of drawn judge tasks, each value of a record is in the cell that tells it."""

from __future__ import annotations

import json
import random
from itertools import count

import pytest

from scholartools.table_files import types
from scholartools.tasks.tabulate.descriptions import of_judge_task
from scholartools.tasks.tabulate.rows import Rows

# Names that a task may well give its keys, some of which a table gives to its own columns too.
KEYS = (
    "id",
    "system",
    "by",
    "reason",
    "pair",
    "vote",
    "item",
    "entry",
    "place",
    "rating",
    "task",
    "entry_reason",
    "pair_place",
)
LISTS = ("pairs", "votes", "items", "controls", "sides", "details", "analyses")
SCALARS = ("string", "integer", "number", "boolean")


def drawn_object(rng, defs, depth):
    """The schema of an object with scalars, JSON, spans, an object, and lists of objects down to a depth."""
    properties = {key: {"type": rng.choice(SCALARS)} for key in rng.sample(KEYS, rng.randint(1, 6))}
    if "id" in properties:
        properties["id"] = {"type": "string"}
    properties |= {
        key: node
        for key, node in {
            "report": {"type": "object", "additionalProperties": {"type": "integer"}},
            "spans": {"type": "array", "items": {"$ref": "#/$defs/Span"}},
            "names": {"type": "array", "items": {"type": "string"}},
            "source": {"type": "object", "properties": {"page": {"type": "integer"}, "id": {"type": "string"}}},
        }.items()
        if rng.random() < 0.4
    }
    for key in rng.sample(LISTS, rng.randint(0, 2)) if depth else ():
        name = f"Drawn{len(defs)}"
        defs[name] = None
        defs[name] = drawn_object(rng, defs, depth - 1)
        node = {"type": "array", "items": {"$ref": f"#/$defs/{name}"}}
        properties[key] = rng.choice([node, {"anyOf": [node, {"type": "null"}], "default": None}])
    shuffled = rng.sample(sorted(properties), len(properties))
    return {
        "type": "object",
        "description": f"A {rng.choice(LISTS)} of it, e.g. one\nof two. More.",
        "properties": {key: properties[key] for key in shuffled},
    }


def drawn_value(rng, node, defs, numbers):
    """A value of a node; no two scalars of a record are equal, so that a cell tells where its value is from."""
    if "$ref" in node:
        node = defs[node["$ref"].rpartition("/")[2]]
    node = node["anyOf"][0] if "anyOf" in node else node
    if node["type"] == "array":
        return [
            drawn_value(rng, node["items"], defs, numbers)
            for _ in range(rng.randint(0 if "$ref" in node["items"] else 1, 3))
        ]
    if node["type"] == "object" and "properties" in node:
        return {key: drawn_value(rng, inner, defs, numbers) for key, inner in node["properties"].items()}
    if node["type"] == "object":
        return {"n": next(numbers)}
    return {"string": f"text {next(numbers)}", "boolean": rng.random() < 0.5, "number": next(numbers) + 0.5}.get(
        node["type"], next(numbers)
    )


def chains(entries, keys):
    """The objects from an entry down to each object in the lists at some keys, with their places from 1."""
    found = [[(place, entry)] for place, entry in enumerate(entries, 1)]
    for key in keys:
        found = [[*chain, (place, one)] for chain in found for place, one in enumerate(chain[-1][1].get(key) or (), 1)]
    return found


def lists_below(node, defs, at=()):
    """The keys of lists that lead to each list of objects."""
    for key, inner in node["properties"].items():
        inner = inner["anyOf"][0] if "anyOf" in inner else inner
        name = inner.get("items", {}).get("$ref", "").rpartition("/")[2] if inner["type"] == "array" else ""
        if name and name != "Span":
            yield (*at, key)
            yield from lists_below(defs[name], defs, (*at, key))


def scalars(value):
    """The scalars of an object, those of inner objects too; lists and objects of any key are not looked into."""
    for inner in value.values():
        if isinstance(inner, dict) and set(inner) != {"n"}:
            yield from scalars(inner)
        elif isinstance(inner, (str, int, float)) and not isinstance(inner, bool):
            yield inner


@pytest.mark.parametrize("seed", range(60))
def test_each_value_of_a_drawn_task_is_in_its_row(seed, monkeypatch):
    rng, defs = random.Random(seed), {"Span": types.schema()["$defs"]["Span"]}
    entry = drawn_object(rng, defs, 3)
    judgements = {"type": "object", "properties": {"how_new": {"type": "array", "items": entry}}}
    schema = {
        "type": "object",
        "$defs": defs,
        "properties": {
            "judgements": judgements,
            "front_matter_spans": {"type": "array", "items": {"$ref": "#/$defs/Span"}},
        },
    }
    monkeypatch.setattr(types, "schema", lambda: schema)
    monkeypatch.setattr("scholartools.tasks.tabulate.levels.schema", lambda: schema)
    entries = [drawn_value(rng, entry, defs, count(n * 100_000)) for n in range(1, 4)]
    record = {"id": "p", "judgements": {"how_new": entries}}
    tables, wanted = list(of_judge_task("how_new")), list(lists_below(entry, defs)) or [()]
    assert [table.name for table in tables] == ["-".join(["how-new", *keys]) for keys in wanted]
    for table, keys in zip(tables, wanted, strict=True):
        assert table.about.startswith("a ") and table.about.endswith("of it, e.g. one of two")
        rows, made = Rows(table), Rows(table).of(record)
        headings = [column.heading for column in rows.columns]
        assert len(set(headings)) == len(headings), headings
        expected = chains(entries, keys)
        assert len(made) == len(expected)
        for row, chain in zip(made, expected, strict=True):
            told = [json.dumps(cell) for cell in row if cell is not None]
            for place, (_, one) in enumerate(chain):
                missing = [value for value in scalars(one) if json.dumps(value) not in told]
                assert missing == [], (table.name, place, missing)
            for place, one in chain[1:]:
                assert "id" in one or place in row, "an object without an id is told by its place"
        counted = {heading for heading in headings if heading.startswith("n_")}
        assert counted == {f"n_{below[-1]}" for below in wanted if below and below[:-1] == keys}


def test_every_judge_task_of_the_schema_has_a_table():
    from scholartools.tasks.tabulate.descriptions import TABLES

    found = {source.levels[0].to for table in TABLES.values() for source in table.sources}
    assert {f"judgements.{key}[]" for key in types.keys_at(["judgements"])} <= found
