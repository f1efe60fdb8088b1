"""Permutation tests of measures: values of google-research/mt-metrics-eval (commit 68a481a), and definitions."""

from __future__ import annotations

import itertools
import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from scipy import stats
from support.run import jsonl, st

from scholartools.metrics.statistics import permutation
from scholartools.metrics.statistics.pairwise import NAMES, fit_epsilon, pairwise_ranking
from scholartools.metrics.statistics.permutation import (
    COEFFICIENTS,
    Ranking,
    Texts,
    Way,
    crossed_test,
    permutation_test,
    significance_clusters,
    standardise,
)
from scholartools.tasks.agree.columns import Columns, RowKeys
from scholartools.tasks.agree.ranking.methods import Contest, _of_means, rank_records

#: Rows of system, item, people's score and two measures; values: level, grouping, coefficient ("*" with fitted ties),
#: of both measures, their difference standardised, p of its PermutationSigDiff that the worse is as good, and its
#: draws (its comparison with the difference less 1e-9: rounding hid from it that many draws give the same); and its
#: ranks of matrices of p. The first table has ties, the others' measures have none; in the last they go against people.
REFERENCE = json.loads((Path(__file__).parent / "permutation_reference.json").read_text())


def columns(rows):
    texts = Texts([row[2] for row in rows], [row[0] for row in rows], [row[1] for row in rows])
    return texts, [row[3] for row in rows], [row[4] for row in rows]


@pytest.mark.parametrize("table", range(4))
def test_values_and_p_are_those_of_mt_metrics_eval(table):
    found = REFERENCE["values"][table]
    texts, one, other = columns(found["rows"])
    assert len(found["values"]) == (18 if table < 3 else 17)
    for level, grouping, name, of_one, of_other, difference, p, draws in found["values"]:
        ranking = Ranking(texts, name.rstrip("*"), level, grouping, fits_ties=name.endswith("*"))
        values = [float(ranking.values(standardise(side)[None])[0]) for side in (one, other)]
        # Its flips of soft accuracy are others, 1,000 too; beside ours they differ by chance.
        near = 0.02 if name == "soft" else 1e-9
        assert values == pytest.approx([of_one, of_other], abs=near), (level, grouping, name)
        if not table and name in ("soft", "accuracy*"):
            continue  # standardised, equal differences are so but for rounding there: of another difference
        sides, swapped = [one, other], range(len(one))
        if level == "system" and name != "soft":  # its systems are swapped, by their standardised means
            ranking, sides, swapped = _of_means(texts, sides, name)
        made = permutation_test(ranking, *sides, swapped, 400 if name == "soft" else 1000, 0)
        assert made.value == pytest.approx(difference, abs=near)
        if abs(difference) < 1e-9:
            continue
        error = 4 * math.sqrt(p * (1 - p) / draws + 0.25 / made.n_draws) + 0.002
        assert abs(made.p_one_sided - p) < error, (level, grouping, name, made.p_one_sided, p)


@pytest.mark.parametrize("place", range(12))
def test_ranks_are_those_of_mt_metrics_eval(place):
    p_values, ranks = REFERENCE["ranks"][place]
    assert significance_clusters(p_values, 0.05) == ranks


TABLES = some.integers(1, 4).flatmap(
    lambda n_systems: some.lists(
        some.tuples(*[some.tuples(*[some.integers(0, 3)] * 3)] * n_systems), min_size=1, max_size=4
    )
)


def flatten(table):
    rows = [(s, i, *cell) for i, row in enumerate(table) for s, cell in enumerate(row)]
    return columns(rows)


@given(TABLES, some.sampled_from(COEFFICIENTS[:-1]), some.sampled_from(["item", "system", "none"]))
def test_a_coefficient_of_many_draws_is_that_of_each(table, name, grouping):
    texts, one, other = flatten(table)
    groups = {"item": texts.items, "system": texts.systems, "none": [0] * len(one)}[grouping]
    found = Ranking(texts, name, "segment", grouping).values(np.array([standardise(one), standardise(other)]))
    for x, value in zip((one, other), found, strict=True):
        if name in NAMES:
            expected = pairwise_ranking(x, texts.y, groups, name).value
        else:
            expected = mean_of_groups(x, texts.y, groups, name)
        assert value == pytest.approx(math.nan if expected is None else expected, abs=1e-9, nan_ok=True)


