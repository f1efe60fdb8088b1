"""Pairs of texts: values of google-research/mt-metrics-eval (commit 68a481a) on made tables, and definitions."""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some
from scipy import stats
from support.run import jsonl, st

from scholartools.metrics.statistics.pairwise import NAMES, fit_epsilon, pairwise_interval, pairwise_ranking
from scholartools.metrics.statistics.resampling import Resampling, mean_interval

#: Rows of system, item, people's score and two measures; values of a measure, a grouping, a coefficient ("*" with
#: fitted ties). Made once by its KendallVariants and KendallWithTiesOpt (sample_rate 1).
REFERENCE = json.loads((Path(__file__).parent / "pairwise_reference.json").read_text())
OURS = {"b": "tau-b", "c": "tau-c", "23": "tau-23", "acc23": "accuracy"}


def columns(rows, metric, grouping):
    x = [row[3 if metric == "one" else 4] for row in rows]
    groups = {"none": [0] * len(rows), "item": [row[1] for row in rows], "system": [row[0] for row in rows]}
    return x, [row[2] for row in rows], groups[grouping]


@pytest.mark.parametrize("table", range(len(REFERENCE)))
def test_values_are_those_of_mt_metrics_eval(table):
    rows, values = REFERENCE[table]["rows"], REFERENCE[table]["values"]
    assert len(values) == 36
    for metric, grouping, name, expected in values:
        data = columns(rows, metric, grouping)
        epsilon = fit_epsilon(*data) if name.endswith("*") else 0.0
        found = pairwise_ranking(*data, OURS[name.rstrip("*")], epsilon)
        assert found.value == pytest.approx(expected, abs=1e-12), (metric, grouping, name)


def by_hand(pairs, name):
    c = d = h = m = both = 0
    for (x, y), (other_x, other_y) in combinations(pairs, 2):
        a, b = np.sign(x - other_x), np.sign(y - other_y)
        c, d = c + (a * b > 0), d + (a * b < 0)
        h, m, both = h + (b == 0 and a != 0), m + (a == 0 and b != 0), both + (a == b == 0)
    above, below = {
        "accuracy": (c + both, c + d + h + m + both), "tau-10": (c - d - m, c + d + m), "tau-13": (c - d, c + d),
        "tau-14": (c - d, c + d + m), "tau-23": (c + both - d - h - m, c + d + h + m + both),
    }[name]  # fmt: skip
    return above / below if below else None


PAIRS = some.lists(some.tuples(some.integers(0, 5), some.integers(0, 3)), max_size=12)


@given(PAIRS, some.sampled_from(NAMES))
def test_they_are_their_definitions(pairs, name):
    x, y = [one for one, _ in pairs], [other for _, other in pairs]
    found = pairwise_ranking(x, y, [0] * len(pairs), name).value
    if name in ("tau-b", "tau-c"):
        varied = len(set(x)) > 1 and len(set(y)) > 1
        expected = stats.kendalltau(x, y, variant=name[-1]).statistic if varied else None
    else:
        expected = by_hand(pairs, name)
    assert found == (expected if expected is None else pytest.approx(expected, abs=1e-12))


@given(PAIRS)
def test_no_threshold_is_better_than_the_fitted_one(pairs):
    x, y, of = [one for one, _ in pairs], [other for _, other in pairs], [place % 2 for place in range(len(pairs))]
    epsilon = fit_epsilon(x, y, of)
    best = pairwise_ranking(x, y, of, "accuracy", epsilon).value
    others = [pairwise_ranking(x, y, of, "accuracy", other).value for other in range(6)]
    if best is None:
        assert set(others) == {None}
        return
    assert best == pytest.approx(max(others))
    assert epsilon == min(e for e, other in enumerate(others) if other == pytest.approx(best))


def texts(seed, n_items, n_systems=4):
    rng = np.random.default_rng(seed)
    human = rng.normal(size=(n_items, n_systems)).round()
    judge = human + rng.normal(size=(n_items, n_systems))
    items = np.repeat(np.arange(n_items), n_systems).tolist()
    return judge.ravel().tolist(), human.ravel().tolist(), items


