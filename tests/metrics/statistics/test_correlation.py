"""Correlations against scipy, worked examples, and a plain loop over the same samples."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from scholartools.metrics.statistics import correlation as correlations
from scholartools.metrics.statistics.correlation import (
    MEASURES,
    correlation,
    correlation_interval,
    correlation_of_means,
    redrawn_means_interval,
)
from scholartools.metrics.statistics.resampling import Resampling, weights

SCIPY = {"pearson": stats.pearsonr, "spearman": stats.spearmanr, "kendall": stats.kendalltau}
X = [1.0, 2, 2, 3, 5, 8, 8, 9, 11, 4]
Y = [2.0, 1, 4, 4, 3, 9, 7, 7, 7, 5]


def test_spearman_of_a_worked_example():
    # Intelligence and hours of television of ten people: rho = 1 - 6 * 194 / (10 * 99) = -29/165
    iq = [106, 100, 86, 101, 99, 103, 97, 113, 112, 110]
    hours = [7, 27, 2, 50, 28, 29, 20, 12, 6, 17]
    assert correlation(iq, hours, "spearman").value == pytest.approx(-29 / 165, abs=1e-12)


def test_tau_b_of_kendall_s_own_example():
    """Kendall, Rank Correlation Methods, chapter 3: ten things ranked twice, with ties; 33 / sqrt(41 * 36) = .859."""
    first = [1, 2.5, 2.5, 4.5, 4.5, 6.5, 6.5, 8, 9.5, 9.5]
    second = [1, 2, 4.5, 4.5, 4.5, 4.5, 8, 8, 8, 10]
    assert correlation(first, second, "kendall").value == pytest.approx(33 / math.sqrt(41 * 36), abs=1e-12)


def test_tau_b_of_a_table_of_doses_and_adverse_responses():
    """SAS/STAT User's Guide, FREQ procedure, example of the Cochran-Armitage trend test: tau-b .3373."""
    no, yes = (26, 26, 23, 18, 9), (6, 7, 9, 14, 23)
    doses = [dose for counts in (no, yes) for dose, count in enumerate(counts) for _ in range(count)]
    adverse = [0] * sum(no) + [1] * sum(yes)
    assert correlation(doses, adverse, "kendall").value == pytest.approx(0.3373, abs=5e-5)


def test_tau_b_of_the_example_in_scipy_s_reference_guide():
    first, second = [12, 2, 1, 12, 2], [1, 4, 7, 1, 0]
    assert correlation(first, second, "kendall").value == pytest.approx(-0.47140452079103173, abs=1e-12)


def test_kendall_by_hand():
    # Six pairs: 4 concordant, 0 discordant, one tied in x, one tied in y: 4 / sqrt(5 * 5)
    assert correlation([1, 2, 2, 3], [1, 2, 3, 3], "kendall").value == pytest.approx(0.8, abs=1e-12)


def test_pearson_by_hand():
    assert correlation([1, 2, 3], [1, 3, 2], "pearson").value == pytest.approx(0.5, abs=1e-12)


numbers = (
    st.none()
    | st.integers(-3, 3).map(float)
    | st.floats(-1e6, 1e6, allow_subnormal=False).filter(lambda number: number == 0 or abs(number) > 1e-100)
)


@given(st.lists(st.tuples(numbers, numbers), max_size=25), st.sampled_from(MEASURES))
def test_correlations_are_scipy_s(pairs, measure):
    x, y = [one for one, _ in pairs], [other for _, other in pairs]
    both = np.array([pair for pair in pairs if None not in pair], dtype=float).reshape(-1, 2)
    result = correlation(x, y, measure)
    assert (result.n, result.n_missing) == (len(both), len(pairs) - len(both))
    assert (result.value is None) == (result.reason is not None)
    if result.value is not None:
        assert -1 <= result.value <= 1
        assert result.value == pytest.approx(SCIPY[measure](*both.T).statistic, abs=1e-9)
    elif len(both) >= 2:
        assert any(np.ptp(side) <= 1e-12 * 2 * abs(side).max() for side in both.T)


