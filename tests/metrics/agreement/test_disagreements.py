"""What ratings disagree about, and the least change that can be noticed: small cases by hand."""

from __future__ import annotations

import pytest
from scipy import stats

from scholartools.metrics.agreement import disagreements
from scholartools.metrics.statistics.resampling import Percentiles

UNITS = [[1, 1, 2], [2, 1, None], [2, 3, 3], [None, 1, None]]


def test_shares_of_values_and_of_pairs_that_differ():
    assert disagreements.prevalence(UNITS) == [(1, 4, 4 / 9), (2, 3, 3 / 9), (3, 2, 2 / 9)]
    # 1 and 2: twice in the first item, once in the second; 2 and 3: twice in the third.
    assert disagreements.value_swaps(UNITS) == [([1, 2], 3, 3 / 5), ([2, 3], 2, 2 / 5)]
    assert disagreements.prevalence([[None]]) == disagreements.value_swaps([[True, True]]) == []


def test_true_is_not_one():
    assert [one.value for one in disagreements.value_swaps([[True, 1]])] == [[True, 1]]
    assert len(disagreements.prevalence([[True, 1]])) == 2


def test_two_raters():
    first, second = ([unit[place] for unit in UNITS] for place in (0, 1))
    assert disagreements.apart(first, second) == (3, 2, pytest.approx(0.0))
    assert disagreements.apart(["a", None], ["b", "c"]) == (1, 1, None)
    assert disagreements.apart([None], [1]) == (0, 0, None)


@pytest.mark.parametrize(("low", "high", "confidence"), [(-0.196, 0.196, 0.95), (0.3355, 0.6645, 0.9)])
def test_the_least_change_is_2_8_standard_errors(low, high, confidence):
    assert disagreements.least_change(Percentiles(low, high, 9, 0), confidence) == pytest.approx(0.28, abs=0.001)


@pytest.mark.parametrize("df", [1, 2, 7, 19, 200])
def test_the_least_change_of_a_jackknife_is_found_four_times_out_of_five(df):
    """The power of a t test whose true mean is the least change, by scipy's noncentral t."""
    critical = stats.t.ppf(0.975, df)
    between = Percentiles(0.5 - critical * 0.1, 0.5 + critical * 0.1, df + 1, 0, df=df, error=0.1)
    noncentral = disagreements.least_change(between, 0.95) / 0.1
    assert 1 - stats.nct.cdf(critical, df, noncentral) == pytest.approx(0.8, abs=1e-6)


def test_no_interval_no_least_change():
    assert disagreements.least_change(Percentiles(None, None, 1, 0, "few"), 0.95) is None
