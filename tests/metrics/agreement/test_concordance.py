"""Concordance, limits of agreement and the human ceiling, against published examples, definitions and simulation."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from scholartools.metrics.agreement.ceiling import ceiling
from scholartools.metrics.agreement.concordance import concordance, concordance_intervals
from scholartools.metrics.statistics.resampling import Resampling, mean_interval

# Bland and Altman (1986), Lancet: peak flow by two meters, the first measurement of 17 people.
LARGE = [494, 395, 516, 434, 476, 557, 413, 442, 650, 433, 417, 656, 267, 478, 178, 423, 427]
MINI = [512, 430, 520, 428, 500, 600, 364, 380, 658, 445, 432, 626, 260, 477, 259, 350, 451]


def test_the_example_of_bland_and_altman():
    found = concordance([*LARGE, 1.0], [*MINI, None])
    assert (found.n, round(found.bias, 1), round(found.sd, 1)) == (17, -2.1, 38.8)
    assert found.limits == pytest.approx((found.bias - 1.959964 * found.sd, found.bias + 1.959964 * found.sd))
    x, y = np.array(LARGE, float), np.array(MINI, float)
    expected = 2 * np.cov(x, y, ddof=0)[0, 1] / (x.var() + y.var() + (x.mean() - y.mean()) ** 2)
    assert found.value == pytest.approx(expected) and round(found.value, 3) == 0.943, (
        "as epiR, DescTools and Stata have it"
    )


def test_intervals_of_limits_are_those_of_scipy_s_noncentral_t():
    made = concordance_intervals(LARGE, MINI, Resampling())
    found, z = concordance(LARGE, MINI), stats.norm.ppf(0.975)
    ends = stats.nct.ppf([0.025, 0.975], 16, z * 17**0.5) * found.sd / 17**0.5
    assert (made.upper.low, made.upper.high) == pytest.approx(tuple(found.bias + ends))
    assert (made.lower.low, made.lower.high) == pytest.approx(tuple(found.bias - ends[::-1]))
    apart = [a - b for a, b in zip(LARGE, MINI, strict=True)]
    assert (made.bias.low, made.bias.high) == pytest.approx(mean_interval(apart)[0])


@pytest.mark.parametrize(("first", "second"), [([3, 3], [3, 3]), ([1], [2]), ([], [])])
def test_what_has_no_coefficient_says_why(first, second):
    found = concordance(first, second)
    made = concordance_intervals(first, second, Resampling())
    assert found.value is None and found.reason and made.upper.low is None and made.upper.reason


def test_a_shift_lowers_concordance_and_no_correlation():
    x = [1.0, 2, 3, 4, 6]
    assert concordance(x, x).value == pytest.approx(1) and concordance(x, [v + 2 for v in x]).value < 0.7
    assert concordance(x, [-v for v in x]).value < 0
    large = [v * 1e200 for v in x]
    assert concordance(large, [v * 1.1 for v in large]).value == pytest.approx(
        concordance(x, [v * 1.1 for v in x]).value
    )


@pytest.mark.parametrize("size", [1, 3])
def test_intervals_hold_the_truth(size):
    """Of 20 items, or papers of three: .95 within .915 and .985 (400 data sets, 3 standard errors)."""
    held = np.zeros(4)
    truth = 2 * 1 / (2 + 2 + 0.25)
    z = stats.norm.ppf(0.975)
    sd = 2**0.5
    for seed in range(400):
        rng = np.random.default_rng(seed)
        n = 20 * size
        of = np.repeat(np.arange(20), size)
        part = rng.normal(size=20)[of] * 0.5**0.5 + rng.normal(size=n) * 0.5**0.5 if size > 1 else rng.normal(size=n)
        x, y = part + rng.normal(size=n) + 0.5, part + rng.normal(size=n)
        made = concordance_intervals(x.tolist(), y.tolist(), Resampling(), of.tolist() if size > 1 else None)
        wanted = (truth, 0.5, 0.5 - z * sd, 0.5 + z * sd)
        ends = (made.value, made.bias, made.lower, made.upper)
        held += [one.low <= true <= one.high for one, true in zip(ends, wanted, strict=True)]
    assert all(0.915 <= share <= 0.985 for share in held / 400), held / 400


def test_the_ceiling_is_each_person_against_the_mean_of_the_others():
    rng = np.random.default_rng(4)
    true = rng.normal(size=30)
    people = [(true + rng.normal(size=30)).tolist() for _ in range(3)]
    judge = (true + 0.5 * rng.normal(size=30)).tolist()
    people[0][4] = None
    for measure, by in (("pearson", stats.pearsonr), ("spearman", stats.spearmanr), ("kendall", stats.kendalltau)):
        found = ceiling(people, judge, measure, Resampling())
        own, judged = [], []
        for left in range(3):
            rows = [i for i in range(30) if people[left][i] is not None]
            rest = [np.mean([p[i] for j, p in enumerate(people) if j != left and p[i] is not None]) for i in rows]
            own.append(by([people[left][i] for i in rows], rest).statistic)
            judged.append(by([judge[i] for i in rows], rest).statistic)
        assert [one.person for one in found.people] == pytest.approx(own)
        assert (found.value, found.judge) == pytest.approx((np.mean(own), np.mean(judged)))
        assert found.difference.value == pytest.approx(np.mean(judged) - np.mean(own))
        assert found.intervals[0].low < found.value < found.intervals[0].high
        assert [one.n for one in found.people] == [29, 30, 30]


def test_a_ceiling_of_one_person_or_without_a_judge():
    alone = ceiling([[1.0, 2, 3]], [1.0, 2, 3], "pearson", Resampling())
    assert alone.value is alone.judge is alone.difference is None and alone.reason
    pair = ceiling([[1.0, 2, 3, 5], [1.0, 3, 2, 6]], None, "pearson", Resampling())
    assert pair.value == pytest.approx(stats.pearsonr([1, 2, 3, 5], [1, 3, 2, 6]).statistic) and pair.judge is None


@pytest.mark.slow
def test_a_judge_that_is_as_good_as_a_person_is_found_to_differ_in_one_of_twenty():
    """Three people and a judge, all alike, 20 items: type I error and coverage within 3 standard errors of 400."""
    found = held = 0
    rng = np.random.default_rng(11)
    for _ in range(400):
        true = rng.normal(size=(20, 1))
        sides = (true + rng.normal(size=(20, 4))).T.tolist()
        one = ceiling(sides[:3], sides[3], "pearson", Resampling())
        found += one.difference.p < 0.05
        held += one.intervals[0].low <= 1 / (2 * 1.5) ** 0.5 <= one.intervals[0].high
    assert found / 400 <= 0.083 and 0.917 <= held / 400 <= 0.983, (found / 400, held / 400)
