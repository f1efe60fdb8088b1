"""Confusion of values, agreement on each, weighted percentage agreement."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as some

from scholartools.metrics.agreement.categories import category_agreements, confusion, values_of
from scholartools.metrics.agreement.gwet import weighted_agreement, weighted_agreement_interval
from scholartools.metrics.statistics.resampling import Resampling, mean_interval

# The ratings of Krippendorff (2011) and Gwet (2014), four raters of twelve items.
RATINGS = [
    [1, 1, None, 1], [2, 2, 3, 2], [3, 3, 3, 3], [3, 3, 3, 3], [2, 2, 2, 2], [1, 2, 3, 4], [4, 4, 4, 4], [1, 1, 2, 1],
    [2, 2, 2, 2], [None, 5, 5, 5], [None, None, 1, 1], [None, None, 3, None],
]  # fmt: skip
# irrCAC 0.4.4 (scipy 1.12.0): CAC(ratings, weights=...).gwet()["est"]["pa"], which it rounds.
IRRCAC = {None: 0.81818, "linear": 0.93939, "quadratic": 0.97538}


@pytest.mark.parametrize("weighting", IRRCAC)
def test_weighted_agreement_is_irrcac_s(weighting):
    found = weighted_agreement(RATINGS, weighting, None)
    assert found.value == pytest.approx(IRRCAC[weighting], abs=6e-6) and found.n_items == 11


def test_the_interval_is_that_of_a_mean_over_items():
    units = [[1, 2], [1, 1], [3, 1], [2, 2], [3, 3], [1, 2]]
    found = weighted_agreement_interval([*units, [2, None]], Resampling(), None, "linear")
    low, high = mean_interval([0.5, 1, 0, 1, 1, 0.5])[0]
    assert low < 0 and high > 1 and (found.low, found.high, found.bounds) == (0, 1, (0, 1))
    units = [[1, 3], [1, 2], [3, 1], [2, 2], [3, 3], [1, 2]] * 4
    found = weighted_agreement_interval(units, Resampling(), None, "linear")
    assert (found.low, found.high) == pytest.approx(mean_interval([0, 0.5, 0, 1, 1, 0.5] * 4)[0])


def test_a_table_of_two_raters_and_agreement_on_a_value():
    """2 a / (2 a + b + c) of two raters (Fleiss 1975): 40 both yes, 9 and 6 one of them, 45 both no."""
    pairs = [("yes", "yes")] * 40 + [("yes", "no")] * 9 + [("no", "yes")] * 6 + [("no", "no")] * 45 + [("no", None)]
    values = values_of(pairs)
    found = confusion([one for one, _ in pairs], [other for _, other in pairs], values)
    assert (found.values, found.counts, found.n) == (["no", "yes"], [[45, 6], [9, 40]], 100)
    no, yes = category_agreements(pairs, values, Resampling())
    assert (yes.agreement.value, no.agreement.value) == pytest.approx((80 / 95, 90 / 105))
    assert yes.n_ratings == 95 and yes.interval.low < 80 / 95 < yes.interval.high


def test_numbers_come_by_size_and_are_no_texts():
    assert values_of([[10, "10", 2], [True, None, "b"]]) == [2, 10, "10", True, "b"]
    assert confusion([10, 2], ["10", 2], [2, 10, "10"]).counts == [[1, 0, 0], [0, 0, 1], [0, 0, 0]]


@given(some.lists(some.lists(some.sampled_from(["a", "b", None]), min_size=3, max_size=3), max_size=8))
def test_agreement_on_a_value_is_its_definition(units):
    """Of all ordered pairs of ratings of one item whose first is the value, the share whose second is it, too."""
    for one in category_agreements(units, ["a", "b"]):
        pairs = [
            (x, y)
            for unit in units
            for x, y in permutations([v for v in unit if v is not None], 2)
            if x == one.category
        ]
        expected = sum(y == one.category for _, y in pairs) / len(pairs) if pairs else None
        assert one.agreement.value == (expected if expected is None else pytest.approx(expected))
