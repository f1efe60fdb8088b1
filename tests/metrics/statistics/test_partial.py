"""Partial coefficients against residuals of least squares and the formula of one control, and compared coefficients."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from scholartools.metrics.statistics.correlation import MEASURES, correlation
from scholartools.metrics.statistics.grouped import correlation_within, correlation_within_interval
from scholartools.metrics.statistics.partial import coefficient_difference, partial_correlation, partial_interval
from scholartools.metrics.statistics.resampling import SAME_IN_SAMPLES, Resampling, weights

GENERATOR = np.random.default_rng(7)
Z = GENERATOR.integers(0, 6, 40).astype(float).tolist()
W = GENERATOR.normal(size=40).tolist()
X = [z + w + e for z, w, e in zip(Z, W, GENERATOR.normal(size=40), strict=True)]
Y = [2 * z - w + round(e) for z, w, e in zip(Z, W, GENERATOR.normal(size=40), strict=True)]


def residuals(side, controls):
    """What least squares on the controls leave of a column."""
    design = np.column_stack([np.ones(len(side)), *controls])
    return side - design @ np.linalg.lstsq(design, np.asarray(side), rcond=None)[0]


@pytest.mark.parametrize("controls", [[Z], [Z, W]], ids=["one", "two"])
def test_pearson_is_that_of_residuals(controls):
    expected = stats.pearsonr(residuals(X, controls), residuals(Y, controls)).statistic
    assert partial_correlation(X, Y, controls, "pearson").value == pytest.approx(expected, abs=1e-10)


@pytest.mark.parametrize("controls", [[Z], [Z, W]], ids=["one", "two"])
def test_spearman_is_that_of_residuals_of_ranks(controls):
    x, y, *held = (stats.rankdata(side) for side in (X, Y, *controls))
    expected = stats.pearsonr(residuals(x, held), residuals(y, held)).statistic
    assert partial_correlation(X, Y, controls, "spearman").value == pytest.approx(expected, abs=1e-10)


@pytest.mark.parametrize("measure", MEASURES)
def test_one_control_is_the_formula(measure):
    xy, xz, yz = (correlation(*pair, measure).value for pair in ((X, Y), (X, Z), (Y, Z)))
    expected = (xy - xz * yz) / math.sqrt((1 - xz**2) * (1 - yz**2))
    assert partial_correlation(X, Y, [Z], measure).value == pytest.approx(expected, abs=1e-12)
    assert abs(expected - xy) > 0.05


def test_without_a_control_it_is_the_plain_coefficient_and_missing_numbers_leave_the_row():
    assert partial_correlation(X, Y, [], "kendall") == correlation(X, Y, "kendall")
    gap = [None, *Z[1:]]
    assert partial_correlation(X, Y, [gap], "pearson") == partial_correlation([None, *X[1:]], Y, [Z], "pearson")
    assert partial_correlation(X, Y, [gap], "pearson").n_missing == 1


def test_undefined_is_none_with_a_reason():
    assert partial_correlation(X, Y, [[1.0] * 40], "spearman").reason == "the control is constant"
    assert partial_correlation(X, Y, [X], "pearson").reason == "x, y and the controlled variables determine each other"
    assert partial_correlation(X, Y, [Z, [3] * 40], "pearson").reason == "control 2 is constant"
    assert partial_correlation([1, 2], [2, 1], [[None, 1]], "pearson").value is None


@pytest.mark.parametrize("controls", [[], [Z]], ids=["plain", "partial"])
@pytest.mark.parametrize("measure", MEASURES)
def test_the_bootstrap_is_that_of_a_plain_loop(measure, controls):
    """The same samples, each correlated on its own: interval of a coefficient, difference of two, and its p."""
    how = Resampling(120, 0.9, 3, method="bootstrap")
    clusters = [i // 4 for i in range(40)]
    counts = np.concatenate(list(weights(40, how, clusters))).astype(int)
    drawn = [np.repeat(np.arange(40), row) for row in counts]

    def of(side, rows):
        taken = [[column[i] for i in rows] for column in (side, Y, *controls)]
        return partial_correlation(taken[0], taken[1], taken[2:], measure).value

    of_x = np.array([of(X, rows) for rows in drawn])
    found = partial_interval(X, Y, controls, measure, how, clusters)
    assert (found.low, found.high) == pytest.approx(tuple(np.quantile(of_x, [0.05, 0.95])), abs=1e-9)
    one, other, difference = coefficient_difference(X, W, Y, controls, measure, how, clusters)
    assert difference.value == pytest.approx(one.value - other.value, abs=1e-12)
    samples = of_x - np.array([of(W, rows) for rows in drawn])
    ends = tuple(np.quantile(samples, [0.05, 0.95]))
    assert (difference.interval.low, difference.interval.high) == pytest.approx(ends, abs=1e-9)
    away = int((np.abs(samples - difference.value) >= abs(difference.value)).sum())
    assert difference.p == pytest.approx((1 + away) / 121, abs=1e-12)


def test_a_measure_compared_with_itself_differs_by_nothing():
    _, _, found = coefficient_difference(X, X, Y, [], "spearman", Resampling(200, method="bootstrap"))
    assert (found.value, found.p, found.interval.low, found.reason) == (0, 1, None, SAME_IN_SAMPLES)


@given(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1)), min_size=2, max_size=30))
def test_two_binary_columns_have_one_coefficient(pairs):
    """r = rho = tau-b where each side has two values (the rows of Table 5 where a method gave two)."""
    found = [correlation(*zip(*pairs, strict=True), measure) for measure in MEASURES]
    assert len({one.reason for one in found}) == 1
    if found[0].value is not None:
        assert found[0].value == pytest.approx(found[1].value, abs=1e-9) == pytest.approx(found[2].value, abs=1e-9)


def test_within_groups_it_is_the_mean_of_theirs():
    groups = ["a"] * 4 + ["b"] * 3 + ["c"] * 3 + ["d"]
    x = [1, 2, 3, 4, 1, 2, 3, 5, 5, 5, 9.0]
    y = [1, 3, 2, 4, 3, 2, 1, 1, 2, 3, None]
    found = correlation_within(x, y, groups, "spearman")
    assert found.of_group == {"a": pytest.approx(0.8), "b": -1}  # 1 - 6 * 2 / (4 * 15), and the reverse
    assert found.value == pytest.approx(-0.1)
    assert (found.n, found.n_constant, found.n_small, found.n_missing) == (2, 1, 1, 1)
    nothing = correlation_within(x[-4:], y[-4:], groups[-4:], "spearman")
    assert (nothing.value, nothing.reason) == (None, "both sides vary in none of the groups")
    assert correlation_within_interval(nothing, Resampling(100, method="bootstrap")).low is None


def test_the_interval_within_groups_is_of_drawn_groups():
    groups = [i // 4 for i in range(40)]
    found = correlation_within(X, Y, groups, "pearson")
    values = np.array(list(found.of_group.values()))
    means = np.concatenate([block @ values / 10 for block in weights(10, Resampling(300, method="bootstrap"))])
    between = correlation_within_interval(found, Resampling(300, method="bootstrap"))
    assert (between.low, between.high) == pytest.approx(tuple(np.quantile(means, [0.025, 0.975])), abs=1e-12)
    assert correlation_within_interval(found, Resampling(300, method="bootstrap"), [0] * 5 + [1] * 5).n_drawn == 2


def test_the_mean_correlation_of_few_groups_of_three_has_no_interval():
    rng = np.random.default_rng(3)

    def made(n, measure, size=3):
        x, y = rng.normal(size=(2, n * size))
        return correlation_within_interval(
            correlation_within(x.tolist(), y.tolist(), np.repeat(np.arange(n), size).tolist(), measure), Resampling()
        )

    assert made(13, "spearman").reason == "13 groups of up to 3, fewer than the 14 that their mean needs"
    assert made(7, "pearson").reason == "7 groups of up to 3, fewer than the 8 that their mean needs"
    assert None not in (
        made(14, "spearman").low,
        made(8, "pearson").low,
        made(7, "pearson", 4).low,
        made(13, "pearson").low,
        made(13, "kendall", 4).low,
    )
