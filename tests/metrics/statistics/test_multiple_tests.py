"""P values of a family of tests: against their definitions, scipy, and by simulation."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from scholartools.metrics.statistics.multiple_tests import adjust, benjamini_hochberg, benjamini_yekutieli, holm

families = st.lists(st.floats(0, 1), min_size=1, max_size=7)


def test_worked_examples():
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.9, 0.8]) == [1.0, 1.0]
    # Benjamini and Hochberg (1995), section 4.1: at .05 the four least of 15 are found, by Bonferroni three.
    published = [0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262, 0.5719, 0.6528,
                 0.7590, 1.0]  # fmt: skip
    assert [p <= 0.05 for p in benjamini_hochberg(published)] == [True] * 4 + [False] * 11
    assert [p <= 0.05 for p in holm(published)] == [True] * 3 + [False] * 12


@pytest.mark.parametrize("method", [holm, benjamini_hochberg, benjamini_yekutieli])
def test_what_has_no_p_is_no_test(method):
    whole = method([0.01, 0.04])
    assert method([0.01, None, 0.04, None]) == [whole[0], None, whole[1], None]
    assert (method([]), method([None])) == ([], [None])


@given(families)
def test_holm_is_the_closure_of_bonferroni(p_values):
    """A hypothesis is rejected where every set of hypotheses with it is, by the least p times how many they are."""
    for place, found in enumerate(holm(p_values)):
        sets = [
            [*others, place]
            for size in range(len(p_values))
            for others in combinations([one for one in range(len(p_values)) if one != place], size)
        ]
        assert found == pytest.approx(max(min(1, len(one) * min(p_values[i] for i in one)) for one in sets))


@given(families)
def test_rates_of_false_discovery_are_scipy_s(p_values):
    for method, name in ((benjamini_hochberg, "bh"), (benjamini_yekutieli, "by")):
        assert method(p_values) == pytest.approx(stats.false_discovery_control(p_values, method=name))


@given(families)
def test_a_correction_keeps_the_order_and_is_no_less_than_p(p_values):
    for method in ("holm", "bh"):
        found = adjust(p_values, method)
        assert all(p <= q + 1e-12 and q <= 1 for p, q in zip(p_values, found, strict=True))
        ranked = [q for _, q in sorted(zip(p_values, found, strict=True))]
        assert ranked == sorted(ranked)
    assert all(b <= h + 1e-12 for b, h in zip(adjust(p_values, "bh"), adjust(p_values, "holm"), strict=True))


@pytest.mark.parametrize("shared", [0.0, 0.5])
def test_error_rates_of_a_table_of_twelve(shared):
    """2,000 tables of 12 one-sided tests, 8 of no effect, which share a part: by Holm a false finding in at most 5%.

    By Benjamini and Hochberg false ones are 8/12 of 5% of all findings where tests are independent, and at most that
    where they go up together. Bounds are 4 standard errors wide.
    """
    rng = np.random.default_rng(3)
    effect = np.repeat([0.0, 3.0], [8, 4])
    any_false, share_false = [], []
    for _ in range(2000):
        z = effect + np.sqrt(1 - shared) * rng.normal(size=12) + np.sqrt(shared) * rng.normal()
        p_values = stats.norm.sf(z).tolist()
        any_false.append(any(q <= 0.05 for q in adjust(p_values, "holm")[:8]))
        found = [q <= 0.05 for q in adjust(p_values, "bh")]
        share_false.append(sum(found[:8]) / max(1, sum(found)))
    expected, error = 0.05 * 8 / 12, np.std(share_false) / np.sqrt(2000)
    assert np.mean(any_false) <= 0.05 + 4 * np.sqrt(0.05 * 0.95 / 2000)
    assert np.mean(share_false) <= expected + 4 * error
    if not shared:
        assert np.mean(share_false) >= expected - 4 * error
        assert np.mean(any_false) >= 0.02, "not so strict that it finds nothing"
