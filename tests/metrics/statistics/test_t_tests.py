"""Two systems compared, against published examples, scipy and plain definitions; and the fit of weights."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from scholartools.errors import UsageFault
from scholartools.metrics.statistics.paired_bootstrap import (
    paired_bootstrap,
    paired_ratios,
)
from scholartools.metrics.statistics.resampling import SAME_IN_SAMPLES, Resampling, draws, weights
from scholartools.metrics.statistics.t_tests import (
    cohen_d,
    paired_t,
    power,
    settle_difference,
    zero_if_rounding,
)
from scholartools.metrics.statistics.weight_fit import fit_weights

# Student (1908), "The Probable Error of a Mean": hours of sleep gained by two drugs; t = 4.06
FIRST_DRUG = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0]
SECOND_DRUG = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]


def test_paired_t_of_student_s_example():
    test = paired_t([*SECOND_DRUG, None], [*FIRST_DRUG, 1.0])
    assert (round(test.t, 4), test.df, round(test.p, 6), test.n) == (4.0621, 9, 0.002833, 10)


numbers = st.lists(st.tuples(*[st.integers(-50, 50).map(lambda n: n / 4)] * 2), min_size=2, max_size=20)


@given(numbers)
def test_paired_t_is_scipy_s(pairs):
    first, second = zip(*pairs, strict=True)
    test = paired_t(first, second)
    if len({one - other for one, other in pairs}) == 1:
        assert (test.t, test.p, test.reason) == (None, None, "all differences are equal")
    else:
        expected = stats.ttest_rel(first, second)
        assert (test.t, test.p) == (pytest.approx(expected.statistic), pytest.approx(expected.pvalue))


def test_differences_that_only_rounding_tells_apart_are_equal():
    first, second = [0.3, 0.5, 0.9, 1.2], [0.2, 0.4, 0.8, 1.1]
    assert len({one - other for one, other in zip(first, second, strict=True)}) > 1
    assert paired_t(first, second).reason == "all differences are equal"
    found = paired_bootstrap(first, second, Resampling(100, method="bootstrap"))
    assert (found.interval.low, found.reason) == (None, SAME_IN_SAMPLES) and found.value == pytest.approx(0.1)
    assert cohen_d([0.1 + 0.2, 0.3], [0.4, 0.4]).reason == "the numbers of both systems are constant"


def test_cohen_d_by_hand():
    # Means 3 and 5; variances over n 2 and 2, over n - 1 both 2.5
    first, second = [1, 2, 3, 4, 5], [3, 4, 5, 6, 7]
    assert cohen_d(first, second).value == pytest.approx(-2 / 2**0.5)
    assert cohen_d(first, second, ddof=1).value == pytest.approx(-2 / 2.5**0.5)
    uneven = cohen_d([1, 3, None], [2, 4, 6, 8])  # 2 and 5; sums of squares 2 and 20
    assert uneven.value == pytest.approx(-3 / (22 / 6) ** 0.5) and uneven.n == (2, 4)
    assert cohen_d([1, 3], [2, 4, 6, 8], ddof=1).value == pytest.approx(-3 / (22 / 4) ** 0.5)
    assert cohen_d([1e200, 3e200], [4e200, 6e200]).value == pytest.approx(-3)
    assert cohen_d([], [1]).means == (None, 1)
    assert "fewer than two" in cohen_d([1], [2, 3], ddof=1).reason
    with pytest.raises(UsageFault):
        cohen_d([1, 2], [3, 4], ddof=2)


def test_paired_bootstrap_is_its_definition():
    how = Resampling(400, seed=5, method="bootstrap")
    found = paired_bootstrap([*SECOND_DRUG, None], [*FIRST_DRUG, 2.0], how)
    differences = np.array(SECOND_DRUG) - np.array(FIRST_DRUG)
    means = np.array([np.repeat(differences, row.astype(int)).mean() for block in weights(10, how) for row in block])
    assert (found.interval.low, found.interval.high) == pytest.approx(tuple(np.quantile(means, [0.025, 0.975])))
    extreme = int((abs(means - differences.mean()) >= differences.mean()).sum())
    assert found.p == (1 + extreme) / 401 and found.n == 10
    assert found.value == pytest.approx(1.58)


def test_paired_bootstrap_at_its_ends():
    same = paired_bootstrap([1, 2, 3], [1, 2, 3], Resampling(100, method="bootstrap"))
    assert (same.value, same.p, same.interval.low, same.reason) == (0, 1, None, SAME_IN_SAMPLES)
    assert paired_bootstrap([*range(1, 21)], [*range(20)], Resampling(100, method="bootstrap")).p == 1 / 101
    assert paired_bootstrap([1, None], [None, 2], Resampling(method="bootstrap")).reason == "no item of both"
    assert paired_bootstrap([2], [1], Resampling(method="bootstrap")).reason.startswith("fewer than two items")
    one_paper = paired_bootstrap([1, 2, 3], [3, 1, 1], Resampling(method="bootstrap"), ["p"] * 3)
    assert (one_paper.p, one_paper.interval.n_drawn) == (None, 1)


def test_few_items_are_no_proof_however_alike_they_differ():
    """An exact test of n differences, by their signs, has no p below 2 / 2 ** n."""
    for n in (2, 3, 4, 5, 8):
        found = paired_bootstrap([1 + 0.01 * item for item in range(n)], [0] * n, Resampling(2000, method="bootstrap"))
        exact = stats.wilcoxon([1 + 0.01 * item for item in range(n)], method="exact").pvalue
        assert found.p == exact == 2.0 ** (1 - n)
    four_of_two = paired_bootstrap([1, 1.1, 1.2, 1.3], [0] * 4, Resampling(2000, method="bootstrap"), list("ppqq"))
    assert four_of_two.p == 0.5


def test_the_bootstrap_of_pooled_ratios_is_its_definition():
    first, second = ([1, 2, 0, 3, 1, 2], [2, 2, 1, 5, 2, 4]), ([0, 1, 1, 2, 0, 2], [2, 3, 1, 4, 1, 4])
    how = Resampling(400, seed=5, method="bootstrap")
    found = paired_ratios(first, second, how)
    assert found.value == pytest.approx(9 / 16 - 6 / 15) and found.n == 6
    drawn = [np.repeat(np.arange(6), row.astype(int)) for block in weights(6, how) for row in block]
    sides = [[np.array(part) for part in side] for side in (first, second)]
    values = [sides[0][0][r].sum() / sides[0][1][r].sum() - sides[1][0][r].sum() / sides[1][1][r].sum() for r in drawn]
    assert (found.interval.low, found.interval.high) == pytest.approx(tuple(np.quantile(values, [0.025, 0.975])))
    extreme = sum(abs(value - found.value) >= abs(found.value) - 1e-12 for value in values)
    assert found.p == (1 + extreme) / 401
    clustered = paired_ratios(first, second, how, list("aabbcc"))
    assert clustered.interval.n_drawn == 3 and clustered.p >= 0.25 and clustered.value == found.value


def test_pooled_ratios_at_their_ends():
    assert paired_ratios(([], []), ([], []), Resampling(method="bootstrap")).reason == "no item of both"
    assert paired_ratios(([1], [0]), ([1], [2]), Resampling(method="bootstrap")).reason == "the divisor is 0"
    one = paired_ratios(([1], [2]), ([1], [4]), Resampling(method="bootstrap"))
    assert (one.value, one.p, one.interval.low) == (0.25, None, None) and one.reason.startswith("fewer than two items")
    same = paired_ratios(([1, 2], [2, 3]), ([1, 2], [2, 3]), Resampling(100, method="bootstrap"))
    assert (same.value, same.p, same.interval.low, same.reason) == (0, 1, None, SAME_IN_SAMPLES)
    sparse = paired_ratios(([1, 0, 1], [1, 0, 2]), ([0, 0, 1], [1, 0, 2]), Resampling(300, method="bootstrap"))
    assert 0 < sparse.interval.n_undefined < 300 and sparse.value == pytest.approx(1 / 3)


def test_p_is_about_uniform_where_there_is_no_difference():
    source = random.Random(4)
    ps = [
        paired_bootstrap(
            *([source.gauss(0, 1) for _ in range(40)] for _ in range(2)), Resampling(200, method="bootstrap")
        ).p
        for _ in range(200)
    ]
    assert 0.02 <= sum(p < 0.05 for p in ps) / 200 <= 0.1


def test_power_is_the_share_of_scipy_s_tests():
    source = random.Random(7)
    first = [source.gauss(0, 1) for _ in range(20)]
    second = [value + source.gauss(0.5, 1) for value in first[:15]] + [None] * 5
    how = Resampling(200, seed=3, method="bootstrap")
    found = power(first, second, how)
    streams = (np.concatenate(list(draws(n, how, 20, stream))) for stream, n in enumerate((20, 15)))
    drawn = [np.array(side)[rows] for side, rows in zip((first, second[:15]), streams, strict=True)]
    assert found.unpaired == (stats.ttest_ind(*drawn, axis=1).pvalue < 0.05).mean()
    rows = np.concatenate(list(draws(15, how)))
    pairs = np.array(first[:15])[rows], np.array(second[:15])[rows]
    assert found.paired == (stats.ttest_rel(*pairs, axis=1).pvalue < 0.05).mean()
    assert 0 < found.unpaired < 1 and (found.n, found.n_shared) == ((20, 15), 15)


def test_power_at_its_ends():
    far = power([1, 2, 3, 4, 5, 6, 7, 8], [101, 103, 102, 105, 104, 108, 107, 106])
    assert (far.unpaired, far.paired, far.n_undefined, far.reason) == (1, 1, (0, 0), None)
    for other in (0.1, 0.3):
        constant = power([0.1] * 5, [other] * 5)
        assert (constant.unpaired, constant.paired, constant.n_undefined) == (None, None, (1000, 1000))
        assert "no sample has an unpaired t-test" in constant.reason and "no sample has a paired" in constant.reason
        assert paired_t([0.1] * 5, [other] * 5).p is None
    shifted = power([0.1, 0.2, 0.3, 0.4, 0.5], [1.1, 1.2, 1.3, 1.4, 1.5])
    assert shifted.unpaired == 1 and (shifted.paired, shifted.n_undefined[1]) == (None, 1000)
    assert shifted.reason == "no sample has a paired t-test: all differences are equal in each"
    few = power([1, 2, None], [None, None, 2])
    assert (few.unpaired, few.paired) == (None, None)
    assert few.reason == "fewer than two numbers of a system; fewer than two shared items"
    assert power([1, 2, 3, None, None], [None, None, None, 4, 5]).paired is None


def test_samples_without_a_test_find_nothing_and_are_counted():
    # Differences 1, 1, 1 and 2: a sample without the last has no t; one with it, whatever its t, has.
    first, second, how = [2, 2, 2, 3], [1, 1, 1, 1], Resampling(4000, seed=1, method="bootstrap")
    found = power(first, second, how)
    rows = np.concatenate(list(draws(4, how)))
    drawn = (np.array(first) - np.array(second))[rows]
    varied = drawn[drawn.min(axis=1) < drawn.max(axis=1)]
    assert found.n_undefined[1] == 4000 - len(varied) > 1000
    assert found.paired == (stats.ttest_1samp(varied, 0, axis=1).pvalue < 0.05).sum() / 4000


CLUSTERS = list("aaaabbbccd")


def of_clusters(values):
    return [np.mean([v for v, c in zip(values, CLUSTERS, strict=True) if c == name]) for name in "abcd"]


def test_with_clusters_the_t_test_is_that_of_their_means():
    test = paired_t([*SECOND_DRUG, 9.0], [*FIRST_DRUG, None], [*CLUSTERS, "only here"])
    expected = stats.ttest_rel(of_clusters(SECOND_DRUG), of_clusters(FIRST_DRUG))
    assert (test.t, test.p) == pytest.approx((expected.statistic, expected.pvalue))
    assert (test.n, test.df) == (4, 3)
    assert paired_t([1, 2, 3], [0, 0, 0], ["p"] * 3).reason == "fewer than two clusters of items of both"
    assert paired_t([1, 2, 2, 1], [0] * 4, list("ppqq")).reason == "all clusters' mean differences are equal"
    alone = paired_t(SECOND_DRUG, FIRST_DRUG, list(range(10)))
    assert alone == paired_t(SECOND_DRUG, FIRST_DRUG), "a cluster of one item is an item"


def test_with_clusters_power_is_that_of_their_means():
    how = Resampling(300, seed=2, method="bootstrap")
    expected = power(of_clusters(FIRST_DRUG), of_clusters(SECOND_DRUG), how)
    found = power(FIRST_DRUG, SECOND_DRUG, how, clusters=CLUSTERS)
    assert (found.unpaired, found.paired) == (expected.unpaired, expected.paired)
    assert (found.n, found.n_shared) == ((4, 4), 4)
    assert power([1, 2], [3, 5], how, clusters="pp").reason == (
        "fewer than two clusters of a system; fewer than two shared clusters"
    )


def test_a_difference_of_equal_means_is_nothing():
    first, second = [1.0, 2 / 3, 2 / 3], [1.0, 1 / 3, 1.0]
    assert paired_bootstrap(first, second, Resampling(100, method="bootstrap")).value != 0
    found = settle_difference(paired_bootstrap(first, second, Resampling(100, method="bootstrap")), first, second)
    assert (found.value, paired_t(first, second).t, cohen_d(first, second).value) == (0, 0, 0)
    assert paired_t(first, second).p == 1
    assert (
        zero_if_rounding(1e-6, first, second) == 1e-6
        and zero_if_rounding(-1e-17, first) == 0
        and zero_if_rounding(1e-17, [1e-10]) == 1e-17
    )
    assert zero_if_rounding(1e-20, [1e-300]) == 1e-20 and zero_if_rounding(0.0) == 0


def test_a_test_at_its_level_has_its_power():
    """Where there is no difference at all a sample of two halves differs now and then; a large one always."""
    source = random.Random(1)
    same = [source.gauss(0, 1) for _ in range(200)]
    assert power(same, same[::-1]).unpaired < 0.1
    assert power(same, [value + 1 for value in same]).unpaired > 0.99


def test_the_seed_decides():
    first, second = FIRST_DRUG, SECOND_DRUG
    assert power(first, second, Resampling(300, seed=1, method="bootstrap")) == power(
        first, second, Resampling(300, seed=1, method="bootstrap")
    )
    assert power(first, second, Resampling(300, seed=1, method="bootstrap")) != power(
        first, second, Resampling(300, seed=2, method="bootstrap")
    )


# Weights


def test_known_weights_are_found():
    source = random.Random(2)
    known, maxima = [0.1, 0.3, 0.3, 0.3], [3, 4, 4, 3]
    ratings = [[source.randint(1, top) for top in maxima] for _ in range(50)]
    overall = [sum(w * r / top for w, r, top in zip(known, row, maxima, strict=True)) for row in ratings]
    found = fit_weights([*ratings, [1, None, 1, 1], [1, 1, 1, 1]], [*overall, 0.5, None], maxima)
    assert found.weights == pytest.approx(known) and found.normalised == pytest.approx(known)
    assert found.mse == pytest.approx(0, abs=1e-20)
    assert (found.n, found.n_missing, found.reason) == (50, 2, None)
    doubled = fit_weights(ratings, [2 * value for value in overall], maxima)
    assert doubled.weights == pytest.approx([2 * w for w in known]) and doubled.normalised == pytest.approx(known)


def test_a_fit_by_hand():
    # One facet of maximum 2: r/max .5 and 1, overall .5 and .8: w = (.25 + .8) / 1.25 = .84; errors .08 and -.04
    found = fit_weights([[1], [2]], [0.5, 0.8], [2])
    assert found.weights == pytest.approx([0.84])
    assert found.mse == pytest.approx((0.08**2 + 0.04**2) / 2)


def test_weights_that_are_not_determined_are_none():
    assert fit_weights([[1, 1], [2, 2], [3, 3]], [1, 2, 3], [3, 3]).reason.startswith("the ratings of one facet")
    assert fit_weights([[1, 2]], [1], [3, 3]).reason.startswith("fewer texts")
    assert fit_weights([], [], [3]).weights is None
    assert fit_weights([[1], [2]], [-1, -2], [2]).normalised is None
    assert fit_weights([[1e200], [2e200]], [1e300, 0], [1]).mse is None


def test_numbers_that_vary_too_little_for_a_variance_have_no_d():
    effect = cohen_d([1.0] * 3, [0, 1e-200, 0])
    assert effect.value is None and "too little" in effect.reason
