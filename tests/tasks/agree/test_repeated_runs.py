"""Repeated runs of several methods in one file: each method has the numbers that it has in a file of its own."""

from __future__ import annotations

import random

import numpy as np
import pytest

from scholartools.tasks.agree.columns import RowKeys, make_columns
from scholartools.tasks.agree.repeated_runs import item_records, run_records
from scholartools.tasks.agree.tables import table

ABOUT_THE_FILE = {"signature", "runs_without_scores", "each"}


def rated(chance, method, aspect, runs):
    """Scores of one method in some runs, of which a few are null."""
    items = chance.sample(range(30), chance.randrange(4, 30))
    return [
        {"item": item, "method": method, "aspect": aspect, "run": run, "human": item % 4,
         "score": None if chance.random() < 0.1 else chance.randrange(5)}
        for run in runs for item in items
    ]  # fmt: skip


def results(records, *, has_items=False):
    columns = make_columns(["score", "human"], RowKeys(item="item", each=("aspect", "method"), method=("run",)))
    for record in records:
        columns.add(record)
    return list(item_records(columns, "score", 3) if has_items else run_records(columns, "score", ["human"], 3))


def own(entries, aspect, method):
    """The results of a part without what tells of the file that it is in."""
    of_part = [entry for entry in entries if entry["each"] == {"aspect": aspect, "method": method}]
    return [{key: value for key, value in entry.items() if key not in ABOUT_THE_FILE} for entry in of_part]


@pytest.mark.parametrize("seed", range(12))
def test_a_method_has_the_numbers_that_it_has_in_a_file_of_its_own(seed):
    chance = random.Random(seed)
    parts = {
        (aspect, method): rated(chance, method, aspect, chance.sample("abcde", chance.randrange(1, 6)))
        for aspect in ("problem", "type")
        for method in ("direct", "geval", "icl")
    }
    together = [record for records in parts.values() for record in records]
    for has_items in (False, True):
        found = results(together, has_items=has_items)
        for (aspect, method), records in parts.items():
            alone = results(records, has_items=has_items)
            assert own(found, aspect, method) == own(alone, aspect, method) != []


def test_two_of_three_runs_are_two_runs_and_the_third_is_named():
    chance = random.Random(1)
    records = rated(chance, "direct", "a", (1, 2, 3)) + rated(chance, "geval", "a", (1, 2))
    for record in records:
        record["score"] = chance.random()
    changed = {entry["each"]["method"]: entry for entry in results(records) if entry["measure"] == "changed"}
    sides = [
        [record["score"] for record in sorted(records, key=lambda one: one["item"])
         if (record["method"], record["run"]) == ("geval", run)]
        for run in (1, 2)
    ]  # fmt: skip
    bins = [np.digitize(side, np.percentile(side, [100 / 3, 200 / 3])) for side in sides]
    assert changed["geval"]["value"] == pytest.approx((bins[0] != bins[1]).mean())
    assert (changed["geval"]["n_runs"], changed["geval"]["runs_without_scores"]) == (2, ["3"])
    assert changed["direct"]["n_runs"] == 3 and "runs_without_scores" not in changed["direct"]
    assert "without a score here and left out: run 3" in table(results(records))
