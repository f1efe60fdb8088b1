"""Records made from the published schema: all keys are present, lists have several items, and texts are hostile."""

from __future__ import annotations

import json
import random
from typing import Any

from support.optional_keys import schema

Record = dict[str, Any]

HOSTILE = (
    "", " ", "=1+1", "+49 30", "-2", "@SUM(A1)", "007", "1e5", "NA", "null", "TRUE", "3,5", "a;b", "a\tb", "a,b", '"', '""', "'=1",
    "one\ntwo", "one\r\ntwo", "\rone", "one\n", "\ttab", " blank ends ", "\u00a0", "\u2028line\u2029", "\x85", "\ufeffmark", "\x01",
    "\x00", "😀 𝒙 👩‍👩‍👧", "אב ‮gd", "&amp; <b>", "a|b `c` *d* _e_ # f", "\\frac{a}{b} $x_1^2$ % & # ~ ^ { }", "\\", "_x000D_",
    "https://example.org/?a=1&b=2#c", "2024-01-02", "1-2", "0", "null\\n", "{}", "[1]", "<r>x</r>",
    "_x0041_", "a--b---c,,d?`e!`f",
)  # fmt: skip

LONG = "long " * 8000  # exceeds the limit of a workbook's cell


def filled_record(seed: int, name: str = "p1") -> Record:
    """A record with all keys of the schema; nullable keys are null at random, lists have 2 or 3 items."""
    rng = random.Random(seed)
    return {**_made(rng, schema(), 0, False), "id": name}


def value_of(rng: random.Random, node: Record) -> Any:
    """A value of a part of the schema; it is not null, and deeply nested lists are empty."""
    return _made(rng, node, 5, False)


def _made(rng: random.Random, node: Record, depth: int, may_be_null: bool = True) -> Any:
    if "$ref" in node:
        return _made(rng, schema()["$defs"][node["$ref"].rpartition("/")[2]], depth, may_be_null)
    if "anyOf" in node:
        some = [one for one in node["anyOf"] if one != {"type": "null"}]
        is_null = len(some) < len(node["anyOf"]) and may_be_null and depth > 1 and rng.random() < 0.15
        return None if is_null else _made(rng, rng.choice(some), depth, may_be_null)
    if "enum" in node or "const" in node:
        return rng.choice(node["enum"]) if "enum" in node else node["const"]
    if node.get("type") == "object" or "properties" in node:
        return _object(rng, node, depth)
    if node.get("type") == "array":
        # The schema is recursive: members of limitations are limitations.
        low = 0 if depth > 7 else max(2, node.get("minItems", 2))
        n = rng.randint(low, min(low + 1, node.get("maxItems", 9))) if low else node.get("minItems", 0)
        return [_made(rng, node["items"], depth + 1) for _ in range(n)]
    return _scalar(rng, node)


def _object(rng: random.Random, node: Record, depth: int) -> Record:
    if "properties" in node:
        return {key: _made(rng, inner, depth + 1) for key, inner in node["properties"].items()}
    more, names = node.get("additionalProperties"), node.get("propertyNames", {})
    keys = names.get("enum") or ["background", "a key"]
    return {key: _made(rng, more, depth + 1) if isinstance(more, dict) else rng.choice([1, "x", None]) for key in keys}


def _scalar(rng: random.Random, node: Record) -> Any:
    low, high = node.get("minimum", 0), node.get("maximum", 9)
    if node.get("type") == "integer":
        return rng.choice([low, int(high)])
    if node.get("type") == "number":
        return rng.choice([low, low + 0.1 + 0.2, float(high)]) if high > low + 1 else float(high)
    if node.get("type") == "boolean":
        return rng.random() < 0.5
    if "pattern" in node:
        return "0" * 64
    return LONG if rng.random() < 0.004 else rng.choice(HOSTILE)


def line(record: Record) -> bytes:
    """A record as a JSON line."""
    return json.dumps(record, ensure_ascii=False).encode() + b"\n"
