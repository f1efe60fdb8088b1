"""Means that differ by rounding alone are tied: ranks are the same in whole numbers, in tenths and on other scales."""

from __future__ import annotations

import random
from typing import Any

import pytest
from support.run import jsonl, st

from scholartools.metrics.values import tie_means


def asked(rows: list[dict[str, Any]], *args: str) -> list[dict[str, Any]]:
    return st("st-agree", *args, input=jsonl(*rows)).records


@pytest.mark.parametrize("seed", [7, 14, 30])
@pytest.mark.parametrize("redraw", ["items", "systems"])
def test_ranks_of_systems_means_do_not_depend_on_the_unit_of_the_scores(seed, redraw):
    rng = random.Random(seed)
    x, human = ([rng.randint(0, highest) for _ in range(48)] for highest in (4, 3))
    args = ("correlate", "--x", "x", "--y", "human", "--by", "system", "--measure", "spearman", "--ci")
    found = []
    for unit in (1, 0.1):
        rows = [{"item": at, "system": at % 8, "x": round(x[at] * unit, 1), "human": human[at]} for at in range(len(x))]
        [one] = [one for one in asked(rows, *args, "--redraw", redraw) if one["of"] == "means"]
        found.append([one["value"], one["interval"]["low"], one["interval"]["high"]])
    assert found[0] == pytest.approx(found[1])


def test_a_ceiling_by_ranks_does_not_depend_on_the_unit_of_the_ratings():
    rng = random.Random(5)
    rows = [{"item": at, **{name: rng.randint(1, 5) for name in "abcd"}} for at in range(20)]
    args = ("ceiling", "--raters", "a,b,c,d", "--measure", "spearman")
    whole, tenths = (
        [
            one["value"]
            for one in asked([{key: n if key == "item" else n * unit for key, n in row.items()} for row in rows], *args)
        ]
        for unit in (1, 0.1)
    )
    assert whole == pytest.approx(tenths)


def test_numbers_that_differ_by_more_than_rounding_stay_different():
    assert tie_means([0.6 / 3, None, (0.1 + 0.2 + 0.3) / 3]) == [0.6 / 3, None, 0.6 / 3]
    different = [1e12, 1e12 + 0.5, 0.0, -1e12, 1.0]
    assert tie_means(different) == different
    assert tie_means([]) == [] and tie_means([None]) == [None] and tie_means([0.0, -0.0]) == [0.0, 0.0]