def mean_of_groups(x, y, groups, name):
    of = {"pearson": stats.pearsonr, "spearman": stats.spearmanr}[name]
    values = []
    for group in sorted(set(groups)):
        one, other = ([side[i] for i in range(len(x)) if groups[i] == group] for side in (x, y))
        if len(set(one)) > 1 and len(set(other)) > 1:
            values.append(of(one, other).statistic)
    return float(np.mean(values)) if values else None


@given(TABLES, some.sampled_from(["item", "none"]))
def test_fitted_ties_are_the_best_threshold(table, grouping):
    texts, one, _ = flatten(table)
    groups = texts.items if grouping == "item" else [0] * len(one)
    found = float(Ranking(texts, "accuracy", "segment", grouping, fits_ties=True).values(standardise(one)[None])[0])
    expected = pairwise_ranking(one, texts.y, groups, "accuracy", fit_epsilon(one, texts.y, groups)).value
    assert found == pytest.approx(math.nan if expected is None else expected, abs=1e-9, nan_ok=True)


@given(TABLES)
def test_soft_accuracy_is_its_definition(table):
    texts, one, _ = flatten(table)
    n_items, n_systems = len(table), len(table[0])
    found = float(Ranking(texts, "soft", "system").values(standardise(one)[None])[0])
    if n_systems < 2:
        assert math.isnan(found)
        return
    away = []
    for i, j in itertools.combinations(range(n_systems), 2):
        p_values = []
        for side in (texts.y, one):
            apart = [side[item * n_systems + i] - side[item * n_systems + j] for item in range(n_items)]
            flips = list(itertools.product((1, -1), repeat=n_items))
            p_values.append(np.mean([np.dot(flip, apart) >= sum(apart) - 1e-9 for flip in flips]))
        away.append(abs(p_values[0] - p_values[1]))
    assert found == pytest.approx(1 - np.mean(away), abs=1e-9)


@settings(max_examples=30)
@given(TABLES.filter(lambda table: len(table) * len(table[0]) <= 8), some.sampled_from(["accuracy", "pearson"]))
def test_p_counts_all_ways_to_swap(table, name):
    texts, one, other = flatten(table)
    ranking = Ranking(texts, name, "segment", "none")
    made = permutation_test(ranking, one, other, range(len(one)), 4000, 0)
    sides = [standardise(side) for side in (one, other)]

    def value(x):
        return float(ranking.values(np.array(x)[None])[0])

    observed = value(sides[0]) - value(sides[1])
    if len(set(one)) < 2 or len(set(other)) < 2 or not math.isfinite(observed):
        assert made.p is None and made.reason
        return
    found = []
    for swapped in itertools.product((False, True), repeat=len(one)):
        a, b = ([(sides[1], sides[0])[s != flip][i] for i, s in enumerate(swapped)] for flip in (True, False))
        found.append(value(a) - value(b))
    kept = [one for one in found if math.isfinite(one)]
    assert made.is_exact and made.n_draws == len(kept)
    assert made.p == pytest.approx(np.mean([abs(one) >= abs(observed) - 1e-9 for one in kept]))


def test_what_has_no_p_says_why(monkeypatch):
    texts = Texts([0, 1, 2, 3], ["a", "b"] * 2, [0, 0, 1, 1])
    ranking = Ranking(texts, "accuracy", "segment", "item")
    same = permutation_test(ranking, [1, 2, 3, 4], [1, 2, 3, 4], range(4), 1000, 0)
    assert (same.value, same.p) == (0, 1)
    assert permutation_test(ranking, [1, 1, 1, 1], [1, 2, 3, 4], range(4), 1000, 0).reason == "a measure is constant"
    alone = Ranking(Texts([0, 1], ["a", "a"], [0, 1]), "accuracy", "segment", "item")
    assert permutation_test(alone, [1, 2], [2, 1], range(2), 1000, 0).reason == "a coefficient is not defined"
    monkeypatch.setattr(permutation, "_MOST_PAIRS", 10_000_000)
    many = Texts(range(300), ["a"] * 300, range(300))
    assert "too many" in permutation_test(
        Ranking(many, "accuracy", "segment", "none"), range(300), range(300, 0, -1), range(300), 2000, 0
    ).reason  # fmt: skip


