"""Inputs of which little can be said: a value or null with its reason, never a number that is none or an interval of no width."""

from __future__ import annotations

import json
from typing import Any

import pytest
from support.result_faults import faults_of
from support.run import jsonl, st
from support.varied import LINES

NAMES = {"item", "rater", "method", "run", "system", "paper", "id", "label", "venue", "row"}
Rows = list[dict[str, Any]]


def numbers(value: Any, change: Any, key: str = "") -> Any:
    """The same value with each of its numbers changed that is no name."""
    if isinstance(value, dict):
        return {name: numbers(one, change, name) for name, one in value.items()}
    if isinstance(value, list):
        return [numbers(one, change, key) for one in value]
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return change(value) if is_number and key.removesuffix("_2") not in NAMES else value


def alike(rows: Rows, key: str) -> Rows:
    return [row for row in rows if row.get(key) == rows[0].get(key)]


WAYS = {
    "constant": lambda rows: numbers(rows, lambda _: 1),
    "two": lambda rows: rows[:2],
    "one": lambda rows: rows[:1],
    "six": lambda rows: rows[:6],
    "missing": lambda rows: numbers(rows, lambda _: None),
    "all but one constant": lambda rows: numbers(rows[:-1], lambda _: 1) + rows[-1:],
    "huge": lambda rows: numbers(rows, lambda number: number * 1e300),
    "tiny": lambda rows: numbers(rows, lambda number: number * 1e-300),
    "one item": lambda rows: alike(rows, "item"),
    "one rater": lambda rows: alike(alike(rows, "rater"), "method"),
    "one system": lambda rows: alike(rows, "system"),
    "one paper": lambda rows: [row | {"paper": "p0"} for row in rows],
}
QUICK = ("constant", "two")
ASKED = [
    pytest.param(line, id=" ".join(map(str, line.args[:3])) + f" {place}")
    for name, lines in LINES.items()
    if name.startswith(("st-agree ", "st-score"))
    for place, line in enumerate(lines)
    if not line.asks
]


@pytest.mark.parametrize("line", ASKED)
@pytest.mark.parametrize(
    "way", [*QUICK, *(pytest.param(way, marks=pytest.mark.slow) for way in WAYS if way not in QUICK)]
)
def test_what_cannot_be_said_is_null_with_a_reason(line, way, tmp_path):
    rows = [json.loads(text) for text in line.make(tmp_path).splitlines()]
    args = [str(arg).replace("{f}", str(tmp_path)) for arg in line.args]
    done = st(args[0], *args[1:], input=jsonl(*WAYS[way](rows)), cwd=tmp_path, is_described=False)
    assert done.status in (0, 1, 2, 3), done.err
    assert "internal error" not in done.err and "Warning" not in done.err, done.err
    if done.out.startswith(b"{"):
        faults = [fault for one in done.records for fault in faults_of(one)]
        assert not faults, (faults[:5], done.err)
