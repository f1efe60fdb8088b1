"""What is said of a judge's scores beside people's: spread over runs, thresholds, conformal intervals, slopes."""

from __future__ import annotations

import itertools
import math
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scholartools.metrics.statistics.conformal import conformal_quantile, fit_line, levels_within
from scholartools.metrics.statistics.resampling import Resampling, weights
from scholartools.metrics.statistics.slopes import slope_given_levels, slope_interval
from scholartools.metrics.statistics.spread import mean_item_deviation, share_of_changes, spread
from scholartools.metrics.statistics.thresholds import assign_levels, fit_thresholds, mean_absolute_error


def test_spread_by_hand():
    found = spread([0.2, None, 0.5, 0.3])
    assert (found.median, found.low, found.high, found.n) == (0.3, 0.2, 0.5, 3)
    assert found.sd == pytest.approx(math.sqrt((0.1333333**2 + 0.1666667**2 + 0.0333333**2) / 2), abs=1e-6)
    assert spread([None, 0.4]).sd is None and spread([None]).median is None


def test_items_that_move_by_hand():
    runs = [[1, 2, None, 4], [3, 2, 5, None], [5, 2, None, None]]
    assert mean_item_deviation(runs) == ((1.0, None), 2)  # (1, 3, 5) has 2, (2, 2, 2) has 0, the others one score
    assert mean_item_deviation([[1, None]])[0].reason == "no item with scores of two runs"
    assert share_of_changes([[0, 1, 2, None], [0, 2, 2, 1], [0, 1, 2, 1]]) == ((1 / 3, None), 1, 3)
    assert share_of_changes([[None]])[0].value is None


scored = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 2)), min_size=1, max_size=12)


@given(scored)
def test_thresholds_have_the_least_error_of_all(pairs):
    scores, truth = [score for score, _ in pairs], [true for _, true in pairs]
    cuts = fit_thresholds(scores, truth, [0, 1, 2])
    found = mean_absolute_error(assign_levels(scores, cuts, [0, 1, 2]), truth)
    places = [-math.inf, *(score + 0.5 for score in range(-1, 7)), math.inf]
    best = min(
        mean_absolute_error(assign_levels(scores, pair, [0, 1, 2]), truth)
        for pair in itertools.combinations_with_replacement(places, 2)
    )
    assert found == pytest.approx(best, abs=1e-12)
    assert list(cuts) == sorted(cuts)


def test_thresholds_lie_midway_and_a_score_on_one_is_above_it():
    cuts = fit_thresholds([1, 2, 4, 9], [0, 0, 1, 2], [0, 1, 2])
    assert cuts == [3, 6.5]
    assert assign_levels([3, 2.9, None, 100], cuts, [0, 1, 2]) == [1, 0, None, 2]
    assert fit_thresholds([4, 4], [1, 1], [0, 1, 2]) == [-math.inf, math.inf]


def test_a_conformal_quantile_of_single_things_is_the_known_rank():
    """With groups of one it is the ceil((n + 1) P)-th smallest distance of split conformal prediction."""
    distances = random.Random(1).sample(range(1000), 19)
    for confidence in (0.5, 0.8, 0.9, 0.95):
        expected = sorted(distances)[math.ceil(20 * confidence - 1e-9) - 1]
        assert conformal_quantile(distances, range(19), confidence) == expected
    assert conformal_quantile(distances, range(19), 0.96) is None


def test_each_group_has_the_same_weight():
    # Two groups: four things at 0, and one at 7. Each has the weight 1/3.
    groups = ["a", "a", "a", "a", "b"]
    assert conformal_quantile([0, 0, 0, 0, 7], groups, 1 / 3) == 0
    assert conformal_quantile([0, 0, 0, 0, 7], groups, 0.34) == 7
    assert conformal_quantile([0, 0, 0, 0, 7], groups, 0.7) is None


def test_intervals_hold_new_groups_as_often_as_asked():
    draw = random.Random(4)
    held = []
    for _ in range(600):
        groups, distances = [], []
        for group in range(20):
            shift = draw.gauss(0, 1)
            size = draw.choice([1, 2, 6])
            groups += [group] * size
            distances += [abs(shift + draw.gauss(0, 0.3)) for _ in range(size)]
        new = [distance for distance, group in zip(distances, groups, strict=True) if group == 19]
        kept = [(distance, group) for distance, group in zip(distances, groups, strict=True) if group != 19]
        limit = conformal_quantile(*zip(*kept, strict=True), 0.8)
        held.append(sum(distance <= limit for distance in new) / len(new))
    assert 0.77 < sum(held) / len(held) < 0.86


def test_a_line_is_numpy_s_and_levels_are_those_within():
    scores, truth = [1.0, 2, 4, 5], [0, 1, 1, 2]
    line = fit_line(scores, truth)
    assert [line.slope, line.intercept] == pytest.approx(np.polyfit(scores, truth, 1).tolist())
    assert fit_line(scores, truth, is_flat=True).at(9) == 1 == fit_line([3, 3], [0, 2]).at(9)
    assert levels_within(0.9, 0.5, [0, 1, 2]) == (1, 1)
    assert levels_within(0.9, 1.1, [0, 1, 2]) == (0, 2)
    assert levels_within(0.4, 0.1, [0, 1, 2]) == (0, 0), "never empty"


