"""Bootstrap intervals against a plain loop, the coverage they promise, and the data that has none."""

from __future__ import annotations

import math
import random
import statistics
import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scholartools.errors import UsageFault
from scholartools.metrics.statistics import resampling
from scholartools.metrics.statistics.resampling import mean_interval


def gauss(n: int, seed: int, mean: float = 0, deviation: float = 1) -> list[float]:
    source = random.Random(seed)
    return [source.gauss(mean, deviation) for _ in range(n)]


def test_an_interval_is_the_percentiles_of_resampled_means():
    values = gauss(30, seed=3)
    generator = np.random.Generator(np.random.PCG64(7))
    means = [statistics.fmean(values[i] for i in row) for row in generator.integers(0, 30, size=(500, 30))]
    low, high = np.quantile(means, [0.05, 0.95])
    assert mean_interval(values, samples=500, confidence=0.9, seed=7, method="bootstrap")[0] == pytest.approx(
        (low, high), abs=1e-12
    )


def test_an_interval_is_near_that_of_an_independent_bootstrap():
    values = gauss(50, seed=4, mean=2)
    source = random.Random(9)
    means = sorted(statistics.fmean(source.choices(values, k=50)) for _ in range(4000))
    assert mean_interval(values, samples=4000, method="bootstrap")[0] == pytest.approx(
        (means[99], means[3899]), abs=0.03
    )


@settings(max_examples=60)
@given(st.lists(st.floats(-100, 100), min_size=2, max_size=40), st.integers(0, 5))
def test_the_mean_is_inside(values, seed):
    ends, reason = mean_interval(values, samples=300, seed=seed, method="bootstrap")
    if ends is None:
        assert reason == resampling.SAME_IN_SAMPLES and len(set(values)) <= 5 or max(values) - min(values) < 1e-9
        return
    low, high = ends
    assert min(values) <= low <= high <= max(values)
    assert low - 1e-9 <= statistics.fmean(values) <= high + 1e-9
    if len(set(values)) > 5:
        assert low < high


def test_intervals_cover_the_mean_about_as_often_as_they_say():
    trials = [
        mean_interval(gauss(60, trial, 10, 3), samples=400, seed=trial, method="bootstrap")[0] for trial in range(300)
    ]
    assert 0.90 <= sum(low <= 10 <= high for low, high in trials) / 300 <= 0.98


def test_more_confidence_is_wider_and_more_values_are_narrower():
    def width(n: int, confidence: float) -> float:
        low, high = mean_interval(gauss(n, seed=1), confidence=confidence, method="bootstrap")[0]
        return high - low

    assert width(50, 0.5) < width(50, 0.9) < width(50, 0.99)
    assert width(5000, 0.95) < width(50, 0.95) / 5


@pytest.mark.parametrize("value", [0.1, 0.0, -3.7, 1 / 3])
@pytest.mark.parametrize("n", [2, 3, 7, 1000])
def test_constant_data_has_no_interval_and_a_reason(value, n):
    """An interval of no width would look like certainty."""
    assert mean_interval([value] * n, samples=50, method="bootstrap") == (None, resampling.SAME_IN_SAMPLES)


def test_the_seed_decides():
    values = gauss(40, seed=2)
    assert mean_interval(values, seed=1, method="bootstrap") == mean_interval(values, seed=1, method="bootstrap")
    assert mean_interval(values, seed=1, method="bootstrap") != mean_interval(values, seed=2, method="bootstrap")


@pytest.mark.parametrize("block", [1, 50, 333, 49_999])
def test_blocks_change_nothing(monkeypatch, block):
    values = gauss(50, seed=5)
    whole = mean_interval(values, seed=1, method="bootstrap")
    monkeypatch.setattr(resampling, "_BLOCK", block)
    assert mean_interval(values, seed=1, method="bootstrap") == whole


def test_many_values_stay_in_bounded_memory():
    values = np.random.default_rng(0).random(100_000)
    tracemalloc.start()
    interval, _ = mean_interval(values, samples=200, method="bootstrap")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert interval[0] < values.mean() < interval[1]
    assert peak < 100e6, "all 200 x 100,000 draws at once are 160 MB of indices and as much of values"


def test_numbers_are_plain():
    assert [type(end) for end in mean_interval(np.array([1, 2, 4]), method="bootstrap")[0]] == [float, float]


@pytest.mark.parametrize("values", [[], [1.0]])
def test_too_few_values_have_no_interval(values):
    assert mean_interval(values, method="bootstrap") == (None, "fewer than two values")


@pytest.mark.parametrize("odd", [None, math.nan, math.inf, 1e308])
def test_values_that_have_no_mean_have_no_interval(odd, recwarn):
    interval, reason = mean_interval([1.0, odd, 2.0], method="bootstrap")
    assert interval is None and "missing, infinite or too large" in reason
    assert not recwarn


@pytest.mark.parametrize("options", [{"samples": 0}, {"confidence": 0}, {"confidence": 1}, {"confidence": 95}])
def test_options_out_of_range_are_refused(options):
    with pytest.raises(UsageFault):
        mean_interval([1.0, 2.0], **options)