@pytest.mark.parametrize("measure", MEASURES)
def test_undefined_is_none_with_a_reason(measure):
    assert correlation([1, 1, 1], [1, 2, 3], measure).reason == "x is constant"
    assert correlation([1, 2, 3], [0.1 + 0.2, 0.3, 0.3], measure).reason == "y is constant"
    assert correlation([2, 2], [1, 1], measure).reason == "x and y are constant"
    assert correlation([1, None], [None, 2], measure).reason == "fewer than two pairs of numbers"
    assert correlation([], [], measure).value is None
    with pytest.raises(ValueError):
        correlation([1], [1, 2], measure)


@pytest.mark.parametrize("measure", MEASURES)
def test_whole_numbers_are_constant_only_if_equal(measure):
    large = [10**12, 10**12 + 1, 10**12 + 1]
    assert correlation([1, 2, 3], large, measure).value == pytest.approx(
        correlation([1, 2, 3], [0, 1, 1], measure).value
    )
    assert correlation([1, 2, 3], [10**12] * 3, measure).reason == "y is constant"


@pytest.mark.parametrize("factor", [1e-300, 1e300])
@pytest.mark.parametrize("measure", MEASURES)
def test_numbers_at_the_ends_of_their_range(measure, factor, recwarn):
    scaled = [value * factor for value in X]
    assert correlation(scaled, Y, measure).value == pytest.approx(correlation(X, Y, measure).value, abs=1e-12)
    assert not recwarn


lines = st.lists(st.integers(-1000, 1000), min_size=3, max_size=30, unique=True)


@given(lines, st.sampled_from([0.1, 1 / 3, -0.7, 1e5]), st.sampled_from([0, 0.3, 17.1]), st.sampled_from(MEASURES))
def test_what_lies_on_a_line_has_exactly_one(x, slope, offset, measure):
    x = [value / 10 for value in x]
    y = [slope * value + offset for value in x]
    one = math.copysign(1, slope)
    assert correlation(x, y, measure).value == one
    found = correlation_interval(x, y, measure, Resampling(30, method="bootstrap"))
    assert (found.low, found.high, found.reason) == (None, None, "the value is the same in nearly all samples")


def test_near_a_line_is_not_on_it_and_nothing_is_nothing():
    x = [1.0, 2, 3, 4, 5, 6]
    for size in (1e-3, 1e-5, 1e-7):
        y = [value + size * (-1) ** place for place, value in enumerate(x)]
        found = correlation(x, y, "pearson").value
        assert 0 < 1 - found == pytest.approx(1 - stats.pearsonr(x, y).statistic, abs=1e-15)
    assert correlation([-1, 0, 1], [1, -2, 1], "pearson").value == 0


def test_the_smallest_numbers_have_ranks():
    assert correlation([0, 0, 1], [0, 5e-324, 1], "spearman").value == pytest.approx(0.75**0.5)
    assert correlation([0, 1], [5e-324, 0], "pearson").value == -1


def percentiles(x, y, statistic, how, clusters=None):
    values = [
        statistic(np.repeat(x, row.astype(int)), np.repeat(y, row.astype(int)))
        for block in weights(len(x), how, clusters)
        for row in block
    ]
    known = [value for value in values if not math.isnan(value)]
    return np.quantile(known, [0.025, 0.975]), len(values) - len(known)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("n", [4, 10])
def test_an_interval_is_that_of_the_coefficient_of_each_sample(measure, n, monkeypatch):
    monkeypatch.setattr(correlations, "_SIGNS", 17)
    how = Resampling(300, seed=2, method="bootstrap")
    found = correlation_interval([*X[:n], None], [*Y[:n], 3], measure, how)
    expected, undefined = percentiles(X[:n], Y[:n], lambda x, y: SCIPY[measure](x, y).statistic, how)
    assert (found.low, found.high) == pytest.approx(tuple(expected), abs=1e-9)
    assert (found.n_undefined, found.n_drawn) == (undefined, n)
    assert undefined or n > 4


