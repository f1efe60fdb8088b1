"""Rows that are chosen, sorted and split, against the whole table as another reader of CSV has it."""

from __future__ import annotations

import itertools
import json
import random

import pytest
from support import filled
from support.run import st

from scholartools.tasks.tabulate.descriptions import TABLES

KEYS = {
    "integer": float, "number": float, "boolean": lambda cell: cell == "true", "text": str,
    "texts": lambda cell: [(1, one) if one is not None else (0, "") for one in json.loads(cell)],
    "json": lambda cell: json_key(json.loads(cell), cell),
}  # fmt: skip


def json_key(value, cell):
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return (0, value, "") if is_number else (1, 0, cell)


def thinned(rng, node):
    """The same with some keys and items left out."""
    if isinstance(node, dict):
        return {key: thinned(rng, value) for key, value in node.items() if rng.random() < 0.93 or key == "id"}
    return [thinned(rng, one) for one in node if rng.random() < 0.9] if isinstance(node, list) else node


def parsed(out, divider=","):
    """The cells of a file, of which an empty one is None and "" an empty text."""
    text, at, rows, row = out.decode(), 0, [], []
    while at < len(text):
        if text[at] == '"':
            cell, at = "", at + 1
            while True:
                end = text.index('"', at)
                cell, at = cell + text[at:end], end + 1
                if text[at : at + 1] != '"':
                    break
                cell, at = f'{cell}"', at + 1
            row.append(cell)
        else:
            end = min(text.index(mark, at) if mark in text[at:] else len(text) for mark in (divider, "\n"))
            row.append(text[at:end] or None)
            at = end
        if text[at] == "\n":
            rows.append(row)
            row = []
        elif text[at + 1] == "\n":
            row.append(None)
            at += 1
            rows.append(row)
            row = []
        at += 1
    return rows


def in_order(rows, place, kind, is_descending):
    def key(row):
        return KEYS[kind](row[place])

    there = sorted((row for row in rows if row[place] is not None), key=key)
    runs = [list(some) for _, some in itertools.groupby(there, key=key)]
    there = [row for some in (reversed(runs) if is_descending else runs) for row in some]
    return there + [row for row in rows if row[place] is None]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_what_is_chosen_sorted_and_split_is_of_the_whole_table(seed):
    rng = random.Random(seed)
    made = [thinned(rng, filled.filled_record(rng.randrange(10**6), f"p{n}")) for n in range(4)]
    lines = [json.dumps(record) + "\n" for record in made]
    for name in rng.sample(sorted(TABLES), 8):
        whole = st("st-table", name, input="".join(lines)).out
        parts = [st("st-table", name, input="".join(some)).out for some in (lines[:2], lines[2:])]
        heads, *rows = parsed(whole)
        assert {len(row) for row in rows} <= {len(heads)}
        assert parsed(parts[0]) + parsed(parts[1])[1:] == [heads, *rows] and whole.startswith(parts[0])
        assert parsed(st("st-table", name, "--to", "tsv", input="".join(lines)).out, "\t") == [heads, *rows]
        kinds = [line.split()[1] for line in st("st-table", "columns", name).out.decode().splitlines()]
        place = rng.randrange(len(heads))
        for sign in ("", "-"):
            done = st("st-table", name, "--sort", sign + heads[place], input="".join(lines))
            assert parsed(done.out)[1:] == in_order(rows, place, kinds[place], sign == "-"), (name, heads[place])
        wanted = rng.choice(rows)[place] if rows else None
        told = "null" if wanted is None else wanted
        if "\0" not in told and len(told) < 1000:
            done = st("st-table", name, "--where", f"{heads[place]}={told}", input="".join(lines))
            kept = [row for row in rows if row[place] == wanted or (told == "null" and row[place] in (None, "null"))]
            assert parsed(done.out)[1:] == kept, (name, heads[place], told)
        chosen = rng.sample(heads, min(3, len(heads)))
        done = st("st-table", name, "--columns", ",".join(chosen), input="".join(lines))
        assert parsed(done.out) == [[row[heads.index(one)] for one in chosen] for row in [heads, *rows]], (name, chosen)
