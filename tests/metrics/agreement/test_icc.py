"""Intraclass correlations: the published example, pingouin's numbers, and how often intervals hold the truth."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats
from support.run import jsonl, st

from scholartools.metrics.agreement.icc import FORMS, intraclass_correlations, jackknife_intervals
from scholartools.metrics.statistics.resampling import Resampling

# Shrout & Fleiss (1979), table 2: six targets, four judges; table 4 has the six coefficients to two digits.
TARGETS = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
PUBLISHED = (0.17, 0.29, 0.71, 0.44, 0.62, 0.91)


def test_the_published_example():
    found = intraclass_correlations(TARGETS)
    assert tuple(one.form for one in found) == FORMS
    assert [one.value for one in found] == pytest.approx(PUBLISHED, abs=0.005)
    assert [one.df for one in found[:3]] == [(5, 18), (5, 15), (5, 15)]
    # pingouin 0.7.0 of the same ratings: F, p, and ends with two digits.
    assert [one.f for one in found[:3]] == pytest.approx([1.794678, 11.027248, 11.027248], abs=1e-6)
    assert [one.p for one in found[:3]] == pytest.approx([0.164769, 0.000135, 0.000135], abs=1e-6)
    ends = [(-0.13, 0.72), (0.02, 0.76), (0.34, 0.95), (-0.88, 0.91), (0.07, 0.93), (0.68, 0.99)]
    assert [(one.low, one.high) for one in found] == [pytest.approx(pair, abs=0.0051) for pair in ends]


def test_random_tables_are_as_pingouin_has_them():
    pingouin = pytest.importorskip("pingouin")
    import pandas as pd

    rng, n_compared = np.random.default_rng(7), 0
    for _ in range(40):
        n, k = rng.integers(3, 15), rng.integers(2, 6)
        table = rng.normal(size=(n, 1)) * rng.random() * 2 + rng.normal(size=(n, k)) + rng.normal(size=k)
        rows = [(i, j, table[i, j]) for i in range(n) for j in range(k)]
        reference = pingouin.intraclass_corr(pd.DataFrame(rows, columns=["i", "r", "v"]), "i", "r", "v")
        for ours, (_, row) in zip(intraclass_correlations(table.tolist()), reference.iterrows(), strict=True):
            assert (ours.value, ours.f, ours.p) == pytest.approx((row["ICC"], row["F"], row["pval"]), abs=1e-6)
            if ours.low is not None:
                ends = row[next(name for name in reference.columns if name.startswith("CI"))]
                if np.isnan(ends).any():  # pingouin takes infinity from infinity where degrees of freedom are near 0
                    continue
                assert (ours.low, ours.high) == pytest.approx(tuple(ends), abs=0.0051)
                n_compared += 1
    assert n_compared > 200


@pytest.mark.parametrize(("place", "of_raters"), [(0, 1.0), (1, 1.0), (2, 1.0), (2, 9.0)])
def test_intervals_hold_the_truth_as_often_as_they_say(place, of_raters):
    """Variance of items 2, of raters, of the rest 1: what each form estimates is known; 1,500 tables of 10 x 4."""
    rng, held, repeats = np.random.default_rng(place), 0, 1500
    truth = [2 / (2 + 1 + 1), 2 / (2 + 1 + 1), 2 / (2 + 1)][place]
    for _ in range(repeats):
        raters = rng.normal(size=(10, 4)) if place == 0 else rng.normal(size=(1, 4)) * np.sqrt(of_raters)
        table = rng.normal(size=(10, 1)) * np.sqrt(2) + raters + rng.normal(size=(10, 4))
        found = intraclass_correlations(table.tolist())[place]
        held += found.low <= truth <= found.high
    assert 0.93 <= held / repeats <= 0.975


def test_every_end_is_a_number():
    rng = np.random.default_rng(3)
    for _ in range(300):
        table = rng.integers(1, 4, size=(rng.integers(2, 5), rng.integers(2, 4)))
        for found in intraclass_correlations(table.tolist()):
            numbers = [one for one in (found.value, found.f, found.p, found.low, found.high) if one is not None]
            assert np.isfinite(numbers).all() and (found.low is None) == (found.high is None) == (
                found.reason is not None
            )
            assert found.low is None or found.low - 1e-9 <= found.value <= found.high + 1e-9


def test_scale_and_place_change_nothing():
    """Powers of two and whole offsets leave every digit that numbers of this size have."""
    for scale, offset in ((2.0**300, 0), (2.0**-300, 0), (1, 2**30)):
        moved = [[value * scale + offset for value in row] for row in TARGETS]
        for one, other in zip(intraclass_correlations(TARGETS), intraclass_correlations(moved), strict=True):
            assert (other.value, other.low, other.high) == pytest.approx((one.value, one.low, one.high), abs=1e-6)


@pytest.mark.parametrize(
    ("ratings", "reason"),
    [
        ([[3, 3], [3, 3]], "only one value occurs"),
        ([[1, 2]], "fewer than two items"),
        ([], "fewer than two items"),
        ([[1], [2]], "fewer than two raters"),
    ],
)
def test_what_has_no_correlation_is_null_with_the_reason(ratings, reason):
    for found in intraclass_correlations(ratings):
        assert found.value is None and found.reason.startswith(reason)


def test_equal_raters_agree_and_nothing_says_how_surely():
    for found in intraclass_correlations([[0.1, 0.1, 0.1], [0.7, 0.7, 0.7], [0.3, 0.3, 0.3]]):
        assert found.value == 1 and found.low is None and found.reason.startswith("the ratings of an item do not vary")
    shifted = intraclass_correlations([[1, 2], [5, 6], [3, 4]])
    assert shifted[2].value == 1 and shifted[2].low is None and shifted[1].value < 1 and shifted[1].low is None


def test_items_that_a_rater_left_out_are_counted_from_outside():
    rows = [{"item": i, "rater": r, "value": str(v)} for i, row in enumerate(TARGETS) for r, v in enumerate(row)]
    more = [{"item": 9, "rater": 0, "value": 3}, {"item": 9, "rater": 1, "value": None}]
    done = st("st-agree", "icc", input=jsonl(*rows, *more))
    assert [one["value"] for one in done.records] == pytest.approx(PUBLISHED, abs=0.005)
    assert {(one["n_items"], one["n_raters"], one["n_incomplete"], one["n_missing"]) for one in done.records} == {
        (6, 4, 1, 1)
    }
    assert len({one["signature"] for one in done.records}) == 6
    wider = st("st-agree", "icc", "--confidence", "0.8", input=jsonl(*rows, *more)).records
    assert all(
        one["interval"]["low"] < other["interval"]["low"] and one["signature"] != other["signature"]
        for one, other in zip(done.records, wider, strict=True)
    )
    table = st("st-agree", "icc", "--table", input=jsonl(*rows, *more)).out.decode()
    assert "ICC(3,k)  0.909 [0.676, 0.986] (6)" in table and "left out: 1 item that not all raters rated" in table
    assert "[95% F interval: items taken to be independent and ratings normal" in table
    assert "and the jackknife interval .85 to .97]" in table


def test_a_jackknife_is_of_fisher_scale_for_k_ratings_and_needs_no_independent_items():
    """By hand: leave one of ten papers out, artanh's kin for three raters, t of fewer degrees where one paper tells."""
    rng = np.random.default_rng(4)
    papers = np.repeat(np.arange(10), 2)
    table = rng.normal(size=(20, 1)) + np.repeat(rng.normal(size=(10, 1)), 2, axis=0) + rng.normal(size=(20, 3))

    def scale(kept):
        r = intraclass_correlations(table[kept].tolist())[1].value
        return np.log((1 + 2 * r) / (1 - r)) / 2

    without = np.array([scale(papers != paper) for paper in range(10)])
    away = without - without.mean()
    error = np.sqrt(0.9 * (away**2).sum())
    kurtosis = max(0.0, 10 * (away**4).sum() / (away**2).sum() ** 2 - 3)
    reach = stats.t.ppf(0.975, 2 / (2 / 9 + kurtosis / 10)) * error
    ends = [(np.exp(2 * z) - 1) / (np.exp(2 * z) + 2) for z in (scale(papers >= 0) - reach, scale(papers >= 0) + reach)]
    found = jackknife_intervals(table.tolist(), Resampling(), papers.tolist())
    assert (found[1].low, found[1].high) == pytest.approx(ends)
    assert found[4].low == pytest.approx(3 * ends[0] / (1 + 2 * ends[0])) and found[1].n_drawn == 10
    rows = [
        {"item": i, "paper": i // 2, "rater": r, "value": v}
        for i, of in enumerate(table.tolist())
        for r, v in enumerate(of)
    ]
    told = st("st-agree", "icc", "--cluster", "paper", input=jsonl(*rows)).records[1]
    assert (told["p"], told["interval"]["low"]) == (None, None) and "those of one paper are not" in told["interval"][
        "reason"
    ]
    assert told["jackknife"]["low"] == pytest.approx(ends[0])
    assert "fewer than the 8" in jackknife_intervals(table[:7].tolist(), Resampling())[0].reason


def test_the_jackknife_is_too_short_where_most_ratings_are_one_value_as_the_documentation_says():
    """Ratings of which 76% are the lowest of four levels: the coverage with 20 items is .88, well below .95."""
    rng = np.random.default_rng(3)

    def rated(n):
        return np.digitize(rng.normal(size=(n, 1)) + rng.normal(size=(n, 3)), [1, 2, 3])

    truth = intraclass_correlations(rated(50_000).tolist())[1].value
    found = [jackknife_intervals(rated(20).tolist(), Resampling())[1] for _ in range(400)]
    held = np.mean([one.low <= truth <= one.high for one in found if one.low is not None])
    assert 0.84 < held < 0.92