def test_an_outlier_does_not_spoil_the_samples_without_it():
    x = [1.0, 2, 3, 4, 1e9]
    found = correlation_interval(x, [2.0, 1, 4, 3, 5], "pearson", Resampling(500, method="bootstrap"))
    expected, _ = percentiles(
        x, [2.0, 1, 4, 3, 5], lambda x, y: np.corrcoef(x, y)[0, 1], Resampling(500, method="bootstrap")
    )
    assert (found.low, found.high) == pytest.approx(tuple(expected), abs=1e-6)


def test_clusters_are_drawn_whole():
    how = Resampling(200, method="bootstrap")
    found = correlation_interval(X, Y, "pearson", how, list("aabbccddee"))
    expected, _ = percentiles(X, Y, lambda x, y: np.corrcoef(x, y)[0, 1], how, list("aabbccddee"))
    assert (found.low, found.high, found.n_drawn) == (*map(pytest.approx, expected), 5)


def test_systems_are_correlated_by_their_means():
    systems = ["a", "a", "b", "b", "c", "c", "c", "d"]
    x, y = [1.0, 3, 4, 6, 1, 2, None, 9], [10.0, 20, 50, 30, 5, 7, 99, None]
    result = correlation_of_means(x, y, systems, "pearson")  # (2, 15), (5, 40), (1.5, 6)
    assert result.value == pytest.approx(np.corrcoef([2, 5, 1.5], [15, 40, 6])[0, 1])
    assert (result.n, result.n_missing) == (3, 2)
    assert correlation_of_means([1, 2], [1, 2], ["a", "a"], "pearson").reason == "fewer than two systems"
    found = correlations.correlation_of_means_interval(x, y, systems, "spearman", Resampling(200, method="bootstrap"))
    assert found.n_undefined > 0 and -1 <= found.low <= found.high <= 1


@pytest.mark.slow
@pytest.mark.parametrize("n_systems", [8, 20])
def test_intervals_of_other_systems_on_other_items_hold_where_those_of_items_do_not(n_systems):
    """300 studies of 30 items; the true correlation over systems is .7, that of means with noise as below."""
    held = dict.fromkeys(("items", "both"), 0)
    truth = 0.7 / (1 + 0.25 / 30)
    for seed in range(300):
        rng = np.random.default_rng(seed)
        x, y = rng.multivariate_normal([0, 0], [[1, 0.7], [0.7, 1]], size=n_systems).T[:, :, None]
        shared = rng.normal(size=30)
        x, y = (side + shared + 0.5 * rng.normal(size=(n_systems, 30)) for side in (x, y))
        systems, items = np.repeat(np.arange(n_systems), 30).tolist(), np.tile(np.arange(30), n_systems).tolist()
        for redraw in held:
            columns = x.ravel().tolist(), y.ravel().tolist(), systems
            found = redrawn_means_interval(*columns, "pearson", Resampling(), redraw, items)
            held[redraw] += found.low <= truth <= found.high
    assert held["items"] / 300 <= 0.75 and held["both"] / 300 >= 0.95 - 3 * 0.0126, held


def test_systems_that_are_left_out_are_the_jackknife_of_their_means():
    rng = np.random.default_rng(1)
    x, y = rng.normal(size=(2, 5, 12))
    means = x.mean(axis=1).tolist(), y.mean(axis=1).tolist()
    columns = x.ravel().tolist(), y.ravel().tolist(), np.repeat(np.arange(5), 12).tolist()
    found = redrawn_means_interval(*columns, "pearson", Resampling(), "systems")
    expected = correlation_interval(*means, "pearson", Resampling())
    assert (found.low, found.high, found.df) == (pytest.approx(expected.low), pytest.approx(expected.high), 4)
    both = redrawn_means_interval(*columns, "pearson", Resampling(), "both")
    assert both.low < found.low and both.high > found.high
    drawn = redrawn_means_interval(*columns, "pearson", Resampling(method="bootstrap"), "both")
    assert drawn.low is None and "jackknife" in drawn.reason