def test_within_items_the_interval_is_that_of_the_mean_over_items():
    x, y, items = texts(1, 15)
    found = pairwise_interval(x, y, items, "accuracy", Resampling(), items)
    of_items = [pairwise_ranking(x[i : i + 4], y[i : i + 4], [0] * 4, "accuracy").value for i in range(0, 60, 4)]
    assert (found.low, found.high) == pytest.approx(mean_interval(of_items)[0])
    assert (found.df, found.n_drawn) == (14, 15)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "grouping"), [("accuracy", "item"), ("tau-14", "none"), ("tau-b", "system")])
def test_intervals_hold_the_truth_as_often_as_they_say(name, grouping):
    def groups(items):
        return {"item": items, "none": [0] * len(items), "system": [place % 4 for place in range(len(items))]}[grouping]

    x, y, items = texts(0, 3000)  # pairs of all: 12,000 texts
    truth = pairwise_ranking(x, y, groups(items), name).value
    held = []
    for seed in range(200):
        x, y, items = texts([12, seed], 12)
        found = pairwise_interval(x, y, groups(items), name, Resampling(), items)
        held.append(found.low <= truth <= found.high)
    assert 0.9 <= sum(held) / len(held) <= 0.99


def rows(seed=2, n_items=20):
    x, y, items = texts(seed, n_items)
    return [
        {"item": item, "system": f"s{place % 4}", "judge": one, "human": other}
        for place, (one, other, item) in enumerate(zip(x, y, items, strict=True))
    ]


LINE = ("st-agree", "pairwise", "--x", "judge", "--y", "human", "--by", "system", "--item", "item")


@pytest.mark.parametrize("grouping", ["item", "system", "none"])
def test_from_outside(grouping):
    made = rows()
    found = {e["measure"]: e for e in st(*LINE, "--grouping", grouping, input=jsonl(*made)).records}
    assert [*found] == [*NAMES]
    of = {"item": "item", "system": "system"}.get(grouping)
    groups = [row[of] if of else 0 for row in made]
    for name, entry in found.items():
        expected = pairwise_ranking([r["judge"] for r in made], [r["human"] for r in made], groups, name)
        assert (entry["value"], entry["n_pairs"]) == (pytest.approx(expected.value), expected.n_pairs)
        assert entry["interval"]["low"] < entry["value"] < entry["interval"]["high"]
    assert len({e["signature"] for e in found.values()}) == len(NAMES)
    backwards = st(*LINE, "--grouping", grouping, input=jsonl(*reversed(made))).records
    assert {e["measure"]: e["value"] for e in backwards} == {n: e["value"] for n, e in found.items()}


def test_fitted_ties_and_long_form():
    made = rows()
    long = [
        {"item": r["item"], "system": r["system"], "human": r["human"], "method": "m", "score": r["judge"]}
        for r in made
    ]
    wide = st(*LINE, "--fit-ties", "--table", input=jsonl(*made)).out.decode()
    assert "ties: fitted" in wide and "no forecast for others" in wide
    line = ("st-agree", "pairwise", "--x", "score", "--y", "human", "--by", "system", "--item", "item")
    found = st(*line, "--method", "method", "--fit-ties", input=jsonl(*long)).records
    same = st(*LINE, "--fit-ties", input=jsonl(*made)).records
    assert [(e["value"], e["epsilon"]) for e in found] == [(e["value"], e["epsilon"]) for e in same]
    assert found[0]["epsilon"] > 0 == found[1]["epsilon"]


def test_what_is_not_there():
    done = st("st-agree", "pairwise", "--x", "judge", "--y", "human", "--item", "item", input=jsonl(*rows()))
    assert done.status == 2 and done.err == "st-agree: pairwise needs --x, --y, --item and --by\n"
    alone = [row for row in rows() if row["system"] == "s0"]
    entry = st(*LINE, input=jsonl(*alone)).records[0]
    assert entry["value"] is None and entry["interval"]["low"] is None
    assert entry["reason"] == "no group has two texts, or the value is undefined in each group"