@pytest.mark.parametrize("scale", [1e200, 1e-200])
def test_numbers_of_any_size_have_one_result(scale):
    texts, one, other = columns(REFERENCE["values"][1]["rows"])
    for name, level in (("accuracy", "segment"), ("pearson", "segment"), ("soft", "system")):
        scaled = Texts([y * scale for y in texts.y], texts.systems, texts.items)
        ranking, same = Ranking(texts, name, level), Ranking(scaled, name, level)
        found = permutation_test(ranking, one, other, range(len(one)), 200, 0)
        sides = [[x * scale for x in side] for side in (one, other)]
        made = permutation_test(same, *sides, range(len(one)), 200, 0)
        assert (made.value, made.p) == (pytest.approx(found.value, abs=1e-9), found.p)


def test_p_holds_where_measures_can_be_exchanged():
    """The exact test of 3 items by 3 systems finds at most .05 of what is not there."""
    found = 0
    for seed in range(300):
        rng = np.random.default_rng(seed)
        y = rng.normal(size=9)
        one, other = (y + rng.normal(size=9) for _ in range(2))
        texts = Texts(y.tolist(), [0, 1, 2] * 3, [0, 0, 0, 1, 1, 1, 2, 2, 2])
        made = permutation_test(Ranking(texts, "pearson", "segment", "none"), one, other, range(9), 512, 0)
        found += made.p <= 0.05
    assert 3 <= found <= 27  # .05 of 300, and 3.2 standard errors


