"""Intervals of shares, F1, precision and recall lie in 0..1, hold the truth as often as before, and say their bounds."""

from __future__ import annotations

import itertools
import random
from typing import Any

import numpy as np
import pytest
from support.run import jsonl, st

from scholartools.metrics.statistics import resampling
from scholartools.metrics.statistics.resampling import SHARE, Resampling


@pytest.mark.parametrize("n", [4, 6, 10])
def test_a_limited_interval_of_a_share_holds_the_truth_as_often(n):
    """Of a precision of .9 pooled over papers, most intervals of few papers reach past 1 otherwise."""
    n_past = n_there = 0
    for seed in range(200):
        rng = np.random.default_rng(seed)
        items = rng.integers(1, 8, size=n)
        right = rng.binomial(items, rng.beta(9, 1, size=n))
        found = resampling.ratio_interval(right.tolist(), items.tolist(), Resampling())
        limited = found.limit(SHARE)
        if found.low is None:
            assert limited == found
            continue
        n_there += 1
        n_past += found.high > 1
        assert 0 <= limited.low <= limited.high <= 1 and limited.bounds == SHARE and limited.p == found.p
        assert (limited.low <= 0.9 <= limited.high) == (found.low <= 0.9 <= found.high)
    assert n_past > n_there / 3


def marked(seed: int) -> list[dict[str, Any]]:
    rng = random.Random(seed)
    texts = ["one claim", "another one", "the third of them", "a fourth"]
    return [
        {"item": item, "rater": rater, "value": [text for text in texts if rng.random() < 0.8]}
        for item, rater in itertools.product(range(4), "ab")
    ]


@pytest.mark.slow
def test_spans_and_shares_of_equal_ratings_stay_in_their_range():
    n_ends = 0
    for seed in range(8):
        for one in st("st-agree", "spans", "--ci", input=jsonl(*marked(seed))).records:
            n_ends += check(one["interval"])
        rng = random.Random(seed)
        rows = [{"item": i, "rater": r, "value": rng.choice("xxxy")} for i in range(6) for r in "abc"]
        for args in (("agreement", "--ci"), ("perfect", "--ci"), ("confusion", "--ci")):
            for one in st("st-agree", *args, input=jsonl(*rows), check=False).records:
                n_ends += check(one.get("interval"))
    assert n_ends > 20


def check(interval: dict[str, Any] | None) -> bool:
    if interval is None or interval["low"] is None:
        return False
    assert 0 <= interval["low"] <= interval["high"] <= 1 and interval["bounds"] == [0, 1]
    return True


def test_a_null_f_of_clusters_says_why():
    rng = random.Random(1)
    rows = [{"item": i, "rater": r, "value": rng.gauss(i, 3), "paper": i // 2} for i in range(20) for r in "abc"]
    for one in st("st-agree", "icc", "--cluster", "paper", input=jsonl(*rows)).records:
        assert one["value"] is not None and one["f"] is None and one["p"] is None
        assert "independent" in one["reason"] and one["jackknife"]["low"] < one["value"] < one["jackknife"]["high"]
    for one in st("st-agree", "icc", input=jsonl(*rows)).records:
        assert one["f"] is not None and one["reason"] is None