X = [random.Random(2).gauss(0, 1) + i % 3 for i in range(45)]
Z = [float(random.Random(i).randrange(10, 60)) for i in range(45)]
TRUTH = [float(i % 3) for i in range(45)]


def least_squares(rows):
    """The coefficient of Z beside an intercept for each level, by numpy."""
    levels = sorted({TRUTH[i] for i in rows})
    design = [[Z[i], *(TRUTH[i] == level for level in levels)] for i in rows]
    return np.linalg.lstsq(np.array(design, dtype=float), np.array([X[i] for i in rows]), rcond=None)[0][0]


def test_a_slope_given_levels_is_that_of_least_squares_with_an_intercept_each():
    found = slope_given_levels(X, Z, TRUTH)
    assert found.value == pytest.approx(least_squares(range(45)), abs=1e-10)
    assert (found.n, found.n_levels, found.n_missing) == (45, 3, 0)
    how = Resampling(100, 0.8, 2, method="bootstrap")
    counts = np.concatenate(list(weights(45, how, [i // 5 for i in range(45)]))).astype(int)
    values = [least_squares(np.repeat(np.arange(45), row)) for row in counts]
    between = slope_interval(X, Z, TRUTH, how, [i // 5 for i in range(45)])
    assert (between.low, between.high) == pytest.approx(tuple(np.quantile(values, [0.1, 0.9])), abs=1e-9)


def _by_matrices(scores, of, truth, units):
    """t and its degrees of freedom, from whole matrices: the jackknife's squared error over its mean, and CR2's."""
    x, z, levels, units = (np.asarray(side) for side in (scores, of, truth, units))
    base = np.column_stack([*((levels == one) * 1.0 for one in np.unique(levels)), z])
    z_within = z - base[:, :-1] @ (base[:, :-1].T @ z / base[:, :-1].sum(axis=0))
    total = z_within @ z_within
    hat, g = base @ np.linalg.pinv(base), len(np.unique(units))
    loads = {exponent: np.zeros((len(x), g)) for exponent in (-0.5, -1.0)}
    for place, unit in enumerate(np.unique(units)):
        own = units == unit
        shares, turn = np.linalg.eigh(np.eye(own.sum()) - hat[np.ix_(own, own)])
        there = shares > 1e-9
        for exponent, load in loads.items():
            weight = (turn[:, there] * shares[there] ** exponent) @ turn[:, there].T @ z_within[own] / total
            load[:, place] = (np.eye(len(x)) - hat)[:, own] @ weight
    squares, raw = ((side.T @ side) for side in loads.values())
    slope = lambda kept: np.linalg.lstsq(base[kept], x[kept])[0][-1]  # noqa: E731
    without = np.array([slope(units != unit) for unit in np.unique(units)])
    error = (g - 1) / g * ((without - without.mean()) ** 2).sum() / (np.trace(raw) * total * (g - 1) / g)
    df = np.trace(squares) ** 2 / (squares**2).sum()
    return slope(units == units) / np.sqrt(error), max(1.0, min(g - 1, df))


@pytest.mark.parametrize("seed", range(6))
def test_a_slope_has_the_degrees_of_freedom_of_cr2(seed):
    rng = np.random.default_rng(seed)
    units = np.repeat(np.arange(12), rng.integers(1, 5, size=12)) if seed % 2 else np.arange(20)
    of = (rng.random(len(units)) < 0.4) * 1.0 if seed < 4 else np.exp(rng.normal(size=len(units)))
    truth, scores = rng.integers(0, 2, size=len(units)) * 1.0, rng.normal(size=len(units))
    found = slope_interval(scores.tolist(), of.tolist(), truth.tolist(), Resampling(), units.tolist())
    assert (found.t, found.df) == pytest.approx(_by_matrices(scores, of, truth, units), rel=1e-6)


def test_few_texts_with_a_property_have_few_degrees_of_freedom():
    flags, found = [1.0] * 2 + [0.0] * 18, 0
    for seed in range(300):
        rng = np.random.default_rng(seed)
        made = slope_interval(rng.normal(size=20).tolist(), flags, [0.0] * 20, Resampling())
        assert made.df < 2
        found += made.p < 0.05
    assert found <= 26  # .05 of 300 and three standard errors; with 19 degrees of freedom it is 41


def test_a_slope_of_a_flag_is_a_mean_difference_and_people_take_their_part():
    assert slope_given_levels([1, 1, 3, 3], [0, 0, 1, 1], [0, 0, 0, 0]).value == 2
    assert (
        slope_given_levels([1, 1, 3, 3], [0, 0, 1, 1], [0, 0, 2, 2]).reason
        == "the property is constant within each level of people's scores"
    )
    assert slope_given_levels([None], [1], [1]).reason == "no text has all three numbers"
    assert slope_given_levels([1, 2, None], [1, 2, 3], [0, 0, 0]).n_missing == 1
