"""Jackknife intervals: Student's t of means, and simulations whose truth is known."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as some
from scipy import stats
from support.intervals import bent, halls
from support.run import ROOT, jsonl, st

from scholartools.metrics.agreement import coefficients, intervals
from scholartools.metrics.statistics import prediction_powered, resampling
from scholartools.metrics.statistics.correlation import correlation_interval
from scholartools.metrics.statistics.paired_bootstrap import paired_bootstrap
from scholartools.metrics.statistics.partial import coefficient_difference
from scholartools.metrics.statistics.resampling import Resampling
from scholartools.metrics.statistics.t_tests import paired_t

HOW = Resampling(method="jackknife")
NUMBERS = some.lists(some.integers(-1000, 1000).map(lambda n: n / 8), min_size=2, max_size=30)


@given(NUMBERS, some.sampled_from([0.8, 0.95, 0.99]))
def test_of_a_mean_it_is_students_corrected_for_skewness(numbers, confidence):
    found, reason = resampling.mean_interval(numbers, confidence=confidence, method="jackknife")
    if len(set(numbers)) == 1:
        assert (found, reason) == (None, "the value is the same whichever item is left out")
        return
    assert found == pytest.approx(halls(numbers, confidence)[:2], rel=1e-6, abs=1e-6)


@given(NUMBERS, some.sampled_from([0.8, 0.95, 0.99]))
def test_of_the_mean_of_symmetric_numbers_it_is_students(numbers, confidence):
    numbers = [*numbers, *(7 - number for number in numbers)]
    assume(len(set(numbers)) > 1)
    found, _ = resampling.mean_interval(numbers, confidence=confidence, method="jackknife")
    expected = stats.ttest_1samp(numbers, 0).confidence_interval(confidence)
    assert found == pytest.approx(tuple(expected), rel=1e-7, abs=1e-7)


@given(NUMBERS, some.integers(1, 4))
def test_of_differences_in_clusters_of_one_size_it_is_that_of_their_means(numbers, size):
    differences = [number for number in numbers for _ in range(size)]
    clusters = [place for place in range(len(numbers)) for _ in range(size)]
    zeros = [0.0] * len(differences)
    found, test = paired_bootstrap(differences, zeros, HOW, clusters), paired_t(differences, zeros, clusters)
    assert (found.p is None) == (test.p is None) == (len(set(numbers)) == 1)
    if found.p is not None:
        assert found.p == pytest.approx(halls(numbers, 0.95)[2], rel=1e-5, abs=1e-9)
        assert found.interval.df == test.df
        swapped = paired_bootstrap(zeros, differences, HOW, clusters)
        assert swapped.p == pytest.approx(found.p, rel=1e-9)
        assert swapped.interval.low == pytest.approx(-found.interval.high, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("power", [-1000, 900])
def test_numbers_of_any_size_have_one_interval(power):
    numbers = np.random.default_rng(2).normal(size=12)
    found, scaled = (
        resampling.ratio_interval(side.tolist(), [1.0] * 12, HOW) for side in (numbers, np.ldexp(numbers, power))
    )
    assert (scaled.low, scaled.high) == (math.ldexp(found.low, power), math.ldexp(found.high, power))
    assert scaled.p == found.p


@given(NUMBERS)
def test_p_is_below_005_where_the_interval_leaves_out_0(numbers):
    assume(len(set(numbers)) > 1)
    found = paired_bootstrap(numbers, [0.0] * len(numbers), HOW)
    assume(abs(found.p - 0.05) > 1e-9)
    assert (found.p < 0.05) == (found.interval.low > 0 or found.interval.high < 0)


@pytest.mark.parametrize("size", [1, 3])
@pytest.mark.parametrize(("n", "n_others"), [(3, 2), (5, 195), (8, 1500), (1200, 1300)])
def test_of_peoples_mean_by_a_judge_it_is_the_sum_of_two_independent_variances(n, n_others, size):
    """That of people's scores less the judge's of what people rated, and that of the judge's of all else.

    Clusters are of one size, and people rated all of a cluster or nothing of it.
    """
    rng = np.random.default_rng(n)
    people, scores = rng.normal(size=(n, size)), rng.normal(size=(n + n_others, size))
    truth = [*people.ravel().tolist(), *[None] * (n_others * size)]
    clusters = None if size == 1 else [number // size for number in range((n + n_others) * size)]
    weight = 0.4
    found, alone = prediction_powered.mean_intervals(
        scores.ravel().astype(float).tolist(), truth, weight, HOW, clusters
    )
    residuals, others = (people - weight * scores[:n]).mean(axis=1), scores[n:].mean(axis=1)
    error = math.sqrt(residuals.var(ddof=1) / n + weight**2 * others.var(ddof=1) / n_others)
    third = stats.skew(residuals, bias=False) * residuals.std(ddof=1) ** 3 / n**2
    if n_others > 2:
        third += stats.skew(others, bias=False) * (weight * others.std(ddof=1)) ** 3 / n_others**2
    value = residuals.mean() + weight * others.mean()
    expected = bent(value, error, third / error**3, n - 2, 0.95)
    is_exact = max(n, n_others) <= 1000  # of more, groups are left out
    assert found.error == pytest.approx(error, rel=1e-9 if is_exact else 0.06)
    if is_exact:
        assert (found.low, found.high) == pytest.approx(expected[:2], rel=1e-6)
    assert (found.df, found.n_drawn) == (n - 2, n + n_others)
    if n <= 1000:
        assert (alone.low, alone.high) == pytest.approx(halls(people.mean(axis=1), 0.95)[:2], rel=1e-6)
    assert (alone.df, alone.n_drawn) == (n - 1, n)


@given(some.lists(some.tuples(some.integers(0, 9), some.integers(1, 9), some.integers(0, 5)), min_size=2, max_size=20))
def test_of_a_ratio_it_leaves_out_one_cluster_after_the_other(rows):
    above, below, clusters = ([float(row[0]) for row in rows], [float(row[1]) for row in rows], [r[2] for r in rows])
    names = sorted(set(clusters))
    assume(len(names) > 1)
    without = [
        sum(row[0] for row in rows if row[2] != name) / sum(row[1] for row in rows if row[2] != name) for name in names
    ]
    error = math.sqrt((len(names) - 1) ** 2 / len(names) * np.var(without, ddof=1))
    found = resampling.ratio_interval(above, below, HOW, clusters)
    if max(without) - min(without) < 1e-9:
        assert found.low is None
        return
    g, value = len(names), sum(above) / sum(below)
    pseudo = [g * value - (g - 1) * one for one in without]
    skewness = stats.skew(pseudo, bias=False) / math.sqrt(g) if g > 2 else 0.0
    ends = bent(value, error, skewness, g - 1, 0.95)[:2]
    assert (found.low, found.high) == pytest.approx(ends, rel=1e-6, abs=1e-6)


def test_of_many_items_groups_are_left_out():
    numbers = np.random.default_rng(1).normal(size=20_500).tolist()
    (low, high), _ = resampling.mean_interval(numbers, method="jackknife")
    assert high - low == pytest.approx(2 * 1.96 * np.std(numbers) / math.sqrt(len(numbers)), rel=0.08)


@pytest.mark.parametrize(
    ("x", "y", "reason"),
    [
        ([1, 2, 3], [2, 4, 6], "no standard error can be estimated for a coefficient of 1 or -1"),
        (
            [1, 1, 1, 2],
            [1, 2, 3, 4],
            "the value is undefined if some items are left out (1 of 4, one at a time), or 1 or -1",
        ),
        ([1, 2], [1, 3], "any two pairs of numbers have a coefficient of 1 or -1"),
    ],
)
def test_where_nothing_says_how_sure_it_is_there_is_no_interval(x, y, reason):
    found = correlation_interval(x, y, "pearson", HOW)
    assert (found.low, found.high, found.p, found.reason) == (None, None, None, reason)


# Simulations: the share of intervals that hold the truth, of those that there are, at nominal .95.


def _covers(make, truth, seeds=400):
    found = [make(np.random.default_rng([7, seed])) for seed in range(seeds)]
    there = [one for one in found if one.low is not None]
    assert len(there) > seeds * 0.7
    return sum(one.low <= truth <= one.high for one in there) / len(there)


def _mean_of_papers(rng, how):
    effects, clusters = np.repeat(rng.normal(size=8), 3), [place for place in range(8) for _ in range(3)]
    return paired_bootstrap((effects + rng.normal(size=24)).tolist(), [0.0] * 24, how, clusters).interval


def _sparse_difference(rng, how):
    """Of two systems that are alike on eight texts of ten, and as often better as worse: in a sample it looks skewed."""
    return paired_bootstrap(rng.choice([-1.0, 0.0, 1.0], p=[0.1, 0.8, 0.1], size=20).tolist(), [0.0] * 20, how).interval


def _correlation(rng, how):
    x = rng.normal(size=8)
    return correlation_interval(x.tolist(), (0.75 * x + rng.normal(size=8)).tolist(), "pearson", how)


def _difference(rng, how):
    y = rng.normal(size=12)
    sides = [(y / 2 + rng.normal(size=12)).tolist() for _ in range(2)]
    return coefficient_difference(*sides, y.tolist(), [], "spearman", how)[2].interval


def _kappa(rng, how):
    first = rng.integers(0, 3, size=20)
    second = np.where(rng.random(20) < 0.7, first, rng.integers(0, 3, size=20))
    return intervals.kappa_interval(first.tolist(), second.tolist(), how)


def _squared_kappa(rng, how):
    """Of two raters who hardly know, on a scale whose highest level is rare: samples without it look worse than chance."""
    levels = rng.choice(3, p=[0.75, 0.2, 0.05], size=(30, 3))
    pair = np.where(rng.random((30, 2)) < 0.4, levels[:, :1], levels[:, 1:])
    return intervals.kappa_interval(*pair.T.tolist(), how, weighting="quadratic")


def _alpha(rng, how):
    truth = rng.integers(0, 3, size=(14, 1))
    ratings = np.where(rng.random((14, 3)) < 0.7, truth, rng.integers(0, 3, size=(14, 3)))
    return intervals.alpha_interval(ratings.tolist(), "nominal", how)


def _estimate(rng, how):
    people = rng.normal(size=108)
    scores = (people + 0.7 * rng.normal(size=108)).tolist()
    truth = [*people[:8].tolist(), *[None] * 100]
    weight = prediction_powered.estimate_mean(scores, truth).weight
    return prediction_powered.mean_intervals(scores, truth, weight, how)[0]


@pytest.mark.parametrize(
    ("make", "truth"),
    [
        (_mean_of_papers, 0.0),
        (_sparse_difference, 0.0),
        (_correlation, 0.6),
        (_difference, 0.0),
        (_kappa, 0.7),
        (_squared_kappa, 0.16),
        (_alpha, 0.49),
        (_estimate, 0.0),
    ],
    ids=["mean", "sparse difference", "correlation", "difference", "kappa", "quadratic kappa", "alpha", "estimate"],
)
def test_intervals_hold_the_truth_as_often_as_they_say(make, truth):
    """Seeds are fixed; .92 and .985 are over two and a half standard errors of 400 runs away from .95."""
    assert 0.92 <= _covers(lambda rng: make(rng, HOW), truth) <= 0.985


def test_a_bootstrap_of_eight_papers_does_not():
    how = Resampling(samples=300, method="bootstrap")
    assert _covers(lambda rng: _mean_of_papers(rng, how), 0.0) < 0.91


def test_alpha_of_the_simulation_is_what_is_said():
    rng = np.random.default_rng(1)
    truth = rng.integers(0, 3, size=(40_000, 1))
    ratings = np.where(rng.random((40_000, 3)) < 0.7, truth, rng.integers(0, 3, size=(40_000, 3)))
    assert coefficients.alpha(ratings.tolist(), "nominal").value == pytest.approx(0.49, abs=0.01)


# From outside.

LONG = [
    {"item": item, "rater": rater, "value": (item * 7 % 5) + (rater == "b") * (item % 2) / 2, "paper": item % 6}
    for item in range(18)
    for rater in "ab"
]


def test_effect_by_command():
    done = st("st-agree", "effect", "--interval", "jackknife", "--cluster", "paper", input=jsonl(*LONG))
    entry = json.loads(done.out)["difference"]
    assert (entry["interval"]["method"], entry["interval"]["df"], entry["interval"]["n_drawn"]) == ("jackknife", 5, 6)
    assert "samples" not in entry["interval"]
    means = [sum(one) / 3 for one in np.array([-(item % 2) / 2 for item in range(18)]).reshape(3, 6).T.tolist()]
    assert entry["p"] == pytest.approx(halls(means, 0.95)[2], rel=1e-6)
    assert "interval=jackknife" in json.loads(done.out)["signature"]


def test_tables_name_the_method_and_warn_of_few():
    lines = jsonl(*LONG)
    line = ("st-agree", "effect", "--cluster", "paper", "--table")
    table = st(*line, input=lines).out
    assert b"jackknife p" in table and b"[95% jackknife interval by paper, t with 5 df]" in table
    assert table.count(b"[some intervals are of fewer than 20 items or clusters") == 1
    assert b"[a bootstrap of fewer than 20" in st(*line, "--interval", "bootstrap", input=lines).out


def test_summaries_and_comparisons_by_command():
    line = ("text", "--compare", "lead-2", "model-a", ROOT / "fixtures" / "summaries.jsonl")
    *summaries, compared = map(json.loads, st("st-score", "--summary", *line).out.splitlines())
    assert [entry["interval"]["method"] for entry in (*summaries, compared)] == ["jackknife"] * 3
    scored = [json.loads(text) for text in st("st-score", "text", line[-1]).out.splitlines()]
    numbers = [
        score["values"]["rouge1"]
        for one in scored
        for score in one["scores"]
        if score["system"] == summaries[0]["system"]
    ]
    value = summaries[0]["values"]["rouge1"]
    assert (value["low"], value["high"]) == pytest.approx(halls(numbers, 0.95)[:2], rel=1e-6)
    assert compared["values"]["rouge1"]["difference"]["p"] < 1
    assert b"jackknife interval, by t]" in st("st-score", "--table", *line).out


def test_what_the_jackknife_does_not_use_is_refused():
    done = st("st-agree", "effect", "--resamples", "200", input=jsonl(*LONG))
    assert done.status == 2
    assert done.err == "st-agree: --resamples needs --interval bootstrap\n"