def scores(seed=3, n_items=14, n_systems=4):
    rng = np.random.default_rng(seed)
    records = []
    for item, system in itertools.product(range(n_items), range(n_systems)):
        y = int(np.clip(round(system / 2 + rng.normal() + 1), 0, 4))
        judged = {
            name: round(y + rng.normal() * noise, 3) for name, noise in (("good", 0.3), ("like", 0.4), ("poor", 3))
        }
        records.append({"item": item, "paper": item // 2, "system": f"s{system}", "human": y, **judged})
    return records


ASKED = ["st-agree", "rank", "--y", "human", "--item", "item", "--by", "system"]


def asked(records, *more):
    measures = [part for name in ("good", "like", "poor") for part in ("--x", name)]
    return st(*ASKED, *measures, *more, input=jsonl(*records)).records


def test_the_command_ranks_and_tests():
    found = asked(scores(), "--swap", "texts")
    ranks = {one["x"]: one["rank"] for one in found if one["of"] == "measures"}
    assert ranks == {"good": 1, "like": 1, "poor": 2}
    tests = [one for one in found if one["of"] == "difference"]
    assert [one["n_compared"] for one in tests] == [3, 3, 3]
    assert [one["n_units"] for one in tests] == [56, 56, 56]
    assert asked(scores()[::-1], "--swap", "texts") == found


@pytest.mark.parametrize(
    ("more", "swap", "n"),
    [
        (["--swap", "items"], "items", {14}),
        (["--swap", "items", "--cluster", "paper"], "items", {7}),
        ([], "systems", {4}),
        (["--level", "system"], "systems", {4}),
        (["--grouping", "system"], "items", {14}),
        (["--grouping", "none"], "both", {4, 14}),
        (["--cluster", "paper"], "both", {4, 7}),
    ],
)
def test_what_is_swapped_together(more, swap, n):
    found = [one for one in asked(scores(), *more) if one["of"] == "difference"]
    assert {one["swap"] for one in found} == {swap} and {one["n_units"] for one in found} <= n
    assert all(one["is_exact"] == (swap != "both" and one["n_units"] < 11) for one in found)


def test_of_items_systems_and_both_added_the_largest_p_is_taken():
    found, items, systems = (
        [one for one in asked(scores(), "--grouping", "none", *more) if one["of"] == "difference"]
        for more in ([], ["--swap", "items"], ["--swap", "systems"])
    )
    for both, one, other in zip(found, items, systems, strict=True):
        assert [both["p_of"]["items"], both["p_of"]["systems"]] == [one["p"], other["p"]]
        assert both["p"] == max(both["p_of"].values())
        assert both["p_one_sided"] >= max(one["p_one_sided"], other["p_one_sided"])


@pytest.mark.slow
def test_of_crossed_effects_each_way_alone_finds_what_is_not_there():
    """Two measures as good as each other, each fond of some of 40 items and of some of 25 systems."""
    n, k = 40, 25
    items, systems = np.repeat(np.arange(n), k).tolist(), [*range(k)] * n
    found = {"items": 0, "systems": 0, "larger": 0, "crossed": 0}
    for seed in range(120):
        rng = np.random.default_rng(seed)
        y = rng.normal(size=(n, 1)) + rng.normal(size=k) + rng.normal(size=(n, k))
        one, other = ((y + rng.normal(size=(n, 1)) + rng.normal(size=k)).ravel().tolist() for _ in range(2))
        ranking = Ranking(Texts(y.ravel().tolist(), systems, items), "pearson")
        ways = [Way(ranking, one, other, units) for units in (items, systems, range(n * k))]
        test = crossed_test(ways[:2], ways[2], 200, seed)
        of_items, of_systems, _ = test.p_of
        assert test.p == max(test.p_of) and test.value == permutation_test(*ways[0], 200, seed).value
        p = {"items": of_items, "systems": of_systems, "larger": max(of_items, of_systems), "crossed": test.p}
        found = {name: found[name] + (p[name] <= 0.05) for name in found}
    assert found["crossed"] <= 12 < found["items"] and found["systems"] > 12, found


def test_of_few_systems_no_measure_is_told_from_another():
    """The same scores rank the third below the others where texts are swapped: that speaks of these systems alone."""
    found = asked(scores())
    assert {one["rank"] for one in found if one["of"] == "measures"} == {1}
    assert all("cannot be below 0.125" in one["assumes"] for one in found if one["of"] == "difference")


@pytest.mark.slow
def test_the_default_finds_at_most_what_it_may_where_measures_like_some_systems():
    """Two measures as good as each other, each fond of some of eight systems: texts swapped find .5 differences."""
    found = {"texts": 0, "systems": 0}
    for seed in range(60):
        rng = np.random.default_rng(seed)
        y = np.linspace(0, 1.4, 8) + rng.normal(size=(40, 8))
        one, other = (y + 0.5 * rng.normal(size=8) + rng.normal(size=(40, 8)) for _ in range(2))
        rows = [
            {"item": i, "system": s, "human": y[i, s], "one": one[i, s], "other": other[i, s]}
            for i, s in itertools.product(range(40), range(8))
        ]
        for swap in found:
            contest = Contest(("pearson",), "system", swap=None if swap == "systems" else "texts", draws=300)
            columns_of = Columns(["human", "one", "other"], RowKeys(item="item", group="system"))
            for row in rows:
                columns_of.add(row)
            (test,) = [one for one in rank_records(columns_of, ["one", "other"], "human", contest) if "compare" in one]
            assert test["swap"] == swap
            found[swap] += test["p"] < 0.05
    assert found["systems"] <= 9 and found["texts"] >= 15


@pytest.mark.parametrize(
    ("more", "told", "untold"),
    [
        (["--swap", "texts"], ["texts of two", "up to .14"], ["swap both"]),
        (["--grouping", "none", "--swap", "texts"], ["swap both", "only to these systems"], ["different numbers"]),
        (
            ["--grouping", "none", "--swap", "items"],
            ["items of two", "only to these systems", ".06 to .23"],
            ["swap both"],
        ),
        (
            ["--grouping", "system", "--swap", "texts"],
            ["texts of two", ".06 to .21", "swap items"],
            ["swap both", ".23"],
        ),
        (["--grouping", "system"], ["items of two", "only to these systems"], ["favours", "swap items"]),
        (["--level", "system", "--swap", "texts"], [".12 to .64"], ["swap both"]),
        (["--swap", "systems"], ["systems of two", "cannot be below 0.125"], ["swap both"]),
        (["--grouping", "none", "--swap", "systems"], ["systems of two", "swap both"], [".64"]),
    ],
)
def test_each_p_says_what_it_stands_on(more, told, untold):
    tests = [one["assumes"] for one in asked(scores(), *more) if one["of"] == "difference"]
    assert len(tests) == 3
    for said in tests:
        assert all(part in said for part in told) and not any(part in said for part in untold)
    levels = [one | {"like": round(one["like"])} for one in scores()]
    table = st(*ASKED, "--x", "good", "--x", "like", *more, "--table", input=jsonl(*levels)).out.decode()
    assert table.count("different numbers and the other") == 1 and all(part in table for part in told)


def test_all_measures_are_compared_on_the_same_texts():
    records = scores()
    records[0]["poor"] = records[5]["human"] = None
    found = asked(records, "--level", "system", "--measure", "soft", "--measure", "pearson")
    counts = {one["measure"]: (one["n"], one["n_missing"], one["n_items"]) for one in found}
    assert counts == {"soft": (48, 2, 14), "pearson": (54, 2, 14)}
